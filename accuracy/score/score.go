// Package score compares an engine's graph with a ground truth.
//
// Symbols and relations are compared by name, owner and file, never by line.
// Only what lies in the truth's files counts. A relation is a set of pairs: a
// second call of the same function from the same place adds nothing.
package score

import (
	"slices"
	"sort"
	"strings"

	"github.com/gitnexus/gitnexus-mcp/accuracy/codegraph"
)

// MinConfidence is where a relation begins to be a claim; below it is a guess,
// which counts in Result.Bands alone.
const MinConfidence = 0.5

// Result is what one code base scored.
type Result struct {
	Symbols    Figures `json:"symbols"`
	Calls      Figures `json:"calls"`
	References Figures `json:"references"` // of functions and methods that are used as values
	Imports    Figures `json:"imports"`
	Extends    Figures `json:"extends"`
	Implements Figures `json:"implements"`
	// Through counts calls through an interface: any of its method and its implementations is a hit.
	Through Figures `json:"throughInterfaces"`
	Bands   []Band  `json:"bands"`
}

// Figures is the score of one kind of relation.
type Figures struct {
	Truth        int `json:"truth"`
	Engine       int `json:"engine"`
	Right        int `json:"right"`  // of the engine's, those that the truth confirms
	Wrong        int `json:"wrong"`  // of the engine's, those that the truth refutes
	Found        int `json:"found"`  // of the truth's
	Missed       int `json:"missed"` // of the truth's
	Neutral      int `json:"neutral,omitempty"`
	Unverifiable int `json:"unverifiable,omitempty"`
	// What went wrong, sorted.
	WrongOnes  []string `json:"-"`
	MissedOnes []string `json:"-"`
}

// Add sums two scores.
func (f *Figures) Add(g Figures) {
	f.Truth += g.Truth
	f.Engine += g.Engine
	f.Right += g.Right
	f.Wrong += g.Wrong
	f.Found += g.Found
	f.Missed += g.Missed
	f.Neutral += g.Neutral
	f.Unverifiable += g.Unverifiable
}

// Precision is the share of right ones among those that can be judged; 1 when there are none.
func (f Figures) Precision() float64 { return share(f.Right, f.Right+f.Wrong) }

// Recall is the share of the truth that was found; 1 when there is none.
func (f Figures) Recall() float64 { return share(f.Found, f.Found+f.Missed) }

// F1 is the harmonic mean of both.
func (f Figures) F1() float64 {
	p, r := f.Precision(), f.Recall()
	if p+r == 0 {
		return 0
	}
	return 2 * p * r / (p + r)
}

// Empty says that there is nothing to score.
func (f Figures) Empty() bool { return f.Right+f.Wrong+f.Found+f.Missed == 0 }

func share(n, of int) float64 {
	if of == 0 {
		return 1
	}
	return float64(n) / float64(of)
}

// Score compares an engine's graph with the truth.
func Score(truth, engine *codegraph.Graph) Result {
	s := newScope(truth)
	calls, through, bands := s.calls(truth, engine)
	return Result{
		Symbols:    s.symbols(truth, engine),
		Calls:      calls,
		References: s.references(truth, engine),
		Imports:    s.imports(truth, engine),
		Extends:    s.pairs(truth.Extends, engine.Extends),
		Implements: s.pairs(truth.Implements, engine.Implements),
		Through:    through,
		Bands:      bands,
	}
}

// scope is what counts, and how things are named in it.
type scope struct {
	files map[string]bool
	owned map[string]bool // file#owner.name, where the truth knows an owner
	bare  map[string]bool // file#name, where it knows none
}

func newScope(truth *codegraph.Graph) scope {
	s := scope{files: map[string]bool{}, owned: map[string]bool{}, bare: map[string]bool{}}
	for _, f := range truth.Files {
		s.files[f] = true
	}
	for _, sym := range truth.Symbols {
		if sym.Owner != "" {
			s.owned[sym.File+"#"+sym.Owner+"."+sym.Name] = true
		} else {
			s.bare[sym.File+"#"+sym.Name] = true
		}
	}
	return s
}

// key names a symbol. The owner is a part of it, but where the truth knows the
// symbol without one, such as a member of an object literal, an engine may give
// it any.
func (s scope) key(r codegraph.Ref) string {
	plain := r.File + "#" + r.Name
	if r.Owner == "" {
		return plain
	}
	full := r.File + "#" + r.Owner + "." + r.Name
	if !s.owned[full] && s.bare[plain] {
		return plain
	}
	return full
}

func (s scope) keys(refs []codegraph.Ref) []string {
	keys := make([]string, len(refs))
	for i, r := range refs {
		keys[i] = s.key(r)
	}
	return keys
}

// scored are the kinds of symbols that every engine has to know; others, such as
// variables and fields, are neither hits nor errors.
var scored = map[string]bool{"function": true, "method": true, "class": true, "struct": true, "interface": true, "enum": true, "type": true, "typealias": true}

func (s scope) symbols(truth, engine *codegraph.Graph) Figures {
	required, known := set{}, set{}
	for _, sym := range truth.Symbols {
		k := s.key(sym.Ref)
		known.add(k)
		if scored[sym.Kind] && !sym.Local && !sym.Abstract {
			required.add(k)
		}
	}
	claimed := set{}
	for _, sym := range engine.Symbols {
		if s.files[sym.File] && scored[strings.ToLower(sym.Kind)] {
			claimed.add(s.key(sym.Ref))
		}
	}
	return compare(required, known, claimed)
}

func (s scope) imports(truth, engine *codegraph.Graph) Figures {
	folders := truth.Options.ImportTarget == "directory"
	dirs := set{}
	for f := range s.files {
		dirs.add(codegraph.Dir(f))
	}
	// A file stands for its folder, where folders are imported.
	target := func(to string) string {
		if folders && s.files[to] {
			return codegraph.Dir(to)
		}
		return to
	}
	required, known, claimed := set{}, set{}, set{}
	for _, i := range truth.Imports {
		k := i.From + arrow + i.To
		known.add(k)
		if !i.Asset {
			required.add(k)
		}
		for _, to := range i.MayAlso {
			known.add(i.From + arrow + to)
		}
	}
	for _, i := range engine.Imports {
		to := target(i.To)
		if inScope := s.files[i.From] && (s.files[to] || folders && dirs[to]); inScope && i.From != to {
			claimed.add(i.From + arrow + to)
		}
	}
	return compare(required, known, claimed)
}

func (s scope) pairs(truth, engine []codegraph.Pair) Figures {
	of := func(pairs []codegraph.Pair) set {
		keys := set{}
		for _, p := range pairs {
			if s.files[p.From.File] && s.files[p.To.File] {
				keys.add(p.From.File + "#" + p.From.Name + arrow + p.To.File + "#" + p.To.Name)
			}
		}
		return keys
	}
	required := of(truth)
	return compare(required, required, of(engine))
}

const arrow = " -> "

type set map[string]bool

func (s set) add(k string) { s[k] = true }

// find counts which relations are claimed that have to be found: any of the pairs that are as good will do.
func (f *Figures) find(wanted map[string][]string, claimed func(pair string) bool) {
	f.Truth = len(wanted)
	for k, pairs := range wanted {
		if slices.ContainsFunc(pairs, claimed) {
			f.Found++
		} else {
			f.Missed++
			f.MissedOnes = append(f.MissedOnes, k)
		}
	}
	sort.Strings(f.MissedOnes)
}

// compare judges what is claimed: right if required, neutral if known, else wrong.
func compare(required, known, claimed set) Figures {
	f := Figures{Truth: len(required), Engine: len(claimed)}
	for k := range claimed {
		switch {
		case required[k]:
			f.Right++
		case known[k]:
			f.Neutral++
		default:
			f.Wrong++
			f.WrongOnes = append(f.WrongOnes, k)
		}
	}
	for k := range required {
		if claimed[k] {
			f.Found++
		} else {
			f.Missed++
			f.MissedOnes = append(f.MissedOnes, k)
		}
	}
	sort.Strings(f.WrongOnes)
	sort.Strings(f.MissedOnes)
	return f
}
