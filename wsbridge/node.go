package wsbridge

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// Node is one gitnexus-mcp process on the bridge. It listens; when the port is
// taken it joins the hub that holds it as a peer, and when that hub goes it
// tries to become the hub. All methods may be called concurrently.
type Node struct {
	// Set once.
	opt    Options
	listen listenFunc
	dial   dialFunc
	holder func(port int) program

	mu      sync.Mutex
	hub     *Hub         // while this process is the hub
	peer    *peer        // while it is a peer
	pages   []PageStatus // of a peer: what the hub said last
	waits   *outage      // of a peer: how long that hub has had no page
	former  []PageStatus // the pages of the hub that this process was a peer of last
	agent   string
	changed chan struct{} // closed and replaced when hub or peer changes
	lastHub int           // the process that is or was the hub, until it is known to be gone
	trouble trouble       // why it is neither
	step    int           // of the schedule, while it is neither
	next    time.Time     // when it tries again, while it waits for that
	outage  outage        // time as neither
	errors  errorLog
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
	return &Node{
		opt: opt, agent: opt.Agent, changed: make(chan struct{}), trouble: trouble{reason: "it is starting"},
		listen: listenLoopback(opt.Backoff, opt.Log), dial: dialLoopback, holder: holder,
		outage: outage{since: time.Now(), grace: opt.Grace, backoff: opt.Backoff, steps: opt.MaxReconnect},
	}
}

// silentLimit is how long a process waits for the word of a holder of the port
// that takes connections. It is the longest step of the reconnect schedule: a
// frozen hub that goes on, or dies, ends the wait at once.
const silentLimit = time.Minute

// Run takes part in the bridge until ctx ends. It returns once the port is free
// and every link is closed.
func (n *Node) Run(ctx context.Context) error {
	c := candidate{node: n}
	for e := (election{}); e.move != moveStop; {
		began := time.Now()
		f := c.make(ctx, e)
		lived := time.Duration(0)
		if e.move == moveLead || e.move == moveFollow {
			lived = time.Since(began)
		}
		if ctx.Err() != nil {
			f = stopped
		}
		e = e.next(f, lived)
	}
	c.release()
	return nil
}

// candidate makes the moves of an election, and holds what one move leaves for
// the next.
type candidate struct {
	node *Node

	listeners []net.Listener     // from moveListen to moveLead
	proven    *provenHolder      // from moveProve to moveJoin
	limit     context.Context    // of both
	unlimit   context.CancelFunc // ends what belongs to limit
	peer      *peer              // from moveJoin to moveFollow
	trouble   trouble            // why there is no place, as of the last move
	closing   sync.WaitGroup     // links that have ended and say goodbye
}

func (c *candidate) release() {
	closeAll(c.listeners)
	if c.proven != nil {
		_ = c.proven.Close()
	}
	if c.unlimit != nil {
		c.unlimit()
	}
	if c.peer != nil {
		<-c.peer.closed
	}
	c.closing.Wait()
}

// make makes a move and says what came of it. It returns soon after ctx has
// ended, and then what it says does not matter.
func (c *candidate) make(ctx context.Context, e election) fact {
	n := c.node
	var err error
	switch e.move {
	case moveListen:
		c.listeners, err = n.listen(n.opt.Gate.Port)
		switch {
		case err == nil:
			n.forgetHub()
			return portOurs
		case isAddressInUse(err):
			return portTaken
		}
		c.trouble = trouble{fmt.Sprintf("it cannot listen on port %d: %v", n.opt.Gate.Port, errno(err)), adviseOtherPort}
		return portDenied

	case moveLead:
		err = n.lead(ctx, c.listeners)
		c.listeners = nil
		c.trouble = trouble{reason: fmt.Sprintf("it lost port %d: %v", n.opt.Gate.Port, err)}
		return hubFailed

	case moveProve:
		c.limit, c.unlimit = n.limit(ctx)
		c.proven, err = proveHolder(c.limit, n.opt.Gate, n.dial)
		if err == nil {
			return holderProved
		}
		return c.turnedAway(err)

	case moveJoin:
		proven := c.proven
		c.proven = nil
		n.mu.Lock()
		agent := n.agent
		n.mu.Unlock()
		c.peer, err = joinHub(ctx, c.limit, n.opt, agent, proven, n.setPages)
		if err != nil {
			_ = proven.Close()
			return c.turnedAway(err)
		}
		c.unlimit()
		return hubJoined

	case moveFollow:
		p := c.peer
		c.peer = nil
		n.join(p)
		<-p.link.done
		c.closing.Go(func() { <-p.closed })
		f, cause := p.ended()
		n.leave(p, f, cause)
		c.trouble = n.trouble
		return f

	case moveWait:
		n.mu.Lock()
		wait := n.opt.Backoff.Delay(e.attempt)
		n.step, n.next = e.attempt, time.Now().Add(wait)
		n.mu.Unlock()
		n.setTrouble(c.trouble)
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
		return waited
	}
	panic("wsbridge: no such move: " + string(e.move))
}

// forgetHub notes that the port was free, so that the last hub is no more.
func (n *Node) forgetHub() {
	n.mu.Lock()
	n.lastHub = 0
	n.mu.Unlock()
}

// limit bounds the wait for the holder's word, and says what the trouble is when
// it takes longer than a word does.
func (n *Node) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	timer := time.AfterFunc(n.opt.HelloTimeout, func() { n.setTrouble(n.silence()) })
	ctx, cancel := context.WithTimeout(ctx, max(silentLimit, n.opt.HelloTimeout))
	return ctx, func() {
		timer.Stop()
		cancel()
	}
}

// turnedAway ends moveProve or moveJoin without a hub.
func (c *candidate) turnedAway(err error) fact {
	c.unlimit()
	n := c.node
	e, _ := errors.AsType[*holderError](err)
	if e.fact == holderGone {
		n.forgetHub()
	}
	c.trouble = trouble{reason: err.Error()}
	if e.fact == holderForeign {
		c.trouble = trouble{fmt.Sprintf("port %d is taken%s: %v", n.opt.Gate.Port, n.holder(n.opt.Gate.Port), err), adviseOtherPort}
	}
	return e.fact
}

// silence says in words who holds the port and does not answer.
func (n *Node) silence() trouble {
	h := n.holder(n.opt.Gate.Port)
	n.mu.Lock()
	last := n.lastHub
	n.mu.Unlock()
	if h.pid == 0 {
		h.pid = last
	}
	// A process that we have never met is a hub when it runs the same program, of
	// whose name the system may tell the beginning alone.
	exe, _ := os.Executable()
	same := h.name != "" && strings.HasPrefix(filepath.Base(exe), h.name)
	if h.pid == 0 || h.pid != last && !same {
		return trouble{fmt.Sprintf("port %d is taken%s, which takes connections and does not answer: it is frozen, or no gitnexus-mcp",
			n.opt.Gate.Port, cmp.Or(h.String(), " by a program")), adviseOtherPort}
	}
	end := fmt.Sprintf("End it (kill -9 %d) or let it go on (kill -CONT %d)", h.pid, h.pid)
	if runtime.GOOS == "windows" {
		end = fmt.Sprintf("End it (taskkill /F /PID %d)", h.pid)
	}
	return trouble{fmt.Sprintf("the hub (pid %d) does not answer: it is frozen", h.pid),
		"Nothing has to be restarted. " + end + ": calls then work again by themselves."}
}

const adviseOtherPort = "Ask the user to end that program, or to give gitnexus-mcp another port (--port or GITNEXUS_PORT). " +
	"Once the port is free, calls work again by themselves."

// lead is the hub until that ends.
func (n *Node) lead(ctx context.Context, listeners []net.Listener) error {
	n.mu.Lock()
	opt := n.opt
	opt.Agent = n.agent
	h := NewHub(opt)
	h.succeed(n.former, n.outage.since)
	n.hub, n.former = h, nil
	n.settled()
	n.mu.Unlock()
	n.opt.Log.Info("hub", "url", h.URL())
	n.opt.OnContext()
	err := h.Serve(ctx, listeners...)
	n.mu.Lock()
	n.hub = nil
	n.outage.begin(nil)
	n.wake()
	n.mu.Unlock()
	return err
}

// join makes the process a peer.
func (n *Node) join(p *peer) {
	n.mu.Lock()
	n.peer, n.lastHub = p, p.hub.PID
	n.settled()
	agent := n.agent
	n.mu.Unlock()
	// The name may have become known while we dialled.
	p.link.control(encode("", methodAgents, agentsParams{[]Agent{{agent, os.Getpid()}}}))
	n.opt.Log.Info("peer", "hub", p.hub.PID)
	n.opt.OnContext()
}

// settled notes that the process has a place. It must be called with mu held.
func (n *Node) settled() {
	n.trouble, n.step, n.next = trouble{}, 0, time.Time{}
	n.wake()
}

// leave makes it none.
func (n *Node) leave(p *peer, why fact, cause error) {
	n.mu.Lock()
	n.peer, n.pages, n.waits, n.former = nil, nil, nil, n.pages
	n.trouble = trouble{reason: fmt.Sprintf("its hub (pid %d) is gone: %v", p.hub.PID, cause)}
	n.outage.begin(nil)
	n.wake()
	n.mu.Unlock()
	n.opt.Log.Info("hub lost", "hub", p.hub.PID, "reason", cause)
	if why == hubFrozen {
		n.setTrouble(n.silence())
	}
	n.opt.OnContext()
}

// setPages is told by the hub which pages it has.
func (n *Node) setPages(p *peer, told pagesParams) {
	n.mu.Lock()
	if p.link.stopped() { // we have left that hub, or do at this moment
		n.mu.Unlock()
		return
	}
	fresh := false
	for _, page := range told.Pages {
		known := false
		for _, old := range n.pages {
			known = known || old.Session == page.Session && old.Since.Equal(page.Since)
		}
		fresh = fresh || !known
	}
	n.pages, n.waits = told.Pages, nil
	if r := told.Reconnect; r != nil {
		n.waits = &outage{
			since: time.Now().Add(-time.Duration(r.SinceMS) * time.Millisecond), connected: r.Connected, backoff: n.opt.Backoff, steps: n.outage.steps,
		}
	}
	n.mu.Unlock()
	if fresh {
		n.opt.OnPage()
	}
	n.opt.OnContext()
}

// setTrouble notes why the process has no place, unless it has found one.
func (n *Node) setTrouble(t trouble) {
	n.mu.Lock()
	news := n.trouble.reason != t.reason && n.hub == nil && n.peer == nil
	if news {
		n.trouble = t
	}
	n.mu.Unlock()
	if news { // one line a transition, none a retry
		n.opt.Log.Warn("no place on the bridge", "reason", t.reason)
	}
}

// wake must be called with mu held.
func (n *Node) wake() {
	close(n.changed)
	n.changed = make(chan struct{})
}

// Call gives a call to a page, by way of the hub where this process is not it.
// See Hub.Call for the errors. When the hub goes with the call in flight, the
// call is sent again, with the same id, to its successor.
func (n *Node) Call(ctx context.Context, c Call) (json.RawMessage, error) {
	sent := false
	for {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		n.mu.Lock()
		hub, peer, changed := n.hub, n.peer, n.changed
		wait, trouble := n.outage.graceLeft(), n.trouble
		front := n.front()
		n.mu.Unlock()
		switch {
		case hub != nil:
			result, err := hub.Call(ctx, c)
			return result, wasSent(err, sent)
		case peer != nil:
			result, err := exchange(ctx, peer.link, &peer.pending, codecV2{}, c, nil)
			c.Trace.role("peer")
			if bound, ok := errors.AsType[*boundError](err); ok {
				c.bound = &bound.binding
				continue
			}
			if _, dropped := errors.AsType[*droppedError](err); !dropped {
				if err != nil {
					n.mu.Lock()
					n.errors.note(c, err)
					n.mu.Unlock()
				}
				return result, wasSent(err, sent)
			}
			sent = true
			if graph := cmp.Or(c.Repo, front); c.bound == nil && c.ReadOnly && graph != "" {
				c.bound = &binding{Graph: graph}
			}
			// The link is dead before leave has noticed: wait for that.
		case wait <= 0:
			return nil, wasSent(n.lost(c, trouble), sent)
		}
		c.Coro.Detach()
		timer := time.NewTimer(max(wait, time.Millisecond))
		select {
		case <-changed:
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

// front is the graph of the page that the hub has in front, as far as it has
// told; "" when there is none. It must be called with mu held.
func (n *Node) front() string {
	if len(n.pages) == 0 || n.pages[0].Context == nil {
		return ""
	}
	return n.pages[0].Context.Repo
}

// wasSent notes on a *LostError that the call was sent before, over a link that
// is lost.
func wasSent(err error, sent bool) error {
	if lost, ok := errors.AsType[*LostError](err); ok && sent {
		lost.Sent = true
	}
	return err
}

// lost is the error for a call that found neither hub nor page.
func (n *Node) lost(c Call, t trouble) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	passed, _ := n.outage.step()
	err := &LostError{
		RetryAfter: n.opt.Backoff.Ceiling(min(passed, n.outage.steps)), URL: n.opt.Gate.URL(),
		Reason: "this server is not on the bridge: " + t.reason, Advice: t.advice, NeverConnected: !n.outage.connected,
	}
	n.errors.note(c, err)
	return err
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
		peer.link.control(encode("", methodAgents, agentsParams{[]Agent{{name, os.Getpid()}}}))
	}
}

// Status returns the node's present state.
func (n *Node) Status() Status {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.hub != nil {
		return n.hub.Status()
	}
	st := Status{
		Role: "none", PID: os.Getpid(), URL: n.opt.Gate.URL(), Pages: append([]PageStatus{}, n.pages...),
		Agents: []Agent{{n.agent, os.Getpid()}}, Trouble: n.trouble.reason, LastErrors: append([]LoggedError{}, n.errors...),
	}
	if n.peer != nil {
		st.Role, st.HubPID = "peer", n.peer.hub.PID
		if n.waits != nil {
			st.Reconnect = n.waits.status()
		}
		return st
	}
	st.Advice = n.trouble.advice
	st.Reconnect = n.outage.status()
	st.Reconnect.Step, st.Reconnect.NextMS = n.step, max(0, time.Until(n.next).Milliseconds())
	return st
}
