//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gitnexus/gitnexus-mcp/events"
	"github.com/gitnexus/gitnexus-mcp/hooks"
)

// writeHooks writes a hooks.json into a configuration folder of its own, and returns the
// variable that leads there.
func writeHooks(t *testing.T, text string) (variable string) {
	t.Helper()
	config := t.TempDir()
	dir := config
	variable = "XDG_CONFIG_HOME=" + config
	if runtime.GOOS == "darwin" {
		dir, variable = filepath.Join(config, "Library", "Application Support"), "HOME="+config
	}
	name, value, _ := strings.Cut(variable, "=")
	t.Setenv(name, value) // pages are paired there
	dir = filepath.Join(dir, "gitnexus-mcp")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "hooks.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return variable
}

func TestHooksOfAServer(t *testing.T) {
	said := filepath.Join(t.TempDir(), "said")
	file := filepath.Join(t.TempDir(), "events.sqlite")
	note, err := json.Marshal([]string{"sh", "-c", "cat >> '" + said + "'"})
	if err != nil {
		t.Fatal(err)
	}
	config := writeHooks(t, `{
		"SessionStart": [{"command": `+string(note)+`}],
		"SessionEnd": [{"command": `+string(note)+`}],
		"PreToolUse": [
			{"match": "grep", "command": ["sh", "-c", "echo grep is not for you >&2; exit 2"]},
			{"match": "list_repos", "command": ["no-such-program-anywhere"]}],
		"PostToolUse": [{"command": `+string(note)+`}],
		"Alert": [{"command": `+string(note)+`}]}`)
	s := startServer(t, "main", config, "GITNEXUS_EVENTS="+file, "GITNEXUS_GRACE=0", "GITNEXUS_ALERT_AFTER=2")
	s.initialize()
	if _, e := s.call("grep", map[string]any{"pattern": "x"}); e.Code != "TOOL_ERROR" || e.Retryable || !strings.Contains(e.Message, "grep is not for you") {
		t.Errorf("%+v", e)
	}
	if r, _ := s.call("list_repos", nil); r.IsError {
		t.Errorf("a hook that is missing hurts: %+v", r)
	}
	s.call("search", map[string]any{"query": "password=hunter2"})
	s.call("search", map[string]any{"query": "y"})
	waitFor(t, "the alert's hook", func() bool {
		text, _ := os.ReadFile(said)
		return strings.Contains(string(text), `"event":"Alert"`)
	})
	_ = s.stdin.Close()
	<-s.exited

	text, err := os.ReadFile(said)
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for line := range strings.Lines(string(text)) {
		var in hooks.Input
		if err := json.Unmarshal([]byte(line), &in); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		told = append(told, strings.TrimSpace(in.Event+" "+in.Tool+" "+in.Outcome))
	}
	all := strings.Join(told, "\n")
	_, log, _ := run(t, env("GITNEXUS_EVENTS", file), "events", "--json")
	// A server ends within a second, and hooks have half of it.
	if !strings.Contains(all, "SessionEnd") && !strings.Contains(log, `"event_type":"failed"`) {
		t.Errorf("SessionEnd did not run, and nobody says so:\n%s", log)
	}
	for _, want := range []string{"SessionStart", "PostToolUse grep TOOL_ERROR", "PostToolUse list_repos success", "PostToolUse search CONNECTION_LOST", "Alert  raised CONNECTION_LOST"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is missing in:\n%s", want, all)
		}
	}
	if strings.Contains(string(text), "hunter2") {
		t.Error("a hook got a secret")
	}
	_, out, _ := run(t, env("GITNEXUS_EVENTS", file), "events")
	if !strings.Contains(out, "hook refused") || !strings.Contains(out, "hook failed") {
		t.Errorf("the event log: %s", out)
	}
}

// What happens to links, breakers and graphs reaches the hooks and the event log.
func TestHooksOfLinksBreakersAndGraphs(t *testing.T) {
	said := filepath.Join(t.TempDir(), "said")
	file := filepath.Join(t.TempDir(), "events.sqlite")
	var config []string
	for _, event := range []string{"LinkUp", "LinkDown", "BreakerOpen", "BreakerClosed", "IndexReady", "GraphChanged"} {
		config = append(config, fmt.Sprintf(`%q: [{"command": ["sh", "-c", "cat >> '%s'"], "timeout": "60s"}]`, event, said))
	}
	s := startServer(t, "main", writeHooks(t, "{"+strings.Join(config, ",")+"}"), "GITNEXUS_EVENTS="+file, "GITNEXUS_GRACE=0",
		"GITNEXUS_BREAKER_THRESHOLD=2", "GITNEXUS_BREAKER_COOLDOWN=50ms", "GITNEXUS_TIMEOUT_QUICK=2s")
	told := func(event, graph string) {
		t.Helper()
		waitFor(t, event+" of "+graph, func() bool {
			text, _ := os.ReadFile(said)
			for line := range strings.Lines(string(text)) {
				var in hooks.Input
				if json.Unmarshal([]byte(line), &in) == nil && in.Event == event && in.Graph == graph {
					return true
				}
			}
			return false
		})
	}
	s.initialize()
	var answers atomic.Bool
	p := s.page(func(p *page, m message) {
		if answers.Load() {
			answerArguments(p, m)
		}
	})
	told("LinkUp", "")
	told("IndexReady", "scripted")
	p.send(`{"jsonrpc":"2.0","method":"bridge/context","params":{"context":{"repo":"scripted","state":"ready","stats":{"files":3},"indexedAt":2}}}`)
	told("GraphChanged", "scripted")

	id, _ := s.callAsync("grep", map[string]any{"pattern": "given up"})
	p.saw(t, "tools/call")
	s.write(map[string]any{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": map[string]any{"requestId": json.RawMessage(id)}})
	p.saw(t, "notifications/cancelled")
	for range 2 {
		if _, e := s.call("grep", map[string]any{"pattern": "x"}); e.Code != "TIMEOUT" {
			t.Fatalf("%+v", e)
		}
	}
	told("BreakerOpen", "scripted")
	answers.Store(true)
	waitFor(t, "a success", func() bool {
		r, _ := s.call("grep", map[string]any{"pattern": "x"})
		return !r.IsError
	})
	told("BreakerClosed", "scripted")
	p.close()
	told("LinkDown", "scripted")
	again, err := s.tryPageAs("second", `,"reloaded":true`, nil)
	if err != nil {
		t.Fatal(err)
	}
	again.close()
	s.waitHealth("no page", func(h healthReport) bool { return len(h.Bridge.Pages) == 0 })
	_ = s.stdin.Close()
	<-s.exited

	_, out, _ := run(t, env("GITNEXUS_EVENTS", file), "events", "--json")
	for _, want := range []string{
		`"category":"process","event_type":"started"`, `"category":"process","event_type":"ended"`, `"message":"its input has ended"`,
		`"event_type":"page_reloaded"`, `"category":"index","event_type":"ready"`, `"files":3`, `"category":"hook","event_type":"ran"`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%s is missing in the event log:\n%s", want, out)
		}
	}
	_, out, _ = run(t, env("GITNEXUS_EVENTS", file), "stats", "--json")
	var stats events.Stats
	if err := json.Unmarshal([]byte(out), &stats); err != nil || stats.Total.Cancelled != 1 || stats.Total.Failures["CANCELLED"] != 0 {
		t.Errorf("%v: %s", err, out)
	}
}

func TestBadHooksStopTheStart(t *testing.T) {
	writeHooks(t, `{"Sometimes": []}`)
	if code, _, said := run(t, env("GITNEXUS_TOKEN", testToken), "serve"); code != 2 || !strings.Contains(said, `unknown event "Sometimes"`) {
		t.Errorf("exit code %d: %s", code, said)
	}
}

func TestHooksTest(t *testing.T) {
	writeHooks(t, `{
		"PreToolUse": [{"match": "impact", "command": ["sh", "-c", "echo no >&2; exit 2"]}, {"command": ["cat"]}],
		"IndexReady": [{"match": "shop", "command": ["cat"]}],
		"LinkUp": [{"command": ["sh", "-c", "exit 3"]}]}`)
	for _, c := range []struct {
		args   []string
		code   int
		stdout []string
		stderr string
	}{
		{[]string{"hooks", "test", "PreToolUse", "impact"}, 0, []string{"refuses the call", "stderr: no", "did its work", `"tool":"impact"`}, ""},
		{[]string{"hooks", "test", "PreToolUse"}, 0, []string{"did its work"}, ""},
		{[]string{"hooks", "test", "LinkUp"}, 1, []string{"failed: exit status 3"}, "1 of 1 hooks failed"},
		{[]string{"hooks", "test", "LinkDown"}, 1, nil, "hooks.json has no hook of LinkDown"},
		{[]string{"hooks", "test", "IndexReady"}, 1, nil, "hooks.json matches \"sample\"; to try another name, run hooks test IndexReady NAME"},
		{[]string{"hooks", "test", "Never"}, 2, nil, `unknown event "Never"`},
		{[]string{"hooks"}, 2, nil, "want hooks test EVENT"},
	} {
		code, out, said := run(t, os.Environ(), c.args...)
		if code != c.code || !strings.Contains(said, c.stderr) {
			t.Errorf("%v: exit code %d, %s", c.args, code, said)
		}
		for _, want := range c.stdout {
			if !strings.Contains(out, want) {
				t.Errorf("%v: %q is missing in %s", c.args, want, out)
			}
		}
	}
}

func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s did not come", what)
		}
	}
}
