package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gitnexus/gitnexus-mcp/accuracy/codegraph"
)

// place is a line of a file, from the root.
type place struct {
	file string
	line int
}

// happened is a call that was seen while tests ran: where what was called begins,
// and the line that called it.
type happened struct {
	callee, caller place
	name, by       string // of what was called and of what called it, from recorders that tell names
}

// readRan reads what the recorders wrote, of calls from within the module.
func readRan(dir, told string) ([]happened, error) {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	at := func(file, line string) (place, bool) {
		rel, err := filepath.Rel(root, file)
		n, bad := strconv.Atoi(line)
		return place{filepath.ToSlash(rel), n}, err == nil && bad == nil && filepath.IsLocal(rel)
	}
	files, err := os.ReadDir(told)
	if err != nil {
		return nil, err
	}
	seen := make(map[happened]bool)
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(told, f.Name()))
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(data)) {
			parts := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			if len(parts) != 4 && len(parts) != 6 {
				continue // the process ended as it wrote
			}
			var name, by string
			if len(parts) == 6 {
				name, by = parts[4], parts[5]
			}
			callee, ok := at(parts[0], parts[1])
			caller, own := at(parts[2], parts[3])
			if ok && own {
				seen[happened{callee, caller, name, by}] = true
			}
		}
	}
	calls := make([]happened, 0, len(seen))
	for call := range seen {
		calls = append(calls, call)
	}
	return calls, nil
}

// ran counts the calls that happened by what the graph says of them.
type ran struct {
	sure, possible, missing int
	own, missingOwn         int // of calls that no test makes
	causes                  map[string]int
	lines                   []string // what is missing, for a reader
}

// The causes of what is missing.
const (
	named    = "the line names the function, on a value whose type is not known"
	unnamed  = "the line calls a value"
	implicit = "the line calls without a call: an operator, a loop, an attribute, with"
	unknown  = "the graph has no such function"
)

// causeOf says why a call of a function may be missing, by the line that calls it.
func causeOf(line string, to codegraph.Symbol, caller place) string {
	dynamic := !strings.HasSuffix(caller.file, ".go") // a call may look like none
	special := strings.HasPrefix(to.Name, "__") && strings.HasSuffix(to.Name, "__")
	switch {
	case strings.Contains(line, to.Name+"("), isConstructor(to.Ref) && strings.Contains(line, to.Owner+"("):
		return named
	case dynamic && (special && !isConstructor(to.Ref) && to.Name != "__call__" || strings.Contains(line, "."+to.Name)):
		return implicit
	}
	return unnamed
}

func isConstructor(f codegraph.Ref) bool {
	return f.Name == "__init__" || f.Name == "__new__" || f.Name == "constructor"
}

// lookup answers how sure a graph is of a call.
type lookup struct {
	functions  map[string][]codegraph.Symbol // by file
	confidence map[[2]string]float64
	below      map[string][]string // the classes that inherit from a class
}

func newLookup(graph *codegraph.Graph) lookup {
	l := lookup{make(map[string][]codegraph.Symbol), make(map[[2]string]float64), make(map[string][]string)}
	for _, s := range graph.Symbols {
		if isFunction(s) {
			l.functions[s.File] = append(l.functions[s.File], s)
		}
	}
	for _, c := range graph.Calls {
		pair := [2]string{owned(c.From), owned(c.To)}
		l.confidence[pair] = max(l.confidence[pair], c.Confidence)
	}
	for _, e := range graph.Extends {
		l.below[owned(e.To)] = append(l.below[owned(e.To)], owned(e.From))
	}
	return l
}

// at is the innermost function that a line stands in.
func (l *lookup) at(p place) (found codegraph.Symbol, ok bool) { return l.within(p, p.line) }

// within is the innermost function that a line stands in of those that begin on a
// line or before it.
func (l *lookup) within(p place, last int) (found codegraph.Symbol, ok bool) {
	for _, s := range l.functions[p.file] {
		if s.Line <= last && p.line <= s.EndLine && s.Line > found.Line {
			found, ok = s, true
		}
	}
	return found, ok
}

// caller is the function that called. A function that begins on the line of the call
// may be an argument of the call: then the one around it called, whose name the
// recorder tells, or which has none. Without a name it is the one that the graph knows of.
func (l *lookup) caller(c happened, to codegraph.Symbol) (codegraph.Symbol, bool) {
	from, ok := l.at(c.caller)
	isTests := c.name != "" && isTest(c.caller.file)
	// A test of TypeScript is no function, but what the code of a file hands to `it`.
	module := codegraph.Symbol{Ref: codegraph.Ref{Name: codegraph.Module, File: c.caller.file}}
	if !ok {
		return module, isTests
	}
	by := c.by[strings.LastIndexAny(c.by, ". ")+1:] // "get size", "exports.size"
	if c.name == "" || from.Line != c.caller.line || by == from.Name || by == from.Owner && isConstructor(from.Ref) {
		return from, true
	}
	around, ok := l.within(c.caller, c.caller.line-1)
	if !ok {
		around, ok = module, isTests
	}
	if by == "" && l.of(from.Ref, to.Ref) >= l.of(around.Ref, to.Ref) {
		return from, true
	}
	return around, ok
}

// callee is the function that was called: by its name, where the recorder tells it.
func (l *lookup) callee(c happened) (found codegraph.Symbol, ok bool) {
	if c.name == "" {
		return l.at(c.callee)
	}
	for _, s := range l.functions[c.callee.file] {
		// The first line of one that is overloaded is that of a signature.
		if s.Name == c.name && s.Line <= c.callee.line && c.callee.line <= s.EndLine && s.Line > found.Line {
			found, ok = s, true
		}
	}
	return found, ok
}

// of is the confidence of a call. Who makes an object calls the constructor of its
// class, which it may have from a class above.
func (l *lookup) of(from, to codegraph.Ref) float64 {
	most := l.confidence[[2]string{owned(from), owned(to)}]
	if !isConstructor(to) {
		return most
	}
	classes := []string{owned(codegraph.Ref{File: to.File, Name: to.Owner})}
	seen := make(map[string]bool)
	for len(classes) > 0 {
		class := classes[0]
		if classes = classes[1:]; seen[class] {
			continue
		}
		seen[class] = true
		most = max(most, l.confidence[[2]string{owned(from), class}])
		classes = append(classes, l.below[class]...)
	}
	return most
}

// compareRan looks up what happened in a graph: two calls of one function by another are one.
func compareRan(calls []happened, graph *codegraph.Graph, lineAt func(place) string) ran {
	l := newLookup(graph)
	r := ran{causes: make(map[string]int)}
	done := make(map[[2]string]bool)
	slices.SortFunc(calls, func(a, b happened) int {
		return cmp.Or(cmp.Compare(a.caller.file, b.caller.file), cmp.Compare(a.caller.line, b.caller.line), cmp.Compare(a.callee.file, b.callee.file), cmp.Compare(a.callee.line, b.callee.line))
	})
	for _, c := range calls {
		to, ok := l.callee(c)
		from, inFunction := l.caller(c, to)
		pair := [2]string{owned(from.Ref), owned(to.Ref)}
		if !inFunction {
			continue // the module's own code runs before everything, and is no function
		}
		// Go's recorder stands somewhere in the function, those of other languages tell its name's line.
		goFile := strings.HasSuffix(c.callee.file, ".go")
		known := ok && (goFile || c.name != "" || to.Line == c.callee.line)
		if !known && goFile {
			continue
		}
		if !known {
			pair[1] = fmt.Sprintf("%s:%d%s", c.callee.file, c.callee.line, c.name)
		}
		if done[pair] {
			continue
		}
		done[pair] = true
		own := !isTest(c.caller.file)
		if own {
			r.own++
		}
		line := strings.TrimSpace(lineAt(c.caller))
		cause := unknown
		if known {
			switch confidence := l.of(from.Ref, to.Ref); {
			case confidence >= 0.8:
				r.sure++
				continue
			case confidence > 0:
				r.possible++
				continue
			}
			cause = causeOf(line, to, c.caller)
		}
		r.missing++
		if own {
			r.missingOwn++
		}
		r.causes[cause]++
		r.lines = append(r.lines, fmt.Sprintf("%s:%d calls %s: %s", c.caller.file, c.caller.line, pair[1], line))
	}
	return r
}

// callsAtRunTime runs the tests of a code base, by language, with each function telling who called it.
var callsAtRunTime = map[string]func(ctx context.Context, m *measure, c codebase, s sources) ([]happened, error){
	"go": func(ctx context.Context, _ *measure, _ codebase, s sources) ([]happened, error) {
		return goCallsAtRunTime(ctx, s.dir)
	},
	"typescript": func(ctx context.Context, m *measure, c codebase, s sources) ([]happened, error) {
		return m.npmCallsAtRunTime(ctx, c, s)
	},
	"javascript": func(ctx context.Context, m *measure, c codebase, s sources) ([]happened, error) {
		return m.npmCallsAtRunTime(ctx, c, s)
	},
	"python": func(ctx context.Context, m *measure, c codebase, s sources) ([]happened, error) {
		return m.pythonCallsAtRunTime(ctx, c, s)
	},
}

// hasTests says whether a code base has tests that can be run here.
func (c *codebase) hasTests() bool { return c.Language == "go" && !c.Self || c.Tests != nil }

// fetchWithTests makes the sources available with the tests.
func (m *measure) fetchWithTests(ctx context.Context, c codebase) (sources, error) {
	switch {
	case c.Tests == nil:
		return m.fetch(ctx, c)
	case c.NPM != nil:
		return m.fetchNPMTests(ctx, c)
	}
	return m.fetchTests(ctx, c)
}

// ranReport measures those of the chosen code bases whose tests can be run, and prints a table for each language.
func (m *measure) ranReport(ctx context.Context, chosen []codebase, show int) error {
	for _, language := range languages {
		of := slices.DeleteFunc(slices.Clone(chosen), func(c codebase) bool { return c.Language != language || !c.hasTests() })
		if len(of) == 0 {
			continue
		}
		fmt.Printf("\n%s\n\n| code base | calls that happened | sure | possible | missing | missing of those that no test makes |\n| --- | --- | --- | --- | --- | --- |\n", language)
		total := ran{causes: make(map[string]int)}
		for _, c := range of {
			r, err := m.ranOne(ctx, c)
			if err != nil { // it does not stop the others
				fmt.Fprintf(os.Stderr, "%s: %v\n", c.Name, err)
				continue
			}
			r.row(c.Name)
			total.add(c.Name, r, show)
		}
		total.row("all")
		for _, cause := range slices.Sorted(maps.Keys(total.causes)) {
			fmt.Printf("- missing, %d: %s\n", total.causes[cause], cause)
		}
		for _, line := range total.lines {
			fmt.Println("- " + line)
		}
	}
	return nil
}

func (m *measure) ranOne(ctx context.Context, c codebase) (ran, error) {
	s, err := m.fetchWithTests(ctx, c)
	if err != nil {
		return ran{}, err
	}
	graph, err := m.export(ctx, c, s.dir)
	if err != nil {
		return ran{}, err
	}
	calls, err := callsAtRunTime[c.Language](ctx, m, c, s)
	if err != nil {
		return ran{}, err
	}
	texts := make(map[string][]string)
	return compareRan(calls, graph, func(p place) string {
		if texts[p.file] == nil {
			data, _ := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(p.file)))
			texts[p.file] = strings.Split(string(data), "\n")
		}
		if p.line < 1 || p.line > len(texts[p.file]) {
			return ""
		}
		return texts[p.file][p.line-1]
	}), nil
}

func (r *ran) row(name string) {
	all := r.sure + r.possible + r.missing
	fmt.Printf("| %s | %d | %.1f %% | %.1f %% | %.1f %% | %.1f %% of %d |\n",
		name, all, percent(r.sure, all), percent(r.possible, all), percent(r.missing, all), percent(r.missingOwn, r.own), r.own)
}

// add sums, and keeps up to show lines of what is missing.
func (r *ran) add(name string, of ran, show int) {
	r.sure, r.possible, r.missing = r.sure+of.sure, r.possible+of.possible, r.missing+of.missing
	r.own, r.missingOwn = r.own+of.own, r.missingOwn+of.missingOwn
	for cause, n := range of.causes {
		r.causes[cause] += n
	}
	for _, line := range of.lines[:min(show, len(of.lines))] {
		r.lines = append(r.lines, name+": "+line)
	}
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }
