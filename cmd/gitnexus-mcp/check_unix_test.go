//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// A folder's own configuration may name programs, and its links lead to devices.
func TestCheckOfAHostileFolder(t *testing.T) {
	dir := gitRepo(t)
	ran := filepath.Join(t.TempDir(), "ran")
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho \"$0 $*\" >>'"+ran+"'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	hooks := filepath.Join(dir, ".git", "hooks")
	if err := os.MkdirAll(hooks, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"core.fsmonitor", "diff.external", "diff.mine.textconv", "diff.mine.command", "core.pager", "core.sshCommand"} {
		if out, err := exec.CommandContext(t.Context(), "git", "-C", dir, "config", name, script).CombinedOutput(); err != nil {
			t.Fatalf("%v %s", err, out)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ".git", "info", "attributes"), []byte("*.go diff=mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		os.Symlink(script, filepath.Join(hooks, "post-index-change")),
		os.Symlink("/dev/zero", filepath.Join(dir, "endless.go")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	now := time.Now().Add(time.Minute)
	if err := os.Chtimes(filepath.Join(dir, "src", "a.go"), now, now); err != nil { // git's index is old
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	_, files, err := changesSince(ctx, dir, "main")
	if err != nil || len(files) != 5 {
		t.Errorf("%v, %v", files, err)
	}
	if said, err := os.ReadFile(ran); err == nil {
		t.Errorf("these ran: %s", said)
	}
}
