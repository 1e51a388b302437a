package wsbridge

import (
	"context"
	"encoding/json"
	"time"
)

// page is one connected page, as the router sees it.
type page struct {
	// Set once.
	session string // the same across the page's reconnects
	dialect string
	since   time.Time
	slots   *slots
	gone    chan struct{} // closed by remove
	// send gives the page a call, and release is called as soon as the call is no
	// longer under way there. Errors: *ToolError, *droppedError, or the cause of
	// ctx's end.
	send func(ctx context.Context, c *Call, release func()) (json.RawMessage, error)
	// end closes the page's connection.
	end func(error)

	// Guarded by the router's mu.
	ready   bool // it takes calls
	context *GraphContext
	rank    int // the page that came to the foreground last has the highest
}

// before reports whether a call goes to p rather than to other. A page that proved
// nothing comes after all others, also after one that holds no graph yet.
func (p *page) before(other *page) bool {
	if a, b := p.unproven(), other.unproven(); a != b {
		return b
	}
	if a, b := p.context != nil, other.context != nil; a != b {
		return a
	}
	return p.rank > other.rank
}

// unproven reports whether the page came without a proof.
func (p *page) unproven() bool { return p.dialect == dialectV1{}.name() }

// unprovenRank puts a page without a proof behind every page that had one and is
// away for a moment.
const unprovenRank = -1 << 40

// graph is the name of the graph that the page holds; "" when it holds none.
func (p *page) graph() string {
	if p.context == nil {
		return ""
	}
	return p.context.Repo
}
