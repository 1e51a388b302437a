package tools

import (
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
)

// encodeCall writes the response to a tools/call. Answers can be large, and
// encoding/json would go over each byte of one four times.
func encodeCall(id json.RawMessage, r *mcp.CallToolResult) []byte {
	encoded, err := appendCall(id, r)
	if err != nil {
		return encodeAny(response{JSONRPC: mcp.JSONRPC_VERSION, ID: id, Error: &mcp.JSONRPCErrorDetails{
			Code: mcp.INTERNAL_ERROR, Message: "The answer could not be encoded: " + err.Error(),
		}})
	}
	return encoded
}

func appendCall(id json.RawMessage, r *mcp.CallToolResult) ([]byte, error) {
	structured, _ := r.StructuredContent.(json.RawMessage)
	// Most of the text is JSON: a quote in eight bytes, to be escaped.
	b := make([]byte, 0, 250+len(id)+textBytes(r)*9/8+len(structured))
	b = append(append(append(b, `{"jsonrpc":"2.0","id":`...), id...), `,"result":{`...)
	if r.Meta != nil {
		meta, err := marshal(r.Meta)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, `"_meta":`...), meta...), ',')
	}
	if r.ResultType != "" {
		b = append(append(append(b, `"resultType":"`...), r.ResultType...), `",`...)
	}
	b = append(b, `"content":[`...)
	for i, block := range r.Content {
		if i > 0 {
			b = append(b, ',')
		}
		if text, ok := block.(mcp.TextContent); ok {
			b = append(appendString(append(b, `{"type":"text","text":`...), text.Text), '}')
			continue
		}
		more, err := marshal(block)
		if err != nil {
			return nil, err
		}
		b = append(b, more...)
	}
	b = append(b, ']')
	if r.IsError {
		b = append(b, `,"isError":true`...)
	}
	if structured != nil {
		b = append(append(b, `,"structuredContent":`...), structured...)
	}
	return append(b, "}}"...), nil
}

// encodeAny writes any response, or what stands in for one that does not encode.
func encodeAny(r response) []byte {
	raw, err := marshal(r)
	if err != nil {
		raw, _ = marshal(response{JSONRPC: mcp.JSONRPC_VERSION, ID: r.ID, Error: &mcp.JSONRPCErrorDetails{
			Code: mcp.INTERNAL_ERROR, Message: "The answer could not be encoded: " + err.Error(),
		}})
	}
	return raw
}
