package tools

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// All that a request needs stands above the transport: one without lines gets the
// same answers for a client of either generation.
func TestAnyTransport(t *testing.T) {
	const modern = `,"_meta":{"progressToken":"p","io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"later","version":"1"}}`
	caller := &fakeCaller{CallFunc: func(_ context.Context, c *wsbridge.Call) (json.RawMessage, error) {
		c.Progress(1, nil, "half")
		return json.RawMessage(`{"agent":"` + c.Agent + `"}`), nil
	}}
	s := NewServer(Options{Caller: caller})
	for meta, agent := range map[string]string{`,"_meta":{"progressToken":"p"}`: "unknown", modern: "later"} {
		client := s.newClient(nil)
		var heard []any
		ask := func(method, params string) string {
			m, ok := readMessage(json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + params + meta + `}}`))
			if !ok {
				t.Fatal(params)
			}
			return string(encodeReply(m.id, s.answer(t.Context(), client, m, func(n any) { heard = append(heard, n) })))
		}
		for _, test := range []struct{ method, params, says string }{
			{"tools/call", `"name":"overview","arguments":{}`, `{\"agent\":\"` + agent + `\"}`},
			{"tools/call", `"name":"serach","arguments":{}`, "Did you mean search?"},
			{"tools/call", `"name":"search","arguments":{"query":7}`, "VALIDATION_ERROR"},
			{"tools/call", `"name":"cypher","arguments":{"query":"MATCH (n) DELETE n"}`, "CYPHER_FORBIDDEN"},
			{"tools/list", `"cursor":null`, `"name":"search"`},
			{"resources/read", `"uri":"gitnexus://codebase/nothing"`, "There is no resource"},
		} {
			got := ask(test.method, test.params)
			if !strings.Contains(got, test.says) {
				t.Errorf("%s %s: %.300s", test.method, test.params, got)
			}
			stamped, refused := strings.Contains(got, `"resultType":"complete"`), strings.Contains(got, `"error":{`)
			if !refused && stamped != (meta == modern) {
				t.Errorf("%s %s: %.300s", test.method, test.params, got)
			}
		}
		if len(heard) != 1 {
			t.Errorf("heard %d reports of progress", len(heard))
		}
	}
	// What does not say well who asks is refused, in mcp-go's words.
	for _, meta := range []string{
		`{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`,
		`{"io.modelcontextprotocol/protocolVersion":"2999-01-01","io.modelcontextprotocol/clientCapabilities":{}}`,
	} {
		m, _ := readMessage(json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"overview","_meta":` + meta + `}}`))
		if r := s.answer(t.Context(), s.newClient(nil), m, nil); r.failure == nil || r.failure.Code == mcp.INTERNAL_ERROR {
			t.Errorf("%s: %+v", meta, r)
		}
	}
}
