package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestToolsOverStdio(t *testing.T) {
	s := startServer(t, "main")
	var hello struct {
		ServerInfo   struct{ Name, Version string }
		Instructions string
	}
	if err := json.Unmarshal(s.initialize().Result, &hello); err != nil || hello.ServerInfo.Name != "gitnexus-mcp" || hello.Instructions == "" {
		t.Errorf("initialize: %+v, %v", hello, err)
	}
	var list struct {
		Tools []struct {
			Name, Title, Description string
			InputSchema              struct{ Type string }
			Annotations              map[string]any
		}
	}
	if err := json.Unmarshal(s.request("tools/list", map[string]any{}).Result, &list); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, tool := range list.Tools {
		names[tool.Name] = true
		if tool.Title == "" || len(tool.Description) < 100 || tool.InputSchema.Type != "object" ||
			tool.Annotations["readOnlyHint"] != true && tool.Annotations["destructiveHint"] != false { // a read-only tool needs no such hint
			t.Errorf("tool %+v", tool)
		}
	}
	for _, name := range []string{"context", "search", "grep", "read", "overview", "cypher", "impact", "explore"} {
		if !names[name] {
			t.Errorf("no tool %s", name)
		}
	}
	p := s.page(answerArguments)
	r, _ := s.call("search", map[string]any{"query": "auth"})
	if got := string(r.json()); got != `{"groupByProcess":true,"limit":10,"query":"auth"}` && !sameJSON(got, `{"groupByProcess":true,"limit":10,"query":"auth"}`) {
		t.Errorf("the page did not get the defaults: %s", got)
	}
	if r.Content[0].Text == "" || r.Meta != nil {
		t.Errorf("content %+v, _meta %s", r.Content, r.Meta)
	}
	// The table's time class travels with a call: the hub keeps places free for quick ones.
	s.call("cypher", map[string]any{"query": "MATCH (n) RETURN n"})
	p.close()
	heavy := map[string]bool{}
	for _, m := range p.frames {
		var call struct {
			Name string
			Meta struct{ Heavy bool } `json:"_meta"`
		}
		if m.Method == "tools/call" && json.Unmarshal(m.Params, &call) == nil {
			heavy[call.Name] = call.Meta.Heavy
		}
	}
	if !maps.Equal(heavy, map[string]bool{"search": false, "cypher": true}) {
		t.Errorf("heavy: %v", heavy)
	}
	_ = s.stdin.Close()
	<-s.exited // the log is whole then
	if log := s.stderr.String(); strings.Contains(log, "\x1b") || strings.Contains(log, testToken) || !strings.Contains(log, "search") {
		t.Errorf("log:\n%s", log)
	}
}

func sameJSON(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	return fmt.Sprint(x) == fmt.Sprint(y)
}

// Every error code that can occur, as an agent gets it.
func TestErrorCodes(t *testing.T) {
	t.Run("before the page", func(t *testing.T) {
		s := startServer(t, "main", "GITNEXUS_GRACE=50ms")
		s.initialize()
		for _, c := range []struct {
			tool      string
			args      map[string]any
			code      string
			retryable bool
			says      []string // in message or suggestion
		}{
			{"search", map[string]any{"query": "x", "limit": 1000}, "VALIDATION_ERROR", false, []string{"limit", "100"}},
			{"search", map[string]any{}, "VALIDATION_ERROR", false, []string{"query"}},
			{"serch", map[string]any{}, "TOOL_NOT_FOUND", false, []string{"search"}},
			{"cypher", map[string]any{"query": "MATCH (n) DELETE n"}, "CYPHER_FORBIDDEN", false, []string{"DELETE", "MATCH"}},
			{"grep", map[string]any{"pattern": "x"}, "CONNECTION_LOST", true, []string{fmt.Sprintf("http://127.0.0.1:%d/", s.port), "gitnexus-mcp open"}},
		} {
			_, e := s.call(c.tool, c.args)
			if e.Code != c.code || e.Retryable != c.retryable || e.Suggestion == "" || e.Debug != nil {
				t.Errorf("%s: %+v", c.code, e)
			}
			for _, word := range c.says {
				if !strings.Contains(e.Message+e.Suggestion, word) {
					t.Errorf("%s does not say %q: %+v", c.code, word, e)
				}
			}
			if c.retryable && e.RetryAfter < 1 {
				t.Errorf("%s: retryAfter %d", c.code, e.RetryAfter)
			}
		}
	})
	t.Run("CONNECTION_LOST at once after the grace", func(t *testing.T) {
		s := startServer(t, "main", "GITNEXUS_GRACE=0")
		s.initialize()
		s.waitHealth("hub", func(h healthReport) bool { return h.Bridge.Role == "hub" })
		// Nobody ends a wait: without the grace there is none.
		if _, e := s.call("grep", map[string]any{"pattern": "x"}); e.Code != "CONNECTION_LOST" {
			t.Errorf("%+v", e)
		}
	})
	t.Run("TOOL_ERROR", func(t *testing.T) {
		s := startServer(t, "main")
		s.initialize()
		s.page(func(p *page, m message) {
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"No file x.ts.","data":{"details":{"candidates":["a/x.ts"]}}}}`, m.ID))
		})
		for range 6 { // more than the breaker's threshold: they do not count
			_, e := s.call("read", map[string]any{"filePath": "x.ts"})
			if e.Code != "TOOL_ERROR" || e.Message != "read: No file x.ts." || e.Retryable || fmt.Sprint(e.Details["candidates"]) != "[a/x.ts]" {
				t.Fatalf("%+v", e)
			}
		}
	})
	t.Run("TIMEOUT, CIRCUIT_OPEN, and a new page", func(t *testing.T) {
		s := startServer(t, "main", "GITNEXUS_TIMEOUT_QUICK=700", "GITNEXUS_BREAKER_THRESHOLD=3")
		s.initialize()
		p := s.page(nil)
		for range 3 {
			_, e := s.call("grep", map[string]any{"pattern": "x"})
			if e.Code != "TIMEOUT" || !e.Retryable || !strings.Contains(e.Message, "grep") {
				t.Fatalf("%+v", e)
			}
		}
		p.saw(t, "notifications/cancelled")
		_, e := s.call("grep", map[string]any{"pattern": "x"})
		if e.Code != "CIRCUIT_OPEN" || !e.Retryable || e.RetryAfter < 28 || e.RetryAfter > 30 {
			t.Fatalf("%+v", e)
		}
		want := fmt.Sprintf("Circuit breaker open due to repeated failures. Will retry in %d seconds. Consider checking browser connection or graph status.", e.RetryAfter)
		if e.Message != want && e.Suggestion != want && e.Message+" "+e.Suggestion != want {
			t.Errorf("%+v, want %q", e, want)
		}
		p.close()
		s.page(answerArguments)
		if r, e := s.call("grep", map[string]any{"pattern": "x"}); r.IsError {
			t.Errorf("a new page closes the breaker at once, but: %+v", e)
		}
	})
	t.Run("RETRY_EXHAUSTED", func(t *testing.T) {
		s := startServer(t, "main", "GITNEXUS_GRACE=0", "GITNEXUS_MAX_RECONNECT=1", "GITNEXUS_RETRY_ATTEMPTS=1",
			"GITNEXUS_JITTER=none", "GITNEXUS_BACKOFF_BASE=1")
		s.initialize()
		s.page(answerArguments).close()
		s.waitHealth("end of the schedule", func(h healthReport) bool {
			return h.Bridge.Reconnect != nil && h.Bridge.Reconnect.Step >= h.Bridge.Reconnect.Of
		})
		_, e := s.call("grep", map[string]any{"pattern": "x"})
		if e.Code != "RETRY_EXHAUSTED" || e.Retryable || !strings.Contains(e.Suggestion, "open") {
			t.Errorf("%+v", e)
		}
	})
	t.Run("OVERLOADED", func(t *testing.T) {
		s := startServer(t, "main")
		s.initialize()
		p := s.page(nil)
		for range 1024 {
			s.callAsync("grep", map[string]any{"pattern": "x"})
		}
		_, e := s.call("grep", map[string]any{"pattern": "one too many"})
		if e.Code != "OVERLOADED" || !e.Retryable || e.RetryAfter < 1 || !strings.Contains(e.Message, "1024") || e.Suggestion == "" {
			t.Errorf("%+v", e)
		}
		s.request("ping", map[string]any{}) // nothing else suffers
		p.close()
	})
	t.Run("OVERLOADED by the page", func(t *testing.T) {
		settings := []string{"GITNEXUS_MAX_INFLIGHT=2", "GITNEXUS_MAX_QUEUE=3"}
		hub := startServer(t, "main", settings...)
		hub.initialize()
		p := hub.page(nil)
		peer := startServer(t, "main", append(settings, fmt.Sprintf("GITNEXUS_PORT=%d", hub.port))...)
		peer.initialize()
		for _, s := range []*server{hub, peer} {
			var taken []<-chan message
			refused := 0
			for range 7 { // 2 at the page and 3 that wait, of the first; 3 that wait, of the second
				_, answer := s.callAsync("grep", map[string]any{"pattern": "x"})
				taken = append(taken, answer)
			}
			for want := map[*server]int{hub: 2, peer: 4}[s]; refused < want; refused++ {
				_, e := s.understand(s.awaitAny(taken))
				if e.Code != "OVERLOADED" || !e.Retryable || e.RetryAfter < 1 || !strings.Contains(e.Message, "3 calls of this agent are waiting") {
					t.Errorf("%+v", e)
				}
			}
		}
		p.close()
	})
	t.Run("the port is taken", func(t *testing.T) {
		l, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = l.Close() }()
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				_, _ = c.Write([]byte("SSH-2.0-nonsense\r\n"))
				_ = c.Close()
			}
		}()
		s := startServer(t, "main", "GITNEXUS_GRACE=0", fmt.Sprintf("GITNEXUS_PORT=%d", l.Addr().(*net.TCPAddr).Port))
		s.initialize()
		for end := time.Now().Add(10 * time.Second); time.Now().Before(end) && !strings.Contains(s.stderr.String(), "taken"); {
			time.Sleep(10 * time.Millisecond)
		}
		_, e := s.call("grep", map[string]any{"pattern": "x"})
		if e.Code != "CONNECTION_LOST" || !strings.Contains(e.Message+e.Suggestion, fmt.Sprintf("pid %d", os.Getpid())) {
			t.Errorf("%+v", e)
		}
	})
}

func TestManyCallsDoNotStallPingAndCancel(t *testing.T) {
	s := startServer(t, "main")
	s.initialize()
	release, arrived := make(chan struct{}), make(chan string, 256)
	p := s.page(func(p *page, m message) {
		var call struct{ Pattern string }
		_ = json.Unmarshal(arguments(m), &call)
		arrived <- call.Pattern
		go func() {
			<-release
			answerArguments(p, m)
		}()
	})
	answers := map[string]<-chan message{}
	ids := map[string]string{}
	for i := range 256 {
		pattern := fmt.Sprint("p", i)
		ids[pattern], answers[pattern] = s.callAsync("grep", map[string]any{"pattern": pattern})
	}
	s.request("ping", map[string]any{}) // is answered before the calls are, which wait for release
	// The page gets the calls in any order, and hears only that one which it has is cancelled.
	var cancelled string
	select {
	case cancelled = <-arrived:
	case <-time.After(10 * time.Second):
		t.Fatal("the page got no call")
	}
	s.write(map[string]any{"jsonrpc": "2.0", "method": "notifications/cancelled",
		"params": map[string]any{"requestId": json.RawMessage(ids[cancelled]), "reason": "changed my mind"}})
	p.saw(t, "notifications/cancelled")
	close(release)
	for pattern, answer := range answers {
		if pattern == cancelled {
			continue
		}
		r, e := s.understand(s.await(answer))
		if want := fmt.Sprintf("%q", pattern); r.IsError || !strings.Contains(string(r.json()), want) {
			t.Fatalf("call %s: %s %+v", pattern, r.json(), e)
		}
	}
	select {
	case m := <-answers[cancelled]:
		t.Errorf("a cancelled call was answered: %s", m.Result)
	case <-time.After(100 * time.Millisecond):
	}
}

func TestProgressReachesTheAgentBeforeTheResult(t *testing.T) {
	s := startServer(t, "main")
	s.initialize()
	s.page(func(p *page, m message) {
		var params struct {
			Meta struct{ ProgressToken string } `json:"_meta"`
		}
		_ = json.Unmarshal(m.Params, &params)
		for i := range 5 {
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%q,"progress":%d,"total":5,"message":"step"}}`, params.Meta.ProgressToken, i+1))
		}
		answerArguments(p, m)
	})
	_, answer := s.send("tools/call", map[string]any{"name": "impact", "arguments": map[string]any{"target": "x", "direction": "upstream"}, "_meta": map[string]any{"progressToken": "tok"}})
	m := s.await(answer)
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, note := range s.notes {
		if note.Method == "notifications/progress" {
			n++
			if note.at.After(m.at) || !strings.Contains(string(note.Params), `"tok"`) {
				t.Errorf("progress %s at %v, result at %v", note.Params, note.at, m.at)
			}
		}
	}
	if n < 1 || n > 5 { // those that come within a quarter of a second are one
		t.Errorf("%d progress notifications, want 1 to 5", n)
	}
}

// A call that lost its page beyond the grace is tried again, under its own id,
// and answered by the page that comes back.
func TestCallOutlivesTheGrace(t *testing.T) {
	hub := startServer(t, "main", "GITNEXUS_GRACE=0", "GITNEXUS_DEBUG=1")
	hub.initialize()
	peer := startServer(t, "main", "GITNEXUS_GRACE=0", "GITNEXUS_DEBUG=1", fmt.Sprintf("GITNEXUS_PORT=%d", hub.port))
	peer.initialize()
	for name, s := range map[string]*server{"hub": hub, "peer": peer} {
		t.Run(name, func(t *testing.T) {
			p := hub.page(nil)
			s.waitHealth("a page", func(h healthReport) bool { return h.Status == "ready" })
			_, answer := s.callAsync("grep", map[string]any{"pattern": "x", "debug": true})
			first := p.saw(t, "tools/call")
			p.close()
			waitUntil(t, "a retry to be due", func() bool { return strings.Contains(s.stderr.String(), "call is tried again") })
			p = hub.page(answerArguments)
			r, e := s.understand(s.await(answer))
			var meta struct{ Debug struct{ Attempt int } }
			if err := json.Unmarshal(r.Meta, &meta); err != nil || r.IsError || meta.Debug.Attempt != 2 {
				t.Errorf("%+v, %s, %v", e, r.Meta, err)
			}
			if again := p.saw(t, "tools/call"); string(again.ID) != string(first.ID) {
				t.Errorf("tried again as %s, was %s", again.ID, first.ID)
			}
			p.close()
		})
	}
}

func TestDebug(t *testing.T) {
	s := startServer(t, "main", "GITNEXUS_GRACE=0")
	s.initialize()
	s.page(answerArguments)
	r, _ := s.call("grep", map[string]any{"pattern": "password=hunter2secret", "debug": true})
	var meta struct{ Debug map[string]any }
	if err := json.Unmarshal(r.Meta, &meta); err != nil || meta.Debug["callId"] == "" || meta.Debug["link"] == nil || meta.Debug["steps"] == nil {
		t.Errorf("_meta %s", r.Meta)
	}
	if strings.Contains(string(r.Meta), "hunter2") {
		t.Errorf("debug shows a secret: %s", r.Meta)
	}
	on := startServer(t, "main", "GITNEXUS_GRACE=0", "GITNEXUS_DEBUG=true")
	on.initialize()
	if _, e := on.call("grep", map[string]any{"pattern": "x"}); e.Debug["callId"] == nil {
		t.Errorf("%+v", e)
	}
}

func TestResources(t *testing.T) {
	s := startServer(t, "main")
	s.initialize()
	if h := s.health(); h.Status != "disconnected" {
		t.Errorf("health %+v", h)
	}
	s.page(answerArguments)
	s.waitHealth("a hub that is ready", func(h healthReport) bool { return h.Status == "ready" && h.Bridge.Role == "hub" })
	if text := s.resource("gitnexus://codebase/context"); !strings.Contains(text, "scripted") {
		t.Errorf("context:\n%s", text)
	}
	// It is sent after the graph is there, by a goroutine of its own.
	waitUntil(t, "list_changed, as a graph came", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return slices.ContainsFunc(s.notes, func(n message) bool { return n.Method == "notifications/resources/list_changed" })
	})
}

// The health resource tells the story, in figures and in words.
func TestHealthTellsTheStory(t *testing.T) {
	hub := startServer(t, "main", "GITNEXUS_GRACE=0", "GITNEXUS_BREAKER_THRESHOLD=2")
	hub.initialize()
	hub.waitHealth("hub", func(h healthReport) bool { return h.Bridge.Role == "hub" })
	peer := startServer(t, "main", "GITNEXUS_GRACE=0", fmt.Sprintf("GITNEXUS_PORT=%d", hub.port))
	peer.initialize()
	for role, s := range map[string]*server{"hub": hub, "peer": peer} {
		s.waitHealth(role+" without a page", func(h healthReport) bool {
			r := h.Bridge.Reconnect
			return h.Status == "disconnected" && h.Bridge.Role == role && r != nil && r.Of == 10 && !r.WasConnected &&
				strings.HasPrefix(h.Summary, "No page has connected") && strings.Contains(h.Summary, "gitnexus-mcp open")
		})
	}
	p := hub.page(answerArguments)
	for _, s := range []*server{hub, peer} {
		s.waitHealth("page", func(h healthReport) bool {
			return h.Status == "ready" && len(h.Bridge.Pages) == 1 && h.Bridge.Pages[0].Context.Repo == "scripted" && h.Bridge.Reconnect == nil &&
				strings.HasPrefix(h.Summary, "`scripted` is indexed and ready") && h.Bridge.HubPID == hub.cmd.Process.Pid
		})
	}
	hub.waitHealth("two agents", func(h healthReport) bool { return len(h.Bridge.Agents) == 2 })
	if h := peer.health(); h.Bridge.Role != "peer" || h.Bridge.PID != peer.cmd.Process.Pid || !strings.Contains(h.Summary, fmt.Sprintf("the hub (pid %d)", h.Bridge.HubPID)) {
		t.Errorf("peer: %+v", h)
	}
	p.close()
	for _, s := range []*server{hub, peer} {
		s.waitHealth("lost page", func(h healthReport) bool {
			r := h.Bridge.Reconnect
			return h.Status == "disconnected" && r != nil && r.Of == 10 && r.WasConnected && r.NextMS >= 0 && strings.HasPrefix(h.Summary, "The page's connection was lost")
		})
	}
	for range 3 {
		hub.call("grep", map[string]any{"pattern": "x"})
	}
	h := hub.health()
	if n := len(h.LastErrors); len(h.Breakers) != 1 || h.Breakers[0].RetryAfter < 28 || n != 3 || h.LastErrors[0].Code != "CONNECTION_LOST" || h.LastErrors[2].Code != "CIRCUIT_OPEN" ||
		len(h.Bridge.LastErrors) != 3 || !strings.Contains(h.Summary, "is open after 2 failures in a row") {
		t.Errorf("%+v", h)
	}
	waitUntil(t, "the log", func() bool { return strings.Contains(hub.stderr.String(), "circuit breaker") })
	log := hub.stderr.String()
	for _, transition := range []string{"page connected", "peer connected", "page disconnected", "circuit breaker"} {
		if n := strings.Count(log, transition); n != 1 {
			t.Errorf("%d lines say %q", n, transition)
		}
	}
}

// A call in flight is answered, and nothing of the process is left. How long that
// may take is TestShutdownHasOneBudget's.
func TestEndsInOrder(t *testing.T) {
	for name, end := range map[string]func(s *server){
		"end of input": func(s *server) { _ = s.stdin.Close() },
		"SIGTERM":      func(s *server) { _ = s.cmd.Process.Signal(syscall.SIGTERM) },
		"SIGINT":       func(s *server) { _ = s.cmd.Process.Signal(os.Interrupt) },
	} {
		t.Run(name, func(t *testing.T) {
			s := startServer(t, "main")
			s.initialize()
			called := make(chan struct{})
			s.page(func(*page, message) { close(called) }) // and never answers
			_, answer := s.callAsync("grep", map[string]any{"pattern": "x"})
			<-called
			end(s)
			<-s.exited
			if code := s.cmd.ProcessState.ExitCode(); code != 0 {
				t.Errorf("exit code %d", code)
			}
			select {
			case m := <-answer:
				if _, e := s.understand(m); e.Code == "" {
					t.Errorf("the call in flight got %s", m.Result)
				}
			default:
				t.Error("the call in flight got no answer")
			}
			// No orphan keeps the port.
			var lc net.ListenConfig
			l, err := lc.Listen(context.Background(), "tcp4", fmt.Sprintf("127.0.0.1:%d", s.port))
			if err != nil {
				t.Fatal(err)
			}
			_ = l.Close()
		})
	}
}
