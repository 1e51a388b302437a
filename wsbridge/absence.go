package wsbridge

import (
	"errors"
	"time"

	"github.com/coder/websocket"
)

// absences is what a router remembers of pages that are not connected now: its
// own former ones and those of the hub before it. Its owner's lock guards it.
type absences struct {
	ranks  map[string]rank    // by session
	graphs map[string]absence // by name, of graphs that no page holds any more
}

// rank orders an absent page among the pages, see page.rank.
type rank struct {
	value int
	left  time.Time
}

// absence is the time without a graph.
type absence struct {
	outage
	rank int // of the page that held it
}

// maxAbsent bounds both maps: each load of a page is a session of its own, so a
// long-lived hub sees many. The page that left first is forgotten first.
const maxAbsent = 256

// add remembers a page that has left. pages are those that are still there. A
// closed tab has no rank to come back to: its session ends with it.
func (a *absences) add(p *page, out outage, pages []*page) {
	if !out.closed {
		evictOldest(a.ranks, func(r rank) time.Time { return r.left })
		a.ranks[p.session] = rank{p.rank, out.since}
	}
	if out.graph == "" {
		return
	}
	for _, other := range pages {
		if other.graph() == out.graph && (p.unproven() || !other.unproven()) {
			return
		}
	}
	if p.unproven() && a.returning(out.graph) > 0 {
		return
	}
	evictOldest(a.graphs, func(g absence) time.Time { return g.since })
	a.graphs[out.graph] = absence{out, p.rank}
}

func evictOldest[V any](m map[string]V, left func(V) time.Time) {
	if len(m) < maxAbsent {
		return
	}
	oldest, found := "", false
	for key, v := range m {
		if !found || left(v).Before(left(m[oldest])) {
			oldest, found = key, true
		}
	}
	delete(m, oldest)
}

// takeRank returns the rank that a page had, and forgets it.
func (a *absences) takeRank(session string) (int, bool) {
	r, ok := a.ranks[session]
	delete(a.ranks, session)
	return r.value, ok
}

// graph returns the outage of a graph whose page left not so long ago that it
// counts as gone for good.
func (a *absences) graph(name string) (outage, bool) {
	g, ok := a.graphs[name]
	if !ok {
		return outage{}, false
	}
	if passed, _ := g.step(); passed >= g.steps {
		delete(a.graphs, name)
		return outage{}, false
	}
	g.what = "the page with the graph " + name
	return g.outage, true
}

// returning is how long a page with a proof that had the graph may still come back
// with it; 0 or less for not at all. Until then no page without a proof has its calls.
func (a *absences) returning(graph string) time.Duration {
	if g, ok := a.graphs[graph]; ok && g.rank > unprovenRank/2 {
		return g.graceLeft()
	}
	return 0
}

// foreground returns how long a call that names no graph still waits for an
// absent page that ranks before first, the first of the connected pages: the
// call is meant for that page's graph.
func (a *absences) foreground(first *page) time.Duration {
	var wait time.Duration
	for _, g := range a.graphs {
		if first.context == nil || g.rank > first.rank {
			wait = max(wait, foregroundWait(g.outage, first))
		}
	}
	return wait
}

// foregroundWait is how long a call that is meant for an absent page waits for it,
// before it goes to first.
func foregroundWait(away outage, first *page) time.Duration {
	if first.unproven() {
		return away.graceLeft()
	}
	return min(away.grace, foregroundGrace) - time.Since(away.since)
}

// isClosedTab reports whether the cause of a connection's end is that its tab was
// closed or reloaded.
func isClosedTab(cause error) bool {
	e, ok := errors.AsType[websocket.CloseError](cause)
	return ok && e.Code == websocket.StatusGoingAway
}
