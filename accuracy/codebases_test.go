package main

import "testing"

func TestEveryLanguageHasItsCodeBases(t *testing.T) {
	list, err := loadCodebases()
	if err != nil {
		t.Fatal(err)
	}
	open, heldOut := map[string]int{}, map[string]int{}
	for _, c := range list {
		if c.HeldOut {
			heldOut[c.Language]++
		} else {
			open[c.Language]++
		}
	}
	for _, language := range languages {
		if open[language] < 4 || heldOut[language] < 3 {
			t.Errorf("%s: %d open and %d held out", language, open[language], heldOut[language])
		}
	}
}

func TestChoosingLeavesTheListAsItIs(t *testing.T) {
	all := []codebase{{Name: "a", HeldOut: true}, {Name: "b"}}
	chosen, err := choose(all, false, "")
	if err != nil || len(chosen) != 1 || chosen[0].Name != "b" {
		t.Errorf("chosen %v, %v", chosen, err)
	}
	if all[0].Name != "a" || all[1].Name != "b" {
		t.Errorf("left %v", all)
	}
}
