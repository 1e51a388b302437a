package tools

import (
	"encoding/json"
	"regexp"
	"time"
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
	// Link is what the caller told of the link: role, page, attempts, times.
	Link any `json:"link,omitempty"`
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

var (
	secretKey = regexp.MustCompile(`(?i)(token|secret|passw|passphrase|api[-_]?key|authorization|credential|cookie|private[-_]?key)`)
	// What looks like a secret by itself: bearer values, keys of well-known
	// services, JSON web tokens, key=value pairs, our own 43-character tokens.
	secretValue = regexp.MustCompile(`(?i:bearer\s+)[\w.~+/=-]{8,}` +
		`|\b(?:sk|pk|rk)[-_][\w-]{16,}` +
		`|\bgh[opsur]_\w{20,}|\bgithub_pat_\w{20,}|\bxox[abprs]-[\w-]{10,}|\bAKIA[0-9A-Z]{16}\b` +
		`|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*` +
		`|(?i:(?:token|secret|password|passwd|api[-_]?key)\s*[=:]\s*["']?)[^\s"'&,;)}]{4,}` +
		`|\b[A-Za-z0-9_-]{43}\b`)
)

const redacted = "[redacted]"

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
		return clip(secretValue.ReplaceAllString(clip(v, 4*maxDebugValue), redacted), maxDebugValue)
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
			if secretKey.MatchString(key) {
				members[clip(key, maxDebugValue)] = redacted
				continue
			}
			members[clip(key, maxDebugValue)] = redactValue(value, depth+1)
		}
		return members
	}
	return v
}
