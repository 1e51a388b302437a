package tools

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/gitnexus/gitnexus-mcp/coro"
)

const (
	// finishWithin is how long calls may still run when the input has ended,
	// failWithin how long they then have to fail. Together with what the
	// program does afterwards it has to stay under a second.
	finishWithin = 500 * time.Millisecond
	failWithin   = 250 * time.Millisecond
)

// Serve speaks MCP with one client: one JSON-RPC message a line. Every request
// runs in a goroutine of its own, so nothing waits for a slow call.
//
// It returns nil within a second of the end of in or of ctx, having answered
// what was in flight: with results, and with errors where they took longer. It
// returns an error at once when out cannot be written to, and when in fails. A
// Read of in that blocks is left behind; closing in ends it.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	run, end := context.WithCancelCause(context.WithoutCancel(ctx))
	defer end(context.Canceled)
	c := &connection{
		server: s, out: newLineWriter(out), run: run, end: end,
		session: newSession(nil, s.nameAgent), requests: make(map[string]*inflight),
	}
	c.open(c.session)

	// The loop has its own goroutine: it can be held up by a client that does
	// not read, and by a Read that never returns.
	ended := make(chan error, 1)
	r := bufio.NewReaderSize(in, 64<<10)
	c.relief = coro.NewRelief(func() { c.loop(r, ended) })
	go c.loop(r, ended)
	select {
	case err := <-ended:
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

// loop handles line by line until the input ends or the connection closes, and
// says so on ended. A last line without a newline counts.
//
// A call goes on its way at once, as a coroutine: waking a goroutine for it would
// take longer than what is done until it waits for the page. Who reads the
// page's answer carries it on.
func (c *connection) loop(r *bufio.Reader, ended chan<- error) {
	for {
		line, tooLong, err := readLine(r, maxLineBytes)
		if c.isClosing() {
			ended <- nil
			return
		}
		var work func(*coro.Coro)
		switch {
		case tooLong:
			c.reject(nil, mcp.INVALID_REQUEST, fmt.Sprintf("The message is longer than %d MiB", maxLineBytes>>20))
		case len(bytes.TrimSpace(line)) > 0:
			work = c.handle(line)
		}
		if err != nil {
			if work != nil {
				go c.coros.Go(work) // Serve waits for it
			}
			if errors.Is(err, io.EOF) {
				err = nil
			}
			ended <- err
			return
		}
		if work != nil && !c.relief.Aside(func() { c.coros.Go(work) }) {
			return
		}
	}
}

func (c *connection) isClosing() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closing
}

func (s *Server) nameAgent(name string) {
	if s.options.Agent == "" {
		s.options.OnAgent(name)
	}
}

// connection is one client.
type connection struct {
	// Set once.
	server  *Server
	out     *lineWriter
	session *session
	run     context.Context // of everything the client asked for
	end     context.CancelCauseFunc
	working sync.WaitGroup // requests
	coros   coro.Pool      // which answer them
	relief  *coro.Relief   // of loop

	mu       sync.Mutex
	requests map[string]*inflight // by key of the id
	calls    int
	others   int
	closing  bool // nothing more is taken on
}

// open makes a session known to mcp-go and passes its notifications on.
func (c *connection) open(s *session) {
	_ = c.server.mcp.RegisterSession(c.run, s) // its id is random: it cannot exist
	c.server.mu.Lock()
	c.server.sessions[s] = struct{}{}
	c.server.mu.Unlock()
	go s.pump(c.write)
}

func (c *connection) close(s *session) {
	c.server.mu.Lock()
	delete(c.server.sessions, s)
	c.server.mu.Unlock()
	c.server.mcp.UnregisterSession(c.run, s.SessionID())
	s.close()
}

// finish lets the requests end, then makes them, and closes the connection.
func (c *connection) finish(reason string) error {
	c.mu.Lock()
	c.closing = true
	for _, r := range c.requests {
		if r.endless {
			r.cancel(errCancelled)
		}
	}
	c.mu.Unlock()

	done := make(chan struct{})
	go func() {
		c.working.Wait()
		c.coros.Close()
		c.close(c.session)
		<-c.session.pumped
		close(done)
	}()
	ended := c.out.failure() == nil && within(finishWithin, done, c.out.broken)
	c.end(&StoppingError{reason})
	if !ended && !within(failWithin, done, nil) {
		c.server.log.Warn("some calls did not end in time", "reason", reason)
		c.close(c.session)
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
