package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gitnexus/gitnexus-mcp/clients"
	"github.com/gitnexus/gitnexus-mcp/tools"
)

// Each client tells of an edit in its own words, and reads another answer. Expected
// are the members that lead to the reminder.
func TestAgentHook(t *testing.T) {
	emptyHome(t)
	project := t.TempDir()
	for _, name := range []string{"a.go", "b.ts", "notes.md"} {
		if err := os.WriteFile(filepath.Join(project, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(event string) (code int, out string) {
		t.Helper()
		event = strings.ReplaceAll(event, "DIR", filepath.ToSlash(project))
		var stdout bytes.Buffer
		code = program{strings.NewReader(event), &stdout, os.Stderr, nil, nil}.main(t.Context(), []string{clients.HookCommand})
		return code, stdout.String()
	}
	const claude = `{"hook_event_name":"PreToolUse","session_id":"1","cwd":"DIR","tool_name":"Edit","tool_input":{"file_path":"DIR/a.go","old_string":"x"}`
	for _, c := range []struct{ name, event, member, says string }{
		{"Claude Code", claude + "}", "hookSpecificOutput.additionalContext", "a.go: before"},
		{"the same file again", claude + "}", "", ""},
		{"another agent of the session", claude + `,"agent_id":"sub"}`, "hookSpecificOutput.additionalContext", "a.go: before"},
		{"no code", strings.ReplaceAll(claude, "a.go", "notes.md") + "}", "", ""},
		{"a new file", strings.ReplaceAll(claude, "a.go", "new.go") + "}", "", ""},
		{"a tool that only reads", strings.ReplaceAll(strings.ReplaceAll(claude, "Edit", "Read"), `"1"`, `"2"`) + "}", "", ""},
		{"Codex", `{"hook_event_name":"PreToolUse","session_id":"3","cwd":"DIR","tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Update File: b.ts\n@@\n*** Add File: c.ts\n*** Update File: a.go\n*** End Patch"}}`,
			"hookSpecificOutput.additionalContext", "a.go, b.ts: before"},
		{"Copilot CLI", `{"timestamp":1,"sessionId":"4","cwd":"DIR","toolName":"edit","toolArgs":"{\"path\":\"DIR/b.ts\"}"}`, "additionalContext", "b.ts: before"},
		{"VS Code", `{"hookEventName":"PreToolUse","sessionId":"5","cwd":"DIR","tool_name":"editFiles","tool_input":{"files":["DIR/b.ts"]}}`, "hookSpecificOutput.additionalContext", "b.ts: before"},
		{"Gemini CLI", `{"hook_event_name":"SessionStart","session_id":"6","cwd":"DIR","source":"startup"}`, "hookSpecificOutput.additionalContext", "Before you change"},
		{"Cursor", `{"hook_event_name":"sessionStart","conversation_id":"7","cursor_version":"2.4","workspace_roots":["DIR"]}`, "additional_context", "Before you change"},
	} {
		code, out := run(c.event)
		if code != 0 || c.says == "" && out != "" {
			t.Errorf("%s: exit code %d, %s", c.name, code, out)
			continue
		}
		if c.says == "" {
			continue
		}
		var answer any
		if err := json.Unmarshal([]byte(out), &answer); err != nil {
			t.Errorf("%s: %v in %q", c.name, err, out)
			continue
		}
		for member := range strings.SplitSeq(c.member, ".") {
			o, _ := answer.(map[string]any)
			answer = o[member]
		}
		if text, _ := answer.(string); !strings.HasPrefix(text, c.says) {
			t.Errorf("%s: got %s", c.name, out)
		}
	}
	// With 2, Claude Code and others would refuse the edit.
	for _, bad := range []string{"", "no JSON", `{"hook_event_name":"PreToolUse","tool_input":"` + strings.Repeat("x", maxHookInput)} {
		if code, _ := run(bad); code != 1 {
			t.Errorf("exit code %d for %.20q, which is no event", code, bad)
		}
	}
}

// The endings of agent-hook are those that the engine parses.
func TestParsedFiles(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "web", "src", "engine", "languages", "*", "*.ts"))
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^  extensions: \[(.+)\],$`).FindAllSubmatch(text, -1) {
			for _, ending := range regexp.MustCompile(`"(\.[^"]+)"`).FindAllSubmatch(m[1], -1) {
				want = append(want, string(ending[1]))
			}
		}
	}
	got := slices.Sorted(slices.Values(parsedFiles))
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("got %s\nthe engine has %s", got, want)
	}
}

// The calls that skills advise have tools and arguments that there are.
func TestSkillsNameTools(t *testing.T) {
	calls := 0
	for _, name := range clients.SkillNames() {
		text, err := clients.Skill(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile("`([a-z_]+)` with\\s`(\\{[^`]*\\})`").FindAllSubmatch(text, -1) {
			calls++
			tool, ok := tools.Find(string(m[1]))
			if !ok {
				t.Errorf("%s: there is no tool %s", name, m[1])
				continue
			}
			var arguments map[string]any
			if err := json.Unmarshal(m[2], &arguments); err != nil {
				t.Errorf("%s: %s: %v", name, m[2], err)
			}
			for argument := range arguments {
				if !slices.ContainsFunc(tool.Fields, func(f tools.Field) bool { return f.Name == argument }) {
					t.Errorf("%s: %s has no argument %s", name, m[1], argument)
				}
			}
			for _, f := range tool.Fields {
				if _, given := arguments[f.Name]; f.Required && !given {
					t.Errorf("%s: %s wants %s", name, m[1], f.Name)
				}
			}
		}
	}
	if calls < 10 {
		t.Errorf("only %d calls were found", calls)
	}
}
