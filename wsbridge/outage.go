package wsbridge

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/gitnexus/gitnexus-mcp/reconnect"
)

// outage is the time without any page. It follows the page's own reconnect
// schedule, step by step, to tell an agent when the next try is worth it and
// when it is time to give up. Its owner's lock guards it.
type outage struct {
	since     time.Time // start of the process, or of the last drop
	connected bool      // a page was there once
	frozen    bool      // the page left heartbeats unanswered
	indexing  bool      // the page left while it was making its graph
	what      string    // whose time it is; "" for any page's

	grace   time.Duration
	backoff reconnect.Backoff
	steps   int
}

// begin notes that the page has just gone, and why, if that is known.
func (o *outage) begin(cause error) {
	link, _ := errors.AsType[*linkError](cause)
	o.since, o.connected, o.frozen, o.indexing = time.Now(), true, link != nil && link.silent, false
}

// graceLeft is how long a call may still wait for a page; 0 or less for not at all.
func (o *outage) graceLeft() time.Duration { return o.grace - time.Since(o.since) }

// step returns how many steps of the schedule have passed, and what is left of
// the present one.
func (o *outage) step() (passed int, left time.Duration) {
	end := time.Duration(0)
	elapsed := time.Since(o.since)
	for n := 0; n < o.steps; n++ {
		end += o.backoff.Ceiling(n)
		if elapsed < end {
			return n, end - elapsed
		}
	}
	return o.steps, 0
}

// lost is the error for a call that found no page.
func (o *outage) lost() error {
	passed, _ := o.step()
	switch {
	case !o.connected:
		return &LostError{
			RetryAfter:     o.backoff.Ceiling(min(passed, o.steps-1)),
			Reason:         "no page is connected",
			NeverConnected: true,
		}
	case passed >= o.steps:
		return &ExhaustedError{Attempts: o.steps}
	}
	ago := time.Since(o.since).Round(time.Second).String() + " ago"
	what := cmp.Or(o.what, "the page")
	if o.frozen {
		return &LostError{
			RetryAfter: o.backoff.Ceiling(passed),
			Reason:     "the browser tab of " + what + " is frozen: it left two heartbeats unanswered, and its connection was ended " + ago,
			Advice: "Ask the user to bring the tab of the graph app to the front, or to reload it: browsers freeze tabs that are long in " +
				"the background. It connects again by itself; then call again.",
		}
	}
	if o.indexing {
		// A tab that the browser ends for its memory leaves as one that is closed.
		return &LostError{
			RetryAfter: o.backoff.Ceiling(passed),
			Reason:     "the connection of " + what + " dropped " + ago + ", while it was indexing",
			Advice: "Ask the user to look at the tab of the graph app. If it was closed, it has to be opened again. If the browser says that it crashed, " +
				"the repository is probably too large for a tab's memory: then serve a part of it, with --repo and a folder in it.",
		}
	}
	return &LostError{RetryAfter: o.backoff.Ceiling(passed), Reason: "the connection of " + what + " dropped " + ago}
}

// errorLog keeps the last few errors.
type errorLog []LoggedError

// LoggedError is one error that the bridge has seen.
type LoggedError struct {
	At      time.Time `json:"at"`
	Message string    `json:"message"`

	call string // its id
}

// note adds a call's error, unless it is the tool's own or the agent's doing. A
// call that is tried again is one failure: its last.
func (l *errorLog) note(c Call, err error) {
	if _, own := errors.AsType[*ToolError](err); own || errors.Is(err, context.Canceled) {
		return
	}
	*l = slices.DeleteFunc(*l, func(e LoggedError) bool { return e.call == c.ID })
	*l = append(*l, LoggedError{time.Now(), c.Tool + ": " + err.Error(), c.ID})
	if len(*l) > 10 {
		*l = (*l)[len(*l)-10:]
	}
}
