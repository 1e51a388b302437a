package wsbridge

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/coder/websocket"

	"github.com/gitnexus/gitnexus-mcp/guard"
)

// setSecurityHeaders sets what every response carries, errors included. The app
// replaces the policy and the caching of its own files.
func setSecurityHeaders(header http.Header) {
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'")
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
		if h.admit(w, r, h.gate.Load().Admit) {
			h.challenge(w, r)
		}
	case r.URL.Path == pairPath:
		if h.admit(w, r, h.gate.Load().Admit) {
			h.pair(w, r)
		}
	case r.URL.Path == checkPagesPath:
		if h.admit(w, r, h.gate.Load().Admit) {
			h.checkPages(w, r)
		}
	case r.URL.Path == MCPPath:
		switch {
		case !h.admit(w, r, h.gate.Load().AdmitBearer):
		case h.opt.MCP == nil:
			http.NotFound(w, r)
		default:
			h.mu.Lock()
			life := h.tokenLife
			h.mu.Unlock()
			ctx, cancel := context.WithCancel(r.Context())
			defer cancel()
			defer context.AfterFunc(life, cancel)()
			h.opt.MCP.ServeHTTP(h.visitors.proven(w, r), r.WithContext(ctx))
		}
	case r.URL.Path == "/api/unpaired":
		h.unpaired(w, r)
	case r.URL.Path == "/api/check":
		h.admit(w, r, func(*http.Request) *Refusal { // where an older page asks why it is not let in
			return &Refusal{"version", "This page is of an older version than gitnexus-mcp. Reload it."}
		})
	case r.URL.Path == "/api/repo":
		h.serveSession(w, r, h.folderStream(r), "gitnexus-mcp was started without --repo, so there is no folder to stream")
	case r.URL.Path == "/api/events":
		h.serveSession(w, r, h.opt.Events, "this gitnexus-mcp keeps no events")
	default:
		if h.admit(w, r, h.gate.Load().Admit) {
			h.opt.App.ServeHTTP(w, r)
		}
	}
}

// unpaired notes that a page of the app is open and cannot connect, because it has
// no key or one that the hub does not know. Only a browser's page can say so.
func (h *hub) unpaired(w http.ResponseWriter, r *http.Request) {
	if !h.admit(w, r, h.gate.Load().Admit) {
		return
	}
	if r.Method != http.MethodPost || r.Header.Get("Origin") == "" {
		http.Error(w, "only a page's POST is taken here", http.StatusMethodNotAllowed)
		return
	}
	h.router.refuse(&DeniedError{
		Reason: "the graph app is open in a browser tab, but that tab is not paired with this server: it has no key, or one that was revoked or is of another server",
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
	if s := h.sessionOf(r); s != nil && !h.visitors.claim(r, s.proven.id) {
		http.Error(w, "too many connections of this browser", http.StatusServiceUnavailable)
		return
	}
	handler.ServeHTTP(h.visitors.proven(w, r), r)
}

// admit stands before every endpoint: it refuses the processes of other users, where the
// system tells whose they are and the user has not admitted all, and what check refuses.
func (h *hub) admit(w http.ResponseWriter, r *http.Request, check func(*http.Request) *Refusal) bool {
	refusal := &Refusal{"user", "This connection comes from a process of another user of this machine."}
	if h.gate.Load().InsecureV1 || h.visitors.owner(r) != anotherUser {
		refusal = check(r)
	}
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

// folderStream sends the folder that the page with the request's key is given to load;
// nil for none.
func (h *hub) folderStream(r *http.Request) http.Handler {
	s := h.sessionOf(r)
	if s == nil || s.page == nil {
		return nil
	}
	f := h.router.folder(s.page.loads)
	switch {
	case f == nil:
		return nil
	case f.failed != nil:
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			w.WriteHeader(http.StatusForbidden)
			_ = json.NewEncoder(w).Encode(map[string]string{"error": f.failed.Error()})
		})
	}
	return h.gate.Load().unsealed(f.opened.Stream)
}

func isUpgrade(r *http.Request) bool {
	return strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}

// hasLeft reports whether the client has closed its end, as one does that gave up on a
// process which was stopped. The HTTP server reads on in the background, and tells.
func hasLeft(r *http.Request) bool {
	select {
	case <-r.Context().Done():
		return true
	case <-time.After(noticesWithin):
		return false
	}
}

// noticesWithin is how long that takes at most.
const noticesWithin = 50 * time.Millisecond

func (h *hub) upgrade(w http.ResponseWriter, r *http.Request) {
	var d dialect = dialectV2{}
	var proven identity
	check := func(r *http.Request) (refusal *Refusal) {
		proven, refusal = h.admitProof(r)
		return refusal
	}
	if !slices.Contains(subprotocols(r), Subprotocol) {
		d, check = dialectV1{}, h.admitV1
	}
	if !h.admit(w, r, func(r *http.Request) *Refusal {
		refusal := check(r)
		if refusal != nil && (refusal.Reason == "token" || refusal.Reason == "user") && r.Header.Get("Origin") != "" && !hasLeft(r) {
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
	stopping, full := h.stopping(), len(h.sessions)+h.upgrades >= maxConns || h.crowded(proven)
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
		h.opt.Log.Warn("connection refused: there are too many", "role", proven.role, "id", proven.id)
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
