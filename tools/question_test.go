package tools

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// ambiguousCaller answers what is asked by an id, and has two symbols called login.
func ambiguousCaller() *fakeCaller {
	return &fakeCaller{CallFunc: func(_ context.Context, c *wsbridge.Call) (json.RawMessage, error) {
		if c.Tool == "read" && strings.Contains(string(c.Arguments), `"index.ts"`) {
			return nil, &wsbridge.ToolError{Message: `"index.ts" is ambiguous`, Details: json.RawMessage(`{"name":"index.ts","candidates":["a/index.ts","b/index.ts"],"total":2}`)}
		}
		for _, field := range []string{"target", "from", "to"} {
			if name, _ := plainString(memberOf(c.Arguments, field)); name == "login" {
				return nil, &wsbridge.ToolError{Message: `"login" is ambiguous: 2 match.`, Details: json.RawMessage(
					`{"name":"login","candidates":[{"id":"Function:src/auth.ts:login","line":7},{"id":"Method:src/user.ts:User.login","line":40}],"total":2}`)}
			}
		}
		return c.Arguments, nil
	}}
}

func hello(version, capabilities string) string {
	return `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":` + capabilities + `,"clientInfo":{"name":"tester","version":"1"}}}`
}

// asked is a request of the server.
type asked struct {
	ID, Method string
	Params     struct {
		Mode, Message, URL, RequestID string
		RequestedSchema               json.RawMessage
	}
}

// begin initializes a client of these capabilities.
func begin(t *testing.T, s *Server, version, capabilities string) *client {
	t.Helper()
	c := serve(t, s)
	c.send(hello(version, capabilities), `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	if m := c.nextMessage(); m.Error != nil {
		t.Fatal(m.Error.Message)
	}
	return c
}

func TestAmbiguousNameIsAsked(t *testing.T) {
	const second = `Method:src/user.ts:User.login`
	for _, test := range []struct {
		name, version, capabilities, answer, tool, arguments string
		asks                                                 int
		want, says                                           string
	}{
		{"chosen", "2025-11-25", `{"elicitation":{"form":{}}}`, `"result":{"action":"accept","content":{"choice":"` + second + `"}}`,
			"impact", `{"target":"login","direction":"upstream"}`, 1, second, `"title":"Method:src/user.ts:User.login, line 40"`},
		{"both ends", "2025-11-25", `{"elicitation":{}}`, `"result":{"action":"accept","content":{"choice":"` + second + `"}}`,
			"trace_flow", `{"from":"login","to":"login"}`, 2, second, `"oneOf"`},
		{"before titles", "2025-06-18", `{"elicitation":{}}`, `"result":{"action":"accept","content":{"choice":"` + second + `"}}`,
			"impact", `{"target":"login","direction":"upstream"}`, 1, second, `"enumNames":["Function:src/auth.ts:login, line 7",`},
		{"a file", "2025-11-25", `{"elicitation":{}}`, `"result":{"action":"accept","content":{"choice":"b/index.ts"}}`,
			"read", `{"filePath":"index.ts"}`, 1, `b/index.ts`, `{"const":"a/index.ts","title":"a/index.ts"}`},
		{"declined", "2025-11-25", `{"elicitation":{}}`, `"result":{"action":"decline"}`,
			"impact", `{"target":"login","direction":"upstream"}`, 1, "ambiguous", ""},
		{"nothing chosen", "2025-11-25", `{"elicitation":{}}`, `"result":{"action":"accept","content":{}}`,
			"impact", `{"target":"login","direction":"upstream"}`, 1, "ambiguous", ""},
		{"refused", "2025-11-25", `{"elicitation":{}}`, `"error":{"code":-32601,"message":"no"}`,
			"impact", `{"target":"login","direction":"upstream"}`, 1, "ambiguous", ""},
		{"not able", "2025-11-25", `{}`, "", "impact", `{"target":"login","direction":"upstream"}`, 0, "ambiguous", ""},
		{"addresses alone", "2025-11-25", `{"elicitation":{"url":{}}}`, "", "impact", `{"target":"login","direction":"upstream"}`, 0, "ambiguous", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			caller := ambiguousCaller()
			c := begin(t, NewServer(Options{Caller: caller}), test.version, test.capabilities)
			c.send(callLine("1", test.tool, test.arguments))
			for range test.asks {
				line := c.next()
				q := decode[asked](t, line)
				if q.Method != "elicitation/create" || !strings.Contains(q.Params.Message, " means more than one thing") || !strings.Contains(line, test.says) {
					t.Fatalf("got %s", line)
				}
				c.send(`{"jsonrpc":"2.0","id":"` + q.ID + `",` + test.answer + `}`)
			}
			if line := c.next(); !strings.Contains(line, test.want) || !strings.Contains(line, `"id":1,`) {
				t.Errorf("got %s", line)
			}
			ids := map[string]bool{}
			for _, call := range caller.Calls() {
				ids[call.ID] = true
			}
			if len(ids) != len(caller.Calls()) {
				t.Error("a page answers an id once, and got one twice")
			}
		})
	}
}

// A user who does not answer does not keep the agent waiting.
func TestQuestionEndsInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := begin(t, NewServer(Options{Caller: ambiguousCaller()}), "2025-11-25", `{"elicitation":{}}`)
		began := time.Now()
		c.send(callLine("1", "impact", `{"target":"login","direction":"upstream"}`))
		q := decode[asked](t, c.next())
		if given := decode[asked](t, c.next()); given.Method != "notifications/cancelled" || given.Params.RequestID != q.ID {
			t.Errorf("got %+v", given)
		}
		if line := c.next(); !strings.Contains(line, "is ambiguous") || time.Since(began) != answerWithin {
			t.Errorf("after %v: %s", time.Since(began), line)
		}
		c.send(`{"jsonrpc":"2.0","id":"` + q.ID + `","result":{"action":"accept","content":{"choice":"late"}}}`) // is dropped
		c.send(callLine("2", "search", `{"query":"x"}`))
		if line := c.next(); !strings.Contains(line, `"id":2`) {
			t.Errorf("got %s", line)
		}
	})
}

// lostCaller has no page until it gets one.
type lostCaller struct {
	mu   sync.Mutex
	open bool
}

func (l *lostCaller) Call(_ context.Context, c *wsbridge.Call) (json.RawMessage, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.open {
		return nil, &wsbridge.LostError{Reason: "no page is connected", URL: "http://127.0.0.1:54319/", NeverConnected: true}
	}
	return c.Arguments, nil
}

func TestAppIsOpenedByAsking(t *testing.T) {
	caller := &lostCaller{}
	s := NewServer(Options{Caller: caller})
	c := begin(t, s, "2025-11-25", `{"elicitation":{"form":{},"url":{}}}`)
	c.send(callLine("1", "search", `{"query":"x"}`))
	q := decode[asked](t, c.next())
	if q.Method != "elicitation/create" || q.Params.Mode != "url" || q.Params.URL != "http://127.0.0.1:54319/" {
		t.Fatalf("got %+v", q)
	}
	// One question at a time: the call beside it gets its error.
	c.send(callLine("2", "search", `{"query":"x"}`))
	if line := c.next(); !strings.Contains(line, "CONNECTION_LOST") || !strings.Contains(line, `"id":2`) {
		t.Errorf("got %s", line)
	}
	caller.mu.Lock()
	caller.open = true
	caller.mu.Unlock()
	c.send(`{"jsonrpc":"2.0","id":"` + q.ID + `","result":{"action":"accept"}}`)
	s.ContextChanged(wsbridge.GraphContext{Repo: "web", State: "ready"})
	for line := c.next(); ; line = c.next() {
		if strings.Contains(line, "list_changed") {
			continue
		}
		if !strings.Contains(line, `"id":1`) || strings.Contains(line, "isError") {
			t.Errorf("got %s", line)
		}
		break
	}

	declining := begin(t, NewServer(Options{Caller: &lostCaller{}}), "2025-11-25", `{"elicitation":{"url":{}}}`)
	declining.send(callLine("1", "search", `{"query":"x"}`))
	q = decode[asked](t, declining.next())
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":"` + q.ID + `","result":{"action":"decline"}}`,
		callLine("2", "search", `{"query":"x"}`), // and nobody asks again
	} {
		declining.send(line)
		if line := declining.next(); !strings.Contains(line, "CONNECTION_LOST") {
			t.Errorf("got %s", line)
		}
	}
}

// A client of 2026-07-28 is asked in the result, and repeats its request with the answer.
func TestInputRequired(t *testing.T) {
	caller := ambiguousCaller()
	c := serve(t, NewServer(Options{Caller: caller}))
	send := func(id, tool, arguments, more, capabilities string) string {
		c.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + more +
			`,"_meta":{"` + mcp.MetaKeyProtocolVersion + `":"2026-07-28","` + mcp.MetaKeyClientCapabilities + `":` + capabilities + `,"` + mcp.MetaKeyClientInfo + `":{"name":"tester","version":"1"}}}}`)
		return c.next()
	}
	const both, can = `{"from":"login","to":"login"}`, `{"elicitation":{"form":{}}}`
	type result struct {
		Result struct {
			ResultType, RequestState string
			InputRequests            map[string]struct {
				Method string
				Params struct{ Message string }
			}
		}
	}
	choose := func(field, id string) string {
		return `,"inputResponses":{"` + field + `":{"action":"accept","content":{"choice":"` + id + `"}}}`
	}
	first := decode[result](t, send("1", "trace_flow", both, "", can)).Result
	if first.ResultType != "input_required" || len(first.InputRequests) != 1 {
		t.Fatalf("got %+v", first)
	}
	field := "to" // the last that has the name
	if first.InputRequests[field].Method != "elicitation/create" {
		t.Fatalf("got %+v", first)
	}
	second := decode[result](t, send("2", "trace_flow", both, choose(field, "Function:src/auth.ts:login"), can)).Result
	if second.ResultType != "input_required" || second.InputRequests["from"].Method == "" || second.RequestState == "" {
		t.Fatalf("got %+v", second)
	}
	state, _ := json.Marshal(second.RequestState)
	last := send("3", "trace_flow", both, choose("from", "Method:src/user.ts:User.login")+`,"requestState":`+string(state), can)
	if !strings.Contains(last, `\"from\":\"Method:src/user.ts:User.login\"`) || !strings.Contains(last, `\"to\":\"Function:src/auth.ts:login\"`) || !strings.Contains(last, `"resultType":"complete"`) {
		t.Errorf("got %s", last)
	}
	if line := send("4", "trace_flow", both, `,"inputResponses":{"to":{"action":"decline"}}`, can); !strings.Contains(line, "is ambiguous") || strings.Contains(line, "input_required") {
		t.Errorf("got %s", line)
	}
	if line := send("5", "trace_flow", both, `,"requestState":"junk"`, can); !strings.Contains(line, "-32602") {
		t.Errorf("got %s", line)
	}
	if line := send("6", "trace_flow", both, "", `{}`); !strings.Contains(line, "is ambiguous") {
		t.Errorf("got %s", line)
	}
	// The state sets arguments of the tool and nothing else, and these are validated.
	if line := send("7", "trace_flow", both, `,"requestState":"{\"from\":\"a\",\"to\":\"`+strings.Repeat("x", 2000)+`\",\"nothing\":\"b\"}"`, can); !strings.Contains(line, "VALIDATION_ERROR") || strings.Contains(line, "nothing") {
		t.Errorf("got %s", line)
	}
}

func TestRoots(t *testing.T) {
	for _, test := range []struct{ name, version, capabilities, answer, want string }{
		{"told", "2025-06-18", `{"roots":{"listChanged":true}}`,
			`"result":{"roots":[{"uri":"https://example.com/x"},{"uri":"file://elsewhere/x"},{"uri":"file:///home/me/a%20b/"},{"uri":"file:///home/me/c"}]}`, "/home/me/a b|/home/me/c"},
		{"refused", "2025-11-25", `{"roots":{}}`, `"error":{"code":-32601,"message":"no"}`, ""},
		{"not able", "2025-11-25", `{}`, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			told := make(chan []string, 2)
			c := begin(t, NewServer(Options{Caller: &fakeCaller{}, OnRoots: func(folders []string) { told <- folders }}), test.version, test.capabilities)
			if test.answer != "" {
				q := decode[asked](t, c.next())
				if q.Method != "roots/list" {
					t.Fatalf("got %+v", q)
				}
				c.send(`{"jsonrpc":"2.0","id":"` + q.ID + `",` + test.answer + `}`)
			}
			if got := strings.Join(<-told, "|"); got != test.want {
				t.Errorf("got %s", got)
			}
			c.send(callLine("1", "search", `{"query":"x"}`))
			c.next()
			if len(told) > 0 {
				t.Error("told twice")
			}
		})
	}
	t.Run("2026-07-28", func(t *testing.T) {
		told := make(chan []string, 2)
		c := serve(t, NewServer(Options{Caller: &fakeCaller{}, OnRoots: func(folders []string) { told <- folders }}))
		c.send(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"` + mcp.MetaKeyProtocolVersion + `":"2026-07-28","` + mcp.MetaKeyClientCapabilities + `":{"roots":{}}}}}`)
		c.next()
		if got := <-told; got != nil {
			t.Errorf("got %s", got)
		}
	})
}
