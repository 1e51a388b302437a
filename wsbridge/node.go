package wsbridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/gitnexus/gitnexus-mcp/guard"
)

// Node is one gitnexus-mcp process on the bridge. It listens; when the port is
// taken it joins the hub that holds it as a peer, and when that hub goes it
// tries to become the hub. All methods may be called concurrently.
type Node struct {
	// Set once.
	opt      Options
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
		opt: opt, agent: opt.Agent, changed: make(chan struct{}), trouble: trouble{reason: "it is starting"},
		listen: listenLoopback(opt.Backoff, opt.Log), dial: dialLoopback, holder: holder,
		outage: newOutage(opt), errors: new(errorLog),
	}
	n.breakers.settings = opt.Breaker
	n.breakers.onChange = func(graph, from, to string) {
		opt.Log.Warn("circuit breaker", "graph", graph, "from", from, "to", to)
		opt.OnTransition(Transition{Kind: "breaker_" + to, Graph: graph, Cause: "it was " + from})
	}
	return n
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

// Call gives a call to a page, by way of the hub where this process is not it,
// and returns the structured content of the answer: valid JSON. Errors:
// *resilience.OpenError, *LostError, *ExhaustedError, *ToolError,
// *UnknownRepoError, *OverloadedError, *guard.Panic, or the cause of ctx's end.
//
// When the page or the hub goes with the call in flight, the call is sent again
// with the same id: a page that knows the id joins what still runs, or answers
// from memory. A read-only or idempotent call is also tried again, by Options.Retry,
// when a passing condition refused it: a page that is busy, or one that was lost
// with the call and has not come back within the grace period.
func (n *Node) Call(ctx context.Context, c *Call) (json.RawMessage, error) {
	graph := n.graph(c)
	c.Trace.expect(graph)
	finish, open, err := n.breakers.begin(graph)
	if err != nil {
		return nil, n.failed(ctx, c, err, false)
	}
	settled := context.Canceled // says nothing of the graph: what a panic leaves
	defer func() { finish(settled) }()

	attempt := *c
	sent := false // a page may have got the call, and its answer did not come
	for tries := 1; ; {
		c.Trace.try(n.role(), tries)
		up, err := n.await(ctx, &attempt)
		var result json.RawMessage
		if err == nil {
			result, err = up.Do(ctx, &attempt)
		}
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			err = context.Cause(ctx)
		}
		if again, ok := errors.AsType[*resendError](err); ok {
			n.opt.Log.Debug("call is sent again", "id", c.ID, "reason", again)
			attempt.affinity, attempt.resent, sent = again.affinity, true, sent || again.sent
			continue
		}
		if lost, ok := errors.AsType[*LostError](err); ok {
			sent = sent || lost.Sent // a hub of an older version says so
		}
		wait, retry := n.retryAfter(ctx, &attempt, err, sent, tries)
		if retry {
			n.opt.Log.Debug("call is tried again", "id", c.ID, "try", tries, "in", wait, "reason", err)
			retry = sleep(ctx, wait)
		}
		if retry {
			if openErr := open(); openErr != nil {
				err, retry = openErr, false
			}
		}
		if !retry {
			settled = err
			return result, n.failed(ctx, c, err, sent)
		}
		tries++
		if _, busy := errors.AsType[*ToolError](err); busy {
			// The page remembers its answer to an id, and this call is to run again.
			attempt.ID, attempt.affinity = fmt.Sprintf("%s-%d", c.ID, tries), nil
		}
	}
}

// retryAfter is the retry policy: whether a failed call is tried again, and after
// how long.
func (n *Node) retryAfter(ctx context.Context, c *Call, err error, sent bool, tries int) (time.Duration, bool) {
	if err == nil || !c.ReadOnly && !c.Idempotent || ctx.Err() != nil {
		return 0, false
	}
	tool, failed := errors.AsType[*ToolError](err)
	_, lost := errors.AsType[*LostError](err)
	if passing := failed && tool.Retryable || lost && sent; !passing { // a LostError of a call that no page has is final
		return 0, false
	}
	return n.opt.Retry.Wait(ctx, tries)
}

// sleep waits, and reports whether ctx is still there.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}

// failed completes the error that the agent gets, and keeps it for health. It is
// the one place where that error is decided.
func (n *Node) failed(ctx context.Context, c *Call, err error, sent bool) error {
	if ctx.Err() != nil && err != nil {
		return context.Cause(ctx)
	}
	switch e := err.(type) {
	case nil:
		return nil
	case *LostError:
		e.Sent, e.URL = sent, n.opt.Gate.URL()
	case *ExhaustedError:
		e.URL = n.opt.Gate.URL()
	}
	n.errors.note(c, err)
	return err
}

// await returns the upstream, waiting for it within the grace period.
func (n *Node) await(ctx context.Context, c *Call) (upstream, error) {
	report := waitReport{call: c, total: n.opt.Grace}
	for began := time.Now(); ; {
		n.mu.Lock()
		up, changed, stopped := n.up, n.changed, n.stopped
		wait := n.outage.graceLeft()
		lost := n.lost()
		n.mu.Unlock()
		if stopped {
			return nil, &LostError{Reason: errStopping.reason, RetryAfter: time.Second}
		}
		if up != nil {
			select {
			case <-up.Done(): // it has ended, and is about to be replaced
				wait = n.opt.Grace - time.Since(began)
			default:
				return up, nil
			}
		}
		if wait <= 0 {
			return nil, lost
		}
		timer := time.NewTimer(report.until(wait))
		select {
		case <-changed:
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
}

// lost is the error for a call that found no upstream. It must be called with mu held.
func (n *Node) lost() *LostError {
	passed, _ := n.outage.step()
	return &LostError{
		RetryAfter: n.opt.Backoff.Ceiling(min(passed, n.outage.steps)),
		Reason:     "this server is not on the bridge: " + n.trouble.reason, Advice: n.trouble.advice, NeverConnected: !n.outage.connected,
	}
}

// graph is the graph that a call would reach now; "" when it is not known.
func (n *Node) graph(c *Call) string {
	n.mu.Lock()
	up := n.up
	n.mu.Unlock()
	if up == nil {
		return c.Repo
	}
	return up.Graph(c)
}

// peerGraph is the graph that a call would reach by way of the hub, as far as the
// hub has told.
func (n *Node) peerGraph(c *Call) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if c.Repo != "" || len(n.pages) == 0 || n.pages[0].Context == nil {
		return c.Repo
	}
	return n.pages[0].Context.Repo
}

// lead is the hub until that ends.
func (n *Node) lead(ctx context.Context, listeners []net.Listener) error {
	n.mu.Lock()
	opt := n.opt
	opt.Agent = n.agent
	h := newHub(opt)
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
	p.conn.control(encode("", methodAgents, agentsParams{[]Agent{{agent, os.Getpid()}}}))
	if len(alerts) > 0 {
		p.conn.control(encode("", methodAlerts, alertsParams{alerts}))
	}
	n.opt.Log.Info("peer", "hub", p.hub.PID)
	n.opt.OnTransition(Transition{Kind: "became_peer", Cause: fmt.Sprintf("the hub is pid %d", p.hub.PID)})
	n.opt.OnContext()
}

// leave makes it none.
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

// settled notes that the process has found its place. It must be called with mu held.
func (n *Node) settled(up upstream) {
	n.up = up
	n.trouble, n.step, n.next = trouble{}, 0, time.Time{}
	n.wake()
}

// alone notes that it has lost its place. It must be called with mu held.
func (n *Node) alone() {
	n.up = nil
	n.outage.begin(nil)
	n.wake()
}

// wake lets every call that waits for an upstream look again. It must be called
// with mu held.
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

// setTrouble notes why the process has no place, unless it has found one.
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
		peer.conn.control(encode("", methodAgents, agentsParams{[]Agent{{name, os.Getpid()}}}))
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
