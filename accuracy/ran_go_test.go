package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gitnexus/gitnexus-mcp/accuracy/codegraph"
)

func TestCallsAtRunTime(t *testing.T) {
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
	calls, err := callsAtRunTime(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []happened{
		{place{"a.go", 3}, place{"a_test.go", 9}},
		{place{"a.go", 4}, place{"a.go", 3}},
		{place{"a.go", 5}, place{"a.go", 3}},
	}
	if len(calls) != len(want) || slices.ContainsFunc(want, func(c happened) bool { return !slices.Contains(calls, c) }) {
		t.Errorf("happened: %v, want %v", calls, want)
	}
}

func TestCompareRan(t *testing.T) {
	symbol := func(name string, line int) codegraph.Symbol {
		return codegraph.Symbol{Ref: codegraph.Ref{Name: name, File: "a.go", Line: line}, Kind: "Function", EndLine: line + 3}
	}
	caller, sure, possible, value, method := symbol("caller", 1), symbol("sure", 10), symbol("possible", 20), symbol("value", 30), symbol("method", 40)
	graph := &codegraph.Graph{
		Symbols: []codegraph.Symbol{caller, sure, possible, value, method},
		Calls:   []codegraph.Call{{From: caller.Ref, To: sure.Ref, Confidence: 1}, {From: caller.Ref, To: possible.Ref, Confidence: 0.3}},
	}
	at := func(line int) place { return place{"a.go", line} }
	calls := []happened{
		{at(10), at(2)}, {at(10), at(3)}, {at(20), at(2)}, {at(30), at(2)}, {at(40), at(3)},
		{at(10), at(99)}, // by no function
	}
	r := compareRan(calls, graph, func(p place) string { return map[int]string{2: "f()", 3: "x.method()"}[p.line] })
	if r.sure != 1 || r.possible != 1 || r.missing != 2 || r.causes[named] != 1 || r.causes[unnamed] != 1 {
		t.Errorf("%+v", r)
	}
}
