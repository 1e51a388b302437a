package tools

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/gitnexus/gitnexus-mcp/sanitize"
)

// message is one JSON-RPC message of a client. Members that are absent are nil.
type message struct {
	raw             json.RawMessage
	version, method string
	id, params      json.RawMessage
	isAnswer        bool
}

// readMessage reads valid JSON; false when it is no JSON-RPC message.
func readMessage(valid json.RawMessage) (m message, ok bool) {
	if !isObject(valid) {
		return m, false
	}
	m.raw, ok = valid, true
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

// isCall tells whether the message is a tools/call.
func (m *message) isCall() bool { return m.method == string(mcp.MethodToolsCall) }

// param returns a member of the params, nil when there is none.
func (m *message) param(name string) json.RawMessage { return memberOf(m.params, name) }

// memberOf returns the member of that name of valid JSON, nil when there is none.
func memberOf(valid json.RawMessage, name string) json.RawMessage {
	if isObject(valid) {
		for key, value := range members(valid) {
			if string(key) == name {
				return value
			}
		}
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

// idKey makes ids comparable: "a" and "\u0061" are the same string.
func idKey(id json.RawMessage) string {
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
		return string(inner), true // nearly all are, and need no decoder
	}
	return s, json.Unmarshal(raw, &s) == nil
}

// reply is what a request is answered with: a result or a failure.
type reply struct {
	result  any
	failure *mcp.JSONRPCErrorDetails
	sent    func() // to be called when the client has the reply; may be nil
}

func (r reply) wasSent() {
	if r.sent != nil {
		r.sent()
	}
}

func failed(code int, text string) reply {
	return reply{failure: &mcp.JSONRPCErrorDetails{Code: code, Message: text}}
}

// response is a JSON-RPC response. The id is the client's own bytes: numbers
// beyond 2^53 come back unharmed.
type response struct {
	JSONRPC string                   `json:"jsonrpc"`
	ID      json.RawMessage          `json:"id"`
	Result  any                      `json:"result,omitempty"`
	Error   *mcp.JSONRPCErrorDetails `json:"error,omitempty"`
}

// encodeReply writes the response to a request. A nil id is null on the wire.
func encodeReply(id json.RawMessage, r reply) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	if result, ok := r.result.(*mcp.CallToolResult); ok {
		return encodeCall(id, result)
	}
	line := encodeAny(response{JSONRPC: mcp.JSONRPC_VERSION, ID: id, Result: r.result, Error: shortened(r.failure)})
	if r.failure != nil {
		line = sanitize.JSON(line)
	}
	return line
}

// maxFailure bounds the words of a refusal in bytes. mcp-go repeats in them what it was
// asked for, of any length.
const maxFailure = 2000

func shortened(failure *mcp.JSONRPCErrorDetails) *mcp.JSONRPCErrorDetails {
	if failure == nil {
		return nil
	}
	short := *failure
	short.Message = clip(sanitize.Text(clip(short.Message, maxFailure)), maxFailure)
	if data, err := marshal(short.Data); err != nil || len(data) > maxFailure {
		short.Data = nil
	}
	return &short
}
