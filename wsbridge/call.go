package wsbridge

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"
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
	// Progress is told how far the call is, one call of it at a time; nil when nobody asked.
	Progress func(progress float64, total *float64, message string)
	// Trace, when set, is filled in with how the call travelled.
	Trace *Trace
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
	// WaitMS is the time spent waiting for a page, PageMS from sending to the answer.
	WaitMS float64 `json:"waitMs"`
	PageMS float64 `json:"pageMs"`
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
// first, and then the other side is told to stop.
func exchange(ctx context.Context, l *link, p *pending, dialect codec, c Call) (json.RawMessage, error) {
	w, err := p.add(c)
	if err != nil {
		return nil, err
	}
	left := maxTime
	if deadline, ok := ctx.Deadline(); ok {
		left = time.Until(deadline)
	}
	if err := l.send(ctx, dialect.call(c, left)); err != nil {
		p.forget(c.ID, w)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, &droppedError{err}
	}
	select {
	case o := <-w.settled:
		if o.trace != nil {
			*c.Trace = *o.trace
		}
		return o.result, o.err
	case <-ctx.Done():
		p.forget(c.ID, w)
		cause := context.Cause(ctx)
		if !errors.Is(cause, errPeerGone) {
			l.control(dialect.cancel(c.ID, cause.Error()))
		}
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
	settled  chan outcome // buffered: settling never blocks
	progress func(float64, *float64, string)
}

// add registers a call, or returns why the link is dead.
func (p *pending) add(c Call) (*waiter, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dead != nil {
		return nil, p.dead
	}
	if p.calls == nil {
		p.calls = make(map[string]*waiter)
	}
	w := &waiter{settled: make(chan outcome, 1), progress: c.Progress}
	p.calls[c.ID] = w
	return w, nil
}

// settle gives a call its outcome; false when it has one already or never was.
func (p *pending) settle(id string, o outcome) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	w, ok := p.calls[id]
	if ok {
		delete(p.calls, id)
		w.settled <- o
	}
	return ok
}

// forget removes a call that nobody waits for any more, unless a later call of
// the same id has taken its place.
func (p *pending) forget(id string, w *waiter) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.calls[id] == w {
		delete(p.calls, id)
	}
}

// report passes progress on, to a call that still waits.
func (p *pending) report(e progressParams) {
	p.mu.Lock()
	w := p.calls[e.ProgressToken]
	p.mu.Unlock()
	if w != nil && w.progress != nil {
		w.progress(e.Progress, e.Total, e.Message)
	}
}

// kill settles every call, and all later ones at once. The first reason stays.
func (p *pending) kill(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dead != nil {
		return
	}
	p.dead = err
	for id, w := range p.calls {
		delete(p.calls, id)
		w.settled <- outcome{err: err}
	}
}

func (p *pending) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.calls)
}
