package wsbridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// arrived takes the ids of the calls that have reached the page.
func (p *fakePage) arrived() []string {
	synctest.Wait()
	var ids []string
	for len(p.frames) > 0 {
		if f := <-p.frames; f.Method == methodCall {
			ids = append(ids, idOf(f))
		}
	}
	return ids
}

// callFrom makes calls of one process: id-0, id-1, and so on.
func (r *rig) callFrom(from *client, id string, n int, heavy bool) []<-chan callOutcome {
	var all []<-chan callOutcome
	for i := range n {
		c := newCall(fmt.Sprintf("%s-%d", id, i))
		c.client, c.Heavy = from, heavy
		all = append(all, r.call(r.Context(), c))
		synctest.Wait() // in this order
	}
	return all
}

func count(ids []string, agent string) (n int) {
	for _, id := range ids {
		if id[:len(agent)] == agent {
			n++
		}
	}
	return n
}

// One caller cannot take all places, so another's call goes at once; and when
// several have taken all, the next caller waits for no more answers than there
// are callers.
func TestFairness(t *testing.T) {
	withHub(t, Options{MaxInflight: 16}, func(r *rig) {
		page := r.page("s1", "repo", nil)
		a, b, c, d := new(client), new(client), new(client), new(client)
		floodA := r.callFrom(a, "a", 200, false)
		waiting := page.arrived()
		if len(waiting) != 14 {
			t.Fatalf("a flood has %d calls at the page, want 14 of 16", len(waiting))
		}
		r.callFrom(b, "b", 1, false)
		if got := page.arrived(); count(got, "b") != 1 {
			t.Fatalf("another caller's call waits behind a flood: %v arrived", got)
		}
		r.callFrom(c, "c", 100, false)
		if got := page.arrived(); len(got) != 1 || count(got, "c") != 1 { // the last place
			t.Fatalf("got %v", got)
		}
		r.callFrom(d, "d", 1, false)
		answers := 0
		for came := 0; came == 0; answers++ {
			if answers == 3 {
				t.Fatal("three callers, and three answers do not bring the third its turn")
			}
			page.result(waiting[answers], 1)
			came = count(page.arrived(), "d")
		}
		// From here on a and c take turns.
		turns := ""
		for _, id := range waiting[answers:] {
			page.result(id, 1)
			for _, came := range page.arrived() {
				turns += came[:1]
			}
		}
		if len(turns) < 10 {
			t.Errorf("turns %q", turns)
		}
		for i := 1; i < len(turns); i++ {
			if turns[i] == turns[i-1] {
				t.Errorf("one had two turns in a row: %q", turns)
				break
			}
		}
		if o := <-floodA[0]; o.err != nil {
			t.Error(o.err)
		}
	})
}

// Heavy calls leave room for quick ones, and one caller's for another's.
func TestHeavyCallsDoNotStarveQuickOnes(t *testing.T) {
	withHub(t, Options{MaxInflight: 32}, func(r *rig) {
		page := r.page("s1", "repo", nil)
		a, b := new(client), new(client)
		r.callFrom(a, "heavy", 50, true)
		first := page.arrived()
		if len(first) != 14 {
			t.Errorf("%d heavy calls of one caller are at the page, want 14 of 16", len(first))
		}
		r.callFrom(a, "quick", 1, false)
		r.callFrom(b, "other", 3, true)
		if got := page.arrived(); count(got, "quick") != 1 || count(got, "other") != 2 {
			t.Errorf("beside many heavy calls %v arrived", got)
		}
		page.result(first[0], 1)
		if got := page.arrived(); len(got) != 1 { // of either
			t.Errorf("an answer made room for %v", got)
		}
	})
}

func TestExactBounds(t *testing.T) {
	withHub(t, Options{MaxInflight: 4, MaxQueue: 3}, func(r *rig) {
		page := r.page("s1", "repo", nil)
		own := r.callFrom(nil, "own", 7, false)
		first := page.arrived()
		if len(first) != 4 {
			t.Fatalf("%d calls at the page, want 4", len(first))
		}
		refused := func(done <-chan callOutcome) {
			t.Helper()
			synctest.Wait()
			select {
			case o := <-done:
				if e, ok := errors.AsType[*OverloadedError](o.err); !ok || e.Limit != 3 || e.RetryAfter <= 0 || e.Reason == "" {
					t.Errorf("got %v, %#v", o.err, e)
				}
			default:
				t.Error("a call too many was not refused at once")
			}
		}
		refused(r.callFrom(nil, "over", 1, false)[0])
		// Another caller has a queue of its own.
		other := r.callFrom(new(client), "other", 3, false)
		// One answer makes room for exactly one.
		page.result(first[0], 1)
		synctest.Wait()
		own = append(own, r.callFrom(nil, "again", 1, false)[0])
		refused(r.callFrom(nil, "over", 1, false)[0])
		for _, id := range first[1:] {
			page.result(id, 1)
		}
		for range len(own) + len(other) {
			for _, id := range page.arrived() {
				page.result(id, 1)
			}
		}
		for _, done := range append(own, other...) {
			if o := <-done; o.err != nil {
				t.Errorf("a call that was taken got %v", o.err)
			}
		}
		if p := r.hub.Status().Pages[0]; p.Calls != 0 || p.Waiting != 0 {
			t.Errorf("left behind: %+v", p)
		}
	})
}

// A call that waits for a page waits too.
func TestQueueBeforeThereIsAPage(t *testing.T) {
	withHub(t, Options{MaxQueue: 2}, func(r *rig) {
		first := r.callFrom(nil, "a", 2, false)
		if _, ok := errors.AsType[*OverloadedError]((<-r.callFrom(nil, "b", 1, false)[0]).err); !ok {
			t.Error("not refused")
		}
		r.page("s1", "repo", echo)
		for _, done := range first {
			if o := <-done; o.err != nil {
				t.Error(o.err)
			}
		}
		big := newCall("big")
		big.Arguments = make(json.RawMessage, 65<<20)
		r.hub.router.own.bytes, r.hub.router.own.waiting = 1, 1 // one waits already
		w := waiting{client: r.hub.router.own, bytes: len(big.Arguments), maxCalls: 2, maxBytes: 64 << 20}
		if _, ok := errors.AsType[*OverloadedError](w.begin()); !ok {
			t.Error("arguments that are too large together were not refused")
		}
	})
}

// A page whose engine hangs: what is under way and what waits ends by its own
// time, the wait counting, and the other page is not affected.
func TestHungEngineHoldsNobodyForEver(t *testing.T) {
	withHub(t, Options{MaxInflight: 4}, func(r *rig) {
		hung := r.page("s1", "hung", nil)
		r.page("s2", "well", echo)
		hung.send(encode("", methodFront, nil))
		synctest.Wait()
		began := time.Now()
		late := func(id string, after time.Duration) (<-chan callOutcome, *Trace) {
			c := newCall(id)
			c.Repo, c.Trace = "hung", new(Trace)
			ctx, cancel := context.WithTimeout(r.Context(), after)
			context.AfterFunc(ctx, cancel)
			return r.call(ctx, c), c.Trace
		}
		var all []<-chan callOutcome
		for i := range 10 {
			after := 60 * time.Second
			if i >= 4 {
				after -= time.Second // what waits ends before places are free, which it would get
			}
			done, _ := late(fmt.Sprint("a-", i), after)
			all = append(all, done)
			synctest.Wait()
		}
		if got := hung.arrived(); len(got) != 4 {
			t.Fatalf("%v arrived", got)
		}
		time.Sleep(20 * time.Second)
		waited, trace := late("patient", 60*time.Second)
		c := newCall("other")
		c.Repo = "well"
		if o := <-r.call(r.Context(), c); o.err != nil || time.Since(began) != 20*time.Second {
			t.Errorf("the other page was affected: %v after %v", o.err, time.Since(began))
		}
		for _, done := range all {
			if o := <-done; !errors.Is(o.err, context.DeadlineExceeded) {
				t.Errorf("got %v", o.err)
			}
		}
		if took := time.Since(began); took != 60*time.Second {
			t.Errorf("they ended after %v", took)
		}
		// Their places are free, and the patient one has one, with 20 s left.
		hung.next(methodCancel)
		if got := hung.arrived(); !slices.Equal(got, []string{"patient"}) {
			t.Fatalf("%v arrived", got)
		}
		hung.result("patient", 1)
		if o := <-waited; o.err != nil || trace.WaitMS != 40_000 || trace.Attempt != 1 {
			t.Errorf("got %v, %+v", o.err, trace)
		}
	})
}

func TestCancelledCallLeavesTheQueueAtOnce(t *testing.T) {
	withHub(t, Options{MaxInflight: 1, MaxQueue: 1}, func(r *rig) {
		page := r.page("s1", "repo", nil)
		ctx, cancel := context.WithCancel(r.Context())
		first := r.call(ctx, newCall("first"))
		synctest.Wait()
		ctx2, cancel2 := context.WithCancel(r.Context())
		second := r.call(ctx2, newCall("second"))
		synctest.Wait()
		cancel2()
		if o := <-second; !errors.Is(o.err, context.Canceled) {
			t.Errorf("got %v", o.err)
		}
		third := r.call(r.Context(), newCall("third"))
		synctest.Wait()
		cancel() // and a cancel of what runs does not wait behind the queue
		<-first
		for _, want := range []struct{ method, id string }{{methodCall, "first"}, {methodCancel, ""}, {methodCall, "third"}} {
			if f := page.next(want.method); idOf(f) != want.id { // in this order
				t.Errorf("the page got %s %s", f.Method, f.ID)
			}
		}
		page.result("third", 1)
		if o := <-third; o.err != nil {
			t.Error(o.err)
		}
	})
}

// Calls at a page and calls that wait for it survive its drop, and what the page
// has had comes first.
func TestQueueSurvivesADrop(t *testing.T) {
	withHub(t, Options{MaxInflight: 4, MaxQueue: 6}, func(r *rig) {
		page := r.page("s1", "repo", nil)
		all := r.callFrom(nil, "a", 10, false)
		first := page.arrived()
		page.drop()
		page = r.page("s1", "repo", nil)
		var order []string
		for len(order) < 10 {
			got := page.arrived()
			if len(got) == 0 {
				t.Fatalf("only %v were sent again", order)
			}
			for _, id := range got {
				page.result(id, 1)
			}
			order = append(order, got...)
		}
		seen := make(map[string]bool)
		for _, id := range order {
			if seen[id] {
				t.Errorf("%s was sent twice over one link", id)
			}
			seen[id] = true
		}
		for _, id := range first {
			if !seen[id] {
				t.Errorf("%s was not sent again", id)
			}
		}
		for i, done := range all {
			if o := <-done; o.err != nil {
				t.Errorf("call %d got %v", i, o.err)
			}
		}
	})
}

// A call that comes back by a new link of its peer, before the hub has noticed
// the end of the old one, leaks no slot.
func TestSameIDTwiceTakesOneSlot(t *testing.T) {
	withHub(t, Options{MaxInflight: 2}, func(r *rig) {
		page := r.page("s1", "repo", nil)
		ctx, drop := context.WithCancelCause(r.Context())
		c := newCall("a")
		c.client = new(client)
		r.call(ctx, c)
		synctest.Wait()
		again := newCall("a")
		again.client = new(client)
		done := r.call(r.Context(), again)
		synctest.Wait()
		drop(errPeerGone)
		synctest.Wait()
		page.result("a", 1)
		if o := <-done; o.err != nil {
			t.Error(o.err)
		}
		r.callFrom(nil, "b", 2, false)
		if got := page.arrived(); count(got, "b") != 2 {
			t.Errorf("a slot was lost: only %v arrived", got)
		}
	})
}

// Whatever comes and goes, nobody has more than the quotas, nobody waits for a
// free slot, and nothing stays behind.
func TestSlotsHoldTheirQuotas(t *testing.T) {
	for seed := range uint64(30) {
		synctest.Test(t, func(t *testing.T) {
			dice := rand.New(rand.NewPCG(seed, 1))
			p := newSlots(1 + dice.IntN(20))
			callers := make([]client, 1+dice.IntN(5))
			var all sync.WaitGroup
			gone := make(chan struct{})
			for range 200 {
				from, heavy := &callers[dice.IntN(len(callers))], dice.IntN(3) == 0
				pause, hold, patience := dice.IntN(50), dice.IntN(40), 1+dice.IntN(60)
				all.Go(func() {
					time.Sleep(time.Duration(pause) * time.Millisecond)
					ctx, cancel := context.WithTimeout(t.Context(), time.Duration(patience)*time.Millisecond)
					defer cancel()
					w := waiting{client: from, maxCalls: 1000}
					defer w.end()
					at, err := p.acquire(ctx, gone, &w, heavy)
					if err != nil {
						return
					}
					time.Sleep(time.Duration(hold) * time.Millisecond)
					at.release()
				})
			}
			check := func() {
				p.mu.Lock()
				defer p.mu.Unlock()
				var sum load
				for _, s := range p.shares {
					sum.all += s.used.all
					sum.heavy += s.used.heavy
					if s.used.all > p.all.each || s.used.heavy > p.heavy.each {
						t.Errorf("seed %d: one caller has %+v of %+v", seed, s.used, p.all)
					}
					if len(s.quick) > 0 && p.free(s, false) || len(s.heavy) > 0 && p.free(s, true) {
						t.Errorf("seed %d: a call waits though a slot is free", seed)
					}
				}
				if sum != p.used || sum.all > p.all.total || sum.heavy > p.heavy.total {
					t.Errorf("seed %d: %+v in use, %+v by callers, of %+v", seed, p.used, sum, p.all)
				}
			}
			for range 120 {
				time.Sleep(time.Millisecond)
				synctest.Wait()
				check()
			}
			all.Wait()
			if len(p.shares) != 0 || len(p.waiters) != 0 || p.used != (load{}) {
				t.Errorf("seed %d: left behind %+v", seed, p)
			}
			for i := range callers {
				if callers[i].waiting != 0 {
					t.Errorf("seed %d: %d calls still count as waiting", seed, callers[i].waiting)
				}
			}
		})
	}
}
