package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// errCancelled is the cause of a request's end when the agent cancelled it.
var errCancelled = fmt.Errorf("cancelled by the agent: %w", context.Canceled)

// requests are the requests of one client that are not answered yet, by whatever
// transport they came.
type requests struct {
	// Set once.
	server  *Server
	client  *Client
	run     context.Context // of everything the client asked for
	end     context.CancelCauseFunc
	working sync.WaitGroup
	// introduced is called with each request, and with ready true once the client may
	// be asked something. It may be nil.
	introduced func(ready bool)

	mu      sync.Mutex
	open    map[string]*request // by idKey
	closing bool                // nothing more is taken on
}

// take takes on the messages in valid JSON and returns the requests among them,
// which are to be run. Answers go to respond, the notifications that belong to a
// request to notify.
func (c *requests) take(valid json.RawMessage, respond, notify func(line []byte)) []*request {
	if bytes.TrimSpace(valid)[0] == '[' {
		return c.takeBatch(valid, respond, notify)
	}
	if r := c.takeOne(valid, respond, notify); r != nil {
		return []*request{r}
	}
	return nil
}

// takeOne returns the request that a message is, unless that is answered already.
func (c *requests) takeOne(raw json.RawMessage, respond, notify func(line []byte)) *request {
	refuse := func(id json.RawMessage, text string) *request {
		respond(encodeReply(id, failed(mcp.INVALID_REQUEST, text)))
		return nil
	}
	m, ok := readMessage(raw)
	switch {
	case !ok:
		return refuse(nil, "The line is not a JSON-RPC message")
	case m.method == "" && m.isAnswer:
		c.client.answered(m)
		return nil
	case m.version != mcp.JSONRPC_VERSION || m.method == "":
		return refuse(usableID(m.id), "The message is not JSON-RPC 2.0")
	case m.id == nil:
		c.notified(m)
		return nil
	case usableID(m.id) == nil:
		return refuse(nil, "The id is neither a string nor a number")
	}
	return c.begin(m, respond, notify)
}

func (c *requests) notified(m message) {
	if m.method == mcp.MethodNotificationRootsListChanged {
		c.client.rootsAreDue(true)
	}
	if m.method != string(mcp.MethodNotificationCancelled) {
		_ = c.server.dispatch(c.run, c.client, m)
		if m.method == string(mcp.MethodNotificationInitialized) && c.introduced != nil {
			c.introduced(true)
		}
		return
	}
	c.mu.Lock()
	r := c.open[idKey(m.param("requestId"))]
	c.mu.Unlock()
	if r != nil {
		r.abandon()
	}
}

// begin takes a request on, or answers at once that there are too many.
func (c *requests) begin(m message, respond, notify func([]byte)) *request {
	r := &request{of: c, message: m, key: idKey(m.id), respond: respond, write: notify}
	r.ctx, r.cancel = context.WithCancelCause(c.run)
	if !c.client.begin(m.isCall()) {
		answer := failed(mcp.INTERNAL_ERROR, fmt.Sprintf("%d requests are already running", maxOther))
		if m.isCall() {
			answer = c.server.refuseCall(r.ctx, c.client, m)
		}
		r.cancel(nil)
		respond(encodeReply(m.id, answer))
		answer.wasSent()
		return nil
	}
	if !c.register(r) {
		r.cancel(nil)
		c.client.end(m.isCall())
		return nil
	}
	initialize := m.method == string(mcp.MethodInitialize)
	if initialize {
		r.run() // what follows depends on it
	}
	if c.introduced != nil {
		c.introduced(false)
	}
	if initialize {
		return nil
	}
	return r
}

// register tells whether the request is still to be run.
func (c *requests) register(r *request) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing {
		return false
	}
	c.open[r.key] = r
	c.working.Add(1)
	return true
}

func (c *requests) isClosing() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closing
}

// giveUp answers the requests that have not ended, until last: their answers, if
// they still come, go to nobody.
func (c *requests) giveUp(reason string, last time.Time) {
	c.mu.Lock()
	open := slices.Collect(maps.Values(c.open))
	c.mu.Unlock()
	done := make(chan struct{})
	go c.server.guarded("giving up calls", func() { // a client that does not read may hold it up
		defer close(done)
		for _, r := range open {
			r.send(c.server.stopped(r.message, reason))
		}
	})
	within(time.Until(last), done, nil)
}

// stopTaking ends the requests that have no end of their own, and lets no others begin.
func (c *requests) stopTaking() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closing = true
	for _, r := range c.open {
		if r.message.method == string(mcp.MethodSubscriptionsListen) {
			r.cancel(errCancelled)
		}
	}
}

// request is one JSON-RPC request that is not answered yet.
type request struct {
	// Set once.
	of      *requests
	message message
	key     string // of the id
	respond func(answer []byte)
	write   func(notification []byte)
	batch   *batch // that the request is part of, or nil
	ctx     context.Context
	cancel  context.CancelCauseFunc

	mu      sync.Mutex
	settled bool // answered or cancelled: nothing more is sent for it
}

// run answers the request.
func (r *request) run() {
	defer r.forget()
	s := r.of.server
	panicked := s.guarded("request "+clip(r.message.method, 40), func() {
		r.send(s.answer(r.ctx, r.of.client, r.message, r.notify))
	})
	if panicked != nil {
		r.send(failed(mcp.INTERNAL_ERROR, "A bug in gitnexus-mcp; its log has the cause under "+panicked.ID))
	}
	if r.batch != nil {
		r.batch.close()
	}
}

// send sends the answer, unless there was one or the client has cancelled.
func (r *request) send(answer reply) {
	defer answer.wasSent()
	encoded := encodeReply(r.message.id, answer)
	if r.settle() {
		r.respond(encoded)
	}
}

// settle tells whether the caller is the first to answer or to cancel the request.
func (r *request) settle() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	first := !r.settled
	r.settled = true
	return first
}

// abandon ends the request for a client that no longer waits for its answer.
func (r *request) abandon() {
	r.settle()
	r.cancel(errCancelled)
}

// notify is a notifyFunc.
func (r *request) notify(notification any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	// Written under the lock: the response waits for it.
	if !r.settled {
		r.of.server.encode(notification, r.write)
	}
}

func (r *request) forget() {
	c := r.of
	defer c.working.Done()
	r.cancel(nil)
	c.client.end(r.message.isCall())
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[r.key] == r { // a client may have used the id again
		delete(c.open, r.key)
	}
}

// batch collects the answers to the requests of one JSON-RPC batch.
type batch struct {
	write func(line []byte) // set once

	mu      sync.Mutex
	answers [][]byte
	open    int // requests that are not settled, and one more until all are begun
}

// takeBatch takes on the messages of a batch, which the protocol of 2025-03-26 has
// and no other.
func (c *requests) takeBatch(line json.RawMessage, respond, notify func([]byte)) []*request {
	var messages []json.RawMessage
	refuse := func(text string) []*request {
		respond(encodeReply(nil, failed(mcp.INVALID_REQUEST, text)))
		return nil
	}
	switch err := json.Unmarshal(line, &messages); {
	case c.client.ProtocolVersion() != mcp.ProtocolVersion20250326:
		return refuse("Batches are not supported: send one message a line")
	case err != nil || len(messages) == 0:
		return refuse("The batch is empty")
	}
	b := &batch{write: respond, open: 1}
	var requests []*request
	for _, raw := range messages {
		if r := c.takeOne(raw, b.add, notify); r != nil {
			b.mu.Lock()
			b.open++
			b.mu.Unlock()
			r.batch = b
			requests = append(requests, r)
		}
	}
	b.close()
	return requests
}

// add keeps an answer for the batch's line.
func (b *batch) add(answer []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answers = append(b.answers, answer)
}

// close ends one request of the batch. The last one writes the answers; those of
// notifications alone are nothing.
func (b *batch) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open--; b.open > 0 || len(b.answers) == 0 {
		return
	}
	b.write(append(append([]byte{'['}, bytes.Join(b.answers, []byte{','})...), ']'))
}
