package wsbridge

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/coder/websocket"
)

// peer is the other end of a hub's session: it gives the calls of this
// process's agent to the hub. It lives as long as its link.
type peer struct {
	// Set once, by dialPeer.
	link    *link
	hub     helloResult
	pending pending

	onPages func([]PageStatus)
}

// foreignError says that what answers on our port is no hub of ours.
type foreignError struct{ reason string }

func (e *foreignError) Error() string { return e.reason }

// dialPeer connects to the hub on this machine, introduces itself, and calls
// up. It returns when the link has ended. onPages is told which pages the hub has.
func dialPeer(ctx context.Context, opt Options, agent string, client *http.Client, up func(*peer), onPages func([]PageStatus)) error {
	dctx, cancel := context.WithTimeout(ctx, opt.HelloTimeout)
	defer cancel()
	conn, resp, err := websocket.Dial(dctx, opt.Gate.URL(), &websocket.DialOptions{
		HTTPClient:      client,
		HTTPHeader:      http.Header{"Authorization": {"Bearer " + opt.Gate.Token}},
		Subprotocols:    []string{Subprotocol},
		CompressionMode: websocket.CompressionDisabled,
	})
	switch {
	case err != nil && dctx.Err() != nil && ctx.Err() == nil:
		return &foreignError{"the program on the port takes connections and does not answer: it is frozen"}
	case err != nil && resp == nil && isRefused(err):
		return fmt.Errorf("dial: %w", err) // its holder has just gone
	case err != nil && resp == nil:
		return &foreignError{"the program on the port is no gitnexus-mcp (it does not answer as a web server)"}
	case err != nil && resp.StatusCode == http.StatusForbidden:
		return &foreignError{"the gitnexus-mcp on the port refuses our token: it runs for another user or with another GITNEXUS_TOKEN"}
	case err != nil:
		return &foreignError{fmt.Sprintf("the program on the port is no gitnexus-mcp (it answered with HTTP status %d)", resp.StatusCode)}
	case conn.Subprotocol() != Subprotocol:
		_ = conn.CloseNow()
		return &foreignError{"the program on the port is no gitnexus-mcp of this version"}
	}
	p := &peer{link: newLink(conn, opt.Heartbeat, opt.MaxMessage, askV2), onPages: onPages}
	p.link.answers = p.answer
	p.link.control(encode("hello", methodHello, helloParams{
		Role: rolePeer, Version: opt.Version, Session: fmt.Sprintf("peer-%d", os.Getpid()), Agent: agent, PID: os.Getpid(),
		MaxMessage: opt.MaxMessage, Parts: partsWindow,
	}))
	timer := time.AfterFunc(opt.HelloTimeout, func() {
		p.link.end(&foreignError{"the hub did not answer our hello: it is frozen, or no gitnexus-mcp"})
	})
	defer timer.Stop()
	err = p.link.run(ctx, func(data []byte) error {
		return p.handle(data, func() {
			timer.Stop()
			up(p)
		})
	})
	p.pending.kill(&droppedError{err})
	return err
}

// handle is called by the link's reader. ready is called once, after the hello.
func (p *peer) handle(data []byte, ready func()) error {
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
		p.onPages(e.params.Pages)
	case answerEvent:
		if e.id == "hello" && p.hub.PID == 0 {
			if e.failure != nil || json.Unmarshal(e.result, &p.hub) != nil || p.hub.PID == 0 {
				return malformed("the hub's answer to our hello could not be understood")
			}
			ready()
			return nil
		}
		p.settle(e)
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
	p.settle(a)
	return nil
}

func (p *peer) settle(e answerEvent) {
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
	p.pending.settle(e.id, o)
}
