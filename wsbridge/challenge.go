package wsbridge

import (
	"bufio"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"syscall"
	"time"
)

// challengePath is where a hub proves that it knows the client's key, and gives the
// nonce for the client's own proof. Any program of any user may hold the port.
const challengePath = "/api/challenge"

// admissionVersion is that of challenge, proof and ticket. A client of another one is
// told so.
const admissionVersion = "3"

// proofAnswer is the body of the answer to a challenge.
type proofAnswer struct {
	Version string `json:"version"`
	Proof   string `json:"proof"`
	// Nonce is the hub's, for the client's proof. It is good once, for nonceLife.
	Nonce string `json:"nonce"`
}

// nonceForm is what a client's nonce looks like.
var nonceForm = regexp.MustCompile(`^[A-Za-z0-9_-]{16,128}$`)

// challenge answers GET /api/challenge?version=V&role=R&id=ID&nonce=N.
func (h *hub) challenge(w http.ResponseWriter, r *http.Request) {
	h.allowOrigin(w, r)
	query := r.URL.Query()
	nonce := query.Get("nonce")
	if query.Get("version") != admissionVersion {
		(&Refusal{"version", "This page is of another version than gitnexus-mcp. Reload it; if that does not help, run `gitnexus-mcp open`."}).write(w)
		return
	}
	who, err := h.gate.Load().identity(query.Get("role"), query.Get("id"))
	if err != nil {
		h.noSuchKey(w, query.Get("role"), err)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if !nonceForm.MatchString(nonce) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":"want nonce: 16 to 128 characters out of A-Z a-z 0-9 _ -"}`+"\n")
		return
	}
	_, _ = w.Write(mustMarshal(proofAnswer{admissionVersion, h.gate.Load().hubProof(who, nonce), h.nonces.make(nonce)}))
}

// allowOrigin lets a page read the answer whose origin the user named: it may open a
// WebSocket, too.
func (h *hub) allowOrigin(w http.ResponseWriter, r *http.Request) {
	if named, refusal := h.gate.Load().admit(r); named && refusal == nil {
		w.Header().Set("Access-Control-Allow-Origin", r.Header.Get("Origin"))
	}
}

// noSuchKey tells a client that the hub does not know what it wants to prove.
func (h *hub) noSuchKey(w http.ResponseWriter, role string, err error) {
	if !errors.Is(err, fs.ErrNotExist) {
		h.opt.Log.Warn("a page's key cannot be used", "reason", err)
	}
	refusal := &Refusal{"page", "This server does not know this browser's key: it was revoked, or is of another server. " +
		"Run `gitnexus-mcp open` to pair it."}
	if role == roleTicket {
		refusal = &Refusal{"ticket", "This address has been used, or is older than a minute. Run `gitnexus-mcp open` again."}
	}
	refusal.write(w)
}

// CheckHub returns nil when the port is held by a hub that knows the gate's
// token, and else says in words what is there instead; ErrNoHub when nobody is,
// ErrOtherToken when it is one of another token, or no hub.
func CheckHub(ctx context.Context, gate Gate) error {
	ctx, cancel := context.WithTimeout(ctx, DefaultHelloTimeout)
	defer cancel()
	h, err := proveHolder(ctx, gate, dialHub)
	if err == nil {
		return h.Close()
	}
	if e, ok := errors.AsType[*holderError](err); ok && e.fact == holderGone {
		said := fmt.Sprintf("no gitnexus-mcp is running on port %d: start your agent first (it starts gitnexus-mcp), or run `gitnexus-mcp serve`", gate.Port)
		if others := OtherHubs(ctx, gate); len(others) > 0 {
			said = fmt.Sprintf("no gitnexus-mcp is running on port %d, but one of yours is on port %d: give --port %d", gate.Port, others[0], others[0])
		}
		return &holderError{e.fact, said, err}
	}
	return fmt.Errorf("port %d is taken%s: %w", gate.Port, holder(gate.Port), err)
}

// AskHub sends a request to the hub that holds the port, once that has proved that it
// knows the gate's token. The request's context bounds both. The caller has to close
// the body of the answer.
func AskHub(gate Gate, req *http.Request) (*http.Response, error) {
	hub, err := proveHolder(req.Context(), gate, dialHub)
	if err != nil {
		return nil, err
	}
	resp, err := hub.client().Do(req)
	if err != nil {
		_ = hub.Close()
	}
	return resp, err
}

// holderError says what is wrong with the holder of the port.
type holderError struct {
	fact   fact
	reason string
	cause  error
}

func (e *holderError) Error() string { return e.reason }
func (e *holderError) Unwrap() error { return e.cause }

// ErrNoHub says that nobody listens on the port, ErrOtherToken that whoever does has
// not proved that it knows the gate's token.
var (
	ErrNoHub      = errors.New("nobody listens on the port")
	ErrOtherToken = errors.New("the program on the port does not know the token")
)

func dialLoopback(ctx context.Context, port int) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, "tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
}

// provenHolder is a connection to a hub that has proved on it that it knows our
// token. Our own proof goes over this one connection, and is worth nothing to
// whoever takes the port next.
type provenHolder struct {
	net.Conn
	buffered        *bufio.Reader // of Conn
	nonce, hubNonce string        // of the proof
}

func (h *provenHolder) Read(p []byte) (int, error) { return h.buffered.Read(p) }

// client sends its one request over the connection.
func (h *provenHolder) client() *http.Client {
	unused := make(chan net.Conn, 1)
	unused <- h
	return &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			select {
			case conn := <-unused:
				return conn, nil
			default:
				return nil, errors.New("the connection on which the hub proved itself is used up")
			}
		},
	}}
}

// proveHolder connects to the holder of the port and has it prove that it knows
// our token, or returns a *holderError.
func proveHolder(ctx context.Context, gate Gate, dial dialFunc) (*provenHolder, error) {
	conn, err := dial(ctx, gate)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, silence(ctx)
	case err != nil:
		return nil, &holderError{holderGone, fmt.Sprintf("nobody listens on port %d: %v", gate.Port, errno(err)), ErrNoHub}
	}
	h := &provenHolder{Conn: conn, buffered: bufio.NewReader(conn)}
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	err = h.prove(ctx, gate)
	if !stop() {
		err = silence(ctx)
	}
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return h, nil
}

// prove sends a challenge and checks the answer.
func (h *provenHolder) prove(ctx context.Context, gate Gate) error {
	nonce, who := rand.Text(), gate.peer()
	query := url.Values{"version": {admissionVersion}, "role": {who.role}, "id": {who.id}, "nonce": {nonce}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, gate.URL()+challengePath[1:]+"?"+query.Encode(), nil)
	if err != nil {
		return err
	}
	if err := req.Write(h.Conn); err != nil {
		return &holderError{holderGone, "the program on the port closes connections at once", err}
	}
	if _, err := h.buffered.Peek(1); err != nil {
		return &holderError{holderGone, "the program on the port closes connections without an answer", err}
	}
	resp, err := http.ReadResponse(h.buffered, req)
	if err != nil {
		return &holderError{holderForeign, "the program on the port is no gitnexus-mcp (it does not answer as a web server)", err}
	}
	defer func() { _ = resp.Body.Close() }()
	var answer proofAnswer
	if resp.StatusCode != http.StatusOK || json.NewDecoder(io.LimitReader(resp.Body, 4096)).Decode(&answer) != nil || answer.Proof == "" {
		return &holderError{holderForeign, fmt.Sprintf(
			"the program on the port is no gitnexus-mcp, or one of an older version (HTTP status %d)", resp.StatusCode), nil}
	}
	if answer.Version != admissionVersion {
		return &holderError{holderForeign, "the program on the port is a gitnexus-mcp of another version, or none: " +
			"end the agents that started it, and start them anew", nil}
	}
	if !hmac.Equal([]byte(answer.Proof), []byte(gate.hubProof(who, nonce))) {
		return &holderError{holderForeign,
			"the program on the port does not know our token: it is a gitnexus-mcp of another user or with another GITNEXUS_TOKEN, or none", ErrOtherToken}
	}
	h.nonce, h.hubNonce = nonce, answer.Nonce
	return nil
}

// silence is what a holder says that has not answered in time.
func silence(ctx context.Context) error {
	return &holderError{holderSilent, "the program on the port takes connections and does not answer", context.Cause(ctx)}
}

// errno is the part of a network error that a person wants to read.
func errno(err error) error {
	if e, ok := errors.AsType[syscall.Errno](err); ok {
		return e
	}
	return err
}
