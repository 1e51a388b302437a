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
	if list := c.next(); strings.Count(list, `"title":`) != len(prompts) || !strings.Contains(list, `"name":"repo"`) || strings.Count(list, `"icons":[{"src":"data:image/svg+xml,`) != len(prompts) {
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
		{"onboard", `{"cluster":"Payments"}`, []string{"context", `explore {\"name\":\"Payments\",\"type\":\"cluster\"}`}},
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
	caller := &fakeCaller{CallFunc: func(ctx context.Context, c *wsbridge.Call) (json.RawMessage, error) {
		switch {
		case strings.Contains(string(c.Arguments), `"slow"`):
			<-ctx.Done()
			return nil, ctx.Err()
		case strings.Contains(string(c.Arguments), `"old page"`):
			return nil, &wsbridge.ToolError{Message: "This page has no tool named complete."}
		}
		return json.RawMessage(`{"values":["createUser","create\u200bUser"],"total":150}`), nil
	}}
	logged := 0
	s := NewServer(Options{Caller: caller, OnCall: func(CallEnd) { logged++ }})
	c := initialized(t, s)
	ask := func(ref, argument, value string) (answer struct {
		Values  []string
		Total   int
		HasMore bool
	}) {
		c.send(requestLine("completion/complete", `{"ref":`+ref+`,"argument":{"name":"`+argument+`","value":"`+value+`"},"context":{"arguments":{"repo":"web"}}}`))
		line := c.next()
		if !strings.Contains(line, `"values":[`) {
			t.Errorf("%s", line)
		}
		_ = json.Unmarshal(memberOf(memberOf(json.RawMessage(line), "result"), "completion"), &answer)
		return answer
	}
	const prompt, onboard = `{"type":"ref/prompt","name":"plan_rename"}`, `{"type":"ref/prompt","name":"onboard"}`
	if got := ask(prompt, "symbol", "user"); len(got.Values) != 0 || len(caller.Calls()) != 0 {
		t.Errorf("without a graph: %q", got.Values)
	}
	s.ContextChanged(wsbridge.GraphContext{Repo: "web", State: "ready"}, wsbridge.GraphContext{Repo: "api", State: "ready"})
	if got := c.next(); !strings.Contains(got, "list_changed") {
		t.Errorf("%s", got)
	}
	template := func(uri string) string { return `{"type":"ref/resource","uri":"` + uri + `"}` }
	for _, test := range []struct{ ref, argument, value, kind string }{
		{prompt, "symbol", "user", "symbol"},
		{prompt, "symbol", "", "symbol"},
		{onboard, "cluster", "auth", "cluster"},
		{template(symbolTemplate), "name", "create", "symbol"},
		{template(fileTemplate), "path", "src/u", "file"},
		{template(clusterTemplate), "name", "pay", "cluster"},
	} {
		before := len(caller.Calls())
		got := ask(test.ref, test.argument, test.value)
		calls := caller.Calls()[before:]
		if len(calls) != 1 {
			t.Fatalf("%s: %d calls", test.ref, len(calls))
		}
		want := `{"kind":"` + test.kind + `","limit":100,"typed":"` + test.value + `"}`
		if call := calls[0]; call.Tool != "complete" || string(call.Arguments) != want || call.Repo != "web" || !call.ReadOnly || call.Agent != "tester" {
			t.Errorf("%s: asked %+v %s", test.ref, call, call.Arguments)
		}
		if len(got.Values) != 2 || got.Values[0] != "createUser" || strings.Contains(got.Values[1], "\u200b") || got.Total != 150 || !got.HasMore {
			t.Errorf("%s: %q of %d, more: %v", test.ref, got.Values, got.Total, got.HasMore)
		}
	}
	before := len(caller.Calls())
	if got := ask(prompt, "repo", "a"); strings.Join(got.Values, "|") != "api" || got.HasMore {
		t.Errorf("%q", got.Values)
	}
	if got := ask(prompt, "newName", "a"); len(got.Values) != 0 || len(caller.Calls()) != before {
		t.Errorf("%q", got.Values)
	}
	for _, value := range []string{"slow", "old page"} {
		if got := ask(prompt, "symbol", value); len(got.Values) != 0 {
			t.Errorf("%s: %q", value, got.Values)
		}
	}
	if logged != 0 {
		t.Errorf("%d completions are in the log as calls", logged)
	}
}

func TestTemplates(t *testing.T) {
	c := initialized(t, NewServer(Options{Caller: promptCaller()}))
	for uri, says := range map[string]string{
		"gitnexus://file/src%2Fuser.ts":      "src/user.ts",
		"gitnexus://file/src/user.ts":        "src/user.ts",
		"gitnexus://symbol/User.save":        `{"name":"User.save"}`,
		"gitnexus://cluster/User%20accounts": `"name":"User accounts"`,
	} {
		c.send(requestLine("resources/read", `{"uri":"`+uri+`"}`))
		m := c.nextMessage()
		if m.Error != nil || len(m.Result.Contents) != 1 || !strings.Contains(m.Result.Contents[0].Text, says) {
			t.Errorf("%s: %.300v", uri, m)
		}
	}
}
