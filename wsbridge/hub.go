package wsbridge

import (
	"bufio"
	"cmp"
	"context"
	"log/slog"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/gitnexus/gitnexus-mcp/reconnect"
)

// Defaults of Options.
const (
	DefaultMaxMessage   = 64 << 20
	DefaultHeartbeat    = 15 * time.Second
	DefaultHelloTimeout = 5 * time.Second
	DefaultGrace        = 3 * time.Second
	DefaultMaxReconnect = 10
)

// maxLinks bounds the links of one hub. Each has passed the gate; the bound
// stops a page that opens links and forgets them.
const maxLinks = 256

// Options configures a hub or a node. The zero value of every field but Gate
// and App works.
type Options struct {
	// Gate decides who gets in. Its Port is set by whoever listens.
	Gate Gate
	// App serves the graph app's files. Required.
	App http.Handler
	// RepoName and Repo stream the folder that the page loads by itself.
	// Without Repo, /api/repo answers 404.
	RepoName string
	Repo     http.Handler
	// WatchRepo runs while this process is the hub, until its context ends, and
	// calls changed after each change of the folder: pages are told, and ask
	// Repo what it is. It may be nil.
	WatchRepo func(ctx context.Context, changed func())
	// Version is this program's, for the other side to see.
	Version string
	// Agent is the name of this process's own agent. It can be set later with SetAgent.
	Agent string
	// MaxMessage is the largest message in bytes. Default 64 MiB.
	MaxMessage int64
	// Heartbeat is the time between two pings. Default 15 s.
	Heartbeat time.Duration
	// HelloTimeout bounds the wait for a link's first message. Default 5 s.
	HelloTimeout time.Duration
	// Grace is how long a call waits for a page at the start and after a drop.
	// 0 means the default of 3 s, a negative value none.
	Grace time.Duration
	// MaxReconnect is the number of steps of the reconnect schedule after which
	// a page counts as gone for good. Default 10.
	MaxReconnect int
	// MaxInflight is the number of calls that are under way at once at a page.
	// Default 64.
	MaxInflight int
	// MaxQueue is the number of calls of one agent that may wait for a page, or
	// for a place at it; a further one is refused. Default 1024.
	MaxQueue int
	// Backoff is that schedule.
	Backoff reconnect.Backoff
	// Log gets one line a transition. Default: none.
	Log *slog.Logger
	// OnPage is told that a page's link is ready for calls, OnContext that what
	// is loaded has changed. They must not block and may be nil.
	OnPage, OnContext func()
	// OnHub runs while this process is the hub, in a goroutine of its own: its
	// context ends with the hub, which waits for it to return. It may be nil.
	OnHub func(ctx context.Context)
}

func (o Options) withDefaults() Options {
	o.MaxMessage = cmp.Or(o.MaxMessage, DefaultMaxMessage)
	o.Heartbeat = cmp.Or(o.Heartbeat, DefaultHeartbeat)
	o.HelloTimeout = cmp.Or(o.HelloTimeout, DefaultHelloTimeout)
	o.Grace = cmp.Or(o.Grace, DefaultGrace)
	o.MaxReconnect = cmp.Or(o.MaxReconnect, DefaultMaxReconnect)
	o.MaxInflight = cmp.Or(o.MaxInflight, DefaultMaxInflight)
	o.MaxQueue = cmp.Or(o.MaxQueue, DefaultMaxQueue)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.OnPage == nil {
		o.OnPage = func() {}
	}
	if o.OnContext == nil {
		o.OnContext = func() {}
	}
	return o
}

// Hub holds the port: it serves the app, keeps the links to pages and peers,
// and gives each call to a page. All methods may be called concurrently.
type Hub struct {
	opt Options // set once

	links sync.WaitGroup // one for each WebSocket handler
	stop  context.Context
	halt  context.CancelCauseFunc

	// tell is held while others are told of pages or agents, and taken before mu:
	// what they hear last has to be what is so.
	tell sync.Mutex

	mu      sync.Mutex
	all     map[*session]struct{} // every open link
	changed chan struct{}         // closed and replaced whenever a call could go elsewhere
	fronts  int                   // counts bridge/front, to order pages
	agent   string
	outage  outage
	known   known
	errors  errorLog
	own     caller
	refused Refusal // the last one logged
}

// NewHub returns a hub that serves once Serve is called.
func NewHub(opt Options) *Hub {
	h := &Hub{opt: opt.withDefaults(), all: make(map[*session]struct{}), changed: make(chan struct{}), agent: opt.Agent}
	h.stop, h.halt = context.WithCancelCause(context.Background())
	h.outage = h.newOutage()
	h.known = known{make(map[string]int), make(map[string]absence)}
	return h
}

func (h *Hub) newOutage() outage {
	return outage{since: time.Now(), grace: h.opt.Grace, backoff: h.opt.Backoff, steps: h.opt.MaxReconnect}
}

// Serve answers on the listeners until ctx ends, then closes them and every
// link, and returns nil once all of that is done. It returns earlier with an
// error when a listener fails.
func (h *Hub) Serve(ctx context.Context, listeners ...net.Listener) error {
	server := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(h.opt.Log.Handler(), slog.LevelDebug),
	}
	failed := make(chan error, len(listeners))
	var serving sync.WaitGroup
	if h.opt.OnHub != nil {
		serving.Go(func() { h.opt.OnHub(h.stop) })
	}
	if h.opt.WatchRepo != nil {
		serving.Go(func() { h.opt.WatchRepo(h.stop, h.tellChanged) })
	}
	for _, l := range listeners {
		serving.Go(func() { failed <- server.Serve(l) })
	}
	var err error
	select {
	case <-ctx.Done():
		h.handOver(server, listeners)
	case err = <-failed:
	}
	h.mu.Lock()
	h.halt(errStopping) // from here on, no link is added
	h.mu.Unlock()
	_ = server.Close()
	serving.Wait()
	h.links.Wait()
	return err
}

// handoverTime bounds the wait for peers and pages to leave a hub that goes.
const handoverTime = 100 * time.Millisecond

// handOver leaves the port and tells peers and pages, in this order: whoever
// hears it can take the port at once. They end their links themselves; what they
// were sent before still reaches them.
func (h *Hub) handOver(server *http.Server, listeners []net.Listener) {
	closeAll(listeners)
	server.SetKeepAlivesEnabled(false)
	h.mu.Lock()
	var leaving []*session
	for s := range h.all {
		if _, v2 := s.codec.(codecV2); v2 && s.role != "" {
			leaving = append(leaving, s)
		}
	}
	h.mu.Unlock()
	frame := encode("", methodHandover, nil)
	for _, s := range leaving {
		s.link.control(frame)
	}
	limit := time.NewTimer(handoverTime)
	defer limit.Stop()
	for _, s := range leaving {
		select {
		case <-s.link.done:
		case <-limit.C:
			return
		}
	}
}

// ServeHTTP is the gate and, behind it, everything the hub answers.
func (h *Hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case isUpgrade(r):
		h.upgrade(w, r)
	case r.URL.Path == challengePath:
		if h.admit(w, r, h.opt.Gate.Admit) {
			h.challenge(w, r)
		}
	case r.URL.Path == "/api/check":
		if h.admit(w, r, h.opt.Gate.AdmitToken) {
			w.WriteHeader(http.StatusNoContent)
		}
	case r.URL.Path == "/api/repo":
		if !h.admit(w, r, h.opt.Gate.AdmitToken) {
			return
		}
		if h.opt.Repo == nil {
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(`{"error":"gitnexus-mcp was started without --repo, so there is no folder to stream"}` + "\n"))
			return
		}
		h.opt.Repo.ServeHTTP(w, r)
	default:
		if h.admit(w, r, h.opt.Gate.Admit) {
			h.opt.App.ServeHTTP(w, r)
		}
	}
}

func (h *Hub) admit(w http.ResponseWriter, r *http.Request, check func(*http.Request) *Refusal) bool {
	refusal := check(r)
	if refusal == nil {
		return true
	}
	// A page that is refused tries again and again: one line is enough.
	h.mu.Lock()
	again := h.refused == *refusal
	h.refused = *refusal
	h.mu.Unlock()
	if !again {
		h.opt.Log.Warn("request refused", "reason", refusal.Reason, "path", clip(r.URL.Path, 80),
			"host", clip(r.Host, 80), "origin", clip(r.Header.Get("Origin"), 80))
	}
	refusal.write(w)
	return false
}

func isUpgrade(r *http.Request) bool {
	return strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}

func (h *Hub) upgrade(w http.ResponseWriter, r *http.Request) {
	var c codec = codecV2{}
	check := h.opt.Gate.AdmitToken
	if !slices.Contains(subprotocols(r), Subprotocol) {
		c, check = codecV1{}, h.opt.Gate.AdmitV1
	}
	if !h.admit(w, r, check) {
		return
	}
	h.mu.Lock()
	stopping, full := h.stop.Err() != nil, len(h.all) >= maxLinks
	if !stopping && !full {
		h.links.Add(1) // before Serve begins to wait for them, see there
	}
	h.mu.Unlock()
	switch {
	case stopping:
		http.Error(w, errStopping.reason, http.StatusServiceUnavailable)
		return
	case full:
		http.Error(w, "too many links", http.StatusServiceUnavailable)
		return
	}
	defer h.links.Done()
	taken := &hijacked{ResponseWriter: w}
	if _, ok := w.(http.Hijacker); ok { // else Accept says what is wrong
		w = taken
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		Subprotocols:       []string{Subprotocol},
		InsecureSkipVerify: true, // the gate has checked the origin, and more strictly
		CompressionMode:    websocket.CompressionDisabled,
	})
	if err != nil {
		h.opt.Log.Debug("upgrade failed", "err", err)
		return
	}
	h.serve(newSession(h, conn, taken.conn, c))
}

// hijacked keeps the connection that a WebSocket takes over.
type hijacked struct {
	http.ResponseWriter
	conn net.Conn
}

func (h *hijacked) Hijack() (conn net.Conn, rw *bufio.ReadWriter, err error) {
	h.conn, rw, err = h.ResponseWriter.(http.Hijacker).Hijack()
	return h.conn, rw, err
}

// serve runs one link from its first message to its end.
func (h *Hub) serve(s *session) {
	h.mu.Lock()
	h.all[s] = struct{}{}
	h.mu.Unlock()
	err := s.run(h.stop)
	h.mu.Lock()
	delete(h.all, s)
	if s.ready {
		h.left(s, err)
	}
	close(s.gone)
	h.wake()
	h.mu.Unlock()
	s.ended(err)
}

// wake lets every waiting call look again. It must be called with mu held.
func (h *Hub) wake() {
	close(h.changed)
	h.changed = make(chan struct{})
}

// URL is the app's address, without the token.
func (h *Hub) URL() string { return h.opt.Gate.URL() }

// note keeps a call's error for the health resource.
func (h *Hub) note(c Call, err error) {
	h.mu.Lock()
	h.errors.note(c, err)
	h.mu.Unlock()
}

// SetAgent names this process's own agent, for the pages to show.
func (h *Hub) SetAgent(name string) {
	h.mu.Lock()
	h.agent = name
	h.mu.Unlock()
	h.tellAgents()
}

// tellAgents sends every page the list of agents.
func (h *Hub) tellAgents() {
	h.tell.Lock()
	defer h.tell.Unlock()
	h.mu.Lock()
	agents := h.agents()
	var pages []*session
	for s := range h.all {
		if s.role == rolePage {
			pages = append(pages, s)
		}
	}
	h.mu.Unlock()
	for _, s := range pages {
		s.link.control(s.codec.agents(agents))
	}
}

// tellChanged tells the pages that follow it that the folder has changed.
func (h *Hub) tellChanged() {
	h.mu.Lock()
	var pages []*session
	for s := range h.all {
		if s.role == rolePage && s.hello.Follows {
			pages = append(pages, s)
		}
	}
	h.mu.Unlock()
	for _, s := range pages {
		s.link.control(encode("", methodRepo, nil))
	}
}

// agents must be called with mu held.
func (h *Hub) agents() []Agent {
	list := []Agent{}
	if h.agent != "" {
		list = append(list, Agent{h.agent, os.Getpid()})
	}
	for s := range h.all {
		if s.role == rolePeer && s.hello.Agent != "" {
			list = append(list, Agent{s.hello.Agent, s.hello.PID})
		}
	}
	slices.SortFunc(list, func(a, b Agent) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.PID, b.PID)) })
	return list
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
