package gotruth

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gitnexus/gitnexus-mcp/accuracy/codegraph"
)

func show(r codegraph.Ref) string {
	if r.Owner != "" {
		return r.Owner + "." + r.Name
	}
	return r.Name
}

func TestWhatTheCheckerSees(t *testing.T) {
	g, err := Generate("testdata/module")
	if err != nil || len(g.Errors) > 0 {
		t.Fatal(err, g)
	}
	var got []string
	for _, c := range g.Calls {
		text := fmt.Sprintf("%s: %s > %s", c.Kind, show(c.From), show(c.To))
		for _, alt := range c.FromAlts {
			text += " from " + show(alt)
		}
		var alts []string
		for _, alt := range c.ToAlts {
			alts = append(alts, " or "+show(alt))
		}
		slices.Sort(alts)
		for _, alt := range alts {
			text += alt
		}
		got = append(got, text)
	}
	for _, p := range g.Extends {
		got = append(got, "extends: "+show(p.From)+" > "+show(p.To))
	}
	for _, p := range g.Implements {
		got = append(got, "implements: "+show(p.From)+" > "+show(p.To))
	}
	for _, i := range g.Imports {
		got = append(got, "imports: "+i.From+" > "+i.To)
	}
	for _, ref := range g.Around {
		got = append(got, "around: "+show(ref))
	}
	slices.Sort(got)
	want := []string{
		"around: main",
		"around: show",
		"extends: logged > Memory",
		"implements: Last > Keeper",
		"implements: List > Keeper",
		"implements: Memory > Store",
		"implements: ints > Same",
		"implements: logged > Store",
		"implements: mixed > Same",
		"implements: tag > named",
		"imports: main.go > store",
		// The implementation in main is one of the package without its tests, and is there for the one with them too.
		// A Keeper is whatever has the methods of some instance of it.
		"interface: All > Keeper.Keep or Last.Keep or List.Keep",
		"interface: Fill > Keeper.Keep or Last.Keep or List.Keep",
		"interface: TestGet > Store.Get or Memory.Get or logged.Get",
		"interface: alike > Same.Is or ints.Is or mixed.Is",
		"interface: show > Store.Get or Memory.Get or logged.Get",
		"other: New > Memory",
		"other: alikes > mixed",
		"other: fill > Last",
		"other: fill > List",
		"other: fill > None",
		"other: handed > byLength",
		"other: main > each",
		"other: main > logged",
		// What the library may run of what it is handed.
		"possible: handed > byLength.Len",
		"possible: handed > byLength.Less",
		"possible: handed > byLength.Swap",
		"possible: handed > level.MarshalText",
		// A method of an interface that is handed on.
		"possible: reader > Memory.Get",
		"possible: reader > logged.Get",
		"possible: said > named.String",
		"possible: said > tag.String",
		"static: TestGet > New",
		"static: alikes > alike",
		"static: fill > All",
		"static: fill > Fill",
		"static: logged.Get > Memory.Get",
		"static: main > New",
		"static: main > show",
		"static: main > show from each",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
