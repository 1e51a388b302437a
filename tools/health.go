package tools

import (
	"sync"
	"time"
)

// Bridge is the state of the bridge, as the program sees it. It goes into the
// health resource.
type Bridge struct {
	// Pages is the number of pages that take calls.
	Pages int
	// Report is the full state, as a value that encodes to JSON.
	Report any
}

// Health is the health resource.
type Health struct {
	// Status is "ready", "indexing", "failed" (the graph could not be built),
	// "empty" (a page, but no graph in it) or "disconnected" (no page).
	Status        string         `json:"status"`
	Version       string         `json:"version"`
	UptimeSeconds int64          `json:"uptimeSeconds"`
	Bridge        any            `json:"bridge"`
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
		Bridge:        bridge.Report, Graphs: graphs,
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
	return h
}

func healthStatus(bridge Bridge, graphs []Codebase) string {
	switch {
	case bridge.Pages == 0:
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
