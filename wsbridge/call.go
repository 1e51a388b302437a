package wsbridge

import (
	"cmp"
	"context"
	"encoding/json"
	"time"
)

// Call is one tool call. The transport that read it makes it, and the same type
// travels through tools, node, router and connections. Its maker sets the
// exported fields before Node.Call and does not change them afterwards.
type Call struct {
	// ID is unique everywhere, and stays the same wherever the call travels.
	ID   string
	Tool string
	// Arguments is a JSON object, valid and with its defaults.
	Arguments json.RawMessage
	// Agent is the name of the agent that asks.
	Agent string
	// Repo names a graph; "" means the one whose page was in the foreground last.
	Repo string
	// Folder is the one that the caller works in, where that is not the process's own.
	// Its ID is "" for the process's own.
	Folder Folder
	// ReadOnly calls may be sent again to another page that holds the same graph.
	ReadOnly bool
	// ReadOnly and Idempotent calls are tried again after a passing refusal.
	Idempotent bool
	// Heavy calls may take long: they get at most half of a page's slots.
	Heavy bool
	// Progress is told how far the call is, one call of it at a time, until
	// Node.Call returns; nil when nobody asked. It may block.
	Progress func(progress float64, total *float64, message string)
	// Trace, when set, is filled in with how the call travelled.
	Trace *Trace

	folder   string    // the id of the folder that it asks about; "" for the graph of Repo
	client   *client   // whose share of a page's slots the call takes; nil for this process's own
	affinity *affinity // nil until a page may have the call
	resent   bool      // it was accepted once, so it is not refused for its number
}

// Trace is what the bridge knows of one call's way, for debug answers. It may
// be read once the call has returned. Its methods do nothing on a nil Trace.
type Trace struct {
	// Role is "hub" or "peer": what this process was.
	Role string `json:"role,omitempty"`
	// Page is the session of the page that got the call, and Dialect its protocol.
	Page    string `json:"page,omitempty"`
	Dialect string `json:"dialect,omitempty"`
	// Graph is the graph of that page; as long as no page is known to have got the
	// call, the one that it should reach.
	Graph string `json:"graph,omitempty"`
	// Attempt counts the times the call was sent to a page, from 1; 0 when it never was.
	Attempt int `json:"attempt"`
	// Tries counts the tries of the retry policy, from 1.
	Tries int `json:"tries,omitempty"`
	// WaitMS is the time spent waiting for a page and for a slot at it, PageMS
	// from sending to the answer.
	WaitMS float64 `json:"waitMs"`
	PageMS float64 `json:"pageMs"`
}

func (t *Trace) try(role string, tries int) {
	if t != nil {
		t.Role, t.Tries = role, tries
	}
}

func (t *Trace) expect(graph string) {
	if t != nil {
		t.Graph = graph
	}
}

func (t *Trace) waited(since time.Time) {
	if t != nil {
		t.WaitMS += milliseconds(time.Since(since))
	}
}

func (t *Trace) sent(to *page, graph string) {
	if t != nil {
		t.Attempt++
		t.Page, t.Dialect, t.Graph = to.session, to.dialect, graph
	}
}

// answered is told the graph again: a page that still made its first one had none
// when the call was sent.
func (t *Trace) answered(since time.Time, graph string) {
	if t != nil {
		t.PageMS += milliseconds(time.Since(since))
		t.Graph = cmp.Or(t.Graph, graph)
	}
}

// add takes over what the hub traced of one attempt of a peer's call.
func (t *Trace) add(hub *Trace) {
	if t == nil || hub == nil {
		return
	}
	t.Page, t.Dialect, t.Graph = hub.Page, hub.Dialect, cmp.Or(hub.Graph, t.Graph)
	t.Attempt += hub.Attempt
	t.WaitMS += hub.WaitMS
	t.PageMS += hub.PageMS
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// affinity says which pages may get a call that a page may have already. A call
// with side effects belongs to one page, which knows the call's id and runs
// nothing twice; a call that only reads may also go to another page with the
// same graph.
//
// The router pins a call to a page before it sends it there. For a call that
// comes through a hub the hub's memory is not enough, since it may be lost with
// the hub: before a hub gives a peer's call with side effects to a page, it
// answers with the affinity (a *resendError), and the peer sends the call again
// with it. From then on the affinity travels with the call. The first hub that
// gets the call so may still choose another page, until it has sent it (Unsent);
// when that hub is lost, nobody knows whether it has.
type affinity struct {
	Page  string `json:"page,omitempty"` // the page's session; "" when the peer does not know it
	Graph string `json:"graph,omitempty"`
	// Closed is true when the tab of the page was closed or reloaded with the call.
	Closed bool `json:"closed,omitempty"`
	// Unsent is true as long as no page can have got the call: when its page has
	// gone, it may go to any other.
	Unsent bool `json:"unsent,omitempty"`

	lostAt time.Time // when the page's connection dropped with the call; zero if it is not known
}

// allows reports whether a page may get the call. A nil affinity allows any.
func (a *affinity) allows(readOnly bool, session, graph string) bool {
	return a == nil || session == a.Page || readOnly && graph == a.Graph
}

// upstream gives calls to pages: the router while this process holds the port,
// the connection to the hub while another process does.
type upstream interface {
	// Do sends the call to a page, once, and returns the structured content of
	// the answer: valid JSON. It waits for a page within the grace period and for
	// a slot at it. Errors: *LostError, *ExhaustedError, *ToolError,
	// *UnknownRepoError, *OverloadedError, *resendError, or the cause of ctx's end.
	Do(ctx context.Context, c *Call) (json.RawMessage, error)
	// Done is closed when the upstream takes no more calls.
	Done() <-chan struct{}
	// Graph is the graph that the call would reach now; "" when there is none.
	Graph(c *Call) string
}
