package wsbridge

import (
	"cmp"
	"errors"
	"time"

	"github.com/gitnexus/gitnexus-mcp/reconnect"
)

// outage is the time without a page, or without a hub. It follows the page's own
// reconnect schedule, step by step, to tell an agent when the next try is worth
// it and when it is time to give up. Its owner's lock guards it.
type outage struct {
	since     time.Time // start of the process, or of the last drop
	connected bool      // a page was there once
	frozen    bool      // the page left heartbeats unanswered
	closed    bool      // the page's tab was closed or reloaded
	indexing  bool      // the page left while it was making its graph
	graph     string    // the graph that the page held; "" for none
	what      string    // what is missing, in words; "" for "the page"
	noPage    string    // why no page comes, as far as Options.NoPage knows

	grace   time.Duration
	backoff reconnect.Backoff
	steps   int
}

func newOutage(opt Options) outage {
	return outage{since: time.Now(), grace: opt.Grace, backoff: opt.Backoff, steps: opt.MaxReconnect}
}

// begin notes that the page has just gone, and why, if that is known.
func (o *outage) begin(cause error) {
	ended, _ := errors.AsType[*connError](cause)
	o.since, o.connected, o.frozen, o.indexing = time.Now(), true, ended != nil && ended.silent, false
	o.closed = isClosedTab(cause)
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

// waitReport tells a call's agent how long the call has waited for a page.
type waitReport struct {
	call  *Call
	total time.Duration // the longest wait
	began time.Time
}

// reportEvery is the time between two reports of a wait.
const reportEvery = 250 * time.Millisecond

// until reports the wait so far, and returns how long to wait on: the rest, or
// less if another report is due before.
func (w *waitReport) until(rest time.Duration) time.Duration {
	if w.call.Progress == nil {
		return rest
	}
	if w.began.IsZero() {
		w.began = time.Now()
	}
	total := float64(w.total.Milliseconds())
	w.call.Progress(float64(time.Since(w.began).Milliseconds()), &total, "waiting for the graph app to connect")
	return min(rest, reportEvery)
}
