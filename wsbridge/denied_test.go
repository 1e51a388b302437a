package wsbridge

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

func TestCallsHearOfAPageThatIsNotPaired(t *testing.T) {
	withRouter(t, Options{Grace: -1}, func(r *routed) {
		refused := &DeniedError{Reason: "not paired"}
		r.expect("", "connection lost: no page is connected", 0)
		r.refuse(refused)
		r.expect("", "permission denied: not paired", 0)
		if _, st := r.status(); st.Reason != "not paired" {
			t.Errorf("health says %q", st.Reason)
		}
		time.Sleep(refusedFor + time.Second) // the tab was closed
		r.expect("", "connection lost: no page is connected", 0)

		// A page that is let in proves that the user has opened the right one; one that
		// has just dropped comes back by itself.
		r.refuse(refused)
		p := r.open("s1", "shop")
		r.expect("", `"s1"`, 0)
		r.remove(p, nil)
		r.refuse(refused)
		r.expect("", "connection lost: the connection of the page dropped 0s ago", 0)
		time.Sleep(time.Hour)
		r.refuse(refused)
		r.expect("", "permission denied: not paired", 0)
	})
}

func TestAPeerHearsOfAPageThatIsNotPaired(t *testing.T) {
	withHub(t, Options{Grace: -1}, func(r *rig) {
		r.hub.router.refuse(&DeniedError{Reason: "not paired", Advice: "open it"})
		c := newCall("a")
		_, err := r.via(r.peer(r.hub.opt)).Call(r.Context(), &c)
		if e, ok := errors.AsType[*DeniedError](err); !ok || e.Advice != "open it" {
			t.Errorf("got %#v", err)
		}
		page := r.page("s1", "repo", nil)
		done := make(chan error)
		go func() {
			c := newCall("b")
			_, err := r.hub.router.Do(r.Context(), &c)
			done <- err
		}()
		page.next(methodCall)
		page.send(encodeError("b", wireError{Code: codeDenied, Message: "the folder may not be read"}))
		if e, ok := errors.AsType[*ToolError](<-done); !ok || !e.Denied {
			t.Errorf("got %#v", e)
		}
		synctest.Wait()
	})
}

// A client that gave up before it was refused is no page that is open. The system no
// longer tells whose process it was.
func TestAClientThatHasLeftIsNoRefusedPage(t *testing.T) {
	for _, leaves := range []bool{true, false} {
		withHub(t, Options{Gate: Gate{AllowOrigins: []string{"http://localhost:5173"}}}, func(r *rig) {
			gate := *r.hub.gate.Load()
			gate.InsecureV1 = false
			r.hub.gate.Store(&gate)
			r.hub.visitors.ownerOf = func(net.Conn) owner {
				time.Sleep(time.Millisecond)
				return unknownOwner
			}
			conn, err := r.listener.dial(r.Context(), "tcp", "")
			if err != nil {
				r.Fatal(err)
			}
			fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://localhost:5173\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", testPort)
			if leaves {
				_ = conn.Close()
			}
			time.Sleep(time.Second)
			r.hub.router.mu.Lock()
			defer r.hub.router.mu.Unlock()
			if denied := r.hub.router.refused.err(); (denied == nil) != leaves {
				r.Errorf("leaves %v: %v", leaves, denied)
			}
			_ = conn.Close()
		})
	}
}

// Only a page of our own or of a named origin can say that it is not paired.
func TestWhoIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		method, path, origin string
		status               int
		denied               bool
	}{
		"unpaired":           {"POST", "/api/unpaired", "http://127.0.0.1:80", http.StatusNoContent, true},
		"no browser":         {"POST", "/api/unpaired", "", http.StatusMethodNotAllowed, false},
		"an image":           {"GET", "/api/unpaired", "http://127.0.0.1:80", http.StatusMethodNotAllowed, false},
		"foreign page":       {"POST", "/api/unpaired", "https://evil.example", http.StatusForbidden, false},
		"upgrade, own":       {"GET", "/", "http://127.0.0.1:80", http.StatusForbidden, true},
		"upgrade, foreign":   {"GET", "/", "https://evil.example", http.StatusForbidden, false},
		"upgrade, no origin": {"GET", "/", "", http.StatusForbidden, false},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHub(Options{Gate: Gate{Port: 80, Token: testToken}})
			r := httptest.NewRequest(c.method, "http://127.0.0.1:80"+c.path, nil)
			if c.origin != "" {
				r.Header.Set("Origin", c.origin)
			}
			if c.path == "/" {
				r.Header.Set("Upgrade", "websocket")
				r.Header.Set("Sec-WebSocket-Protocol", Subprotocol+", gitnexus.proof.page.a.b.c")
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != c.status || (h.router.refused.err() != nil) != c.denied {
				t.Errorf("status %d, %v", w.Code, h.router.refused.err())
			}
		})
	}
}
