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

// brokenTests runs the tests of a folder in which one function after the other is broken.
type brokenTests struct {
	dir string
	// failing names the tests that fail, file:name, and files whose tests cannot be collected, file: alone.
	failing func(ctx context.Context) (map[string]bool, error)
	// breaks lets a function fail at its start.
	breaks func(ctx context.Context, f codegraph.Symbol) error
	// named is what an answer has to name for a test that fails.
	named func(test string) string
}

// pythonBrokenTests are pytest's, where functions raise.
func (m *measure) pythonBrokenTests(c codebase, s sources) (b brokenTests, remove func(), err error) {
	temp, err := os.MkdirTemp("", "accuracy-tests-")
	if err != nil {
		return b, nil, err
	}
	b.dir = temp
	b.failing = func(ctx context.Context) (map[string]bool, error) { return m.pytestFailing(ctx, c, s, temp) }
	b.breaks = func(ctx context.Context, f codegraph.Symbol) error {
		script := filepath.Join(m.project, "accuracy", "python", "pytest_plugins", "broken.py")
		return command(ctx, temp, "python3", "-B", script, filepath.Join(temp, filepath.FromSlash(f.File)), strconv.Itoa(f.Line), f.Name)
	}
	b.named = func(test string) string { return test }
	return b, func() { _ = os.RemoveAll(temp) }, os.CopyFS(temp, os.DirFS(s.dir))
}

// questions asks which tests fail when a function is broken. The sources have their tests.
func (b *brokenTests) questions(ctx context.Context, s sources, truth *codegraph.Graph) ([]question, error) {
	before, err := b.failing(ctx)
	if err != nil {
		return nil, err
	}
	functions := calledFunctions(truth)
	var questions []question
	for _, f := range functions[:min(len(functions), questionCounts["tests"])] {
		if err := b.breaks(ctx, f); err != nil {
			return nil, err
		}
		failed, err := b.failing(ctx)
		if restore := copyFile(filepath.Join(s.dir, filepath.FromSlash(f.File)), filepath.Join(b.dir, filepath.FromSlash(f.File))); restore != nil {
			return nil, restore
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "tests of %s: %v\n", key(f.Ref), err)
			continue
		}
		want, wholeFile := make(map[string]bool), false
		for test := range failed {
			if !before[test] {
				want[b.named(test)] = true
				wholeFile = wholeFile || strings.HasSuffix(test, ":")
			}
		}
		// What runs on import says nothing of single tests.
		if len(want) > 0 && !wholeFile {
			questions = append(questions, question{kind: "tests", symbol: f, want: want, allow: everything(truth)})
		}
	}
	return questions, nil
}

// pytestFailing runs the tests: the keys of those that fail.
func (m *measure) pytestFailing(ctx context.Context, c codebase, s sources, dir string) (map[string]bool, error) {
	into, err := os.MkdirTemp("", "accuracy-failed-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(into) }()
	output, err := m.pytest(ctx, c, s, dir, "failed", into)
	// pytest ends with 1 where tests fail, and with 2 where a file cannot be collected.
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1 && exit.ExitCode() != 2) {
		return nil, fmt.Errorf("pytest: %w\n%s", err, output[max(0, len(output)-1000):])
	}
	data, err := os.ReadFile(filepath.Join(into, "failed"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return readFailed(string(data)), nil
}

// readFailed reads what python/pytest_plugins/failed.py or a reporter of typescript/tests wrote.
func readFailed(data string) map[string]bool {
	failed := make(map[string]bool)
	for line := range strings.Lines(data) {
		file, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		failed[file+":"+name] = true
	}
	return failed
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
	s, err := m.fetchWithTests(ctx, c)
	if err != nil {
		return subject{}, err
	}
	truth, err := m.truth(ctx, c, s)
	if err != nil {
		return subject{}, err
	}
	var b brokenTests
	var remove func()
	if c.NPM != nil {
		b, remove, err = m.npmBrokenTests(ctx, c, s)
	} else {
		b, remove, err = m.pythonBrokenTests(c, s)
	}
	if err != nil {
		return subject{}, err
	}
	defer remove()
	questions, err := b.questions(ctx, s, truth)
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
