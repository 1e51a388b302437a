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
	opens   bool   // it can open further folders
	only    string // the folder that it was opened for in the background; "" for a page that a user sees
	loads   string // the folder that /api/repo gives it: only, or the hub's
	waits   bool   // it loads nothing before the user says what
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
	behind  bool // it has been in the background since it came
	rank    int  // the page that came to the foreground last has the highest
}

// before reports whether a call goes to p rather than to other. A page that proved
// nothing comes after all others, also after one that holds no graph yet; what was
// opened in the background comes after what the user opened.
func (p *page) before(other *page) bool {
	if a, b := p.unproven(), other.unproven(); a != b {
		return b
	}
	if a, b := p.behind, other.behind; a != b {
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

// holds reports whether the page has the graph of a folder, or is about to.
func (p *page) holds(f *folder) bool {
	switch {
	case p.only != "":
		return p.only == f.ID
	case p.context == nil || p.context.Repo == "":
		return p.loads == f.ID && !p.waits
	case p.context.Folder != "" || p.opens:
		return p.context.Folder == f.ID
	}
	return p.context.Repo == f.Name // one that does not tell folders from what the user picked
}

// left reports whether the page's connection has ended.
func (p *page) left() bool {
	select {
	case <-p.gone:
		return true
	default:
		return false
	}
}
