package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gitnexus/gitnexus-mcp/accuracy/codegraph"
)

// ask is one call of a tool.
type ask struct {
	Tool string         `json:"tool"`
	Args map[string]any `json:"args"`
}

// callOf is the one call with which an agent asks this project a question.
func callOf(q *question) ask {
	name := func(s codegraph.Symbol) string {
		if s.Owner != "" {
			return s.File + ":" + s.Owner + "." + s.Name
		}
		return s.File + ":" + s.Name
	}
	switch q.kind {
	case "path":
		return ask{"trace_flow", map[string]any{"from": name(q.symbol), "to": name(q.to)}}
	case "doc":
		return ask{"search", map[string]any{"query": q.words, "limit": 10}}
	case "tests":
		return ask{"impact", map[string]any{"target": name(q.symbol), "direction": "upstream", "maxDepth": 20, "includeTests": true, "minConfidence": 0.5, "limit": 500}}
	}
	args := map[string]any{"target": name(q.symbol), "direction": "upstream", "maxDepth": 1, "includeTests": true}
	if q.kind != "signature" { // what overrides it does not call it
		args["relationTypes"] = []string{"CALLS", "REFERENCES"}
	}
	return ask{"impact", args}
}

// askOurs asks the engine, in Node.
func (m *measure) askOurs(ctx context.Context, dir string, truth *codegraph.Graph, questions []question) ([]outcome, error) {
	calls := make([]ask, len(questions))
	for i := range questions {
		calls[i] = callOf(&questions[i])
	}
	data, err := json.Marshal(calls)
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "accuracy-calls-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	in, out := filepath.Join(temp, "calls.json"), filepath.Join(temp, "answers.json")
	if err := os.WriteFile(in, data, 0o600); err != nil {
		return nil, err
	}
	if err := command(ctx, filepath.Join(m.project, "web"), "npx", "--no-install", "tsx", "test/answers.ts", dir, in, out); err != nil {
		return nil, err
	}
	if data, err = os.ReadFile(out); err != nil {
		return nil, err
	}
	var answers []struct {
		Answer ourAnswer
		Bytes  int
	}
	if err := json.Unmarshal(data, &answers); err != nil {
		return nil, err
	}
	outcomes := make([]outcome, len(questions))
	for i, a := range answers {
		outcomes[i] = a.Answer.outcome(&questions[i], truth)
		outcomes[i].bytes, outcomes[i].calls = a.Bytes, 1
	}
	return outcomes, nil
}

// ourAnswer is what of the answers of impact, trace_flow and search is judged.
type ourAnswer struct {
	Error   string
	Risk    struct{ Level string }
	LeftOut json.RawMessage
	Beyond  int // how many one step more would add
	ByDepth []struct {
		Items  []struct{ ID string }
		Others map[string][]string
		Files  []string
		More   int
	}
	Path []struct {
		ID         string
		Confidence *float64
	}
	Found   *bool
	Results []struct {
		ID        string
		Namesakes map[string][]string
	}
	Others map[string][]string // of search
}

// keyOf makes a key of "Method:src/a.ts:Type.name", and of a file the code outside
// of its functions.
func keyOf(id string) string {
	kind, rest, _ := strings.Cut(id, ":")
	if kind == "File" {
		return rest + ":" + codegraph.Module
	}
	at := strings.LastIndex(rest, ":")
	return rest[:max(at, 0)] + ":" + simple(rest[at+1:])
}

// keysByFile makes keys of "Type.name:lines" by file.
func keysByFile(named map[string][]string) []string {
	var keys []string
	for file, names := range named {
		for _, name := range names {
			name, _, _ = strings.Cut(name, ":")
			keys = append(keys, file+":"+simple(name))
		}
	}
	return keys
}

// numbered ends the id of the second symbol of one name.
var numbered = regexp.MustCompile(`#\d+$`)

// simple is the last part of a qualified name.
func simple(name string) string {
	return numbered.ReplaceAllString(name[strings.LastIndexAny(name, ".:")+1:], "")
}

func (a *ourAnswer) outcome(q *question, truth *codegraph.Graph) outcome {
	o := outcome{found: make(map[string]bool), note: a.Error}
	switch q.kind {
	case "path":
		o.doubts = a.Found != nil
		steps := make([]string, len(a.Path))
		for i, step := range a.Path {
			steps[i] = keyOf(step.ID)
			o.doubts = o.doubts || step.Confidence != nil
		}
		return judgePath(o, steps, q, truth)
	case "doc":
		o.doubts = true // a list of what may be meant
		for _, r := range a.Results {
			for _, key := range append(keysByFile(r.Namesakes), keyOf(r.ID)) {
				if q.want[key] {
					o.found[key] = true
				}
			}
		}
		for _, key := range keysByFile(a.Others) {
			if q.want[key] {
				o.found[key] = true
			}
		}
		return o
	}
	o.doubts = a.Risk.Level == "unknown" || len(a.LeftOut) > 0 || q.kind == "tests" && a.Beyond > 0
	for _, level := range a.ByDepth {
		o.doubts = o.doubts || level.More > 0
		for _, item := range level.Items {
			if !strings.HasPrefix(item.ID, "Route:") {
				o.found[keyOf(item.ID)] = true
			}
		}
		for _, key := range keysByFile(level.Others) {
			o.found[key] = true
		}
		for _, file := range level.Files {
			file, _, _ = strings.Cut(file, ":")
			o.found[file+":"+codegraph.Module] = true
		}
	}
	// An importing file, and the route that a handler serves, are dependents and no callers.
	for k := range o.found {
		if strings.HasSuffix(k, ":"+codegraph.Module) && !q.want[k] || q.kind == "tests" && !q.want[k] {
			delete(o.found, k)
		}
	}
	return o
}

// judgePath compares each step with the truth.
func judgePath(o outcome, steps []string, q *question, truth *codegraph.Graph) outcome {
	if len(steps) < 2 {
		return o
	}
	if steps[0] != key(q.symbol.Ref) || steps[len(steps)-1] != key(q.to.Ref) {
		o.found["other ends"] = true
		return o
	}
	calls := make(map[string]bool)
	for _, c := range truth.Calls {
		for _, from := range append(slices.Concat(c.FromAlts, c.FromCoarse), c.From) {
			for _, to := range append(slices.Concat(c.ToAlts, c.MayAlso), c.To) {
				calls[key(from)+" "+key(to)] = true
			}
		}
	}
	for i := 1; i < len(steps); i++ {
		if !calls[steps[i-1]+" "+steps[i]] && !o.doubts {
			o.found[steps[i-1]+" > "+steps[i]] = true
		}
	}
	if len(o.found) == 0 {
		o.found["path"] = true
	}
	return o
}

// windowLines is how much is read on both sides of a line that grep found, and
// maxReads how often: who has read so much gives up.
const (
	windowLines = 20
	maxReads    = 30
)

// askGrep is a reader who greps for the name, reads around each hit, and makes no
// mistake in what was read: the best that can be done without a graph.
func askGrep(_ context.Context, dir string, truth *codegraph.Graph, questions []question) ([]outcome, error) {
	texts := make(map[string][]string)
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !entry.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil || len(data) > 1<<20 || strings.Contains(string(data[:min(len(data), 8<<10)]), "\x00") {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		texts[filepath.ToSlash(rel)] = strings.Split(string(data), "\n")
		return err
	})
	if err != nil {
		return nil, err
	}
	files := make([]string, 0, len(texts))
	for file := range texts {
		files = append(files, file)
	}
	slices.Sort(files)
	g := grepper{texts, files, truth}
	outcomes := make([]outcome, len(questions))
	for i := range questions {
		outcomes[i] = g.answer(&questions[i])
	}
	return outcomes, nil
}

type grepper struct {
	texts map[string][]string
	files []string
	truth *codegraph.Graph
}

type hit struct {
	file string
	line int
}

func (g *grepper) grep(pattern string, o *outcome) []hit {
	re := regexp.MustCompile(pattern)
	var hits []hit
	o.calls++
	for _, file := range g.files {
		for i, line := range g.texts[file] {
			if re.MatchString(line) {
				hits = append(hits, hit{file, i + 1})
				o.bytes += len(fmt.Sprintf("%s:%d:%s\n", file, i+1, line))
			}
		}
	}
	return hits
}

// read reads around hits, and returns the functions that were read.
func (g *grepper) read(hits []hit, o *outcome) map[string]bool {
	read := make(map[string]bool)
	last := hit{}
	for _, h := range hits {
		if last.file != h.file || h.line > last.line+windowLines {
			if o.calls > maxReads {
				o.doubts = true
				break
			}
			o.calls++
			lines := g.texts[h.file]
			for _, line := range lines[max(0, h.line-1-windowLines):min(len(lines), h.line+windowLines)] {
				o.bytes += len(line) + 6
			}
			last = h
		}
		read[g.around(h)] = true
	}
	return read
}

// around is the innermost function that a line stands in.
func (g *grepper) around(h hit) string {
	best, name := 0, codegraph.Module
	for _, s := range g.truth.Symbols {
		if s.File == h.file && !s.Local && s.Line <= h.line && s.EndLine >= h.line && s.Line > best && !strings.EqualFold(s.Kind, "class") {
			best, name = s.Line, s.Name
		}
	}
	return h.file + ":" + name
}

func (g *grepper) answer(q *question) outcome {
	o := outcome{found: make(map[string]bool)}
	word := `\b` + regexp.QuoteMeta(q.symbol.Name) + `\b`
	switch q.kind {
	case "doc":
		o.doubts = true
		words := strings.FieldsFunc(q.words, func(r rune) bool { return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') })
		slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
		for _, w := range words[:min(3, len(words))] {
			for _, h := range g.grep(`(?i)`+regexp.QuoteMeta(w), &o) {
				if q.want[g.around(h)] {
					o.found[g.around(h)] = true
				}
			}
			if len(o.found) > 0 {
				break
			}
		}
	case "path": // from the end, who calls it, until the beginning is met
		level, seen := []string{q.to.Name}, map[string]bool{}
		for len(level) > 0 && o.calls <= maxReads {
			var next []string
			for _, name := range level {
				for k := range g.read(g.grep(`\b`+regexp.QuoteMeta(name)+`\b`, &o), &o) {
					if k == key(q.symbol.Ref) {
						o.found["path"] = true
						return o
					}
					if n := simple(k); !seen[k] && n != codegraph.Module {
						seen[k] = true
						next = append(next, n)
					}
				}
			}
			slices.Sort(next)
			level = next
		}
		o.doubts = true
	case "tests": // up from the function to the tests
		level, seen := []string{q.symbol.Name}, map[string]bool{}
		for len(level) > 0 && o.calls <= maxReads {
			var next []string
			for _, name := range level {
				for k := range g.read(g.grep(`\b`+regexp.QuoteMeta(name)+`\b`, &o), &o) {
					if q.want[k] {
						o.found[k] = true
					}
					if n := simple(k); !seen[k] && n != codegraph.Module && !strings.HasPrefix(n, "Test") && !strings.HasPrefix(n, "test_") {
						seen[k] = true
						next = append(next, n)
					}
				}
			}
			slices.Sort(next)
			level = next
		}
		o.doubts = true
	default:
		for k := range g.read(g.grep(word, &o), &o) {
			if q.want[k] {
				o.found[k] = true
			}
		}
	}
	return o
}

// askCodegraph asks npm's @colbymchenry/codegraph, where the folder -rivals has it.
func (m *measure) askCodegraph(ctx context.Context, dir string, _ *codegraph.Graph, questions []question) ([]outcome, error) {
	if m.rivals == "" {
		return nil, errors.New("not asked for: -rivals")
	}
	home, err := os.MkdirTemp("", "accuracy-home-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(home) }()
	run := func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, filepath.Join(m.rivals, "node_modules", ".bin", "codegraph"), args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+home, "CODEGRAPH_TELEMETRY=0", "NO_COLOR=1")
		return cmd.Output()
	}
	if _, err := run("init", "."); err != nil {
		return nil, err
	}
	outcomes := make([]outcome, len(questions))
	asked := make(map[string]int)
	for i := range questions {
		q, o := &questions[i], outcome{found: make(map[string]bool), calls: 1}
		var args []string
		switch q.kind {
		case "callers", "values", "signature":
			args = []string{"callers", "-f", q.symbol.File, "-l", "500", q.symbol.Name}
		case "doc":
			o.doubts = true // a list of what may be meant
			args = []string{"query", "-l", "10", q.words}
		}
		// Each question starts a process: of each kind some are asked.
		if asked[q.kind]++; args == nil || asked[q.kind] > rivalQuestions {
			outcomes[i].unable = true
			continue
		}
		text, err := run(args...)
		if err != nil {
			o.note = err.Error()
		}
		o.bytes = len(text)
		for _, found := range namedIn.FindAllStringSubmatch(string(text), -1) {
			kind, name, file := found[1], simple(found[2]), found[3]
			k := file + ":" + name
			if kind == "file" || kind == "import" {
				k = file + ":" + codegraph.Module
			}
			if k != key(q.symbol.Ref) && q.kind != "doc" && !strings.HasSuffix(k, codegraph.Module) || q.want[k] {
				o.found[k] = true
			}
		}
		outcomes[i] = o
	}
	return outcomes, nil
}

// rivalQuestions is how many questions of each kind and code base codegraph is asked.
const rivalQuestions = 8

// namedIn is how codegraph lists symbols: kind and name, and below it the place.
var namedIn = regexp.MustCompile(`(?m)^(\w+)\s{2,}(\S+)\n\s+(\S+?):\d+`)
