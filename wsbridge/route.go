package wsbridge

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"
)

// readyPages are the pages that take calls, the one that gets a call that names
// no graph first. It must be called with mu held.
func (h *Hub) readyPages() []*session {
	var pages []*session
	for s := range h.all {
		if s.ready {
			pages = append(pages, s)
		}
	}
	slices.SortFunc(pages, func(a, b *session) int {
		if a.before(b) {
			return -1
		}
		return 1
	})
	return pages
}

// Call gives a call to a page and waits for its answer: the structured content
// as valid JSON. While there is no page it waits for one within the grace, and
// while the page is busy for a place there; when the page's link drops, it sends
// the call again, with the same id, to the page that comes back. Errors:
// *LostError, *ExhaustedError, *ToolError, *UnknownRepoError, *OverloadedError,
// or the cause of ctx's end.
func (h *Hub) Call(ctx context.Context, c Call) (json.RawMessage, error) {
	c.Trace.role("hub")
	var own outage // of the page that had the call, where other pages are there
	if c.bound != nil {
		own = h.newOutage()
		own.begin(nil)
	}
	t := turn{from: cmp.Or(c.from, &h.own), coro: c.Coro, bytes: len(c.Arguments), maxCalls: h.opt.MaxQueue, maxBytes: h.opt.MaxMessage}
	defer t.end()
	for {
		began := c.Trace.clock()
		next, err := h.await(ctx, c, own, &t)
		var at *place
		if err == nil {
			h.mu.Lock()
			b := &binding{next.id, next.repo()}
			h.mu.Unlock()
			if c.from != nil && c.bound == nil && !c.ReadOnly {
				return nil, &boundError{*b}
			}
			c.bound = b
			at, err = next.places.enter(ctx, next.gone, &t, c.Heavy)
		}
		c.Trace.waited(began)
		if err == errPageGone {
			own = h.newOutage()
			own.begin(nil)
			continue
		}
		if err != nil {
			if lost, ok := errors.AsType[*LostError](err); ok {
				lost.Sent = t.sent
			}
			if ctx.Err() == nil {
				h.note(c, err)
			}
			return nil, err
		}
		t.sent = true
		began = c.Trace.sent(next)
		given := c
		given.bound = nil // nothing for pages
		result, err := exchange(ctx, next.link, &next.pending, next.codec, given, at)
		c.Trace.answered(began)
		if _, dropped := errors.AsType[*droppedError](err); dropped {
			h.opt.Log.Debug("call lost its page", "call", c.ID, "err", err)
			own = h.newOutage()
			own.begin(err)
			c.Coro.Detach()
			select {
			case <-next.gone: // a link takes a moment to close, and would get the call again
			case <-ctx.Done():
			}
			continue // await knows when ctx is over
		}
		if err != nil {
			h.note(c, err)
		}
		return result, err
	}
}

// await finds the page for a call, waiting within the grace while there is none.
// While there are pages, but none for a call that has lost its own, own counts,
// and for one whose graph is away, by its name or from the front, that graph's
// outage.
func (h *Hub) await(ctx context.Context, c Call, own outage, t *turn) (*session, error) {
	for {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		h.mu.Lock()
		s, err := h.route(c)
		if s != nil || err != nil {
			h.mu.Unlock()
			return s, err
		}
		out, blinks := h.outage, false
		if pages := h.readyPages(); len(pages) > 0 {
			switch out = own; {
			case c.bound == nil && c.Repo == "":
				out, _ = h.blink(pages)
				blinks = true
			case c.bound == nil:
				out, _ = h.away(c.Repo)
			}
		}
		changed := h.changed
		h.mu.Unlock()
		wait := out.graceLeft()
		if blinks { // if it is over by now, there are other pages
			wait = max(wait, time.Millisecond)
		}
		if wait <= 0 {
			return nil, h.describe(out.lost())
		}
		if err := t.begin(); err != nil {
			return nil, err
		}
		c.Coro.Detach()
		timer := time.NewTimer(wait)
		select {
		case <-changed:
		case <-timer.C:
		case <-ctx.Done():
		case <-h.stop.Done():
			timer.Stop()
			return nil, h.describe(&LostError{Reason: errStopping.reason, RetryAfter: time.Second})
		}
		timer.Stop()
	}
}

// route chooses the page for a call: of those that may have it, one that holds
// a graph before one that does not, then the one that was in front last. It
// must be called with mu held.
func (h *Hub) route(c Call) (*session, error) {
	pages := h.readyPages()
	if len(pages) > 0 && c.Repo == "" && c.bound == nil {
		if _, waits := h.blink(pages); waits {
			return nil, nil
		}
	}
	for _, s := range pages {
		if c.Repo != "" && s.repo() != c.Repo {
			continue
		}
		if c.bound.allows(c.ReadOnly, s.id, s.repo()) {
			return s, nil
		}
	}
	if _, away := h.away(c.Repo); len(pages) > 0 && c.Repo != "" && c.bound == nil && !away {
		var known []string
		for _, s := range pages {
			if s.context != nil {
				known = append(known, s.context.Repo)
			}
		}
		slices.Sort(known)
		return nil, &UnknownRepoError{Repo: c.Repo, Known: slices.Compact(known)}
	}
	return nil, nil
}

// describe adds the app's address to an error about a missing page.
func (h *Hub) describe(err error) error {
	switch e := err.(type) {
	case *LostError:
		e.URL = h.URL()
	case *ExhaustedError:
		e.URL = h.URL()
	}
	return err
}
