package main

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitnexus/gitnexus-mcp/accuracy/codegraph"
)

// The kinds of questions, in the order of the report.
var questionKinds = []struct{ kind, title string }{
	{"callers", "Who calls X"},
	{"values", "Who uses X as a value"},
	{"path", "How does A reach B"},
	{"doc", "Where is the code that does Z"},
	{"signature", "What breaks if the signature of X changes"},
	{"tests", "Which tests fail when X is broken"},
}

// Questions of each kind for each code base.
var questionCounts = map[string]int{"callers": 25, "values": 8, "path": 10, "doc": 15, "signature": 8, "tests": 6}

// question is one question with an answer that this project did not make.
type question struct {
	kind   string
	symbol codegraph.Symbol // X, A, or what is to be found
	to     codegraph.Symbol // B
	words  string           // Z
	want   map[string]bool  // keys of what a right answer names
	allow  map[string]bool  // keys that are no error
	// Of a key of want whose uses all stand in functions within it, those functions,
	// a list for each use: to name one for each is as good.
	within map[string][][]string
}

// names reports whether what was found has what k stands for.
func (q *question) names(k string, found map[string]bool) bool {
	isFound := func(k string) bool { return found[k] }
	return found[k] || len(q.within[k]) > 0 && !slices.ContainsFunc(q.within[k], func(inner []string) bool {
		return !slices.ContainsFunc(inner, isFound)
	})
}

// key names a function as all systems do: by file and simple name.
func key(r codegraph.Ref) string { return r.File + ":" + r.Name }

// owned tells methods of one name in a file apart: what one calls, the other need not.
func owned(r codegraph.Ref) string { return r.File + ":" + r.Owner + "." + r.Name }

func keys(refs ...codegraph.Ref) map[string]bool {
	m := make(map[string]bool)
	for _, r := range refs {
		m[key(r)] = true
	}
	return m
}

// outcome is what a system made of one question.
type outcome struct {
	found map[string]bool // what it names as a fact
	// doubts says that the answer says that there may be more.
	doubts bool
	// unable: the system has no such call, or does not run here.
	unable       bool
	bytes, calls int
	note         string
}

// keep drops what the truth says nothing of: files that the language's tool did not
// read, and routes, which are no functions. What a variable is made of is in the
// code outside of functions, which the truth names.
func (o *outcome) keep(truth *codegraph.Graph, q *question) {
	if q.kind == "signature" {
		// What breaks is a line; who names the function within a function that it stands in names it as well.
		g := grepper{truth: truth}
		for _, s := range truth.Symbols {
			if s.Local && o.found[key(s.Ref)] {
				o.found[g.around(hit{s.File, s.Line})] = true
			}
		}
	}
	functions := make(map[string]bool)
	for _, s := range truth.Symbols {
		functions[key(s.Ref)] = functions[key(s.Ref)] || isFunction(s)
	}
	for k := range o.found {
		file, name, ok := strings.Cut(k, ":")
		if module := file + ":" + codegraph.Module; q.want[module] && !q.want[k] && !functions[k] && q.kind != "path" {
			// A variable or table, in the code outside of functions.
			delete(o.found, k)
			o.found[module] = true
			continue
		}
		if ok && !q.want[k] && (!slices.Contains(truth.Files, file) || strings.Contains(name, " ")) && q.kind != "path" {
			delete(o.found, k)
		}
	}
}

// The verdicts on an outcome.
const (
	right  = "right"
	wrong  = "wrong and sure"
	silent = "silent"
)

// judge compares. What is missing without a word of doubt is wrong, and so is
// what is named and not so.
func (q *question) judge(o outcome) (verdict, why string) {
	var missing, extra []string
	for k := range q.want {
		if !q.names(k, o.found) {
			missing = append(missing, k)
		}
	}
	for k := range o.found {
		if !q.want[k] && !q.allow[k] {
			extra = append(extra, k)
		}
	}
	slices.Sort(missing)
	slices.Sort(extra)
	why = strings.TrimSpace(fmt.Sprintf("missing %v extra %v %s", missing, extra, o.note))
	switch {
	case len(extra) > 0:
		return wrong, why
	case len(missing) == 0:
		return right, ""
	case o.doubts || len(o.found) == 0 && o.note != "":
		return silent, why
	}
	return wrong, why
}

// system answers questions about one folder.
type system struct {
	name string
	ask  func(ctx context.Context, dir string, truth *codegraph.Graph, questions []question) ([]outcome, error)
}

// tally is a row of the report.
type tally struct {
	Right, Wrong, Silent, Unable int
	Bytes, Calls                 int
	Worst                        []string
}

// answers asks every question of every code base, and prints the table.
func (m *measure) answers(ctx context.Context, chosen []codebase, show int) error {
	systems := []system{{"gitnexus-mcp", m.askOurs}, {"grep and read", askGrep}, {"codegraph 1.6.1", m.askCodegraph}}
	rows := make(map[[3]string]*tally) // kind, language and set, system
	for _, c := range chosen {
		s, err := m.fetch(ctx, c)
		var truth *codegraph.Graph
		if err == nil {
			truth, err = m.truth(ctx, c, s)
		}
		if err != nil { // it does not stop the others
			fmt.Fprintf(os.Stderr, "%s: %v\n", c.Name, err)
			continue
		}
		questions := questionsOf(truth)
		if !m.quick {
			signatures, err := m.signatureQuestions(ctx, c, s, truth)
			if err != nil {
				fmt.Fprintf(os.Stderr, "%s: no questions about signatures: %v\n", c.Name, err)
			}
			questions = append(questions, signatures...)
			if c.Language == "go" {
				questions = append(questions, goTestQuestions(ctx, s.dir, truth)...)
			}
		}
		dir, found, err := withoutDocs(s.dir, truth)
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		subjects := []subject{{dir, truth, append(questions, found...)}}
		if c.Tests != nil && !m.quick {
			tests, err := m.withTests(ctx, c)
			if err != nil {
				fmt.Fprintf(os.Stderr, "%s: no questions about tests: %v\n", c.Name, err)
			}
			subjects = append(subjects, tests)
		}
		for _, about := range subjects {
			for _, system := range systems {
				m.askSystem(ctx, c, system, about, rows)
			}
			fmt.Fprintf(os.Stderr, "%s: %d questions\n", c.Name, len(about.questions))
		}
	}
	printAnswers(os.Stdout, rows, systems, show)
	return nil
}

// askSystem asks one system all questions about a folder.
func (m *measure) askSystem(ctx context.Context, c codebase, system system, about subject, rows map[[3]string]*tally) {
	if len(about.questions) == 0 {
		return
	}
	outcomes, err := system.ask(ctx, about.dir, about.truth, about.questions)
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %s: %v\n", c.Name, system.name, err)
		outcomes = make([]outcome, len(about.questions))
		for i := range outcomes {
			outcomes[i].unable = true
		}
	}
	set := c.Language
	if c.HeldOut {
		set += " (held out)"
	}
	for i := range about.questions {
		q := &about.questions[i]
		outcomes[i].keep(about.truth, q)
		at := [3]string{q.kind, set, system.name}
		if rows[at] == nil {
			rows[at] = &tally{}
		}
		rows[at].add(c.Name, q, outcomes[i])
	}
}

func (t *tally) add(name string, q *question, o outcome) {
	if o.unable {
		t.Unable++
		return
	}
	t.Bytes += o.bytes
	t.Calls += o.calls
	verdict, why := q.judge(o)
	switch verdict {
	case right:
		t.Right++
		return
	case wrong:
		t.Wrong++
	case silent:
		t.Silent++
	}
	t.Worst = append(t.Worst, fmt.Sprintf("%s: %s: %s %s: %.300s", name, verdict, q.kind, key(q.symbol.Ref), why))
}

// chosen sorts by a hash of the name, so that a choice is the same everywhere and
// nobody's.
func sortByHash[T any](items []T, name func(T) string) {
	h := func(s string) uint64 { f := fnv.New64a(); _, _ = f.Write([]byte(s)); return f.Sum64() }
	slices.SortFunc(items, func(a, b T) int {
		return cmp.Or(cmp.Compare(h(name(a)), h(name(b))), cmp.Compare(name(a), name(b)))
	})
}

// questionsOf makes the questions that the language's own tool has the answers to.
func questionsOf(truth *codegraph.Graph) []question {
	var functions []codegraph.Symbol
	bySymbol, byOwner := make(map[string][]codegraph.Symbol), make(map[string]codegraph.Symbol)
	for _, s := range truth.Symbols {
		bySymbol[key(s.Ref)] = append(bySymbol[key(s.Ref)], s)
		byOwner[owned(s.Ref)] = s
	}
	for _, s := range truth.Symbols {
		// Systems answer with file and name, so a name has to be unique in its file.
		if isFunction(s) && !s.Local && !s.Abstract && len(bySymbol[key(s.Ref)]) == 1 && s.Name != "init" && s.Name != "_" {
			functions = append(functions, s)
		}
	}
	sortByHash(functions, func(s codegraph.Symbol) string { return key(s.Ref) })
	callers, users, allowed := make(map[string]map[string]bool), make(map[string]map[string]bool), make(map[string]map[string]bool)
	callees := make(map[string]map[string]bool)
	callsWithin, usesWithin := make(map[string]map[string][][]string), make(map[string]map[string][][]string)
	put := func(m map[string]map[string]bool, k string, v string) {
		if m[k] == nil {
			m[k] = make(map[string]bool)
		}
		m[k][v] = true
	}
	putWithin := func(m map[string]map[string][][]string, to, from string, alts []codegraph.Ref) {
		var inner []string
		for _, alt := range alts {
			inner = append(inner, key(alt))
		}
		if m[to] == nil {
			m[to] = make(map[string][][]string)
		}
		m[to][from] = append(m[to][from], inner)
	}
	for _, c := range truth.Calls {
		to, from := key(c.To), key(c.From)
		switch c.Kind {
		case codegraph.Static:
			put(callers, to, from)
			put(callees, owned(c.From), owned(c.To))
			putWithin(callsWithin, to, from, c.FromAlts)
		case codegraph.Reference:
			put(users, to, from)
			putWithin(usesWithin, to, from, c.FromAlts)
		default:
			put(allowed, to, from)
		}
		for _, alt := range slices.Concat(c.FromAlts, c.FromCoarse) {
			put(allowed, to, key(alt))
		}
		for _, alt := range slices.Concat(c.ToAlts, c.MayAlso) {
			put(allowed, key(alt), from)
		}
	}
	// What a call of unknown receiver leads to, the language's tool cannot say.
	unresolved := make(map[string][]codegraph.Ref)
	for _, c := range truth.Unresolved {
		unresolved[c.To.Name] = append(append(unresolved[c.To.Name], c.From), c.FromAlts...)
	}
	for _, f := range functions {
		for _, from := range unresolved[f.Name] {
			put(allowed, key(f.Ref), key(from))
		}
	}
	// Nor which functions that are used as values, or have no name and are told as the one around them, a call of a value runs.
	callersOfValues, values := make(map[string]bool), make(map[string]bool)
	for _, c := range truth.Unresolved {
		if c.Kind != codegraph.Reference {
			callersOfValues[key(c.From)] = true
		}
	}
	for _, ref := range slices.Concat(truth.Taken, truth.Around) {
		values[key(ref)] = true
	}
	for to := range users {
		values[to] = true
	}
	join := func(a, b map[string]bool) map[string]bool {
		all := make(map[string]bool)
		for _, m := range []map[string]bool{a, b} {
			for k := range m {
				all[k] = true
			}
		}
		return all
	}
	var questions []question
	count := make(map[string]int)
	add := func(q question) {
		if count[q.kind]++; count[q.kind] <= questionCounts[q.kind] {
			questions = append(questions, q)
		}
	}
	for _, f := range functions {
		k := key(f.Ref)
		// Who changes it has it before the eyes.
		delete(callers[k], k)
		delete(users[k], k)
		if values[k] {
			allowed[k] = join(allowed[k], callersOfValues)
		}
		if len(callers[k]) > 0 {
			add(question{kind: "callers", symbol: f, want: callers[k], allow: join(allowed[k], users[k]), within: callsWithin[k]})
		} else if len(users[k]) > 0 {
			add(question{kind: "values", symbol: f, want: users[k], allow: allowed[k], within: usesWithin[k]})
		}
	}
	for _, f := range functions {
		if count["path"] >= questionCounts["path"] {
			break
		}
		to, ok := farFrom(owned(f.Ref), callees)
		if target, known := byOwner[to]; ok && known && len(bySymbol[key(target.Ref)]) == 1 {
			add(question{kind: "path", symbol: f, to: target, want: map[string]bool{"path": true}, allow: nil})
		}
	}
	return questions
}

func isFunction(s codegraph.Symbol) bool {
	return strings.EqualFold(s.Kind, "function") || strings.EqualFold(s.Kind, "method")
}

// farFrom is a function that is reached in two to four calls, and not in fewer.
func farFrom(from string, callees map[string]map[string]bool) (string, bool) {
	seen, level := map[string]bool{from: true}, []string{from}
	var far []string
	for depth := 1; depth <= 4 && len(level) > 0; depth++ {
		var next []string
		for _, at := range level {
			for to := range callees[at] {
				if !seen[to] {
					seen[to] = true
					next = append(next, to)
				}
			}
		}
		slices.Sort(next)
		if level = next; depth >= 2 {
			far = append(far, next...)
		}
	}
	sortByHash(far, func(s string) string { return from + s })
	if len(far) == 0 {
		return "", false
	}
	return far[0], true
}

// withoutDocs copies a folder without the comments of some functions, whose first
// sentences are the questions.
func withoutDocs(from string, truth *codegraph.Graph) (dir string, questions []question, err error) {
	if dir, err = os.MkdirTemp("", "accuracy-answers-"); err != nil {
		return "", nil, err
	}
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		return dir, nil, err
	}
	symbols := slices.Clone(truth.Symbols)
	sortByHash(symbols, func(s codegraph.Symbol) string { return key(s.Ref) })
	type doc struct {
		question
		first, last int
	}
	var docs []doc
	said := make(map[string]int) // how many are described by these words
	texts := make(map[string][]string)
	for _, s := range symbols {
		if s.Local || s.Abstract || strings.Contains(s.File, "test") || !isFunction(s) && !strings.EqualFold(s.Kind, "class") {
			continue
		}
		if texts[s.File] == nil {
			data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(s.File)))
			if err != nil {
				continue
			}
			texts[s.File] = strings.Split(string(data), "\n")
		}
		first, last, sentence := docAt(texts[s.File], s.Line)
		words := strings.Fields(sentence)
		words = slices.DeleteFunc(words, func(w string) bool { return strings.Contains(strings.ToLower(w), strings.ToLower(s.Name)) })
		// A tag says nothing of what the code does.
		if len(words) < 5 || strings.HasPrefix(sentence, "@") {
			continue
		}
		q := question{kind: "doc", symbol: s, words: strings.Join(words, " "), want: keys(s.Ref)}
		said[q.words]++
		docs = append(docs, doc{q, first, last})
	}
	for _, d := range docs {
		if said[d.words] > 1 || len(questions) >= questionCounts["doc"] {
			continue
		}
		for i := d.first; i <= d.last; i++ {
			texts[d.symbol.File][i] = "" // the lines keep their numbers
		}
		questions = append(questions, d.question)
	}
	for file, lines := range texts {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(file)), []byte(strings.Join(lines, "\n")), 0o644); err != nil {
			return dir, nil, err
		}
	}
	return dir, questions, nil
}
