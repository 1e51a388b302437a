package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// A target that only stands in .PHONY has no recipe, and make says that all is done.
func TestEveryMakeCommandInTheDocsDoesSomething(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("no make here")
	}
	const root = "../.."
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Makefile", "README.md", "CONTRIBUTING.md"} {
		files = append(files, filepath.Join(root, name))
	}
	mention := regexp.MustCompile("(?m)(?:`|^# |^)make ([a-z-]+)")
	targets := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range mention.FindAllSubmatch(text, -1) {
			targets[string(found[1])] = true
		}
	}
	if !targets["test"] || !targets["accuracy"] {
		t.Fatalf("found only %v", targets)
	}
	for target := range targets {
		out, err := exec.CommandContext(t.Context(), "make", "-C", root, "--dry-run", "--always-make", target).CombinedOutput()
		if err != nil || bytes.Contains(out, []byte("Nothing to be done")) {
			t.Errorf("make %s: %v: %s", target, err, out)
		}
	}
}

// A release is not built when it could not be checked for known vulnerabilities; the check
// of every day says so and goes on.
func TestVulnerabilitiesThatCannotBeChecked(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh here")
	}
	for argument, fails := range map[string]bool{"required": true, "": false} {
		cmd := exec.CommandContext(t.Context(), "sh", "scripts/vulnerabilities.sh", argument)
		cmd.Dir = "../.."
		cmd.Env = append(os.Environ(), "HTTPS_PROXY=http://127.0.0.1:1", "https_proxy=http://127.0.0.1:1") // nobody listens there
		out, err := cmd.CombinedOutput()
		if (err != nil) != fails || !bytes.Contains(out, []byte("this was not checked")) {
			t.Errorf("%q: %v: %s", argument, err, out)
		}
	}
}

// What is published was built twice before, and compared byte for byte.
func TestReleaseIsBuiltTwice(t *testing.T) {
	workflow, err := os.ReadFile("../../.github/workflows/release.yml")
	if err != nil {
		t.Fatal(err)
	}
	check, release := bytes.Index(workflow, []byte("- run: make release-check\n")), bytes.Index(workflow, []byte("- run: make release\n"))
	if check < 0 || release < check {
		t.Errorf("release.yml runs make release-check at %d and make release at %d", check, release)
	}
	script, err := os.ReadFile("../../scripts/release-check.sh")
	if err != nil || !bytes.Contains(script, []byte(`sha256sum --quiet --check "$work/sums"`)) {
		t.Errorf("release-check.sh compares nothing: %v", err)
	}
}
