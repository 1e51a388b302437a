package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gitnexus/gitnexus-mcp/events"
)

// run runs a command and returns its exit code and what it printed.
func run(t *testing.T, environ []string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return runWith(t, "", environ, args...)
}

// runWith is run with a text on stdin.
func runWith(t *testing.T, stdin string, environ []string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	file, err := os.CreateTemp(t.TempDir(), "stderr")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var out strings.Builder
	p := program{stdin: strings.NewReader(stdin), stdout: &out, stderr: file, environ: environ}
	code = p.main(t.Context(), args)
	said, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return code, out.String(), string(said)
}

func TestEveryCallIsInTheEventLog(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log", "events.sqlite")
	one := startServer(t, "main", "GITNEXUS_EVENTS="+file, "GITNEXUS_GRACE=0", "GITNEXUS_ALERT_AFTER=3", "GITNEXUS_ALERT_WINDOW=1m", "GITNEXUS_AGENT=tester")
	two := startServer(t, "main", "GITNEXUS_EVENTS="+file, "GITNEXUS_GRACE=0", "GITNEXUS_ALERT_AFTER=3", "GITNEXUS_ALERT_WINDOW=1m")
	one.initialize()
	two.initialize()
	one.request("logging/setLevel", map[string]any{"level": "warning"})
	_, lost := one.call("search", map[string]any{"query": "x token=hidden"})
	_, wrong := one.call("search", nil)
	_, _ = one.call("list_repos", nil)
	_, _ = two.call("grep", map[string]any{"pattern": "y"})
	_, last := two.call("grep", map[string]any{"pattern": "password=hunter2"})
	if lost.CallID == "" || wrong.CallID == "" || last.CallID == "" {
		t.Fatalf("errors without the call's id: %+v, %+v, %+v", lost, wrong, last)
	}
	// Both processes know of the one alert.
	for _, s := range []*server{one, two} {
		s.call("grep", map[string]any{"pattern": "z"})
		deadline := time.Now().Add(20 * time.Second)
		for !strings.Contains(s.resource("gitnexus://codebase/health"), " times with CONNECTION_LOST within 1m") {
			if time.Now().After(deadline) {
				t.Fatalf("no alert in the health resource: %s", s.resource("gitnexus://codebase/health"))
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	// And so does the agent that asked for a level.
	for s, want := range map[*server]int{one: 1, two: 0} {
		var told []string
		s.mu.Lock()
		for _, n := range s.notes {
			if n.Method == "notifications/message" {
				told = append(told, string(n.Params))
			}
		}
		s.mu.Unlock()
		if len(told) != want || want > 0 && !strings.Contains(told[0], `"alert":"raised"`) {
			t.Errorf("told of %v", told)
		}
	}
	var recent struct {
		Alerts []any          `json:"alerts"`
		Events []events.Event `json:"events"`
		Log    events.Status  `json:"log"`
	}
	if err := json.Unmarshal([]byte(one.resource("gitnexus://events/recent")), &recent); err != nil || len(recent.Alerts) != 1 || recent.Log.Dropped != 0 {
		t.Errorf("%+v, %v", recent, err)
	}
	for _, s := range []*server{one, two} {
		_ = s.stdin.Close()
		<-s.exited
	}

	settings := env("GITNEXUS_EVENTS", file)
	code, out, _ := run(t, settings, "events", "--json", "--since", "1h")
	if code != 0 {
		t.Fatalf("exit code %d", code)
	}
	calls, alerts := map[string]events.Event{}, 0
	for line := range strings.Lines(out) {
		var e events.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		switch e.Category {
		case events.Call:
			calls[e.Call] = e
		case events.Alert:
			alerts++
		}
	}
	if alerts != 1 || len(calls) != 7 {
		t.Errorf("%d calls and %d alerts:\n%s", len(calls), alerts, out)
	}
	if e := calls[lost.CallID]; e.Code != "CONNECTION_LOST" || e.Tool != "search" || e.Agent != "tester" || e.Attempts != 1 || !strings.Contains(string(e.Metadata), `"query":"x token=[redacted]"`) {
		t.Errorf("%+v", e)
	}
	if calls[wrong.CallID].Code != "VALIDATION_ERROR" || strings.Contains(out, "hidden") || strings.Contains(out, "hunter2") {
		t.Errorf("%s", out)
	}
	if !strings.Contains(out, `"became_hub"`) {
		t.Errorf("no election:\n%s", out)
	}

	code, out, _ = run(t, settings, "events", "--code", "VALIDATION_ERROR")
	if code != 0 || strings.Count(out, "\n") != 1 || !strings.Contains(out, " search VALIDATION_ERROR in ") || !strings.Contains(out, "id="+wrong.CallID) {
		t.Errorf("exit code %d: %s", code, out)
	}
	code, out, _ = run(t, settings, "stats")
	if code != 0 || !strings.Contains(out, "tool grep") || !strings.Contains(out, "CONNECTION_LOST 5, VALIDATION_ERROR 1") || !strings.Contains(out, "14.3 %") {
		t.Errorf("exit code %d: %s", code, out)
	}
	code, out, _ = run(t, settings, "stats", "--json", "--since", "7d")
	var stats events.Stats
	if err := json.Unmarshal([]byte(out), &stats); code != 0 || err != nil || stats.Total.Calls != 7 {
		t.Errorf("exit code %d: %s", code, out)
	}
	if code, _, said := run(t, env("GITNEXUS_EVENTS", "off"), "events"); code != 2 || !strings.Contains(said, "nothing is logged") {
		t.Errorf("exit code %d: %s", code, said)
	}
}

func TestABrokenEventLogHurtsNoCall(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := startServer(t, "main", "GITNEXUS_EVENTS="+filepath.Join(blocked, "events.sqlite"), "GITNEXUS_GRACE=0")
	s.initialize()
	for range 20 {
		if r, _ := s.call("list_repos", nil); r.IsError {
			t.Errorf("%+v", r)
		}
	}
	for range 500 {
		if strings.Contains(s.stderr.String(), "event log cannot be written") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the log does not say that events cannot be written")
}

func TestAnEventInALine(t *testing.T) {
	at := time.Date(2026, 11, 24, 9, 30, 0, 123e6, time.Local)
	for want, e := range map[string]events.Event{
		`impact TIMEOUT in 1m0s after 2 attempts graph=shop agent="claude-ai" id=c1 {"target":"x"}: no answer`: {
			Category: events.Call, Type: "outcome", Tool: "impact", Code: "TIMEOUT", DurationMS: 60_012, Attempts: 2, Graph: "shop", Agent: "claude-ai", Call: "c1",
			Message: "no answer", Metadata: json.RawMessage(`{"arguments":{"target":"x"}}`)},
		"grep ok in 0.4 ms (stands for 10 calls)":                             {Category: events.Call, Tool: "grep", DurationMS: 0.41, Attempts: 1, Weight: 10},
		"echo OVERLOADED at https://example.org/mcp in 3.1s after 3 attempts": {Category: events.Client, Type: "https://example.org/mcp", Tool: "echo", Code: "OVERLOADED", DurationMS: 3060, Attempts: 3},
		"index ready in 582 ms graph=shop 5 files, 11 symbols":                {Category: events.Index, Type: "ready", DurationMS: 582, Graph: "shop", Metadata: json.RawMessage(`{"files":5,"symbols":11}`)},
		"link page connected": {Category: events.Link, Type: "page_connected", Metadata: json.RawMessage(`{"link":"s"}`)},
		"hook refused in 12 ms id=c2 PreToolUse check-call: no queries today": {Category: events.Hook, Type: "refused", DurationMS: 12, Call: "c2", Message: "no queries today", Metadata: json.RawMessage(`{"hook":"PreToolUse","command":"check-call"}`)},
		"alert raised TIMEOUT graph=shop: calls of shop failed":               {Category: events.Alert, Type: events.Raised, Code: "TIMEOUT", Graph: "shop", Message: "calls of shop failed"},
		`process started agent="\x1b[31mred" pid 7`:                           {Category: events.Process, Type: events.Started, Agent: "\x1b[31mred", Metadata: json.RawMessage(`{"pid":7}`)},
		"panic hook: index out of range":                                      {Category: events.Panic, Type: "hook", Message: "index out of range"},
	} {
		e.Time = at
		if got := eventLine(e); got != "2026-11-24 09:30:00.123 "+want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
