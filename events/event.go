// Package events keeps a log of what happened in an SQLite file that several
// processes share: the outcome of each call, links, breakers, hooks, alerts.
//
//	log := events.New(events.Options{File: file})
//	defer log.Close(ctx)
//	log.Add(events.Event{Category: events.Call, Type: "outcome", Tool: "impact", Code: "TIMEOUT"})
//
// The file is opened with the first query, or the first event that is not of
// category Link or Process: a process that only waits costs no memory for it. Adding an event never
// waits for the disk and never fails the caller.
package events

import (
	"encoding/json"
	"time"
)

// The categories of events.
const (
	Call    = "call"    // the final outcome of a tool call
	Client  = "client"  // the final outcome of a call to another server
	Link    = "link"    // a page or a peer came or went, an election
	Breaker = "breaker" // a circuit breaker changed its state
	Index   = "index"   // a page has indexed a code base
	Hook    = "hook"    // a hook failed or refused a call
	Alert   = "alert"   // an alert was raised or is over
	Panic   = "panic"   // a job ended with a panic
	Process = "process" // a server started or ended
)

// Cancelled is the code of a call that the agent gave up.
const Cancelled = "CANCELLED"

// The types of process events.
const (
	Started = "started"
	Ended   = "ended"
)

// Event is one row of the log. Fields that do not apply are zero.
type Event struct {
	// ID is the row's number; Add ignores it. Later events have larger ones.
	ID int64 `json:"id"`
	// Time has a resolution of milliseconds. Add sets a zero one to now.
	Time time.Time `json:"timestamp"`
	// Category is one of the constants of this package.
	Category string `json:"category"`
	// Type says what happened, within the category.
	Type string `json:"event_type"`
	// Session identifies the server process.
	Session string `json:"session,omitempty"`
	Agent   string `json:"agent,omitempty"`
	Graph   string `json:"graph,omitempty"`
	// Call is the call's id, the same as in the error that the agent got.
	Call string `json:"call,omitempty"`
	Tool string `json:"tool,omitempty"`
	// Code is the error's code. "" for a success.
	Code     string        `json:"code,omitempty"`
	Attempts int           `json:"attempts,omitempty"`
	Duration time.Duration `json:"-"`
	// DurationMS is Duration in milliseconds, for JSON; Add ignores it.
	DurationMS float64 `json:"duration_ms,omitempty"`
	// Message says what happened, as Options.Redact leaves it.
	Message string `json:"message,omitempty"`
	// Arguments of a call, as they came. They are kept in Metadata as
	// "arguments", as Options.Redact leaves them.
	Arguments json.RawMessage `json:"-"`
	// Metadata is a JSON object, or nil.
	Metadata json.RawMessage `json:"metadata,omitempty"`
	// Weight is the number of like calls that this row stands for: 1, or more
	// where successful calls were sampled. Add ignores it.
	Weight int `json:"weight,omitempty"`
}

// The limits of one event, in bytes.
const (
	MaxMessage  = 2 << 10
	MaxMetadata = 16 << 10
)
