package tools

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// promptCaller answers as a page would, as far as prompts and completion use it.
func promptCaller() *fakeCaller {
	return &fakeCaller{CallFunc: func(_ context.Context, c *wsbridge.Call) (json.RawMessage, error) {
		switch c.Tool {
		case "diff":
			return json.RawMessage(`{"files":{"total":1,"items":[{"file":"src/user.ts","change":"modified"}]}}`), nil
		case "context":
			return json.RawMessage(`{"hotspots":[{"id":"Class:src/hub.ts:Hub"}]}`), nil
		case "overview":
			return json.RawMessage(`{"clusters":{"items":[["Cluster:1","User accounts",3,0.5,"x"],["Cluster:2","Other",3,0.5,"x"]]}}`), nil
		case "search":
			return json.RawMessage(`{"results":[{"id":"Function:src/a.ts:createUser"},{"id":"Method:src/b.ts:User.save"},{"id":"Function:src/c.ts:createUser"},{"id":"File:src/user.ts"},{"id":"Function:d.ts:usr"}]}`), nil
		case "read":
			return json.RawMessage(`"src/user.ts\n  1 ` + strings.Repeat("x", promptBudget) + `"`), nil
		case "trace_flow":
			return nil, &wsbridge.ToolError{Message: "Nothing is called that."}
		}
		return c.Arguments, nil
	}}
}

func requestLine(method, params string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
}

func TestPrompts(t *testing.T) {
	caller := promptCaller()
	c := initialized(t, NewServer(Options{Caller: caller}))
	c.send(requestLine("prompts/list", `{}`))
	if list := c.next(); strings.Count(list, `"title":`) != len(prompts) || !strings.Contains(list, `"name":"repo"`) {
		t.Errorf("%s", list)
	}
	for _, test := range []struct {
		name, arguments string
		says            []string
	}{
		{"review_change", `{}`, []string{`diff {} answers:`, `test_impact {\"changedFiles\":[\"src/user.ts\"]}`, "Review this change"}},
		{"plan_rename", `{"symbol":"Conn.pub$lish","newName":"Send","repo":"web"}`, []string{`\"target\":\"Conn.pub$lish\"`, `\\\\bpub\\\\$lish\\\\b`, "rename of Conn.pub$lish to Send"}},
		{"find_dead_code", `{}`, []string{"cypher", "That is no proof"}},
		{"onboard", `{}`, []string{"context", "overview", "User accounts"}},
		{"plan_rename", `{"symbol":"a"}`, []string{`"error"`, "needs the argument newName", "-32602"}},
		{"explain_flow", `{"from":"nothing"}`, []string{`"error"`, "Nothing is called that."}},
		{"nothing", `{}`, []string{`"error"`, "nothing"}},
	} {
		c.send(requestLine("prompts/get", `{"name":"`+test.name+`","arguments":`+test.arguments+`}`))
		got := c.next()
		for _, words := range test.says {
			if !strings.Contains(got, words) {
				t.Errorf("%s %s does not say %s: %s", test.name, test.arguments, words, got)
			}
		}
	}
	for _, call := range caller.Calls() {
		if call.Repo != "" && call.Repo != "web" || call.Agent != "tester" {
			t.Errorf("%+v", call)
		}
	}
	// Not even a Cypher query of ours may write.
	cypher, _ := Find("cypher")
	if err := cypher.Guard(Arguments{"query": unusedQuery}); err != nil {
		t.Error(err)
	}
}

// Text from a repository stays between its marks when it is cut.
func TestShortenKeepsMarks(t *testing.T) {
	got := shorten("m", marked("m", strings.Repeat("line\n", 100)), 50)
	if !strings.HasPrefix(got, "<<m\nline\n") || !strings.Contains(got, "\nm>>\n[The first 50 of ") {
		t.Errorf("%q", got)
	}
}

// A prompt fits its budget, and says what of an answer is left out.
func TestPromptBudget(t *testing.T) {
	c := initialized(t, NewServer(Options{Caller: &fakeCaller{CallFunc: func(context.Context, *wsbridge.Call) (json.RawMessage, error) {
		return json.RawMessage(`{"items":["` + strings.Repeat(`word","`, promptBudget/6) + `"]}`), nil
	}}}))
	c.send(requestLine("prompts/get", `{"name":"onboard"}`))
	text := decode[struct {
		Result struct {
			Messages []struct{ Content struct{ Text string } }
		}
	}](t, c.next()).Result.Messages[0].Content.Text
	if len(text) > promptBudget || len(text) < promptBudget*3/4 || strings.Count(text, "call the tool for the rest") != 2 || !strings.HasSuffix(text, "Name files.") {
		t.Errorf("%d bytes: %s … %s", len(text), text[:200], text[len(text)-300:])
	}
}

func TestCompletion(t *testing.T) {
	caller := promptCaller()
	s := NewServer(Options{Caller: caller})
	c := initialized(t, s)
	ask := func(ref, argument, value string) []string {
		c.send(requestLine("completion/complete", `{"ref":`+ref+`,"argument":{"name":"`+argument+`","value":"`+value+`"}}`))
		line := c.next()
		return decode[struct {
			Result struct{ Completion struct{ Values []string } }
		}](t, line).Result.Completion.Values
	}
	const prompt, symbol, file = `{"type":"ref/prompt","name":"plan_rename"}`, `{"type":"ref/resource","uri":"gitnexus://symbol/{name}"}`, `{"type":"ref/resource","uri":"gitnexus://file/{+path}"}`
	if got := ask(prompt, "symbol", "user"); len(got) != 0 || len(caller.Calls()) != 0 {
		t.Errorf("without a graph: %q", got)
	}
	s.ContextChanged(wsbridge.GraphContext{Repo: "web", State: "ready"}, wsbridge.GraphContext{Repo: "api", State: "ready"})
	for _, m := range []string{"list_changed"} {
		if got := c.next(); !strings.Contains(got, m) {
			t.Errorf("%s", got)
		}
	}
	for _, test := range []struct{ ref, argument, value, want string }{
		{prompt, "symbol", "user", "User.save|User accounts|createUser|usr"},
		{prompt, "symbol", "", "Hub"},
		{symbol, "name", "create", "createUser|User.save|usr"},
		{file, "path", "src/u", "src/user.ts|src/a.ts|src/b.ts|src/c.ts|d.ts"},
		{prompt, "repo", "a", "api|web"},
		{prompt, "newName", "a", ""},
	} {
		if got := strings.Join(ask(test.ref, test.argument, test.value), "|"); got != test.want {
			t.Errorf("%s %q: %s, want %s", test.argument, test.value, got, test.want)
		}
	}
}

func TestTemplates(t *testing.T) {
	c := initialized(t, NewServer(Options{Caller: promptCaller()}))
	for uri, says := range map[string]string{
		"gitnexus://file/src%2Fuser.ts": "src/user.ts",
		"gitnexus://file/src/user.ts":   "src/user.ts",
		"gitnexus://symbol/User.save":   `{"name":"User.save"}`,
	} {
		c.send(requestLine("resources/read", `{"uri":"`+uri+`"}`))
		m := c.nextMessage()
		if m.Error != nil || len(m.Result.Contents) != 1 || !strings.Contains(m.Result.Contents[0].Text, says) {
			t.Errorf("%s: %.300v", uri, m)
		}
	}
}
