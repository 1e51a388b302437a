package main

import (
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// printAnswers writes the table, and up to show of the worst cases of each row.
func printAnswers(w io.Writer, rows map[[3]string]*tally, systems []system, show int) {
	sets := make(map[string]bool)
	for at := range rows {
		sets[at[1]] = true
	}
	_, _ = fmt.Fprintln(w, "| question | code | system | asked | right | wrong and sure | silent | bytes | calls |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, kind := range questionKinds {
		for _, set := range slices.Sorted(maps.Keys(sets)) {
			for _, s := range systems {
				t := rows[[3]string{kind.kind, set, s.name}]
				if t == nil {
					continue
				}
				n := t.Right + t.Wrong + t.Silent
				if n == 0 {
					_, _ = fmt.Fprintf(w, "| %s | %s | %s | none | | | | | |\n", kind.title, set, s.name)
					continue
				}
				_, _ = fmt.Fprintf(w, "| %s | %s | %s | %d | %.0f %% | %d | %d | %d | %.1f |\n", kind.title, set, s.name, n,
					100*float64(t.Right)/float64(n), t.Wrong, t.Silent, t.Bytes/n, float64(t.Calls)/float64(n))
			}
		}
	}
	for _, kind := range questionKinds {
		for _, set := range slices.Sorted(maps.Keys(sets)) {
			if t := rows[[3]string{kind.kind, set, systems[0].name}]; t != nil {
				for _, worst := range t.Worst[:min(show, len(t.Worst))] {
					_, _ = fmt.Fprintln(w, "-", worst)
				}
			}
		}
	}
}

var comment = regexp.MustCompile(`^\s*(?://|/\*\*?|\*/?)\s?`)

// docAt finds the comment of what is declared in a line, counted from 1: its first
// and last line, counted from 0, and its first sentence; none where there is none.
func docAt(lines []string, line int) (first, last int, sentence string) {
	var text []string
	first, last = line-1, line-2
	if last < len(lines) && last >= 0 && (comment.MatchString(lines[last]) || strings.HasSuffix(strings.TrimSpace(lines[last]), "*/")) {
		for first = last; first > 0 && comment.MatchString(lines[first-1]); first-- {
		}
		for _, l := range lines[first : last+1] {
			text = append(text, strings.TrimSuffix(comment.ReplaceAllString(l, ""), "*/"))
		}
	} else { // Python: the text that the body begins with
		at := line - 1
		for ; at < min(len(lines), line+15) && !strings.HasSuffix(strings.TrimSpace(lines[at]), ":"); at++ {
		}
		if at+1 >= len(lines) || !regexp.MustCompile(`^\s*r?"""`).MatchString(lines[at+1]) {
			return 0, -1, ""
		}
		first = at + 1
		for last = first; last < len(lines)-1 && strings.Count(strings.Join(lines[first:last+1], "\n"), `"""`) < 2; last++ {
		}
		for _, l := range lines[first : last+1] {
			text = append(text, strings.NewReplacer(`r"""`, "", `"""`, "").Replace(strings.TrimSpace(l)))
		}
	}
	all, _, _ := strings.Cut(strings.TrimSpace(strings.Join(text, "\n")), "\n\n")
	all = strings.Join(strings.Fields(all), " ")
	if at := regexp.MustCompile(`[.!?]\s`).FindStringIndex(all); at != nil {
		all = all[:at[0]]
	}
	return first, last, strings.TrimSuffix(all, ".")
}
