package wsbridge

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/gitnexus/gitnexus-mcp/guard"
	"github.com/gitnexus/gitnexus-mcp/reconnect"
	"github.com/gitnexus/gitnexus-mcp/resilience"
)

// Defaults of Options.
const (
	DefaultMaxMessage   = 64 << 20
	DefaultHeartbeat    = 15 * time.Second
	DefaultHelloTimeout = 5 * time.Second
	DefaultGrace        = 3 * time.Second
	DefaultMaxReconnect = 10
)

// maxConns bounds the connections of one hub. Each has passed the gate; the bound
// stops a page that opens connections and forgets them.
const maxConns = 256

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
	// Events answers GET /api/events, for the page to show what happened lately.
	// Without it, that answers 404.
	Events http.Handler
	// MCP answers the MCP clients that come over HTTP with the token, at MCPPath.
	// Without it, that path answers 404.
	MCP http.Handler
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
	// HelloTimeout bounds the wait for a connection's first message. Default 5 s.
	HelloTimeout time.Duration
	// Grace is how long a call waits for a page at the start and after a drop.
	// 0 means the default of 3 s, a negative value none.
	Grace time.Duration
	// MaxReconnect is the number of steps of the reconnect schedule after which
	// a page counts as gone for good. Default 10.
	MaxReconnect int
	// MaxInflight is the number of calls that are in flight at once at a page.
	// Default 64.
	MaxInflight int
	// MaxQueue is the number of calls of one agent that may wait for a page, or
	// for a slot at it; a further one is refused. Default 1024.
	MaxQueue int
	// Backoff is that schedule.
	Backoff reconnect.Backoff
	// Breaker configures the circuit breaker of each graph; its functions are not used.
	Breaker resilience.BreakerSettings
	// Retry says how often a call that may be repeated is tried again when the
	// page is busy, or was lost with the call. Default: not at all.
	Retry resilience.Retry
	// NoPage says in a sentence why no page comes, as far as somebody knows, and what
	// a person can do about it; an empty reason adds nothing. It is asked with the
	// router locked, so it must not call the Node. It may be nil.
	NoPage func() (reason, advice string)
	// Panics records every panic in a job of the bridge. Default: one that logs.
	Panics *guard.Recorder
	// Log gets one line a transition. Default: none.
	Log *slog.Logger
	// OnTransition is called at each change of links, role and breakers. It must not
	// block and may be nil.
	OnTransition func(Transition)
	// OnContext is called when what is loaded may have changed. It must not block
	// and may be nil.
	OnContext func()
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
	if o.Panics == nil {
		o.Panics = &guard.Recorder{Log: o.Log}
	}
	if o.NoPage == nil {
		o.NoPage = func() (string, string) { return "", "" }
	}
	if o.OnTransition == nil {
		o.OnTransition = func(Transition) {}
	}
	if o.OnContext == nil {
		o.OnContext = func() {}
	}
	return o
}

// hub holds the port: it serves the app, keeps the connections of pages and peers,
// and gives calls to its router. All methods may be called concurrently.
type hub struct {
	// Set once.
	opt    Options
	router *router
	errors *errorLog // of calls, also those of peers
	nonces *nonces
	memory *meter // of unfinished messages over all links

	visitors visitors

	// sameUser tells whose process a connection is of, see there.
	sameUser func(client, server netip.AddrPort) bool

	conns sync.WaitGroup // one for each WebSocket handler
	stop  context.Context
	halt  context.CancelCauseFunc

	// broadcast serialises what is told to all pages or all peers, so that what
	// they hear last is the present state. Lock order: broadcast, then mu.
	broadcast sync.Mutex

	mu       sync.Mutex
	sessions map[*session]struct{} // every open connection
	upgrades int                   // connections that are being upgraded
	ended    []LinkEnd             // the last links that crossed a bound
	agent    string
	alerts   []Alert // those that this process knows of
	refused  Refusal // the last one logged
}

// newHub returns a hub that serves once Serve is called.
func newHub(opt Options) *hub {
	opt = opt.withDefaults()
	h := &hub{opt: opt, router: newRouter(opt), errors: new(errorLog), nonces: newNonces(), memory: &meter{limit: hubMessages * opt.MaxMessage, what: "in the hub"}, sameUser: sameUser, sessions: make(map[*session]struct{}), agent: opt.Agent}
	h.stop, h.halt = context.WithCancelCause(context.Background())
	return h
}

func (h *hub) stopping() bool { return h.stop.Err() != nil }

// Serve answers on the listeners until ctx ends, then closes them and every
// connection, and returns nil once all of that is done. It returns earlier with an
// error when a listener fails.
func (h *hub) Serve(ctx context.Context, listeners ...net.Listener) error {
	server := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       requestTimeout,
		WriteTimeout:      answerTimeout,
		ConnContext:       h.visitors.withConn,
		ConnState:         h.visitors.track,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(h.opt.Log.Handler(), slog.LevelDebug),
	}
	failed := make(chan error, len(listeners))
	var serving sync.WaitGroup
	if h.opt.OnHub != nil {
		serving.Go(func() { guard.Run("hub job", h.opt.Panics.Report, func() { h.opt.OnHub(h.stop) }) })
	}
	if h.opt.WatchRepo != nil {
		serving.Go(func() {
			guard.Run("folder watcher", h.opt.Panics.Report, func() { h.opt.WatchRepo(h.stop, h.tellChanged) })
		})
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
	h.halt(errStopping) // from here on, no connection is added
	h.mu.Unlock()
	h.router.stop()
	_ = server.Close()
	serving.Wait()
	h.conns.Wait()
	return err
}

// handoverTime bounds the wait for peers and pages to leave a hub that goes.
const handoverTime = 100 * time.Millisecond

// handOver leaves the port and tells peers and pages, in this order: whoever
// hears it can take the port at once. They end their connections themselves; what they
// were sent before still reaches them.
func (h *hub) handOver(server *http.Server, listeners []net.Listener) {
	closeAll(listeners)
	server.SetKeepAlivesEnabled(false)
	leaving := h.where(func(s *session) bool { return s.role != "" && s.conn.dialect.name() == "v2" })
	frame := encode("", methodHandover, nil)
	for _, s := range leaving {
		s.conn.control(frame)
	}
	limit := time.NewTimer(handoverTime)
	defer limit.Stop()
	for _, s := range leaving {
		select {
		case <-s.conn.done:
		case <-limit.C:
			return
		}
	}
}

// setSecurityHeaders sets what every response carries, errors included. The app
// replaces the policy and the caching of its own files.
func setSecurityHeaders(header http.Header) {
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	header.Set("Cross-Origin-Embedder-Policy", "require-corp")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Permissions-Policy", "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Content-Type-Options", "nosniff")
}

// ServeHTTP is the gate and, behind it, everything the hub answers.
// A panic ends its request: the connection is closed.
func (h *hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p := guard.Run("HTTP request", h.opt.Panics.Report, func() { h.respond(w, r) }); p != nil {
		panic(http.ErrAbortHandler) // which net/http takes for that, and does not log
	}
}

func (h *hub) respond(w http.ResponseWriter, r *http.Request) {
	setSecurityHeaders(w.Header())
	switch {
	case r.Header.Get("Service-Worker") != "":
		// The app has none. Another program that served this port before registered it:
		// the browser drops it, with what that program could have stored.
		w.Header().Set("Clear-Site-Data", `"storage"`)
		http.Error(w, "this origin has no service worker", http.StatusForbidden)
	case isUpgrade(r):
		h.upgrade(w, r)
	case r.URL.Path == challengePath:
		if h.admit(w, r, h.opt.Gate.Admit) {
			h.challenge(w, r)
		}
	case r.URL.Path == MCPPath:
		switch {
		case !h.admit(w, r, h.opt.Gate.AdmitBearer):
		case h.opt.MCP == nil:
			http.NotFound(w, r)
		default:
			h.opt.MCP.ServeHTTP(h.visitors.proven(w, r), r)
		}
	case r.URL.Path == "/api/unpaired":
		h.unpaired(w, r)
	case r.URL.Path == "/api/check":
		h.admit(w, r, func(*http.Request) *Refusal { // where an older page asks why it is not let in
			return &Refusal{"version", "This page is of an older version than gitnexus-mcp. Reload it."}
		})
	case r.URL.Path == "/api/repo":
		h.serveSession(w, r, h.opt.Repo, "gitnexus-mcp was started without --repo, so there is no folder to stream")
	case r.URL.Path == "/api/events":
		h.serveSession(w, r, h.opt.Events, "this gitnexus-mcp keeps no events")
	default:
		if h.admit(w, r, h.opt.Gate.Admit) {
			h.opt.App.ServeHTTP(w, r)
		}
	}
}

// unpaired notes that a page of the app is open and cannot connect, because it has
// no token or another one. Only a browser's page can say so.
func (h *hub) unpaired(w http.ResponseWriter, r *http.Request) {
	if !h.admit(w, r, h.opt.Gate.Admit) {
		return
	}
	if r.Method != http.MethodPost || r.Header.Get("Origin") == "" {
		http.Error(w, "only a page's POST is taken here", http.StatusMethodNotAllowed)
		return
	}
	h.router.refuse(&DeniedError{
		Reason: "the graph app is open in a browser tab, but that tab is not paired with this server: it has no token, or that of another server",
		Advice: "Ask the user to run `gitnexus-mcp open`, which opens the graph app paired, and to load the repository there",
	})
	w.WriteHeader(http.StatusNoContent)
}

// serveSession answers a page that names its session key. Without a handler, the
// answer is 404 and says why there is none.
func (h *hub) serveSession(w http.ResponseWriter, r *http.Request, handler http.Handler, why string) {
	if !h.admit(w, r, h.admitSession) {
		return
	}
	if handler == nil {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(http.StatusNotFound)
		_ = json.NewEncoder(w).Encode(map[string]string{"error": why})
		return
	}
	handler.ServeHTTP(h.visitors.proven(w, r), r)
}

func (h *hub) admit(w http.ResponseWriter, r *http.Request, check func(*http.Request) *Refusal) bool {
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

func (h *hub) upgrade(w http.ResponseWriter, r *http.Request) {
	var d dialect = dialectV2{}
	var proven string
	check := func(r *http.Request) (refusal *Refusal) {
		proven, refusal = h.admitProof(r)
		return refusal
	}
	if !slices.Contains(subprotocols(r), Subprotocol) {
		d, check = dialectV1{}, h.admitV1
	}
	if !h.admit(w, r, func(r *http.Request) *Refusal {
		refusal := check(r)
		if refusal != nil && (refusal.Reason == "token" || refusal.Reason == "user") && r.Header.Get("Origin") != "" {
			h.router.refuse(&DeniedError{
				Reason: "a page of the graph app at " + clip(r.Header.Get("Origin"), 80) + " asked to connect and was refused",
				Advice: "Tell the user: " + strings.TrimSuffix(refusal.Message, "."),
			})
		}
		return refusal
	}) {
		return
	}
	h.mu.Lock()
	stopping, full := h.stopping(), len(h.sessions)+h.upgrades >= maxConns
	if !stopping && !full {
		h.conns.Add(1) // before Serve begins to wait for them, see there
		h.upgrades++
	}
	h.mu.Unlock()
	switch {
	case stopping:
		http.Error(w, errStopping.reason, http.StatusServiceUnavailable)
		return
	case full:
		http.Error(w, "too many connections", http.StatusServiceUnavailable)
		return
	}
	defer h.conns.Done()
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
		h.mu.Lock()
		h.upgrades--
		h.mu.Unlock()
		h.opt.Log.Debug("upgrade failed", "err", err)
		return
	}
	h.serve(newSession(h, newConn(conn, taken.conn, d, &h.opt), proven))
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

// serve runs one connection, which was counted as an upgrade, from its first
// message to its end.
func (h *hub) serve(s *session) {
	h.mu.Lock()
	h.upgrades--
	h.sessions[s] = struct{}{}
	h.mu.Unlock()
	var err error
	if p := guard.Run("connection", h.opt.Panics.Report, func() { err = s.run(h.stop) }); p != nil {
		err = p
	}
	h.mu.Lock()
	delete(h.sessions, s)
	if e, ok := errors.AsType[*connError](err); ok && e.crossed {
		h.ended = append(h.ended, LinkEnd{time.Now(), cmp.Or(s.role, "unknown"), s.hello.Session, e.reason})
		h.ended = h.ended[max(0, len(h.ended)-keptEnds):]
	}
	h.mu.Unlock()
	if s.role == "" {
		h.opt.Log.Warn("connection ended before its hello", "reason", err)
		return
	}
	h.opt.Log.Info(s.role+" disconnected", "session", s.hello.Session, "after", time.Since(s.since).Round(time.Millisecond), "reason", err)
	h.opt.OnTransition(Transition{Kind: s.role + "_disconnected", Session: s.hello.Session, Graph: s.graph(), Cause: fmt.Sprint(err)})
	if s.role == rolePeer {
		h.tellAgents()
		if len(s.alerts) > 0 {
			h.tellAlerts()
		}
	} else {
		h.pagesChanged()
	}
}

// where returns the sessions that match.
func (h *hub) where(match func(*session) bool) []*session {
	h.mu.Lock()
	defer h.mu.Unlock()
	var list []*session
	for s := range h.sessions {
		if match(s) {
			list = append(list, s)
		}
	}
	return list
}

func isPage(s *session) bool { return s.role == rolePage }
func isPeer(s *session) bool { return s.role == rolePeer }

// URL is the app's address, without the token.
func (h *hub) URL() string { return h.opt.Gate.URL() }

// SetAgent names this process's own agent, for the pages to show.
func (h *hub) SetAgent(name string) {
	h.mu.Lock()
	h.agent = name
	h.mu.Unlock()
	h.tellAgents()
}

// greeted tells a new page or peer how things are, and the others of a new peer.
func (h *hub) greeted(s *session) {
	if s.role == rolePeer {
		h.tellAgents()
		h.broadcast.Lock()
		h.tellPages(s)
		h.broadcast.Unlock()
		return
	}
	h.broadcast.Lock()
	defer h.broadcast.Unlock()
	s.conn.control(s.conn.dialect.agents(h.agents()))
	h.sendAlerts(s)
}

// tellAgents sends every page the list of agents.
func (h *hub) tellAgents() {
	h.broadcast.Lock()
	defer h.broadcast.Unlock()
	agents := h.agents()
	for _, s := range h.where(isPage) {
		s.conn.control(s.conn.dialect.agents(agents))
	}
}

// SetAlerts says which alerts this process knows of, for the pages to show.
func (h *hub) SetAlerts(alerts []Alert) {
	h.mu.Lock()
	h.alerts = alerts
	h.mu.Unlock()
	h.tellAlerts()
}

// tellAlerts sends the pages the list of alerts.
func (h *hub) tellAlerts() {
	h.broadcast.Lock()
	defer h.broadcast.Unlock()
	h.sendAlerts(h.where(isPage)...)
}

// sendAlerts sends the list to those of the pages that want it. It must be called
// with broadcast held.
func (h *hub) sendAlerts(pages ...*session) {
	frame := encode("", methodAlerts, alertsParams{h.allAlerts()})
	for _, s := range pages {
		if s.hello.Alerts {
			s.conn.control(frame)
		}
	}
}

// allAlerts are those that this process or a peer knows of, each once, the oldest first.
func (h *hub) allAlerts() []Alert {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := slices.Clone(h.alerts)
	for s := range h.sessions {
		all = append(all, s.alerts...)
	}
	slices.SortFunc(all, func(a, b Alert) int {
		return cmp.Or(cmp.Compare(a.Graph, b.Graph), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Since, b.Since))
	})
	all = slices.CompactFunc(all, func(a, b Alert) bool { return a.Graph == b.Graph && a.Code == b.Code })
	slices.SortFunc(all, func(a, b Alert) int { return cmp.Compare(a.Since, b.Since) })
	return append([]Alert{}, all...)
}

// tellChanged tells the pages that follow the folder that it has changed.
func (h *hub) tellChanged() {
	for _, s := range h.where(func(s *session) bool { return isPage(s) && s.hello.Follows }) {
		s.conn.control(encode("", methodRepo, nil))
	}
}

// pagesChanged tells the peers and the owner.
func (h *hub) pagesChanged() {
	h.broadcast.Lock()
	h.tellPages(h.where(isPeer)...)
	h.broadcast.Unlock()
	h.opt.OnContext()
}

// tellPages must be called with broadcast held.
func (h *hub) tellPages(peers ...*session) {
	var told pagesParams
	told.Pages, told.Reconnect = h.router.status()
	frame := encode("", methodPages, told)
	for _, s := range peers {
		s.conn.control(frame)
	}
}

func (h *hub) agents() []Agent {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := []Agent{}
	if h.agent != "" {
		list = append(list, Agent{h.agent, os.Getpid()})
	}
	for s := range h.sessions {
		if isPeer(s) && s.hello.Agent != "" {
			list = append(list, Agent{s.hello.Agent, s.hello.PID})
		}
	}
	slices.SortFunc(list, func(a, b Agent) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.PID, b.PID)) })
	return list
}

// Status returns the hub's present state.
func (h *hub) Status() Status {
	st := Status{Role: roleHub, PID: os.Getpid(), HubPID: os.Getpid(), URL: h.URL(), Agents: h.agents(), LastErrors: h.errors.last(), Panics: h.opt.Panics.Recent()}
	st.Pages, st.Reconnect = h.router.status()
	h.mu.Lock()
	st.Ended = slices.Clone(h.ended)
	h.mu.Unlock()
	return st
}
