package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/gitnexus/gitnexus-mcp/resilience"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

func timeouts(quick, heavy time.Duration) resilience.Timeouts {
	return resilience.Timeouts{Quick: quick, Heavy: heavy}
}

// failing returns a caller that fails with err.
func failing(err error) *fakeCaller {
	return &fakeCaller{CallFunc: func(context.Context, *wsbridge.Call) (json.RawMessage, error) { return nil, err }}
}

// direct calls a tool without a client.
func direct(s *Server, tool, args string) (content json.RawMessage, isError bool, debug *Debug) {
	client := s.newClient(nil)
	client.SetClientInfo(mcp.Implementation{Name: "tester"})
	r, logged := s.CallTool(context.Background(), client, tool, json.RawMessage(args), nil)
	logged()
	if r.Meta != nil {
		debug, _ = r.Meta.AdditionalFields["debug"].(*Debug)
	}
	return json.RawMessage(r.Content[0].(mcp.TextContent).Text), r.IsError, debug
}

func directFailure(t *testing.T, s *Server, tool, args string) Envelope {
	t.Helper()
	content, isError, _ := direct(s, tool, args)
	if !isError {
		t.Fatalf("%s %s succeeded: %s", tool, args, content)
	}
	return decode[Envelope](t, string(content))
}

// Every error a call can meet, as the agent reads it.
func TestErrors(t *testing.T) {
	const url = "http://127.0.0.1:54319/"
	for _, test := range []struct {
		name, tool, args string
		err              error
		want             string
	}{
		{"never connected", "search", `{"query":"x"}`,
			&wsbridge.LostError{RetryAfter: 1500 * time.Millisecond, Reason: "no page is connected", URL: url, NeverConnected: true},
			`{"error":true,"code":"CONNECTION_LOST","message":"search was not answered: no page is connected.",` +
				`"suggestion":"Ask the user to open the graph app (the command ` + "`gitnexus-mcp open`" + ` does it; http://127.0.0.1:54319/ works in a browser that has shown it before), to load the repository there, and to keep the tab open. Then call search again.",` +
				`"retryable":true,"retryAfter":2,"details":{"url":"http://127.0.0.1:54319/"}}`},
		{"never connected, beside another hub", "search", `{"query":"x"}`,
			&wsbridge.LostError{RetryAfter: time.Second, Reason: "no page is connected", NeverConnected: true, OtherHubs: []int{54400, 54401}},
			`{"error":true,"code":"CONNECTION_LOST","message":"search was not answered: no page is connected.",` +
				`"suggestion":"Ask the user to open the graph app (the command ` + "`gitnexus-mcp open`" + ` does it), to load the repository there, and to keep the tab open. Then call search again.` +
				` Another gitnexus-mcp of this user serves the app at http://127.0.0.1:54400/ and MCP over HTTP at http://127.0.0.1:54400/mcp.` +
				` If the app is open there, the user gives this server that port, too (--port 54400 or GITNEXUS_PORT).",` +
				`"retryable":true,"retryAfter":1}`},
		{"dropped", "search", `{"query":"x"}`, fmt.Errorf("wrapped: %w", &wsbridge.LostError{RetryAfter: 0, Reason: "the page's connection dropped 5s ago", URL: url}),
			`{"error":true,"code":"CONNECTION_LOST","message":"search was not answered: the page's connection dropped 5s ago.",` +
				`"suggestion":"Call search again in 1 s: a page that is still open reconnects by itself. If it stays lost, ask the user to open the graph app (the command ` + "`gitnexus-mcp open`" + ` does it; http://127.0.0.1:54319/ works in a browser that has shown it before), to load the repository there, and to keep the tab open.",` +
				`"retryable":true,"retryAfter":1,"details":{"url":"http://127.0.0.1:54319/"}}`},
		{"exhausted", "search", `{"query":"x"}`, &wsbridge.ExhaustedError{Attempts: 10, URL: url},
			`{"error":true,"code":"RETRY_EXHAUSTED","message":"search was not answered: no page with a graph came back within 10 steps of the reconnect schedule.",` +
				`"suggestion":"Do not retry. Ask the user to open the graph app (the command ` + "`gitnexus-mcp open`" + ` does it; http://127.0.0.1:54319/ works in a browser that has shown it before), to load the repository there, and to keep the tab open. Calls work again as soon as it is connected.",` +
				`"retryable":false}`},
		{"too late", "search", `{"query":"x"}`, &TimeoutError{"search", 1500 * time.Millisecond},
			`{"error":true,"code":"TIMEOUT","message":"search was not answered within 1.5 s and was stopped.",` +
				`"suggestion":"Ask for less: a smaller limit, or a more specific query. If small questions time out too, the graph app hangs: ask the user to reload its tab.",` +
				`"retryable":true}`},
		{"stopping", "search", `{"query":"x"}`, &StoppingError{"its input has ended"},
			`{"error":true,"code":"CONNECTION_LOST","message":"search was not answered: gitnexus-mcp is stopping: its input has ended.",` +
				`"suggestion":"Call search again once the MCP client has started gitnexus-mcp anew; ask the user to do that if it does not by itself.",` +
				`"retryable":true}`},
		{"open breaker", "search", `{"query":"x"}`, &resilience.OpenError{RetryAfter: 29_001 * time.Millisecond},
			`{"error":true,"code":"CIRCUIT_OPEN","message":"Circuit breaker open due to repeated failures. Will retry in 30 seconds. Consider checking browser connection or graph status.",` +
				`"suggestion":"Wait 30 s and call search again. gitnexus://codebase/health has the state of the connection.",` +
				`"retryable":true,"retryAfter":30,"details":{"tool":"search"}}`},
		{"overloaded", "search", `{"query":"x"}`, &wsbridge.OverloadedError{RetryAfter: 200 * time.Millisecond, Limit: 16, Reason: "16 calls of this agent are running"},
			`{"error":true,"code":"OVERLOADED","message":"search was not started: 16 calls of this agent are running.",` +
				`"suggestion":"Wait for some of the running calls to be answered, and send fewer at once (at most 16).",` +
				`"retryable":true,"retryAfter":1}`},
		{"page not paired", "search", `{"query":"x"}`, &wsbridge.DeniedError{Reason: "the tab is not paired", Advice: "Ask the user to run `gitnexus-mcp open`"},
			`{"error":true,"code":"PERMISSION_DENIED","message":"search was not answered: the tab is not paired.",` +
				`"suggestion":"Do not retry. Ask the user to run ` + "`gitnexus-mcp open`" + `. Calls work again as soon as the app is connected.",` +
				`"retryable":false}`},
		{"folder may not be read", "search", `{"query":"x"}`, &wsbridge.ToolError{Message: "The folder shop cannot be read: permission denied.", Denied: true},
			`{"error":true,"code":"PERMISSION_DENIED","message":"search: The folder shop cannot be read: permission denied.",` +
				`"suggestion":"Do not retry. Ask the user to let the user account that runs gitnexus-mcp read the folder (on macOS also in System Settings, Privacy & Security, Files and Folders), and then to load it again in the graph app.",` +
				`"retryable":false}`},
		{"tool failed", "read", `{"filePath":"x.ts"}`, &wsbridge.ToolError{Message: "No file named x.ts.", Details: json.RawMessage(`{"candidates":["a/x.ts"]}`)},
			`{"error":true,"code":"TOOL_ERROR","message":"read: No file named x.ts.",` +
				`"suggestion":"Change the arguments as the message says; details has more. The same call fails again.",` +
				`"retryable":false,"details":{"candidates":["a/x.ts"]}}`},
		{"tool busy", "read", `{"filePath":"x.ts"}`, &wsbridge.ToolError{Message: "Still indexing.", Retryable: true},
			`{"error":true,"code":"TOOL_ERROR","message":"read: Still indexing.",` +
				`"suggestion":"The graph app is busy. Wait a moment and call read again.","retryable":true,"retryAfter":1}`},
		{"page lacks tool", "explore", `{"name":"x","type":"symbol"}`, &wsbridge.ToolError{Message: "no such method", NotFound: true},
			`{"error":true,"code":"TOOL_NOT_FOUND","message":"The connected graph app does not offer explore.",` +
				`"suggestion":"Use another tool; context with focus \"tools\" lists what this page answers. A newer version of the app may have it: ask the user to reload its tab.",` +
				`"retryable":false}`},
		{"unknown repo", "context", `{"repo":"wbe"}`, &wsbridge.UnknownRepoError{Repo: "wbe", Known: []string{"web", "server"}},
			`{"error":true,"code":"VALIDATION_ERROR","message":"Invalid arguments for context: repo: expected one of \"web\", \"server\", got the string \"wbe\" (did you mean \"web\"?).",` +
				`"suggestion":"Name one of the loaded graphs, or leave repo out to ask the one in front.",` +
				`"retryable":false,"details":{"fields":[{"field":"repo","expected":"one of \"web\", \"server\"","got":"the string \"wbe\"","hint":"did you mean \"web\"?"}]}}`},
		{"invalid", "search", `{}`, nil,
			`{"error":true,"code":"VALIDATION_ERROR","message":"Invalid arguments for search: query: expected a string of 1 to 1000 characters, got nothing.",` +
				`"suggestion":"Correct the fields named in details.fields and call search again.",` +
				`"retryable":false,"details":{"fields":[{"field":"query","expected":"a string of 1 to 1000 characters","got":"nothing"}]}}`},
		{"forbidden", "cypher", `{"query":"MATCH (n)\nDELETE n"}`, nil,
			`{"error":true,"code":"CYPHER_FORBIDDEN","message":"DELETE is not allowed at line 2, column 1: this tool only reads the graph; if it is meant as a name, put it in ` + "`backquotes`" + `.",` +
				`"suggestion":"Write a reading query: ` + cypherAllowed + `.",` +
				`"retryable":false,"details":{"allowed":"` + cypherAllowed + `","column":1,"keyword":"DELETE","line":2}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			caller := failing(test.err)
			content, isError, _ := direct(NewServer(Options{Caller: caller}), test.tool, test.args)
			// Each error has the call's id, which is new each time.
			id := regexp.MustCompile(`,"callId":"[A-Z2-7]{26}"`)
			if len(id.FindAll(content, -1)) != 1 {
				t.Errorf("no callId in %s", content)
			}
			content = id.ReplaceAll(content, nil)
			if !isError || string(content) != test.want {
				t.Errorf("got  %s\nwant %s", content, test.want)
			}
			if test.err == nil && len(caller.Calls()) != 0 {
				t.Error("the call reached the page")
			}
		})
	}
}

func TestUnknownTool(t *testing.T) {
	c := initialized(t, NewServer(Options{Caller: &fakeCaller{}}))
	c.send(callLine("1", "serach", `{"debug":true}`))
	e := c.nextMessage().failed(t)
	if e.Code != CodeToolNotFound || e.Message != `There is no tool "serach".` || !strings.HasPrefix(e.Suggestion, "Did you mean search? Use one of context, search,") {
		t.Errorf("got %+v", e)
	}
	if e.Debug == nil || e.Debug.Tool != "serach" {
		t.Errorf("debug: %+v", e.Debug)
	}
}

// Unforeseen errors and panics are INTERNAL_ERROR, with an id that the log has.
func TestInternalError(t *testing.T) {
	for _, test := range []struct {
		name   string
		caller *fakeCaller
		cause  string
	}{
		{"unforeseen", failing(errors.New("disk on fire")), "disk on fire"},
		{"cancelled by nobody", failing(context.Canceled), "context canceled"},
		{"panic", &fakeCaller{CallFunc: func(context.Context, *wsbridge.Call) (json.RawMessage, error) { panic("boom") }}, "panic: boom"},
		{"no JSON", &fakeCaller{CallFunc: func(context.Context, *wsbridge.Call) (json.RawMessage, error) { return json.RawMessage(`{"a":`), nil }}, "not JSON"},
		{"nothing", &fakeCaller{CallFunc: func(context.Context, *wsbridge.Call) (json.RawMessage, error) { return nil, nil }}, "not JSON"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var log bytes.Buffer
			s := NewServer(Options{Caller: test.caller, Log: slog.New(slog.NewTextHandler(&log, nil))})
			e := directFailure(t, s, "overview", `{}`)
			if e.Code != CodeInternal || !e.Retryable {
				t.Errorf("got %+v", e)
			}
			id := e.Details.(map[string]any)["id"].(string)
			if !strings.Contains(log.String(), id) || !strings.Contains(log.String(), test.cause) || !strings.Contains(e.Message, id) {
				t.Errorf("id %s, message %q, log:\n%s", id, e.Message, log.String())
			}
			if strings.Contains(e.Message, test.cause) {
				t.Errorf("the message tells internals: %s", e.Message)
			}
		})
	}
}

// The class's time limit ends a call to the millisecond, and is told truly,
// also when the caller takes its time to notice.
func TestTimeout(t *testing.T) {
	const slow = 250 * time.Millisecond
	synctest.Test(t, func(t *testing.T) {
		caller := &fakeCaller{CallFunc: func(ctx context.Context, _ *wsbridge.Call) (json.RawMessage, error) {
			<-ctx.Done()
			time.Sleep(slow)
			return nil, ctx.Err()
		}}
		s := NewServer(Options{Caller: caller, Timeouts: timeouts(1500*time.Millisecond, 0)})
		for tool, limit := range map[string]time.Duration{"overview": 1500 * time.Millisecond, "cypher": 120 * time.Second} {
			start := time.Now()
			e := directFailure(t, s, tool, map[string]string{"overview": `{}`, "cypher": `{"query":"RETURN 1"}`}[tool])
			if e.Code != CodeTimeout || !e.Retryable || !strings.HasPrefix(e.Message, tool+" was not answered within "+seconds(limit)+" and ") {
				t.Errorf("got %+v", e)
			}
			if took := time.Since(start); took != limit+slow {
				t.Errorf("%s took %v, want %v", tool, took, limit+slow)
			}
		}
	})
}

func TestDebug(t *testing.T) {
	caller := &fakeCaller{CallFunc: func(_ context.Context, c *wsbridge.Call) (json.RawMessage, error) {
		if c.Trace != nil {
			*c.Trace = wsbridge.Trace{Role: "hub", Attempt: 1}
		}
		if c.Tool == "read" {
			return nil, &wsbridge.ToolError{Message: "no such file"}
		}
		return json.RawMessage(`{}`), nil
	}}
	for _, always := range []bool{false, true} {
		s := NewServer(Options{Caller: caller, Debug: always})
		_, _, debug := direct(s, "search", `{"query":"x"}`)
		if (debug != nil) != always {
			t.Errorf("debug %v without asking, Options.Debug %v", debug, always)
		}
		_, _, debug = direct(s, "search", `{"query":"token=abcdefgh1234","debug":true}`)
		if debug == nil {
			t.Fatal("no debug although asked for")
		}
		var steps []string
		for _, step := range debug.Steps {
			steps = append(steps, step.Name)
		}
		if !reflect.DeepEqual(steps, []string{"validate", "call", "shape"}) || debug.Tool != "search" || debug.CallID == "" || debug.Agent != "tester" ||
			debug.TimeoutMS != 60_000 || *debug.Link != (wsbridge.Trace{Role: "hub", Attempt: 1}) ||
			string(debug.Arguments) != `{"debug":true,"query":"token=[redacted]"}` {
			t.Errorf("got %+v", debug)
		}
		e := directFailure(t, s, "read", `{"filePath":"x","debug":true}`)
		if e.Debug == nil || e.Debug.Link == nil || e.Debug.Cause != "no such file" {
			t.Errorf("got %+v", e.Debug)
		}
		if e := directFailure(t, s, "search", `{"debug":true}`); e.Debug == nil {
			t.Error("no debug for wrong arguments although asked for")
		}
	}
}

// One line a call, with its id, its graph, its outcome and why it failed; of its
// arguments at most what a message has, without secrets. With debug, the steps.
func TestLog(t *testing.T) {
	var log bytes.Buffer
	caller := &fakeCaller{CallFunc: func(_ context.Context, c *wsbridge.Call) (json.RawMessage, error) {
		*c.Trace = wsbridge.Trace{Role: "hub", Page: "p1", Graph: "web"}
		if c.Tool == "read" {
			return nil, &wsbridge.ToolError{Message: "No file has password=hunter2hunter2."}
		}
		return json.RawMessage(`{}`), nil
	}}
	s := NewServer(Options{Caller: caller, Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	direct(s, "search", `{"query":"hunter2"}`)
	directFailure(t, s, "search", `{"query":"hunter2","limit":0}`)
	directFailure(t, s, "read", `{"filePath":"x","debug":true}`)
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	for i, want := range []string{
		`level=INFO msg=call id=ID tool=search agent=tester ms=N graph=web bytes=2 outcome=ok`,
		`level=INFO msg=call id=ID tool=search agent=tester ms=N message="Invalid arguments for search: limit: expected an integer from 1 to 100, got the number 0." outcome=VALIDATION_ERROR`,
		`level=INFO msg=call id=ID tool=read agent=tester ms=N graph=web message="read: No file has password=[redacted]" outcome=TOOL_ERROR`,
		`level=DEBUG msg="steps of a call" id=ID role=hub page=p1 wait_ms=N page_ms=N validate_ms=N call_ms=N`,
	} {
		_, line, _ := strings.Cut(lines[i], " ")
		line = regexp.MustCompile(`ms=[0-9.e-]+`).ReplaceAllString(regexp.MustCompile(`id=\w+`).ReplaceAllString(line, "id=ID"), "ms=N")
		if line != want {
			t.Errorf("got  %s\nwant %s", line, want)
		}
	}
	if strings.Contains(log.String(), "hunter2") || len(lines) != 4 {
		t.Errorf("got\n%s", log.String())
	}
}

func TestTidy(t *testing.T) {
	tool, _ := Find("grep")
	for _, test := range []struct{ content, want string }{
		{` {"a":1} `, `{"a":1}`},
		{"{\n  \"a\": \"x y\\n\"\r\n}\n", `{"a":"x y\n"}`}, // it has to fit on a line
		{"{\"a\":\"x\xffy\"}", "{\"a\":\"x\ufffdy\"}"},
		{`[1,2]`, `{"result":[1,2]}`},
		{`null`, `{"result":null}`},
		{`"text"`, `{"result":"text"}`},
	} {
		got, err := tidy(tool, json.RawMessage(test.content))
		if err != nil || string(got) != test.want {
			t.Errorf("%s: got %s, %v", test.content, got, err)
		}
	}
}

// Each call is told once, whatever its outcome, with the id that the agent got.
func TestOnCallHearsEachOutcome(t *testing.T) {
	for _, test := range []struct {
		tool, args string
		err        error
		code       Code
	}{
		{"search", `{"query":"x"}`, nil, ""},
		{"search", `{}`, nil, CodeValidation},
		{"nonsense", `{}`, nil, CodeToolNotFound},
		{"read", `{"filePath":"x.ts"}`, &wsbridge.ToolError{Message: "No file named x.ts."}, CodeToolError},
		{"search", `{"query":"x"}`, context.DeadlineExceeded, CodeTimeout},
	} {
		var ends []CallEnd
		caller := &fakeCaller{}
		if test.err != nil {
			caller = failing(test.err)
		}
		s := NewServer(Options{Caller: caller, Agent: "tester", OnCall: func(e CallEnd) { ends = append(ends, e) }})
		content, _, _ := direct(s, test.tool, test.args)
		var answer Envelope
		_ = json.Unmarshal(content, &answer)
		if len(ends) != 1 {
			t.Fatalf("%s: told %d times", test.tool, len(ends))
		}
		e := ends[0]
		if e.Code != test.code || e.Tool != test.tool || e.Agent != "tester" || e.ID == "" || e.Attempts != 1 || string(e.Arguments) != test.args ||
			test.code != "" && (e.ID != answer.CallID || e.Message != answer.Message) {
			t.Errorf("%+v for %s", e, content)
		}
	}
}
