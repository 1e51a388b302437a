package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// emptyHome gives the test a user without any settings.
func emptyHome(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	for _, name := range []string{"HOME", "USERPROFILE"} {
		t.Setenv(name, home)
	}
	for _, name := range []string{"APPDATA", "XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME"} {
		t.Setenv(name, "")
	}
	return home
}

// runCommand runs a command line and returns its exit code and output.
func runCommand(t *testing.T, args ...string) (int, string) {
	t.Helper()
	stderr, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stderr.Close() }()
	var stdout bytes.Buffer
	code := program{strings.NewReader(""), &stdout, stderr, nil, nil}.main(t.Context(), args)
	words, err := os.ReadFile(stderr.Name())
	if err != nil {
		t.Fatal(err)
	}
	return code, stdout.String() + string(words)
}

func TestInstallCommand(t *testing.T) {
	home := emptyHome(t)
	project := t.TempDir()
	expect := func(code int, words string, args ...string) {
		t.Helper()
		got, out := runCommand(t, args...)
		if got != code || !strings.Contains(out, words) {
			t.Errorf("%v: exit code %d, want %d with %q:\n%s", args, got, code, words, out)
		}
	}
	expect(1, "found no MCP client", "install")
	expect(2, "did you mean cursor?", "install", "cursr")
	expect(2, "project, got", "install", "--scope", "all")
	expect(2, "no settings for a project", "install", "windsurf", "--scope", "project")
	expect(2, "is no folder", "install", "cursor", "--repo", filepath.Join(project, "none"))

	cursor, codex := filepath.Join(home, ".cursor", "mcp.json"), filepath.Join(home, ".codex", "config.toml")
	expect(0, cursor, "install", "cursor", "--print")
	if _, err := os.Stat(cursor); err == nil {
		t.Error("--print wrote a file")
	}
	expect(0, `+      "args": ["--repo", "`, "install", "cursor", "--repo", project, "codex", "--instructions", "--browser", "headless")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{cursor, codex} {
		text, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(text, []byte(filepath.Base(self))) || !bytes.Contains(text, []byte("headless")) {
			t.Errorf("%s: %v\n%s", file, err, text)
		}
	}
	if _, err := os.Stat(filepath.Join(project, "AGENTS.md")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(project, "CLAUDE.md")); err == nil {
		t.Error("CLAUDE.md was written, though Claude Code was not asked for")
	}
	expect(0, "is as it should be", "install", "--repo", project, "--browser", "headless")

	if err := os.WriteFile(cursor, []byte("{ broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	expect(1, "1 of the files could not be changed", "uninstall", "--repo", project)
	if text, _ := os.ReadFile(codex); bytes.Contains(text, []byte("gitnexus")) {
		t.Errorf("one broken file kept another client from being served:\n%s", text)
	}
	if text, _ := os.ReadFile(cursor); string(text) != "{ broken" {
		t.Errorf("the broken file was changed to %q", text)
	}
}

// Skills and hooks come when they are asked for, once for clients that share them, and
// go with the last of these.
func TestInstallSkillsAndHooks(t *testing.T) {
	home := emptyHome(t)
	project := t.TempDir()
	expect := func(code int, words string, args ...string) {
		t.Helper()
		got, out := runCommand(t, args...)
		if got != code || !strings.Contains(out, words) {
			t.Errorf("%v: exit code %d, want %d with %q:\n%s", args, got, code, words, out)
		}
	}
	files := func() (list []string) {
		t.Helper()
		for _, root := range []string{home, project} {
			if err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
				if err == nil && !d.IsDir() && !strings.HasSuffix(path, ".bak") {
					rel, _ := filepath.Rel(root, path)
					list = append(list, filepath.ToSlash(rel))
				}
				return err
			}); err != nil {
				t.Fatal(err)
			}
		}
		return list
	}
	install := []string{"install", "claude-code", "codex", "cursor", "claude-desktop", "zed", "--skills", "--hooks"}
	expect(0, "description: ", append(install, "--print")...)
	if got := files(); len(got) > 0 {
		t.Errorf("--print wrote %s", got)
	}
	expect(0, "Claude Desktop: reads no skills", install...)
	expect(0, "Zed: has no hooks", install...)
	want := []string{
		".agents/skills/gitnexus-change/SKILL.md", ".agents/skills/gitnexus-explore/SKILL.md",
		".claude/settings.json", ".claude/skills/gitnexus-change/SKILL.md", ".claude/skills/gitnexus-explore/SKILL.md",
		".claude.json", ".codex/config.toml", ".codex/hooks.json",
	}
	got := files()
	for _, file := range want {
		if !slices.Contains(got, file) {
			t.Errorf("no %s in %s", file, got)
		}
	}
	for range 2 {
		got, out := runCommand(t, install...)
		if got != 0 || strings.Contains(out, "@@") {
			t.Errorf("a second time changed something:\n%s", out)
		}
	}

	expect(0, "hook of Codex", "uninstall", "codex", "--print")
	expect(0, "hook of Codex", "uninstall", "codex")
	if got := files(); !slices.Contains(got, ".agents/skills/gitnexus-change/SKILL.md") || slices.Contains(got, ".codex/hooks.json") {
		t.Errorf("after Codex left there are %s", got)
	}
	expect(0, "skill", "uninstall")
	for _, file := range files() {
		if text, _ := os.ReadFile(filepath.Join(home, filepath.FromSlash(file))); bytes.Contains(text, []byte("gitnexus")) {
			t.Errorf("%s still has\n%s", file, text)
		}
	}

	expect(0, ".github", "install", "vscode", "copilot-cli", "--scope", "project", "--repo", project, "--hooks", "--skills")
	expect(0, ".github", "uninstall", "--scope", "project", "--repo", project)
	for _, file := range files() {
		if strings.Contains(file, "hooks") || strings.Contains(file, "SKILL") {
			t.Errorf("%s is still there", file)
		}
	}
}
