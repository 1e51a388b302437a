package wsbridge

import (
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

	grace   time.Duration
	backoff reconnect.Backoff
	steps   int
}

// begin notes that the last page has just gone.
func (o *outage) begin() {
	o.since, o.connected = time.Now(), true
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
	return &LostError{
		RetryAfter: o.backoff.Ceiling(passed),
		Reason:     "the page's connection dropped " + time.Since(o.since).Round(time.Second).String() + " ago",
	}
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
