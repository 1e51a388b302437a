package clients

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Hooks of others stay as they are, adding ours again changes nothing, what the user
// changed about it stays, and removing it leaves the file as it was.
func TestHooks(t *testing.T) {
	program := Server{"gitnexus", "/opt/my tools/gitnexus-mcp", []string{"--repo", "/home/u/code"}}
	for _, c := range []struct{ name, client, before, added, removed string }{
		{"beside others", "claude-code", `{
  // mine
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "guard.sh" }] }, // keep
    ],
    "Stop": []
  },
  "model": "opus"
}
`, `{
  // mine
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "guard.sh" }] }, // keep
      {
        "matcher": "Edit|MultiEdit|Write|NotebookEdit",
        "hooks": [
          {
            "type": "command",
            "command": "'/opt/my tools/gitnexus-mcp' agent-hook"
          }
        ]
      },
    ],
    "Stop": []
  },
  "model": "opus"
}
`, ""},
		{"one of before, changed by the user", "codex", `{"hooks": {"PreToolUse": [{"matcher": "apply_patch", "hooks": [{"type": "command", "command": "/old/gitnexus-mcp agent-hook", "timeout": 5}]}, {"hooks": []}]}}`,
			`{"hooks": {"PreToolUse": [{"matcher": "apply_patch", "hooks": [{"type": "command", "command": "'/opt/my tools/gitnexus-mcp' agent-hook", "timeout": 5}]}, {"hooks": []}]}}`,
			`{"hooks": {"PreToolUse": [ {"hooks": []}]}}`},
		{"settings without hooks", "gemini", "{\n\t\"theme\": \"x\"\n}\n", "{\n\t\"theme\": \"x\",\n\t\"hooks\": {\n\t\t\"SessionStart\": [\n\t\t\t{\n\t\t\t\t\"hooks\": [\n\t\t\t\t\t{\n\t\t\t\t\t\t\"type\": \"command\",\n\t\t\t\t\t\t\"command\": \"'/opt/my tools/gitnexus-mcp' agent-hook\"\n\t\t\t\t\t}\n\t\t\t\t]\n\t\t\t}\n\t\t]\n\t}\n}\n", ""},
		{"no file", "cursor", "", `{
  "version": 1,
  "hooks": {
    "sessionStart": [
      {
        "command": "'/opt/my tools/gitnexus-mcp' agent-hook"
      }
    ]
  }
}
`, "gone"},
		{"a file of our own", "copilot-cli", "", `{
  "version": 1,
  "hooks": {
    "preToolUse": [
      {
        "type": "command",
        "bash": "'/opt/my tools/gitnexus-mcp' agent-hook",
        "powershell": "& '/opt/my tools/gitnexus-mcp' agent-hook"
      }
    ]
  }
}
`, "gone"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := env("linux", t.TempDir(), nil)
			client := byID(t, c.client)
			file := client.HookFile(e, "")
			if c.before != "" {
				write(t, file, c.before)
			}
			for range 2 {
				change, err := AddHook(client, e, file, program)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := change.Write(time.Unix(1, 0)); err != nil {
					t.Fatal(err)
				}
				if got := read(t, file); got != c.added {
					t.Fatalf("added:\n%s\nwant:\n%s", got, c.added)
				}
			}
			change, err := RemoveHook(client, file)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := change.Write(time.Unix(2, 0)); err != nil {
				t.Fatal(err)
			}
			want := c.removed
			if want == "" {
				want = c.before
			}
			if _, err := os.Stat(file); want == "gone" && err == nil {
				t.Errorf("the file is still there:\n%s", read(t, file))
			} else if want != "gone" && read(t, file) != want {
				t.Errorf("removed:\n%s\nwant:\n%s", read(t, file), want)
			}
		})
	}
}

func TestHooksThatCannotBeEdited(t *testing.T) {
	e := env("linux", t.TempDir(), nil)
	client := byID(t, "claude-code")
	file := client.HookFile(e, "")
	for _, text := range []string{`{"hooks": 1}`, `{"hooks": {"PreToolUse": {}}}`, `{`} {
		write(t, file, text)
		if _, err := AddHook(client, e, file, server); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: got %v", text, err)
		}
		if _, err := RemoveHook(client, file); err == nil {
			t.Errorf("%s was edited", text)
		}
	}
	if file := byID(t, "zed").HookFile(e, ""); file != "" {
		t.Errorf("Zed has hooks in %s", file)
	}
}

// PowerShell and the shells of Unix read the same path, whatever it has in it.
func TestHookLine(t *testing.T) {
	for _, c := range []struct{ os, command, want, powershell string }{
		{"linux", "/opt/gitnexus-mcp", "/opt/gitnexus-mcp agent-hook", "& /opt/gitnexus-mcp agent-hook"},
		{"darwin", "/Users/o'b/$x/g", `'/Users/o'\''b/$x/g' agent-hook`, "& '/Users/o''b/$x/g' agent-hook"},
		{"windows", `C:\Program Files\g.exe`, `"C:\Program Files\g.exe" agent-hook`, `& 'C:\Program Files\g.exe' agent-hook`},
	} {
		got, powershell := hookLine(env(c.os, "", nil), Server{Command: c.command})
		if got != c.want || powershell != c.powershell || !isOurs(got) {
			t.Errorf("%s: got %s and %s", c.command, got, powershell)
		}
	}
	if got, _ := hookLine(env("linux", "", nil), Server{Command: "/usr/bin/npx", Args: []string{"-y", "gitnexus-mcp", "--repo", "x"}}); got != "/usr/bin/npx -y gitnexus-mcp agent-hook" {
		t.Errorf("got %s", got)
	}
}

// A skill of the user's own stays; ours comes, comes again without a change, and goes.
func TestSkills(t *testing.T) {
	e := env("linux", t.TempDir(), nil)
	files := byID(t, "codex").SkillFiles(e, "")
	if want := filepath.Join(e.Home, ".agents", "skills", "gitnexus-change", "SKILL.md"); len(files) < 2 || files[0] != want {
		t.Fatalf("got %s, want %s first", files, want)
	}
	if got := byID(t, "claude-code").SkillFiles(e, "/p")[0]; got != filepath.FromSlash("/p/.claude/skills/gitnexus-change/SKILL.md") {
		t.Errorf("got %s", got)
	}
	if got := byID(t, "claude-desktop").SkillFiles(e, ""); got != nil {
		t.Errorf("got %s", got)
	}
	for range 2 {
		change, err := AddSkill(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if change.Changed() != change.New {
			t.Error("a second time changed the file")
		}
		if _, err := change.Write(time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
	}
	if text := read(t, files[0]); !strings.HasPrefix(text, "---\nname: gitnexus-change\ndescription: ") {
		t.Errorf("the skill begins with %.60q", text)
	}
	change, err := RemoveSkill(files[0])
	if err != nil || !change.Removed {
		t.Fatalf("%v, removed: %v", err, change.Removed)
	}
	if backup, err := change.Write(time.Unix(2, 0)); err != nil || backup != "" && change.Ours {
		t.Errorf("%s, %v", backup, err)
	}

	write(t, files[1], "---\nname: gitnexus-explore\n---\nMine.\n")
	if _, err := AddSkill(files[1]); err == nil {
		t.Error("a skill of the user's was replaced")
	}
	if change, err := RemoveSkill(files[1]); err != nil || change.Changed() {
		t.Errorf("a skill of the user's was taken out: %v", err)
	}
}
