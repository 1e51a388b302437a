package wsbridge

import (
	"time"

	"github.com/gitnexus/gitnexus-mcp/guard"
)

// Status is the bridge at one moment.
type Status struct {
	// Role is "hub", "peer", or "none" while this process is neither.
	Role string `json:"role"`
	PID  int    `json:"pid"`
	// HubPID is the process that holds the port; 0 when nobody of ours does.
	HubPID int `json:"hubPid,omitempty"`
	// URL is the app's address, without the token.
	URL string `json:"url"`
	// Pages are the pages that take calls; the first gets those that name no graph.
	Pages []PageStatus `json:"pages"`
	// Agents are the agents that the hub knows. A peer knows only its own.
	Agents []Agent `json:"agents"`
	// Reconnect says how the wait for a page goes, or for a place while this
	// process is neither hub nor peer; nil while a page is there.
	Reconnect *ReconnectStatus `json:"reconnect,omitempty"`
	// Trouble says in words why this process is neither hub nor peer, Advice what
	// a person can do about it.
	Trouble string `json:"trouble,omitempty"`
	Advice  string `json:"advice,omitempty"`
	// Breakers are the circuit breakers that are open, or that count failures, by graph.
	Breakers []BreakerStatus `json:"-"`
	// Panics are the last panics of the bridge's jobs, oldest first.
	Panics []guard.Panic `json:"panics,omitempty"`
	// Ended are the last links that the hub ended because they crossed a bound,
	// oldest first. A peer knows of none.
	Ended []LinkEnd `json:"endedLinks,omitempty"`
	// LastErrors are the last few errors of calls, oldest first.
	LastErrors []LoggedError `json:"lastErrors"`
}

// LinkEnd is a link that crossed a bound, such as the size of a message.
type LinkEnd struct {
	At time.Time `json:"at"`
	// Role is "page", "peer", or "unknown" before the hello.
	Role    string `json:"role"`
	Session string `json:"session"`
	Reason  string `json:"reason"`
}

// keptEnds is how many of them a hub keeps.
const keptEnds = 10

// Transition is a change of the bridge.
type Transition struct {
	// Kind is "page_connected", "page_reloaded" (in its place, after a reload of the
	// tab), "page_disconnected", "peer_connected", "peer_disconnected", "became_hub", "became_peer", "hub_lost",
	// "breaker_open", "breaker_half-open" or "breaker_closed".
	Kind string
	// Session is that of the page or peer, Graph that of the page or breaker.
	Session, Graph string
	// Cause is why, in words; "" for none.
	Cause string
}

// PageStatus is one page.
type PageStatus struct {
	Session string        `json:"session"`
	Dialect string        `json:"dialect"`
	Since   time.Time     `json:"since"`
	Calls   int           `json:"callsInFlight"`
	Waiting int           `json:"callsWaiting"`
	Context *GraphContext `json:"context"`
}

// ReconnectStatus is the present step of a reconnect schedule.
type ReconnectStatus struct {
	// Step counts from 0 up to Of.
	Step int `json:"step"`
	Of   int `json:"of"`
	// NextMS is the time until the next step.
	NextMS int64 `json:"nextMs"`
	// SinceMS is the time since the page was lost, or since the start.
	SinceMS int64 `json:"sinceMs"`
	// Connected is true when a page was there once.
	Connected bool `json:"wasConnected"`
	// Reason says in a sentence why no page comes, where that is known.
	Reason string `json:"reason,omitempty"`
}

func (p *PageStatus) graph() string {
	if p.Context == nil {
		return ""
	}
	return p.Context.Repo
}

// status describes the outage at this moment.
func (o *outage) status() *ReconnectStatus {
	passed, left := o.step()
	return &ReconnectStatus{
		Step: passed, Of: o.steps, NextMS: left.Milliseconds(),
		SinceMS: time.Since(o.since).Milliseconds(), Connected: o.connected, Reason: o.noPage,
	}
}
