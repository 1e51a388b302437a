package main

import (
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestCallOfAnotherServer(t *testing.T) {
	t.Parallel() // it waits for most of its time
	everything := []string{"--", "node", filepath.Join("..", "..", "web", "node_modules", "@modelcontextprotocol", "server-everything", "dist", "index.js")}
	file := filepath.Join(t.TempDir(), "events.sqlite")
	for _, c := range []struct {
		name           string
		args, env      []string
		code           int
		stdout, stderr string
	}{
		{"text", append([]string{"call", "echo", "message=hi=there"}, everything...), nil, 0, "Echo: hi=there\n", ""},
		{"json", append([]string{"call", "--json", "echo", `{"message": "hi"}`}, everything...), nil, 0, `"text": "Echo: hi"`, ""},
		{"numbers", append([]string{"call", "get-sum", "a=2", "b=40"}, everything...), nil, 0, "42", ""},
		{"list", append([]string{"call", "--list"}, everything...), nil, 0, "echo ", ""},
		{"tool error", append([]string{"call", "get-sum", "a=x", "b=1"}, everything...), nil, 1, "", "TOOL_ERROR"},
		{"too late", append([]string{"call", "trigger-long-running-operation", "duration=60", "steps=1"}, everything...), []string{"GITNEXUS_CALL_TIMEOUT", "4s"}, 4, "", "TIMEOUT"},
		{"no server", []string{"call", "--server", "http://127.0.0.1:1/mcp", "echo"}, nil, 3, "", "CONNECTION_LOST"},
		{"no program", []string{"call", "echo", "--", "no-such-program-anywhere"}, nil, 3, "", "no-such-program-anywhere"},
		{"no tool", []string{"call"}, nil, 2, "", "which tool?"},
		{"a flag behind the tool", []string{"call", "search", "query=x", "--port", "54399"}, nil, 2, "", "put it before search"},
		{"no pair", append([]string{"call", "echo", "hi"}, everything...), nil, 2, "", "want key=value"},
		{"bad JSON", append([]string{"call", "echo", "{hi"}, everything...), nil, 2, "", "no JSON object"},
		{"bad timeout", append([]string{"call", "echo"}, everything...), []string{"GITNEXUS_CALL_TIMEOUT", "soon"}, 2, "", "GITNEXUS_CALL_TIMEOUT: want a time"},
		{"zero timeout", append([]string{"call", "echo"}, everything...), []string{"GITNEXUS_CALL_TIMEOUT", "0"}, 2, "", "GITNEXUS_CALL_TIMEOUT: want a time"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, said := run(t, env(append(c.env, "GITNEXUS_EVENTS", file)...), c.args...)
			if code != c.code || !strings.Contains(out, c.stdout) || !strings.Contains(said, c.stderr) {
				t.Errorf("exit code %d\nstdout: %s\nstderr: %s", code, out, said)
			}
		})
	}
	// More than a command line holds comes on stdin.
	large := strings.Repeat("x", 3<<20)
	code, out, said := runWith(t, `{"message":"`+large+`"}`, env("GITNEXUS_EVENTS", "off"), append([]string{"call", "echo", "-"}, everything...)...)
	if code != 0 || out != "Echo: "+large+"\n" {
		t.Errorf("exit code %d, %d bytes, %s", code, len(out), said)
	}
	if code, _, said := runWith(t, " ", env("GITNEXUS_EVENTS", "off"), append([]string{"call", "echo", "-"}, everything...)...); code != 2 || !strings.Contains(said, "no arguments on stdin") {
		t.Errorf("exit code %d: %s", code, said)
	}
	_, out, _ = run(t, env("GITNEXUS_EVENTS", file), "events")
	if !strings.Contains(out, " at node ") || !strings.Contains(out, "TIMEOUT") {
		t.Errorf("the event log: %s", out)
	}
}

func TestCallOfTheServerThatRuns(t *testing.T) {
	for name, value := range map[string]string{"TEST_ROLE": "main", "TOKEN": testToken, "GRACE": "0"} {
		t.Setenv("GITNEXUS_"+name, value) // for the process that call starts
	}
	s := startServer(t, "main")
	s.initialize()
	s.waitHealth("hub", func(h healthReport) bool { return h.Bridge.Role == "hub" })
	environ := env("GITNEXUS_TOKEN", testToken, "GITNEXUS_PORT", strconv.Itoa(s.port))
	if code, out, said := run(t, environ, "call", "list_repos"); code != 0 || !strings.Contains(out, `"repos"`) {
		t.Errorf("exit code %d: %s %s", code, out, said)
	}
	if code, _, said := run(t, environ, "call", "search", "query=12"); code != 3 || !strings.Contains(said, "calling search at gitnexus-mcp failed: CONNECTION_LOST") {
		t.Errorf("exit code %d: %s", code, said)
	}
	if code, _, said := run(t, environ, "call", "search"); code != 2 || !strings.Contains(said, "VALIDATION_ERROR") {
		t.Errorf("exit code %d: %s", code, said)
	}
	environ = env("GITNEXUS_TOKEN", testToken, "GITNEXUS_PORT", strconv.Itoa(freePort(t)))
	if code, _, said := run(t, environ, "call", "list_repos"); code != 3 || !strings.Contains(said, "give --repo DIR") {
		t.Errorf("exit code %d: %s", code, said)
	}
}

// With no server running, call starts one with a real browser that has no window,
// waits until the folder is indexed, and leaves nothing behind.
func TestCallStartsAServerWithABrowser(t *testing.T) {
	for name, value := range map[string]string{"TEST_ROLE": "main", "TOKEN": testToken} {
		t.Setenv("GITNEXUS_"+name, value)
	}
	port, file := freePort(t), filepath.Join(t.TempDir(), "events.sqlite")
	environ := env("GITNEXUS_TOKEN", testToken, "GITNEXUS_PORT", strconv.Itoa(port), "GITNEXUS_EVENTS", file)
	sample := filepath.Join("..", "..", "web", "e2e", "samples", "typescript")
	code, out, said := run(t, environ, "call", "--repo", sample, "search", "query=Square")
	if code != 0 || !strings.Contains(out, `"id":"Class:store.ts:Square"`) || !strings.Contains(said, fmt.Sprintf("No server runs on port %d: starting one with a browser", port)) {
		t.Fatalf("exit code %d: %s %s", code, out, said)
	}
	if conn, err := net.Dial("tcp4", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
		_ = conn.Close()
		t.Error("the server runs on")
	}
	_, log, _ := run(t, environ, "events")
	for _, want := range []string{"index ready", "5 files", "search ok", "graph=typescript", "process ended"} {
		if !strings.Contains(log, want) {
			t.Errorf("%q is missing in the event log:\n%s", want, log)
		}
	}
}

func TestCallArguments(t *testing.T) {
	got, err := callArguments([]string{"n=3", "s=3", "b=true", "l=[1]", "x=a=b", "e="}, map[string]string{"s": "string"})
	if want := "map[b:true e: l:[1] n:3 s:3 x:a=b]"; err != nil || fmt.Sprint(got) != want || got["s"] != "3" || got["n"] != 3.0 {
		t.Errorf("%v, %v", got, err)
	}
}
