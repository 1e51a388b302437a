package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestGoCallsAtRunTime(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod": "module m\n\ngo 1.24\n",
		"a.go": "package m\n\nfunc first(f func()) { second(); f() }\nfunc second() {}\nfunc given() {}\n" +
			"func byLibrary(a, b int) int { return a - b }\nfunc never() { second() }\n",
		"a_test.go": "package m\n\nimport (\n\t\"slices\"\n\t\"testing\"\n)\n\nfunc TestFirst(t *testing.T) {\n\tfirst(given)\n\tslices.SortFunc([]int{2, 1}, byLibrary)\n\tt.Fail()\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	calls, err := goCallsAtRunTime(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []happened{
		{place{"a.go", 3}, place{"a_test.go", 9}, "", ""},
		{place{"a.go", 4}, place{"a.go", 3}, "", ""},
		{place{"a.go", 5}, place{"a.go", 3}, "", ""},
	}
	if len(calls) != len(want) || slices.ContainsFunc(want, func(c happened) bool { return !slices.Contains(calls, c) }) {
		t.Errorf("happened: %v, want %v", calls, want)
	}
}
