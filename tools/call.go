package tools

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/gitnexus/gitnexus-mcp/guard"
	"github.com/gitnexus/gitnexus-mcp/resilience"
	"github.com/gitnexus/gitnexus-mcp/sanitize"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// Caller answers calls: the bridge to the page.
type Caller interface {
	// Call returns the tool's structured content. The context carries the
	// call's deadline; Call returns soon after it ends, with its error. Other
	// errors are those of wsbridge.
	Call(ctx context.Context, call *wsbridge.Call) (json.RawMessage, error)
}

// toolCall is one tool call while it is answered.
type toolCall struct {
	server  *Server
	client  *Client
	call    wsbridge.Call
	tool    *Tool           // nil when the table has no such tool
	raw     json.RawMessage // the arguments as they came
	links   bool            // the client knows content that is a link to a resource
	apps    bool            // the client shows pages in its chat
	debug   bool
	watch   stopwatch
	timeout time.Duration

	fullBytes int           // of an answer that was truncated
	notKept   error         // why its rest could not be kept
	duration  time.Duration // until the answer was made
	waited    time.Duration // for the user's answers, which is not in duration
}

// CallTool takes one call of a client the whole way, by whatever transport it
// came, and always answers: with the result, or with an error in the agent's
// terms. arguments may be anything. It returns soon after ctx ends, or after the
// time limit of the tool. progress is nil when the client wants none. The caller
// calls logged once the agent has the answer, which does not wait for the log.
func (s *Server) CallTool(ctx context.Context, client *Client, name string, arguments json.RawMessage, progress ProgressFunc) (result *mcp.CallToolResult, logged func()) {
	c := s.newCall(client, name, arguments)
	c.call.Progress = progress
	result, err := c.run(ctx)
	return c.finish(ctx, result, err)
}

// overloaded answers a call of a client that has too many running, as CallTool does.
func (s *Server) overloaded(ctx context.Context, client *Client, name string, arguments json.RawMessage) (result *mcp.CallToolResult, logged func()) {
	limit := s.options.MaxCalls
	return s.newCall(client, name, arguments).finish(ctx, nil, &wsbridge.OverloadedError{
		RetryAfter: time.Second, Limit: limit, Reason: fmt.Sprintf("%d calls are already running", limit),
	})
}

func (s *Server) newCall(client *Client, name string, arguments json.RawMessage) *toolCall {
	s.stats.begin()
	debug := s.options.Debug || asksForDebug(arguments)
	c := &toolCall{
		server: s, raw: arguments, debug: debug, watch: newStopwatch(debug), client: client, links: client.knowsLinks(), apps: client.showsApps(),
		call: wsbridge.Call{ID: newCallID(), Tool: clip(name, 60), Agent: client.Name(), Folder: client.worksIn(), Trace: new(wsbridge.Trace)},
	}
	if tool, ok := Find(name); ok {
		c.tool = tool
		c.call.ReadOnly, c.call.Idempotent, c.call.Heavy = tool.ReadOnly, tool.Idempotent, tool.Class == resilience.Heavy
	}
	return c
}

// CallEnd is how a call ended.
type CallEnd struct {
	ID, Tool, Agent string
	// Graph is that of the page that got the call, or the one that the call named.
	Graph     string
	Arguments json.RawMessage // as they came
	// Code is the error's; "" for a success. CodeCancelled is no error that an
	// agent gets.
	Code     Code
	Message  string
	Attempts int
	Duration time.Duration
}

func (c *toolCall) end(err error) CallEnd {
	e := CallEnd{
		ID: c.call.ID, Tool: c.call.Tool, Agent: c.call.Agent, Graph: cmp.Or(c.call.Trace.Graph, c.call.Repo),
		Arguments: c.raw, Attempts: max(1, c.call.Trace.Tries), Duration: c.duration,
	}
	switch {
	case errors.Is(err, errCancelled):
		e.Code = CodeCancelled
	case err != nil:
		v := envelope(err, c.call.Tool)
		e.Code, e.Message = v.Code, v.Message
	}
	return e
}

// finish makes the answer and counts the call; logged writes its line to the log.
func (c *toolCall) finish(ctx context.Context, result *mcp.CallToolResult, err error) (answer *mcp.CallToolResult, logged func()) {
	if err != nil {
		err = c.known(ctx, err)
		result = c.failure(err)
	}
	c.server.stats.end(c.record(err))
	c.duration = time.Since(c.watch.started) - c.waited
	return result, func() {
		c.log(ctx, result, err)
		if c.server.options.OnCall != nil {
			c.server.options.OnCall(c.end(err))
		}
	}
}

// run does the steps, and makes a panic in one of them an error.
func (c *toolCall) run(ctx context.Context) (result *mcp.CallToolResult, err error) {
	report := func(p *guard.Panic) {
		p.ID = c.call.ID // which the agent gets
		c.server.options.Panics.Report(p)
	}
	if p := guard.Run("call", report, func() { result, err = c.steps(ctx) }); p != nil {
		return nil, &InternalError{c.call.ID, fmt.Errorf("panic: %s", p.Message)}
	}
	return result, err
}

// steps does one step after the other; the first that fails ends the call.
func (c *toolCall) steps(ctx context.Context) (*mcp.CallToolResult, error) {
	if c.tool == nil {
		return nil, &UnknownToolError{c.call.Tool}
	}
	args, err := c.tool.Validate(c.raw)
	c.watch.done("validate")
	if err != nil {
		return nil, err
	}
	c.call.Repo = args.String("repo")
	if c.call.Arguments, err = c.tool.encode(args); err != nil {
		return nil, &InternalError{c.call.ID, err}
	}

	if c.tool.Guard != nil {
		err = c.tool.Guard(args)
		c.watch.done("guard")
		if err != nil {
			return nil, err
		}
	}

	c.timeout = c.server.options.Timeouts.For(c.tool.Class)
	ctx, cancel := context.WithTimeoutCause(ctx, c.timeout, &TimeoutError{c.tool.Name, c.timeout})
	defer cancel()
	if before := c.server.options.Before; before != nil {
		err = before(ctx, &c.call)
		c.watch.done("before")
		if err != nil {
			return nil, err
		}
	}
	var result *mcp.CallToolResult
	if c.tool.Answer != nil {
		result, err = c.tool.Answer(ctx, c, args)
		c.watch.done("call")
	} else {
		result, err = c.ask(ctx)
	}
	if err != nil {
		return nil, err
	}
	if c.fullBytes > 0 && c.notKept == nil {
		c.server.listLateTools()
	}
	if c.debug {
		attach(result, "debug", c.facts(nil), c.server.options.room())
	}
	c.attachPicture(ctx, result)
	return result, nil
}

// ask is the answer of a page.
func (c *toolCall) ask(ctx context.Context) (*mcp.CallToolResult, error) {
	content, err := c.server.options.Caller.Call(ctx, &c.call)
	if ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		err = context.Cause(ctx) // which of the two it was, and whose
	}
	c.watch.done("call")
	if err != nil {
		return nil, err
	}
	result, err := c.shape(content)
	c.watch.done("shape")
	if err != nil {
		return nil, &InternalError{c.call.ID, err}
	}
	return result, nil
}

// known turns what ended a call into an error that the table knows, or into
// errCancelled when the agent no longer waits.
func (c *toolCall) known(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		if stopping, ok := errors.AsType[*StoppingError](context.Cause(ctx)); ok {
			return stopping
		}
		return errCancelled
	}
	if underlying(err) != nil {
		return err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		// A shorter time limit than ours ended it, somewhere on the way.
		return &TimeoutError{c.call.Tool, time.Since(c.watch.started)}
	}
	return &InternalError{c.call.ID, err}
}

// failure is the answer for an error.
func (c *toolCall) failure(err error) *mcp.CallToolResult {
	e := envelope(err, c.call.Tool)
	e.CallID = c.call.ID
	if c.debug {
		e.Debug = c.facts(err)
	}
	return e.result(c.server.options.room())
}

// result is the envelope as an answer: as text, which every client shows, and as
// structured content, which programs tell from a result by its code. Both together
// take at most room bytes where that is not 0, but for the fields that every error has.
func (e Envelope) result(room int) *mcp.CallToolResult {
	content, err := marshal(e)
	if err != nil { // details or facts that do not encode
		e.Details, e.Debug = nil, nil
		content, _ = marshal(e)
	}
	content = sanitize.JSON(sanitize.Tokens(content))
	if room > 0 && len(content)+quotedBytes(content, 1) > room {
		e.Details, e.Debug = nil, nil
		most := max(200, room/32) // JSON may take six bytes for one, and seven for that
		e.Message, e.Suggestion = clip(e.Message, most), clip(e.Suggestion, most)
		content, _ = marshal(e)
		content = sanitize.JSON(sanitize.Tokens(content))
	}
	return &mcp.CallToolResult{
		Content:           []mcp.Content{mcp.TextContent{Type: "text", Text: string(content)}},
		StructuredContent: json.RawMessage(content),
		IsError:           true,
	}
}

func (c *toolCall) facts(err error) *Debug {
	d := &Debug{
		Tool: c.call.Tool, CallID: c.call.ID, Agent: c.call.Agent, Arguments: sanitize.Arguments(c.raw),
		TimeoutMS: c.timeout.Milliseconds(), Attempt: c.call.Trace.Tries, Steps: c.watch.steps, Link: c.call.Trace,
	}
	if err != nil {
		d.Cause = sanitize.Brief(err.Error(), 200)
	}
	return d
}

// record is the failure as the health resource shows it; nil for none.
func (c *toolCall) record(err error) *CallError {
	if err == nil || errors.Is(err, errCancelled) {
		return nil
	}
	e := envelope(err, c.call.Tool)
	return &CallError{At: time.Now().UTC(), CallID: c.call.ID, Tool: c.call.Tool, Code: e.Code, Message: clip(e.Message, 300)}
}

// log writes the call's one line, and with debug a second one with its steps and
// its route. Arguments are not in it, but as far as a failure's message has them,
// without secrets.
func (c *toolCall) log(ctx context.Context, result *mcp.CallToolResult, err error) {
	level, outcome := slog.LevelInfo, "ok"
	attrs := []slog.Attr{
		slog.String("id", c.call.ID), slog.String("tool", c.call.Tool), slog.String("agent", c.call.Agent),
		slog.Float64("ms", milliseconds(c.duration)),
	}
	trace := c.call.Trace
	if graph := cmp.Or(trace.Graph, c.call.Repo); graph != "" {
		attrs = append(attrs, slog.String("graph", clip(graph, 100)))
	}
	if trace.Tries > 1 {
		attrs = append(attrs, slog.Int("attempts", trace.Tries))
	}
	switch {
	case errors.Is(err, errCancelled):
		outcome = "cancelled"
	case err != nil:
		e := envelope(err, c.call.Tool)
		outcome = string(e.Code)
		message := e.Message
		switch e.Code {
		case CodeInternal:
			level, message = slog.LevelError, err.Error()
		case CodeTimeout, CodeConnectionLost, CodeCircuitOpen, CodeRetryExhausted, CodeOverloaded, CodePermission:
			level = slog.LevelWarn
		}
		attrs = append(attrs, slog.String("message", sanitize.Brief(message, 500)))
	default:
		attrs = append(attrs, slog.Int("bytes", textBytes(result)))
		if c.fullBytes > 0 {
			attrs = append(attrs, slog.Int("of", c.fullBytes))
		}
		if c.notKept != nil {
			level = slog.LevelWarn
			attrs = append(attrs, slog.String("not_kept", c.notKept.Error()))
		}
	}
	ctx = context.WithoutCancel(ctx)
	c.server.log.LogAttrs(ctx, level, "call", append(attrs, slog.String("outcome", outcome))...)
	if c.debug {
		steps := []slog.Attr{
			slog.String("id", c.call.ID), slog.String("role", trace.Role), slog.String("page", trace.Page),
			slog.Float64("wait_ms", trace.WaitMS), slog.Float64("page_ms", trace.PageMS),
		}
		for _, step := range c.watch.steps {
			steps = append(steps, slog.Float64(step.Name+"_ms", step.MS))
		}
		c.server.log.LogAttrs(ctx, slog.LevelDebug, "steps of a call", steps...)
	}
}

// textBytes is the size of an answer's text, or of what it has instead.
func textBytes(r *mcp.CallToolResult) int {
	n := 0
	for _, content := range r.Content {
		if text, ok := content.(mcp.TextContent); ok {
			n += len(text.Text)
		}
	}
	if structured, ok := r.StructuredContent.(json.RawMessage); ok && n == 0 {
		n = len(structured)
	}
	return n
}

// asksForDebug finds debug: true also in arguments that are otherwise wrong,
// which is when it is wanted most.
func asksForDebug(raw json.RawMessage) bool {
	if !bytes.Contains(raw, []byte(`"debug"`)) {
		return false
	}
	var common struct {
		Debug any `json:"debug"`
	}
	return json.Unmarshal(raw, &common) == nil && common.Debug == true
}

// newCallID returns 26 characters that hold 128 random bits: unique everywhere.
func newCallID() string { return rand.Text() }
