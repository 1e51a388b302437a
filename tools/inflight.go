package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"runtime/debug"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/gitnexus/gitnexus-mcp/coro"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// maxOther bounds the requests at once that are no tool calls.
const maxOther = 256

// errCancelled is the cause of a request's end when the agent cancelled it.
var errCancelled = fmt.Errorf("cancelled by the agent: %w", context.Canceled)

// message is what the line loop reads of a JSON-RPC message. Members that are
// absent are nil.
type message struct {
	version, method string
	id, params      json.RawMessage
	isAnswer        bool
}

// readMessage reads valid JSON; false when it is no JSON-RPC message.
func readMessage(valid []byte) (m message, ok bool) {
	if !isObject(valid) {
		return m, false
	}
	ok = true
	for key, value := range members(valid) {
		isString := true
		switch string(key) {
		case "jsonrpc":
			m.version, isString = plainString(value)
		case "method":
			m.method, isString = plainString(value)
		case "id":
			m.id = value
		case "params":
			m.params = value
		case "result", "error":
			m.isAnswer = true
		}
		ok = ok && isString
	}
	return m, ok
}

// inflight is one request that is not answered yet.
type inflight struct {
	// Set once.
	conn    *connection
	id      json.RawMessage
	key     string // of the id
	isCall  bool
	endless bool            // it ends only when told
	call    *callParams     // of a call that needs nothing of mcp-go
	token   json.RawMessage // of progress; nil when the client wants none
	refusal *refusal        // of a call that is not to begin
	ctx     context.Context
	cancel  context.CancelCauseFunc

	failure *mcp.JSONRPCErrorDetails // in place of mcp-go's; owned by the worker

	mu   sync.Mutex
	over bool    // answered or cancelled: nothing more is sent for it
	last float64 // progress so far
}

// callParams are the params of a tools/call.
type callParams struct {
	name      string
	arguments json.RawMessage
	// Of _meta: the progress token, and whether it names a protocol version.
	token  json.RawMessage
	modern bool
}

// readCall reads a call's params; false when they are not what they have to be.
func readCall(params json.RawMessage) (p callParams, ok bool) {
	if !isObject(params) {
		return p, false
	}
	for key, value := range members(params) {
		switch string(key) {
		case "name":
			if p.name, ok = plainString(value); !ok {
				return p, false
			}
		case "arguments":
			p.arguments = value
		case "_meta":
			if !isObject(value) {
				return p, false
			}
			for key, value := range members(value) {
				switch string(key) {
				case "progressToken":
					p.token = usableID(value)
				case "io.modelcontextprotocol/protocolVersion":
					p.modern = true
				}
			}
		}
	}
	return p, true
}

// refusal is why a call is answered with an error before it begins.
type refusal struct {
	tool string
	err  error
}

// inflightKey leads handlers to their *inflight.
type inflightKey struct{}

// handle begins the work on one message. Notifications are handled and
// requests registered on the spot, so that a cancel finds the request that
// came right before it. What may take long is left to the caller: work, if it
// is not nil, has to be called, once.
func (c *connection) handle(raw []byte) (work func(*coro.Coro)) {
	if !json.Valid(raw) {
		c.reject(nil, mcp.PARSE_ERROR, "The line is not valid JSON")
		return nil
	}
	m, ok := readMessage(raw)
	switch {
	case !ok && bytes.TrimSpace(raw)[0] == '[':
		c.reject(nil, mcp.INVALID_REQUEST, "Batches are not supported: send one message a line")
	case !ok:
		c.reject(nil, mcp.INVALID_REQUEST, "The line is not a JSON-RPC message")
	case m.method == "" && m.isAnswer:
		// An answer. We ask clients nothing.
	case m.version != mcp.JSONRPC_VERSION || m.method == "":
		c.reject(usableID(m.id), mcp.INVALID_REQUEST, "The message is not JSON-RPC 2.0")
	case m.id == nil:
		c.notified(m, raw)
	case usableID(m.id) == nil:
		c.reject(nil, mcp.INVALID_REQUEST, "The id is neither a string nor a number")
	default:
		return c.request(m, raw)
	}
	return nil
}

// usableID returns an id that can be answered, nil for others.
func usableID(id json.RawMessage) json.RawMessage {
	if len(id) > 0 && (id[0] == '"' || id[0] == '-' || isDigit(id[0])) {
		return id
	}
	return nil
}

// key makes ids comparable: "a" and "\u0061" are the same string.
func key(id json.RawMessage) string {
	if s, ok := plainString(id); ok {
		return "s" + s
	}
	return string(id)
}

// plainString is a valid JSON value that is a string, as that string.
func plainString(raw json.RawMessage) (s string, ok bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	if inner := raw[1 : len(raw)-1]; bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner), true // nearly all are: no need to wake the decoder
	}
	return s, json.Unmarshal(raw, &s) == nil
}

func (c *connection) notified(m message, raw []byte) {
	if m.method != string(mcp.MethodNotificationCancelled) {
		_ = c.dispatch(c.run, c.session, raw)
		return
	}
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(m.params, &p) != nil {
		return
	}
	c.mu.Lock()
	r := c.requests[key(p.RequestID)]
	c.mu.Unlock()
	if r != nil {
		r.mu.Lock()
		r.over = true
		r.mu.Unlock()
		r.cancel(errCancelled)
	}
}

// request takes a request on and returns the work that answers it, or answers
// at once that there are too many.
func (c *connection) request(m message, raw []byte) (work func(*coro.Coro)) {
	r := &inflight{
		conn: c, id: m.id, key: key(m.id), last: math.Inf(-1),
		isCall:  m.method == string(mcp.MethodToolsCall),
		endless: m.method == string(mcp.MethodSubscriptionsListen),
	}
	name := ""
	if r.isCall {
		name, raw = r.prepare(m.params, raw)
	}
	ctx := c.run
	if r.call == nil {
		ctx = context.WithValue(ctx, inflightKey{}, r)
	}
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	if !c.admit(r) {
		defer r.cancel(nil)
		if r.over {
			return nil
		}
		if !r.isCall {
			c.reject(r.id, mcp.INTERNAL_ERROR, fmt.Sprintf("%d requests are already running", maxOther))
			return nil
		}
		limit := c.server.options.MaxCalls
		r.refusal = &refusal{name, &wsbridge.OverloadedError{
			RetryAfter: time.Second, Limit: limit, Reason: fmt.Sprintf("%d calls are already running", limit),
		}}
		c.respond(r, c.session, raw, nil)
		return nil
	}
	if m.method == string(mcp.MethodInitialize) {
		c.work(r, raw, nil) // what follows depends on it
		return nil
	}
	return func(co *coro.Coro) { c.work(r, raw, co) }
}

// prepare reads the params of a call, and returns its tool's name and the
// message to go on with.
//
// A call of the protocol up to 2025-11-25 needs nothing of mcp-go, which would
// decode it five more times. A later one does: it is checked and its answer is
// decorated there. But a name that is not in the table would get a bare
// JSON-RPC error from mcp-go, so such a message goes on under a name it knows,
// with a refusal that the handler answers in our own terms.
func (r *inflight) prepare(params json.RawMessage, raw []byte) (string, []byte) {
	p, ok := readCall(params)
	if !ok { // mcp-go says so too, in terms of its Go types
		r.failure = &mcp.JSONRPCErrorDetails{Code: mcp.INVALID_PARAMS, Message: `The params of tools/call have to be an object with a tool's name, a string, ` +
			`and its arguments, an object: {"name": "search", "arguments": {"query": "login"}}`}
		return "", raw
	}
	r.token = p.token
	_, known := Find(p.name)
	if !known {
		r.refusal = &refusal{p.name, &UnknownToolError{p.name}}
	}
	if !p.modern {
		r.call = &p
		return p.name, raw
	}
	if known {
		return p.name, raw
	}
	var whole, inner map[string]json.RawMessage
	if json.Unmarshal(raw, &whole) != nil || json.Unmarshal(params, &inner) != nil {
		return p.name, raw
	}
	inner["name"], _ = json.Marshal(Table[0].Name)
	whole["params"], _ = json.Marshal(inner)
	if renamed, err := json.Marshal(whole); err == nil {
		raw = renamed
	}
	return p.name, raw
}

// admit registers a request, which work will end, or tells that there are too many.
func (c *connection) admit(r *inflight) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closing:
		r.over = true // nobody reads an answer any more
		return false
	case r.isCall && c.calls >= c.server.options.MaxCalls, !r.isCall && c.others >= maxOther:
		return false
	case r.isCall:
		c.calls++
	default:
		c.others++
	}
	c.requests[r.key] = r
	c.working.Add(1)
	return true
}

func (c *connection) forget(r *inflight) {
	defer c.working.Done()
	r.cancel(nil)
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.isCall {
		c.calls--
	} else {
		c.others--
	}
	if c.requests[r.key] == r { // a client may have used the id again
		delete(c.requests, r.key)
	}
}

func (c *connection) work(r *inflight, raw []byte, co *coro.Coro) {
	defer c.forget(r)
	if !r.endless {
		c.respond(r, c.session, raw, co)
		return
	}
	co.Detach()
	session := newSession(r.id, func(string) {})
	c.open(session)
	last := c.dispatch(r.ctx, session, raw)
	c.close(session)
	<-session.pumped // the acknowledgement goes before the result
	r.answer(last)
}

// respond finds the answer to a request, and sends it.
func (c *connection) respond(r *inflight, session *session, raw []byte, co *coro.Coro) {
	if r.call == nil {
		co.Detach()
		r.answer(c.dispatch(r.ctx, session, raw))
		return
	}
	req := request{coro: co, agent: c.server.agentFor(r.ctx, session), links: session.knowsLinks()}
	if r.token != nil {
		req.progress = r.report
	}
	var result *mcp.CallToolResult
	var log func()
	if r.refusal != nil {
		result, log = c.server.refuse(r.ctx, r.refusal.tool, r.call.arguments, req, r.refusal.err)
	} else {
		tool, _ := Find(r.call.name)
		result, log = c.server.call(r.ctx, tool, r.call.arguments, req)
	}
	if c.out.busy() {
		co.Detach() // it may be long, where the client does not read
	}
	r.answer(mcp.JSONRPCResponse{Result: result})
	log()
}

// dispatch gives a message to mcp-go. A panic becomes an error with an id that
// the log has too.
func (c *connection) dispatch(ctx context.Context, session *session, raw []byte) (response mcp.JSONRPCMessage) {
	defer func() {
		if p := recover(); p != nil {
			id := newCallID()
			c.server.log.Error("panic in a request", "id", id, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			response = mcp.JSONRPCError{Error: mcp.NewJSONRPCErrorDetails(mcp.INTERNAL_ERROR, "A bug in gitnexus-mcp; its log has the cause under "+id, nil)}
		}
	}()
	return c.server.mcp.HandleMessage(c.server.mcp.WithContext(ctx, session), raw)
}

// response is a JSON-RPC response. The id is the client's own bytes: numbers
// beyond 2^53 come back unharmed.
type response struct {
	JSONRPC string                   `json:"jsonrpc"`
	ID      json.RawMessage          `json:"id"`
	Result  any                      `json:"result,omitempty"`
	Error   *mcp.JSONRPCErrorDetails `json:"error,omitempty"`
}

// answer sends the response, unless the client has cancelled the request.
func (r *inflight) answer(m mcp.JSONRPCMessage) {
	r.mu.Lock()
	over := r.over
	r.over = true
	r.mu.Unlock()
	if over {
		return
	}
	out := response{JSONRPC: mcp.JSONRPC_VERSION, ID: r.id}
	switch m := m.(type) {
	case mcp.JSONRPCResponse:
		switch result := m.Result.(type) {
		case *mcp.CallToolResult:
			r.conn.out.write(encodeCall(r.id, result))
			return
		case mcp.CallToolResult:
			r.conn.out.write(encodeCall(r.id, &result))
			return
		}
		out.Result = m.Result
	case mcp.JSONRPCError:
		if out.Error = r.failure; out.Error == nil {
			out.Error = &m.Error
		}
	default:
		out.Error = &mcp.JSONRPCErrorDetails{Code: mcp.INTERNAL_ERROR, Message: "No answer"}
	}
	r.conn.write(out)
}

// report sends progress, as long as the request is not answered. MCP wants
// progress to increase, so what does not is left out.
func (r *inflight) report(done float64, total *float64, text string) {
	p := object{}
	p.add("progressToken", r.token)
	p.add("progress", done)
	if total != nil {
		p.add("total", *total)
	}
	if text != "" {
		p.add("message", text)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	// Written under the lock: the response waits for it.
	if !r.over && done > r.last {
		r.last = done
		r.conn.write(notification{mcp.JSONRPC_VERSION, "notifications/progress", p})
	}
}

type notification struct {
	JSONRPC string `json:"jsonrpc"`
	Method  string `json:"method"`
	Params  any    `json:"params"`
}

// reject answers what is no request. A nil id is null on the wire.
func (c *connection) reject(id json.RawMessage, code int, text string) {
	if id == nil {
		id = json.RawMessage("null")
	}
	c.write(response{JSONRPC: mcp.JSONRPC_VERSION, ID: id, Error: &mcp.JSONRPCErrorDetails{Code: code, Message: text}})
}

// write sends one message as one line.
func (c *connection) write(v any) {
	raw, err := marshal(v)
	if err != nil {
		c.server.log.Error("a message could not be encoded", "err", err)
		r, ok := v.(response)
		if !ok {
			return
		}
		r.Result, r.Error = nil, &mcp.JSONRPCErrorDetails{Code: mcp.INTERNAL_ERROR, Message: "The answer could not be encoded"}
		if raw, err = marshal(r); err != nil {
			return
		}
	}
	c.out.write(append(raw, '\n'))
}
