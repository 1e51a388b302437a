package tools

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/gitnexus/gitnexus-mcp/coro"
	"github.com/gitnexus/gitnexus-mcp/resilience"
)

// Call is one tool call, checked and ready for a page.
type Call struct {
	// ID is unique everywhere and stays the same wherever the call travels.
	ID   string
	Tool string
	// Agent is the name of the MCP client, or the one that was set.
	Agent string
	// Repo names the graph to ask; "" means the one in front.
	Repo string
	// Arguments is a JSON object: the tool's own arguments, checked and with
	// their defaults, without debug and repo.
	Arguments json.RawMessage
	// Progress passes progress on to the agent. Nil when it did not ask. It may
	// be called from any goroutine, also after the call has ended, when it does
	// nothing.
	Progress func(progress float64, total *float64, message string)
	// ReadOnly and Idempotent say what may be sent again, Heavy that it may take long.
	ReadOnly, Idempotent, Heavy bool
	// Link, when set, takes what the caller knows of the call's way (a value
	// that encodes to JSON), for a debug answer. Call it before Call returns.
	Link func(facts any)
	// Coro is what makes the call; nil for a goroutine.
	Coro *coro.Coro
}

// Caller answers calls: the bridge to the page.
type Caller interface {
	// Call returns the tool's structured content. The context carries the
	// call's deadline; Call returns soon after it ends, with its error. Other
	// errors are those of wsbridge. It suspends call.Coro while it waits, or
	// detaches it.
	Call(ctx context.Context, call Call) (json.RawMessage, error)
}

// request is what the server knows of a tools/call besides its arguments.
type request struct {
	coro     *coro.Coro // that answers it; nil for a goroutine
	agent    string
	links    bool // the client knows content that is a link to a resource
	progress func(progress float64, total *float64, message string)
}

// call takes one call the whole way, and always answers: with the result, or
// with an error in the agent's terms. log writes the call's one line; it is
// left to the caller, for after the answer is on its way.
func (s *Server) call(ctx context.Context, tool *Tool, raw json.RawMessage, req request) (_ *mcp.CallToolResult, log func()) {
	c := s.takeOff(tool, raw, req)
	result, err := c.run(ctx)
	return c.land(ctx, result, err)
}

// refuse answers a call that is not even begun.
func (s *Server) refuse(ctx context.Context, name string, raw json.RawMessage, req request, err error) (_ *mcp.CallToolResult, log func()) {
	c := s.takeOff(&Tool{Name: clip(name, 60)}, raw, req)
	return c.land(ctx, nil, err)
}

func (s *Server) takeOff(tool *Tool, raw json.RawMessage, req request) *flight {
	s.stats.begin()
	debug := s.options.Debug || asksForDebug(raw)
	return &flight{
		server: s, tool: tool, raw: raw, watch: newStopwatch(debug), debug: debug, links: req.links,
		call: Call{
			ID: newCallID(), Tool: tool.Name, Agent: req.agent, Progress: req.progress, Coro: req.coro,
			ReadOnly: tool.ReadOnly, Idempotent: tool.Idempotent, Heavy: tool.Class == resilience.Heavy,
		},
	}
}

// land settles the call: an error becomes an answer, and the figures get to know of it.
func (c *flight) land(ctx context.Context, result *mcp.CallToolResult, err error) (_ *mcp.CallToolResult, log func()) {
	if err != nil {
		err = c.settled(ctx, err)
		result = c.failure(err)
	}
	c.server.stats.end(c.record(err))
	took := time.Since(c.watch.started)
	return result, func() { c.log(ctx, took, result, err) }
}

// flight is one call on its way.
type flight struct {
	server  *Server
	tool    *Tool
	raw     json.RawMessage
	call    Call
	watch   stopwatch
	debug   bool
	timeout time.Duration
	links   bool // the client knows content that is a link to a resource
	tries   int  // of the caller
	link    any  // what the caller told; written before Call returns

	fullBytes int   // of an answer that was truncated
	notKept   error // why its rest could not be kept
}

// run does the steps one after the other; the first that fails ends the call.
func (c *flight) run(ctx context.Context) (result *mcp.CallToolResult, err error) {
	defer func() {
		if p := recover(); p != nil {
			c.server.log.Error("panic in a call", "id", c.call.ID, "tool", c.tool.Name, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			result, err = nil, &InternalError{c.call.ID, fmt.Errorf("panic: %v", p)}
		}
	}()

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
	if c.debug {
		c.call.Link = func(facts any) { c.link = facts }
	}

	var content json.RawMessage
	if c.tool.Answer != nil {
		content, err = c.answerHere(ctx)
	} else {
		content, err = c.ask(ctx)
	}
	c.watch.done("call")
	if err != nil {
		return nil, err
	}

	result, err = c.shape(content)
	c.watch.done("shape")
	if err != nil {
		return nil, &InternalError{c.call.ID, err}
	}
	if c.debug {
		result.Meta = &mcp.Meta{AdditionalFields: map[string]any{"debug": c.facts(nil)}}
	}
	return result, nil
}

// answerHere is the answer of a tool that needs no page.
func (c *flight) answerHere(ctx context.Context) (json.RawMessage, error) {
	c.call.Coro.Detach()
	graphs, err := c.server.settledGraphs(ctx)
	if err != nil {
		return nil, err
	}
	content, err := c.tool.Answer(graphs, c.call.Repo, time.Now())
	if err != nil {
		return nil, err
	}
	return marshal(content)
}

// shape makes an answer of the content that a page sent.
func (c *flight) shape(content json.RawMessage) (*mcp.CallToolResult, error) {
	content, err := tidy(c.tool, content)
	if err != nil {
		return nil, err
	}
	budget := c.server.options.MaxResult
	if budget <= 0 || len(content) <= budget {
		return answer(content, false), nil
	}
	c.fullBytes = len(content)
	var t truncated
	t, c.notKept = truncate(c.tool, content, budget, &c.server.results)
	if content, err = marshal(t); err != nil {
		return nil, err
	}
	result := answer(content, false)
	if t.Next != "" && c.links {
		result.Content = append(result.Content, t.link(c.tool))
	}
	return result, nil
}

// settled turns what ended a call into an error that the table knows, or into
// errCancelled when the agent no longer waits.
func (c *flight) settled(ctx context.Context, err error) error {
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
		return &TimeoutError{c.tool.Name, time.Since(c.watch.started)}
	}
	return &InternalError{c.call.ID, err}
}

// failure is the answer for an error.
func (c *flight) failure(err error) *mcp.CallToolResult {
	e := envelope(err, c.tool.Name)
	if c.debug {
		e.Debug = c.facts(err)
	}
	return e.result()
}

// result is the envelope as an answer.
func (e Envelope) result() *mcp.CallToolResult {
	content, err := marshal(e)
	if err != nil { // details or link facts that do not encode
		e.Details, e.Debug = nil, nil
		content, _ = marshal(e)
	}
	return answer(content, true)
}

func (c *flight) facts(err error) *Debug {
	d := &Debug{
		Tool: c.tool.Name, CallID: c.call.ID, Agent: c.call.Agent, Arguments: redact(c.raw),
		TimeoutMS: c.timeout.Milliseconds(), Attempt: c.tries, Steps: c.watch.steps, Link: c.link,
	}
	if err != nil {
		d.Cause = redactValue(err.Error(), 0).(string)
	}
	return d
}

// record is the failure as the health resource shows it; nil for none.
func (c *flight) record(err error) *CallError {
	if err == nil || errors.Is(err, errCancelled) {
		return nil
	}
	e := envelope(err, c.tool.Name)
	return &CallError{At: time.Now().UTC(), CallID: c.call.ID, Tool: c.tool.Name, Code: e.Code, Message: clip(e.Message, 300)}
}

// log writes the call's one line. Arguments are not in it.
func (c *flight) log(ctx context.Context, took time.Duration, result *mcp.CallToolResult, err error) {
	level, outcome := slog.LevelInfo, "ok"
	attrs := []slog.Attr{
		slog.String("id", c.call.ID), slog.String("tool", c.tool.Name), slog.String("agent", c.call.Agent),
		slog.Float64("ms", milliseconds(took)),
	}
	if c.tries > 1 {
		attrs = append(attrs, slog.Int("attempts", c.tries))
	}
	switch {
	case errors.Is(err, errCancelled):
		outcome = "cancelled"
	case err != nil:
		code := envelope(err, c.tool.Name).Code
		outcome = string(code)
		switch code {
		case CodeInternal:
			level = slog.LevelError
			attrs = append(attrs, slog.String("cause", err.Error()))
		case CodeTimeout, CodeConnectionLost, CodeCircuitOpen, CodeRetryExhausted, CodeOverloaded:
			level = slog.LevelWarn
		}
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
	c.server.log.LogAttrs(context.WithoutCancel(ctx), level, "call", append(attrs, slog.String("outcome", outcome))...)
}

func textBytes(r *mcp.CallToolResult) int {
	n := 0
	for _, content := range r.Content {
		if text, ok := content.(mcp.TextContent); ok {
			n += len(text.Text)
		}
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
