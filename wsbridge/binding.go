package wsbridge

import (
	"errors"
	"time"

	"github.com/coder/websocket"
)

// A binding says which pages may have a call that one may have already. One
// with side effects belongs to a single page, which knows the call's id and
// runs nothing twice; one that only reads may also go to another page with the
// same graph.
//
// A call is bound when it is first given to a page. Of a call through a hub, the
// hub's word is not enough, since it may be lost with the hub: so before a hub
// gives a peer's call with side effects to a page, it answers with the binding
// (a *boundError), and the peer sends the call again with that in it. From then
// on it is in the call, whichever hub gets it.
type binding struct {
	Page  string `json:"page,omitempty"` // the page's session; "" when the peer does not know it
	Graph string `json:"graph,omitempty"`
}

// allows tells whether a page may have the call. Without a binding, any may.
func (b *binding) allows(readOnly bool, page, graph string) bool {
	return b == nil || page == b.Page || readOnly && graph == b.Graph
}

// boundError tells a peer to which page its call would go.
type boundError struct{ binding }

func (e *boundError) Error() string { return "the call belongs to page " + e.Page }

// known is what a hub remembers of pages that it does not have just now: its
// own former ones, and those of the hub before it.
type known struct {
	fronts map[string]int     // by session: how far in front the page was
	graphs map[string]absence // by name, of graphs that no page here holds any more
}

// absence is the time without a graph.
type absence struct {
	outage
	front  int  // of the page that held it
	closed bool // its tab was closed or reloaded: it does not come back as it was
}

// maxKnown bounds each part. A page load is a session, so a long-lived hub sees many.
const maxKnown = 256

// left notes that a page no longer takes calls, and why. It must be called with
// mu held, when s is not among the ready pages any more.
func (h *Hub) left(s *session, cause error) {
	if len(h.known.fronts) < maxKnown {
		h.known.fronts[s.id] = s.front
	}
	pages := h.readyPages()
	indexing := s.context != nil && s.context.State == "indexing"
	if len(pages) == 0 {
		h.outage.begin(cause)
		h.outage.indexing = indexing
	}
	graph := s.repo()
	for _, other := range pages {
		if other.repo() == graph {
			return
		}
	}
	if graph != "" && len(h.known.graphs) < maxKnown {
		o := h.newOutage()
		o.begin(cause)
		o.indexing = indexing
		end, _ := errors.AsType[websocket.CloseError](cause)
		h.known.graphs[graph] = absence{o, s.front, end.Code == websocket.StatusGoingAway}
	}
}

// away returns the outage of a graph whose page went away not so long ago that
// it would count as gone for good. It must be called with mu held.
func (h *Hub) away(graph string) (outage, bool) {
	a, ok := h.known.graphs[graph]
	if !ok {
		return outage{}, false
	}
	if passed, _ := a.step(); passed >= a.steps {
		delete(h.known.graphs, graph)
		return outage{}, false
	}
	a.what = "the page with the graph " + graph
	return a.outage, true
}

// blink returns the outage of the graph that was in front of all pages here
// until just now: a call that names none is meant for it, and waits for it
// within the grace rather than be answered from another. It must be called with
// mu held, and there has to be a page.
func (h *Hub) blink(pages []*session) (front outage, ok bool) {
	most := 0
	for _, a := range h.known.graphs {
		before := pages[0].context == nil || a.front > pages[0].front
		if before && !a.closed && a.graceLeft() > 0 && (!ok || a.front > most) {
			front, most, ok = a.outage, a.front, true
		}
	}
	return front, ok
}

// succeed tells a new hub which pages its predecessor had, the one in front
// first, and since when nobody has had them.
func (h *Hub) succeed(pages []PageStatus, since time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, p := range pages {
		h.known.fronts[p.Session] = -i // behind every page that is new
		h.outage.connected = true
		if p.Context != nil && p.Context.Repo != "" {
			o := h.newOutage()
			o.connected, o.since = true, since
			if _, nearer := h.known.graphs[p.Context.Repo]; !nearer {
				h.known.graphs[p.Context.Repo] = absence{outage: o, front: -i}
			}
		}
	}
}
