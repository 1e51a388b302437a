package wsbridge

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/gitnexus/gitnexus-mcp/resilience"
)

// breakers holds a circuit breaker for each graph, so that a page that hangs does
// not close the way to a healthy one. Calls for which no graph is known share the
// breaker of the graph "". All methods may be called concurrently.
type breakers struct {
	// Set once.
	settings resilience.BreakerSettings
	onChange func(graph, from, to string) // must not block

	mu      sync.Mutex
	byGraph map[string]*graphBreaker
}

// keptBreakers is the number of breakers that are kept when they have nothing to
// remember.
const keptBreakers = 16

type graphBreaker struct {
	*resilience.Breaker
	calls int   // that are in flight
	cause error // of the last failure
}

// BreakerStatus is the circuit breaker of one graph at one moment.
type BreakerStatus struct {
	// Graph is "" for calls for which no graph is known.
	Graph string `json:"graph"`
	// State is "closed", "open" or "half-open".
	State    string `json:"state"`
	Failures uint32 `json:"consecutiveFailures"`
	// RetryAfterMS is the time until an open breaker lets one call try.
	RetryAfterMS int64 `json:"retryAfterMs,omitempty"`
	// Cause is the last failure, in words.
	Cause string `json:"cause,omitempty"`
}

// countsAgainstGraph reports whether an error is a failure for the breaker: a
// lost page, or a call that was not answered in time.
func countsAgainstGraph(err error) bool {
	_, lost := errors.AsType[*LostError](err)
	return lost || errors.Is(err, context.DeadlineExceeded)
}

// saysNothingOfGraph reports whether an error is no failure and no success, such
// as that of a call that no page was asked.
func saysNothingOfGraph(err error) bool {
	switch err.(type) {
	case *ExhaustedError, *OverloadedError, *UnknownRepoError:
		return true
	}
	return errors.Is(err, context.Canceled)
}

// begin asks the graph's breaker whether a call may go on. The error is a
// *resilience.OpenError, which names the graph and the last failure. Otherwise
// finish is to be called once, with the call's outcome, and open returns the error
// for a further try while the breaker is open.
func (b *breakers) begin(graph string) (finish func(error), open func() error, err error) {
	b.mu.Lock()
	g := b.byGraph[graph]
	if g == nil {
		settings := b.settings
		settings.IsFailure, settings.IsIgnored = countsAgainstGraph, saysNothingOfGraph
		settings.OnChange = func(from, to string) { b.onChange(graph, from, to) }
		g = &graphBreaker{Breaker: resilience.NewBreaker(settings)}
		if b.byGraph == nil {
			b.byGraph = make(map[string]*graphBreaker)
		}
		b.byGraph[graph] = g
	}
	g.calls++
	b.mu.Unlock()

	named := func(err error) error {
		if e, ok := errors.AsType[*resilience.OpenError](err); ok {
			b.mu.Lock()
			e.Name, e.Cause = graph, g.cause
			b.mu.Unlock()
		}
		return err
	}
	done, err := g.Allow()
	if err != nil {
		b.release(graph, g, nil)
		return nil, nil, named(err)
	}
	finish = func(err error) {
		done(err)
		b.release(graph, g, err)
	}
	return finish, func() error { return named(g.Check()) }, nil
}

// release notes the outcome of a call. Where there are many breakers, it forgets
// one that has nothing to remember: agents name graphs as they like.
func (b *breakers) release(graph string, g *graphBreaker, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil && countsAgainstGraph(err) {
		g.cause = err
	}
	if g.calls--; g.calls > 0 || b.byGraph[graph] != g || len(b.byGraph) <= keptBreakers {
		return
	}
	if s := g.Status(); s.State == "closed" && s.Failures == 0 {
		delete(b.byGraph, graph)
	}
}

// reset closes the breaker of a graph, and that of calls without one: a page has
// come that holds the graph.
func (b *breakers) reset(graph string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, name := range []string{graph, ""} {
		if g := b.byGraph[name]; g != nil {
			g.Reset()
			g.cause = nil
			if g.calls == 0 {
				delete(b.byGraph, name)
			}
		}
	}
}

// status returns the breakers that have something to tell, by graph.
func (b *breakers) status() []BreakerStatus {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := []BreakerStatus{}
	for graph, g := range b.byGraph {
		s := g.Status()
		if s.State == "closed" && s.Failures == 0 {
			continue
		}
		status := BreakerStatus{Graph: graph, State: s.State, Failures: s.Failures, RetryAfterMS: s.RetryAfter.Milliseconds()}
		if g.cause != nil {
			status.Cause = g.cause.Error()
		}
		list = append(list, status)
	}
	slices.SortFunc(list, func(a, b BreakerStatus) int { return strings.Compare(a.Graph, b.Graph) })
	return list
}
