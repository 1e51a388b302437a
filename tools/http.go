package tools

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// HTTP is the transport Streamable HTTP, for any number of clients, and an
// http.Handler. Who gets in is not its business. It is not mcp-go's: that one gives
// tool calls to mcp-go, while here each request is answered by Server.answer, as
// on stdin and stdout.
//
// A client of the protocol up to 2025-11-25 has a session from its initialize on.
// A later one says in each request who it is, and leaves a request by closing its
// connection.
type HTTP struct {
	// Set once.
	server *Server
	shared *Client // its slots are those of all clients without a session

	handlers sync.WaitGroup // HTTP requests

	mu       sync.Mutex
	sessions map[string]*httpSession
	open     map[*requests]struct{} // of sessions, and of requests without one
	closing  bool
}

// NewHTTP returns the transport. Close ends it.
func (s *Server) NewHTTP() *HTTP {
	return &HTTP{server: s, shared: s.newClient(nil), sessions: make(map[string]*httpSession), open: make(map[*requests]struct{})}
}

// ServeHTTP implements http.Handler.
func (h *HTTP) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	closing := h.closing
	if !closing {
		h.handlers.Add(1)
	}
	h.mu.Unlock()
	if closing {
		w.Header().Set("Retry-After", "1")
		turnAway(w, nil, http.StatusServiceUnavailable, mcp.INTERNAL_ERROR, "This server is stopping: connect again.")
		return
	}
	defer h.handlers.Done()
	modern := mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion))
	switch {
	case r.Method == http.MethodPost:
		h.post(w, r)
	case modern || r.Method != http.MethodGet && r.Method != http.MethodDelete:
		w.Header().Set("Allow", "POST")
		if !modern {
			w.Header().Set("Allow", "GET, POST, DELETE")
		}
		turnAway(w, nil, http.StatusMethodNotAllowed, mcp.INVALID_REQUEST, r.Method+" means nothing here in this version of the protocol.")
	case !h.knowsVersion(w, r):
	default:
		session := h.enter(w, r)
		if session == nil {
			return
		}
		defer h.leave(session)
		if r.Method == http.MethodDelete {
			h.drop(session)
			w.WriteHeader(http.StatusNoContent)
			return
		}
		h.get(w, r, session)
	}
}

// turnAway answers what gets no further than the transport.
func turnAway(w http.ResponseWriter, id json.RawMessage, status, code int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(encodeReply(usableID(id), failed(code, text)))
}

func (h *HTTP) knowsVersion(w http.ResponseWriter, r *http.Request) bool {
	version := r.Header.Get(mcp.HeaderProtocolVersion)
	if version == "" || mcp.IsValidProtocolVersion(version) {
		return true
	}
	turnAway(w, nil, http.StatusBadRequest, mcp.INVALID_REQUEST,
		"The header "+mcp.HeaderProtocolVersion+" names a version that this server does not speak. It speaks "+strings.Join(mcp.ValidProtocolVersions, ", ")+".")
	return false
}

func (h *HTTP) post(w http.ResponseWriter, r *http.Request) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(writeWithin))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxLineBytes))
	_ = control.SetReadDeadline(time.Time{})
	if err != nil {
		status := http.StatusBadRequest
		if _, tooLong := errors.AsType[*http.MaxBytesError](err); tooLong {
			status = http.StatusRequestEntityTooLarge
		}
		turnAway(w, nil, status, mcp.INVALID_REQUEST, "The message could not be read: "+err.Error())
		return
	}
	if !json.Valid(body) {
		turnAway(w, nil, http.StatusBadRequest, mcp.PARSE_ERROR, "The body is not valid JSON")
		return
	}
	m, _ := readMessage(body)
	switch {
	case mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion)) || mcp.IsModernProtocol(m.protocolVersion()):
		h.postModern(w, r, body, m)
	case !h.knowsVersion(w, r):
	default:
		session := h.sessionFor(w, r, m)
		if session == nil {
			return
		}
		defer h.leave(session)
		h.postTo(w, r, session, body)
		if session.client.ProtocolVersion() == "" { // its initialize was refused
			h.drop(session)
		}
	}
}

// protocolVersion is that which a request of the protocol of 2026-07-28 names.
func (m *message) protocolVersion() string {
	version, _ := plainString(memberOf(m.param("_meta"), mcp.MetaKeyProtocolVersion))
	return version
}

// postTo answers a message of a client with a session.
func (h *HTTP) postTo(w http.ResponseWriter, r *http.Request, s *httpSession, body json.RawMessage) {
	e := newEventStream(rand.Text()[:8])
	requests := s.take(body, e.answer, e.add)
	if len(requests) == 0 && !e.isUsed() {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if version := s.client.ProtocolVersion(); version != "" {
		w.Header().Set(mcp.HeaderSessionID, s.id)
	}
	out := newEventWriter(w, r, func(answer []byte) int {
		switch failureCode(answer) {
		case mcp.PARSE_ERROR, mcp.INVALID_REQUEST:
			return http.StatusBadRequest
		}
		return http.StatusOK
	})
	if len(requests) > 0 {
		h.keep(s, e)
		go func() {
			var running sync.WaitGroup
			for _, q := range requests {
				running.Go(q.run)
			}
			running.Wait()
			e.end()
			h.retire(s, e)
		}()
		// Earlier clients take the empty event for a message.
		if requests[0].message.isCall() && s.client.ProtocolVersion() >= mcp.ProtocolVersion20251125 {
			out.prime(e.id)
		}
	}
	e.serve(out, 0, s.gone)
}

// postModern answers a message of a client of the protocol of 2026-07-28.
func (h *HTTP) postModern(w http.ResponseWriter, r *http.Request, body json.RawMessage, m message) {
	if failure := checkHeaders(r, m); failure != nil {
		turnAway(w, m.id, http.StatusBadRequest, failure.Code, failure.Message)
		return
	}
	if m.method != "" && m.id == nil {
		w.WriteHeader(http.StatusAccepted) // a client that gives up closes its connection
		return
	}
	c := h.newRequests()
	defer h.forget(c)
	c.client.slotsOf = h.shared
	defer c.working.Wait()
	defer c.end(errCancelled)
	e := newEventStream("")
	for _, q := range c.take(body, e.answer, e.add) {
		go func() {
			q.run()
			e.end()
		}()
	}
	e.serve(newEventWriter(w, r, modernStatus), 0, nil)
}

// checkHeaders checks what the protocol of 2026-07-28 wants in the headers.
func checkHeaders(r *http.Request, m message) *mcp.JSONRPCErrorDetails {
	header, version := r.Header.Get(mcp.HeaderProtocolVersion), m.protocolVersion()
	mismatch := func(text string) *mcp.JSONRPCErrorDetails {
		return &mcp.JSONRPCErrorDetails{Code: mcp.HEADER_MISMATCH, Message: text}
	}
	switch {
	case r.Header.Get(mcp.HeaderLastEventID) != "":
		return mismatch("Streams cannot be resumed in this version of the protocol: send the request again, without " + mcp.HeaderLastEventID + ".")
	case m.method != "" && m.id == nil:
		return nil
	case header == "":
		return mismatch("The header " + mcp.HeaderProtocolVersion + " is missing.")
	case version == "":
		return &mcp.JSONRPCErrorDetails{Code: mcp.INVALID_PARAMS, Message: "The _meta field " + mcp.MetaKeyProtocolVersion + " is missing."}
	case header != version:
		return mismatch("The header " + mcp.HeaderProtocolVersion + " and the _meta field " + mcp.MetaKeyProtocolVersion + " differ.")
	case !mcp.IsValidProtocolVersion(version):
		return nil // mcp-go says which versions there are
	}
	if err := mcp.ValidateStandardHeaders(r.Header.Get, version, mcp.MCPMethod(m.method), m.params); err != nil {
		return mismatch(err.Error())
	}
	return nil
}

// modernStatus is the HTTP status of an answer in the protocol of 2026-07-28.
func modernStatus(answer []byte) int {
	switch failureCode(answer) {
	case mcp.METHOD_NOT_FOUND:
		return http.StatusNotFound
	case mcp.HEADER_MISMATCH, mcp.MISSING_REQUIRED_CLIENT_CAPABILITY, mcp.UNSUPPORTED_PROTOCOL_VERSION,
		mcp.INVALID_REQUEST, mcp.INVALID_PARAMS, mcp.PARSE_ERROR:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// failureCode is the error code of a response; 0 when it is none.
func failureCode(answer []byte) int {
	code, _ := strconv.Atoi(string(memberOf(memberOf(answer, "error"), "code")))
	return code
}

// get answers a GET: what belongs to no request, or the rest of a stream whose
// connection broke.
func (h *HTTP) get(w http.ResponseWriter, r *http.Request, s *httpSession) {
	if !accepts(r, eventStreamType) {
		turnAway(w, nil, http.StatusNotAcceptable, mcp.INVALID_REQUEST, "GET is answered with "+eventStreamType+".")
		return
	}
	e, after := s.general, 0
	if last := r.Header.Get(mcp.HeaderLastEventID); last != "" {
		id, number, _ := strings.Cut(last, ".")
		var err error
		after, err = strconv.Atoi(number)
		if e = h.stream(s, id); e == nil || err != nil || after < 0 {
			turnAway(w, nil, http.StatusBadRequest, mcp.INVALID_REQUEST, "There is no stream to resume after this event, or no longer: send the request again.")
			return
		}
	} else {
		after = e.unwritten()
	}
	w.Header().Set(mcp.HeaderSessionID, s.id)
	out := newEventWriter(w, r, nil)
	if out.begin(); out.control.Flush() == nil {
		e.serve(out, after, s.gone)
	}
}

// newRequests returns the requests of a new client, which forget ends.
func (h *HTTP) newRequests() *requests {
	c := &requests{server: h.server, client: h.server.newClient(nil), open: make(map[string]*request)}
	c.run, c.end = context.WithCancelCause(context.Background())
	h.add(c)
	return c
}

func (h *HTTP) add(c *requests) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c.closing = h.closing
	h.open[c] = struct{}{}
}

func (h *HTTP) forget(c *requests) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.open, c)
}

// Wait serves no client on stdin and stdout: it waits for the end of ctx, and
// calls OnStop.
func (s *Server) Wait(ctx context.Context) {
	<-ctx.Done()
	s.options.OnStop(context.Cause(ctx).Error())
}

// Close lets the requests end, then makes them, as Serve does, and ends all
// sessions. It returns within StopsWithin.
func (h *HTTP) Close() {
	last := time.Now().Add(StopsWithin)
	h.mu.Lock()
	h.closing = true
	var open []*requests
	for c := range h.open {
		open = append(open, c)
	}
	h.mu.Unlock()
	for _, c := range open {
		c.stopTaking()
	}
	done := make(chan struct{})
	go h.server.guarded("closing the HTTP clients", func() {
		for _, c := range open {
			c.working.Wait()
		}
		close(done)
	})
	if !within(finishWithin, done, nil) {
		for _, c := range open {
			c.end(&StoppingError{"it was told to stop"})
		}
		if !within(time.Until(last)-giveUpWithin, done, nil) {
			h.server.log.Warn("some calls of HTTP clients did not end in time")
			for _, c := range open {
				c.giveUp("it was told to stop", last)
			}
		}
	}
	h.mu.Lock()
	sessions := make([]*httpSession, 0, len(h.sessions))
	for _, s := range h.sessions {
		sessions = append(sessions, s)
	}
	h.mu.Unlock()
	for _, s := range sessions {
		h.drop(s)
	}
	left := make(chan struct{})
	go h.server.guarded("leaving the HTTP clients", func() {
		h.handlers.Wait()
		close(left)
	})
	within(time.Until(last), left, nil)
}
