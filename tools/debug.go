package tools

import (
	"encoding/json"
	"time"

	"github.com/gitnexus/gitnexus-mcp/sanitize"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// Debug is what a call adds to its answer when debugging is on: to an error
// as "debug", to a result's _meta under the same name.
type Debug struct {
	Tool   string `json:"tool"`
	CallID string `json:"callId"`
	Agent  string `json:"agent"`
	// Arguments are what came, with secrets taken out and long values cut.
	Arguments any   `json:"arguments,omitempty"`
	TimeoutMS int64 `json:"timeoutMs,omitempty"`
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

// maxDebugValue bounds each string in debug arguments, in bytes, and
// maxDebugItems each array and object.
const (
	maxDebugValue = 200
	maxDebugItems = 20
)

// withoutSecrets returns text with what looks like a secret taken out, cut to
// limit bytes.
func withoutSecrets(text string, limit int) string {
	return clip(sanitize.Log(clip(text, 4*limit)), limit)
}

// redact returns JSON arguments fit for debug output: secrets taken out, long
// values cut.
func redact(raw json.RawMessage) any {
	var v any
	if len(raw) == 0 || json.Unmarshal(raw, &v) != nil {
		return redactValue(string(raw), 0)
	}
	return redactValue(v, 0)
}

func redactValue(v any, depth int) any {
	switch v := v.(type) {
	case string:
		return withoutSecrets(v, maxDebugValue)
	case []any:
		if depth > 4 {
			return "…"
		}
		items := make([]any, 0, min(len(v), maxDebugItems))
		for _, item := range v[:min(len(v), maxDebugItems)] {
			items = append(items, redactValue(item, depth+1))
		}
		if len(v) > maxDebugItems {
			items = append(items, "…")
		}
		return items
	case map[string]any:
		if depth > 4 {
			return "…"
		}
		members := make(map[string]any, min(len(v), maxDebugItems))
		for key, value := range v {
			if len(members) == maxDebugItems {
				break
			}
			if sanitize.IsSecret(key) {
				members[clip(key, maxDebugValue)] = sanitize.Redacted
				continue
			}
			members[clip(key, maxDebugValue)] = redactValue(value, depth+1)
		}
		return members
	}
	return v
}
