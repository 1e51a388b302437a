package wsbridge

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/gitnexus/gitnexus-mcp/coro"
)

// Call is one tool call on its way to a page.
type Call struct {
	// ID is unique everywhere, and stays the same wherever the call travels.
	ID   string
	Tool string
	// Arguments is a JSON object, valid and with its defaults.
	Arguments json.RawMessage
	// Agent is the name of the agent that asks.
	Agent string
	// Repo names a graph; "" means the one whose page was in front last.
	Repo string
	// ReadOnly calls may be sent again to another page that holds the same graph.
	ReadOnly bool
	// Heavy calls may take long: they get at most half of a page's places.
	Heavy bool
	// Progress is told how far the call is, one call of it at a time; nil when nobody asked.
	Progress func(progress float64, total *float64, message string)
	// Trace, when set, is filled in with how the call travelled.
	Trace *Trace
	// Coro, when set, is what makes the call: it is suspended until the answer is
	// there, and detached before it waits for anything else.
	Coro *coro.Coro

	from  *caller  // the hub's own when nil
	bound *binding // nil until a page may have the call
}

// Trace is what the bridge knows of one call's way, for debug answers. It may
// be read once the call has returned.
type Trace struct {
	// Role is "hub" or "peer": what this process was.
	Role string `json:"role,omitempty"`
	// Page is the session of the page that got the call, and Dialect its protocol.
	Page    string `json:"page,omitempty"`
	Dialect string `json:"dialect,omitempty"`
	// Attempt counts the times the call was sent, from 1; 0 when it never was.
	Attempt int `json:"attempt"`
	// WaitMS is the time spent waiting for a page and for a place at it, PageMS
	// from sending to the answer.
	WaitMS float64 `json:"waitMs"`
	PageMS float64 `json:"pageMs"`
}

// What follows fills it in, or does nothing when it is nil: then the clock is
// not read either, which takes its time.

func (t *Trace) role(role string) {
	if t != nil {
		t.Role = role
	}
}

func (t *Trace) clock() time.Time {
	if t == nil {
		return time.Time{}
	}
	return time.Now()
}

func (t *Trace) waited(since time.Time) {
	if t != nil {
		t.WaitMS += milliseconds(time.Since(since))
	}
}

func (t *Trace) sent(to *session) time.Time {
	if t != nil {
		t.Attempt++
		t.Page, t.Dialect = to.id, to.codec.name()
	}
	return t.clock()
}

func (t *Trace) answered(since time.Time) {
	if t != nil {
		t.PageMS += milliseconds(time.Since(since))
	}
}

// outcome settles a call on one link.
type outcome struct {
	result json.RawMessage
	err    error
	trace  *Trace // what a hub says of a peer's call
}

// droppedError says that the link died with the call in flight.
type droppedError struct{ cause error }

func (e *droppedError) Error() string { return "the link dropped: " + e.cause.Error() }
func (e *droppedError) Unwrap() error { return e.cause }

// errPeerGone ends a peer's calls when its link drops. The page is not told to
// stop: the peer comes back and asks again with the same id.
var errPeerGone = errors.New("the peer's link dropped")

// exchange sends a call over a link and waits for its outcome: a
// *droppedError when the link dies first, the cause of ctx's end when that is
// first, and then the other side is told to stop. It gives up at, which may be
// nil, as soon as the call is no longer under way.
func exchange(ctx context.Context, l *link, p *pending, dialect codec, c Call, at *place) (json.RawMessage, error) {
	w, err := p.add(c, at)
	if err != nil {
		at.leave()
		return nil, err
	}
	left := maxTime
	if deadline, ok := ctx.Deadline(); ok {
		left = time.Until(deadline)
	}
	if err := l.send(ctx, c.Coro, dialect.call(c, left)); err != nil {
		p.forget(c.ID, w)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, &droppedError{err}
	}
	if c.Coro != nil {
		stop := context.AfterFunc(ctx, c.Coro.Resume)
		for len(w.settled) == 0 && ctx.Err() == nil {
			c.Coro.Suspend()
		}
		stop()
	}
	select {
	case o := <-w.settled:
		if w.reports != nil {
			c.Coro.Detach()
			w.reports.flush(ctx)
		}
		if o.trace != nil && c.Trace != nil {
			*c.Trace = *o.trace
		}
		return o.result, o.err
	case <-ctx.Done():
		cause := context.Cause(ctx)
		if !errors.Is(cause, errPeerGone) {
			l.control(dialect.cancel(c.ID, cause.Error()))
		}
		p.forget(c.ID, w) // after the cancel: the call that gets its place is sent at once
		return nil, cause
	}
}

// maxTime stands on the wire for a call without a deadline.
const maxTime = 24 * time.Hour

// pending holds the calls in flight on one link. One gate changes it: each call
// settles once, and all of them settle when the link dies.
type pending struct {
	mu    sync.Mutex
	calls map[string]*waiter
	dead  error // why the link died; set once
}

type waiter struct {
	settled chan outcome // buffered: settling never blocks
	coro    *coro.Coro   // what waits, if it is no goroutine
	reports *reports     // nil when nobody asked
	at      *place
}

// add registers a call, or returns why the link is dead.
func (p *pending) add(c Call, at *place) (*waiter, error) {
	p.mu.Lock()
	if p.dead != nil {
		p.mu.Unlock()
		return nil, p.dead
	}
	if p.calls == nil {
		p.calls = make(map[string]*waiter)
	}
	former := p.calls[c.ID] // of a peer that has come back sooner than its former link went
	w := &waiter{settled: make(chan outcome, 1), coro: c.Coro, at: at}
	if c.Progress != nil {
		w.reports = &reports{tell: c.Progress}
	}
	p.calls[c.ID] = w
	p.mu.Unlock()
	if former != nil {
		former.at.leave()
	}
	return w, nil
}

// settle gives a call its outcome; nil when it has one already or never was.
// The caller has to resume the waiter's coroutine.
func (p *pending) settle(id string, o outcome) *waiter {
	p.mu.Lock()
	w := p.calls[id]
	delete(p.calls, id)
	p.mu.Unlock()
	if w != nil {
		w.settle(o)
	}
	return w
}

// settle is called once, by whoever has taken w out of the pending calls.
func (w *waiter) settle(o outcome) {
	w.settled <- o
	w.at.leave()
}

// forget removes a call that nobody waits for any more, unless a later call of
// the same id has taken its place.
func (p *pending) forget(id string, w *waiter) {
	p.mu.Lock()
	here := p.calls[id] == w
	if here {
		delete(p.calls, id)
	}
	p.mu.Unlock()
	if here {
		w.at.leave()
	}
}

// report passes progress on, to a call that still waits.
func (p *pending) report(e progressParams) {
	p.mu.Lock()
	w := p.calls[e.ProgressToken]
	p.mu.Unlock()
	if w != nil && w.reports != nil {
		w.reports.add(e)
	}
}

// reports pass a call's progress on. Who is told may block, as an agent does
// that does not read, and the link's reader must not: so it is told by a
// goroutine of its own, and what it is too slow for is left out, the oldest first.
type reports struct {
	tell func(float64, *float64, string)

	mu    sync.Mutex
	queue []progressParams
	told  chan struct{} // closed when the goroutine has told all; nil while there is none
}

// maxReports is the number of reports that may wait.
const maxReports = 16

func (r *reports) add(e progressParams) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.queue) == maxReports {
		r.queue = append(r.queue[:0], r.queue[1:]...)
	}
	r.queue = append(r.queue, e)
	if r.told == nil {
		r.told = make(chan struct{})
		go r.run()
	}
}

func (r *reports) run() {
	for {
		r.mu.Lock()
		if len(r.queue) == 0 {
			close(r.told)
			r.told = nil
			r.mu.Unlock()
			return
		}
		e := r.queue[0]
		r.queue = append(r.queue[:0], r.queue[1:]...)
		r.mu.Unlock()
		r.tell(e.Progress, e.Total, e.Message)
	}
}

// flush waits until all is told, or until ctx ends.
func (r *reports) flush(ctx context.Context) {
	r.mu.Lock()
	told := r.told
	r.mu.Unlock()
	if told == nil {
		return
	}
	select {
	case <-told:
	case <-ctx.Done():
	}
}

// kill settles every call, and all later ones at once. The first reason stays.
func (p *pending) kill(err error) {
	p.mu.Lock()
	if p.dead != nil {
		p.mu.Unlock()
		return
	}
	p.dead = err
	calls := p.calls
	p.calls = nil
	p.mu.Unlock()
	for _, w := range calls {
		w.settle(outcome{err: err})
		if w.coro != nil {
			go w.coro.Resume()
		}
	}
}

func (p *pending) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.calls)
}
