package wsbridge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Defaults of Options.
const (
	DefaultMaxInflight = 64
	DefaultMaxQueue    = 1024
)

// client is one process whose agent makes calls, as the hub knows it: a peer, or
// the hub itself. It counts the calls that wait, for a page or for a slot.
type client struct {
	mu      sync.Mutex
	waiting int // calls
	bytes   int // of their arguments
}

// waiting is one call's entry among its client's waiting calls. It is used by
// the call's goroutine alone.
type waiting struct {
	client   *client
	bytes    int
	maxCalls int
	maxBytes int64
	resent   bool // the call was accepted before, so it is not refused any more
	counted  bool
}

// begin counts the call as waiting until end, or refuses it with an
// *OverloadedError. It does nothing when the call is counted already.
func (w *waiting) begin() error {
	if w.counted {
		return nil
	}
	w.client.mu.Lock()
	defer w.client.mu.Unlock()
	if !w.resent {
		refuse := func(reason string) error {
			return &OverloadedError{RetryAfter: time.Second, Limit: w.maxCalls, Reason: reason}
		}
		if w.client.waiting >= w.maxCalls {
			return refuse(fmt.Sprintf("%d calls of this agent are waiting already", w.client.waiting))
		}
		if w.client.waiting > 0 && int64(w.client.bytes+w.bytes) > w.maxBytes {
			return refuse(fmt.Sprintf("the arguments of this agent's waiting calls have %d bytes already", w.client.bytes))
		}
	}
	w.counted = true
	w.client.waiting++
	w.client.bytes += w.bytes
	return nil
}

func (w *waiting) end() {
	if !w.counted {
		return
	}
	w.counted = false
	w.client.mu.Lock()
	w.client.waiting--
	w.client.bytes -= w.bytes
	w.client.mu.Unlock()
}

// slots bounds the calls that are in flight at one page, fairly: clients are
// served round robin, so one with many calls does not delay another's single
// call. One client cannot take the last eighth of the slots, which is there at
// once for the next client; heavy tools cannot take more than half, so quick
// ones have a way past a query that hangs.
//
// A slot is held until its call is answered, cancelled or late. A page whose
// engine hangs frees its slots as its calls run into their deadlines; other
// pages have slots of their own.
type slots struct {
	// Set once.
	all, heavy quota

	mu      sync.Mutex
	used    load
	shares  map[*client]*share // of the clients that hold or want a slot
	waiters []*share           // of those that want one, the next to be served first
	closed  bool
}

// quota is a number of slots, and how many of them one client may hold.
type quota struct{ total, each int }

// load counts slots in use, and those of heavy tools among them.
type load struct{ all, heavy int }

// share is one client's part of a page's slots.
type share struct {
	client *client
	used   load
	// What waits, in order. The two classes alternate, and neither blocks the other.
	quick, heavy []*slot
	heavyNext    bool
}

// slot is one call's slot at a page, or its wait for one.
type slot struct {
	slots   *slots
	share   *share
	heavy   bool
	granted chan struct{} // closed when a wait is over; nil when there was none
}

// errPageGone says that the page's connection ended before the call was sent.
var errPageGone = errors.New("the page's connection has ended")

func newSlots(total int) *slots {
	heavy := (total + 1) / 2
	return &slots{
		all:    quota{total, total - total/8},
		heavy:  quota{heavy, heavy - heavy/8},
		shares: make(map[*client]*share),
	}
}

// acquire takes a slot, waiting for it until gone is closed (errPageGone) or ctx
// ends (its cause). A call that is sent again goes before its client's others:
// the page has it, and may have its answer.
func (s *slots) acquire(ctx context.Context, gone <-chan struct{}, w *waiting, heavy bool) (*slot, error) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		select {
		case <-gone:
			return nil, errPageGone
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	sh := s.shares[w.client]
	if sh == nil {
		sh = &share{client: w.client}
		s.shares[w.client] = sh
	}
	call := &slot{slots: s, share: sh, heavy: heavy}
	if s.free(sh, heavy) { // then nobody waits who could have it
		s.count(sh, heavy, 1)
		s.mu.Unlock()
		w.end()
		return call, nil
	}
	if err := w.begin(); err != nil {
		s.tidy(sh)
		s.mu.Unlock()
		return nil, err
	}
	call.granted = make(chan struct{})
	s.enqueue(call, w.resent)
	s.mu.Unlock()
	select {
	case <-call.granted:
		w.end()
		return call, nil
	case <-gone:
		call.release()
		return nil, errPageGone
	case <-ctx.Done():
		call.release()
		return nil, context.Cause(ctx)
	}
}

// release gives the slot back, or ends the wait for it. It is called once.
func (c *slot) release() {
	s, sh := c.slots, c.share
	s.mu.Lock()
	defer s.mu.Unlock()
	queue := sh.queue(c.heavy)
	if i := slices.Index(*queue, c); i >= 0 {
		*queue = slices.Delete(*queue, i, i+1)
		if !sh.waits() {
			s.waiters = slices.DeleteFunc(s.waiters, func(other *share) bool { return other == sh })
		}
		s.tidy(sh)
		return
	}
	s.count(sh, c.heavy, -1)
	s.tidy(sh)
	s.grant()
}

// close grants no more slots. Those that wait are told by their gone channel.
func (s *slots) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
}

// counts returns the calls in flight and those that wait for a slot.
func (s *slots) counts() (inFlight, waiting int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sh := range s.waiters {
		waiting += len(sh.quick) + len(sh.heavy)
	}
	return s.used.all, waiting
}

// The methods below must be called with mu held.

// grant gives free slots to the calls that wait, one client after the other.
func (s *slots) grant() {
	for passed := 0; passed < len(s.waiters) && !s.closed; {
		sh := s.waiters[0]
		s.waiters = append(slices.Delete(s.waiters, 0, 1), sh)
		heavy := sh.heavyNext
		if len(*sh.queue(heavy)) == 0 || !s.free(sh, heavy) {
			heavy = !heavy
		}
		queue := sh.queue(heavy)
		if len(*queue) == 0 || !s.free(sh, heavy) {
			passed++
			continue
		}
		passed = 0
		call := (*queue)[0]
		*queue = slices.Delete(*queue, 0, 1)
		sh.heavyNext = !heavy
		s.count(sh, heavy, 1)
		close(call.granted)
		if !sh.waits() {
			s.waiters = s.waiters[:len(s.waiters)-1]
		}
	}
}

// free reports whether sh may have one more slot.
func (s *slots) free(sh *share, heavy bool) bool {
	return s.used.all < s.all.total && sh.used.all < s.all.each &&
		(!heavy || s.used.heavy < s.heavy.total && sh.used.heavy < s.heavy.each)
}

func (s *slots) count(sh *share, heavy bool, n int) {
	for _, l := range []*load{&s.used, &sh.used} {
		l.all += n
		if heavy {
			l.heavy += n
		}
	}
}

func (s *slots) enqueue(call *slot, first bool) {
	sh := call.share
	if !sh.waits() {
		s.waiters = append(s.waiters, sh)
	}
	queue := sh.queue(call.heavy)
	if first {
		*queue = slices.Insert(*queue, 0, call)
	} else {
		*queue = append(*queue, call)
	}
}

// tidy forgets a client that neither holds nor wants a slot.
func (s *slots) tidy(sh *share) {
	if sh.used.all == 0 && !sh.waits() {
		delete(s.shares, sh.client)
	}
}

func (sh *share) queue(heavy bool) *[]*slot {
	if heavy {
		return &sh.heavy
	}
	return &sh.quick
}

func (sh *share) waits() bool { return len(sh.quick)+len(sh.heavy) > 0 }
