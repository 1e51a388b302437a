package score

import (
	"testing"

	cg "github.com/gitnexus/gitnexus-mcp/accuracy/codegraph"
)

func TestReferencesOfFunctionsAreRightWrongOrMissed(t *testing.T) {
	f, g, class := fn("f"), fn("g"), fn("C")
	taken := kind(call(f, g), cg.Reference)
	within := taken
	within.FromAlts = []cg.Ref{fn("closure")}
	for _, tt := range []struct {
		name                          string
		truth, claim                  cg.Call
		right, wrong, missed, neutral int
	}{
		{"the same", taken, call(f, g), 1, 0, 0, 0},
		{"from a closure that is as good", within, call(fn("closure"), g), 1, 0, 0, 0},
		{"from elsewhere", taken, call(fn("h"), g), 0, 1, 1, 0},
		{"a guess", taken, sure(call(f, g), 0.4), 0, 0, 1, 0},
		{"what is called there", call(f, g), call(f, g), 0, 0, 0, 1},
		{"a class, of which the truth says nothing", taken, call(f, class), 0, 0, 1, 0},
	} {
		base := truth(tt.truth)
		base.Symbols = []cg.Symbol{{Ref: g, Kind: "function"}, {Ref: class, Kind: "class"}}
		got := Score(base, &cg.Graph{References: []cg.Call{tt.claim}}).References
		if got.Right != tt.right || got.Wrong != tt.wrong || got.Missed != tt.missed || got.Neutral != tt.neutral {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}

func TestAReferenceIsFoundByACallOfWhatIsNotCalledThere(t *testing.T) {
	f, g := fn("f"), fn("g")
	taken := kind(call(f, g), cg.Reference)
	for _, tt := range []struct {
		name   string
		truth  []cg.Call
		called cg.Call
		missed int
	}{
		{"a property that is read", []cg.Call{taken}, call(f, g), 0},
		{"a guess", []cg.Call{taken}, sure(call(f, g), 0.4), 1},
		{"from elsewhere", []cg.Call{taken}, call(fn("h"), g), 1},
		{"what is called there, too", []cg.Call{taken, call(f, g)}, call(f, g), 1},
	} {
		base := truth(tt.truth...)
		base.Symbols = []cg.Symbol{{Ref: g, Kind: "method"}}
		got := Score(base, &cg.Graph{Calls: []cg.Call{tt.called}}).References
		if got.Missed != tt.missed || got.Wrong != 0 {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}

func TestAReferenceOfAClassOrVariableCountsWhereItIsRight(t *testing.T) {
	f, g := fn("f"), fn("g")
	variable := g
	variable.Line = 7
	for _, tt := range []struct {
		name         string
		truth        []cg.Call
		to           cg.Ref
		right, wrong int
	}{
		{"a variable with the name of a function", nil, variable, 0, 0},
		{"what the truth has as a function", []cg.Call{kind(call(f, g), cg.Reference)}, variable, 1, 0},
		{"a function", nil, g, 0, 1},
	} {
		base := truth(tt.truth...)
		base.Symbols = []cg.Symbol{{Ref: g, Kind: "function"}}
		engine := &cg.Graph{Symbols: []cg.Symbol{{Ref: g, Kind: "Function"}, {Ref: variable, Kind: "Variable"}}, References: []cg.Call{sure(call(f, tt.to), 1)}}
		if got := Score(base, engine).References; got.Right != tt.right || got.Wrong != tt.wrong {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}
