package tools

import (
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
)

// encodeCall writes the response to a tools/call as one line. Answers can be
// large, and encoding/json would go over each byte of one four times and write
// every < and > of code as six characters.
func encodeCall(id json.RawMessage, r *mcp.CallToolResult) []byte {
	content, ok := r.StructuredContent.(json.RawMessage)
	if !ok || len(r.Content) == 0 {
		return encodeAny(id, r)
	}
	text, ok := r.Content[0].(mcp.TextContent)
	if !ok {
		return encodeAny(id, r)
	}
	// Most of the text is JSON: a quote in eight bytes, to be escaped.
	line := make([]byte, 0, 200+len(id)+len(text.Text)*9/8+len(content))
	line = append(line, `{"jsonrpc":"2.0","id":`...)
	line = append(line, id...)
	line = append(line, `,"result":{`...)
	if r.Meta != nil {
		meta, err := marshal(r.Meta)
		if err != nil {
			return encodeAny(id, r)
		}
		line = append(append(append(line, `"_meta":`...), meta...), ',')
	}
	if r.ResultType != "" {
		line = append(append(append(line, `"resultType":"`...), r.ResultType...), `",`...)
	}
	line = append(appendString(append(line, `"content":[{"type":"text","text":`...), text.Text), '}')
	for _, block := range r.Content[1:] {
		more, err := marshal(block)
		if err != nil {
			return encodeAny(id, r)
		}
		line = append(append(line, ','), more...)
	}
	line = append(line, ']')
	if r.IsError {
		line = append(line, `,"isError":true`...)
	}
	line = append(append(append(line, `,"structuredContent":`...), content...), "}}\n"...)
	return line
}

// encodeAny writes any response as one line, or what stands in for one that
// does not encode.
func encodeAny(id json.RawMessage, result any) []byte {
	raw, err := marshal(response{JSONRPC: mcp.JSONRPC_VERSION, ID: id, Result: result})
	if err != nil {
		raw, _ = marshal(response{JSONRPC: mcp.JSONRPC_VERSION, ID: id, Error: &mcp.JSONRPCErrorDetails{
			Code: mcp.INTERNAL_ERROR, Message: "The answer could not be encoded: " + err.Error(),
		}})
	}
	return append(raw, '\n')
}
