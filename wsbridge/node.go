package wsbridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/gitnexus/gitnexus-mcp/reconnect"
)

// Node is one gitnexus-mcp process on the bridge. It listens; when the port is
// taken it joins the hub that holds it as a peer, and when that hub goes it
// tries to become the hub. All methods may be called concurrently.
type Node struct {
	// Set once.
	opt    Options
	client *http.Client

	mu      sync.Mutex
	hub     *Hub         // while this process is the hub
	peer    *peer        // while it is a peer
	pages   []PageStatus // of a peer: what the hub said last
	agent   string
	changed chan struct{} // closed and replaced when hub or peer changes
	trouble string        // why it is neither
	outage  outage        // time as neither
	errors  errorLog
}

// NewNode returns a node that takes part once Run is called. Gate.Port is the
// port to listen on.
func NewNode(opt Options) *Node {
	opt = opt.withDefaults()
	return &Node{
		opt: opt, agent: opt.Agent, changed: make(chan struct{}), trouble: "starting",
		client: &http.Client{Transport: &http.Transport{Proxy: nil, DisableKeepAlives: true}},
		outage: outage{since: time.Now(), grace: opt.Grace, backoff: opt.Backoff, steps: opt.MaxReconnect},
	}
}

// raceAfter is how long a peer's link has to have lived for its end to mean
// that the hub is gone, and the port there for the taking, rather than that the
// hub will not have us.
const raceAfter = time.Second

// Run takes part in the bridge until ctx ends. It returns once the port is free
// and every link is closed.
func (n *Node) Run(ctx context.Context) error {
	loop := reconnect.Loop{
		Connect: n.takePart,
		Backoff: n.opt.Backoff,
		OnWait: func(_ int, _ time.Duration, cause error) {
			n.setTrouble(cause)
		},
	}
	_ = loop.Run(ctx, nil) // returns only when ctx ends
	return nil
}

// takePart is the hub, or a peer, until that ends. When a hub goes, all its
// peers race for the port at once: listening is the election.
func (n *Node) takePart(ctx context.Context, up func()) error {
	for {
		listeners, err := listen(n.opt.Gate.Port)
		if err == nil {
			up()
			return n.serve(ctx, listeners)
		}
		if !isAddressInUse(err) {
			return err
		}
		var joined time.Time
		n.mu.Lock()
		agent := n.agent
		n.mu.Unlock()
		err = dialPeer(ctx, n.opt, agent, n.client, func(p *peer) {
			joined = time.Now()
			up()
			n.join(p)
		}, n.setPages)
		n.leave(err)
		if _, foreign := errors.AsType[*foreignError](err); foreign {
			err = fmt.Errorf("port %d is taken%s: %w", n.opt.Gate.Port, holder(n.opt.Gate.Port), err)
		}
		if ctx.Err() != nil || joined.IsZero() || time.Since(joined) < raceAfter {
			return err
		}
	}
}

// listen takes the port on IPv4 loopback, which decides who is the hub, and on
// IPv6 where there is such a thing.
func listen(port int) ([]net.Listener, error) {
	v4, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, err
	}
	v6, err := net.Listen("tcp6", net.JoinHostPort("::1", strconv.Itoa(port)))
	if err != nil {
		return []net.Listener{v4}, nil
	}
	return []net.Listener{v4, v6}, nil
}

func (n *Node) serve(ctx context.Context, listeners []net.Listener) error {
	n.mu.Lock()
	opt := n.opt
	opt.Agent = n.agent
	h := NewHub(opt)
	n.hub, n.trouble = h, ""
	n.wake()
	n.mu.Unlock()
	n.opt.Log.Info("hub", "url", h.URL())
	n.opt.OnContext()
	err := h.Serve(ctx, listeners...)
	n.mu.Lock()
	n.hub = nil
	n.outage.begin()
	n.wake()
	n.mu.Unlock()
	return err
}

func (n *Node) join(p *peer) {
	n.mu.Lock()
	n.peer, n.trouble = p, ""
	agent := n.agent
	n.wake()
	n.mu.Unlock()
	// The name may have become known while we dialled.
	p.link.control(encode("", methodAgents, agentsParams{[]Agent{{agent, os.Getpid()}}}))
	n.opt.Log.Info("peer", "hub", p.hub.PID)
}

func (n *Node) leave(cause error) {
	n.mu.Lock()
	was := n.peer
	if was != nil {
		n.peer, n.pages = nil, nil
		n.outage.begin()
		n.wake()
	}
	n.mu.Unlock()
	if was != nil {
		n.opt.Log.Info("hub lost", "hub", was.hub.PID, "reason", cause)
		n.opt.OnContext()
	}
}

// setPages is told by the hub which pages it has.
func (n *Node) setPages(pages []PageStatus) {
	n.mu.Lock()
	fresh := false
	for _, p := range pages {
		known := false
		for _, old := range n.pages {
			known = known || old.Session == p.Session && old.Since.Equal(p.Since)
		}
		fresh = fresh || !known
	}
	n.pages = pages
	n.mu.Unlock()
	if fresh {
		n.opt.OnPage()
	}
	n.opt.OnContext()
}

func (n *Node) setTrouble(cause error) {
	if cause == nil {
		return
	}
	n.mu.Lock()
	same := n.trouble == cause.Error()
	n.trouble = cause.Error()
	n.mu.Unlock()
	if !same { // one line a transition, none a retry
		n.opt.Log.Warn("no place on the bridge", "reason", cause)
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
	if c.Trace == nil {
		c.Trace = new(Trace)
	}
	sent := false
	for {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		n.mu.Lock()
		hub, peer, changed := n.hub, n.peer, n.changed
		wait, trouble := n.outage.graceLeft(), n.trouble
		n.mu.Unlock()
		switch {
		case hub != nil:
			result, err := hub.Call(ctx, c)
			return result, wasSent(err, sent)
		case peer != nil:
			result, err := exchange(ctx, peer.link, &peer.pending, codecV2{}, c, nil)
			c.Trace.Role = "peer"
			if _, dropped := errors.AsType[*droppedError](err); !dropped {
				if err != nil {
					n.mu.Lock()
					n.errors.note(c, err)
					n.mu.Unlock()
				}
				return result, wasSent(err, sent)
			}
			sent = true
			// The link is dead before leave has noticed: wait for that.
		case wait <= 0:
			return nil, wasSent(n.lost(trouble), sent)
		}
		timer := time.NewTimer(max(wait, time.Millisecond))
		select {
		case <-changed:
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
	}
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
func (n *Node) lost(trouble string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	passed, _ := n.outage.step()
	err := &LostError{
		RetryAfter: n.opt.Backoff.Ceiling(min(passed, n.outage.steps)), URL: n.opt.Gate.URL(),
		Reason: "this server is not on the bridge: " + trouble, NeverConnected: !n.outage.connected,
	}
	n.errors.add(err.Error())
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
		Agents: []Agent{{n.agent, os.Getpid()}}, Trouble: n.trouble, LastErrors: append([]LoggedError{}, n.errors...),
	}
	if n.peer != nil {
		st.Role, st.HubPID = "peer", n.peer.hub.PID
	}
	return st
}
