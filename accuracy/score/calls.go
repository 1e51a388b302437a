package score

import (
	"sort"
	"strings"

	"github.com/gitnexus/gitnexus-mcp/accuracy/codegraph"
)

// Band is a range of confidences, and what became of the calls in it.
type Band struct {
	From         float64 `json:"from"` // inclusive
	To           float64 `json:"to"`   // exclusive; the last one includes 1
	Right        int     `json:"right"`
	Wrong        int     `json:"wrong"`
	Unverifiable int     `json:"unverifiable"`
	Said         float64 `json:"said"` // sum of the confidences of right and wrong ones
	// Wrong ones, sorted.
	WrongOnes []string `json:"-"`
}

func newBands() []Band {
	return []Band{{From: 0.9, To: 1}, {From: 0.7, To: 0.9}, {From: 0.5, To: 0.7}, {From: 0, To: 0.5}}
}

// verdict is what the truth says of a call that an engine claims.
type verdict int

const (
	wrong verdict = iota
	unverifiable
	// neutral calls exist, but no engine has to have them.
	neutral
	right
)

// stored is how sure an engine is at most that a call of a value runs a function that was put there.
const stored = 0.5

// callTruth answers for every pair of caller and callee.
type callTruth struct {
	scope
	required map[string][]string // a call that has to be found: pairs that are as good
	through  map[string][]string // a call through an interface: pairs that are as good
	right    set
	neutral  set
	dynamic  set // caller and name of calls that nobody can resolve
	loose    set // callers of such calls
	around   set // functions in whose code one without a name stands
	taken    set // functions and classes whose value is taken, and the constructors of these
	keyed    set // callers of what a key chooses: table[key]()
	members  set // functions in object literals
	python   bool
}

func (s scope) callTruth(truth *codegraph.Graph) callTruth {
	t := callTruth{scope: s, required: map[string][]string{}, through: map[string][]string{},
		right: set{}, neutral: set{}, dynamic: set{}, loose: set{}, around: set{}, taken: set{}, keyed: set{}, members: set{}, python: truth.Language == "python"}
	for _, c := range truth.Calls {
		froms, tos := append([]string{s.key(c.From)}, s.keys(c.FromAlts)...), append([]string{s.key(c.To)}, s.keys(c.ToAlts)...)
		coarse := s.keys(c.FromCoarse)
		pairs := cross(froms, tos)
		switch c.Kind {
		case codegraph.Static, codegraph.Construct:
			t.required[pairs[0]] = append(t.required[pairs[0]], pairs...)
			for _, p := range pairs {
				t.right.add(p)
			}
		case codegraph.Interface:
			t.through[pairs[0]] = append(t.through[pairs[0]], pairs...)
			fallthrough
		default:
			for _, p := range pairs {
				t.neutral.add(p)
			}
		}
		if c.Kind == codegraph.Reference {
			t.taken.add(tos[0])
		}
		for _, p := range cross(coarse, tos) {
			t.neutral.add(p)
		}
		for _, p := range cross(append(froms, coarse...), s.keys(c.MayAlso)) {
			t.neutral.add(p)
		}
	}
	for _, u := range truth.Unresolved {
		for _, from := range append([]string{s.key(u.From)}, s.keys(u.FromAlts)...) {
			t.dynamic.add(from + arrow + u.To.Name)
			if u.Kind != codegraph.Reference { // a property that is read calls nothing but what has its name
				t.loose.add(from)
			}
			if u.To.Name == codegraph.Keyed {
				t.keyed.add(from)
			}
		}
	}
	for _, ref := range truth.Around {
		t.around.add(s.key(ref))
	}
	for _, to := range truth.Taken {
		t.taken.add(s.key(to))
	}
	for _, sym := range truth.Symbols {
		if sym.Kind == "method" && sym.Owner == "" {
			t.members.add(s.key(sym.Ref))
		}
	}
	return t
}

func cross(froms, tos []string) []string {
	pairs := make([]string, 0, len(froms)*len(tos))
	for _, from := range froms {
		for _, to := range tos {
			pairs = append(pairs, from+arrow+to)
		}
	}
	return pairs
}

// judge says what a claimed call is. A special method of Python is unverifiable: operators, loops
// and with run it without a name that the checker could lead anywhere. So is a call when the caller has an
// unresolvable call of that name, or one of any name while the callee's value
// is taken somewhere or the callee calls an object of Python, or one that a key
// chooses and the callee is in an object literal: the checker cannot say that it does not happen.
// A function without a name is told as the one around it; which of them such a call runs the checker
// cannot say either. What an engine is surer of than of a stored function is judged.
func (t callTruth) judge(from, to codegraph.Ref, confidence float64) verdict {
	caller, callee := t.key(from), t.key(to)
	pair := caller + arrow + callee
	switch {
	case t.right[pair]:
		return right
	case t.neutral[pair]:
		return neutral
	case t.python && isSpecial(to.Name):
		return unverifiable
	case t.dynamic[caller+arrow+to.Name], t.loose[caller] && (t.taken[callee] || t.python && to.Name == "__call__"), t.keyed[caller] && t.members[callee], confidence <= stored && t.loose[caller] && t.around[callee]:
		return unverifiable
	}
	return wrong
}

// isSpecial says whether Python runs a method by itself, as dict(x) does x's keys. What makes an object, or calls it, stands there as a call.
func isSpecial(name string) bool {
	return name == "keys" || len(name) > 4 && strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__") && name != "__init__" && name != "__new__" && name != "__call__"
}

func (s scope) calls(truth, engine *codegraph.Graph) (calls, through Figures, bands []Band) {
	type claim struct {
		from, to   codegraph.Ref
		confidence float64
	}
	claims := map[string]claim{}
	for _, c := range engine.Calls {
		if !s.files[c.From.File] || !s.files[c.To.File] {
			continue
		}
		k := s.key(c.From) + arrow + s.key(c.To)
		if old, ok := claims[k]; !ok || old.confidence < c.Confidence {
			claims[k] = claim{c.From, c.To, c.Confidence}
		}
	}
	t := s.callTruth(truth)
	bands = newBands()
	for k, c := range claims {
		v := t.judge(c.from, c.to, c.confidence)
		band(bands, c.confidence).count(v, c.confidence, k)
		if c.confidence < MinConfidence {
			continue
		}
		calls.Engine++
		switch v {
		case right:
			calls.Right++
		case neutral:
			calls.Neutral++
		case unverifiable:
			calls.Unverifiable++
		case wrong:
			calls.Wrong++
			calls.WrongOnes = append(calls.WrongOnes, k)
		}
	}
	claimed := func(pair string) bool { c, ok := claims[pair]; return ok && c.confidence >= MinConfidence }
	calls.find(t.required, claimed)
	through.find(t.through, claimed)
	sort.Strings(calls.WrongOnes)
	for i := range bands {
		sort.Strings(bands[i].WrongOnes)
	}
	return calls, through, bands
}

func band(bands []Band, confidence float64) *Band {
	for i := range bands {
		// Confidences have single precision on their way: 0.9 may come as 0.8999999.
		if confidence >= bands[i].From-1e-6 {
			return &bands[i]
		}
	}
	return &bands[len(bands)-1]
}

// count notes a call. A neutral one is right: the call exists.
func (b *Band) count(v verdict, confidence float64, k string) {
	switch v {
	case right, neutral:
		b.Right++
		b.Said += confidence
	case wrong:
		b.Wrong++
		b.Said += confidence
		b.WrongOnes = append(b.WrongOnes, k)
	case unverifiable:
		b.Unverifiable++
	}
}

// Add sums two bands of one range.
func (b *Band) Add(c Band) {
	b.Right += c.Right
	b.Wrong += c.Wrong
	b.Unverifiable += c.Unverifiable
	b.Said += c.Said
}

// Share is the share of right calls among those that can be judged.
func (b Band) Share() float64 { return share(b.Right, b.Right+b.Wrong) }

// Mean is the confidence that the band's calls claim on average.
func (b Band) Mean() float64 {
	if b.Right+b.Wrong == 0 {
		return 0
	}
	return b.Said / float64(b.Right+b.Wrong)
}
