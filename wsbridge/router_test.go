package wsbridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
)

// routed is a router with pages that are functions: no connections.
type routed struct {
	*testing.T
	*router
}

func withRouter(t *testing.T, opt Options, test func(r *routed)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		test(&routed{t, newRouter(opt.withDefaults())})
	})
}

// open adds a page that answers with its session.
func (r *routed) open(session, graph string) *page {
	p := &page{
		session: session, dialect: "v2", since: time.Now(), slots: newSlots(r.opt.MaxInflight), gone: make(chan struct{}), end: func(error) {},
		send: func(_ context.Context, _ *Call, release func()) (json.RawMessage, error) {
			release()
			return json.RawMessage(fmt.Sprintf("%q", session)), nil
		},
	}
	r.add(p)
	r.setContext(p, &GraphContext{Repo: graph, State: "ready"})
	return p
}

// ask makes a call, and returns who answered, or the error, and after how long.
func (r *routed) ask(repo string) (string, time.Duration) {
	c := named("a", repo)
	start := time.Now()
	result, err := r.Do(r.Context(), &c)
	if err != nil {
		return err.Error(), time.Since(start)
	}
	return string(result), time.Since(start)
}

func (r *routed) expect(repo, want string, after time.Duration) {
	r.Helper()
	if got, took := r.ask(repo); got != want || took != after {
		r.Errorf("%q: got %s after %v, want %s after %v", repo, got, took, want, after)
	}
}

// A call that a page got while it made its first graph counts for that graph.
func TestTheTraceHasTheGraphThatWasMadeMeanwhile(t *testing.T) {
	withRouter(t, Options{}, func(r *routed) {
		p := r.open("s", "")
		send := p.send
		p.send = func(ctx context.Context, c *Call, release func()) (json.RawMessage, error) {
			r.setContext(p, &GraphContext{Repo: "shop", State: "ready"})
			return send(ctx, c, release)
		}
		c := named("a", "")
		c.Trace = &Trace{}
		if _, err := r.Do(r.Context(), &c); err != nil || c.Trace.Graph != "shop" {
			t.Errorf("%+v, %v", c.Trace, err)
		}
	})
}

func TestRouterOrdersPages(t *testing.T) {
	withRouter(t, Options{}, func(r *routed) {
		a := r.open("a", "one")
		b := r.open("b", "two")
		r.expect("", `"b"`, 0)
		r.expect("one", `"a"`, 0)
		r.foreground(a)
		r.expect("", `"a"`, 0)
		r.setContext(a, nil) // it has nothing loaded any more
		r.expect("", `"b"`, 0)
		r.expect("one", `no connected page holds "one"; known: two`, 0)
		r.remove(b, errors.New("broken"))
		// A call that names no graph waits for the page of the foreground graph, and
		// then takes what is there.
		r.expect("", `"a"`, foregroundGrace)
		r.expect("two", "connection lost: the connection of the page with the graph two dropped 3s ago", DefaultGrace-foregroundGrace)
	})
}

// A closed foreground tab does not delay calls for long while another graph is
// open, and a reload, which is another session, gets them.
func TestRouterAfterAClosedTab(t *testing.T) {
	closed := fmt.Errorf("end: %w", websocket.CloseError{Code: websocket.StatusGoingAway})
	for _, cause := range []error{closed, errors.New("broken")} {
		withRouter(t, Options{}, func(r *routed) {
			r.open("back", "back")
			front := r.open("front", "front")
			r.remove(front, cause)
			time.Sleep(500 * time.Millisecond)
			r.expect("", `"back"`, 400*time.Millisecond)
			r.expect("", `"back"`, 0)
			r.remove(r.open("again", "front"), cause)
			time.AfterFunc(600*time.Millisecond, func() { r.open("reloaded", "front") })
			r.expect("", `"reloaded"`, 600*time.Millisecond)
		})
	}
}

// The rank of a page that blips is remembered however many others came and went
// since the hub started.
func TestRouterForgetsTheOldestPagesFirst(t *testing.T) {
	withRouter(t, Options{}, func(r *routed) {
		for i := range 3 * maxAbsent {
			r.remove(r.open(fmt.Sprint("old", i), fmt.Sprint("graph", i)), errors.New("broken"))
			time.Sleep(time.Millisecond)
		}
		if n := len(r.absent.ranks); n > maxAbsent {
			r.Errorf("%d absent pages are remembered", n)
		}
		if n := len(r.absent.graphs); n > maxAbsent {
			r.Errorf("%d absent graphs are remembered", n)
		}
		time.Sleep(time.Minute)
		back := r.open("back", "back")
		r.open("front", "front")
		r.expect("", `"front"`, 0)
		r.remove(back, errors.New("broken"))
		r.open("back", "back")
		r.expect("", `"front"`, 0)
	})
}

// A call that drops is sent again with its affinity: one that only reads may go
// to another page with the graph, one with side effects waits for its own.
func TestRouterKeepsAffinity(t *testing.T) {
	for _, readOnly := range []bool{true, false} {
		withRouter(t, Options{}, func(r *routed) {
			own := r.open("own", "graph")
			own.send = func(_ context.Context, _ *Call, release func()) (json.RawMessage, error) {
				release()
				go r.remove(own, errors.New("broken"))
				return nil, &droppedError{cause: errors.New("broken")}
			}
			r.open("other", "graph")
			r.open("elsewhere", "another")
			r.foreground(own)
			c := newCall("a")
			c.ReadOnly = readOnly
			_, err := r.Do(r.Context(), &c)
			again, ok := errors.AsType[*resendError](err)
			if !ok || again.affinity.Page != "own" || again.affinity.Graph != "graph" || !again.sent {
				r.Fatalf("got %#v", err)
			}
			c.affinity = again.affinity
			start := time.Now()
			if readOnly {
				if result, err := r.Do(r.Context(), &c); string(result) != `"other"` || time.Since(start) != 0 {
					r.Errorf("%s, %v after %v", result, err, time.Since(start))
				}
				return
			}
			time.AfterFunc(2*time.Second, func() { r.open("own", "graph") })
			if result, err := r.Do(r.Context(), &c); string(result) != `"own"` || time.Since(start) != 2*time.Second {
				r.Errorf("%s, %v after %v", result, err, time.Since(start))
			}
		})
	}
}

// A call that its page cannot have got is not pinned to it, nor counted as sent.
func TestRouterOfACallThatWasNotSent(t *testing.T) {
	withRouter(t, Options{}, func(r *routed) {
		r.open("back", "back")
		front := r.open("front", "front")
		front.send = func(_ context.Context, _ *Call, release func()) (json.RawMessage, error) {
			release()
			r.remove(front, errors.New("broken"))
			return nil, &droppedError{errors.New("broken"), true}
		}
		c := newCall("a")
		_, err := r.Do(r.Context(), &c)
		again, ok := errors.AsType[*resendError](err)
		if !ok || again.sent || again.affinity != nil {
			r.Errorf("got %#v", err)
		}
		if e, ok := errors.AsType[*resendError](decodePeerError(ref2(encodePeerError(err)))); !ok || e.sent || e.affinity != nil {
			r.Errorf("a peer hears %#v", e)
		}
	})
}

func ref2(w wireError) *wireError { return &w }

// A call in flight at a tab that is closed is answered as one that comes a moment
// later: from the graph that is in the foreground then, unless it named its own.
func TestRouterReleasesTheCallsOfAClosedTab(t *testing.T) {
	for _, test := range []struct {
		repo     string
		readOnly bool
		want     string
		after    time.Duration
	}{
		{"", true, `"back"`, foregroundGrace},
		{"front", true, "connection lost: the connection of the page dropped 3s ago", DefaultGrace},
		{"", false, "connection lost: the connection of the page dropped 3s ago", DefaultGrace},
	} {
		withRouter(t, Options{}, func(r *routed) {
			r.open("back", "back")
			front := r.open("front", "front")
			cause := websocket.CloseError{Code: websocket.StatusGoingAway}
			front.send = func(_ context.Context, _ *Call, release func()) (json.RawMessage, error) {
				release()
				r.remove(front, cause)
				return nil, &droppedError{cause: cause}
			}
			c := named("a", test.repo)
			c.ReadOnly = test.readOnly
			_, err := r.Do(r.Context(), &c)
			again, ok := errors.AsType[*resendError](err)
			if !ok {
				r.Fatalf("got %v", err)
			}
			c.affinity = again.affinity
			start := time.Now()
			result, err := r.Do(r.Context(), &c)
			got := string(result)
			if err != nil {
				got = err.Error()
			}
			if got != test.want || time.Since(start) != test.after {
				r.Errorf("%+v: got %s after %v", test, got, time.Since(start))
			}
		})
	}
}

// A peer's call with side effects is pinned before any page gets it.
func TestRouterPinsAPeersCall(t *testing.T) {
	withRouter(t, Options{}, func(r *routed) {
		r.open("a", "graph")
		c := newCall("a")
		c.ReadOnly, c.client = false, new(client)
		_, err := r.Do(r.Context(), &c)
		again, ok := errors.AsType[*resendError](err)
		if !ok || again.sent || again.cause != nil || again.affinity.Page != "a" {
			r.Fatalf("got %#v", err)
		}
		c.affinity = again.affinity
		if result, err := r.Do(r.Context(), &c); string(result) != `"a"` {
			r.Errorf("%s, %v", result, err)
		}
	})
}

// A call that no page can have got is not held to the page that it was pinned to.
func TestRouterMovesACallThatNoPageHas(t *testing.T) {
	for _, peer := range []bool{true, false} {
		withRouter(t, Options{MaxInflight: 1}, func(r *routed) {
			r.open("back", "back")
			front := r.open("front", "front")
			c := newCall("a")
			c.ReadOnly = false
			if peer {
				c.client = new(client)
				_, err := r.Do(r.Context(), &c)
				again, ok := errors.AsType[*resendError](decodePeerError(ref2(encodePeerError(err))))
				if !ok || again.affinity.Page != "front" || !again.affinity.Unsent {
					r.Fatalf("got %#v", err)
				}
				c.affinity = again.affinity
			}
			closeTab := func() { r.remove(front, websocket.CloseError{Code: websocket.StatusGoingAway}) }
			if peer {
				closeTab()
			} else { // while the call waits for a slot
				if _, err := front.slots.acquire(r.Context(), front.gone, &waiting{client: r.own, maxCalls: 9, maxBytes: 9}, false); err != nil {
					r.Fatal(err)
				}
				time.AfterFunc(time.Second, closeTab)
			}
			start := time.Now()
			result, err := r.Do(r.Context(), &c)
			if peer {
				again, ok := errors.AsType[*resendError](err)
				if !ok || again.affinity.Page != "back" || !again.affinity.Unsent {
					r.Fatalf("got %s, %#v", result, err)
				}
				c.affinity = again.affinity
				result, err = r.Do(r.Context(), &c)
			}
			want := foregroundGrace
			if !peer {
				want += time.Second
			}
			if err != nil || string(result) != `"back"` || time.Since(start) != want {
				r.Errorf("peer %v: %s, %v after %v", peer, result, err, time.Since(start))
			}
		})
	}
}

// A call that waits for a page hears so, four times a second at most.
func TestRouterReportsTheWait(t *testing.T) {
	withRouter(t, Options{}, func(r *routed) {
		var told []string
		c := newCall("a")
		c.Progress = func(done float64, total *float64, message string) {
			told = append(told, fmt.Sprintf("%v of %v: %s", done, *total, message))
		}
		time.AfterFunc(900*time.Millisecond, func() { r.open("a", "graph") })
		if _, err := r.Do(r.Context(), &c); err != nil {
			r.Fatal(err)
		}
		want := "[0 of 3000: waiting for the graph app to connect 250 of 3000: waiting for the graph app to connect" +
			" 500 of 3000: waiting for the graph app to connect 750 of 3000: waiting for the graph app to connect]"
		if fmt.Sprint(told) != want {
			r.Errorf("told %v", told)
		}
	})
}

// A router that stops sends its waiting calls to the next upstream.
func TestRouterStops(t *testing.T) {
	withRouter(t, Options{}, func(r *routed) {
		time.AfterFunc(time.Second, r.stop)
		c := newCall("a")
		_, err := r.Do(r.Context(), &c)
		if again, ok := errors.AsType[*resendError](err); !ok || again.sent {
			r.Errorf("got %#v", err)
		}
	})
}

// What is known of a page that does not come is in the error and in health, at
// the hub and at its peers.
func TestRouterSaysWhyNoPageComes(t *testing.T) {
	opt := Options{NoPage: func() (string, string) { return "The headless browser does not work.", "Install one." }}
	withHub(t, opt, func(r *rig) {
		var told pagesParams
		h, err := proveHolder(r.Context(), r.hub.opt.Gate, r.dialPort)
		if err != nil {
			t.Fatal(err)
		}
		n := NewNode(r.hub.opt)
		n.opt.NoPage = func() (string, string) { return "", "" }
		peer, err := joinHub(r.Context(), r.Context(), r.hub.opt, "peer", h, func(p *hubConn, pages pagesParams) {
			told = pages
			n.setPages(p, pages)
		})
		if err != nil {
			t.Fatal(err)
		}
		n.peer, n.up = peer, peer
		synctest.Wait()
		if told.Reconnect == nil || n.Status().Reconnect.Reason != "The headless browser does not work." {
			t.Errorf("the peer's health says %+v", n.Status().Reconnect)
		}
		if got := r.hub.Status().Reconnect.Reason; got != "The headless browser does not work." {
			t.Errorf("health says %q", got)
		}
		for name, n := range map[string]*Node{"hub": r.node, "peer": n} {
			c := newCall(name)
			_, err := n.Call(r.Context(), &c)
			if lost, ok := errors.AsType[*LostError](err); !ok || lost.Advice != "Install one." || lost.Reason != "no page is connected. The headless browser does not work." {
				t.Errorf("%s: %#v", name, err)
			}
		}
	})
}

// A hub tells its pages before a peer has joined it in full. Calls of that moment
// count for their graph already.
func TestGraphIsKnownBeforeTheHubIsJoined(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		r.page("s1", "repo", echo)
		h, err := proveHolder(r.Context(), r.hub.opt.Gate, r.dialPort)
		if err != nil {
			t.Fatal(err)
		}
		n := NewNode(r.hub.opt)
		if _, err := joinHub(r.Context(), r.Context(), r.hub.opt, "peer", h, n.setPages); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		c := newCall("a")
		if got := n.graph(&c); got != "repo" {
			t.Errorf("got %q", got)
		}
	})
}
