package wsbridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
)

// peer joins a peer to the rig's hub. It ends with the rig.
func (r *rig) peer(opt Options) *hubConn {
	r.Helper()
	h, err := proveHolder(r.Context(), opt.Gate, r.dialPort)
	if err != nil {
		r.Fatal(err)
	}
	p, err := joinHub(r.Context(), r.Context(), opt, "peer-agent", h, func(*hubConn, pagesParams) {})
	if err != nil {
		r.Fatal(err)
	}
	return p
}

func TestPeerCalls(t *testing.T) {
	withHub(t, Options{Agent: "hub-agent"}, func(r *rig) {
		page := r.page("s1", "repo", nil)
		peer := r.peer(r.hub.opt)
		var agents agentsParams
		for len(agents.Agents) < 2 {
			_ = json.Unmarshal(page.next(methodAgents).Params, &agents)
		}
		if agents.Agents[0].Name != "hub-agent" || agents.Agents[1].Name != "peer-agent" {
			t.Errorf("the page sees %+v", agents)
		}
		call := func(ctx context.Context, id string) <-chan callOutcome {
			done := make(chan callOutcome, 1)
			c := newCall(id)
			c.Trace = new(Trace)
			c.Progress = func(float64, *float64, string) {}
			go func() {
				result, err := r.via(peer).Call(ctx, &c)
				done <- callOutcome{result, err, c.Trace}
			}()
			return done
		}
		done := call(r.Context(), "peer-1")
		f := page.next(methodCall)
		if idOf(f) != "peer-1" {
			t.Errorf("the id changed on its way: %s", f.ID)
		}
		page.result("peer-1", 42)
		if o := <-done; o.err != nil || string(o.result) != "42" || o.trace.Page != "s1" || o.trace.Attempt != 1 {
			t.Errorf("got %s, %v, %+v", o.result, o.err, o.trace)
		}
		// A cancel goes all the way.
		ctx, cancel := context.WithCancel(r.Context())
		done = call(ctx, "peer-2")
		page.next(methodCall)
		cancel()
		<-done
		var c cancelParams
		_ = json.Unmarshal(page.next(methodCancel).Params, &c)
		if c.RequestID != "peer-2" {
			t.Errorf("cancelled %+v", c)
		}
		// Errors arrive as what they were.
		done = call(r.Context(), "peer-3")
		page.next(methodCall)
		page.send(encodeError("peer-3", wireError{Code: codeMethodNotFound, Message: "no such tool"}))
		if e, ok := errors.AsType[*ToolError]((<-done).err); !ok || !e.NotFound {
			t.Errorf("got %#v", e)
		}
		done = call(r.Context(), "peer-4")
		page.next(methodCall)
		page.drop()
		if e, ok := errors.AsType[*LostError]((<-done).err); !ok || e.NeverConnected || !e.Sent || e.URL == "" {
			t.Errorf("got %#v", e)
		}
		done = call(r.Context(), "peer-5")
		if e, ok := errors.AsType[*LostError]((<-done).err); !ok || e.Sent {
			t.Errorf("got %#v", e)
		}
	})
}

// A call that its hub may have sent belongs to its page; one that went nowhere is free.
func TestPeerHoldsACallToThePageThatMayHaveIt(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		page := r.page("s1", "repo", nil)
		peer := r.peer(r.hub.opt)
		c := newCall("a")
		c.ReadOnly, c.affinity = false, &affinity{Page: "s1", Graph: "repo", Unsent: true}
		done := make(chan error, 2)
		do := func() {
			_, err := peer.Do(r.Context(), &c)
			done <- err
		}
		go do()
		page.next(methodCall)
		_ = peer.conn.ws.CloseNow()
		again, ok := errors.AsType[*resendError](<-done)
		if !ok || again.affinity.Unsent || again.affinity.Page != "s1" {
			t.Errorf("got %#v", again)
		}
		do() // by a connection that has ended
		if again, ok = errors.AsType[*resendError](<-done); !ok || !again.affinity.Unsent || again.sent {
			t.Errorf("got %#v", again)
		}
	})
}

func TestPeersDeathLeavesThePagesWorkAlone(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		page := r.page("s1", "repo", nil)
		peer := r.peer(r.hub.opt)
		c := newCall("a")
		c.Trace = new(Trace)
		done := make(chan error, 1)
		go func() {
			_, err := peer.Do(r.Context(), &c)
			done <- err
		}()
		page.next(methodCall)
		_ = peer.conn.ws.CloseNow()
		if again, ok := errors.AsType[*resendError](<-done); !ok || !again.sent {
			t.Errorf("got %v", again)
		}
		synctest.Wait()
		select {
		case f := <-page.frames:
			if f.Method == methodCancel {
				t.Error("the page was told to stop, though the peer may come back")
			}
		default:
		}
	})
}

// freePort finds a port that nobody holds just now.
func freePort(t *testing.T) int {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}

// runNode starts a node on real loopback. stop ends it and waits.
func runNode(t *testing.T, port int) (n *Node, stop func()) {
	n = NewNode(Options{Gate: Gate{Port: port, Token: testToken, Pairing: testPages}, App: http.NotFoundHandler(), Agent: t.Name()})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { _ = n.Run(ctx); close(done) }()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return n, stop
}

func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no %s within 20 s", what)
		}
	}
}

// dialReal opens a page's link on real loopback.
func dialReal(ctx context.Context, port int) (*websocket.Conn, error) {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	protocols, err := proveAs(ctx, client, port, rolePage)
	if err != nil {
		return nil, err
	}
	conn, _, err := websocket.Dial(ctx, fmt.Sprintf("ws://127.0.0.1:%d/", port), &websocket.DialOptions{HTTPClient: client, Subprotocols: protocols})
	return conn, err
}

// realPage is a page on real loopback that redials until the test ends, and
// answers each call with its own arguments.
func realPage(t *testing.T, port int) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	t.Cleanup(func() { cancel(); <-done })
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			conn, err := dialReal(ctx, port)
			if err != nil {
				time.Sleep(5 * time.Millisecond)
				continue
			}
			p := &fakePage{t: t, conn: conn, answer: echo, frames: make(chan frame, 1000), closed: make(chan struct{})}
			p.hello("real")
			p.send(encode("", methodContext, contextParams{Context: &GraphContext{Repo: "repo", State: "ready"}}))
			go func() {
				<-ctx.Done()
				_ = conn.CloseNow()
			}()
			p.read()
		}
	}()
}

func TestPeerBecomesTheHub(t *testing.T) {
	port := freePort(t)
	a, stopA := runNode(t, port)
	waitFor(t, "hub", func() bool { return a.Status().Role == "hub" })
	b, _ := runNode(t, port)
	c, _ := runNode(t, port)
	waitFor(t, "peers", func() bool { return b.Status().Role == "peer" && c.Status().Role == "peer" })
	realPage(t, port)
	waitFor(t, "page at the peers", func() bool { return len(b.Status().Pages) == 1 && len(c.Status().Pages) == 1 })
	for i, n := range []*Node{a, b, c} {
		result, err := n.Call(t.Context(), ref(newCall(fmt.Sprint("before-", i))))
		if err != nil || string(result) != `{"query":"x"}` {
			t.Errorf("node %d: %s, %v", i, result, err)
		}
	}
	stopA()
	start := time.Now()
	for i, n := range []*Node{b, c} {
		if _, err := n.Call(t.Context(), ref(newCall(fmt.Sprint("after-", i)))); err != nil {
			t.Errorf("after the hub's end: %v", err)
		}
	}
	t.Logf("both peers had an answer %v after the hub's end", time.Since(start))
	roles := b.Status().Role + " " + c.Status().Role
	if roles != "hub peer" && roles != "peer hub" {
		t.Errorf("roles %s", roles)
	}
}

// A call that was on its way when the hub went says so, though its new hub knows
// nothing of it.
func TestCallThatLostItsHubWasSent(t *testing.T) {
	port := freePort(t)
	a, stopA := runNode(t, port)
	waitFor(t, "hub", func() bool { return a.Status().Role == "hub" })
	b, _ := runNode(t, port)
	waitFor(t, "peer", func() bool { return b.Status().Role == "peer" })
	conn, err := dialReal(t.Context(), port)
	if err != nil {
		t.Fatal(err)
	}
	page := &fakePage{t: t, conn: conn, frames: make(chan frame, 1000), closed: make(chan struct{})}
	go page.read()
	page.hello("s1")
	page.send(encode("", methodContext, contextParams{Context: &GraphContext{Repo: "repo", State: "ready"}}))
	waitFor(t, "page", func() bool { return len(b.Status().Pages) == 1 })
	done := make(chan error, 1)
	go func() {
		_, err := b.Call(t.Context(), ref(newCall("a")))
		done <- err
	}()
	page.next(methodCall)
	stopA()
	if lost, ok := errors.AsType[*LostError](<-done); !ok || !lost.Sent {
		t.Errorf("got %#v", lost)
	}
}

func TestForeignProgramOnThePort(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.NotFoundHandler()}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	n, _ := runNode(t, l.Addr().(*net.TCPAddr).Port)
	waitFor(t, "word of it", func() bool { return strings.Contains(n.Status().Trouble, "no gitnexus-mcp") })
	_, err = n.Call(t.Context(), ref(newCall("a")))
	lost, ok := errors.AsType[*LostError](err)
	if !ok || !strings.Contains(lost.Reason, "is taken") {
		t.Fatalf("got %v", err)
	}
	if me := fmt.Sprintf("(pid %d)", os.Getpid()); !strings.Contains(lost.Reason, me) {
		t.Errorf("%q does not say who holds the port: %s", lost.Reason, me)
	}
	_ = server.Close()
	waitFor(t, "port", func() bool { return n.Status().Role == "hub" })
}

func TestHubWithAnotherToken(t *testing.T) {
	port := freePort(t)
	a, _ := runNode(t, port)
	waitFor(t, "hub", func() bool { return a.Status().Role == "hub" })
	n := NewNode(Options{Gate: Gate{Port: port, Token: strings.Repeat("z", 32)}, App: http.NotFoundHandler()})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { _ = n.Run(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done })
	waitFor(t, "word of it", func() bool { return strings.Contains(n.Status().Trouble, "does not know our token") })
}
