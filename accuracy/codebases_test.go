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
