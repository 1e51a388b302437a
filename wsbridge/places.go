package wsbridge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/gitnexus/gitnexus-mcp/coro"
)

// Defaults of Options.
const (
	DefaultMaxInflight = 64
	DefaultMaxQueue    = 1024
)

// caller is one process whose agent makes calls, as the hub knows it: a peer,
// or the hub itself. What waits is counted here, whatever it waits for.
type caller struct {
	mu      sync.Mutex
	waiting int // calls
	bytes   int // of their arguments
}

// turn is one call's wait, and counts among what its caller has waiting. It is
// used by the call's goroutine alone.
type turn struct {
	from     *caller
	coro     *coro.Coro
	bytes    int
	maxCalls int
	maxBytes int64
	counted  bool
	// sent: the call was sent once, so it may have run, and is not refused any more.
	sent bool
}

// begin counts the call as waiting, until end, or refuses it with an
// *OverloadedError. It may be called again.
func (t *turn) begin() error {
	if t.counted {
		return nil
	}
	t.from.mu.Lock()
	defer t.from.mu.Unlock()
	if !t.sent {
		refuse := func(reason string) error {
			return &OverloadedError{RetryAfter: time.Second, Limit: t.maxCalls, Reason: reason}
		}
		if t.from.waiting >= t.maxCalls {
			return refuse(fmt.Sprintf("%d calls of this agent are waiting already", t.from.waiting))
		}
		if t.from.waiting > 0 && int64(t.from.bytes+t.bytes) > t.maxBytes {
			return refuse(fmt.Sprintf("the arguments of this agent's waiting calls have %d bytes already", t.from.bytes))
		}
	}
	t.counted = true
	t.from.waiting++
	t.from.bytes += t.bytes
	return nil
}

func (t *turn) end() {
	if !t.counted {
		return
	}
	t.counted = false
	t.from.mu.Lock()
	t.from.waiting--
	t.from.bytes -= t.bytes
	t.from.mu.Unlock()
}

// places are the calls that may be under way at one page at once. Callers take
// turns for them, so that one with many calls does not hold up another's single
// one. An eighth is out of reach for any one caller, and is there at once for
// the next; half is out of reach for heavy tools, so that quick ones have a way
// past a query that hangs.
//
// A place is held until the call is answered, cancelled or late. So a page
// whose engine hangs gives its places back as its calls run into their time
// limits; those that wait for one run into theirs, and other pages have places
// of their own.
type places struct {
	// Set once.
	all, heavy quota

	mu     sync.Mutex
	taken  load
	shares map[*caller]*share // of the callers that have or want a place
	ring   []*share           // of those that want one: the next to be served first
	closed bool
}

// quota is a number of places, and how many of them one caller may have.
type quota struct{ total, each int }

// load counts places, and those of heavy tools among them.
type load struct{ all, heavy int }

// share is one caller's part of a page's places.
type share struct {
	from  *caller
	taken load
	// What waits, in order. The two classes take turns, and none holds up the other.
	quick, heavy []*place
	heavyNext    bool
}

// place is one call's place at a page, or its wait for one.
type place struct {
	page  *places
	share *share
	heavy bool
	given chan struct{} // closed when a wait is over; nil when there was none
}

var errPageGone = errors.New("the page's link has ended")

func newPlaces(total int) *places {
	heavy := (total + 1) / 2
	return &places{
		all:    quota{total, total - total/8},
		heavy:  quota{heavy, heavy - heavy/8},
		shares: make(map[*caller]*share),
	}
}

// enter takes a place, waiting for it as t until gone is closed
// (errPageGone) or ctx ends (its cause). A call that was sent before goes before
// its caller's others: the page has it, and may have its answer.
func (p *places) enter(ctx context.Context, gone <-chan struct{}, t *turn, heavy bool) (*place, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		t.coro.Detach()
		select {
		case <-gone:
			return nil, errPageGone
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	s := p.shares[t.from]
	if s == nil {
		s = &share{from: t.from}
		p.shares[t.from] = s
	}
	c := &place{page: p, share: s, heavy: heavy}
	if p.free(s, heavy) { // then nobody waits who could have it
		p.give(c)
		p.mu.Unlock()
		t.end()
		return c, nil
	}
	if err := t.begin(); err != nil {
		p.tidy(s)
		p.mu.Unlock()
		return nil, err
	}
	c.given = make(chan struct{})
	p.queue(c, t.sent)
	p.mu.Unlock()
	t.coro.Detach()
	select {
	case <-c.given:
		t.end()
		return c, nil
	case <-gone:
		c.leave()
		return nil, errPageGone
	case <-ctx.Done():
		c.leave()
		return nil, context.Cause(ctx)
	}
}

// leave gives the place back, or ends the wait for it. It is called once.
func (c *place) leave() {
	if c == nil {
		return
	}
	p, s := c.page, c.share
	p.mu.Lock()
	defer p.mu.Unlock()
	queue := s.of(c.heavy)
	if i := slices.Index(*queue, c); i >= 0 {
		*queue = slices.Delete(*queue, i, i+1)
		if !s.waits() {
			p.ring = slices.DeleteFunc(p.ring, func(other *share) bool { return other == s })
		}
		p.tidy(s)
		return
	}
	p.count(s, c.heavy, -1)
	p.tidy(s)
	p.serve()
}

// close ends the page's giving of places. Those that wait are told by their gone.
func (p *places) close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
}

// waiting is the number of calls that wait for a place.
func (p *places) waiting() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for _, s := range p.ring {
		n += len(s.quick) + len(s.heavy)
	}
	return n
}

// What follows must be called with mu held.

// serve gives free places to those that wait, one caller after the other.
func (p *places) serve() {
	for passed := 0; passed < len(p.ring) && !p.closed; {
		s := p.ring[0]
		p.ring = append(slices.Delete(p.ring, 0, 1), s)
		class := s.heavyNext
		if len(*s.of(class)) == 0 || !p.free(s, class) {
			class = !class
		}
		queue := s.of(class)
		if len(*queue) == 0 || !p.free(s, class) {
			passed++
			continue
		}
		passed = 0
		c := (*queue)[0]
		*queue = slices.Delete(*queue, 0, 1)
		s.heavyNext = !class
		p.give(c)
		close(c.given)
		if !s.waits() {
			p.ring = p.ring[:len(p.ring)-1]
		}
	}
}

// free tells whether s may have one more place.
func (p *places) free(s *share, heavy bool) bool {
	return p.taken.all < p.all.total && s.taken.all < p.all.each &&
		(!heavy || p.taken.heavy < p.heavy.total && s.taken.heavy < p.heavy.each)
}

func (p *places) give(c *place) { p.count(c.share, c.heavy, 1) }

func (p *places) count(s *share, heavy bool, n int) {
	for _, l := range []*load{&p.taken, &s.taken} {
		l.all += n
		if heavy {
			l.heavy += n
		}
	}
}

func (p *places) queue(c *place, first bool) {
	s := c.share
	if !s.waits() {
		p.ring = append(p.ring, s)
	}
	queue := s.of(c.heavy)
	if first {
		*queue = slices.Insert(*queue, 0, c)
	} else {
		*queue = append(*queue, c)
	}
}

// tidy forgets a caller that neither has nor wants a place.
func (p *places) tidy(s *share) {
	if s.taken.all == 0 && !s.waits() {
		delete(p.shares, s.from)
	}
}

func (s *share) of(heavy bool) *[]*place {
	if heavy {
		return &s.heavy
	}
	return &s.quick
}

func (s *share) waits() bool { return len(s.quick)+len(s.heavy) > 0 }
