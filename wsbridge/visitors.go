package wsbridge

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// Deadlines of an HTTP connection. A WebSocket has its own, see conn.go.
const (
	// headerTimeout and requestTimeout bound the time to send the head of a request,
	// and all of it.
	headerTimeout  = 5 * time.Second
	requestTimeout = 10 * time.Second
	// answerTimeout bounds the time to read an answer to somebody without a proof: a
	// file of the app.
	answerTimeout = 30 * time.Second
	// provenTimeout bounds the time to send a request for somebody with a proof, and
	// to read the next bytes of the answer.
	provenTimeout = 2 * time.Minute
)

// maxVisitors bounds the HTTP connections that have shown no proof. One more ends
// the oldest: a page that loads needs its connection for a moment, so it gets in
// while another program holds all that it may.
const maxVisitors = 64

// visitors are the open HTTP connections that have shown no proof.
type visitors struct {
	ownerOf func(net.Conn) owner // set once, see there

	mu     sync.Mutex
	open   []net.Conn          // the oldest first
	ofPage map[net.Conn]string // those that asked with the key of a page's link, and which browser's
}

// httpConn is an HTTP connection, as requests find it in their context.
type httpConn struct {
	conn  net.Conn
	owner func() owner // asks the system once
}

type connKey struct{}

func (v *visitors) withConn(ctx context.Context, c net.Conn) context.Context {
	c = bare(c)
	return context.WithValue(ctx, connKey{}, &httpConn{c, sync.OnceValue(func() owner { return v.ownerOf(c) })})
}

// owner says whose process sent a request.
func (v *visitors) owner(r *http.Request) owner {
	if c, ok := r.Context().Value(connKey{}).(*httpConn); ok {
		return c.owner()
	}
	return unknownOwner
}

// track implements http.Server.ConnState.
func (v *visitors) track(c net.Conn, state http.ConnState) {
	c = bare(c)
	if state == http.StateHijacked || state == http.StateClosed {
		v.mu.Lock()
		delete(v.ofPage, c)
		v.mu.Unlock()
	}
	if _, ok := c.(socketConn); ok {
		return // our user has opened it
	}
	switch state {
	case http.StateNew:
		v.mu.Lock()
		v.open = append(v.open, c)
		var oldest net.Conn
		if len(v.open) > maxVisitors {
			oldest = v.open[0]
			v.open = v.open[1:]
		}
		v.mu.Unlock()
		if oldest != nil {
			_ = oldest.Close()
		}
	case http.StateHijacked, http.StateClosed:
		v.remove(c)
	}
}

// maxOfPage bounds what one browser, by its key, may hold at once: links, and connections
// that ask with the key of such a link. All pages without a proof count as one.
const maxOfPage = 64

// crowded reports whether a browser holds all the links that it may. It must be called
// with mu held.
func (h *hub) crowded(who identity) bool {
	if who.role == rolePeer {
		return false
	}
	n := 0
	for s := range h.sessions {
		if s.proven.role == who.role && s.proven.id == who.id {
			n++
		}
	}
	return n >= maxOfPage
}

// claim notes that a request came with the key of a page's link; false when that browser
// holds too many connections already.
func (v *visitors) claim(r *http.Request, page string) bool {
	c, ok := r.Context().Value(connKey{}).(*httpConn)
	if !ok {
		return true
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	n := 0
	for other, id := range v.ofPage {
		if id == page && other != c.conn {
			n++
		}
	}
	if n >= maxOfPage {
		return false
	}
	if v.ofPage == nil {
		v.ofPage = make(map[net.Conn]string)
	}
	v.ofPage[c.conn] = page
	return true
}

func (v *visitors) remove(c net.Conn) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for i, other := range v.open {
		if other == c {
			v.open = append(v.open[:i:i], v.open[i+1:]...)
			return
		}
	}
}

// proven notes that a request came with a proof: its connection is no visitor, and
// has more time.
func (v *visitors) proven(w http.ResponseWriter, r *http.Request) http.ResponseWriter {
	if c, ok := r.Context().Value(connKey{}).(*httpConn); ok {
		v.remove(c.conn)
	}
	p := &patient{ResponseWriter: w, control: http.NewResponseController(w)}
	p.extend()
	if r.Body == nil || r.Body == http.NoBody {
		_ = p.control.SetReadDeadline(time.Time{})
	} else {
		_ = p.control.SetReadDeadline(time.Now().Add(provenTimeout))
		r.Body = &body{r.Body, p.control}
	}
	return p
}

// body lifts the deadline when all of the request is read. Beyond it, net/http
// would take the client for gone while it waits for a long answer.
type body struct {
	io.ReadCloser
	control *http.ResponseController
}

func (b *body) Read(to []byte) (int, error) {
	n, err := b.ReadCloser.Read(to)
	if err == io.EOF {
		_ = b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}

// patient is a response whose deadline is that of the next bytes, not of all of it.
type patient struct {
	http.ResponseWriter
	control *http.ResponseController
}

func (p *patient) extend() { _ = p.control.SetWriteDeadline(time.Now().Add(provenTimeout)) }

func (p *patient) Write(b []byte) (int, error) {
	p.extend()
	return p.ResponseWriter.Write(b)
}

// Flush implements http.Flusher.
func (p *patient) Flush() {
	p.extend()
	_ = p.control.Flush()
}

// Unwrap is for http.ResponseController.
func (p *patient) Unwrap() http.ResponseWriter { return p.ResponseWriter }
