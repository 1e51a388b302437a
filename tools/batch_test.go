package tools

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// A batch is answered in one line where 2025-03-26 is negotiated, whatever is in
// it, and refused elsewhere.
func TestBatches(t *testing.T) {
	caller := &fakeCaller{CallFunc: func(ctx context.Context, c *wsbridge.Call) (json.RawMessage, error) {
		if c.Tool == "overview" {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return json.RawMessage(`{}`), nil
	}}
	c := serve(t, NewServer(Options{Caller: caller}))
	c.send(strings.Replace(initialize, "2025-11-25", "2025-03-26", 1))
	c.next()
	c.send(`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"},` +
		callLine("2", "context", `{}`) + `,7,` + callLine("3", "overview", `{}`) + `,` +
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}},{"jsonrpc":"2.0","id":4,"method":"no/such"}]`)
	answers := decode[[]wire](t, c.next())
	got := map[string]wire{}
	for _, a := range answers {
		got[string(a.ID)] = a
	}
	if len(answers) != 4 || got["1"].Error != nil || got["2"].Result.Content[0].Text != "{}" || got["null"].Error.Code != -32600 || got["4"].Error.Code != -32601 {
		t.Errorf("got %+v", answers)
	}
	c.send(`[{"jsonrpc":"2.0","method":"notifications/initialized"}]`, `[]`)
	if got := c.next(); got != `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"The batch is empty"}}` {
		t.Errorf("got %s", got)
	}
	late := initialized(t, NewServer(Options{Caller: caller}))
	late.send(`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`)
	if m := late.nextMessage(); m.Error == nil || m.Error.Code != -32600 || !strings.Contains(m.Error.Message, "one message a line") {
		t.Errorf("got %+v", m)
	}
}

// What asks for something that is not there is told so in words.
func TestRefusedInWords(t *testing.T) {
	c := initialized(t, NewServer(Options{Caller: &fakeCaller{}}))
	for _, test := range []struct{ request, says string }{
		{`"method":"resources/subscribe","params":{"uri":"gitnexus://codebase/nothing"}`, `no resource "gitnexus://codebase/nothing" can be subscribed to`},
		{`"method":"tools/list","params":{"cursor":"!"}`, `The cursor "!" is none that this server gave`},
		{`"method":"tools/list","params":{"cursor":"Z3JlcA=="}`, `The cursor "Z3JlcA==" is none`},
		{`"method":"resources/list","params":{"cursor":7}`, `The cursor 7 is none`},
		{`"method":"resources/templates/list","params":{"cursor":"x"}`, `The cursor "x" is none`},
	} {
		c.send(`{"jsonrpc":"2.0","id":1,` + test.request + `}`)
		if m := c.nextMessage(); m.Error == nil || m.Error.Code != -32602 && m.Error.Code != -32002 || !strings.Contains(m.Error.Message, test.says) {
			t.Errorf("%s: got %+v", test.request, m.Error)
		}
	}
	c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":null}}`, `{"jsonrpc":"2.0","id":3,"method":"resources/subscribe","params":{"uri":"`+HealthURI+`"}}`)
	for range 2 {
		if m := c.nextMessage(); m.Error != nil {
			t.Errorf("got %+v", m.Error)
		}
	}
}
