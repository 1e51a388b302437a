package tools

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

const (
	initializeWithApps = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}},"clientInfo":{"name":"host","version":"1"}}}`
	listModern         = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"claude-code","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}}}}`
)

// listedTools are tools as a host reads them.
type listedTools struct {
	Result struct {
		Tools []struct {
			Name string
			Meta struct {
				UI struct {
					ResourceURI string
					Visibility  []string
				}
				MaxChars int    `json:"anthropic/maxResultSizeChars"`
				Hint     string `json:"anthropic/searchHint"`
			} `json:"_meta"`
		}
	}
}

func chatServer(t *testing.T, picture func() (json.RawMessage, error)) (*Server, *fakeCaller) {
	t.Helper()
	caller := &fakeCaller{CallFunc: func(_ context.Context, c *wsbridge.Call) (json.RawMessage, error) {
		if c.Tool == "graph_picture" {
			return picture()
		}
		return json.RawMessage(`{"risk":"low"}`), nil
	}}
	s := NewServer(Options{
		Caller: caller, ChatPage: func() (string, error) { return "<!doctype html><title>graph</title>", nil },
		Bridge:    func() wsbridge.Status { return wsbridge.Status{URL: "http://127.0.0.1:54319/"} },
		MaxResult: 60_000,
	})
	t.Cleanup(s.Close)
	return s, caller
}

// A host that shows pages gets the page, the tools that it calls, and with the
// answers of some tools their pictures, outside of what the model reads.
func TestChatPage(t *testing.T) {
	s, caller := chatServer(t, func() (json.RawMessage, error) { return json.RawMessage(`{"layout":"columns","nodes":[]}`), nil })
	c := serve(t, s)
	c.send(initializeWithApps, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	c.next()

	c.send(requestLine("tools/list", `{}`))
	list := decode[listedTools](t, c.next())
	var withPage, appOnly []string
	for _, tool := range list.Result.Tools {
		switch ui := tool.Meta.UI; {
		case len(ui.Visibility) > 0:
			appOnly = append(appOnly, tool.Name)
		case ui.ResourceURI == GraphURI:
			withPage = append(withPage, tool.Name)
		case ui.ResourceURI != "" || tool.Meta.Hint != "":
			t.Errorf("%+v", tool)
		}
	}
	slices.Sort(withPage)
	if strings.Join(withPage, " ") != "explore impact overview trace_flow" || strings.Join(appOnly, " ") != "graph_picture graph_code" {
		t.Errorf("with the page %q, for the page %q", withPage, appOnly)
	}

	c.send(requestLine("resources/read", `{"uri":"ui://gitnexus/graph"}`))
	if line := c.next(); !strings.Contains(line, `"mimeType":"text/html;profile=mcp-app"`) || !strings.Contains(line, "doctype html") || !strings.Contains(line, `"ui":{"prefersBorder":true}`) {
		t.Error(line)
	}
	c.send(requestLine("resources/list", `{}`))
	if line := c.next(); strings.Contains(line, GraphURI) || !strings.Contains(line, ContextURI) {
		t.Errorf("people would choose from %s", line)
	}

	c.send(callLine("2", "impact", `{"target":"login","direction":"upstream"}`))
	m := c.nextMessage()
	if len(m.Result.Content) != 1 || m.Result.Content[0].Text != `{"risk":"low"}` || string(m.Result.Meta["gitnexus/picture"]) != `{"app":"http://127.0.0.1:54319/","picture":{"layout":"columns","nodes":[]}}` {
		t.Errorf("%+v", m.Result)
	}
	calls := caller.Calls()
	if asked := string(calls[len(calls)-1].Arguments); !strings.HasPrefix(asked, `{"tool":"impact","target":"login","direction":"upstream"`) || !json.Valid([]byte(asked)) {
		t.Errorf("asked for the picture with %s", asked)
	}
	c.send(callLine("3", "search", `{"query":"login"}`))
	if m := c.nextMessage(); m.Result.Meta != nil {
		t.Errorf("%+v", m.Result)
	}
	c.send(callLine("4", "graph_picture", `{"tool":"overview"}`))
	if m := c.nextMessage(); string(m.Result.StructuredContent) != `{"layout":"columns","nodes":[]}` {
		t.Errorf("%+v", m.Result)
	}
}

// Without its picture an answer is the same, also when the page is an older app's.
func TestAnswerWithoutPicture(t *testing.T) {
	s, caller := chatServer(t, func() (json.RawMessage, error) { return nil, &wsbridge.ToolError{Message: "no such tool"} })
	c := serve(t, s)
	c.send(initializeWithApps, callLine("2", "overview", `{}`))
	c.next()
	if m := c.nextMessage(); m.Result.IsError || m.Result.Meta != nil || m.Result.Content[0].Text != `{"risk":"low"}` {
		t.Errorf("%+v", m.Result)
	}
	if calls := caller.Calls(); len(calls) != 2 {
		t.Errorf("%d calls", len(calls))
	}
}

// Other clients neither see tools of the page nor cost the page a second call.
func TestWithoutApps(t *testing.T) {
	s, caller := chatServer(t, func() (json.RawMessage, error) { t.Error("asked for a picture"); return nil, nil })
	c := initialized(t, s)
	c.send(requestLine("tools/list", `{}`))
	if line := c.next(); strings.Contains(line, "graph_picture") || strings.Contains(line, "_meta") {
		t.Error(line)
	}
	c.send(callLine("2", "overview", `{}`))
	c.next()
	if calls := caller.Calls(); len(calls) != 1 {
		t.Errorf("%d calls", len(calls))
	}
}

// A client of the newest protocol says in each request what it shows, and Claude
// is told how much of an answer to show, and by which words to find a tool.
func TestListForClient(t *testing.T) {
	s, _ := chatServer(t, nil)
	c := serve(t, s)
	c.send(listModern)
	line := c.next()
	if !strings.Contains(line, `"cacheScope":"private"`) {
		t.Errorf("one client's list is for it alone: %s", line[:200])
	}
	for _, tool := range decode[listedTools](t, line).Result.Tools {
		if len(tool.Meta.UI.Visibility) > 0 {
			continue
		}
		if tool.Meta.MaxChars != 60_000 || tool.Meta.Hint == "" {
			t.Errorf("%+v", tool)
		}
	}
	if !strings.Contains(line, "graph_code") {
		t.Errorf("no tools of the page: %s", line)
	}
}
