package wsbridge

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

func TestV1IsAdmittedByItsProcessOrASecret(t *testing.T) {
	const origin = "http://localhost:5173"
	gate := Gate{Port: testPort, Token: testToken, AllowOrigins: []string{origin}}
	insecure, other := gate, gate
	insecure.InsecureV1, other.Token = true, "another-0123456789abcdef0123456789"
	for _, c := range []struct {
		name, path, origin string
		gate               Gate
		same               bool
		want               string
	}{
		{"our user's process", "/", origin, gate, true, ""},
		{"another user's process", "/", origin, gate, false, "user"},
		{"the secret", gate.V1Path(), origin, gate, false, ""},
		{"another hub's secret", other.V1Path(), origin, gate, false, "user"},
		{"the secret's beginning", gate.V1Path()[:20], origin, gate, false, "user"},
		{"the secret from an origin that nobody named", gate.V1Path(), "http://localhost:5174", gate, false, "origin"},
		{"our user's process, without an origin", "/", "", gate, true, "token"},
		{"insecure", "/", origin, insecure, false, ""},
		{"insecure, from an origin that nobody named", "/", "http://localhost:5174", insecure, true, "origin"},
	} {
		h := newHub(Options{Gate: c.gate, App: http.NotFoundHandler()})
		h.sameUser = func(client, server netip.AddrPort) bool {
			return c.same && client == netip.MustParseAddrPort("127.0.0.1:40000") && server == netip.MustParseAddrPort("127.0.0.1:54319")
		}
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:54319"+c.path, nil)
		r.RemoteAddr = "127.0.0.1:40000"
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: testPort}))
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		if got := reason(h.admitV1(r)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// On loopback, where the other end is this very process.
func TestSameUser(t *testing.T) {
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
		addr := func(a net.Addr) netip.AddrPort { return a.(*net.TCPAddr).AddrPort() }
		if got := sameUser(addr(client.LocalAddr()), addr(client.RemoteAddr())); got != (runtime.GOOS == "linux") {
			t.Errorf("%s: our own process: %v", host, got)
		}
		if sameUser(netip.AddrPortFrom(addr(client.LocalAddr()).Addr(), 1), addr(client.RemoteAddr())) {
			t.Errorf("%s: a connection that is not there counts as ours", host)
		}
		_ = client.Close()
		_ = l.Close()
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
		r.page("s1", "repo", echo)
		if o := <-done; o.err != nil || len(v1.frames)+len(late.frames) != 0 {
			r.Errorf("%v; %d and %d frames went to pages without a proof", o.err, len(v1.frames), len(late.frames))
		}
	})
}
