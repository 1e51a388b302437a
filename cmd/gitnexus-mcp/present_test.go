package main

import (
	"strings"
	"testing"
)

func TestPresent(t *testing.T) {
	long := `"` + strings.Repeat("x", 200) + `"`
	lines := strings.Split(present(`{"total":2,"results":[{"rank":1,"id":"Method:a.ts:S.run","line":3},{"rank":2,"id":"File:a.ts"},{"odd":`+long+`}],"note":"n"}`), "\n")
	var got []string
	for _, line := range lines {
		if n := len([]rune(line)); n > 140 {
			t.Errorf("a line of %d characters", n)
		}
		got = append(got, strings.TrimSpace(strings.TrimRight(line, "x…")))
	}
	want := `|total: 2|results:|- S.run (Method) a.ts:3|- a.ts (File)|-|odd: "|note: "n"`
	if strings.Join(got, "|") != want {
		t.Errorf("got %q", got)
	}
	if n := strings.Count(present(`{"a":["`+strings.Repeat(`x","`, 100)+`"]}`), "\n"); n > presentLines {
		t.Errorf("%d lines", n)
	}
	if got := present("plain words"); got != "  plain words" {
		t.Errorf("%q", got)
	}
}
