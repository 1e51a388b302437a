package main

import (
	"encoding/json"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/gitnexus/gitnexus-mcp/tools"
)

// The example of each tool, as its help shows it, is a command line that a shell
// and we read as the example's arguments.
func TestExamplesAsCommandLines(t *testing.T) {
	for i := range tools.Table {
		tool := &tools.Table[i]
		if tool.Late {
			continue
		}
		line := exampleOf(tool)
		script := `for word in "$@"; do printf '%s\0' "$word"; done`
		out, err := exec.CommandContext(t.Context(), "sh", "-c", strings.Replace("set -- LINE; "+script, "LINE", line, 1)).Output()
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		words := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
		s, err := parse(tool.Name, defaults(), words[2:], nil)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		got, err := json.Marshal(s.toolArgs)
		if err != nil || !sameJSON(string(got), tool.Example) {
			t.Errorf("%s gives %s, want %s (%v)", line, got, tool.Example, err)
		}
	}
}

func TestToolArguments(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"impact Conn.Publish --direction upstream --max-depth 2", `{"target":"Conn.Publish","direction":"upstream","maxDepth":2}`},
		{"impact --direction upstream Conn.Publish", `{"target":"Conn.Publish","direction":"upstream"}`},
		{"impact Conn.Publish upstream --includeTests --relation-types CALLS,IMPORTS --relation-types EXTENDS", `{"target":"Conn.Publish","direction":"upstream","includeTests":true,"relationTypes":["CALLS","IMPORTS","EXTENDS"]}`},
		{"impact a upstream --min-confidence 0.5", `{"target":"a","direction":"upstream","minConfidence":0.5}`},
		{"test_impact a.go b.go --suggest-tests=false", `{"changedFiles":["a.go","b.go"],"suggestTests":false}`},
		{"grep -- -x", `{"pattern":"-x"}`},
		{"search 12", `{"query":"12"}`},
		{"context", `{}`},
	} {
		words := strings.Fields(c.line)
		s, err := parse(words[0], defaults(), words[1:], nil)
		got, _ := json.Marshal(s.toolArgs)
		if err != nil || !sameJSON(string(got), c.want) {
			t.Errorf("%s: %s, %v; want %s", c.line, got, err, c.want)
		}
	}
	for _, c := range []struct {
		line, said string
	}{
		{"search a b", `unexpected argument "b"`},
		{"search a --limit ten", `--limit: want a whole number, got "ten"`},
		{"search a --group-by-process=maybe", "want true or false"},
		{"search", "query: expected a string"},
		{"impact a up --max-depth 21", "max-depth: expected"},
		{"search a --frob", "frob"},
	} {
		code, _, said := run(t, env("GITNEXUS_EVENTS", "off"), strings.Fields(c.line)...)
		if code != 2 || !strings.Contains(said, c.said) {
			t.Errorf("%s: exit code %d, %s; want 2 and %s", c.line, code, said, c.said)
		}
	}
}

func TestToolsAsCommands(t *testing.T) {
	for name, value := range map[string]string{"TEST_ROLE": "main", "TOKEN": testToken} {
		t.Setenv("GITNEXUS_"+name, value) // for the process that the command starts
	}
	s := startServer(t, "main")
	s.initialize()
	s.page(answerArguments)
	environ := env("GITNEXUS_TOKEN", testToken, "GITNEXUS_PORT", strconv.Itoa(s.port))
	code, out, said := run(t, environ, "search", "auth", "--limit", "3")
	if code != 0 || !strings.Contains(out, "query: auth\n") || !strings.Contains(out, "limit: 3\n") || strings.Contains(out, "\x1b") {
		t.Errorf("exit code %d: %s %s", code, out, said)
	}
	code, out, said = run(t, environ, "search", "auth", "--json", "--graph", "scripted")
	if code != 0 || !sameJSON(out, `{"query":"auth","limit":10,"groupByProcess":true}`) {
		t.Errorf("exit code %d: %s %s", code, out, said)
	}
	if code, _, said := run(t, environ, "search", "auth", "--graph", "no-such-graph"); code == 0 || !strings.Contains(said, "no-such-graph") {
		t.Errorf("exit code %d: %s", code, said)
	}
}

func TestHelpOfATool(t *testing.T) {
	for i := range tools.Table {
		tool := &tools.Table[i]
		if tool.Late {
			continue
		}
		code, out, said := run(t, env(), tool.Name, "--help")
		if code != 0 || said != "" || !strings.Contains(out, exampleOf(tool)) {
			t.Errorf("%s: exit code %d: %s %s", tool.Name, code, out, said)
		}
		for _, f := range tool.Fields {
			if !strings.Contains(out, "  --"+flagName(f.Name)) {
				t.Errorf("%s: no %s in %s", tool.Name, f.Name, out)
			}
		}
	}
}

func TestRender(t *testing.T) {
	for name, c := range map[string]struct{ answer, want string }{
		"members": {`{"total":2,"name":"a\u001b[31m","list":["x","y"],"none":null}`, "total: 2\nname: a\\u001B[31m\nlist: x, y\nnone:\n"},
		"table": {`{"results":[{"id":"Function:src/a.ts:login","line":12,"calls":3},{"id":"File:src/b.ts","calls":11}]}`,
			"results\n" +
				"  symbol            place        calls\n" +
				"  login (Function)  src/a.ts:12  3\n" +
				"  src/b.ts (File)                11\n"},
		"columns": {`{"columns":["n.name","n"],"rows":[["Connect",83],["passing",1]],"totalRows":2}`,
			"n.name   n\nConnect  83\npassing  1\ntotalRows: 2\n"},
		"tree": {`{"byDepth":[{"depth":1,"items":[{"id":"Function:a.ts:f","line":1},{"id":"Function:a.ts:g","line":2}]},{"depth":2,"items":["b.ts:3"]}]}`,
			"byDepth\n" +
				"  ├─ depth 1\n" +
				"  │  symbol        place\n" +
				"  │  f (Function)  a.ts:1\n" +
				"  │  g (Function)  a.ts:2\n" +
				"  └─ depth 2  items b.ts:3\n"},
		"code":  {`{"id":"Function:a.ts:f","code":"1: a\n2: b"}`, "id: Function:a.ts:f\ncode\n  1: a\n  2: b\n"},
		"empty": {`{}`, ""},
	} {
		if got := render([]byte(c.answer), false); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
	if got := render([]byte(`{"a":1}`), true); got != "\x1b[1ma:\x1b[0m 1\n" {
		t.Errorf("in colour: %q", got)
	}
	if got := unfenced("<<m1\ntext\nm1>>"); got != "text" {
		t.Errorf("unfenced: %q", got)
	}
}

func TestNoToolHasTheNameOfACommand(t *testing.T) {
	names := []string{"help", "install", "uninstall"}
	for _, c := range commands {
		names = append(names, c.name)
	}
	for _, name := range names {
		if _, ok := tools.Find(name); ok {
			t.Errorf("%s is both", name)
		}
	}
}
