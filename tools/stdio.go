package tools

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// StopsWithin is the time in which Serve returns once it has to. Calls may run for
// finishWithin of it and fail in the rest; those that do not, such as one that makes
// a large answer on a busy machine, are answered for in the last giveUpWithin.
const (
	StopsWithin  = 750 * time.Millisecond
	finishWithin = 500 * time.Millisecond
	giveUpWithin = 100 * time.Millisecond
)

// maxIdle is the number of goroutines that wait to read a client's next message.
const maxIdle = 4

// Serve speaks MCP with one client: one JSON-RPC message a line. It is not
// mcp-go's server for stdin, which runs calls on its read loop when its queue is
// full. Each request has a goroutine of its own, so nothing waits for a slow call.
//
// It returns nil within StopsWithin of the end of in or of ctx, having answered
// what was in flight: with results, and with errors where they took longer. It
// returns an error at once when out cannot be written to, and when in fails. A
// Read of in that blocks is left behind; closing in ends it.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	run, end := context.WithCancelCause(context.WithoutCancel(ctx))
	defer end(context.Canceled)
	c := &connection{
		requests: requests{server: s, client: s.newClient(nil), run: run, end: end, open: make(map[string]*request)},
		in:       bufio.NewReaderSize(in, 64<<10), out: newLineWriter(out),
		ended: make(chan error, 1), next: make(chan struct{}), idle: make(chan struct{}, maxIdle),
	}
	s.connect(run, c.client, func(n any) { s.encode(n, c.out.write) })
	if s.options.OnRoots != nil {
		c.introduced, c.client.useRoots = c.learnRoots, s.options.OnRoots
	}

	// Reading has a goroutine of its own: it can be held up by a client that
	// does not read, and by a Read that never returns.
	go c.read()
	select {
	case err := <-c.ended:
		if err != nil {
			return errors.Join(fmt.Errorf("reading from the MCP client: %w", err), c.finish("its input has failed"))
		}
		return c.finish("its input has ended")
	case <-c.out.broken:
		return c.finish("its output is closed")
	case <-ctx.Done():
		return c.finish("it was told to stop")
	}
}

// connection is one client on stdin and stdout.
type connection struct {
	requests
	// Set once.
	in    *bufio.Reader // of the one goroutine that reads
	out   *lineWriter
	ended chan error    // why reading has ended; buffered, sent to once
	next  chan struct{} // hands over the reading to a goroutine that waits for it
	idle  chan struct{} // a token for each goroutine that waits
}

// read reads messages, until one asks for something: then it lets another
// goroutine read on, answers that itself, and waits to read again. A thread that
// waits in a read of stdin is slow to start another goroutine, so handing over
// the reading is cheaper than handing over the request; and a goroutine that has
// answered before has a stack of the right size.
func (c *connection) read() {
	panicked := c.server.guarded("reading from the MCP client", func() {
		for {
			requests, err := c.readMessage()
			switch {
			case c.isClosing() || err != nil:
				for _, r := range requests {
					go r.run() // finish waits for it
				}
				if errors.Is(err, io.EOF) {
					err = nil
				}
				c.ended <- err
				return
			case len(requests) > 0:
				select {
				case c.next <- struct{}{}:
				default:
					go c.read()
				}
				for _, r := range requests[1:] {
					go r.run()
				}
				requests[0].run()
				if !c.readsAgain() {
					return
				}
			}
		}
	})
	if panicked != nil {
		select {
		case c.ended <- panicked:
		default: // another goroutine reads, and has ended
		}
	}
}

// readsAgain waits until this goroutine is to read the next message. It is false
// when enough others wait for that, or when nothing more is read.
func (c *connection) readsAgain() bool {
	select {
	case c.idle <- struct{}{}:
		defer func() { <-c.idle }()
	default:
		return false
	}
	select {
	case <-c.next:
		return true
	case <-c.run.Done():
		return false
	}
}

// readMessage reads a line and returns the requests in it, which are to be run.
// A last line without a newline counts.
func (c *connection) readMessage() ([]*request, error) {
	line, err := readLine(c.in, maxLineBytes)
	switch {
	case c.isClosing():
		return nil, err
	case line.tooLong:
		c.reject(line.id, mcp.INVALID_REQUEST, fmt.Sprintf("The message is longer than %d MiB", maxLineBytes>>20))
		return nil, err
	case len(bytes.TrimSpace(line.data)) == 0:
		return nil, err
	}
	return c.accept(line.data), err
}

// accept takes on what is in a line. Notifications are handled and requests
// registered on the spot, so that a cancel finds the request right before it.
func (c *connection) accept(line json.RawMessage) []*request {
	if !json.Valid(line) {
		c.reject(nil, mcp.PARSE_ERROR, "The line is not valid JSON")
		return nil
	}
	return c.take(line, c.out.write, c.out.write)
}

// finish lets the requests end, then makes them, and closes the connection.
func (c *connection) finish(reason string) error {
	last := time.Now().Add(StopsWithin)
	c.server.options.OnStop(reason)
	c.stopTaking()

	done := make(chan struct{})
	go c.server.guarded("closing the MCP client", func() {
		c.working.Wait()
		c.server.disconnect(c.run, c.client)
		<-c.client.pumped
		close(done)
	})
	ended := c.out.failure() == nil && within(finishWithin, done, c.out.broken)
	c.end(&StoppingError{reason})
	if !ended && !within(time.Until(last)-giveUpWithin, done, nil) {
		c.server.log.Warn("some calls did not end in time", "reason", reason)
		c.giveUp(reason, last)
		c.server.disconnect(c.run, c.client)
	}
	if err := c.out.failure(); err != nil {
		return fmt.Errorf("writing to the MCP client: %w", err)
	}
	return nil
}

// within waits for done, and tells whether it came in time. It gives up early
// when broken is closed.
func within(limit time.Duration, done, broken <-chan struct{}) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-broken:
	case <-timer.C:
	}
	return false
}

// reject answers what is no request.
func (c *connection) reject(id json.RawMessage, code int, text string) {
	c.out.write(encodeReply(id, failed(code, text)))
}
