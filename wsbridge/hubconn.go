package wsbridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/coder/websocket"

	"github.com/gitnexus/gitnexus-mcp/sanitize"
)

// hubConn is a peer's connection to the hub: it gives the calls of this process's
// agent to the hub. It lives as long as its connection.
type hubConn struct {
	// Set once, by joinHub.
	conn    *conn
	network string // by which the hub was reached: "unix", "pipe" or "tcp"
	hub     helloResult
	closed  chan struct{} // closed once all goroutines of the connection have stopped

	onPages func(*hubConn, pagesParams)
	graph   func(*Call) string
}

var (
	errHandover = &connError{status: websocket.StatusNormalClosure, reason: "the hub goes, and has handed over"}
	// errOtherFolder ends the connection of a peer whose folder has changed: it connects
	// again, and says the new folder in its hello.
	errOtherFolder = &connError{status: websocket.StatusGoingAway, reason: "its folder is another one now"}
	errNoWelcome   = &connError{status: websocket.StatusNormalClosure, reason: "the hello was not answered"}
)

// joinHub proves to a hub that has proved itself that we know the token, introduces
// this process, and returns once the hub has answered, or a *holderError. ctx bounds
// the connection's life, limit the wait for the hub. onPages is told which pages
// the hub has, by the connection's reader, and may be called before joinHub returns.
func joinHub(ctx, limit context.Context, opt Options, agent string, h *provenHolder, onPages func(*hubConn, pagesParams)) (*hubConn, error) {
	ws, resp, err := websocket.Dial(limit, opt.Gate.URL(), &websocket.DialOptions{
		HTTPClient:      h.client(),
		Subprotocols:    []string{Subprotocol, opt.Gate.clientProof(opt.Gate.peer(), h.nonce, h.hubNonce)},
		CompressionMode: websocket.CompressionDisabled,
	})
	switch {
	case err != nil && limit.Err() != nil:
		return nil, silence(limit)
	case err != nil && resp == nil:
		return nil, &holderError{holderGone, "the hub went away before it had us as a peer: " + err.Error(), err}
	case err != nil && resp.StatusCode == http.StatusServiceUnavailable: // it stops, or is full
		return nil, &holderError{holderGone, "the hub takes no more connections", err}
	case err != nil:
		return nil, &holderError{holderForeign, fmt.Sprintf("the hub does not have us as a peer (HTTP status %d)", resp.StatusCode), err}
	case ws.Subprotocol() != Subprotocol:
		_ = ws.CloseNow()
		return nil, &holderError{holderForeign, "the gitnexus-mcp on the port is of a version that does not speak " + Subprotocol, nil}
	}
	p := newHubConn(newConn(ws, h, dialectV2{}, &opt), onPages)
	p.network = h.RemoteAddr().Network()
	go func() {
		defer close(p.closed)
		_ = p.conn.run(ctx)
	}()
	hello := encode("hello", methodHello, helloParams{
		Role: rolePeer, Version: opt.Version, Session: fmt.Sprintf("peer-%d", os.Getpid()), Agent: agent, PID: os.Getpid(), Folder: opt.Folder,
		MaxMessage: opt.MaxMessage, Parts: partsWindow,
	})
	if err = p.greet(limit, hello); err == nil {
		return p, nil
	}
	p.conn.end(errNoWelcome)
	<-p.closed
	f, cause := p.ended()
	if p.conn.cause == errNoWelcome {
		return nil, silence(limit)
	}
	if f == hubRefused {
		return nil, &holderError{holderForeign, "the hub does not have us as a peer: " + cause.Error(), cause}
	}
	return nil, &holderError{holderGone, "the hub went away before it had us as a peer", cause}
}

func newHubConn(c *conn, onPages func(*hubConn, pagesParams)) *hubConn {
	p := &hubConn{conn: c, closed: make(chan struct{}), onPages: onPages, graph: func(*Call) string { return "" }}
	c.greeted, c.takesParts, c.handle = true, true, p.handle
	return p
}

// greet sends the hello and waits for the hub's answer.
func (p *hubConn) greet(ctx context.Context, hello []byte) error {
	answer, err := p.conn.request(ctx, "hello", hello, nil, func() {})
	if err != nil {
		return err
	}
	if err = p.welcomed(answer); err != nil {
		p.conn.end(refusal(err))
	}
	return err
}

func (p *hubConn) welcomed(answer answerEvent) error {
	if answer.failure != nil || json.Unmarshal(answer.result, &p.hub) != nil || p.hub.PID == 0 {
		return malformed("the hub's answer to our hello could not be understood")
	}
	if err := checkWindow(p.hub.Parts); err != nil {
		return err
	}
	p.conn.sendsParts(p.hub.Parts)
	return nil
}

// handle is called by the connection's reader.
func (p *hubConn) handle(e event) error {
	switch e := e.(type) {
	case pagesEvent:
		p.onPages(p, e.params)
	case handoverEvent:
		return errHandover
	default:
		return forbidden("a hub may not send that")
	}
	return nil
}

// Do implements upstream.
func (p *hubConn) Do(ctx context.Context, c *Call) (json.RawMessage, error) {
	began := time.Now()
	left := maxTime
	if deadline, ok := ctx.Deadline(); ok {
		left = time.Until(deadline)
	}
	var progress func(progressParams)
	if c.Progress != nil {
		progress = func(p progressParams) { c.Progress(p.Progress, p.Total, sanitize.Name(p.Message, maxName)) }
	}
	answer, err := p.conn.request(ctx, c.ID, p.conn.dialect.call(c, left), progress, func() {})
	if dropped, ok := errors.AsType[*droppedError](err); ok {
		again := c.affinity
		if graph := p.graph(c); again == nil && c.ReadOnly && graph != "" && !dropped.unsent {
			again = &affinity{Graph: graph}
		}
		if again != nil && again.Unsent && !dropped.unsent {
			again = &affinity{Page: again.Page, Graph: again.Graph} // the hub may have sent it
		}
		return nil, &resendError{affinity: again, sent: !dropped.unsent, cause: dropped}
	}
	if err != nil {
		return nil, err
	}
	if answer.failure != nil {
		err := decodePeerError(answer.failure)
		if again, ok := errors.AsType[*resendError](err); ok && again.sent {
			again.affinity.lostAt = time.Now()
			c.Trace.add(&Trace{Attempt: 1, PageMS: milliseconds(time.Since(began))})
		}
		return nil, err
	}
	var r struct {
		StructuredContent json.RawMessage `json:"structuredContent"`
		Trace             *Trace          `json:"_meta"`
	}
	if err := json.Unmarshal(answer.result, &r); err != nil {
		return nil, &ToolError{Message: "The hub's answer could not be understood: " + err.Error()}
	}
	if r.StructuredContent == nil {
		return nil, &ToolError{Message: "The hub's answer could not be understood: it has no structuredContent"}
	}
	c.Trace.add(r.Trace)
	return r.StructuredContent, nil
}

// Done implements upstream.
func (p *hubConn) Done() <-chan struct{} { return p.conn.done }

// Graph implements upstream.
func (p *hubConn) Graph(c *Call) string { return p.graph(c) }

// ended says what the end of the connection, which has ended, means.
func (p *hubConn) ended() (fact, error) {
	cause := p.conn.cause
	e, ok := errors.AsType[*connError](cause)
	switch {
	case !ok: // it could not be written to
		return hubGone, cause
	case e == errHandover:
		return hubGone, cause
	case e.silent:
		return hubFrozen, cause
	}
	closing, ok := errors.AsType[websocket.CloseError](cause)
	switch {
	case !ok && e.status != websocket.StatusGoingAway:
		return hubRefused, cause // we closed it
	case ok && closing.Code != websocket.StatusGoingAway && closing.Code != websocket.StatusNormalClosure:
		return hubRefused, cause // the hub did
	}
	return hubGone, cause
}
