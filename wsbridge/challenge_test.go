package wsbridge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// squatter is a foreign program on a port. It keeps all that it is sent.
type squatter struct {
	net.Listener
	mu    sync.Mutex
	heard bytes.Buffer
}

// squat answers each connection, once something has come, by what answer returns
// for it; "" closes it.
func squat(t *testing.T, port int, answer func(request string) string) *squatter {
	l, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		t.Fatal(err)
	}
	s := &squatter{Listener: l}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			serving.Go(func() {
				defer func() { _ = conn.Close() }()
				_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
				buf := make([]byte, 4096)
				for {
					n, err := conn.Read(buf)
					s.mu.Lock()
					s.heard.Write(buf[:n])
					s.mu.Unlock()
					reply := answer(string(buf[:n]))
					if err != nil || reply == "" {
						return
					}
					_, _ = conn.Write([]byte(reply))
				}
			})
		}
	})
	t.Cleanup(func() { _ = l.Close(); serving.Wait() })
	return s
}

func (s *squatter) port() int { return s.Addr().(*net.TCPAddr).Port }

func (s *squatter) knows(secret string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Contains(s.heard.String(), secret)
}

func ok(body string) string {
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

func TestTokenIsSentToNobodyWithoutProof(t *testing.T) {
	// A hub of ours on another port, whose proofs a squatter can ask for.
	elsewhere := freePort(t)
	hub, _ := runNode(t, elsewhere)
	waitFor(t, "hub", func() bool { return hub.Status().Role == "hub" })
	relay := func(request string) string {
		_, rest, _ := strings.Cut(request, "GET ")
		path, _, _ := strings.Cut(rest, " ")
		resp, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d%s", elsewhere, path))
		if err != nil {
			return ""
		}
		defer func() { _ = resp.Body.Close() }()
		var body bytes.Buffer
		_, _ = body.ReadFrom(resp.Body)
		return ok(body.String())
	}
	for name, c := range map[string]struct {
		answer func(string) string
		says   string
	}{
		"closes":           {func(string) string { return "" }, "no gitnexus-mcp is running"},
		"no HTTP":          {func(string) string { return "SSH-2.0-x\r\n" }, "does not answer as a web server"},
		"another server":   {func(string) string { return "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n" }, "HTTP status 404"},
		"says yes to all":  {func(string) string { return ok("{}") }, "HTTP status 200"},
		"makes a proof up": {func(string) string { return ok(`{"version":"3","proof":"00"}`) }, "does not know our token"},
		"an older hub":     {func(string) string { return ok(`{"proof":"00","nonce":"00"}`) }, "of another version"},
		"relays a proof":   {relay, "does not know our token"},
	} {
		t.Run(name, func(t *testing.T) {
			s := squat(t, 0, c.answer)
			gate := Gate{Port: s.port(), Token: testToken, Pairing: testPages}
			if err := CheckHub(t.Context(), gate); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("CheckHub says %v, want %q", err, c.says)
			}
			n, _ := runNode(t, gate.Port)
			waitFor(t, "word of the squatter", func() bool { return n.Status().Trouble != "it is starting" })
			if !s.knows("/api/challenge") || s.knows(testToken) || s.knows(ProofSubprotocol) {
				t.Errorf("it was asked for a proof: %v; it heard %q", s.knows("/api/challenge"), s.heard.String())
			}
		})
	}
}

// A hub proves itself and dies; who has the port then gets nothing.
func TestTokenGoesOnlyWhereTheProofCameFrom(t *testing.T) {
	port := freePort(t)
	hub, stop := runNode(t, port)
	waitFor(t, "hub", func() bool { return hub.Status().Role == "hub" })
	gate := Gate{Port: port, Token: testToken, Pairing: testPages}
	h, err := proveHolder(t.Context(), gate, dialHub)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = h.Close() }()
	stop()
	s := squat(t, port, func(string) string { return ok("{}") })
	limit, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	_, err = joinHub(t.Context(), limit, Options{Gate: gate}.withDefaults(), "agent", h, func(*hubConn, pagesParams) {})
	if e, ok := errors.AsType[*holderError](err); !ok || e.fact != holderGone {
		t.Errorf("got %v", err)
	}
	if s.knows(testToken) || s.knows("GET") {
		t.Errorf("the next holder of the port was sent %q", s.heard.String())
	}
}

func TestChallenge(t *testing.T) {
	gate := Gate{Port: testPort, Token: testToken, Pairing: testPages}
	h := newHub(Options{Gate: gate, App: http.NotFoundHandler()})
	const nonce = "0123456789abcdef"
	for _, c := range []struct {
		host, path string
		status     int
		says       string
	}{
		{"127.0.0.1:54319", challengeFor(gate.peer(), nonce), http.StatusOK, gate.hubProof(gate.peer(), nonce)},
		{"127.0.0.1:54319", challengeFor(testPage, nonce), http.StatusOK, gate.hubProof(testPage, nonce)},
		{"127.0.0.1:54319", challengeFor(testPage, "short"), http.StatusBadRequest, "16 to 128"},
		{"127.0.0.1:54319", challengeFor(testPage, ""), http.StatusBadRequest, "16 to 128"},
		{"evil.example:54319", challengeFor(testPage, nonce), http.StatusForbidden, `"host"`},
		{"127.0.0.1:54319", challengeFor(identity{rolePage, "ffffffffffffffff", ""}, nonce), http.StatusForbidden, `"page"`},
		{"127.0.0.1:54319", challengeFor(identity{rolePage, "token", ""}, nonce), http.StatusForbidden, `"page"`},
		{"127.0.0.1:54319", challengeFor(identity{roleTicket, "ffffffffffffffff", ""}, nonce), http.StatusForbidden, `"ticket"`},
		// As pages and peers of the version before asked.
		{"127.0.0.1:54319", challengePath + "?nonce=" + nonce, http.StatusForbidden, `"version"`},
		{"127.0.0.1:54319", strings.Replace(challengeFor(testPage, nonce), "version="+admissionVersion, "version=99", 1), http.StatusForbidden, `"version"`},
	} {
		r := httptest.NewRequest(http.MethodGet, c.path, nil)
		r.Host = c.host
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%+v: %d %s", c, w.Code, w.Body)
		}
	}
	// As another implementation of docs/protocol.md computes it.
	if got := gate.hubProof(testPage, nonce); got != "77ef6961beb4cbfd27023e4a24f3384c25166f61ac24b1c9db4d81e66ce9cf54" {
		t.Errorf("the proof is %s", got)
	}
}
