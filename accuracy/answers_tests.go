package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gitnexus/gitnexus-mcp/accuracy/codegraph"
)

// pythonTestQuestions asks pytest which tests fail when a function raises. The
// sources have their tests.
func (m *measure) pythonTestQuestions(ctx context.Context, c codebase, s sources, truth *codegraph.Graph) ([]question, error) {
	temp, err := os.MkdirTemp("", "accuracy-tests-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	if err := os.CopyFS(temp, os.DirFS(s.dir)); err != nil {
		return nil, err
	}
	before, _, err := m.pytestFailing(ctx, c, s, temp)
	if err != nil {
		return nil, err
	}
	functions := calledFunctions(truth)
	var questions []question
	for _, f := range functions[:min(len(functions), questionCounts["tests"])] {
		path := filepath.Join(temp, filepath.FromSlash(f.File))
		script := filepath.Join(m.project, "accuracy", "python", "pytest_plugins", "broken.py")
		if err := command(ctx, temp, "python3", "-B", script, path, strconv.Itoa(f.Line), f.Name); err != nil {
			return nil, err
		}
		failed, wholeFile, err := m.pytestFailing(ctx, c, s, temp)
		if restore := copyFile(filepath.Join(s.dir, filepath.FromSlash(f.File)), path); restore != nil {
			return nil, restore
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "tests of %s: %v\n", key(f.Ref), err)
			continue
		}
		if wholeFile { // it runs on import: nothing can be said of single tests
			continue
		}
		want := make(map[string]bool)
		for test := range failed {
			if !before[test] {
				want[test] = true
			}
		}
		if len(want) > 0 {
			questions = append(questions, question{kind: "tests", symbol: f, want: want, allow: everything(truth)})
		}
	}
	return questions, nil
}

// pytestFailing runs the tests: the keys of those that fail, and whether there is
// a file whose tests cannot be collected.
func (m *measure) pytestFailing(ctx context.Context, c codebase, s sources, dir string) (failed map[string]bool, wholeFile bool, err error) {
	into, err := os.MkdirTemp("", "accuracy-failed-")
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = os.RemoveAll(into) }()
	output, err := m.pytest(ctx, c, s, dir, "failed", into)
	// pytest ends with 1 where tests fail, and with 2 where a file cannot be collected.
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1 && exit.ExitCode() != 2) {
		return nil, false, fmt.Errorf("pytest: %w\n%s", err, output[max(0, len(output)-1000):])
	}
	data, err := os.ReadFile(filepath.Join(into, "failed"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, false, err
	}
	failed, wholeFile = readFailed(string(data))
	return failed, wholeFile, nil
}

// readFailed reads what python/pytest_plugins/failed.py wrote.
func readFailed(data string) (failed map[string]bool, wholeFile bool) {
	failed = make(map[string]bool)
	for line := range strings.Lines(data) {
		file, name, ok := strings.Cut(strings.TrimSpace(line), "\t")
		wholeFile = wholeFile || !ok
		failed[file+":"+name] = true
	}
	return failed, wholeFile
}

// subject is a folder that questions are asked about.
type subject struct {
	dir       string
	truth     *codegraph.Graph
	questions []question
}

// withTests are the sources of a code base with its tests, where these are others
// than those that the other questions are asked about, and the questions about its tests.
func (m *measure) withTests(ctx context.Context, c codebase) (subject, error) {
	s, err := m.fetchTests(ctx, c)
	if err != nil {
		return subject{}, err
	}
	truth, err := m.truth(ctx, c, s)
	if err != nil {
		return subject{}, err
	}
	questions, err := m.pythonTestQuestions(ctx, c, s, truth)
	return subject{s.dir, truth, questions}, err
}

// isTest says whether a file is one of tests, by its name or its folder.
func isTest(file string) bool {
	folders := strings.Split(file, "/")
	name := folders[len(folders)-1]
	if slices.ContainsFunc(folders[:len(folders)-1], func(f string) bool { return f == "tests" || f == "test" || f == "__tests__" }) {
		return true
	}
	return strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".py") && (strings.HasPrefix(name, "test_") || name == "conftest.py") ||
		strings.Contains(name, ".test.") || strings.Contains(name, ".spec.")
}
