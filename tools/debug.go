package tools

import (
	"encoding/json"
	"time"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// Debug is what a call adds to its answer when debugging is on: to an error
// as "debug", to a result's _meta under the same name.
type Debug struct {
	Tool   string `json:"tool"`
	CallID string `json:"callId"`
	Agent  string `json:"agent"`
	// Arguments are what came, as sanitize.Arguments leaves them.
	Arguments json.RawMessage `json:"arguments,omitempty"`
	TimeoutMS int64           `json:"timeoutMs,omitempty"`
	// Attempt counts the tries, from 1; 0 for a call that was never passed on.
	Attempt int `json:"attempt"`
	// Steps are the parts of the way the call has come, in order.
	Steps []Step `json:"steps"`
	// Link is how the call travelled; nil for one that was never passed on.
	Link *wsbridge.Trace `json:"link,omitempty"`
	// Cause is the error in our own words, for errors.
	Cause string `json:"cause,omitempty"`
}

// Step is one part of a call's way and the time spent in it.
type Step struct {
	Name string  `json:"step"`
	MS   float64 `json:"ms"`
}

// stopwatch times the steps of a call, when debug is on: reading the clock
// takes its time.
type stopwatch struct {
	debug         bool
	started, last time.Time
	steps         []Step
}

func newStopwatch(debug bool) stopwatch {
	now := time.Now()
	return stopwatch{debug: debug, started: now, last: now}
}

// done ends the step that began when the one before it ended.
func (w *stopwatch) done(step string) {
	if !w.debug {
		return
	}
	now := time.Now()
	w.steps = append(w.steps, Step{step, milliseconds(now.Sub(w.last))})
	w.last = now
}

func milliseconds(d time.Duration) float64 {
	return float64(d.Microseconds()) / 1000
}
