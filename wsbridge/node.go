package wsbridge

import (
	"context"
	"fmt"
	"net"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gitnexus/gitnexus-mcp/guard"
)

// Node is one gitnexus-mcp process on the bridge. It listens; when the port is
// taken it joins the hub that holds it as a peer, and when that hub goes it
// tries to become the hub. All methods may be called concurrently.
type Node struct {
	// Set once.
	opt      Options
	gate     *atomic.Pointer[Gate] // the present one; opt has the one of the start
	listen   listenFunc
	dial     dialFunc
	holder   func(port int) program
	breakers breakers
	errors   *errorLog

	mu      sync.Mutex
	up      upstream     // nil while this process is neither hub nor peer
	hub     *hub         // while this process is the hub
	peer    *hubConn     // while it is a peer
	pages   []PageStatus // of a peer: what the hub said last
	waits   *outage      // of a peer: how long that hub has had no page
	former  []PageStatus // the pages of the hub that this process was a peer of last
	folder  Folder
	agent   string
	alerts  []Alert
	changed chan struct{} // closed and replaced when up changes
	lastHub int           // the process that is or was the hub, until it is known to be gone
	trouble trouble       // why it is neither
	step    int           // of the schedule, while it is neither
	next    time.Time     // when it tries again, while it waits for that
	outage  outage        // time as neither
	stopped bool          // Run has returned, or is about to
}

// trouble says why a process is neither hub nor peer.
type trouble struct {
	reason string
	advice string // what a person can do about it; may be empty
}

// NewNode returns a node that takes part once Run is called. Gate.Port is the
// port to listen on.
func NewNode(opt Options) *Node {
	opt = opt.withDefaults()
	n := &Node{
		opt: opt, gate: newGate(opt.Gate), agent: opt.Agent, folder: opt.Folder, changed: make(chan struct{}), trouble: trouble{reason: "it is starting"},
		listen: listenHub(opt.Gate, opt.Backoff, opt.Log), dial: dialHub, holder: holder,
		outage: newOutage(opt), errors: new(errorLog),
	}
	n.breakers.settings = opt.Breaker
	n.breakers.onChange = func(graph, from, to string) {
		opt.Log.Warn("circuit breaker", "graph", graph, "from", from, "to", to)
		opt.OnTransition(Transition{Kind: "breaker_" + to, Graph: graph, Cause: "it was " + from})
	}
	return n
}

func newGate(gate Gate) *atomic.Pointer[Gate] {
	p := new(atomic.Pointer[Gate])
	p.Store(&gate)
	return p
}

// Gate is the node's gate with the present token.
func (n *Node) Gate() Gate { return *n.gate.Load() }

// renewGate takes the token that there is by now, and reports whether it is another one.
// A token that cannot be read changes nothing.
func (n *Node) renewGate() bool {
	if n.opt.RenewGate == nil {
		return false
	}
	gate, err := n.opt.RenewGate()
	if err != nil {
		n.opt.Log.Warn("the token cannot be read anew", "reason", err)
		return false
	}
	n.mu.Lock() // only one of several concurrent callers finds the token replaced
	defer n.mu.Unlock()
	if gate.Token == n.Gate().Token {
		return false
	}
	n.gate.Store(&gate)
	n.opt.Log.Info("there is another token")
	return true
}

// SetFolder gives the node its folder, as the options do, or another one. A peer
// joins its hub again then, which learns the folder from its hello; calls in flight
// are sent again.
func (n *Node) SetFolder(f Folder) {
	n.mu.Lock()
	changed := n.folder.ID != f.ID
	n.folder = f
	hub, peer := n.hub, n.peer
	n.mu.Unlock()
	switch {
	case !changed:
	case hub != nil:
		hub.setFolder(f)
	case peer != nil:
		peer.conn.end(errOtherFolder)
	}
}

// UseFolder has pages hold a folder for one client of this process, whose calls name
// it (Call.Folder), until release is called. It does nothing unless this process is
// the hub, which alone has such clients.
func (n *Node) UseFolder(f Folder) (release func()) {
	n.mu.Lock()
	hub := n.hub
	n.mu.Unlock()
	if hub == nil {
		return func() {}
	}
	return hub.serveFolder(f)
}

// Folder is this process's folder.
func (n *Node) Folder() Folder {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.folder
}

// Run takes part in the bridge until ctx ends. It returns once the port is free
// and every connection is closed. A panic in a move of the election is logged,
// and the election begins again.
func (n *Node) Run(ctx context.Context) error {
	c := candidate{node: n}
	for e := (election{}); e.move != moveStop; {
		began := time.Now()
		f := hubFailed
		if p := guard.Run("election", n.opt.Panics.Report, func() { f = c.make(ctx, e) }); p != nil {
			c.reset(p)
		}
		lived := time.Duration(0)
		if e.move == moveLead || e.move == moveFollow {
			lived = time.Since(began)
		}
		if ctx.Err() != nil {
			f = stopped
		}
		e = e.next(f, lived)
	}
	n.mu.Lock()
	n.stopped = true
	n.wake()
	n.mu.Unlock()
	c.release()
	return nil
}

// lead serves as the hub until ctx ends or a listener fails.
func (n *Node) lead(ctx context.Context, listeners []net.Listener) error {
	n.mu.Lock()
	opt := n.opt
	opt.Agent, opt.Folder = n.agent, n.folder
	h := newHub(opt)
	h.gate, h.renew = n.gate, n.renewGate
	h.errors, h.alerts = n.errors, n.alerts
	h.router.onGraph = n.breakers.reset
	h.router.succeed(n.former, n.outage.since)
	n.hub, n.former = h, nil
	n.settled(h.router)
	n.mu.Unlock()
	n.opt.Log.Info("hub", "url", h.URL())
	n.opt.OnTransition(Transition{Kind: "became_hub"})
	n.opt.OnContext()
	err := h.Serve(ctx, listeners...)
	n.mu.Lock()
	n.hub = nil
	n.alone()
	n.mu.Unlock()
	return err
}

// join makes the process a peer.
func (n *Node) join(p *hubConn) {
	n.mu.Lock()
	n.peer, n.lastHub = p, p.hub.PID
	p.graph = n.peerGraph
	n.settled(p)
	agent, alerts := n.agent, n.alerts
	n.mu.Unlock()
	// The name may have become known while we dialled.
	p.conn.control(encode("", methodAgents, agentsParams{Agents: []Agent{{agent, os.Getpid()}}}))
	if len(alerts) > 0 {
		p.conn.control(encode("", methodAlerts, alertsParams{alerts}))
	}
	n.opt.Log.Info("peer", "hub", p.hub.PID, "network", p.network)
	n.opt.OnTransition(Transition{Kind: "became_peer", Cause: fmt.Sprintf("the hub is pid %d", p.hub.PID)})
	n.opt.OnContext()
}

// leave ends the process's role as a peer.
func (n *Node) leave(p *hubConn, why fact, cause error) {
	n.mu.Lock()
	n.peer, n.pages, n.waits, n.former = nil, nil, nil, n.pages
	n.trouble = trouble{reason: fmt.Sprintf("its hub (pid %d) is gone: %v", p.hub.PID, cause)}
	n.alone()
	n.mu.Unlock()
	n.opt.Log.Info("hub lost", "hub", p.hub.PID, "reason", cause)
	n.opt.OnTransition(Transition{Kind: "hub_lost", Cause: fmt.Sprintf("pid %d: %v", p.hub.PID, cause)})
	if why == hubFrozen {
		n.setTrouble(n.silence())
	}
	n.opt.OnContext()
}

// settled notes that the process is the hub or a peer now. It must be called with mu held.
func (n *Node) settled(up upstream) {
	n.up = up
	n.trouble, n.step, n.next = trouble{}, 0, time.Time{}
	n.wake()
}

// alone notes that the process is neither any more. It must be called with mu held.
func (n *Node) alone() {
	n.up = nil
	n.outage.begin(nil)
	n.wake()
}

// wake resumes every call that waits for an upstream. It must be called with mu held.
func (n *Node) wake() {
	close(n.changed)
	n.changed = make(chan struct{})
}

// setPages is told by the hub which pages it has.
func (n *Node) setPages(p *hubConn, told pagesParams) {
	n.mu.Lock()
	if p.conn.ended() { // we have left that hub, or do at this moment
		n.mu.Unlock()
		return
	}
	var fresh []PageStatus
	for _, page := range told.Pages {
		if !slices.ContainsFunc(n.pages, func(old PageStatus) bool {
			return old.Session == page.Session && old.Since.Equal(page.Since) && old.graph() == page.graph()
		}) {
			fresh = append(fresh, page)
		}
	}
	n.pages, n.waits = told.Pages, nil
	if r := told.Reconnect; r != nil {
		n.waits = &outage{
			since: time.Now().Add(-time.Duration(r.SinceMS) * time.Millisecond), connected: r.Connected, noPage: r.Reason, backoff: n.opt.Backoff, steps: n.outage.steps,
		}
	}
	n.mu.Unlock()
	for _, page := range fresh {
		n.breakers.reset(page.graph())
	}
	n.opt.OnContext()
}

// setTrouble notes why the process is neither hub nor peer, unless it has become one.
func (n *Node) setTrouble(t trouble) {
	n.mu.Lock()
	news := n.trouble.reason != t.reason && n.up == nil
	if news {
		n.trouble = t
	}
	n.mu.Unlock()
	if news { // one line a transition, none a retry
		n.opt.Log.Warn("no place on the bridge", "reason", t.reason)
	}
}

// SetAgent names this process's agent, once its MCP client has said so.
func (n *Node) SetAgent(name string) {
	n.mu.Lock()
	n.agent = name
	hub, peer := n.hub, n.peer
	n.mu.Unlock()
	switch {
	case hub != nil:
		hub.SetAgent(name)
	case peer != nil:
		peer.conn.control(encode("", methodAgents, agentsParams{Agents: []Agent{{name, os.Getpid()}}}))
	}
}

// SetAlerts says which alerts this process knows of, none or all that are not
// over. The hub shows the pages its own and those of its peers. Use from one
// goroutine at a time, so that what it says last stays.
func (n *Node) SetAlerts(alerts []Alert) {
	n.mu.Lock()
	n.alerts = alerts
	hub, peer := n.hub, n.peer
	n.mu.Unlock()
	switch {
	case hub != nil:
		hub.SetAlerts(alerts)
	case peer != nil:
		peer.conn.control(encode("", methodAlerts, alertsParams{alerts}))
	}
}

// Roles of a process.
const (
	roleHub     = "hub"
	roleNowhere = "none"
)

func (n *Node) role() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case n.hub != nil:
		return roleHub
	case n.peer != nil:
		return rolePeer
	}
	return roleNowhere
}

// Status returns the node's present state.
func (n *Node) Status() Status {
	n.mu.Lock()
	defer n.mu.Unlock()
	st := Status{
		Role: roleNowhere, PID: os.Getpid(), URL: n.opt.Gate.URL(), Pages: append([]PageStatus{}, n.pages...),
		Agents: []Agent{{n.agent, os.Getpid()}}, Trouble: n.trouble.reason, LastErrors: n.errors.last(), Panics: n.opt.Panics.Recent(),
	}
	switch {
	case n.hub != nil:
		st = n.hub.Status()
	case n.peer != nil:
		st.Role, st.HubPID = rolePeer, n.peer.hub.PID
		if n.waits != nil {
			st.Reconnect = n.waits.status()
		}
	default:
		st.Advice = n.trouble.advice
		st.Reconnect = n.outage.status()
		st.Reconnect.Step, st.Reconnect.NextMS = n.step, max(0, time.Until(n.next).Milliseconds())
	}
	st.Breakers = n.breakers.status()
	return st
}
