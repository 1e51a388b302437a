package wsbridge

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
)

func TestV1IsAdmittedByItsProcessOrASecret(t *testing.T) {
	const origin = "http://localhost:5173"
	gate := Gate{Port: testPort, Token: testToken, AllowOrigins: []string{origin}}
	insecure, other := gate, gate
	insecure.InsecureV1, other.Token = true, "another-0123456789abcdef0123456789"
	for _, c := range []struct {
		name, path, origin string
		gate               Gate
		owner              owner
		want               string
	}{
		{"our user's process", "/", origin, gate, ourUser, ""},
		{"an unknown user's process", "/", origin, gate, unknownOwner, "user"},
		{"the secret", gate.V1Path(), origin, gate, unknownOwner, ""},
		{"another hub's secret", other.V1Path(), origin, gate, unknownOwner, "user"},
		{"the secret's beginning", gate.V1Path()[:20], origin, gate, unknownOwner, "user"},
		{"the secret from an origin that nobody named", gate.V1Path(), "http://localhost:5174", gate, unknownOwner, "origin"},
		{"our user's process, without an origin", "/", "", gate, ourUser, "token"},
		{"insecure", "/", origin, insecure, unknownOwner, ""},
		{"insecure, from an origin that nobody named", "/", "http://localhost:5174", insecure, ourUser, "origin"},
	} {
		h := newHub(Options{Gate: c.gate, App: http.NotFoundHandler()})
		h.visitors.ownerOf = func(net.Conn) owner { return c.owner }
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:54319"+c.path, nil)
		r = r.WithContext(h.visitors.withConn(r.Context(), nil))
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		if got := reason(h.admitV1(r)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// What a page of the older app that is refused has to do instead is printed: at the
// start where no process's user is told, else with the refusal. The page does not hear it.
func TestRefusedV1PageIsToldAnAddress(t *testing.T) {
	var log strings.Builder
	gate := Gate{Port: testPort, Token: testToken, AllowOrigins: []string{"http://localhost:5173"}}
	h := newHub(Options{Gate: gate, App: http.NotFoundHandler(), Log: slog.New(slog.NewTextHandler(&log, nil))})
	h.visitors.ownerOf = func(net.Conn) owner { return unknownOwner }
	r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:54319/", nil)
	r = r.WithContext(h.visitors.withConn(r.Context(), nil))
	r.Header.Set("Origin", "http://localhost:5173")
	r.Header.Set("Connection", "Upgrade")
	r.Header.Set("Upgrade", "websocket")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != http.StatusForbidden || strings.Contains(w.Body.String(), gate.V1Path()) {
		t.Errorf("answered with %d %s", w.Code, w.Body)
	}
	if printed := strings.Contains(log.String(), "ws://localhost:54319"+gate.V1Path()); printed != TellsOwners(runtime.GOOS) {
		t.Errorf("the log has %s", log.String())
	}
}

// A v1 page's context may be large, as it has the tree of all folders, and has a bound.
func TestContextOfAV1PageIsBounded(t *testing.T) {
	opt := Options{}
	opt.Gate.AllowOrigins = []string{"http://localhost:5173"}
	withHub(t, opt, func(r *rig) {
		context := func(tree int) *fakePage {
			conn, _, err := r.dial(nil, http.Header{"Origin": {"http://localhost:5173"}})
			if err != nil {
				r.Fatal(err)
			}
			p := r.start(&fakePage{}, conn)
			p.send([]byte(`{"type":"context","params":{"projectName":"older","folderTree":"` + strings.Repeat("x", tree) + `"}}`))
			time.Sleep(time.Second)
			synctest.Wait()
			return p
		}
		context(5 << 20)
		if pages := r.hub.Status().Pages; len(pages) != 1 || pages[0].Context.Repo != "older" {
			r.Errorf("the pages are %+v", pages)
		}
		<-context(9 << 20).closed
		synctest.Wait()
		if ended := r.hub.Status().Ended; len(ended) != 1 || ended[0].Reason != "a context of 9216 KB" {
			r.Errorf("health has %+v", ended)
		}
	})
}

// On loopback, where the other end is this very process.
func TestOwner(t *testing.T) {
	for _, host := range []string{"127.0.0.1:0", "[::1]:0"} {
		l, err := net.Listen("tcp", host)
		if err != nil {
			t.Logf("no %s here: %v", host, err)
			continue
		}
		client, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		served, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		if got := ownerOf(served); (got == ourUser) != TellsOwners(runtime.GOOS) {
			t.Errorf("%s: our own process: %v", host, got)
		}
		// Linux calls a socket root's that its process has closed.
		_ = client.Close()
		if got := ownerOf(served); got != unknownOwner && runtime.GOOS != "windows" || got == anotherUser {
			t.Errorf("%s: a process that has closed its end: %v", host, got)
		}
		_ = served.Close()
		_ = l.Close()
	}
}

// Where the system tells that a process is another user's, it gets nothing, with or
// without a key.
func TestAnotherUsersProcessIsRefused(t *testing.T) {
	gate := Gate{Port: testPort, Token: testToken, Pairing: testPages}
	for _, insecure := range []bool{false, true} {
		gate.InsecureV1 = insecure
		h := newHub(Options{Gate: gate, App: http.NotFoundHandler()})
		h.sessions[&session{key: "the session's key"}] = struct{}{}
		asked := 0
		h.visitors.ownerOf = func(net.Conn) owner { asked++; return anotherUser }
		ctx := h.visitors.withConn(t.Context(), nil)
		for _, path := range []string{"/", "/assets/app.js", challengeFor(identityOf(rolePeer), "0123456789abcdef"), pairPath, checkPagesPath, MCPPath, "/api/unpaired", "/api/repo", "/api/events"} {
			r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:54319"+path, nil).WithContext(ctx)
			r.Header.Set("Authorization", "Bearer "+map[bool]string{true: testToken, false: "the session's key"}[path == MCPPath])
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if refused := strings.Contains(w.Body.String(), "another user of this machine"); refused == insecure {
				t.Errorf("%s, insecure %v: %d %s", path, insecure, w.Code, w.Body)
			}
		}
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:54319/", nil).WithContext(ctx)
		r.Header.Set("Connection", "Upgrade")
		r.Header.Set("Upgrade", "websocket")
		who, nonce := identityOf(rolePage), "0123456789abcdef"
		r.Header.Set("Sec-WebSocket-Protocol", Subprotocol+", "+gate.clientProof(who, nonce, h.nonces.make(nonce)))
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if refused := strings.Contains(w.Body.String(), "another user of this machine"); refused == insecure {
			t.Errorf("a page's upgrade, insecure %v: %d %s", insecure, w.Code, w.Body)
		}
		if asked > 1 {
			t.Errorf("the system was asked %d times for one connection", asked)
		}
	}
}

// A page without a proof answers what no other page could, and calls that name its graph.
func TestUnprovenPageComesLast(t *testing.T) {
	opt := Options{}
	opt.Gate.AllowOrigins = []string{"http://localhost:5173"}
	withHub(t, opt, func(r *rig) {
		first := func() string {
			r.hub.router.mu.Lock()
			defer r.hub.router.mu.Unlock()
			return r.hub.router.ready()[0].dialect
		}
		conn, _, err := r.dial(nil, http.Header{"Origin": {"http://localhost:5173"}})
		if err != nil {
			r.Fatal(err)
		}
		v1 := r.start(&fakePage{}, conn)
		v1.send([]byte(`{"type":"context","params":{"projectName":"older"}}`))
		proven := r.page("s1", "repo", echo)
		unproven := func() (last int) {
			synctest.Wait()
			last = -1
			for {
				select {
				case f := <-proven.frames:
					var told agentsParams
					if f.Method == methodAgents && json.Unmarshal(f.Params, &told) == nil {
						last = told.Unproven
					}
				default:
					return last
				}
			}
		}
		if n := unproven(); n != 1 {
			r.Errorf("the page is told of %d pages without a proof, want 1", n)
		}
		for _, p := range r.hub.Status().Pages {
			if p.Context.Unproven != (p.Context.Repo == "older") {
				r.Errorf("%s: unproven is %v", p.Context.Repo, p.Context.Unproven)
			}
		}
		if first() != "v2" {
			r.Error("a page that came earlier without a proof is first")
		}
		// The later one is not first either, also not while the proven page has no graph, or is away for a moment.
		time.Sleep(time.Second) // sessions of such pages are named by their time
		conn, _, err = r.dial(nil, http.Header{"Origin": {"http://localhost:5173"}})
		if err != nil {
			r.Fatal(err)
		}
		late := r.start(&fakePage{}, conn)
		late.send([]byte(`{"type":"context","params":{"projectName":"later"}}`))
		synctest.Wait()
		if first() != "v2" {
			r.Error("a page that came later without a proof is first")
		}
		if n := unproven(); n != 2 {
			r.Errorf("the page is told of %d pages without a proof, want 2", n)
		}
		proven.send(encode("", methodContext, contextParams{}))
		synctest.Wait()
		if first() != "v2" {
			r.Error("a page without a proof is first while the other has no graph")
		}
		proven.send(encode("", methodContext, contextParams{Context: &GraphContext{Repo: "repo", State: "ready"}}))
		synctest.Wait()
		proven.drop()
		ctx, cancel := context.WithTimeout(r.Context(), time.Minute)
		defer cancel()
		done := r.call(ctx, newCall("a"))
		synctest.Wait()
		proven = r.page("s1", "repo", echo)
		if o := <-done; o.err != nil || len(v1.frames)+len(late.frames) != 0 {
			r.Errorf("%v; %d and %d frames went to pages without a proof", o.err, len(v1.frames), len(late.frames))
		}
		unproven()
		late.drop()
		if n := unproven(); n != 1 {
			r.Errorf("the page is told of %d pages without a proof, want 1", n)
		}
	})
}

// A page without a proof that says that it holds the proven page's graph gets none of
// its calls while that one reloads: not those that name the graph, not those in
// flight, and not those that name none. It answers once the grace period is over.
func TestUnprovenPageTakesNoPlace(t *testing.T) {
	for name, repo := range map[string]string{"by name": "repo", "whatever is in front": ""} {
		for how, leave := range map[string]func(*fakePage){
			"reloads": func(p *fakePage) { _ = p.conn.Close(websocket.StatusGoingAway, "") },
			"drops":   (*fakePage).drop,
		} {
			t.Run(name+", "+how, func(t *testing.T) {
				opt := Options{}
				opt.Gate.AllowOrigins = []string{"http://localhost:5173"}
				withHub(t, opt, func(r *rig) {
					impostor := func() *fakePage {
						conn, _, err := r.dial(nil, http.Header{"Origin": {"http://localhost:5173"}})
						if err != nil {
							r.Fatal(err)
						}
						page := r.start(&fakePage{}, conn)
						page.send([]byte(`{"type":"context","params":{"projectName":"repo"}}`))
						synctest.Wait()
						return page
					}
					first := impostor()
					asked := make(chan struct{}, 1)
					proven := r.page("s1", "repo", func(_ *fakePage, f frame) {
						if f.Method == methodCall {
							asked <- struct{}{}
						}
					})
					ctx, cancel := context.WithTimeout(r.Context(), time.Minute)
					defer cancel()
					inFlight := newCall("in flight")
					inFlight.Repo, inFlight.ReadOnly = repo, true
					running := r.call(ctx, inFlight)
					<-asked
					leave(proven)
					synctest.Wait()
					// One that comes just then, and one that goes, are no better.
					impostor().drop()
					time.Sleep(time.Second) // sessions of such pages are named by their time
					late := impostor()
					next := newCall("next")
					next.Repo = repo
					second := r.call(ctx, next)
					time.Sleep(time.Second)
					synctest.Wait()
					if len(first.frames)+len(late.frames) != 0 {
						r.Errorf("%d and %d frames went to pages without a proof", len(first.frames), len(late.frames))
					}
					r.page("s1", "repo", echo)
					for _, done := range []<-chan callOutcome{running, second} {
						if o := <-done; o.err != nil || len(first.frames)+len(late.frames) != 0 {
							r.Errorf("%v; %d and %d frames went to pages without a proof", o.err, len(first.frames), len(late.frames))
						}
					}
				})
			})
		}
	}
	opt := Options{}
	opt.Gate.AllowOrigins = []string{"http://localhost:5173"}
	withHub(t, opt, func(r *rig) {
		conn, _, err := r.dial(nil, http.Header{"Origin": {"http://localhost:5173"}})
		if err != nil {
			r.Fatal(err)
		}
		v1 := r.start(&fakePage{}, conn)
		v1.send([]byte(`{"type":"context","params":{"projectName":"repo"}}`))
		r.page("s1", "repo", echo).drop()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(r.Context(), DefaultGrace+time.Second)
		defer cancel()
		call := newCall("a")
		call.Repo = "repo"
		began := time.Now()
		done := r.call(ctx, call)
		<-v1.frames
		if waited := time.Since(began); waited < DefaultGrace-time.Second {
			r.Errorf("it is asked after %v", waited)
		}
		cancel()
		<-done
	})
}
