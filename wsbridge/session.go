package wsbridge

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/gitnexus/gitnexus-mcp/sanitize"
)

// session is the hub's end of one connection, to a page or to a peer.
type session struct {
	// Set once, before run.
	hub   *hub
	conn  *conn
	since time.Time
	// proven is what the client proved to be; zero for a v1 page.
	proven identity

	// Written by the reader, read under hub.mu by others.
	role   string // "" before the hello
	hello  helloParams
	alerts []Alert // of a peer: those it knows of
	key    string  // opens the HTTP endpoints; of a page, set with role

	page *page // of a page; set with role
	// folders is what the page was told of them last; guarded by hub.broadcast.
	folders string
	client  client // of a peer

	notices bucket // of a page; owned by the reader
}

func newSession(h *hub, c *conn, proven identity) *session {
	s := &session{hub: h, conn: c, since: time.Now(), proven: proven}
	c.handle, c.memory.above = s.handle, h.memory
	return s
}

// run serves the connection until it ends and returns why.
func (s *session) run(ctx context.Context) (err error) {
	defer func() {
		if s.page != nil {
			s.hub.router.remove(s.page, err)
		}
	}()
	if _, v1 := s.conn.dialect.(dialectV1); v1 {
		s.welcome(helloParams{Role: rolePage, Session: "v1-" + s.since.Format("150405.000000000"), Version: "v1"})
		s.hub.router.setContext(s.page, nil)
		s.hub.tellAgents(isProvenPage)
	} else {
		timer := time.AfterFunc(s.hub.opt.HelloTimeout, func() {
			s.hub.mu.Lock()
			silent := s.role == ""
			s.hub.mu.Unlock()
			if silent {
				s.conn.end(&connError{status: statusNoHello, reason: "no hello within " + s.hub.opt.HelloTimeout.String()})
			}
		})
		defer timer.Stop()
	}
	return s.conn.run(ctx)
}

// handle is called by the connection's reader, one event at a time.
func (s *session) handle(e event) error {
	if hello, ok := e.(helloEvent); ok {
		return s.greet(hello)
	}
	if s.role == rolePage {
		return s.handlePage(e)
	}
	return s.handlePeer(e)
}

func (s *session) greet(e helloEvent) error {
	refuse := func(reason string) error {
		return &connError{status: statusIncompatible, reason: reason}
	}
	switch {
	case s.role != "":
		return forbidden("a second hello")
	case e.params.Role != rolePage && e.params.Role != rolePeer:
		return refuse("hello: role has to be \"page\" or \"peer\"")
	case e.params.Role != s.proven.role:
		return forbidden("hello: not the role of the proof")
	case e.params.Session == "" || len(e.params.Session) > 100:
		return refuse("hello: session has to be 1 to 100 characters, random, one a page load")
	}
	if err := checkWindow(e.params.Parts); err != nil {
		return err
	}
	s.welcome(e.params)
	h := s.hub
	if s.role == rolePage {
		h.gate.Load().Pairing.used(s.proven.id)
	}
	s.conn.takesParts = true
	s.conn.sendsParts(e.params.Parts)
	var repo string
	if s.role == rolePage {
		s.conn.maxNotice = maxNotice
		if f := h.router.folder(s.page.loads); f != nil {
			repo = f.Name
		}
	} else {
		h.useFolder(s.hello.Folder)
		s.conn.serveCall = s.serve
		s.conn.maxQueuedBytes = maxUnfinished * h.opt.MaxMessage
	}
	storageKey := ""
	if s.role == rolePage {
		storageKey = h.gate.Load().storageKey()
	}
	s.conn.control(encodeResult(e.id, helloResult{
		Version: h.opt.Version, PID: os.Getpid(), HeartbeatMS: h.opt.Heartbeat.Milliseconds(), Repo: repo, Key: s.key, StorageKey: storageKey,
		Parts: partsWindow, Backoff: h.opt.Backoff,
	}))
	h.greeted(s)
	return nil
}

// welcome notes who is at the other end.
func (s *session) welcome(hello helloParams) {
	h := s.hub
	hello.Agent, hello.Version = sanitize.Name(hello.Agent, maxName), sanitize.Name(hello.Version, maxName)
	hello.Session = sanitize.Name(hello.Session, maxName)
	s.conn.greeted = true
	hello.Background = sanitize.Name(hello.Background, maxName)
	loads := hello.Background
	if first := h.router.firstFolder(); loads == "" && first != nil && s.proven.role != "" {
		loads = first.ID
	}
	h.mu.Lock()
	s.role, s.hello = hello.Role, hello
	if s.role == rolePage {
		if s.proven.role != "" {
			s.key = rand.Text()
		}
		s.page = &page{
			session: hello.Session, dialect: s.conn.dialect.name(), since: s.since, slots: newSlots(h.opt.MaxInflight),
			opens: hello.Opens, only: hello.Background, behind: hello.Behind || hello.Background != "", loads: loads, waits: hello.Loads == "nothing",
			gone: make(chan struct{}), send: s.send, end: s.conn.end,
		}
	}
	h.mu.Unlock()
	if s.page != nil {
		h.router.add(s.page)
	}
	h.opt.Log.Info(hello.Role+" connected", "session", hello.Session, "version", clip(hello.Version, 40),
		"dialect", s.conn.dialect.name(), "agent", clip(hello.Agent, 80))
	kind := s.role + "_connected"
	if s.page != nil && hello.Reloaded {
		kind = "page_reloaded"
	}
	h.opt.OnTransition(Transition{Kind: kind, Session: hello.Session})
}

// graph is the graph that a page holds; "" for none, and for a peer.
func (s *session) graph() string {
	if s.page == nil || s.page.context == nil {
		return ""
	}
	return s.page.context.Repo
}

// handlePage handles what a page says of itself.
func (s *session) handlePage(e event) error {
	if !s.notices.take() {
		return crossed("more than %d messages a second about itself", noticeRate)
	}
	switch e := e.(type) {
	case contextEvent:
		s.hub.router.setContext(s.page, e.params.Context.bounded())
	case frontEvent:
		s.hub.router.foreground(s.page)
	default:
		return forbidden("a page may not send that")
	}
	s.hub.pagesChanged()
	return nil
}

// send gives the page a call, see page.send.
func (s *session) send(ctx context.Context, c *Call, release func()) (json.RawMessage, error) {
	left := maxTime
	if deadline, ok := ctx.Deadline(); ok {
		left = time.Until(deadline)
	}
	given := *c
	given.affinity, given.folder = nil, "" // nothing for pages
	var progress func(progressParams)
	if c.Progress != nil {
		progress = func(p progressParams) { c.Progress(p.Progress, p.Total, sanitize.Name(p.Message, maxName)) }
	}
	answer, err := s.conn.request(ctx, c.ID, s.conn.dialect.call(&given, left), progress, release)
	if err != nil {
		return nil, err
	}
	if answer.failure != nil {
		return nil, pageError(answer.failure)
	}
	content, err := s.conn.dialect.content(answer)
	if err != nil {
		s.conn.end(refusal(err))
		return nil, &ToolError{Message: "The page's answer could not be understood: " + err.Error()}
	}
	return content, nil
}

// maxTime stands on the wire for a call without a deadline.
const maxTime = 24 * time.Hour

// handlePeer serves the calls of a peer's agent.
func (s *session) handlePeer(e event) error {
	switch e := e.(type) {
	case callEvent:
		s.serve(e)
	case agentsEvent:
		if len(e.params.Agents) > 0 {
			s.hub.mu.Lock()
			s.hello.Agent = sanitize.Name(e.params.Agents[0].Name, maxName)
			s.hub.mu.Unlock()
			s.hub.tellAgents(isPage)
		}
	case alertsEvent:
		s.hub.mu.Lock()
		s.alerts = e.params.Alerts
		s.hub.mu.Unlock()
		s.hub.tellAlerts()
	default:
		return forbidden("a peer may not send that")
	}
	return nil
}

// serve serves one call of a peer's agent.
func (s *session) serve(e callEvent) {
	timeout := time.Duration(e.params.Meta.DeadlineMS) * time.Millisecond // the peer has its own; this one is for a peer that died
	s.conn.serve(e.id, timeout, func(ctx context.Context) []byte { return s.call(ctx, e) })
}

// call gives a peer's call to a page and returns the frame that answers it, or
// nil when this process stops: that is no answer, and the peer asks the next hub.
func (s *session) call(ctx context.Context, e callEvent) []byte {
	meta := e.params.Meta
	c := &Call{
		ID: e.id, Tool: e.params.Name, Arguments: e.params.Arguments, Agent: meta.Agent, Repo: meta.Repo, folder: meta.Folder,
		ReadOnly: meta.ReadOnly, Heavy: meta.Heavy, Trace: new(Trace), client: &s.client, affinity: meta.Affinity,
	}
	if meta.ProgressToken != "" {
		c.Progress = func(progress float64, total *float64, message string) {
			s.conn.control(encode("", methodProgress, progressParams{meta.ProgressToken, progress, total, message}))
		}
	}
	result, err := s.hub.router.Do(ctx, c)
	if err != nil {
		if s.hub.stopping() {
			return nil
		}
		s.hub.errors.note(c, err)
		return encodeError(e.id, encodePeerError(err))
	}
	answer := encodeAnswer(e.id, result, c.Trace)
	// A message over its limit would end the peer's connection, and the call
	// would be sent again, and end it again.
	if limit := s.hello.MaxMessage; limit > 0 && int64(len(answer)) > limit {
		return encodeError(e.id, encodePeerError(&ToolError{Message: fmt.Sprintf(
			"The answer has %d bytes, and this server takes %d (--max-message). Ask for less, or start it with a higher limit.",
			len(answer), limit)}))
	}
	return answer
}
