package repo

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// history makes a git repository of folders, one commit each, and returns a
// function that runs git in it.
func history(t *testing.T, commits ...map[string]string) (dir string, git func(args ...string) string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir = t.TempDir()
	git = func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "--quiet", "--initial-branch=main")
	for _, files := range commits {
		if old := strings.Fields(git("ls-files")); len(old) > 0 {
			git(append([]string{"rm", "--quiet", "--"}, old...)...)
		}
		for name, content := range files {
			write(t, dir, name, content)
		}
		git("add", "--all", "--force")
		git("commit", "--quiet", "--allow-empty", "--message=change")
	}
	return dir, git
}

func write(t *testing.T, dir, name, content string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// at asks for what a revision has, as a page that has these versions does.
func at(t *testing.T, dir, revision string, has map[string]string) (files map[string]string, end trailer) {
	t.Helper()
	r, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(request{Have: has, Revision: revision})
	if err != nil {
		t.Fatal(err)
	}
	files, end, header := send(t, r, httptest.NewRequest("POST", "/api/repo", bytes.NewReader(body)))
	if len(header.Get("Gitnexus-Revision")) != 40 {
		t.Errorf("the commit is %q", header.Get("Gitnexus-Revision"))
	}
	return files, end
}

func TestRevision(t *testing.T) {
	dir, git := history(t,
		map[string]string{"a.go": "package a\n", "gone.go": "package gone\n", "same.go": "package same\n", ".env": "KEY=1\n", "b.bin": "a\x00b", "ignored.go": "package i\n"},
		map[string]string{"a.go": "package b\n", "same.go": "package same\n", "new.go": "package n\n", ".env": "KEY=2\n", "b.bin": "a\x00c"},
	)
	write(t, dir, "ignored.go", "package j\n") // what the folder has and the page has not
	same := git("rev-parse", "HEAD:same.go")
	has := func() map[string]string {
		return map[string]string{"a.go": "other", "same.go": same, "new.go": "new"}
	}
	files, end := at(t, dir, "HEAD~1", has())
	if len(files) != 2 || files["a.go"] != "package a\n" || files["gone.go"] != "package gone\n" {
		t.Errorf("sent %q", files)
	}
	if !slices.Equal(end.Removed, []string{"new.go"}) {
		t.Errorf("not in the commit: %q", end.Removed)
	}
	for _, name := range []string{"main~1", git("rev-parse", "HEAD~1"), git("rev-parse", "--short", "HEAD~1"), "main^"} {
		if files, _ := at(t, dir, name, has()); files["a.go"] != "package a\n" {
			t.Errorf("%s: sent %q", name, files)
		}
	}
	// A folder inside of the repository has its own paths.
	write(t, dir, "sub/x.go", "package x\n")
	git("add", "--all", "--force")
	git("commit", "--quiet", "--message=sub")
	if files, _ := at(t, filepath.Join(dir, "sub"), "HEAD", map[string]string{}); len(files) != 0 {
		t.Errorf("sent %q, which the folder has and the page leaves out", files)
	}
	if files, _ := at(t, filepath.Join(dir, "sub"), "HEAD", map[string]string{"x.go": "y"}); files["x.go"] != "package x\n" {
		t.Errorf("sent %q", files)
	}
}

func TestRevisionRefused(t *testing.T) {
	dir, _ := history(t, map[string]string{"a.go": "package a\n"})
	r, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for revision, want := range map[string]string{
		"--output=x": "no name of a commit", "-h": "no name of a commit", "HEAD:a.go": "no name of a commit", "a..b": "no name of a commit",
		":/fix": "no name of a commit", "HEAD^{/x}": "no name of a commit", "a b": "no name of a commit", "$(id)": "no name of a commit",
		"nosuch": "has no commit nosuch", strings.Repeat("a", 300): "no name of a commit",
	} {
		body, _ := json.Marshal(request{Revision: revision})
		if w := post(r, string(body)); w.Code != 404 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s", revision, w.Code, w.Body)
		}
	}
	plain, err := Open(folder(t, map[string]string{"a.go": "package a\n"}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if w := post(plain, `{"revision":"HEAD"}`); w.Code != 404 || !strings.Contains(w.Body.String(), "not a git repository") {
		t.Errorf("no repository: %d %s", w.Code, w.Body)
	}
}

// Nothing that the repository's own configuration names is run.
func TestRevisionRunsNothing(t *testing.T) {
	dir, git := history(t, map[string]string{"a.go": "package a\n", ".gitattributes": "* filter=evil diff=evil\n"}, map[string]string{"a.go": "package b\n", ".gitattributes": "* filter=evil diff=evil\n"})
	marker := filepath.Join(dir, "ran")
	evil := "touch '" + marker + "'"
	for _, key := range []string{"core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.evil.textconv", "diff.evil.command", "diff.external", "pager.ls-tree", "pager.cat-file", "pager.rev-parse", "alias.ls-tree"} {
		git("config", key, evil)
	}
	git("config", "alias.rev-parse", "!"+evil)
	git("config", "core.hooksPath", filepath.Join(dir, "hooks"))
	for _, hook := range []string{"post-index-change", "reference-transaction", "post-checkout"} {
		write(t, dir, "hooks/"+hook, "#!/bin/sh\n"+evil+"\n")
		if err := os.Chmod(filepath.Join(dir, "hooks", hook), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// A partial clone would fetch what it does not have.
	git("config", "remote.origin.url", "ext::"+filepath.Join(dir, "hooks", "post-checkout"))
	git("config", "remote.origin.promisor", "true")
	git("config", "protocol.ext.allow", "always")
	git("config", "core.repositoryFormatVersion", "1")
	git("config", "extensions.partialClone", "origin")
	id := git("rev-parse", "HEAD~1:a.go")
	if err := os.Remove(filepath.Join(dir, ".git", "objects", id[:2], id[2:])); err != nil {
		t.Fatal(err)
	}
	tree := git("rev-parse", "HEAD~1^{tree}")
	t.Setenv("GIT_EXTERNAL_DIFF", evil)
	t.Setenv("GIT_DIR", filepath.Join(dir, "elsewhere"))

	body, _ := json.Marshal(request{Revision: "HEAD~1", Have: map[string]string{"a.go": "x"}})
	r, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	files, end, _ := send(t, r, httptest.NewRequest("POST", "/api/repo", bytes.NewReader(body)))
	if len(files) != 0 || len(end.Skipped) != 1 || end.Skipped[0].Path != "a.go" {
		t.Errorf("sent %q, skipped %v", files, end.Skipped)
	}
	if err := os.Remove(filepath.Join(dir, ".git", "objects", tree[:2], tree[2:])); err != nil {
		t.Fatal(err)
	}
	if w := post(r, string(body)); w.Code != 404 {
		t.Errorf("without the tree: %d %s", w.Code, w.Body)
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("a command that the repository names was run")
	}
}
