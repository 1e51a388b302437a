package wsbridge

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
)

// browserWith is a page that has got an address from `open`.
type browserWith struct {
	t      *testing.T
	gate   Gate
	id     string
	ticket []byte
}

func open(t *testing.T, gate Gate) browserWith {
	t.Helper()
	address, err := gate.PairingURL("open")
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(address)
	if err != nil || u.Host != "127.0.0.1:54319" {
		t.Fatalf("%s: %v", address, err)
	}
	id, secret, ok := strings.Cut(strings.TrimPrefix(u.Fragment, "ticket="), ".")
	ticket, err := base64.RawURLEncoding.DecodeString(secret)
	if !ok || err != nil || len(ticket) != 32 {
		t.Fatalf("%s: %v", address, err)
	}
	return browserWith{t, gate, id, ticket}
}

func (b browserWith) who() identity { return identity{roleTicket, b.id, string(b.ticket)} }

// exchange has a page give its ticket to a hub. page is the key that it has already.
func (b browserWith) exchange(h *hub, page string) (status int, who identity) {
	b.t.Helper()
	const nonce = "0123456789abcdef"
	var challenge proofAnswer
	if status = serve(b.t, h, http.MethodGet, challengeFor(b.who(), nonce), &challenge); status != http.StatusOK {
		return status, identity{}
	}
	if challenge.Proof != b.gate.hubProof(b.who(), nonce) {
		b.t.Error("the hub did not prove that it knows the ticket")
	}
	return b.give(h, nonce, challenge.Nonce, page)
}

func (b browserWith) give(h *hub, nonce, hubNonce, page string) (status int, who identity) {
	var answer struct{ Page string }
	query := url.Values{"id": {b.id}, "nonce": {nonce}, "hubNonce": {hubNonce}, "proof": {b.gate.clientMAC(b.who(), nonce, hubNonce)}, "page": {page}}
	status = serve(b.t, h, http.MethodPost, pairPath+"?"+query.Encode(), &answer)
	return status, identity{rolePage, answer.Page, string(b.gate.pageKey(b.ticket, nonce, hubNonce))}
}

func serve(t *testing.T, h *hub, method, path string, answer any) int {
	t.Helper()
	r := httptest.NewRequest(method, path, nil)
	r.Host = "127.0.0.1:54319"
	r.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code == http.StatusOK {
		if err := json.Unmarshal(w.Body.Bytes(), answer); err != nil {
			t.Errorf("%s: %s", path, w.Body)
		}
	}
	return w.Code
}

// admits reports whether a page gets in with its key.
func admits(h *hub, who identity) bool {
	const nonce = "0123456789abcdef"
	r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:54319/", nil)
	r.Header.Set("Sec-WebSocket-Protocol", h.opt.Gate.clientProof(who, nonce, h.nonces.make(nonce)))
	got, refusal := h.admitProof(r)
	return refusal == nil && got == who
}

func pairingHub(gate Gate) *hub { return newHub(Options{Gate: gate, App: http.NotFoundHandler()}) }

func newPairing(t *testing.T) Gate {
	return Gate{Port: testPort, Token: testToken, Pairing: Pairing{filepath.Join(t.TempDir(), "pages")}}
}

func TestATicketGivesAKeyOnce(t *testing.T) {
	gate := newPairing(t)
	a, b := pairingHub(gate), pairingHub(gate)
	page := open(t, gate)
	// Made before this hub was: whoever has the port takes it.
	status, who := page.exchange(a, "")
	if status != http.StatusOK || !admits(a, who) || !admits(b, who) {
		t.Fatalf("status %d", status)
	}
	for _, h := range []*hub{a, b} {
		if status, _ := page.exchange(h, ""); status != http.StatusForbidden {
			t.Errorf("used again: status %d", status)
		}
	}
	if admits(a, page.who()) || admits(a, identity{rolePage, page.id, string(page.ticket)}) {
		t.Error("a ticket opens a link")
	}
	list, err := gate.Pairing.Pages()
	if err != nil || len(list) != 1 || list[0].ID != who.id || list[0].Name != "open" || list[0].Browser != "headless Chrome 156 on Linux" {
		t.Errorf("%+v, %v", list, err)
	}
	// A browser that is paired keeps its key; the ticket is used up all the same.
	again := open(t, gate)
	if status, got := again.exchange(b, who.id); status != http.StatusOK || got.id != who.id {
		t.Errorf("status %d, page %q", status, got.id)
	}
	if status, _ := again.exchange(a, ""); status != http.StatusForbidden {
		t.Errorf("used again: status %d", status)
	}
	if list, _ = gate.Pairing.Pages(); len(list) != 1 {
		t.Errorf("%+v", list)
	}
	// As another implementation of docs/protocol.md computes it.
	if got := hex.EncodeToString(gate.pageKey([]byte(strings.Repeat("t", 32)), "0123456789abcdef", "fedcba9876543210")); got != "eaea6cecf599e92f03c3a21fdfa8dc4ed5e7eedf24c62c339403a04597a85aa6" {
		t.Errorf("the key is %s", got)
	}
}

func TestATicketIsUsedByOneOfMany(t *testing.T) {
	gate := newPairing(t)
	page := open(t, gate)
	var got atomic.Int32
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if status, _ := page.exchange(pairingHub(gate), ""); status == http.StatusOK {
				got.Add(1)
			}
		})
	}
	wg.Wait()
	if got.Load() != 1 {
		t.Errorf("%d got a key", got.Load())
	}
}

func TestATicketIsGoodForAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := newPairing(t)
		h := pairingHub(gate)
		late, good := open(t, gate), open(t, gate)
		time.Sleep(ticketLife - time.Second)
		if status, _ := good.exchange(h, ""); status != http.StatusOK {
			t.Errorf("after %v: status %d", ticketLife-time.Second, status)
		}
		hubNonce := h.nonces.make("0123456789abcdef")
		time.Sleep(time.Second)
		if status, _ := late.exchange(h, ""); status != http.StatusForbidden {
			t.Errorf("after %v: status %d", ticketLife, status)
		}
		if status, _ := late.give(h, "0123456789abcdef", hubNonce, ""); status != http.StatusForbidden {
			t.Errorf("with a nonce of before: status %d", status)
		}
	})
}

// What is no proof of a ticket uses nothing up and changes nothing.
func TestJunkPairsNobody(t *testing.T) {
	gate := newPairing(t)
	h := pairingHub(gate)
	page := open(t, gate)
	const nonce = "0123456789abcdef"
	junk := page
	junk.ticket = []byte(strings.Repeat("z", 32))
	if status, _ := junk.give(h, nonce, h.nonces.make(nonce), ""); status != http.StatusForbidden {
		t.Errorf("another secret: status %d", status)
	}
	if status, _ := page.give(h, nonce, "made-up-nonce-of-the-client-which-is-long-enough", ""); status != http.StatusForbidden {
		t.Errorf("a nonce of its own: status %d", status)
	}
	for _, id := range []string{"", "token", "../token", "ffffffffffffffff", "..%2ftoken"} {
		if status := serve(t, h, http.MethodPost, pairPath+"?id="+url.QueryEscape(id)+"&nonce="+nonce+"&hubNonce="+h.nonces.make(nonce)+"&proof=00", nil); status != http.StatusForbidden {
			t.Errorf("id %q: status %d", id, status)
		}
	}
	if list, _ := gate.Pairing.Pages(); len(list) != 0 {
		t.Errorf("paired: %+v", list)
	}
	if status, _ := page.exchange(h, "ffffffffffffffff"); status != http.StatusOK {
		t.Errorf("the ticket itself: status %d", status)
	}
}

func TestKeysAreOfTheUserAlone(t *testing.T) {
	gate := newPairing(t)
	_, who := open(t, gate).exchange(pairingHub(gate), "")
	file := gate.Pairing.path(pageKind, who.id)
	if runtime.GOOS == "windows" {
		t.Skip("mode bits say nothing there")
	}
	for path, want := range map[string]os.FileMode{file: 0o600, gate.Pairing.Dir: 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
	}
	// What others could have read is no key any more.
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
	if admits(pairingHub(gate), who) {
		t.Error("a key that others can read was taken")
	}
}

func TestRevoking(t *testing.T) {
	gate := newPairing(t)
	withHub(t, Options{Gate: Gate{Pairing: gate.Pairing}}, func(r *rig) {
		_, lost := open(r.T, gate).exchange(r.hub, "")
		_, kept := open(r.T, gate).exchange(r.hub, "")
		connect := func(who identity) *fakePage {
			const nonce = "0123456789abcdef"
			conn, _, err := r.dial([]string{Subprotocol, gate.clientProof(who, nonce, r.hub.nonces.make(nonce))}, nil)
			if err != nil {
				r.Fatal(err)
			}
			p := r.start(&fakePage{}, conn)
			p.hello("s-" + who.id)
			synctest.Wait()
			return p
		}
		a, b := connect(lost), connect(kept)
		if err := gate.Pairing.Revoke(lost.id); err != nil {
			r.Fatal(err)
		}
		var answer struct{ Ended int }
		if status := serve(r.T, r.hub, http.MethodPost, checkPagesPath, &answer); status != http.StatusOK || answer.Ended != 1 {
			r.Errorf("status %d, %d links ended", status, answer.Ended)
		}
		<-a.closed
		if websocket.CloseStatus(a.err) != websocket.StatusPolicyViolation || !strings.Contains(a.err.Error(), "revoked") {
			r.Errorf("it ended with %v", a.err)
		}
		select {
		case <-b.closed:
			r.Errorf("another page was cut off: %v", b.err)
		default:
		}
		if admits(r.hub, lost) || !admits(r.hub, kept) {
			r.Error("the wrong one is shut out")
		}
		if err := gate.Pairing.Revoke(lost.id); err == nil || !strings.Contains(err.Error(), "pair list") {
			r.Errorf("revoked twice: %v", err)
		}
		if err := gate.Pairing.Revoke("../token"); err == nil {
			r.Error("a path was taken for an id")
		}
		// One whose key is revoked between its proof and its link: the pipe holds the hub up
		// until its answer is read.
		const nonce = "0123456789abcdef"
		late := r.raw("GET / HTTP/1.1\r\nHost: 127.0.0.1:54319\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
			"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: " + Subprotocol + ", " + gate.clientProof(kept, nonce, r.hub.nonces.make(nonce)) + "\r\n\r\n")
		synctest.Wait()
		if err := gate.Pairing.Revoke(kept.id); err != nil {
			r.Fatal(err)
		}
		heard, _ := io.ReadAll(late)
		if !strings.Contains(string(heard), " 101 ") || !strings.Contains(string(heard), "revoked") {
			r.Errorf("it heard %q", heard)
		}
		b.drop()
	})
}

// A hub that is told that there is another token ends all that the former one opened, and
// keeps the port: what it leaves, another program could take.
func TestAnotherToken(t *testing.T) {
	origins := []string{"http://localhost:5173"}
	ended := make(chan struct{})
	opt := Options{Gate: Gate{AllowOrigins: origins}, MCP: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
		close(ended)
	})}
	withHub(t, opt, func(r *rig) {
		peer := r.connectAs(rolePeer, &fakePage{})
		peer.send(encode("hello", methodHello, helloParams{Role: rolePeer, Version: "test", Session: "p"}))
		page := r.connect(&fakePage{})
		page.hello("s")
		conn, _, err := r.dial(nil, http.Header{"Origin": origins})
		if err != nil {
			r.Fatal(err)
		}
		v1 := r.start(&fakePage{}, conn)
		go func() {
			req, _ := http.NewRequestWithContext(r.Context(), http.MethodPost, "http://127.0.0.1:54319"+MCPPath, http.NoBody)
			req.Header.Set("Authorization", "Bearer "+testToken)
			if resp, err := r.client.Do(req); err == nil {
				_ = resp.Body.Close()
			}
		}()
		synctest.Wait()
		check := func(want int) {
			r.Helper()
			var answer struct{ Ended int }
			if status := serve(r.T, r.hub, http.MethodPost, checkPagesPath, &answer); status != http.StatusOK || answer.Ended != want {
				r.Errorf("status %d, %d links ended, want %d", status, answer.Ended, want)
			}
		}
		check(0) // it is the same token
		former := *r.hub.gate.Load()
		renewed := former
		renewed.Token, renewed.Pairing, renewed.InsecureV1 = strings.Repeat("fedcba9876543210", 2), Pairing{}, false
		r.node.opt.RenewGate = func() (Gate, error) { return renewed, nil }
		r.node.gate.Store(&former)
		r.hub.gate, r.hub.renew = r.node.gate, r.node.renewGate
		check(3)
		for what, p := range map[string]*fakePage{"peer": peer, "page": page, "v1 page": v1} {
			select {
			case <-p.closed:
			case <-time.After(time.Minute):
				r.Fatalf("the %s is still linked", what)
			}
			want := websocket.StatusGoingAway // by which a peer knows that it may come back
			if p == page {
				want = websocket.StatusPolicyViolation
			}
			if websocket.CloseStatus(p.err) != want {
				r.Errorf("the %s ended with %v", what, p.err)
			}
		}
		<-ended
		synctest.Wait()
		check(0)
		for _, c := range []struct {
			gate Gate
			in   bool
		}{{former, false}, {renewed, true}} {
			const nonce = "0123456789abcdef"
			conn, _, err := r.dial([]string{Subprotocol, c.gate.clientProof(c.gate.peer(), nonce, r.hub.nonces.make(nonce))}, nil)
			if c.in != (err == nil) {
				r.Errorf("a peer with the token %s: %v", c.gate.Token, err)
			}
			if err == nil {
				_ = conn.CloseNow()
			}
		}
		if _, err := proveHolder(r.Context(), former, r.dialPort); err == nil || !strings.Contains(err.Error(), "another GITNEXUS_TOKEN") {
			r.Errorf("an older peer hears %v", err)
		}
	})
}

func TestOldKeysAndTicketsAreRemoved(t *testing.T) {
	gate := newPairing(t)
	_, old := open(t, gate).exchange(pairingHub(gate), "")
	_, fresh := open(t, gate).exchange(pairingHub(gate), "")
	unused := open(t, gate)
	for name, age := range map[string]time.Duration{
		pageKind + old.id: keyLife + time.Hour, pageKind + fresh.id: keyLife - time.Hour, ticketKind + unused.id: 2 * ticketLife,
	} {
		at := time.Now().Add(-age)
		if err := os.Chtimes(filepath.Join(gate.Pairing.Dir, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	open(t, gate)
	if gate.Pairing.has(old.id) || !gate.Pairing.has(fresh.id) {
		t.Error("the wrong key was removed")
	}
	if _, err := gate.Pairing.ticket(unused.id); err == nil {
		t.Error("an old ticket is there")
	}
	// A use makes a key young, and brings back none that is gone.
	gate.Pairing.used(fresh.id)
	gate.Pairing.used(old.id)
	if list, _ := gate.Pairing.Pages(); len(list) != 1 || time.Since(list[0].LastUsed) > time.Minute {
		t.Errorf("%+v", list)
	}
}

func TestBrowserName(t *testing.T) {
	for agent, want := range map[string]string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0": "Edge 156 on Windows",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15":         "Safari on macOS",
		"Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0":                                                        "Firefox 150 on Linux",
		"curl/8": "unknown browser",
		"":       "unknown browser",
	} {
		if got := browserName(agent); got != want {
			t.Errorf("%s: %s", agent, got)
		}
	}
}
