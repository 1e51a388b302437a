package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

func TestPythonCallsAtRunTime(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	told := t.TempDir()
	for name, text := range map[string]string{
		"a.py": `import functools
class A:
    @property
    @functools.cache
    def value(self): return [helper() for _ in range(1)]
def helper(): pass
def by_c(x): return 1
def items():
    yield 1
def first():
    sorted([2, 1], key=by_c)
    got = items()
    list(got)
    for _ in items(): pass
    class Local: pass
    return A().value
def never(): pass
`,
		"test_a.py": "import a\ndef test_first():\n    check()\n    a.first()\ndef check(): pass\ntest_first()\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	plugins, err := filepath.Abs("python/pytest_plugins")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), python, "-S", "-B", "-c", "import ran, test_a")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PYTHONPATH="+dir+string(filepath.ListSeparator)+plugins, "RAN="+told, "RAN_ROOT="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	calls, err := readRan(dir, told)
	if err != nil {
		t.Fatal(err)
	}
	want := []happened{
		{place{"a.py", 10}, place{"test_a.py", 4}, "", ""},
		{place{"a.py", 8}, place{"a.py", 14}, "", ""},
		{place{"a.py", 5}, place{"a.py", 16}, "", ""}, // an attribute
		{place{"a.py", 6}, place{"a.py", 5}, "", ""},
	}
	if len(calls) != len(want) || slices.ContainsFunc(want, func(c happened) bool { return !slices.Contains(calls, c) }) {
		t.Errorf("happened: %v, want %v", calls, want)
	}
}

func TestReadFailed(t *testing.T) {
	failed := readFailed("tests/test_a.py\ttest_one\ntests/test_a.py\ttest_one\ntests/test_b.py\n")
	if len(failed) != 2 || !failed["tests/test_a.py:test_one"] || !failed["tests/test_b.py:"] {
		t.Errorf("%v", failed)
	}
}
