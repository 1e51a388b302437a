package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// command is a hook that runs what hook in main_test.go does.
func command(event string, timeout time.Duration, what ...string) Hook {
	return Hook{Event: event, Command: append([]string{os.Args[0], "hook"}, what...), Timeout: timeout}
}

func runner(t *testing.T, o Options) *Runner {
	t.Helper()
	r := New(o)
	t.Cleanup(func() { r.Close(context.Background()) })
	return r
}

func TestACommandGetsTheEventOnStdin(t *testing.T) {
	r := runner(t, Options{Dir: t.TempDir()})
	in := Input{Event: "PostToolUse", Session: "s", Call: "c", Tool: "impact", Arguments: json.RawMessage(`{"target":"x"}`), Outcome: "TIMEOUT", DurationMS: 1.5}
	got := r.Run(t.Context(), command("PostToolUse", time.Minute, "echo"), in)
	var back Input
	if got.Err != nil || json.Unmarshal([]byte(got.Stdout), &back) != nil || back.Tool != "impact" || string(back.Arguments) != `{"target":"x"}` || back.Outcome != "TIMEOUT" {
		t.Errorf("%+v", got)
	}
}

func TestHooksThatMisbehave(t *testing.T) {
	const soon = 300 * time.Millisecond
	for name, c := range map[string]struct {
		hook Hook
		ok   func(Result) bool
	}{
		"fails":   {command("Alert", time.Minute, "fail"), func(r Result) bool { return r.Err.Error() == "exit status 3" && r.Stderr == "it failed\n" }},
		"panics":  {command("Alert", time.Minute, "panic"), func(r Result) bool { return strings.Contains(r.Stderr, "a hook's own") }},
		"hangs":   {command("Alert", soon, "hang"), func(r Result) bool { return errors.Is(r.Err, context.DeadlineExceeded) }},
		"floods":  {command("Alert", time.Minute, "flood"), func(r Result) bool { return r.Err.Error() == "exit status 3" && len(r.Stdout) == maxOutput }},
		"missing": {Hook{Event: "Alert", Command: []string{"no-such-program-anywhere"}, Timeout: time.Minute}, func(r Result) bool { return r.Stdout == "" }},
		"refuses what is no call": {command("Alert", time.Minute, "refuse"), func(r Result) bool {
			_, refused := errors.AsType[*RefusedError](r.Err)
			return !refused
		}},
	} {
		t.Run(name, func(t *testing.T) {
			r := runner(t, Options{})
			got := r.Run(t.Context(), c.hook, Input{Event: "Alert", Message: strings.Repeat("m", 1<<20)})
			if got.Err == nil || !c.ok(got) {
				t.Errorf("%v, stdout %d bytes, stderr %q", got.Err, len(got.Stdout), got.Stderr)
			}
		})
	}
}

func TestWhatACommandStartedIsKilledWithIt(t *testing.T) {
	for _, how := range []string{"wait", "leave"} {
		r := runner(t, Options{})
		timeout := time.Minute
		if how == "wait" {
			timeout = time.Second
		}
		got := r.Run(t.Context(), command("Alert", timeout, "parent", how), Input{Event: "Alert"})
		var pid int
		if _, err := fmt.Sscan(got.Stdout, &pid); err != nil {
			t.Fatalf("%s: %q, %v", how, got.Stdout, got.Err)
		}
		if (got.Err != nil) != (how == "wait") {
			t.Errorf("%s: %v", how, got.Err)
		}
		waitUntilGone(t, pid)
	}
}

func TestOnlyPreToolUseRefuses(t *testing.T) {
	var mu sync.Mutex
	var results []Result
	r := runner(t, Options{
		Hooks: []Hook{
			command(PreToolUse, time.Minute, "fail"),
			command(PreToolUse, 200*time.Millisecond, "hang"),
			func() Hook {
				h, err := parse([]byte(`{"PreToolUse": [{"match": "imp.*|cypher", "command": ["x"]}]}`))
				if err != nil {
					t.Fatal(err)
				}
				h[0].Command = command("", 0, "refuse").Command
				return h[0]
			}(),
		},
		OnResult: func(r Result) { mu.Lock(); defer mu.Unlock(); results = append(results, r) },
	})
	if err := r.Ask(t.Context(), Input{Tool: "grep"}); err != nil {
		t.Errorf("grep: %v", err)
	}
	err := r.Ask(t.Context(), Input{Tool: "impact"})
	if refused, ok := errors.AsType[*RefusedError](err); !ok || refused.Reason != "not on a Friday" {
		t.Errorf("impact: %v", err)
	}
	if len(results) != 5 {
		t.Errorf("%d results", len(results))
	}
}

func TestNotifyNeverWaitsAndIsBounded(t *testing.T) {
	var mu sync.Mutex
	outcomes := map[string]int{}
	r := New(Options{
		Hooks: []Hook{command("LinkUp", time.Minute, "hang")},
		OnResult: func(r Result) {
			mu.Lock()
			defer mu.Unlock()
			outcomes[fmt.Sprint(r.Err)]++
		},
	})
	for range maxWaiting + 10 {
		r.Notify(Input{Event: "LinkUp"})
		r.Notify(Input{Event: "LinkDown"})
	}
	mu.Lock()
	busy := outcomes[ErrBusy.Error()]
	mu.Unlock()
	if busy != 10 {
		t.Errorf("%d were refused", busy)
	}
	if n := len(r.running); n > maxRunning {
		t.Errorf("%d run at once", n)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	r.Close(ended)
	if outcomes[context.Canceled.Error()] != maxWaiting {
		t.Errorf("%v", outcomes)
	}
	r.Notify(Input{Event: "LinkUp"})
	if outcomes[ErrBusy.Error()] != 11 {
		t.Errorf("after Close: %v", outcomes)
	}
	var none *Runner
	none.Notify(Input{Event: "LinkUp"})
	none.Close(t.Context())
	if err := none.Ask(t.Context(), Input{}); err != nil {
		t.Error(err)
	}
}

func TestCloseLetsHooksEnd(t *testing.T) {
	file := filepath.Join(t.TempDir(), "saved")
	r := New(Options{Hooks: []Hook{command("SessionEnd", time.Minute, "save", file)}})
	r.Notify(Input{Event: "SessionEnd", Session: "s9"})
	r.Close(t.Context())
	if data, err := os.ReadFile(file); err != nil || !strings.Contains(string(data), `"session":"s9"`) {
		t.Errorf("%s %v", data, err)
	}
}

func TestLoad(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hooks.json")
	if hooks, err := Load(file); hooks != nil || err != nil {
		t.Errorf("no file: %v %v", hooks, err)
	}
	for text, want := range map[string]string{
		`{"PostToolUse": [{"match": "impact|cypher", "command": ["notify", "x"], "timeout": "2s"}], "Alert": [{"command": ["beep"]}]}`: "",
		`{"PostTool": []}`:                                   `unknown event "PostTool"`,
		`{"Alert": [{"command": []}]}`:                       "Alert, hook 1: the command is missing",
		`{"Alert": [{"command": ["x"], "match": "("}]}`:      "match: ",
		`{"Alert": [{"command": ["x"], "timeout": "1h"}]}`:   "want a time such as 5s",
		`{"Alert": [{"command": ["x"], "timeout": "soon"}]}`: "want a time such as 5s",
		`{"Alert": [{"command": ["x"], "shell": true}]}`:     `unknown field "shell"`,
		`nonsense`: "invalid character",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		hooks, err := Load(file)
		if want == "" {
			if err != nil || len(hooks) != 2 || hooks[0].Timeout != 2*time.Second || hooks[1].Timeout != DefaultTimeout {
				t.Errorf("%+v, %v", hooks, err)
			}
			post := hooks[0]
			if !post.matches(Input{Event: "PostToolUse", Tool: "cypher"}) || post.matches(Input{Event: "PostToolUse", Tool: "test_impact"}) || post.matches(Input{Event: PreToolUse, Tool: "impact"}) {
				t.Error("match")
			}
		} else if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if runtime.GOOS != "windows" {
		if err := os.WriteFile(file, []byte(`{}`), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(file, 0o622); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(file); err == nil || !strings.Contains(err.Error(), "others may write") {
			t.Error(err)
		}
	}
}
