package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// pytestTime bounds one run of the tests of a code base in Python.
const pytestTime = 5 * time.Minute

// pytest runs the tests of a code base in a folder that has its sources, with a
// plugin of python/pytest_plugins that writes into a folder.
func (m *measure) pytest(ctx context.Context, c codebase, s sources, dir, plugin, into string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, pytestTime)
	defer cancel()
	// Without the machine's own packages.
	cmd := exec.CommandContext(ctx, "python3", "-S", "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", plugin)
	cmd.Dir = dir
	cmd.WaitDelay = time.Second
	path := append([]string{filepath.Join(dir, filepath.FromSlash(c.Tests.Imports)), filepath.Join(m.project, "accuracy", "python", "pytest_plugins")}, s.extra...)
	cmd.Env = append(os.Environ(), "PYTHONPATH="+strings.Join(path, string(filepath.ListSeparator)), "RAN="+into, "RAN_ROOT="+dir)
	return cmd.CombinedOutput()
}

// pythonCallsAtRunTime runs the tests with each function telling who called it:
// python/pytest_plugins/ran.py has what counts.
func (m *measure) pythonCallsAtRunTime(ctx context.Context, c codebase, s sources) ([]happened, error) {
	temp, err := os.MkdirTemp("", "accuracy-ran-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	dir, told := filepath.Join(temp, "sources"), filepath.Join(temp, "ran") // tests may write
	if err := os.CopyFS(dir, os.DirFS(s.dir)); err != nil {
		return nil, err
	}
	if err := os.Mkdir(told, 0o700); err != nil {
		return nil, err
	}
	// Tests that fail are no reason to stop: what ran has run.
	output, failed := m.pytest(ctx, c, s, dir, "ran", told)
	calls, err := readRan(dir, told)
	if err == nil && len(calls) == 0 {
		err = fmt.Errorf("no call was seen: %w\n%s", failed, output[max(0, len(output)-1000):])
	}
	return calls, err
}
