package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/gitnexus/gitnexus-mcp/accuracy/score"
)

// relations of a result, in the report's order.
var relations = []struct {
	name string
	of   func(*score.Result) *score.Figures
}{
	{"symbols", func(r *score.Result) *score.Figures { return &r.Symbols }},
	{"CALLS", func(r *score.Result) *score.Figures { return &r.Calls }},
	{"REFERENCES", func(r *score.Result) *score.Figures { return &r.References }},
	{"IMPORTS", func(r *score.Result) *score.Figures { return &r.Imports }},
	{"EXTENDS", func(r *score.Result) *score.Figures { return &r.Extends }},
	{"IMPLEMENTS", func(r *score.Result) *score.Figures { return &r.Implements }},
	{"through interfaces", func(r *score.Result) *score.Figures { return &r.Through }},
}

// totals sums the rows of one language.
func totals(rows []row, language string) (total row, count int) {
	total.Name, total.Language = "all", language
	for _, r := range rows {
		if r.Language != language {
			continue
		}
		count++
		total.Files += r.Files
		total.Seconds += r.Seconds
		for _, rel := range relations {
			rel.of(&total.Result).Add(*rel.of(&r.Result))
		}
		for i, b := range r.Result.Bands {
			if i == len(total.Result.Bands) {
				total.Result.Bands = append(total.Result.Bands, score.Band{From: b.From, To: b.To})
			}
			total.Result.Bands[i].Add(b)
		}
	}
	return total, count
}

// report prints the tables, as Markdown, and up to `show` errors of each kind.
func report(w io.Writer, rows []row, show int) {
	for _, language := range languages {
		total, count := totals(rows, language)
		if count == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s: F1, and precision / recall where they are not both 100\n\n", language)
		t := tabwriter.NewWriter(w, 0, 0, 1, ' ', 0)
		fmt.Fprint(t, "| code base\t| files\t| symbols\t| CALLS\t| REFERENCES\t| IMPORTS\t| EXTENDS\t| IMPLEMENTS\t| through interfaces\t|\n|")
		for range len(relations) + 2 {
			fmt.Fprint(t, " ---\t|")
		}
		fmt.Fprintln(t)
		for _, r := range rows {
			if r.Language == language {
				line(t, r)
			}
		}
		if count > 1 {
			line(t, total)
		}
		_ = t.Flush()
	}
	fmt.Fprint(w, "\nCALLS by confidence: the share that is right, of how many, and the confidence said on average\n\n")
	t := tabwriter.NewWriter(w, 0, 0, 1, ' ', 0)
	fmt.Fprint(t, "| language\t| 0.9 to 1\t| 0.7 to 0.9\t| 0.5 to 0.7\t| under 0.5\t|\n| ---\t| ---\t| ---\t| ---\t| ---\t|\n")
	for _, language := range languages {
		total, count := totals(rows, language)
		if count == 0 {
			continue
		}
		fmt.Fprintf(t, "| %s\t|", language)
		for _, b := range total.Result.Bands {
			if n := b.Right + b.Wrong; n == 0 {
				fmt.Fprint(t, " none\t|")
			} else {
				fmt.Fprintf(t, " %.1f %% of %d, said %.2f\t|", 100*b.Share(), n, b.Mean())
			}
		}
		fmt.Fprintln(t)
	}
	_ = t.Flush()
	if show > 0 {
		mistakes(w, rows, show)
	}
}

func line(w io.Writer, r row) {
	name := r.Name
	if r.HeldOut {
		name += " (held out)"
	}
	fmt.Fprintf(w, "| %s\t| %d\t|", name, r.Files)
	for _, rel := range relations {
		f := *rel.of(&r.Result)
		switch {
		case f.Truth == 0 && f.Right+f.Wrong == 0:
			fmt.Fprint(w, " none\t|")
		case rel.name == "through interfaces": // only recall means anything: see score.Result
			fmt.Fprintf(w, " %.1f of %d\t|", 100*f.Recall(), f.Truth)
		case f.Wrong == 0 && f.Missed == 0:
			fmt.Fprintf(w, " 100 of %d\t|", f.Truth)
		default:
			fmt.Fprintf(w, " %.1f (%.1f / %.1f) of %d\t|", 100*f.F1(), 100*f.Precision(), 100*f.Recall(), f.Truth)
		}
	}
	fmt.Fprintln(w)
}

// errors prints what the engine got wrong.
func mistakes(w io.Writer, rows []row, show int) {
	print := func(title string, all []string) {
		if len(all) == 0 {
			return
		}
		fmt.Fprintf(w, "\n%s: %d\n", title, len(all))
		// Spread over the whole list, which is sorted by file.
		step := max(1, len(all)/show)
		for i := 0; i < len(all) && i/step < show; i += step {
			fmt.Fprintln(w, "  "+all[i])
		}
	}
	for _, r := range rows {
		for _, rel := range relations {
			f := rel.of(&r.Result)
			print(r.Name+", "+rel.name+", wrong", f.WrongOnes)
			print(r.Name+", "+rel.name+", missed", f.MissedOnes)
		}
		for _, b := range r.Result.Bands {
			print(fmt.Sprintf("%s, calls said %.1f to %.1f sure, wrong", r.Name, b.From, b.To), b.WrongOnes)
		}
	}
}

func writeJSON(name string, rows []row) error {
	data, err := json.MarshalIndent(rows, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(data, '\n'), 0o644)
}
