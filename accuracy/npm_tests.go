package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gitnexus/gitnexus-mcp/accuracy/codegraph"
)

// npmTestTime bounds one run of the tests of a package of npm.
const npmTestTime = 8 * time.Minute

// installTestPackages installs what typescript/tests/package-lock.json pins: the
// runners, and what tests import.
func (m *measure) installTestPackages(ctx context.Context) (string, error) {
	return m.installLocked(ctx, "tests-", filepath.Join(m.project, "accuracy", "typescript", "tests"))
}

// fetchNPMTests makes the sources of a package of npm available with their tests.
func (m *measure) fetchNPMTests(ctx context.Context, c codebase) (sources, error) {
	packages, err := m.installTestPackages(ctx)
	if err != nil {
		return sources{}, err
	}
	p := *c.NPM
	if c.Tests.NPM != nil {
		p = *c.Tests.NPM
	}
	var s sources
	s.key = fmt.Sprintln("tests", p, filepath.Base(packages))
	if len(c.Tests.Aliases) > 0 {
		s.key += fmt.Sprintln(c.Tests.Aliases)
	}
	// Below the installed packages, so that they are found there.
	s.dir = filepath.Join(packages, "sources", fileName(c.Name)+"-"+hash([]byte(s.key))[:12])
	return s, cached(s.dir, func(dir string) error {
		if p.Version != "" {
			err = fetchTarball(ctx, p, dir)
		} else {
			err = keep(filepath.Join(packages, "node_modules", filepath.FromSlash(p.Package)), p.Keep, dir)
		}
		if err != nil || len(c.Tests.Aliases) == 0 {
			return err
		}
		return os.WriteFile(filepath.Join(dir, "tsconfig.json"), pathsOf(c.Tests.Aliases), 0o600)
	})
}

// pathsOf is the tsconfig.json that a repository says its aliases in, and its package leaves out.
func pathsOf(aliases map[string]string) []byte {
	paths := make(map[string][]string)
	for name, target := range aliases {
		paths[name] = []string{"./" + target}
		if filepath.Ext(target) == "" {
			paths[name+"/*"] = []string{"./" + target + "/*"}
		}
	}
	text, _ := json.Marshal(map[string]any{"compilerOptions": map[string]any{"paths": paths}}) // strings can be encoded
	return text
}

// npmTestRun is a folder whose tests run.
type npmTestRun struct {
	npmRunner
	packages string // where the runners are installed
	scripts  string // typescript/tests
	dir      string
	into     string // the recorder writes into this folder
}

// run runs the tests. The file failed in the folder gets those that fail.
func (r *npmTestRun) run(ctx context.Context) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, npmTestTime)
	defer cancel()
	settings, err := json.Marshal(r.npmRunner)
	if err != nil {
		return nil, err
	}
	failed := filepath.Join(r.into, "failed")
	args := []string{filepath.Join(r.packages, "node_modules", "vitest", "vitest.mjs"), "run",
		"--config", filepath.Join(r.scripts, "vitest.config.mjs"), "--reporter", filepath.Join(r.scripts, "failed_vitest.mjs")}
	if r.Runner == "node" {
		files, err := nodeTests(r.dir)
		if err != nil {
			return nil, err
		}
		args = append([]string{"--test", "--test-timeout=20000", "--test-reporter", filepath.Join(r.scripts, "failed_node.mjs"), "--test-reporter-destination", failed}, files...)
	}
	cmd := exec.CommandContext(ctx, "node", args...)
	cmd.Dir = r.dir
	cmd.WaitDelay = time.Second
	cmd.Env = append(os.Environ(), "NODE_OPTIONS=--require "+filepath.Join(r.scripts, "recorder.cjs"), "CI=1",
		"RAN="+r.into, "RAN_ROOT="+r.dir, "RAN_SETTINGS="+string(settings), "RAN_FAILED="+failed)
	return cmd.CombinedOutput()
}

// nodeTests are the files of tests, which node:test is told of.
func nodeTests(dir string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && strings.Contains(entry.Name(), ".test.") {
			files = append(files, path)
		}
		return err
	})
	return files, err
}

// copyForTests copies the sources, for tests may write, beside the packages that they import.
func (m *measure) copyForTests(ctx context.Context, c codebase, s sources) (r npmTestRun, remove func(), err error) {
	if r.packages, err = m.installTestPackages(ctx); err != nil {
		return r, nil, err
	}
	temp, err := os.MkdirTemp(r.packages, "ran-")
	if err != nil {
		return r, nil, err
	}
	remove = func() { _ = os.RemoveAll(temp) }
	r.npmRunner, r.scripts = c.Tests.npmRunner, filepath.Join(m.project, "accuracy", "typescript", "tests")
	r.dir, r.into = filepath.Join(temp, "sources"), filepath.Join(temp, "ran")
	if err = errors.Join(os.CopyFS(r.dir, os.DirFS(s.dir)), os.Mkdir(r.into, 0o700)); err != nil {
		remove()
	}
	return r, remove, err
}

// npmCallsAtRunTime runs the tests with each function telling who called it:
// typescript/tests/recorder.cjs has what counts.
func (m *measure) npmCallsAtRunTime(ctx context.Context, c codebase, s sources) ([]happened, error) {
	r, remove, err := m.copyForTests(ctx, c, s)
	if err != nil {
		return nil, err
	}
	defer remove()
	if err := m.besidePackages(ctx, "tests/instrument.mjs", r.dir); err != nil {
		return nil, err
	}
	// Tests that fail are no reason to stop: what ran has run.
	output, failed := r.run(ctx)
	_ = os.Remove(filepath.Join(r.into, "failed"))
	calls, err := readRan(r.dir, r.into)
	if err == nil && len(calls) == 0 {
		err = fmt.Errorf("no call was seen: %w\n%s", failed, output[max(0, len(output)-1000):])
	}
	return calls, err
}

// npmBrokenTests are vitest's or node:test's, where functions throw. A test is a
// call in a file there, and no function that an answer could name: what is judged is the file.
func (m *measure) npmBrokenTests(ctx context.Context, c codebase, s sources) (b brokenTests, remove func(), err error) {
	r, remove, err := m.copyForTests(ctx, c, s)
	if err != nil {
		return b, nil, err
	}
	b.dir = r.dir
	b.failing = func(ctx context.Context) (map[string]bool, error) {
		told := filepath.Join(r.into, "failed")
		_ = os.Remove(told)
		output, failed := r.run(ctx) // with tests that fail it ends with an error
		data, err := os.ReadFile(told)
		if err != nil {
			return nil, fmt.Errorf("the tests did not end: %w\n%s", failed, output[max(0, len(output)-1000):])
		}
		return readFailed(string(data)), nil
	}
	b.breaks = func(ctx context.Context, f codegraph.Symbol) error {
		return m.besidePackages(ctx, "tests/broken.mjs", r.dir, f.File, strconv.Itoa(f.Line), f.Name)
	}
	b.named = func(test string) string {
		file, _, _ := strings.Cut(test, ":")
		return file + ":" + codegraph.Module
	}
	return b, remove, nil
}
