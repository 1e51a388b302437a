package score

import (
	"slices"
	"testing"

	cg "github.com/gitnexus/gitnexus-mcp/accuracy/codegraph"
)

func fn(name string) cg.Ref            { return cg.Ref{Name: name, File: "a.go"} }
func method(owner, name string) cg.Ref { return cg.Ref{Name: name, File: "a.go", Owner: owner} }
func call(from, to cg.Ref) cg.Call {
	return cg.Call{From: from, To: to, Kind: cg.Static, Confidence: 1}
}
func truth(calls ...cg.Call) *cg.Graph {
	return &cg.Graph{Files: []string{"a.go", "b/b.go"}, Calls: calls}
}
func claims(calls ...cg.Call) *cg.Graph     { return &cg.Graph{Calls: calls} }
func sure(c cg.Call, p float64) cg.Call     { c.Confidence = p; return c }
func kind(c cg.Call, k cg.CallKind) cg.Call { c.Kind = k; return c }

func TestATruthAgainstItselfIsPerfect(t *testing.T) {
	g := truth(call(fn("f"), fn("g")), call(fn("g"), method("T", "run")))
	g.Symbols = []cg.Symbol{{Ref: fn("f"), Kind: "function"}, {Ref: method("T", "run"), Kind: "method"}}
	g.Imports = []cg.Import{{From: "a.go", To: "b/b.go"}}
	g.Extends = []cg.Pair{{From: fn("T"), To: fn("U")}}
	g.Implements = []cg.Pair{{From: fn("T"), To: fn("I")}}
	r := Score(g, g)
	for name, f := range map[string]Figures{"symbols": r.Symbols, "calls": r.Calls, "imports": r.Imports, "extends": r.Extends, "implements": r.Implements} {
		if f.F1() != 1 || f.Truth == 0 || f.Right != f.Truth {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

func TestCallsAreRightWrongMissedOrNotJudged(t *testing.T) {
	f, g, h := fn("f"), fn("g"), fn("h")
	within := call(f, g)
	within.FromAlts = []cg.Ref{fn("closure")}
	coarse := call(method("T", "run"), g)
	coarse.FromCoarse = []cg.Ref{fn("T")}
	built := kind(call(f, fn("T")), cg.Construct)
	built.ToAlts = []cg.Ref{method("T", "constructor")}
	virtual := call(f, method("Base", "m"))
	virtual.MayAlso = []cg.Ref{method("Sub", "m")}
	through := kind(call(f, method("I", "m")), cg.Interface)
	through.ToAlts = []cg.Ref{method("Impl", "m")}
	dynamic := truth(call(f, g), kind(call(h, g), cg.Reference))
	dynamic.Unresolved = []cg.Call{{From: f, To: cg.Ref{Name: "callback"}}}
	read := truth(call(f, g), kind(call(h, fn("taken")), cg.Reference))
	read.Unresolved = []cg.Call{{From: f, To: cg.Ref{Name: "size"}, Kind: cg.Reference}}
	keyed := truth(call(f, g))
	keyed.Symbols = []cg.Symbol{{Ref: h, Kind: "method"}, {Ref: fn("i"), Kind: "function"}}
	keyed.Unresolved = []cg.Call{{From: f, To: cg.Ref{Name: cg.Keyed}}}

	around := truth(call(f, g))
	around.Around = []cg.Ref{h}
	around.Unresolved = []cg.Call{{From: f, To: cg.Ref{Name: "callback"}}}

	classes := truth(call(f, g))
	classes.Language = "python"
	classes.Taken = []cg.Ref{fn("T"), method("T", "__init__")}
	classes.Unresolved = []cg.Call{{From: f, To: cg.Ref{Name: "make"}}}
	operators := truth(call(f, g))
	operators.Language = "python"

	for _, tt := range []struct {
		name                            string
		truth                           *cg.Graph
		claim                           []cg.Call
		right, wrong, missed, unclaimed int
	}{
		{"the same call", truth(call(f, g)), []cg.Call{call(f, g)}, 1, 0, 0, 0},
		{"the same call twice", truth(call(f, g)), []cg.Call{call(f, g), call(f, g)}, 1, 0, 0, 0},
		{"nothing", truth(call(f, g)), nil, 0, 0, 1, 0},
		{"the wrong way round", truth(call(f, g)), []cg.Call{call(g, f)}, 0, 1, 1, 0},
		{"a guess", truth(call(f, g)), []cg.Call{sure(call(f, g), 0.4)}, 0, 0, 1, 0},
		{"a function in another file", truth(call(f, g)), []cg.Call{call(f, cg.Ref{Name: "g", File: "b/b.go"})}, 0, 1, 1, 0},
		{"a file that does not count", truth(call(f, g)), []cg.Call{call(f, cg.Ref{Name: "g", File: "vendor/g.go"})}, 0, 0, 1, 0},
		{"another class", truth(call(f, method("T", "run"))), []cg.Call{call(f, method("U", "run"))}, 0, 1, 1, 0},
		{"from a closure that is as good", truth(within), []cg.Call{call(fn("closure"), g)}, 1, 0, 0, 0},
		{"from a class, which is too coarse", truth(coarse), []cg.Call{call(fn("T"), g)}, 0, 0, 1, 1},
		{"the constructor for the class", truth(built), []cg.Call{call(f, method("T", "constructor"))}, 1, 0, 0, 0},
		{"an overriding method too", truth(virtual), []cg.Call{call(f, method("Base", "m")), call(f, method("Sub", "m"))}, 1, 0, 0, 1},
		{"through an interface", truth(through), []cg.Call{call(f, method("I", "m")), call(f, method("Impl", "m"))}, 0, 0, 0, 2},
		{"what is not called but passed on", truth(kind(call(f, g), cg.Reference)), []cg.Call{call(f, g)}, 0, 0, 0, 1},
		{"what a dynamic call may reach by name", dynamic, []cg.Call{call(f, g), call(f, fn("callback"))}, 1, 0, 0, 1},
		{"a getter that is read of an object of no type", read, []cg.Call{call(f, g), call(f, method("T", "size"))}, 1, 0, 0, 1},
		{"what is stored, where a property is read of an object of no type", read, []cg.Call{call(f, g), call(f, fn("taken"))}, 1, 1, 0, 0},
		{"what a key may choose from an object literal", keyed, []cg.Call{call(f, g), call(f, h), call(f, fn("i"))}, 1, 1, 0, 1},
		{"a function without a name, as the one around it", around, []cg.Call{call(f, g), sure(call(f, h), 0.5)}, 1, 0, 0, 1},
		{"that of what calls no value", around, []cg.Call{call(f, g), sure(call(g, h), 0.5)}, 1, 1, 0, 0},
		{"that as surely as a call", around, []cg.Call{call(f, g), sure(call(f, h), 0.9)}, 1, 1, 0, 0},
		{"what an operator runs", operators, []cg.Call{call(f, g), call(f, method("T", "__add__")), call(f, method("T", "__init__"))}, 1, 1, 0, 1},
		{"a class that a dynamic call may reach", classes, []cg.Call{call(f, g), call(f, fn("T")), call(f, method("T", "__init__")), call(f, method("U", "__init__"))}, 1, 1, 0, 2},
		{"an object that a dynamic call may reach", classes, []cg.Call{call(f, g), call(f, method("U", "__call__")), call(g, method("U", "__call__"))}, 1, 1, 0, 1},
		{"what a dynamic call may reach as a value", dynamic, []cg.Call{call(f, g), call(f, h)}, 1, 1, 0, 0},
	} {
		got := Score(tt.truth, claims(tt.claim...)).Calls
		if got.Right != tt.right || got.Wrong != tt.wrong || got.Missed != tt.missed || got.Neutral+got.Unverifiable != tt.unclaimed {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}

func TestCallsThroughInterfacesAreFoundByAnyTarget(t *testing.T) {
	c := kind(call(fn("f"), method("I", "m")), cg.Interface)
	c.ToAlts = []cg.Ref{method("Impl", "m")}
	for _, to := range []cg.Ref{method("I", "m"), method("Impl", "m")} {
		if r := Score(truth(c), claims(call(fn("f"), to))); r.Through.Found != 1 || r.Calls.Wrong != 0 {
			t.Errorf("%v: %+v", to, r.Through)
		}
	}
	if r := Score(truth(c), claims()); r.Through.Missed != 1 {
		t.Errorf("nothing claimed: %+v", r.Through)
	}
}

func TestBandsSayHowManyOfTheirCallsAreRight(t *testing.T) {
	f := fn("f")
	r := Score(truth(call(f, fn("a")), call(f, fn("b"))), claims(
		sure(call(f, fn("a")), 1), sure(call(f, fn("x")), 0.9), sure(call(f, fn("b")), 0.6), sure(call(f, fn("y")), 0.4)))
	shares := []float64{}
	for _, b := range r.Bands {
		shares = append(shares, b.Share())
	}
	if want := []float64{0.5, 1, 1, 0}; !slices.Equal(shares, want) || r.Bands[0].Mean() != 0.95 || r.Bands[1].Right != 0 {
		t.Errorf("got %v, want %v: %+v", shares, want, r.Bands)
	}
}

func TestSymbolsCountByNameAndOwner(t *testing.T) {
	g := truth()
	g.Symbols = []cg.Symbol{
		{Ref: fn("f"), Kind: "function"}, {Ref: method("T", "m"), Kind: "method"}, {Ref: method("T", "x"), Kind: "property"},
		{Ref: fn("inner"), Kind: "function", Local: true}, {Ref: fn("member"), Kind: "method", Local: true}, {Ref: method("I", "m"), Kind: "method", Abstract: true},
	}
	engine := &cg.Graph{Symbols: []cg.Symbol{
		{Ref: fn("f"), Kind: "Function"}, {Ref: method("T", "m"), Kind: "Method"}, {Ref: method("I", "m"), Kind: "Method"},
		{Ref: method("object", "member"), Kind: "Method"}, {Ref: fn("invented"), Kind: "Function"}, {Ref: fn("v"), Kind: "Variable"},
	}}
	got := Score(g, engine).Symbols
	if got.Truth != 2 || got.Right != 2 || got.Neutral != 2 || !slices.Equal(got.WrongOnes, []string{"a.go#invented"}) {
		t.Errorf("%+v", got)
	}
}

func TestImportsOfAFolderAreMetByAnyFileInIt(t *testing.T) {
	g := truth()
	g.Options.ImportTarget = "directory"
	g.Imports = []cg.Import{{From: "a.go", To: "b"}}
	for to, want := range map[string]int{"b/b.go": 1, "b": 1, "c": 0} {
		if got := Score(g, &cg.Graph{Imports: []cg.Import{{From: "a.go", To: to}}}).Imports; got.Right != want || got.Missed != 1-want {
			t.Errorf("%s: %+v", to, got)
		}
	}
}
