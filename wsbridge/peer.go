package wsbridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync"

	"github.com/coder/websocket"

	"github.com/gitnexus/gitnexus-mcp/coro"
)

// peer is the other end of a hub's session: it gives the calls of this
// process's agent to the hub. It lives as long as its link.
type peer struct {
	// Set once, by joinHub.
	link    *link
	hub     helloResult
	pending pending
	closed  chan struct{} // closed once reader, writer and heartbeat have stopped

	onPages func(*peer, pagesParams)
}

var (
	errHandover  = &linkError{status: websocket.StatusNormalClosure, reason: "the hub goes, and has handed over"}
	errNoWelcome = &linkError{status: websocket.StatusNormalClosure, reason: "the hello was not answered"}
)

// joinHub gives the token to a hub that has proved itself, introduces this
// process, and returns once the hub has answered, or a *holderError. ctx bounds
// the peer's life, limit the wait for the hub. onPages is told which pages the
// hub has, by the link's reader, and may be called before joinHub returns.
func joinHub(ctx, limit context.Context, opt Options, agent string, h *provenHolder, onPages func(*peer, pagesParams)) (*peer, error) {
	conn, resp, err := websocket.Dial(limit, opt.Gate.URL(), &websocket.DialOptions{
		HTTPClient:      h.client(),
		HTTPHeader:      http.Header{"Authorization": {"Bearer " + opt.Gate.Token}},
		Subprotocols:    []string{Subprotocol},
		CompressionMode: websocket.CompressionDisabled,
	})
	switch {
	case err != nil && limit.Err() != nil:
		return nil, silence(limit)
	case err != nil && resp == nil:
		return nil, &holderError{holderGone, "the hub went away before it had us as a peer: " + err.Error(), err}
	case err != nil && resp.StatusCode == http.StatusServiceUnavailable: // it stops, or is full
		return nil, &holderError{holderGone, "the hub takes no more links", err}
	case err != nil:
		return nil, &holderError{holderForeign, fmt.Sprintf("the hub does not have us as a peer (HTTP status %d)", resp.StatusCode), err}
	case conn.Subprotocol() != Subprotocol:
		_ = conn.CloseNow()
		return nil, &holderError{holderForeign, "the gitnexus-mcp on the port is of a version that does not speak " + Subprotocol, nil}
	}
	p := &peer{link: newLink(conn, h, opt.Heartbeat, opt.MaxMessage, askV2), closed: make(chan struct{}), onPages: onPages}
	p.link.answers = p.answer
	p.link.control(encode("hello", methodHello, helloParams{
		Role: rolePeer, Version: opt.Version, Session: fmt.Sprintf("peer-%d", os.Getpid()), Agent: agent, PID: os.Getpid(),
		MaxMessage: opt.MaxMessage, Parts: partsWindow,
	}))
	welcomed := make(chan struct{})
	go func() {
		defer close(p.closed)
		var settling sync.WaitGroup
		defer settling.Wait()
		settling.Go(func() { // at once: the link takes a moment to close
			<-p.link.done
			p.pending.kill(&droppedError{p.link.cause})
		})
		_ = p.link.run(ctx, func(data []byte) error { return p.handle(data, func() { close(welcomed) }) })
	}()
	select {
	case <-welcomed:
		return p, nil
	case <-p.link.done:
	case <-limit.Done():
		p.link.end(errNoWelcome)
	}
	<-p.closed
	f, cause := p.ended()
	if p.link.cause == errNoWelcome {
		return nil, silence(limit)
	}
	if f == hubRefused {
		return nil, &holderError{holderForeign, "the hub does not have us as a peer: " + cause.Error(), cause}
	}
	return nil, &holderError{holderGone, "the hub went away before it had us as a peer", cause}
}

// ended says what the end of the link, which has ended, means.
func (p *peer) ended() (fact, error) {
	cause := p.link.cause
	e, ok := errors.AsType[*linkError](cause)
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

// handle is called by the link's reader. It calls welcomed once, after the hub's
// answer to the hello.
func (p *peer) handle(data []byte, welcomed func()) error {
	e, err := decodeV2(data)
	if err != nil {
		return err
	}
	switch e := e.(type) {
	case pingEvent:
		p.link.control(encodeResult(e.id, struct{}{}))
	case progressEvent:
		p.pending.report(e.params)
	case pagesEvent:
		p.onPages(p, e.params)
	case handoverEvent:
		return errHandover
	case answerEvent:
		if e.id == "hello" && p.hub.PID == 0 {
			if e.failure != nil || json.Unmarshal(e.result, &p.hub) != nil || p.hub.PID == 0 {
				return malformed("the hub's answer to our hello could not be understood")
			}
			welcomed()
			return nil
		}
		return p.settle(e, p.link.carry)
	default:
		return unknown("a hub may not send that")
	}
	return nil
}

// answer settles a call by a large answer, beside the reader.
func (p *peer) answer(data []byte) error {
	e, err := decodeV2(data)
	if err != nil {
		return err
	}
	a, ok := e.(answerEvent)
	if !ok {
		return unknown("only answers may come in parts")
	}
	return p.settle(a, carryBeside)
}

func (p *peer) settle(e answerEvent, carry func(*coro.Coro, outcome) error) error {
	var o outcome
	if e.failure != nil {
		o.err = decodePeerError(e.failure)
	} else {
		var r struct {
			StructuredContent json.RawMessage `json:"structuredContent"`
			Trace             Trace           `json:"_meta"`
		}
		if err := json.Unmarshal(e.result, &r); err != nil {
			o.err = &ToolError{Message: "The hub's answer could not be understood: " + err.Error()}
		} else if r.StructuredContent == nil {
			o.err = &ToolError{Message: "The hub's answer could not be understood: it has no structuredContent"}
		}
		o.result = r.StructuredContent
		o.trace = &r.Trace
	}
	w := p.pending.settle(e.id, o)
	if w == nil {
		return nil
	}
	return carry(w.coro, o)
}
