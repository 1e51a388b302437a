package tools

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

var webGraph = wsbridge.GraphContext{
	Repo: "web", State: "ready", IndexedAt: 1_790_000_000_000,
	Stats:     wsbridge.GraphStats{Files: 12, Symbols: 340, Functions: 200, Classes: 20, Interfaces: 5, Methods: 100, Nodes: 400, Edges: 900, Communities: 7, Processes: 9},
	Languages: []wsbridge.LanguageCount{{Language: "typescript", Files: 10}, {Language: "go", Files: 2}},
	Hotspots: []wsbridge.Hotspot{
		{ID: "Function:a.ts:main", Name: "main", Kind: "Function", File: "src/a.ts", Line: 12, Connections: 42},
		{ID: "Folder:src", Name: "src`\n# evil", Kind: "Folder", File: "src", Connections: 7},
	},
}

func readResource(t *testing.T, c *client, uri string) string {
	t.Helper()
	c.send(`{"jsonrpc":"2.0","id":"read","method":"resources/read","params":{"uri":"` + uri + `"}}`)
	m := c.nextMessage()
	if len(m.Result.Contents) != 1 || m.Result.Contents[0].URI != uri {
		t.Fatalf("got %+v", m)
	}
	return m.Result.Contents[0].Text
}

func TestContextResource(t *testing.T) {
	s := NewServer(Options{Caller: &fakeCaller{}})
	c := initialized(t, s)
	golden(t, "context_empty.md", []byte(readResource(t, c, ContextURI)))
	s.ContextChanged(webGraph, wsbridge.GraphContext{Repo: "server", State: "indexing", Detail: "parse 3/10"})
	if m := c.nextMessage(); m.Method != "notifications/resources/list_changed" {
		t.Errorf("got %+v", m)
	}
	golden(t, "context_loaded.md", []byte(readResource(t, c, ContextURI)))
}

// What a page without a proof holds is marked wherever it is told of.
func TestUnprovenGraphsAreMarked(t *testing.T) {
	s := NewServer(Options{Caller: &fakeCaller{}, Bridge: func() wsbridge.Status {
		return wsbridge.Status{Role: "hub", Pages: []wsbridge.PageStatus{{Session: "s", Dialect: "v1"}}}
	}})
	c := initialized(t, s)
	s.ContextChanged(wsbridge.GraphContext{Repo: "older", State: "ready", Unproven: true})
	c.nextMessage()
	for _, uri := range []string{ContextURI, HealthURI} {
		if text := readResource(t, c, uri); !strings.Contains(text, "a page without a proof") {
			t.Errorf("%s: %s", uri, text)
		}
	}
	if health := readResource(t, c, HealthURI); !strings.Contains(health, `"unproven": true`) {
		t.Errorf("%s", health)
	}
}

func TestHealthResource(t *testing.T) {
	bridge := wsbridge.Status{Role: "hub", PID: 7, HubPID: 7, Breakers: []wsbridge.BreakerStatus{
		{Graph: "g", State: "open", Failures: 5, RetryAfterMS: 28_001, Cause: "no answer"},
	}}
	s := NewServer(Options{
		Caller:  failing(&wsbridge.LostError{Reason: "gone"}),
		Version: "1.2.3", MaxResult: 20_000,
		Bridge: func() wsbridge.Status { return bridge },
	})
	c := initialized(t, s)
	for range 12 {
		directFailure(t, s, "overview", `{}`)
	}
	h := decode[Health](t, readResource(t, c, HealthURI))
	if h.Status != "disconnected" || h.Version != "1.2.3" || h.Bridge.Role != "hub" || h.Bridge.PID != 7 || len(h.Breakers) != 1 ||
		h.Breakers[0] != (BreakerHealth{"g", "open", 5, "no answer", 29}) || !strings.Contains(h.Summary, "The circuit breaker of the graph `g` is open after 5 failures in a row: its calls are refused for another 29 s") || h.Calls != (CallCounts{0, 12, 12}) || len(h.LastErrors) != keptErrors ||
		h.LastErrors[0].Code != CodeConnectionLost || h.LastErrors[9].Code != CodeConnectionLost || h.LastErrors[9].Tool != "overview" {
		t.Errorf("got %+v", h)
	}
	bridge.Pages = []wsbridge.PageStatus{{Session: "s"}}
	for _, test := range []struct {
		graphs []wsbridge.GraphContext
		want   string
	}{
		{nil, "empty"},
		{[]wsbridge.GraphContext{{Repo: "a", State: "indexing"}}, "indexing"},
		{[]wsbridge.GraphContext{{Repo: "a", State: "ready"}}, "ready"},
		{[]wsbridge.GraphContext{{Repo: "a", State: "error"}}, "failed"},
	} {
		s.ContextChanged(test.graphs...)
		if got := s.Health().Status; got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

// A page names its graph; the figures are among the graphs, once.
func TestHealthNamesThePagesGraphs(t *testing.T) {
	graph := webGraph
	s := NewServer(Options{Caller: &fakeCaller{}, Bridge: func() wsbridge.Status {
		return wsbridge.Status{Role: "hub", Pages: []wsbridge.PageStatus{{Session: "s", Dialect: "v2", Calls: 1, Context: &graph}, {Session: "empty"}}}
	}})
	s.ContextChanged(graph)
	raw, err := json.Marshal(s.Health())
	if err != nil {
		t.Fatal(err)
	}
	h := decode[struct {
		Bridge struct {
			Role  string
			Pages []struct {
				Session, Dialect string
				CallsInFlight    int
				Context          json.RawMessage
			}
		}
		Graphs []wsbridge.GraphContext
	}](t, string(raw))
	if p := h.Bridge.Pages; h.Bridge.Role != "hub" || len(p) != 2 || p[0].Session != "s" || p[0].Dialect != "v2" || p[0].CallsInFlight != 1 ||
		string(p[0].Context) != `{"repo":"web"}` || string(p[1].Context) != "null" || len(h.Graphs) != 1 || h.Graphs[0].Stats != graph.Stats {
		t.Errorf("got %s", raw)
	}
}

// The health's summary tells the story in every state.
func TestHealthInWords(t *testing.T) {
	const open = "sk the user to open the graph app (the command `gitnexus-mcp open` does it; http://127.0.0.1:54319/ works in a browser that has shown it before), " +
		"to load the repository there, and to keep the tab open."
	hub := func(r *wsbridge.ReconnectStatus, pages ...wsbridge.PageStatus) wsbridge.Status {
		return wsbridge.Status{Role: "hub", HubPID: 7, PID: 7, URL: "http://127.0.0.1:54319/", Reconnect: r, Pages: pages}
	}
	peer := func(pages ...wsbridge.PageStatus) wsbridge.Status {
		return wsbridge.Status{Role: "peer", HubPID: 7, PID: 8, URL: "http://127.0.0.1:54319/", Pages: pages}
	}
	for name, c := range map[string]struct {
		bridge wsbridge.Status
		graphs []wsbridge.GraphContext
		open   []wsbridge.BreakerStatus
		want   string
	}{
		"ready": {hub(nil, wsbridge.PageStatus{}), []wsbridge.GraphContext{webGraph}, nil, "`web` is indexed and ready since 2026-09-21 14:13 UTC."},
		"two graphs, the front one indexing": {hub(nil, wsbridge.PageStatus{}, wsbridge.PageStatus{}), []wsbridge.GraphContext{{Repo: "api", State: "indexing", Detail: "parse 3/10"}, webGraph}, nil,
			"`api` is still being indexed; answers may be incomplete: `parse 3/10`. Further graphs are loaded (1): name one as repo in a call to ask it."},
		"failed": {hub(nil, wsbridge.PageStatus{}), []wsbridge.GraphContext{{Repo: "web", State: "error", Detail: "out of memory"}}, nil,
			"`web` could not be indexed: `out of memory`. Ask the user to look at the graph app."},
		"empty":            {hub(nil, wsbridge.PageStatus{}), nil, nil, "A page is connected, and nothing is loaded in it. Ask the user to load the repository there."},
		"no page ever":     {hub(&wsbridge.ReconnectStatus{Of: 10, SinceMS: 4321}), nil, nil, "No page has connected in the 4 s since the start. A" + open},
		"page lost":        {hub(&wsbridge.ReconnectStatus{Step: 2, Of: 10, NextMS: 1234, SinceMS: 2300, Connected: true}), nil, nil, "The page's connection was lost 2 s ago. A page that is still open reconnects by itself: step 3 of 10 of its schedule, the next within 1.2 s. If it stays lost, a" + open},
		"page gone":        {hub(&wsbridge.ReconnectStatus{Step: 10, Of: 10, SinceMS: 300_000, Connected: true}), nil, nil, "The page has been gone for 300 s, longer than its whole reconnect schedule. A" + open},
		"peer, ready":      {peer(wsbridge.PageStatus{}), []wsbridge.GraphContext{webGraph}, nil, "`web` is indexed and ready since 2026-09-21 14:13 UTC. This server reaches pages through another gitnexus-mcp, the hub (pid 7)."},
		"peer, no page":    {peer(), nil, nil, "No page is connected. A page that is still open reconnects by itself; otherwise a" + open + " This server reaches pages through another gitnexus-mcp, the hub (pid 7)."},
		"no place":         {wsbridge.Status{Role: "none", Trouble: "port 54319 is taken by sshd (pid 9)"}, nil, nil, "This server has no place on the bridge, so no call can be answered: port 54319 is taken by sshd (pid 9). It goes on trying."},
		"no place, why":    {wsbridge.Status{Role: "none", Trouble: "the hub (pid 9) does not answer", Advice: "End it.", Reconnect: &wsbridge.ReconnectStatus{NextMS: 4321}}, nil, nil, "This server has no place on the bridge, so no call can be answered: the hub (pid 9) does not answer. End it. It goes on trying, next in 4.3 s."},
		"breaker open":     {hub(nil, wsbridge.PageStatus{}), []wsbridge.GraphContext{{Repo: "web", State: "ready"}}, []wsbridge.BreakerStatus{{Graph: "web", State: "open", Failures: 5, RetryAfterMS: 17500}}, "`web` is indexed and ready. The circuit breaker of the graph `web` is open after 5 failures in a row: its calls are refused for another 18 s, or until its page connects."},
		"breaker to close": {hub(nil, wsbridge.PageStatus{}), []wsbridge.GraphContext{{Repo: "web", State: "ready"}}, []wsbridge.BreakerStatus{{State: "half-open"}}, "`web` is indexed and ready. The circuit breaker was open; the next call decides whether it closes."},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c.bridge.Breakers = c.open
				s := NewServer(Options{Bridge: func() wsbridge.Status { return c.bridge }})
				s.ContextChanged(c.graphs...)
				if got := s.Health().Summary; got != c.want {
					t.Errorf("got  %s\nwant %s", got, c.want)
				}
			})
		})
	}
}

// list_changed when a graph comes, becomes ready or goes, and not when its
// figures change.
func TestListChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewServer(Options{Caller: &fakeCaller{}})
		c := initialized(t, s)
		graph := wsbridge.GraphContext{Repo: "web", State: "indexing"}
		for _, step := range []struct {
			name    string
			change  func()
			changes bool
			lists   string
		}{
			{"nothing again", func() { s.ContextChanged() }, false, "Loaded now: nothing yet."},
			{"comes", func() { s.ContextChanged(graph) }, true, "Loaded now: `web` (indexing)."},
			{"goes on", func() { graph.Stats.Files = 7; s.ContextChanged(graph) }, false, "Loaded now: `web` (indexing)."},
			{"ready", func() { graph.State = "ready"; s.ContextChanged(graph) }, true, "Loaded now: `web`."},
			{"another", func() { s.ContextChanged(wsbridge.GraphContext{Repo: "api", State: "ready"}, graph) }, true, "Loaded now: `api`, `web`."},
			{"goes", func() { s.ContextChanged() }, true, "Loaded now: nothing yet."},
		} {
			step.change()
			if step.changes {
				if m := c.nextMessage(); m.Method != "notifications/resources/list_changed" {
					t.Errorf("%s: got %+v", step.name, m)
				}
			}
			c.nothing(time.Minute)
			c.send(`{"jsonrpc":"2.0","id":"list","method":"resources/list"}`)
			m := c.nextMessage()
			if len(m.Result.Resources) != 2 || m.Result.Resources[0].URI != ContextURI || !strings.Contains(m.Result.Resources[0].Description, step.lists) {
				t.Errorf("%s: got %+v", step.name, m.Result.Resources)
			}
		}
	})
}

// Subscribers hear of every change, once a second at most, the last always.
func TestSubscriptions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewServer(Options{Caller: &fakeCaller{}})
		c := initialized(t, s)
		graph := webGraph
		s.ContextChanged(graph)
		c.next() // list_changed
		c.send(`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"` + ContextURI + `"}}`)
		c.next()

		start := time.Now()
		var heard []time.Duration
		for range 95 { // 9.5 s of changes, ten a second
			graph.Stats.Files++
			s.ContextChanged(graph)
			time.Sleep(100 * time.Millisecond)
			synctest.Wait()
			for len(c.lines) > 0 {
				if m := c.nextMessage(); m.Method != "notifications/resources/updated" || !strings.Contains(string(m.Params), ContextURI) {
					t.Errorf("got %+v", m)
				}
				heard = append(heard, time.Since(start))
			}
		}
		if len(heard) != 10 {
			t.Errorf("heard %d times: %v", len(heard), heard)
		}
		time.Sleep(updateEvery)
		synctest.Wait()
		if len(c.lines) != 1 {
			t.Errorf("%d updates for the last change, want 1", len(c.lines))
		}
		c.next()

		s.ContextChanged(graph)
		c.nothing(time.Minute) // nothing has changed
		graph.Stats.Files++
		s.ContextChanged(graph)
		graph.Stats.Files++
		s.ContextChanged(graph) // waits
		c.next()
		c.send(`{"jsonrpc":"2.0","id":2,"method":"resources/unsubscribe","params":{"uri":"` + ContextURI + `"}}`)
		if m := c.nextMessage(); string(m.ID) != "2" {
			t.Errorf("got %+v", m)
		}
		c.nothing(time.Minute)
	})
}

// A client of the later protocol hears only what it listens to, each message
// with the id of the request that asked for it.
func TestListen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewServer(Options{Caller: &fakeCaller{}})
		c := serve(t, s)
		const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"later","version":"1"}}`
		c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `}}`)
		c.next()
		s.ContextChanged(webGraph)
		c.nothing(time.Minute)

		c.send(`{"jsonrpc":"2.0","id":9007199254740993,"method":"subscriptions/listen","params":{` + meta + `,"notifications":{"resourcesListChanged":true}}}`)
		const id = `"io.modelcontextprotocol/subscriptionId":9007199254740993`
		if m := c.nextMessage(); m.Method != "notifications/subscriptions/acknowledged" || !strings.Contains(string(m.Params), id) {
			t.Errorf("got %+v", m)
		}
		c.send(`{"jsonrpc":"2.0","id":"b","method":"subscriptions/listen","params":{` + meta + `,"notifications":{"resourceSubscriptions":["` + HealthURI + `"]}}}`)
		c.next()
		s.ContextChanged()
		got := []string{c.next(), c.next()}
		if !strings.Contains(strings.Join(got, "\n"), `"notifications/resources/list_changed","params":{"_meta":{`+id+`}}`) ||
			!strings.Contains(strings.Join(got, "\n"), `"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"b"},"uri":"`+HealthURI+`"}`) {
			t.Errorf("got %s", got)
		}
		c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9007199254740993}}`)
		synctest.Wait()
		s.ContextChanged(webGraph)
		if m := c.nextMessage(); m.Method != "notifications/resources/updated" {
			t.Errorf("got %+v", m)
		}
		c.nothing(time.Minute)
		start := time.Now()
		c.in.Close() // what listens does not keep the server
		if err := <-c.served; err != nil || time.Since(start) != 0 {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

// The agent's name comes from the client, unless it is set.
func TestAgentName(t *testing.T) {
	const later = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"overview","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"later","version":"1"}}}}`
	for _, test := range []struct{ set, first, line, want, told string }{
		{"", initialize, callLine("1", "overview", `{}`), "tester", "tester"},
		{"mine", initialize, callLine("1", "overview", `{}`), "mine", ""},
		{"", "", later, "later", "later"},
		{"", "", callLine("1", "overview", `{}`), "unknown", ""},
	} {
		told := make(chan string, 10)
		caller := &fakeCaller{CallFunc: func(context.Context, *wsbridge.Call) (json.RawMessage, error) { return json.RawMessage(`{}`), nil }}
		c := serve(t, NewServer(Options{Caller: caller, Agent: test.set, OnAgent: func(name string) { told <- name }}))
		if test.first != "" {
			c.send(test.first)
			c.next()
		}
		c.send(test.line)
		c.next()
		if got := caller.Calls()[0].Agent; got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
		close(told)
		if got := <-told; got != test.told {
			t.Errorf("told %q, want %q", got, test.told)
		}
	}
}
