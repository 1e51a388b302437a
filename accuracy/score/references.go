package score

import (
	"strings"

	"github.com/gitnexus/gitnexus-mcp/accuracy/codegraph"
)

// references scores where functions and methods are used as values. What a class or
// a variable is used for the truth does not say, so references of these do not count;
// a place that the truth knows to call the function is neither a hit nor an error.
// What reads a property runs it, which a truth has as a reference and the engine as a
// call: where the truth knows no call of it from there, either is right. What the
// engine has as a class or a variable may have the name of a function in the same
// file: it counts only where it is right.
func (s scope) references(truth, engine *codegraph.Graph) Figures {
	functions, known, runs := set{}, set{}, set{}
	for _, sym := range truth.Symbols {
		if kind := strings.ToLower(sym.Kind); kind == "function" || kind == "method" {
			functions.add(s.key(sym.Ref))
		}
	}
	required := map[string][]string{}
	for _, c := range truth.Calls {
		froms := append([]string{s.key(c.From)}, s.keys(c.FromAlts)...)
		pairs := cross(froms, append([]string{s.key(c.To)}, s.keys(c.ToAlts)...))
		if c.Kind == codegraph.Reference && functions[s.key(c.To)] {
			required[pairs[0]] = append(required[pairs[0]], pairs...)
		}
		if c.Kind != codegraph.Reference {
			for _, p := range pairs {
				runs.add(p)
			}
		}
		for _, p := range append(pairs, cross(append(froms, s.keys(c.FromCoarse)...), append(s.keys(c.MayAlso), s.key(c.To)))...) {
			known.add(p)
		}
	}
	right, claimed, called := set{}, set{}, set{}
	for _, pairs := range required {
		for _, p := range pairs {
			right.add(p)
		}
	}
	kinds := map[codegraph.Ref]string{}
	for _, sym := range engine.Symbols {
		kinds[sym.Ref] = strings.ToLower(sym.Kind)
	}
	for _, r := range engine.References {
		to := s.key(r.To)
		if r.Confidence < MinConfidence || !s.files[r.From.File] || !functions[to] {
			continue
		}
		kind, known := kinds[r.To]
		if p := s.key(r.From) + arrow + to; !known || kind == "function" || kind == "method" || right[p] {
			claimed.add(p)
		}
	}
	for _, c := range engine.Calls {
		if p := s.key(c.From) + arrow + s.key(c.To); c.Confidence >= MinConfidence && !runs[p] {
			called.add(p)
		}
	}
	f := compare(right, known, claimed)
	// Pairs that are as good are one that has to be found.
	f.Truth, f.Found, f.Missed, f.MissedOnes = len(required), 0, 0, nil
	f.find(required, func(p string) bool { return claimed[p] || called[p] })
	return f
}
