package tools

import (
	"context"
	"crypto/rand"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

const (
	// maxSessions bounds the clients over HTTP. Each has shown the token; the bound
	// stops one that begins sessions and forgets them.
	maxSessions = 64
	// sessionIdle is the time without a request after which a session ends.
	sessionIdle = 30 * time.Minute
	// resumeFor is the time in which a client can ask again for an answer, of the
	// last maxAnswers that its session got.
	resumeFor  = time.Minute
	maxAnswers = 16
)

// httpSession is one client.
type httpSession struct {
	requests
	// Set once.
	id      string
	general *eventStream  // of what belongs to no request: the answer to GET
	gone    chan struct{} // closed when the session has ended
	expiry  *time.Timer

	// Under HTTP.mu.
	streams []*eventStream // of requests, the oldest first
	active  int            // HTTP requests
	used    time.Time
}

// sessionFor returns the session that a message belongs to, a new one for
// initialize, or answers that there is none. leave has to follow.
func (h *HTTP) sessionFor(w http.ResponseWriter, r *http.Request, m message) *httpSession {
	if m.method != string(mcp.MethodInitialize) {
		return h.enter(w, r)
	}
	s := &httpSession{id: rand.Text(), general: newEventStream(rand.Text()[:8]), gone: make(chan struct{}), active: 1, used: time.Now()}
	s.server, s.client, s.requests.open = h.server, h.server.newClient(nil), make(map[string]*request)
	s.client.moveToRoots()
	s.run, s.end = context.WithCancelCause(context.Background())
	s.expiry = time.AfterFunc(sessionIdle, func() { h.server.guarded("end of an HTTP session", func() { h.expire(s) }) })
	h.mu.Lock()
	oldest, full := h.leastRecentlyUsed(), len(h.sessions) >= maxSessions
	if !full || oldest != nil {
		h.sessions[s.id] = s
		h.open[&s.requests] = struct{}{}
	}
	h.mu.Unlock()
	if full && oldest == nil {
		s.expiry.Stop()
		w.Header().Set("Retry-After", "5")
		turnAway(w, m.id, http.StatusServiceUnavailable, mcp.INTERNAL_ERROR, "There are "+strconv.Itoa(maxSessions)+" sessions at work. End one with DELETE.")
		return nil
	}
	if full {
		h.drop(oldest)
	}
	h.server.connect(s.run, s.client, func(n any) { h.server.encode(n, s.general.add) })
	return s
}

// leastRecentlyUsed returns a session that does nothing, nil when there is none.
// It must be called with mu held.
func (h *HTTP) leastRecentlyUsed() (oldest *httpSession) {
	for _, s := range h.sessions {
		if s.active == 0 && (oldest == nil || s.used.Before(oldest.used)) {
			oldest = s
		}
	}
	return oldest
}

// enter returns the session that an HTTP request names, or answers that there is
// none. leave has to follow.
func (h *HTTP) enter(w http.ResponseWriter, r *http.Request) *httpSession {
	id := r.Header.Get(mcp.HeaderSessionID)
	h.mu.Lock()
	s := h.sessions[id]
	if s != nil {
		s.active++
	}
	h.mu.Unlock()
	if s != nil {
		return s
	}
	if id == "" {
		turnAway(w, nil, http.StatusBadRequest, mcp.INVALID_REQUEST, "The header "+mcp.HeaderSessionID+" is missing: send initialize first, and then the id that its answer has in this header.")
	} else {
		turnAway(w, nil, http.StatusNotFound, mcp.INVALID_REQUEST, "This session has ended: send initialize again.")
	}
	return nil
}

func (h *HTTP) leave(s *httpSession) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s.active--
	s.used = time.Now()
}

// expire ends a session that does nothing.
func (h *HTTP) expire(s *httpSession) {
	h.mu.Lock()
	wait := sessionIdle - time.Since(s.used)
	if s.active > 0 {
		wait = sessionIdle
	}
	h.mu.Unlock()
	if wait > 0 {
		s.expiry.Reset(wait)
		return
	}
	h.drop(s)
}

// drop ends a session. What it still asks for is cancelled.
func (h *HTTP) drop(s *httpSession) {
	h.mu.Lock()
	here := h.sessions[s.id] == s
	delete(h.sessions, s.id)
	delete(h.open, &s.requests)
	h.mu.Unlock()
	if !here {
		return
	}
	s.expiry.Stop()
	s.stopTaking()
	s.end(errCancelled)
	h.server.disconnect(s.run, s.client)
	close(s.gone)
}

// keep makes a stream one that its client can resume.
func (h *HTTP) keep(s *httpSession, e *eventStream) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s.streams = append(s.streams, e)
}

// retire forgets a stream that has ended, after some time.
func (h *HTTP) retire(s *httpSession, e *eventStream) {
	forget := func(old *eventStream) {
		s.streams = slices.DeleteFunc(s.streams, func(other *eventStream) bool { return other == old })
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	ended := 0
	for _, other := range slices.Backward(s.streams) {
		if other.hasEnded() {
			if ended++; ended > maxAnswers {
				forget(other)
				break
			}
		}
	}
	time.AfterFunc(resumeFor, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		forget(e)
	})
}

func (h *HTTP) stream(s *httpSession, id string) *eventStream {
	if id == s.general.id {
		return s.general
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range s.streams {
		if e.id == id {
			return e
		}
	}
	return nil
}
