package wsbridge

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
)

func TestProof(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const nonce = "0123456789abcdef"
		gate := Gate{Port: testPort, Token: testToken, Pairing: testPages}
		h := newHub(Options{Gate: gate, App: http.NotFoundHandler()})
		admits := func(protocol string) string {
			r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:54319/", nil)
			r.Header.Set("Sec-WebSocket-Protocol", Subprotocol+", "+protocol)
			who, _ := h.admitProof(r)
			return who.role
		}
		good := gate.clientProof(gate.peer(), nonce, h.nonces.make(nonce))
		if got := admits(good); got != rolePeer {
			t.Fatalf("a good proof is of role %q", got)
		}
		if admits(good) != "" {
			t.Error("the same proof was taken twice")
		}
		other := newHub(Options{Gate: gate, App: http.NotFoundHandler()})
		late := gate.clientProof(testPage, nonce, h.nonces.make(nonce))
		for name, protocol := range map[string]string{
			"another key":               gate.clientProof(identity{rolePage, testPage.id, strings.Repeat("z", 32)}, nonce, h.nonces.make(nonce)),
			"another token":             gate.clientProof(identity{rolePeer, tokenID, strings.Repeat("z", 32)}, nonce, h.nonces.make(nonce)),
			"no such key":               gate.clientProof(identity{rolePage, "ffffffffffffffff", testPage.key}, nonce, h.nonces.make(nonce)),
			"a file that is no key":     gate.clientProof(identity{rolePage, "../" + pageKind + testPage.id, testPage.key}, nonce, h.nonces.make(nonce)),
			"a page with the token":     gate.clientProof(identity{rolePage, tokenID, testToken}, nonce, h.nonces.make(nonce)),
			"a peer with a page's key":  gate.clientProof(identity{rolePeer, testPage.id, testPage.key}, nonce, h.nonces.make(nonce)),
			"another port":              Gate{Port: testPort + 1}.clientProof(testPage, nonce, h.nonces.make(nonce)),
			"another hub's nonce":       gate.clientProof(testPage, nonce, other.nonces.make(nonce)),
			"another client's nonce":    gate.clientProof(testPage, nonce, h.nonces.make("another-nonce-of-it")),
			"a nonce of its own":        gate.clientProof(testPage, nonce, nonce),
			"no nonce":                  gate.clientProof(testPage, nonce, ""),
			"another role":              strings.Replace(gate.clientProof(testPage, nonce, h.nonces.make(nonce)), ".page.", ".peer.", 1),
			"the hub's proof sent back": ProofSubprotocol + strings.Join([]string{"page", testPage.id, nonce, h.nonces.make(nonce), gate.hubProof(testPage, nonce)}, "."),
			"the token":                 "gitnexus.token." + testToken,
		} {
			if role := admits(protocol); role != "" {
				t.Errorf("%s: admitted as %s", name, role)
			}
		}
		time.Sleep(nonceLife)
		if admits(late) != "" {
			t.Error("a nonce was taken after its life")
		}
		// What was used is forgotten once it could not be used again anyway.
		if got := admits(gate.clientProof(testPage, nonce, h.nonces.make(nonce))); got != rolePage || len(h.nonces.used) != 1 {
			t.Errorf("role %q, %d nonces kept", got, len(h.nonces.used))
		}
	})
	// As another implementation of docs/protocol.md computes it.
	got := Gate{Port: testPort}.clientProof(testPage, "0123456789abcdef", "fedcba9876543210")
	if want := ProofSubprotocol + "page.0123456789abcdef.0123456789abcdef.fedcba9876543210.79f6f63445316e777d9a2ed46a00451d0f1bfb894d693d89fcf59d8237f2748f"; got != want {
		t.Errorf("the proof is %s", got)
	}
}

func TestHelloKeepsToTheProvenRole(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		p := r.connectAs(rolePeer, &fakePage{})
		p.hello("s1") // as a page
		<-p.closed
		if websocket.CloseStatus(p.err) != websocket.StatusPolicyViolation {
			r.Errorf("it ended with %v", p.err)
		}
	})
}

// The session key is of one connection, and of pages alone.
func TestSessionKeyDiesWithItsConnection(t *testing.T) {
	repo := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("the repo")) })
	withHub(t, serving(Options{}, repo), func(r *rig) {
		ask := func(key string) int {
			req, _ := http.NewRequest(http.MethodGet, "http://127.0.0.1:54319/api/repo", nil)
			req.Header.Set("Authorization", "Bearer "+key)
			resp, err := r.client.Do(req)
			if err != nil {
				r.Fatal(err)
			}
			_ = resp.Body.Close()
			return resp.StatusCode
		}
		keys := map[string]bool{}
		for range 2 {
			p := r.connect(&fakePage{})
			p.hello("s1")
			var hello helloResult
			if err := json.Unmarshal(p.next("").Result, &hello); err != nil {
				r.Fatal(err)
			}
			if hello.Key == "" || keys[hello.Key] {
				r.Fatalf("key %q", hello.Key)
			}
			keys[hello.Key] = true
			if got := ask(hello.Key); got != http.StatusOK {
				r.Errorf("a living key: %d", got)
			}
			p.drop()
			if got := ask(hello.Key); got != http.StatusForbidden {
				r.Errorf("the key of a connection that has ended: %d", got)
			}
		}
		if got := ask(""); got != http.StatusForbidden {
			r.Errorf("no key: %d", got)
		}
	})
}
