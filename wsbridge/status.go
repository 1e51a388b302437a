package wsbridge

import (
	"os"
	"time"
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
	// LastErrors are the last few errors of calls, oldest first.
	LastErrors []LoggedError `json:"lastErrors"`
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
}

func (o *outage) status() *ReconnectStatus {
	passed, left := o.step()
	return &ReconnectStatus{
		Step: passed, Of: o.steps, NextMS: left.Milliseconds(),
		SinceMS: time.Since(o.since).Milliseconds(), Connected: o.connected,
	}
}

// Pages are the pages that take calls, the preferred one first.
func (h *Hub) Pages() []PageStatus {
	h.mu.Lock()
	defer h.mu.Unlock()
	pages := []PageStatus{}
	for _, s := range h.readyPages() {
		pages = append(pages, PageStatus{
			Session: s.id, Dialect: s.codec.name(), Since: s.since, Calls: s.pending.count(), Waiting: s.places.waiting(), Context: s.context,
		})
	}
	return pages
}

// Status returns the hub's present state.
func (h *Hub) Status() Status {
	st := Status{Role: "hub", PID: os.Getpid(), HubPID: os.Getpid(), URL: h.URL(), Pages: h.Pages()}
	h.mu.Lock()
	defer h.mu.Unlock()
	st.Agents = h.agents()
	st.LastErrors = append([]LoggedError{}, h.errors...)
	if len(st.Pages) == 0 {
		st.Reconnect = h.outage.status()
	}
	return st
}

// pagesChanged tells the peers and the owner.
func (h *Hub) pagesChanged() {
	h.tell.Lock()
	h.mu.Lock()
	var peers []*session
	for s := range h.all {
		if s.role == rolePeer {
			peers = append(peers, s)
		}
	}
	h.mu.Unlock()
	h.tellPages(peers...)
	h.tell.Unlock()
	h.opt.OnContext()
}

// tellPages must be called with tell held.
func (h *Hub) tellPages(peers ...*session) {
	told := pagesParams{Pages: h.Pages()}
	if len(told.Pages) == 0 {
		h.mu.Lock()
		told.Reconnect = h.outage.status()
		h.mu.Unlock()
	}
	frame := encode("", methodPages, told)
	for _, s := range peers {
		s.link.control(frame)
	}
}
