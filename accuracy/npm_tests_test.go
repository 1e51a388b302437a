package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// npmScripts copies the scripts of typescript/ to beside a parser.
func npmScripts(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node")
	}
	packages, err := filepath.Abs("../web/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(packages, "typescript")); err != nil {
		t.Skip("no typescript in web/node_modules")
	}
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "typescript"), os.DirFS("typescript")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(packages, filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "typescript", "tests")
}

// npmFixture is a folder with a module and what runs it.
func npmFixture(t *testing.T, module, runs string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"a.js": module, "a.test.js": runs} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestNPMCallsAtRunTime(t *testing.T) {
	scripts, told := npmScripts(t), t.TempDir()
	dir := npmFixture(t, `"use strict";
class Base { constructor() { this.field = direct(); } tag() {} }
class A extends Base {
  constructor() { super(); }
  get value() { return 1; }
  set value(v) { helper(v); }
  run() { helper(); return this.value; }
  later = () => helper();
}
class Implicit extends Base {}
function direct() {}
function helper() {}
function byMap(x) { return x; }
function* items() { helper(); yield 1; }
async function waits() {
  await null;
  direct();
}
function parameter(x = direct()) { return x; }
const tagged = (strings) => strings;
const table = { method() { return direct(); }, arrow: () => ({ a: 1 }) };
function strict() { "use strict"; helper(); }
async function thenable() { await { then(done) { done(); } }; }
exports.first = function () {
  const a = new A();
  new Implicit();
  a.run?.();
  a.value = 1;
  a.later();
  [1].map(byMap);
  for (const item of items()) byMap(item);
  parameter();
  tagged`+"`x`"+`;
  table.method();
  table.arrow();
  direct.call(null);
  setTimeout(direct);
  new Promise(byMap);
  strict();
  thenable();
  [1].map(function named() { helper(); });
  (function named() { helper(); })();
  return waits();
};
`, "const { first } = require('./a.js');\nfunction test() {\n  first();\n}\ntest();\n")
	if out, err := exec.CommandContext(t.Context(), "node", filepath.Join(scripts, "instrument.mjs"), dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.CommandContext(t.Context(), "node", "--require", filepath.Join(scripts, "recorder.cjs"), filepath.Join(dir, "a.test.js"))
	cmd.Env = append(os.Environ(), "RAN="+told, "RAN_ROOT="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	calls, err := readRan(dir, told)
	if err != nil {
		t.Fatal(err)
	}
	// Who calls has a name, if it has one.
	for _, c := range []happened{
		{place{"a.js", 11}, place{"a.js", 21}, "direct", "method"}, {place{"a.js", 24}, place{"a.test.js", 3}, "first", "test"},
		{place{"a.js", 21}, place{"a.js", 34}, "method", "exports.first"},
	} {
		if !slices.Contains(calls, c) {
			t.Errorf("missing: %v", c)
		}
	}
	for i := range calls {
		calls[i].by = ""
	}
	var want []happened
	for _, c := range []struct {
		name       string
		line, from int
	}{
		{"direct", 11, 2}, {"constructor", 2, 4}, {"constructor", 4, 25}, {"constructor", 2, 10}, // by the constructor that Implicit has without writing one
		{"run", 7, 27}, {"helper", 12, 7}, {"value", 5, 7}, {"value", 6, 28}, {"helper", 12, 6}, {"later", 8, 29}, {"helper", 12, 8},
		{"items", 14, 31}, {"helper", 12, 14}, {"byMap", 13, 31}, {"parameter", 19, 32}, {"direct", 11, 19}, {"tagged", 20, 33},
		{"method", 21, 34}, {"direct", 11, 21}, {"arrow", 21, 35}, {"direct", 11, 36}, {"strict", 22, 39}, {"helper", 12, 22},
		{"thenable", 23, 40}, {"waits", 15, 43}, {"helper", 12, 41}, {"helper", 12, 42}, {"direct", 11, 17},
	} {
		want = append(want, happened{place{"a.js", c.line}, place{"a.js", c.from}, c.name, ""})
	}
	want = append(want, happened{place{"a.js", 24}, place{"a.test.js", 3}, "first", ""})
	for _, c := range want {
		if !slices.Contains(calls, c) {
			t.Errorf("missing: %v", c)
		}
	}
	for _, c := range calls {
		if !slices.Contains(want, c) {
			t.Errorf("did not happen: %v", c)
		}
	}
}

func TestBrokenFunction(t *testing.T) {
	scripts := npmScripts(t)
	dir := npmFixture(t, "const one = (a) => a;\nfunction two() {\n  return 2;\n}\nmodule.exports = { one, two };\n", "")
	if out, err := exec.CommandContext(t.Context(), "node", filepath.Join(scripts, "broken.mjs"), dir, "a.js", "1", "one").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	script := "const a = require('./a.js'); if (a.two() !== 2) process.exit(2); try { a.one(); } catch { process.exit(3); }"
	cmd := exec.CommandContext(t.Context(), "node", "-e", script)
	cmd.Dir = dir
	if _ = cmd.Run(); cmd.ProcessState.ExitCode() != 3 {
		t.Errorf("the function does not throw: %v", cmd.ProcessState)
	}
}

func TestPathsOf(t *testing.T) {
	got := string(pathsOf(map[string]string{"@a": "src", "@b": "src/index.ts"}))
	if want := `{"compilerOptions":{"paths":{"@a":["./src"],"@a/*":["./src/*"],"@b":["./src/index.ts"]}}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
