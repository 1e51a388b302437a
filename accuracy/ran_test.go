package main

import (
	"testing"

	"github.com/gitnexus/gitnexus-mcp/accuracy/codegraph"
)

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
		{at(10), at(2), "", ""}, {at(10), at(3), "", ""}, {at(20), at(2), "", ""}, {at(30), at(2), "", ""}, {at(40), at(3), "", ""},
		{at(10), at(99), "", ""}, // by no function
	}
	r := compareRan(calls, graph, func(p place) string { return map[int]string{2: "f()", 3: "x.method()"}[p.line] })
	if r.sure != 1 || r.possible != 1 || r.missing != 2 || r.causes[named] != 1 || r.causes[unnamed] != 1 {
		t.Errorf("%+v", r)
	}
}

func TestCompareRanInPython(t *testing.T) {
	symbol := func(name, owner string, line, end int) codegraph.Symbol {
		return codegraph.Symbol{Ref: codegraph.Ref{Name: name, Owner: owner, File: "a.py", Line: line}, Kind: "Method", EndLine: end}
	}
	caller, nested, constructor, above := symbol("caller", "", 1, 9), symbol("nested", "", 3, 4), symbol("__init__", "A", 11, 12), symbol("__init__", "Base", 15, 16)
	length, value := symbol("__len__", "A", 20, 21), symbol("value", "A", 23, 24)
	class := func(name string) codegraph.Ref { return codegraph.Ref{Name: name, File: "a.py"} }
	graph := &codegraph.Graph{
		Symbols: []codegraph.Symbol{caller, nested, constructor, above, length, value},
		Calls:   []codegraph.Call{{From: caller.Ref, To: class("A"), Confidence: 1}, {From: nested.Ref, To: constructor.Ref, Confidence: 1}},
		Extends: []codegraph.Pair{{From: class("A"), To: class("Middle")}, {From: class("Middle"), To: class("Base")}},
	}
	at := func(line int) place { return place{"a.py", line} }
	calls := []happened{
		{at(11), at(2), "", ""}, {at(15), at(2), "", ""}, // who makes an A runs what it inherits
		{at(11), at(4), "", ""}, // by the function within
		{at(20), at(5), "", ""}, // if a:
		{at(23), at(6), "", ""}, // a.value
		{at(30), at(7), "", ""}, // no such function
		{at(15), at(4), "", ""}, // super().__init__()
	}
	lines := map[int]string{4: "super().__init__()", 5: "if a:", 6: "a.value", 7: "f()"}
	r := compareRan(calls, graph, func(p place) string { return lines[p.line] })
	if r.sure != 3 || r.missing != 4 || r.causes[implicit] != 2 || r.causes[unknown] != 1 || r.causes[named] != 1 {
		t.Errorf("%+v", r)
	}
}

func TestCompareRanInTypeScript(t *testing.T) {
	symbol := func(name, file string, line, end int) codegraph.Symbol {
		return codegraph.Symbol{Ref: codegraph.Ref{Name: name, File: file, Line: line}, Kind: "Function", EndLine: end}
	}
	// The second stands in the line of the first; the third is overloaded.
	outer, inner, overloaded := symbol("outer", "a.ts", 1, 9), symbol("inner", "a.ts", 1, 2), symbol("overloaded", "a.ts", 20, 25)
	around, nested, handed := symbol("around", "a.ts", 50, 60), symbol("nested", "a.ts", 52, 52), symbol("handed", "a.test.ts", 40, 40)
	module := codegraph.Ref{Name: codegraph.Module, File: "a.test.ts"}
	graph := &codegraph.Graph{
		Symbols: []codegraph.Symbol{outer, inner, overloaded, around, nested, handed},
		Calls: []codegraph.Call{
			{From: module, To: outer.Ref, Confidence: 1}, {From: outer.Ref, To: overloaded.Ref, Confidence: 1},
			{From: around.Ref, To: outer.Ref, Confidence: 1}, {From: nested.Ref, To: overloaded.Ref, Confidence: 0.5},
		},
	}
	calls := []happened{
		{place{"a.ts", 1}, place{"a.test.ts", 3}, "outer", ""},
		{place{"a.ts", 1}, place{"a.test.ts", 4}, "inner", ""},
		{place{"a.ts", 22}, place{"a.ts", 8}, "overloaded", ""},
		{place{"a.ts", 5}, place{"a.ts", 8}, "unknown", ""},
		{place{"a.ts", 1}, place{"a.ts", 30}, "outer", ""}, // by the code of a module that is no test
		// a({ nested() { b() } })
		{place{"a.ts", 1}, place{"a.ts", 52}, "outer", "around"},
		{place{"a.ts", 22}, place{"a.ts", 52}, "overloaded", "exports.nested"},
		{place{"a.ts", 22}, place{"a.ts", 52}, "overloaded", ""},
		{place{"a.ts", 1}, place{"a.test.ts", 40}, "outer", "other"},
	}
	r := compareRan(calls, graph, func(place) string { return "" })
	if r.sure != 3 || r.possible != 1 || r.missing != 2 || r.own != 4 || r.causes[unknown] != 1 {
		t.Errorf("%+v", r)
	}
}
