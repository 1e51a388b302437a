// Package client calls the tools of MCP servers over Streamable HTTP or over the
// stdin and stdout of a child process. It connects again when a connection is
// lost, and tries a call again when its failure may pass.
package client

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	mcpclient "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/gitnexus/gitnexus-mcp/resilience"
)

// DefaultTimeout is the time limit for connecting and for each attempt.
const DefaultTimeout = 30 * time.Second

// maxRetryAfter is the longest wait that a server may ask for. An error that
// asks for more is returned, with its RetryAfter.
const maxRetryAfter = time.Minute

// Options configures a Client. The zero value works.
type Options struct {
	// Timeout limits connecting, and each attempt of a call. Default 30 s.
	Timeout time.Duration
	// Attempts is how often a call is tried in all. Default 3.
	Attempts int
	// Base is the wait before the second attempt; it doubles. Default 1 s.
	Base time.Duration
	// Jitter makes each wait longer by a random share of it, up to this one.
	// Default 0: none.
	Jitter float64
	// Idempotent tells which tools may be called again when it is unknown whether
	// the server has processed a call. Default: those that the server marks as
	// read-only or idempotent.
	Idempotent func(tool string) bool
	// OnOutcome is told the outcome of each call, if set.
	OnOutcome func(Outcome)
	// OnProgress is told the server's reports of progress, if set.
	OnProgress func(progress, total float64, message string)
	// Log gets a line for each retry. Default: none.
	Log *slog.Logger
	// Name and Version identify the caller to the server. Default gitnexus-mcp.
	Name, Version string
}

// Outcome is how a call ended.
type Outcome struct {
	Server, Tool string
	Attempts     int
	Duration     time.Duration
	Err          *Error // nil for a success
}

// Client calls the tools of one server. Its methods may be called concurrently.
// Close it.
type Client struct {
	target  Target
	options Options
	ctx     context.Context // of connections, until Close
	stop    context.CancelFunc

	connecting chan struct{} // a permit: one connection is made at a time

	mu      sync.Mutex
	current *connection          // nil when there is none
	open    map[*connection]bool // current, and those that calls still wait on
	ended   bool
	closing sync.WaitGroup // connections that are being closed
}

// connection is one connection to the server, and what the server offers.
type connection struct {
	client *mcpclient.Client
	tools  []mcp.Tool
	users  int // calls that wait on it; guarded by Client.mu
}

// Connect connects to a server. Errors are *Error.
func Connect(ctx context.Context, target Target, o Options) (*Client, error) {
	o.Timeout = cmp.Or(o.Timeout, DefaultTimeout)
	o.Attempts = cmp.Or(o.Attempts, 3)
	o.Name, o.Version = cmp.Or(o.Name, "gitnexus-mcp"), cmp.Or(o.Version, "1")
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	lifetime, stop := context.WithCancel(context.Background())
	c := &Client{target: target, options: o, ctx: lifetime, stop: stop, connecting: make(chan struct{}, 1), open: map[*connection]bool{}}
	tries, err := c.retry("").Do(ctx, func(err error) bool { return passing(ctx, err) }, func() error {
		attempt, cancel := context.WithTimeout(ctx, o.Timeout)
		defer cancel()
		conn, err := c.connected(attempt)
		if err == nil {
			c.release(conn)
		}
		return err
	})
	if err != nil {
		_ = c.Close()
		return nil, c.fail("", tries, ctx, err)
	}
	return c, nil
}

// Tools returns what the server offered when the client connected.
func (c *Client) Tools() []mcp.Tool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current == nil {
		return nil
	}
	return c.current.tools
}

// CallTool calls a tool and returns its result. The arguments are anything that
// encodes as a JSON object, or nil. Errors are *Error; one that the tool itself
// reports comes with its result.
func (c *Client) CallTool(ctx context.Context, name string, args any) (*mcp.CallToolResult, error) {
	start := time.Now()
	var result *mcp.CallToolResult
	lost := false // the connection that the server refused to go on with was replaced
	tries, err := c.retry(name).Do(ctx, func(err error) bool { return c.again(ctx, name, err) }, func() error {
		attempt, cancel := context.WithTimeout(ctx, c.options.Timeout)
		defer cancel()
		var err error
		result, err = c.attempt(attempt, name, args)
		if errors.Is(err, errSession) && !lost {
			lost = true // nothing was processed, and a new session is a matter of a moment
			result, err = c.attempt(attempt, name, args)
		}
		return err
	})
	var failed *Error
	switch {
	case err != nil:
		failed = c.fail(name, tries, ctx, err)
	case result.IsError:
		failed = toolError(c.target.name, name, tries, result)
	}
	if c.options.OnOutcome != nil {
		c.options.OnOutcome(Outcome{c.target.name, name, tries, time.Since(start), failed})
	}
	if failed != nil {
		return result, failed
	}
	return result, nil
}

// Close ends the connection, and the server if it is a child process. It may be
// called again.
func (c *Client) Close() error {
	c.mu.Lock()
	c.ended, c.current = true, nil
	for conn := range c.open {
		c.end(conn)
	}
	c.mu.Unlock()
	c.closing.Wait()
	c.stop()
	return nil
}

func (c *Client) retry(tool string) resilience.Retry {
	return resilience.Retry{
		Attempts: c.options.Attempts - 1, Base: c.options.Base, Jitter: c.options.Jitter,
		OnRetry: func(try int, wait time.Duration, err error) {
			c.options.Log.Warn("trying again", "server", c.target.name, "tool", tool, "attempt", try, "delay", wait, "cause", err)
		},
	}
}

// passing reports whether an error may pass while the caller still waits.
func passing(ctx context.Context, err error) bool {
	v := resilience.Classify(err)
	return ctx.Err() == nil && v.Passing && v.RetryAfter <= maxRetryAfter
}

func (c *Client) again(ctx context.Context, tool string, err error) bool {
	c.mu.Lock()
	ended := c.ended
	c.mu.Unlock()
	return !ended && passing(ctx, err) && (resilience.Classify(err).Undelivered || c.idempotent(tool))
}

func (c *Client) idempotent(tool string) bool {
	if c.options.Idempotent != nil {
		return c.options.Idempotent(tool)
	}
	for _, t := range c.target.tools() {
		if t.Name == tool {
			a := t.Annotations
			return a.ReadOnlyHint != nil && *a.ReadOnlyHint || a.IdempotentHint != nil && *a.IdempotentHint
		}
	}
	return false
}

// attempt makes one attempt of a call, on a new connection if there is none.
func (c *Client) attempt(ctx context.Context, name string, args any) (*mcp.CallToolResult, error) {
	conn, err := c.connected(ctx)
	if err != nil {
		return nil, errors.Join(resilience.ErrNotSent, err)
	}
	defer c.release(conn)
	request := mcp.CallToolRequest{Params: mcp.CallToolParams{Name: name, Arguments: args}}
	if c.options.OnProgress != nil {
		request.Params.Meta = &mcp.Meta{ProgressToken: name}
	}
	result, err := conn.client.CallTool(ctx, request)
	if err == nil {
		return result, nil
	}
	err = translate(err)
	if errors.Is(err, context.Canceled) && ctx.Err() == nil {
		err = errors.Join(resilience.ErrClosed, err) // Close ended the connection
	}
	if resilience.Classify(err).Passing || errors.Is(err, errSession) {
		c.check(conn, err)
	}
	return nil, err
}

// check drops a connection that does not work any more. One whose server only
// was slow goes on.
func (c *Client) check(conn *connection, cause error) {
	if errors.Is(cause, context.DeadlineExceeded) {
		ctx, cancel := context.WithTimeout(c.ctx, min(c.options.Timeout, 2*time.Second))
		defer cancel()
		// Not a ping: revision 2026-07-28 has none, and any answer will do.
		if _, err := conn.client.ListToolsByPage(ctx, mcp.ListToolsRequest{}); !resilience.Classify(translate(err)).Passing {
			return
		}
	} else if _, answered := errors.AsType[*resilience.StatusError](cause); answered || errors.Is(cause, resilience.ErrInternal) {
		return
	}
	c.drop(conn)
}

// drop lets no further call use a connection. It is closed once nobody waits on
// it: what one call met need not befall the others.
func (c *Client) drop(conn *connection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current == conn {
		c.current = nil
	}
}

// release ends one use of a connection that connected returned.
func (c *Client) release(conn *connection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if conn.users--; conn.users == 0 && conn != c.current {
		c.end(conn)
	}
}

// end closes a connection in the background, once. The caller holds mu.
func (c *Client) end(conn *connection) {
	if c.open[conn] {
		delete(c.open, conn)
		c.closing.Go(func() { _ = conn.client.Close() })
	}
}

// connected returns the connection, and makes it if need be. It is to be released.
func (c *Client) connected(ctx context.Context) (*connection, error) {
	select {
	case c.connecting <- struct{}{}:
		defer func() { <-c.connecting }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	c.mu.Lock()
	conn, ended := c.current, c.ended
	if conn != nil {
		conn.users++
	}
	c.mu.Unlock()
	if ended {
		return nil, errEnded
	}
	if conn != nil {
		return conn, nil
	}
	conn, err := c.dial(ctx)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[conn] = true
	if c.ended {
		c.end(conn)
		return nil, errEnded
	}
	conn.users = 1
	c.current = conn
	c.target.remember(conn.tools)
	return conn, nil
}

func (c *Client) dial(ctx context.Context) (_ *connection, err error) {
	t, err := c.target.open()
	if err != nil {
		return nil, err
	}
	conn := &connection{client: mcpclient.NewClient(t, mcpclient.WithDiscoverTimeout(c.options.Timeout/4))}
	defer func() {
		if err != nil {
			err = translate(err)
			_ = conn.client.Close()
		}
	}()
	if err := conn.client.Start(c.ctx); err != nil { // the connection outlives this call
		return nil, err
	}
	if c.options.OnProgress != nil {
		conn.client.OnNotification(func(n mcp.JSONRPCNotification) { c.progress(n) })
	}
	request := mcp.InitializeRequest{}
	request.Params.ClientInfo = mcp.Implementation{Name: c.options.Name, Version: c.options.Version}
	if _, err := conn.client.Initialize(ctx, request); err != nil {
		return nil, err
	}
	if conn.client.GetServerCapabilities().Tools != nil {
		list, err := conn.client.ListTools(ctx, mcp.ListToolsRequest{})
		if err != nil {
			return nil, err
		}
		conn.tools = list.Tools
	}
	return conn, nil
}

func (c *Client) progress(n mcp.JSONRPCNotification) {
	if n.Method != "notifications/progress" {
		return
	}
	field := func(name string) float64 { v, _ := n.Params.AdditionalFields[name].(float64); return v }
	message, _ := n.Params.AdditionalFields["message"].(string)
	c.options.OnProgress(field("progress"), field("total"), message)
}
