package tools

import (
	"fmt"
	"strings"
	"sync"
	"time"
)

// Bridge is the state of the bridge, as wsbridge.Status tells it.
type Bridge struct {
	// Role is "hub", "peer", or "none" while this process is neither.
	Role string `json:"role"`
	PID  int    `json:"pid"`
	// HubPID is the process that is the hub, when there is one.
	HubPID int    `json:"hubPid,omitempty"`
	URL    string `json:"url"`
	// Pages are the pages that take calls, the one in front first.
	Pages  []Page  `json:"pages"`
	Agents []Agent `json:"agents"`
	// Reconnect says how the wait for a page goes; nil while one is there.
	Reconnect *Reconnect `json:"reconnect,omitempty"`
	// Trouble says why this process is neither hub nor peer, Advice what a person
	// can do about it.
	Trouble    string        `json:"trouble,omitempty"`
	Advice     string        `json:"advice,omitempty"`
	LastErrors []BridgeError `json:"lastErrors"`
}

// Page is one connected page. What it has loaded is among the health's graphs.
type Page struct {
	Session string    `json:"session"`
	Dialect string    `json:"dialect"`
	Since   time.Time `json:"since"`
	Calls   int       `json:"callsInFlight"`
	Waiting int       `json:"callsWaiting"`
	// Context names the graph; nil when nothing is loaded.
	Context *struct {
		Repo string `json:"repo"`
	} `json:"context"`
}

// Agent is one connected agent, and the process that it started.
type Agent struct {
	Name string `json:"name"`
	PID  int    `json:"pid"`
}

// Reconnect is the present step of the schedule by which a lost page reconnects.
type Reconnect struct {
	Step    int   `json:"step"` // from 0
	Of      int   `json:"of"`
	NextMS  int64 `json:"nextMs"`  // to the next step
	SinceMS int64 `json:"sinceMs"` // since the page was lost, or since the start
	// WasConnected is true when a page was there once.
	WasConnected bool `json:"wasConnected"`
}

// BridgeError is one failed call, of any agent that the hub serves.
type BridgeError struct {
	At      time.Time `json:"at"`
	Message string    `json:"message"`
}

// Health is the health resource.
type Health struct {
	// Status is "ready", "indexing", "failed" (the graph could not be built),
	// "empty" (a page, but no graph in it) or "disconnected" (no page).
	Status string `json:"status"`
	// Summary says in a few sentences how things are and what to do.
	Summary       string         `json:"summary"`
	Version       string         `json:"version"`
	UptimeSeconds int64          `json:"uptimeSeconds"`
	Bridge        Bridge         `json:"bridge"`
	Graphs        []Codebase     `json:"graphs"`
	Breaker       BreakerHealth  `json:"breaker"`
	Calls         CallCounts     `json:"calls"`
	LastErrors    []CallError    `json:"lastErrors"` // of calls, oldest first
	Limits        map[string]any `json:"limits"`
}

// BreakerHealth is the circuit breaker at one moment.
type BreakerHealth struct {
	State    string `json:"state"`
	Failures uint32 `json:"consecutiveFailures"`
	// RetryAfter is the time until an open breaker lets a call try, in seconds.
	RetryAfter int `json:"retryAfter,omitempty"`
}

// CallCounts counts the calls since the start.
type CallCounts struct {
	InFlight int `json:"inFlight"`
	Total    int `json:"total"`
	Failed   int `json:"failed"`
}

// CallError is one failed call.
type CallError struct {
	At      time.Time `json:"at"`
	CallID  string    `json:"callId"`
	Tool    string    `json:"tool"`
	Code    Code      `json:"code"`
	Message string    `json:"message"`
}

// keptErrors is how many failed calls the health resource shows.
const keptErrors = 10

// stats counts calls and keeps the last errors.
type stats struct {
	mu     sync.Mutex
	counts CallCounts
	errors []CallError
}

func (s *stats) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts.InFlight++
	s.counts.Total++
}

// end counts a call as done; failed is nil for a good or a cancelled one.
func (s *stats) end(failed *CallError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts.InFlight--
	if failed == nil {
		return
	}
	s.counts.Failed++
	if len(s.errors) == keptErrors {
		s.errors = append(s.errors[:0], s.errors[1:]...)
	}
	s.errors = append(s.errors, *failed)
}

func (s *stats) snapshot() (CallCounts, []CallError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts, append([]CallError{}, s.errors...)
}

// Health returns the server's present health.
func (s *Server) Health() Health {
	graphs := s.Graphs()
	bridge := s.options.Bridge()
	breaker := s.options.Breaker.Status()
	h := Health{
		Status: healthStatus(bridge, graphs), Version: s.options.Version,
		UptimeSeconds: int64(time.Since(s.started).Seconds()),
		Bridge:        bridge, Graphs: graphs,
		Breaker: BreakerHealth{State: breaker.State, Failures: breaker.Failures},
		Limits: map[string]any{
			"timeoutQuickMs": s.options.Timeouts.For(0).Milliseconds(),
			"timeoutHeavyMs": s.options.Timeouts.For(1).Milliseconds(),
			"maxResultBytes": s.options.MaxResult,
			"callsAtOnce":    s.options.MaxCalls,
		},
	}
	if breaker.RetryAfter > 0 {
		h.Breaker.RetryAfter = wholeSeconds(breaker.RetryAfter)
	}
	h.Calls, h.LastErrors = s.stats.snapshot()
	h.Summary = h.inWords()
	return h
}

func healthStatus(bridge Bridge, graphs []Codebase) string {
	switch {
	case len(bridge.Pages) == 0:
		return "disconnected"
	case len(graphs) == 0:
		return "empty"
	case graphs[0].State == "ready":
		return "ready"
	case graphs[0].State == "indexing":
		return "indexing"
	}
	return "failed"
}

// inWords is the summary: what a model needs that reads nothing else.
func (h *Health) inWords() string {
	var b strings.Builder
	switch bridge := &h.Bridge; {
	case bridge.Role == "none" && bridge.Trouble != "":
		fmt.Fprintf(&b, "This server has no place on the bridge, so no call can be answered: %s. ", strings.TrimSuffix(bridge.Trouble, "."))
		if bridge.Advice != "" {
			b.WriteString(bridge.Advice + " ")
		}
		b.WriteString("It goes on trying")
		if r := bridge.Reconnect; r != nil && r.NextMS > 0 {
			fmt.Fprintf(&b, ", next in %s", seconds((time.Duration(r.NextMS) * time.Millisecond).Round(100*time.Millisecond)))
		}
		b.WriteString(".")
	case h.Status == "disconnected":
		b.WriteString(bridge.waitInWords())
	case h.Status == "empty":
		b.WriteString("A page is connected, and nothing is loaded in it. Ask the user to load the repository there.")
	default:
		front, is := h.Graphs[0], "is "
		if front.State == "error" {
			is = ""
		}
		fmt.Fprintf(&b, "%s %s%s.", code(front.Repo), is, stateInWords(front))
		if is == "" {
			b.WriteString(" Ask the user to look at the graph app.")
		}
		if n := len(h.Graphs) - 1; n > 0 {
			fmt.Fprintf(&b, " Further graphs are loaded (%d): name one as repo in a call to ask it.", n)
		}
	}
	if h.Bridge.Role == "peer" {
		fmt.Fprintf(&b, " This server reaches pages through another gitnexus-mcp, the hub (pid %d).", h.Bridge.HubPID)
	}
	switch h.Breaker.State {
	case "open":
		fmt.Fprintf(&b, " The circuit breaker is open after %d failures in a row: calls are refused for another %d s, or until a page connects.",
			h.Breaker.Failures, h.Breaker.RetryAfter)
	case "half-open":
		b.WriteString(" The circuit breaker was open; the next call decides whether it closes.")
	}
	return b.String()
}

// waitInWords says how long there has been no page, and what to do.
func (b *Bridge) waitInWords() string {
	ask := askToOpen(b.URL) + "."
	r := b.Reconnect
	if r == nil {
		return "No page is connected. A page that is still open reconnects by itself; otherwise " + ask
	}
	since := seconds((time.Duration(r.SinceMS) * time.Millisecond).Round(time.Second))
	switch {
	case !r.WasConnected:
		return fmt.Sprintf("No page has connected in the %s since the start. %s", since, capital(ask))
	case r.Step >= r.Of:
		return fmt.Sprintf("The page has been gone for %s, longer than its whole reconnect schedule. %s", since, capital(ask))
	}
	return fmt.Sprintf("The page's connection was lost %s ago. A page that is still open reconnects by itself: step %d of %d of its schedule, the next within %s. If it stays lost, %s",
		since, r.Step+1, r.Of, seconds((time.Duration(r.NextMS) * time.Millisecond).Round(100*time.Millisecond)), ask)
}
