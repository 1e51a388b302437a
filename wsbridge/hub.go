package wsbridge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/gitnexus/gitnexus-mcp/guard"
)

// maxConns bounds the connections of one hub. Each has passed the gate; the bound
// stops a page that opens connections and forgets them.
const maxConns = 256

// hub holds the port: it serves the app, keeps the connections of pages and peers,
// and gives calls to its router. All methods may be called concurrently.
type hub struct {
	// Set once.
	opt    Options
	gate   *atomic.Pointer[Gate] // the present one; opt has the one of the start
	renew  func() bool           // see Node.renewGate
	router *router
	errors *errorLog // of calls, also those of peers
	nonces *nonces
	memory *meter // of unfinished messages over all links

	visitors visitors

	conns sync.WaitGroup // one for each WebSocket handler
	jobs  sync.WaitGroup // those of the folders
	stop  context.Context
	halt  context.CancelCauseFunc

	// broadcast serialises what is told to all pages or all peers, so that what
	// they hear last is the present state. Lock order: broadcast, then mu.
	broadcast    sync.Mutex
	foldersLater *time.Timer // calls tellFolders; guarded by broadcast

	// own are the folders that this process itself uses.
	own struct {
		sync.Mutex
		folder          Folder
		started, closed bool
	}

	mu       sync.Mutex
	sessions map[*session]struct{}         // every open connection
	watchers map[string]context.CancelFunc // of folders, by id
	upgrades int                           // connections that are being upgraded
	ended    []LinkEnd                     // the last links that crossed a bound
	agent    string
	alerts   []Alert // those that this process knows of
	refused  Refusal // the last one logged
	// tokenLife ends when the token is replaced, and with it the requests that it admitted.
	tokenLife context.Context
	endToken  context.CancelFunc
}

// newHub returns a hub that serves once Serve is called.
func newHub(opt Options) *hub {
	opt = opt.withDefaults()
	h := &hub{opt: opt, gate: newGate(opt.Gate), renew: func() bool { return false }, router: newRouter(opt), errors: new(errorLog), nonces: newNonces(), memory: &meter{limit: hubMessages * opt.MaxMessage, what: "in the hub"}, visitors: visitors{ownerOf: ownerOf}, sessions: make(map[*session]struct{}), watchers: make(map[string]context.CancelFunc), agent: opt.Agent}
	h.own.folder = opt.Folder
	h.stop, h.halt = context.WithCancelCause(context.Background())
	h.tokenLife, h.endToken = context.WithCancel(h.stop)
	return h
}

// guarded runs a job of the hub, whose panic ends that job alone.
func (h *hub) guarded(job string, f func()) { guard.Run(job, h.opt.Panics.Report, f) }
func (h *hub) stopping() bool               { return h.stop.Err() != nil }

// Serve answers on the listeners until ctx ends, then closes them and every
// connection, and returns nil once all of that is done. It returns earlier with an
// error when a listener fails.
func (h *hub) Serve(ctx context.Context, listeners ...net.Listener) error {
	server := &http.Server{
		Handler: h,
		// OPTIONS * goes to the gate as all else does.
		DisableGeneralOptionsHandler: true,
		ReadHeaderTimeout:            headerTimeout,
		ReadTimeout:                  requestTimeout,
		WriteTimeout:                 answerTimeout,
		ConnContext:                  h.visitors.withConn,
		ConnState:                    h.visitors.track,
		IdleTimeout:                  2 * time.Minute,
		MaxHeaderBytes:               64 << 10,
		ErrorLog:                     slog.NewLogLogger(h.opt.Log.Handler(), slog.LevelDebug),
	}
	failed := make(chan error, len(listeners))
	var serving sync.WaitGroup
	if h.opt.OnHub != nil {
		serving.Go(func() { guard.Run("hub job", h.opt.Panics.Report, func() { h.opt.OnHub(h.stop) }) })
	}
	h.serveOwnFolder()
	for _, l := range listeners {
		serving.Go(func() { failed <- server.Serve(headedListener{l}) })
	}
	var err error
	select {
	case <-ctx.Done():
		h.handOver(server, listeners)
	case err = <-failed:
		closeAll(listeners)
	}
	h.mu.Lock()
	h.halt(errStopping) // from here on, no connection is added
	h.mu.Unlock()
	h.router.stop()
	_ = server.Close()
	serving.Wait()
	h.conns.Wait()
	h.own.Lock()
	h.own.closed = true // from here on, no folder is added
	h.own.Unlock()
	h.jobs.Wait()
	h.broadcast.Lock()
	if h.foldersLater != nil {
		h.foldersLater.Stop()
	}
	h.broadcast.Unlock()
	return err
}

// handoverTime bounds the wait for peers and pages to leave a hub that goes.
const handoverTime = 100 * time.Millisecond

// handOver leaves the port and then tells peers and pages, so that a peer that is told
// can take the port at once. Peers and pages end their connections themselves, after
// they have read all that was sent before.
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

// serve runs one connection, which was counted as an upgrade, from its first
// message to its end.
func (h *hub) serve(s *session) {
	h.mu.Lock()
	h.upgrades--
	h.sessions[s] = struct{}{}
	h.mu.Unlock()
	h.checkProof(s) // its key may have been revoked since its proof
	var err error
	if p := guard.Run("connection", h.opt.Panics.Report, func() { err = s.run(h.stop) }); p != nil {
		err = p
		s.conn.end(&connError{status: websocket.StatusInternalError, reason: p.Error()})
		s.conn.close()
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
		h.dropFolder(s.hello.Folder)
		h.tellAgents(isPage)
		if len(s.alerts) > 0 {
			h.tellAlerts()
		}
	} else {
		if s.page.unproven() {
			h.tellAgents(isProvenPage)
		}
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

func isProvenPage(s *session) bool { return isPage(s) && s.proven.role != "" }

// URL is the app's address, without the token.
func (h *hub) URL() string { return h.gate.Load().URL() }

// Status returns the hub's present state.
func (h *hub) Status() Status {
	st := Status{Role: roleHub, PID: os.Getpid(), HubPID: os.Getpid(), URL: h.URL(), Agents: h.agents(), LastErrors: h.errors.last(), Panics: h.opt.Panics.Recent()}
	st.Pages, st.Reconnect = h.router.status()
	h.mu.Lock()
	st.Ended = slices.Clone(h.ended)
	h.mu.Unlock()
	return st
}
