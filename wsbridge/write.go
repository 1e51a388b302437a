package wsbridge

import (
	"context"
	"fmt"
	"time"

	"github.com/coder/websocket"
)

type queuedFrame struct {
	data    []byte
	control bool // it holds no slot
}

// send queues a call or an answer, waiting for a slot until ctx ends. A large
// frame leaves in parts where the other side takes them. request is the id of a
// call, "" of an answer.
func (c *conn) send(ctx context.Context, request string, frame []byte) error {
	size, whole := int64(len(frame)), wholeBytes
	if request != "" {
		whole = wholeCallBytes
	}
	c.mu.Lock()
	if c.maxQueuedBytes > 0 && c.queuedBytes+size > c.maxQueuedBytes {
		c.mu.Unlock()
		return errBacklog
	}
	c.queuedBytes += size
	inParts := c.outbox.window > 0 && len(frame) > whole
	if inParts {
		c.outbox.add(request, frame)
	}
	c.mu.Unlock()
	if inParts {
		c.wakeWriter()
		return nil
	}
	select {
	case c.slots <- struct{}{}:
		return c.push(queuedFrame{data: frame})
	case <-c.done:
		return c.cause
	case <-ctx.Done():
		c.mu.Lock()
		c.queuedBytes -= size
		c.mu.Unlock()
		return context.Cause(ctx)
	}
}

// control queues a small frame at once, or does nothing when frame is nil.
func (c *conn) control(frame []byte) {
	if frame != nil {
		_ = c.push(queuedFrame{data: frame, control: true}) // a dead connection needs no control
	}
}

func (c *conn) push(f queuedFrame) error {
	if c.ended() {
		return c.cause
	}
	c.mu.Lock()
	c.queue = append(c.queue, f)
	if f.control {
		c.controlBytes += len(f.data)
	}
	full := c.controlBytes > controlLimit
	c.mu.Unlock()
	if full {
		c.end(errSlow)
	}
	c.wakeWriter()
	return nil
}

func (c *conn) wakeWriter() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// write writes what is queued until the connection ends, which also ends a write
// that is held up.
func (c *conn) write() error {
	late := time.AfterFunc(writeTimeout, func() { c.end(errSlow) })
	defer late.Stop()
	writeFrame := func(kind websocket.MessageType, data []byte) error {
		if c.ended() {
			return c.cause
		}
		late.Reset(writeTimeout)
		defer late.Stop()
		// Without a context of its own: one that ends would cut the connection
		// before the close frame is out.
		if err := c.ws.Write(context.Background(), kind, data); err != nil {
			return fmt.Errorf("write: %w", err)
		}
		return nil
	}
	late.Stop()
	var part []byte
	for {
		select {
		case <-c.done:
			return c.cause
		case <-c.wake:
		}
		for {
			c.mu.Lock()
			batch := c.queue
			c.queue = nil
			c.mu.Unlock()
			for _, f := range batch {
				if err := writeFrame(websocket.MessageText, f.data); err != nil {
					return err
				}
				c.mu.Lock()
				if f.control {
					c.controlBytes -= len(f.data)
				} else {
					c.queuedBytes -= int64(len(f.data))
					<-c.slots
				}
				c.mu.Unlock()
			}
			// After all that is queued, one part of what is large.
			c.mu.Lock()
			next := c.outbox.part(part)
			idle := next == nil && len(c.queue) == 0
			c.mu.Unlock()
			if idle {
				break
			}
			if next != nil {
				part = next
				if err := writeFrame(websocket.MessageBinary, part); err != nil {
					return err
				}
			}
		}
	}
}
