package wsbridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/gitnexus/gitnexus-mcp/coro"
)

// handlePeer serves the calls of a peer's agent as the hub's own.
func (s *session) handlePeer(e event) error {
	switch e := e.(type) {
	case callEvent:
		return s.serveCall(e)
	case cancelEvent:
		s.callsMu.Lock()
		cancel := s.calls[e.params.RequestID]
		s.callsMu.Unlock()
		if cancel != nil {
			cancel(context.Canceled)
		}
	case agentsEvent:
		if len(e.params.Agents) > 0 {
			s.hub.mu.Lock()
			s.hello.Agent = e.params.Agents[0].Name
			s.hub.mu.Unlock()
			s.hub.tellAgents()
		}
	case takenEvent:
		return s.link.taken(e.params)
	case answerEvent: // to a ping
	default:
		return unknown("a peer may not send that")
	}
	return nil
}

// serveCall runs one call as a coroutine, whose end run waits for.
func (s *session) serveCall(e callEvent) error {
	meta := e.params.Meta
	// The peer's own deadline comes first; this one is for a peer that died.
	ctx, cancelTimeout := context.WithTimeout(context.Background(), time.Duration(meta.DeadlineMS)*time.Millisecond)
	ctx, cancel := context.WithCancelCause(ctx)
	s.callsMu.Lock()
	_, twice := s.calls[e.id]
	if !twice {
		s.calls[e.id] = cancel
	}
	s.callsMu.Unlock()
	if twice { // a peer's ids are unique; answering twice would break its bookkeeping
		cancel(nil)
		cancelTimeout()
		return nil
	}
	c := Call{
		ID: e.id, Tool: e.params.Name, Arguments: e.params.Arguments, Agent: meta.Agent, Repo: meta.Repo,
		ReadOnly: meta.ReadOnly, Heavy: meta.Heavy, Trace: new(Trace), from: &s.caller, bound: meta.Bound,
	}
	if meta.ProgressToken != "" {
		c.Progress = func(progress float64, total *float64, message string) {
			s.link.control(encode("", methodProgress, progressParams{meta.ProgressToken, progress, total, message}))
		}
	}
	s.running.Add(1)
	call := func(co *coro.Coro) {
		defer s.running.Done()
		defer cancelTimeout()
		defer cancel(nil)
		c.Coro = co
		result, err := s.hub.Call(ctx, c)
		s.callsMu.Lock()
		delete(s.calls, e.id)
		s.callsMu.Unlock()
		if err != nil && s.hub.stop.Err() != nil {
			return // that we stop is no answer: the peer asks the next hub
		}
		var answer []byte
		if err != nil {
			answer = encodeError(e.id, encodePeerError(err))
		} else {
			answer = encodeAnswer(e.id, result, c.Trace)
		}
		// A message over its limit would end the peer's link, and the call would
		// be sent again, and end it again.
		if limit := s.hello.MaxMessage; limit > 0 && int64(len(answer)) > limit {
			answer = encodeError(e.id, encodePeerError(&ToolError{Message: fmt.Sprintf(
				"The answer has %d bytes, and this server takes %d (--max-message). Ask for less, or start it with a higher limit.",
				len(answer), limit)}))
		}
		// Sending waits for room, and no longer than the link lives.
		if s.link.send(context.Background(), co, answer) == errUnread {
			s.link.control(encodeError(e.id, encodePeerError(&ToolError{Retryable: true, Message: fmt.Sprintf(
				"The answer was thrown away: %d MB of answers wait already for this server to read them. Ask again.",
				s.link.maxUnread>>20)})))
		}
	}
	return s.link.aside(func() { s.coros.Go(call) })
}

// peerError carries an error of Call from the hub to a peer, in the data of a
// response's error. Exactly one field is set.
type peerError struct {
	Lost       *LostError        `json:"lost,omitempty"`
	Exhausted  *ExhaustedError   `json:"exhausted,omitempty"`
	Overloaded *OverloadedError  `json:"overloaded,omitempty"`
	Tool       *ToolError        `json:"tool,omitempty"`
	Repo       *UnknownRepoError `json:"repo,omitempty"`
	Bound      *binding          `json:"bound,omitempty"` // not an error: see boundError
	// Ended is "deadline" or "cancelled".
	Ended string `json:"ended,omitempty"`
}

func encodePeerError(err error) wireError {
	var p peerError
	var bound *boundError
	switch {
	case errors.As(err, &bound):
		p.Bound = &bound.binding
	case errors.As(err, &p.Lost), errors.As(err, &p.Exhausted), errors.As(err, &p.Overloaded),
		errors.As(err, &p.Tool), errors.As(err, &p.Repo):
	case errors.Is(err, context.DeadlineExceeded):
		p.Ended = "deadline"
	default:
		p.Ended = "cancelled"
	}
	return wireError{Code: codeNoPage, Message: err.Error(), Data: mustMarshal(p)}
}

func decodePeerError(w *wireError) error {
	var p peerError
	if json.Unmarshal(w.Data, &p) == nil {
		switch {
		case p.Lost != nil:
			return p.Lost
		case p.Exhausted != nil:
			return p.Exhausted
		case p.Overloaded != nil:
			return p.Overloaded
		case p.Tool != nil:
			return p.Tool
		case p.Repo != nil:
			return p.Repo
		case p.Bound != nil:
			return &boundError{*p.Bound}
		case p.Ended == "deadline":
			return context.DeadlineExceeded
		case p.Ended == "cancelled":
			return context.Canceled
		}
	}
	return toolError(w)
}
