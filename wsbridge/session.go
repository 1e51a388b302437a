package wsbridge

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/gitnexus/gitnexus-mcp/coro"
)

// session is the hub's end of one link, to a page or to a peer.
type session struct {
	// Set once, before run.
	hub   *Hub
	link  *link
	codec codec

	pending pending       // calls in flight to a page
	places  *places       // of a page
	caller  caller        // of a peer
	gone    chan struct{} // closed once the hub knows that the link has ended

	// Written by the reader, read under hub.mu by others.
	id      string // the page's session, the same across its reconnects
	role    string // "" before the hello
	hello   helloParams
	ready   bool // a page that takes calls
	context *GraphContext
	front   int // hub.fronts when it came to the front last
	since   time.Time

	// Owned by the reader: the calls of a peer.
	calls   map[string]context.CancelCauseFunc
	callsMu sync.Mutex
	running sync.WaitGroup
	coros   coro.Pool // which make the calls
}

func newSession(h *Hub, conn *websocket.Conn, raw io.Closer, c codec) *session {
	return &session{
		hub: h, codec: c, since: time.Now(), calls: make(map[string]context.CancelCauseFunc),
		gone: make(chan struct{}), places: newPlaces(h.opt.MaxInflight),
		link: newLink(conn, raw, h.opt.Heartbeat, h.opt.MaxMessage, c.ask),
	}
}

// run serves the link until it ends and returns why.
func (s *session) run(ctx context.Context) error {
	if _, v1 := s.codec.(codecV1); v1 {
		s.welcome(helloParams{Role: rolePage, Session: "v1-" + s.since.Format("150405.000000000"), Version: "v1"})
		s.admitCalls()
	} else {
		timer := time.AfterFunc(s.hub.opt.HelloTimeout, func() {
			s.hub.mu.Lock()
			silent := s.role == ""
			s.hub.mu.Unlock()
			if silent {
				s.link.end(&linkError{status: statusNoHello, reason: "no hello within " + s.hub.opt.HelloTimeout.String()})
			}
		})
		defer timer.Stop()
	}
	err := s.link.run(ctx, s.handle)
	s.places.close()
	s.pending.kill(&droppedError{err})
	s.callsMu.Lock()
	for _, cancel := range s.calls {
		cancel(errPeerGone)
	}
	s.callsMu.Unlock()
	s.running.Wait()
	s.coros.Close()
	return err
}

// ended logs the end of a link and tells who needs to know.
func (s *session) ended(err error) {
	h := s.hub
	if s.role == "" {
		h.opt.Log.Warn("link ended before its hello", "reason", err)
		return
	}
	h.opt.Log.Info(s.role+" disconnected", "session", s.id, "after", time.Since(s.since).Round(time.Millisecond), "reason", err)
	if s.role == rolePeer {
		h.tellAgents()
	} else {
		h.pagesChanged()
	}
}

// handle is called by the link's reader, one message at a time.
func (s *session) handle(data []byte) error {
	e, err := s.codec.decode(data)
	if err != nil {
		return err
	}
	switch e := e.(type) {
	case helloEvent:
		return s.greet(e)
	case pingEvent:
		s.link.control(encodeResult(e.id, struct{}{}))
		return nil
	}
	switch s.role {
	case rolePage:
		return s.handlePage(e)
	case rolePeer:
		return s.handlePeer(e)
	}
	return unknown("the first message has to be %s", methodHello)
}

func (s *session) greet(e helloEvent) error {
	refuse := func(reason string) error {
		return &linkError{status: statusIncompatible, reason: reason}
	}
	switch {
	case s.role != "":
		return unknown("a second hello")
	case e.params.Role != rolePage && e.params.Role != rolePeer:
		return refuse("hello: role has to be \"page\" or \"peer\"")
	case e.params.Session == "" || len(e.params.Session) > 100:
		return refuse("hello: session has to be 1 to 100 characters, random, one a page load")
	}
	if err := checkWindow(e.params.Parts); err != nil {
		return err
	}
	s.welcome(e.params)
	if e.params.Role == rolePage {
		s.link.answers = s.answer
	} else {
		s.link.takesParts(e.params.Parts)
		s.link.maxUnread = maxUnfinished * s.hub.opt.MaxMessage
	}
	h := s.hub
	s.link.control(encodeResult(e.id, helloResult{
		Version: h.opt.Version, PID: os.Getpid(), HeartbeatMS: h.opt.Heartbeat.Milliseconds(), Repo: h.opt.RepoName,
		Parts: partsWindow,
	}))
	if e.params.Role == rolePeer {
		h.tellAgents()
		h.tell.Lock()
		h.tellPages(s)
		h.tell.Unlock()
		return nil
	}
	h.tell.Lock()
	defer h.tell.Unlock()
	h.mu.Lock()
	agents := h.agents()
	h.mu.Unlock()
	s.link.control(s.codec.agents(agents))
	return nil
}

// welcome notes who is there. A page whose former link is still open, because
// nobody has noticed its death yet, takes its place.
func (s *session) welcome(hello helloParams) {
	h := s.hub
	h.mu.Lock()
	var former *session
	for other := range h.all {
		if other != s && hello.Role == rolePage && other.role == rolePage && other.id == hello.Session {
			former = other
		}
	}
	s.id, s.role, s.hello = hello.Session, hello.Role, hello
	if former != nil && former.ready { // until it has said what it has loaded
		former.ready = false
		h.left(former, nil)
	}
	if front, ok := h.known.fronts[s.id]; ok {
		delete(h.known.fronts, s.id)
		s.front = front
	} else {
		h.fronts++
		s.front = h.fronts
	}
	h.mu.Unlock()
	if former != nil {
		former.link.end(&linkError{status: websocket.StatusGoingAway, reason: "the same page has a new link"})
	}
	h.opt.Log.Info(hello.Role+" connected", "session", hello.Session, "version", clip(hello.Version, 40),
		"dialect", s.codec.name(), "agent", clip(hello.Agent, 80))
}

// admitCalls makes a page one that calls can go to.
func (s *session) admitCalls() {
	h := s.hub
	h.mu.Lock()
	first := !s.ready
	s.ready = true
	h.wake()
	h.mu.Unlock()
	if first {
		h.opt.OnPage()
	}
}

func (s *session) handlePage(e event) error {
	h := s.hub
	switch e := e.(type) {
	case contextEvent:
		h.mu.Lock()
		s.context = e.params.Context
		delete(h.known.graphs, s.repo())
		h.mu.Unlock()
		s.admitCalls()
		h.pagesChanged()
	case frontEvent:
		h.mu.Lock()
		h.fronts++
		s.front = h.fronts
		h.mu.Unlock()
		h.pagesChanged()
	case progressEvent:
		s.pending.report(e.params)
	case answerEvent:
		return s.settle(e, s.link.carry)
	default:
		return unknown("a page may not send that")
	}
	return nil
}

// answer settles a call by a large answer, beside the reader.
func (s *session) answer(data []byte) error {
	e, err := s.codec.decode(data)
	if err != nil {
		return err
	}
	a, ok := e.(answerEvent)
	if !ok {
		return unknown("only answers may come in parts")
	}
	return s.settle(a, carryBeside)
}

// settle gives a call its answer, and to carry what goes on with it. Answers to
// pings, and those that come too late, find no call.
func (s *session) settle(e answerEvent, carry func(*coro.Coro, outcome) error) error {
	var o outcome
	if e.failure != nil {
		o.err = toolError(e.failure)
	} else if o.result, o.err = structured(s.codec, e); o.err != nil {
		w := s.pending.settle(e.id, outcome{err: &ToolError{Message: "The page's answer could not be understood: " + o.err.Error()}})
		if w == nil {
			return nil // a ping's empty result
		}
		go w.coro.Resume()
		return o.err
	}
	w := s.pending.settle(e.id, o)
	if w == nil {
		s.hub.opt.Log.Debug("late answer dropped", "call", e.id, "session", s.id)
		return nil
	}
	return carry(w.coro, o)
}

// toolError reads a page's refusal of a call.
func toolError(w *wireError) *ToolError {
	e := &ToolError{Message: w.Message, NotFound: w.Code == codeMethodNotFound}
	var data struct {
		Retryable bool            `json:"retryable"`
		Details   json.RawMessage `json:"details"`
	}
	if json.Unmarshal(w.Data, &data) == nil { // data is optional, and ours to understand or not
		e.Retryable = data.Retryable
		if len(data.Details) > 0 && data.Details[0] == '{' {
			e.Details = data.Details
		}
	}
	return e
}

// repo is the name of the graph that the page holds; "" when it holds none. It
// must be called with hub.mu held.
func (s *session) repo() string {
	if s.context == nil {
		return ""
	}
	return s.context.Repo
}

// before tells whether a call goes to s rather than to other. It must be called
// with hub.mu held.
func (s *session) before(other *session) bool {
	if a, b := s.context != nil, other.context != nil; a != b {
		return a
	}
	return s.front > other.front
}
