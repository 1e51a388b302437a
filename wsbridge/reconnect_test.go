package wsbridge

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
)

// A page that comes back before anybody has noticed that it was gone has no
// link that takes calls, until it says what it has loaded.
func TestCallWaitsForAPageThatTakesItsOwnPlace(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		r.page("s1", "repo", nil)
		time.Sleep(time.Minute) // the grace of the start is over
		again := r.connect(&fakePage{answer: echo})
		again.hello("s1")
		synctest.Wait()
		done := r.call(r.Context(), newCall("a"))
		synctest.Wait()
		time.Sleep(time.Second)
		again.send(encode("", methodContext, contextParams{Context: &GraphContext{Repo: "repo", State: "ready"}}))
		if o := <-done; o.err != nil {
			t.Errorf("got %v", o.err)
		}
	})
}

// A page that has just connected is about to say what it holds: a call waits for that
// as it does for a page that has just dropped, and no longer.
func TestCallWaitsForAPageThatHasJustConnected(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		r.hub.router.refuse(&DeniedError{Reason: "not paired"}) // before the user paired it
		time.Sleep(time.Minute)                                 // the grace of the start is over
		p := r.connect(&fakePage{answer: echo})
		p.hello("s1")
		synctest.Wait()
		done := r.call(r.Context(), newCall("a"))
		time.Sleep(DefaultGrace - time.Millisecond)
		p.send(encode("", methodContext, contextParams{Context: &GraphContext{Repo: "repo", State: "ready"}}))
		if o := <-done; o.err != nil {
			t.Errorf("got %v", o.err)
		}
	})
	withHub(t, Options{}, func(r *rig) {
		time.Sleep(time.Minute)
		p := r.connect(&fakePage{answer: echo})
		p.hello("s1")
		synctest.Wait()
		began := time.Now()
		o := <-r.call(r.Context(), newCall("a"))
		if _, ok := errors.AsType[*LostError](o.err); !ok || time.Since(began) != DefaultGrace {
			t.Errorf("%v after %v", o.err, time.Since(began))
		}
	})
}

// That another page, with another graph, is there does not take the grace away.
func TestCallWaitsForItsPageThoughAnotherIsThere(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		one := r.page("s1", "one", nil)
		r.page("s2", "two", echo)
		time.Sleep(time.Minute)
		c := newCall("a")
		c.Repo = "one"
		done := r.call(r.Context(), c)
		one.next(methodCall)
		one.drop()
		time.Sleep(2 * time.Second)
		one = r.page("s1", "one", echo)
		if o := <-done; o.err != nil {
			t.Errorf("its page came back within the grace: %v", o.err)
		}
		one.drop()

		c.ID, c.Repo, c.ReadOnly = "b", "", false
		two := r.page("s2", "two", nil)
		done = r.call(r.Context(), c)
		two.next(methodCall)
		r.page("s3", "two", echo) // must not get it: it would run twice
		start := time.Now()
		two.drop()
		o := <-done
		lost, ok := errors.AsType[*LostError](o.err)
		if !ok || lost.NeverConnected || !lost.Sent || !strings.Contains(lost.Reason, "dropped") || lost.RetryAfter <= 0 {
			t.Errorf("got %#v", o.err)
		}
		if took := time.Since(start); took != DefaultGrace {
			t.Errorf("waited %v", took)
		}
	})
}

// Closing a link takes as long as saying goodbye may. Meanwhile no call goes to
// it again and again.
func TestCallDoesNotGoToALinkThatIsEnding(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		r.page("s1", "repo", nil)
		s := r.firstPage()
		// The link has ended, and its handler has not yet returned.
		s.end(errors.New("broken"))
		c := newCall("a")
		c.Trace = new(Trace)
		done := r.call(r.Context(), c)
		r.page("s1", "repo", echo)
		if o := <-done; o.err != nil {
			t.Fatal(o.err)
		}
		if c.Trace.Attempt > 2 {
			t.Errorf("the call was tried %d times", c.Trace.Attempt)
		}
	})
}

// A page that has taken a large call and reads no more must not hold up the
// next call past its deadline.
func TestCallEndsInTimeWhenThePageStopsReading(t *testing.T) {
	withHub(t, Options{Heartbeat: time.Hour}, func(r *rig) {
		conn := r.dialProven(rolePage)
		conn.SetReadLimit(-1)
		defer func() { _ = conn.CloseNow() }()
		for _, frame := range [][]byte{
			encode("hello", methodHello, helloParams{Role: rolePage, Version: "test", Session: "s1"}),
			encode("", methodContext, contextParams{Context: &GraphContext{Repo: "repo", State: "ready"}}),
		} {
			if err := conn.Write(r.Context(), websocket.MessageText, frame); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 { // the hello's answer, the agents
			if _, _, err := conn.Read(r.Context()); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		large := newCall("large")
		large.Arguments = json.RawMessage(`{"query":"` + strings.Repeat("x", 1<<20) + `"}`)
		ctx, cancel := context.WithTimeout(r.Context(), time.Minute)
		defer cancel()
		_ = r.call(ctx, large)
		if _, _, err := conn.Read(r.Context()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()

		ctx, cancel = context.WithTimeout(r.Context(), time.Second)
		defer cancel()
		start := time.Now()
		o := <-r.call(ctx, newCall("next"))
		if took := time.Since(start); took != time.Second || !errors.Is(o.err, context.DeadlineExceeded) {
			t.Errorf("ended after %v with %v", took, o.err)
		}
	})
}

// A graph whose page is briefly away is waited for, though other pages are there,
// and then missed by its name. One that never was, or is gone for good, is unknown.
func TestNamedGraphThatIsAway(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		one := r.page("s1", "one", echo)
		r.page("s2", "two", echo)
		time.Sleep(time.Minute)
		ask := func(repo string) error {
			c := newCall("ask-" + repo)
			c.Repo = repo
			return (<-r.call(r.Context(), c)).err
		}
		one.drop()
		done := r.call(r.Context(), func() Call { c := newCall("waits"); c.Repo = "one"; return c }())
		time.Sleep(2 * time.Second)
		one = r.page("s1", "one", echo)
		if o := <-done; o.err != nil {
			t.Errorf("its page came back within the grace: %v", o.err)
		}
		one.drop()
		began := time.Now()
		lost, ok := errors.AsType[*LostError](ask("one"))
		if !ok || lost.NeverConnected || !strings.Contains(lost.Reason, "the graph one dropped 3s ago") || time.Since(began) != DefaultGrace {
			t.Errorf("after %v: %#v", time.Since(began), lost)
		}
		if err := ask("two"); err != nil {
			t.Errorf("the other graph: %v", err)
		}
		for _, repo := range []string{"three", "one"} {
			if unknown, ok := errors.AsType[*UnknownRepoError](ask(repo)); !ok || len(unknown.Known) != 1 {
				t.Errorf("%s: %#v", repo, unknown)
			}
			time.Sleep(243500 * time.Millisecond) // the whole schedule
		}
	})
}

// A page that goes while it indexes may have run out of memory: that is said, and
// not of one that had its graph.
func TestGoneWhileIndexing(t *testing.T) {
	for state, said := range map[string]bool{"indexing": true, "ready": false} {
		withHub(t, Options{}, func(r *rig) {
			p := r.connect(&fakePage{})
			p.hello("s1")
			p.send(encode("", methodContext, contextParams{Context: &GraphContext{Repo: "repo", State: state}}))
			synctest.Wait()
			p.drop()
			lost, ok := errors.AsType[*LostError]((<-r.call(r.Context(), newCall("a"))).err)
			if !ok || strings.Contains(lost.Reason, "while it was indexing") != said || strings.Contains(lost.Advice, "too large for a tab's memory") != said {
				t.Errorf("%s: got %#v", state, lost)
			}
		})
	}
}

// A page whose tab the browser has frozen is named as that.
func TestFrozenTab(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		p := r.connect(&fakePage{mute: true})
		p.hello("s1")
		p.send(encode("", methodContext, contextParams{Context: &GraphContext{Repo: "repo", State: "ready"}}))
		synctest.Wait()
		began := time.Now()
		lost, ok := errors.AsType[*LostError]((<-r.call(r.Context(), newCall("a"))).err)
		if !ok || !strings.Contains(lost.Reason, "tab of the page is frozen") || !strings.Contains(lost.Advice, "front") || !lost.Sent {
			t.Errorf("got %#v", lost)
		}
		if took := time.Since(began); took > 3*DefaultHeartbeat+DefaultGrace {
			t.Errorf("that took %v", took)
		}
		r.page("s1", "repo", echo)
		if o := <-r.call(r.Context(), newCall("b")); o.err != nil {
			t.Errorf("once it is back: %v", o.err)
		}
	})
}
