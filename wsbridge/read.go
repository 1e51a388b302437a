package wsbridge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/coder/websocket"

	"github.com/gitnexus/gitnexus-mcp/guard"
)

// keepBuffer is the largest read buffer that is kept for the next message.
const keepBuffer = 4 << 20

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// read reads frames until the connection ends, and returns why it did.
func (c *conn) read() error {
	for {
		kind, r, err := c.ws.Reader(context.Background())
		if err != nil {
			return readError(err)
		}
		if kind != websocket.MessageText && !c.takesParts {
			return &connError{status: websocket.StatusUnsupportedData, reason: "binary frames are not part of the protocol"}
		}
		b := buffers.Get().(*bytes.Buffer)
		b.Reset()
		metered := meteredReader{Reader: r, meter: c.memory}
		if _, err = b.ReadFrom(&metered); err != nil {
			return readError(err)
		}
		c.heard.Store(true)
		if kind == websocket.MessageText {
			err = c.receive(bytes.Clone(b.Bytes()))
		} else {
			err = c.receivePart(b.Bytes())
		}
		metered.done()
		if b.Cap() <= keepBuffer {
			buffers.Put(b)
		}
		if err != nil {
			return refusal(err)
		}
	}
}

// receive handles one text frame, whose bytes it keeps.
func (c *conn) receive(data []byte) error {
	if c.takesParts && len(data) > wholeBytes && isAnswer(data) {
		c.offload(func() error { return c.receiveLarge(data) })
		return nil
	}
	if c.maxNotice > 0 && len(data) > c.maxNotice && !isAnswer(data) && !isRefusal(data) {
		return crossed("a message of %d KB that is no answer", len(data)>>10)
	}
	e, err := c.dialect.decode(data)
	if err != nil {
		return err
	}
	if _, hello := e.(helloEvent); !hello && !c.greeted {
		return forbidden("the first message has to be %s", methodHello)
	}
	switch e := e.(type) {
	case pingEvent:
		c.control(encodeResult(e.id, struct{}{}))
	case unknownEvent:
		if e.id != "" { // a newer version may know it; it is told that this one does not
			c.control(encodeError(e.id, wireError{Code: codeMethodNotFound, Message: "unknown method " + e.method}))
		}
	case answerEvent:
		c.pending.settle(e.id, outcome{answer: e}) // it finds no call when it answers a ping or comes too late
	case progressEvent:
		c.pending.report(e.params)
	case cancelEvent:
		c.cancel(e.params.RequestID)
	case takenEvent:
		return c.partsTaken(e.params)
	default:
		return c.handle(e)
	}
	return nil
}

// receiveLarge handles one large message, outside the reader.
func (c *conn) receiveLarge(data []byte) error {
	e, err := c.dialect.decode(data)
	if err != nil {
		return err
	}
	switch e := e.(type) {
	case answerEvent:
		c.pending.settle(e.id, outcome{answer: e})
		return nil
	case callEvent:
		if c.serveCall != nil {
			c.serveCall(e)
			return nil
		}
	}
	return forbidden("this may not come in parts")
}

// receivePart handles one part of a large message.
func (c *conn) receivePart(part []byte) error {
	number, whole, taken, err := c.inbox.take(part)
	if err != nil {
		return err
	}
	if whole != nil {
		c.offload(func() error {
			err := c.receiveLarge(whole.join())
			c.inbox.finish(number)
			c.control(encode("", methodTaken, takenParams{number, whole.size}))
			return err
		})
	} else if taken > 0 {
		c.control(encode("", methodTaken, takenParams{number, taken}))
	}
	return nil
}

// partsTaken is told how far the other side is with a message in parts.
func (c *conn) partsTaken(p takenParams) error {
	c.mu.Lock()
	done, err := c.outbox.taken(p)
	var after []byte
	if done != nil {
		c.queuedBytes -= int64(len(done.data))
		after = done.after
	}
	c.mu.Unlock()
	c.control(after)
	c.wakeWriter()
	return err
}

// sendsParts notes that the other side takes large messages in parts, and how many
// bytes we may be ahead of it.
func (c *conn) sendsParts(window int) {
	c.mu.Lock()
	c.outbox.window = window
	c.mu.Unlock()
}

// offload does work outside the reader, which run waits for: a large answer takes
// long to decode, and what comes behind it need not wait. Too much of it at once
// blocks the reader.
func (c *conn) offload(work func() error) {
	select {
	case c.working <- struct{}{}:
	case <-c.done:
		return
	}
	c.workers.Go(func() {
		var err error
		p := guard.Run("answer decoder", c.report, func() { err = work() })
		<-c.working
		switch {
		case p != nil:
			c.end(&connError{status: websocket.StatusInternalError, reason: p.Error()})
		case err != nil:
			c.end(refusal(err))
		}
	})
}

// readError tells our own limit from what the other side did.
func readError(err error) error {
	if errors.Is(err, websocket.ErrMessageTooBig) {
		return tooBig
	}
	if e, ok := errors.AsType[*connError](err); ok {
		return e
	}
	if e, ok := errors.AsType[websocket.CloseError](err); ok {
		reason := fmt.Sprintf("the other side closed the connection (%d)", e.Code)
		if e.Reason != "" {
			reason += ": " + e.Reason
		}
		return &connError{status: websocket.StatusNormalClosure, reason: reason, cause: err}
	}
	return &connError{status: websocket.StatusGoingAway, reason: "the connection broke", cause: err}
}

// refusal gives a frame that cannot be accepted its close status.
func refusal(err error) error {
	if e, ok := errors.AsType[*frameError](err); ok {
		status := websocket.StatusPolicyViolation
		if e.malformed {
			status = websocket.StatusInvalidFramePayloadData
		}
		return &connError{status: status, reason: e.reason, cause: err}
	}
	return err
}
