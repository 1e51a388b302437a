package tools

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/gitnexus/gitnexus-mcp/guard"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// BridgeHealth is the state of the bridge. Its pages name their graphs, whose
// figures are in Health.Graphs.
type BridgeHealth struct {
	wsbridge.Status
	Pages []PageHealth `json:"pages"`
}

// PageHealth is one connected page.
type PageHealth struct {
	wsbridge.PageStatus
	// Context names the graph; nil when nothing is loaded.
	Context *PageGraph `json:"context"`
}

// PageGraph names the graph of a page.
type PageGraph struct {
	Repo string `json:"repo"`
}

func bridgeHealth(status wsbridge.Status) BridgeHealth {
	b := BridgeHealth{Status: status, Pages: make([]PageHealth, len(status.Pages))}
	for i, page := range status.Pages {
		b.Pages[i].PageStatus = page
		if page.Context != nil {
			b.Pages[i].Context = &PageGraph{page.Context.Repo}
		}
	}
	return b
}

// Health is the health resource.
type Health struct {
	// Status is "ready", "indexing", "failed" (the graph could not be built),
	// "empty" (a page, but no graph in it) or "disconnected" (no page).
	Status string `json:"status"`
	// Summary says in a few sentences how things are and what to do.
	Summary       string                  `json:"summary"`
	Version       string                  `json:"version"`
	UptimeSeconds int64                   `json:"uptimeSeconds"`
	Bridge        BridgeHealth            `json:"bridge"`
	Graphs        []wsbridge.GraphContext `json:"graphs"`
	Breakers      []BreakerHealth         `json:"breakers"` // that are open, or count failures
	Calls         CallCounts              `json:"calls"`
	LastErrors    []CallError             `json:"lastErrors"`       // of calls, oldest first
	Panics        []guard.Panic           `json:"panics,omitempty"` // of this process, oldest first
	Alerts        []wsbridge.Alert        `json:"alerts,omitempty"` // that are not over
	Limits        map[string]any          `json:"limits"`
	// Truncated is true when lists are cut, so that the health is no larger than an
	// answer may be.
	Truncated bool `json:"truncated,omitempty"`
}

// BreakerHealth is the circuit breaker of one graph at one moment.
type BreakerHealth struct {
	// Graph is "" for calls for which no graph is known.
	Graph    string `json:"graph"`
	State    string `json:"state"`
	Failures uint32 `json:"consecutiveFailures"`
	// Cause is the last failure, in words.
	Cause string `json:"cause,omitempty"`
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

// encode returns the health as JSON that takes at most room bytes of a message where
// room is not 0: the figures of graphs go first, then the older entries of all lists.
func (h Health) encode(room int) ([]byte, error) {
	for keep := 64; ; keep /= 2 {
		raw, err := json.MarshalIndent(h, "", "  ")
		if err != nil || room <= 0 || quotedBytes(raw, 1) <= room || keep == 0 {
			return raw, err
		}
		for i := range h.Graphs {
			h.Graphs[i].Hotspots, h.Graphs[i].Languages = nil, nil
		}
		h.Truncated = true
		h.Graphs, h.Bridge.Pages = head(h.Graphs, keep), head(h.Bridge.Pages, keep)
		h.Bridge.Agents, h.Breakers = head(h.Bridge.Agents, keep), head(h.Breakers, keep)
		h.Alerts, h.LastErrors = head(h.Alerts, keep), tail(h.LastErrors, keep)
		h.Bridge.LastErrors = tail(h.Bridge.LastErrors, keep)
		h.Panics, h.Bridge.Panics = tail(h.Panics, keep/16), nil
	}
}

func head[T any](list []T, n int) []T { return list[:min(len(list), n)] }
func tail[T any](list []T, n int) []T { return list[max(0, len(list)-n):] }

// Health returns the server's present health.
func (s *Server) Health() Health {
	graphs := s.Graphs()
	bridge := s.options.Bridge()
	h := Health{
		Status: healthStatus(bridge, graphs), Version: s.options.Version,
		UptimeSeconds: int64(time.Since(s.started).Seconds()),
		Bridge:        bridgeHealth(bridge), Graphs: graphs,
		Breakers: breakersHealth(bridge.Breakers),
		Limits: map[string]any{
			"timeoutQuickMs": s.options.Timeouts.For(0).Milliseconds(),
			"timeoutHeavyMs": s.options.Timeouts.For(1).Milliseconds(),
			"maxResultBytes": s.options.MaxResult,
			"callsAtOnce":    s.options.MaxCalls,
		},
	}
	h.Panics = s.options.Panics.Recent()
	h.Calls, h.LastErrors = s.stats.snapshot()
	h.Summary = h.inWords(s.graphsToTell())
	if s.options.Alerts != nil {
		h.Alerts = s.options.Alerts()
	}
	for _, a := range h.Alerts {
		h.Summary += " Alert: " + a.Message + ". Tell the user: " + a.Advice
	}
	return h
}

func breakersHealth(all []wsbridge.BreakerStatus) []BreakerHealth {
	list := []BreakerHealth{}
	for _, b := range all {
		h := BreakerHealth{Graph: clip(b.Graph, 100), State: b.State, Failures: b.Failures, Cause: clip(b.Cause, 300)}
		if b.RetryAfterMS > 0 {
			h.RetryAfter = wholeSeconds(time.Duration(b.RetryAfterMS) * time.Millisecond)
		}
		list = append(list, h)
	}
	return list
}

func healthStatus(bridge wsbridge.Status, graphs []wsbridge.GraphContext) string {
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
func (h *Health) inWords(graphs []wsbridge.GraphContext) string {
	var b strings.Builder
	switch bridge := h.Bridge.Status; {
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
	case len(h.Graphs) == 0 && len(graphs) > 0 && graphs[0].State == stateLoading:
		fmt.Fprintf(&b, "%s is %s.", code(graphs[0].Repo), stateInWords(graphs[0]))
	case h.Status == "disconnected":
		b.WriteString(waitInWords(bridge))
	case h.Status == "empty":
		b.WriteString("A page is connected, and nothing is loaded in it. Ask the user to load the repository there.")
	default:
		first, is := h.Graphs[0], "is "
		if first.State == "error" {
			is = ""
		}
		fmt.Fprintf(&b, "%s %s%s.", code(first.Repo), is, stateInWords(first))
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
	for _, breaker := range h.Breakers {
		of := ""
		if breaker.Graph != "" {
			of = " of the graph " + code(breaker.Graph)
		}
		switch breaker.State {
		case "open":
			fmt.Fprintf(&b, " The circuit breaker%s is open after %d failures in a row: its calls are refused for another %d s, or until its page connects.",
				of, breaker.Failures, breaker.RetryAfter)
		case "half-open":
			fmt.Fprintf(&b, " The circuit breaker%s was open; the next call decides whether it closes.", of)
		}
	}
	return b.String()
}

// waitInWords says how long there has been no page, and what to do.
func waitInWords(b wsbridge.Status) string {
	ask := askToOpen(b.URL) + "."
	r := b.Reconnect
	if r == nil {
		return "No page is connected. A page that is still open reconnects by itself; otherwise " + ask
	}
	since := seconds((time.Duration(r.SinceMS) * time.Millisecond).Round(time.Second))
	if r.Reason != "" {
		return fmt.Sprintf("No page has been connected for %s. %s To have the app without it, %s", since, r.Reason, ask)
	}
	switch {
	case !r.Connected:
		return fmt.Sprintf("No page has connected in the %s since the start. %s", since, capital(ask))
	case r.Step >= r.Of:
		return fmt.Sprintf("The page has been gone for %s, longer than its whole reconnect schedule. %s", since, capital(ask))
	}
	return fmt.Sprintf("The page's connection was lost %s ago. A page that is still open reconnects by itself: step %d of %d of its schedule, the next within %s. If it stays lost, %s",
		since, r.Step+1, r.Of, seconds((time.Duration(r.NextMS) * time.Millisecond).Round(100*time.Millisecond)), ask)
}
