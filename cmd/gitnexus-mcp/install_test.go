package main

import (
	"bytes"
	"os"
	"path/filepath"
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
