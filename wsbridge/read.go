package wsbridge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/coder/websocket"

	"github.com/gitnexus/gitnexus-mcp/coro"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// readOn reads until the link ends, which it then notes, or until it is relieved.
func (l *link) readOn() {
	if err := l.read(); err != errRelieved {
		l.end(err)
		close(l.readDone)
	}
}

func (l *link) read() error {
	for {
		kind, r, err := l.conn.Reader(context.Background())
		if err != nil {
			return readError(err)
		}
		if kind != websocket.MessageText && l.answers == nil {
			return &linkError{status: websocket.StatusUnsupportedData, reason: "binary frames are not part of the protocol"}
		}
		b := buffers.Get().(*bytes.Buffer)
		b.Reset()
		_, err = b.ReadFrom(r)
		if err != nil {
			return readError(err)
		}
		l.heard.Store(true)
		l.unheard.Store(0)
		var data []byte
		if kind == websocket.MessageText {
			data = bytes.Clone(b.Bytes())
		} else {
			err = l.put(b.Bytes())
		}
		if b.Cap() <= keepBuffer {
			buffers.Put(b)
		}
		switch {
		case kind != websocket.MessageText:
		case len(data) > wholeBytes && l.answers != nil && isAnswer(data):
			l.answerBeside(data)
		default:
			err = l.handle(data)
		}
		if err != nil {
			return refusal(err)
		}
	}
}

// readError tells our own limit from the other side's doings.
func readError(err error) error {
	if errors.Is(err, websocket.ErrMessageTooBig) {
		return &linkError{status: websocket.StatusMessageTooBig, reason: "a message is over the limit", cause: err}
	}
	if e, ok := errors.AsType[websocket.CloseError](err); ok {
		reason := fmt.Sprintf("the other side closed the link (%d)", e.Code)
		if e.Reason != "" {
			reason += ": " + e.Reason
		}
		return &linkError{status: websocket.StatusNormalClosure, reason: reason, cause: err}
	}
	return &linkError{status: websocket.StatusGoingAway, reason: "the connection broke", cause: err}
}

// refusal gives a frame that cannot be accepted its close status.
func refusal(err error) error {
	if e, ok := errors.AsType[*frameError](err); ok {
		status := websocket.StatusPolicyViolation
		if e.malformed {
			status = websocket.StatusInvalidFramePayloadData
		}
		return &linkError{status: status, reason: e.reason, cause: err}
	}
	return err
}

// carry lets a call go on whose answer the reader has read. The reader carries
// it itself when that is sure to be little work.
func (l *link) carry(co *coro.Coro, o outcome) error {
	if len(o.result) > directBytes {
		return carryBeside(co, o)
	}
	if co == nil {
		return nil
	}
	return l.aside(co.Resume)
}

// aside does work on the reader that is not reading, and may hold it up.
func (l *link) aside(work func()) error {
	if !l.relief.Aside(work) {
		return errRelieved
	}
	return nil
}

// carryBeside lets a call go on beside the reader.
func carryBeside(co *coro.Coro, _ outcome) error {
	go co.Resume()
	return nil
}

// errRelieved ends a reader in whose place another reads on.
var errRelieved = errors.New("the reader was relieved")
