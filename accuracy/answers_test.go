package main

import (
	"testing"

	"github.com/gitnexus/gitnexus-mcp/accuracy/codegraph"
)

func TestJudge(t *testing.T) {
	set := func(names ...string) map[string]bool {
		m := make(map[string]bool)
		for _, n := range names {
			m[n] = true
		}
		return m
	}
	q := question{want: set("a:x", "b:y"), allow: set("c:z")}
	for _, test := range []struct {
		what string
		o    outcome
		want string
	}{
		{"all of it", outcome{found: set("a:x", "b:y")}, right},
		{"and what is no error", outcome{found: set("a:x", "b:y", "c:z")}, right},
		{"and what is not so", outcome{found: set("a:x", "b:y", "d:w")}, wrong},
		{"what is not so, with doubt", outcome{found: set("a:x", "b:y", "d:w"), doubts: true}, wrong},
		{"less without a word", outcome{found: set("a:x")}, wrong},
		{"nothing without a word", outcome{found: set()}, wrong},
		{"less, and says so", outcome{found: set("a:x"), doubts: true}, silent},
		{"an error", outcome{found: set(), note: "no such symbol"}, silent},
	} {
		if got, why := q.judge(test.o); got != test.want {
			t.Errorf("%s: %s (%s), want %s", test.what, got, why, test.want)
		}
	}
}

// functionsIn makes the functions of a file, by name.
func functionsIn(file string) func(name string) codegraph.Symbol {
	return func(name string) codegraph.Symbol {
		return codegraph.Symbol{Ref: codegraph.Ref{Name: name, File: file}, Kind: "Function"}
	}
}

// callsBetween makes the calls of functions, by name.
func callsBetween(symbol func(name string) codegraph.Symbol) func(from, to string, kind codegraph.CallKind) codegraph.Call {
	return func(from, to string, kind codegraph.CallKind) codegraph.Call {
		return codegraph.Call{From: symbol(from).Ref, To: symbol(to).Ref, Kind: kind}
	}
}

func TestQuestions(t *testing.T) {
	symbol := functionsIn("a.go")
	call := callsBetween(symbol)
	truth := &codegraph.Graph{
		Symbols: []codegraph.Symbol{symbol("a"), symbol("b"), symbol("c"), symbol("passed"), symbol("twice"), symbol("twice")},
		Calls: []codegraph.Call{
			call("a", "b", codegraph.Static), call("b", "c", codegraph.Static), call("c", "c", codegraph.Static),
			call("a", "passed", codegraph.Reference), call("a", "twice", codegraph.Static),
		},
	}
	got := make(map[string]question)
	for _, q := range questionsOf(truth) {
		got[q.kind+" "+q.symbol.Name] = q
	}
	if len(got) != 4 {
		t.Errorf("asked %v", got)
	}
	if q := got["callers c"]; len(q.want) != 1 || !q.want["a.go:b"] {
		t.Errorf("who calls c: %v", q.want)
	}
	if q := got["values passed"]; !q.want["a.go:a"] {
		t.Errorf("who uses passed: %v", q.want)
	}
	if q := got["path a"]; q.to.Name != "c" {
		t.Errorf("how does a reach %s", q.to.Name)
	}
}

func TestACallOfUnknownReceiverIsNoError(t *testing.T) {
	symbol := functionsIn("a.py")
	asked := symbol("asked")
	truth := &codegraph.Graph{
		Symbols:    []codegraph.Symbol{asked, symbol("sure"), symbol("untyped"), symbol("other")},
		Calls:      []codegraph.Call{{From: symbol("sure").Ref, To: asked.Ref, Kind: codegraph.Static}},
		Unresolved: []codegraph.Call{{From: symbol("untyped").Ref, To: codegraph.Ref{Name: "asked"}}},
	}
	q := questionsOf(truth)[0]
	for name, want := range map[string]string{"untyped": right, "other": wrong} {
		o := outcome{found: map[string]bool{"a.py:sure": true, "a.py:" + name: true}}
		if got, why := q.judge(o); got != want {
			t.Errorf("%s: %s, want %s: %s", name, got, want, why)
		}
	}
}

func TestACallOfAValueMayRunWhatIsUsedAsOne(t *testing.T) {
	symbol := functionsIn("a.py")
	call := callsBetween(symbol)
	truth := &codegraph.Graph{
		Symbols: []codegraph.Symbol{symbol("inTable"), symbol("called"), symbol("table"), symbol("caller"), symbol("run"), symbol("read")},
		Calls:   []codegraph.Call{call("table", "inTable", codegraph.Reference), call("caller", "called", codegraph.Static)},
		Unresolved: []codegraph.Call{
			{From: symbol("run").Ref, To: codegraph.Ref{Name: "handler"}},
			{From: symbol("read").Ref, To: codegraph.Ref{Name: "handler"}, Kind: codegraph.Reference},
		},
	}
	for _, q := range questionsOf(truth) {
		for _, c := range []struct{ name, by, found, want string }{
			{"inTable", "table", "run", right},
			{"inTable", "table", "read", wrong},
			{"inTable", "table", "caller", wrong},
			{"called", "caller", "run", wrong},
		} {
			if q.symbol.Name != c.name || q.kind == "path" {
				continue
			}
			o := outcome{found: map[string]bool{"a.py:" + c.by: true, "a.py:" + c.found: true}}
			if verdict, why := q.judge(o); verdict != c.want {
				t.Errorf("%s, found %s: %s, want %s: %s", c.name, c.found, verdict, c.want, why)
			}
		}
	}
}

func TestACallerIsNamedByTheFunctionsInItThatCall(t *testing.T) {
	symbol := functionsIn("a.ts")
	call := func(from string, alts ...codegraph.Ref) codegraph.Call {
		return codegraph.Call{From: symbol(from).Ref, FromAlts: alts, To: symbol("asked").Ref, Kind: codegraph.Static}
	}
	next, failed := symbol("next").Ref, symbol("error").Ref
	truth := &codegraph.Graph{
		Symbols: []codegraph.Symbol{symbol("asked"), symbol("observe"), symbol("plain")},
		Calls:   []codegraph.Call{call("observe", next), call("observe", failed), call("plain", next), call("plain")},
	}
	var q question
	for _, each := range questionsOf(truth) {
		if each.kind == "callers" {
			q = each
		}
	}
	found := func(names ...string) outcome {
		m := make(map[string]bool)
		for _, name := range names {
			m["a.ts:"+name] = true
		}
		return outcome{found: m}
	}
	for _, c := range []struct {
		o    outcome
		want string
	}{
		{found("observe", "plain"), right},
		{found("next", "error", "plain"), right},
		{found("next", "plain"), wrong},
		{found("next", "error"), wrong},
	} {
		if got, why := q.judge(c.o); got != c.want {
			t.Errorf("%v: %s, want %s: %s", c.o.found, got, c.want, why)
		}
	}
}

func TestAUseInAVariablesValueIsNamedByTheVariable(t *testing.T) {
	symbol := func(name, kind string) codegraph.Symbol {
		return codegraph.Symbol{Ref: codegraph.Ref{Name: name, File: "a.go"}, Kind: kind}
	}
	variable := symbol("variable", "Variable").Ref
	file := codegraph.Ref{Name: codegraph.Module, File: "a.go"}
	stored := func(name string) codegraph.Call {
		return codegraph.Call{From: file, FromAlts: []codegraph.Ref{variable}, To: symbol(name, "").Ref, Kind: codegraph.Reference}
	}
	truth := &codegraph.Graph{
		Symbols: []codegraph.Symbol{symbol("alone", "Function"), symbol("called", "Function"), symbol("caller", "Function")},
		Calls: []codegraph.Call{
			stored("alone"), stored("called"),
			{From: symbol("caller", "").Ref, To: symbol("called", "").Ref, Kind: codegraph.Static},
		},
	}
	got := make(map[string]question)
	for _, q := range questionsOf(truth) {
		got[q.kind+" "+q.symbol.Name] = q
	}
	for _, c := range []struct {
		asked string
		found []string
		want  string
	}{
		{"values alone", []string{"a.go:variable"}, right},
		{"values alone", []string{"a.go:" + codegraph.Module}, right},
		{"values alone", nil, wrong},
		{"callers called", []string{"a.go:caller", "a.go:variable"}, right},
		{"callers called", []string{"a.go:variable"}, wrong},
	} {
		q := got[c.asked]
		o := outcome{found: make(map[string]bool)}
		for _, k := range c.found {
			o.found[k] = true
		}
		if verdict, why := q.judge(o); verdict != c.want {
			t.Errorf("%s, found %v: %s, want %s: %s", c.asked, c.found, verdict, c.want, why)
		}
	}
}

func TestAPathDoesNotChangeBetweenMethodsOfOneName(t *testing.T) {
	method := func(owner, name string) codegraph.Symbol {
		return codegraph.Symbol{Ref: codegraph.Ref{Name: name, File: "a.go", Owner: owner}, Kind: "Method"}
	}
	from, one, other, end := method("", "from"), method("One", "run"), method("Other", "run"), method("", "end")
	truth := &codegraph.Graph{
		Symbols: []codegraph.Symbol{from, one, other, end},
		Calls:   []codegraph.Call{{From: from.Ref, To: one.Ref, Kind: codegraph.Static}, {From: other.Ref, To: end.Ref, Kind: codegraph.Static}},
	}
	for _, q := range questionsOf(truth) {
		if q.kind == "path" {
			t.Errorf("asked how %s reaches %s", q.symbol.Name, q.to.Name)
		}
	}
}

func TestALineBreaksInEachFunctionAroundIt(t *testing.T) {
	truth := &codegraph.Graph{Files: []string{"a.py"}, Symbols: []codegraph.Symbol{
		{Ref: codegraph.Ref{Name: "outer", File: "a.py", Line: 1}, Kind: "function", EndLine: 9},
		{Ref: codegraph.Ref{Name: "inner", File: "a.py", Line: 2}, Kind: "function", EndLine: 4, Local: true},
		{Ref: codegraph.Ref{Name: "other", File: "a.py", Line: 11}, Kind: "function", EndLine: 12},
	}}
	q := question{kind: "signature", want: map[string]bool{"a.py:outer": true}, allow: everything(truth)}
	for name, want := range map[string]string{"a.py:inner": right, "a.py:outer": right, "a.py:other": wrong} {
		o := outcome{found: map[string]bool{name: true}}
		o.keep(truth, &q)
		if got, why := q.judge(o); got != want {
			t.Errorf("%s: %s (%s), want %s", name, got, why, want)
		}
	}
}

func TestIsTest(t *testing.T) {
	for file, want := range map[string]bool{
		"a_test.go": true, "pkg/a.go": false, "tests/a.py": true, "pkg/test_a.py": true, "pkg/testing.py": false, "conftest.py": true,
		"src/__tests__/a.ts": true, "src/a.test.ts": true, "src/internal/testing/a.ts": false, "src/a.spec.tsx": true,
	} {
		if got := isTest(file); got != want {
			t.Errorf("isTest(%s) = %v", file, got)
		}
	}
}

func TestDocAt(t *testing.T) {
	for _, test := range []struct {
		lines       []string
		line        int
		first, last int
		want        string
	}{
		{[]string{"// f adds things.", "// Or not.", "func f() {"}, 3, 0, 1, "f adds things"},
		{[]string{"/**", " * Adds things. More.", " */", "function f() {"}, 4, 0, 2, "Adds things"},
		{[]string{"def f(a,", "      b):", `    """Adds things.`, "", `    More."""`, "    pass"}, 1, 2, 4, "Adds things"},
		{[]string{"x = 1", "func f() {"}, 2, 0, -1, ""},
	} {
		if first, last, got := docAt(test.lines, test.line); first != test.first || last != test.last || got != test.want {
			t.Errorf("%q: lines %d-%d, %q", test.lines, first, last, got)
		}
	}
}

func TestNothingIsAskedWhereNoToolRejectsTypes(t *testing.T) {
	questions, err := new(measure).signatureQuestions(t.Context(), codebase{Name: "a", Language: "javascript"}, sources{}, &codegraph.Graph{})
	if err != nil || len(questions) > 0 {
		t.Fatalf("asked %v of JavaScript (%v)", questions, err)
	}
}
