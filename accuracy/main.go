// Accuracy measures what gitnexus-mcp says about code bases against what the
// languages' own tools say: go/types, the TypeScript checker, pyright.
//
//	go run . [-answers | -ran] [-held-out] [-only NAME,NAME] [-show N] [-json FILE] [-cache DIR] [-without-browser]
//
// Sources come from the registries, pinned in codebases.json and
// typescript/package-lock.json; they and the ground truth are kept in the cache,
// so that a second run only has to run the engine. docs/accuracy.md has the
// method and the figures.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gitnexus/gitnexus-mcp/accuracy/codegraph"
	"github.com/gitnexus/gitnexus-mcp/accuracy/score"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "accuracy:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("accuracy", flag.ExitOnError)
	heldOut := flags.Bool("held-out", false, "measure the code bases that are kept back, and no others")
	only := flags.String("only", "", "measure these code bases alone: names with commas between them")
	show := flags.Int("show", 0, "print up to N errors of each kind")
	out := flags.String("json", "", "write the figures there too; default: figures.json in the cache")
	cache := flags.String("cache", "", "keep sources and ground truth there; default: gitnexus-mcp-accuracy in the user's cache folder")
	bare := flags.Bool("without-browser", false, "run the engine in Node: the same figures, sooner, while working on a resolver")
	asked := flags.Bool("answers", false, "measure answers to questions, on the code bases marked for it: docs/answers.md")
	quick := flags.Bool("quick", false, "of -answers only what needs no compiler and no test")
	ran := flags.Bool("ran", false, "measure how many of the calls that happen while tests run are in the graph, of code bases that have tests: docs/answers.md")
	rivals := flags.String("rivals", "", "a folder in which npm has installed @colbymchenry/codegraph, to be asked as well")
	limit := flags.Duration("limit", 30*time.Minute, "give up after this time")
	_ = flags.Parse(args) // exits

	ctx, cancel := context.WithTimeout(ctx, *limit)
	defer cancel()
	all, err := loadCodebases()
	if err != nil {
		return err
	}
	chosen, err := choose(all, *heldOut, *only)
	if err != nil {
		return err
	}
	if *asked && *only == "" {
		chosen = slices.DeleteFunc(all, func(c codebase) bool { return !c.Answers })
	}
	if *ran && *only == "" {
		chosen = slices.DeleteFunc(all, func(c codebase) bool { return !c.hasTests() })
	}
	m := &measure{withoutBrowser: *bare || *asked || *ran, quick: *quick, rivals: *rivals}
	if m.project, err = filepath.Abs(".."); err != nil {
		return err
	}
	if m.cache, err = cacheFolder(*cache); err != nil {
		return err
	}
	if err := m.prepare(ctx, chosen); err != nil {
		return err
	}
	if *asked {
		return m.answers(ctx, chosen, *show)
	}
	if *ran {
		return m.ranReport(ctx, chosen, *show)
	}
	rows, err := m.all(ctx, chosen)
	if err != nil {
		return err
	}
	report(os.Stdout, rows, *show)
	if *out == "" {
		*out = filepath.Join(m.cache, "figures.json")
	}
	fmt.Fprintln(os.Stderr, "as JSON:", *out)
	return writeJSON(*out, rows)
}

func choose(all []codebase, heldOut bool, only string) ([]codebase, error) {
	if only == "" {
		return slices.DeleteFunc(slices.Clone(all), func(c codebase) bool { return c.HeldOut != heldOut }), nil
	}
	var chosen []codebase
	for name := range strings.SplitSeq(only, ",") {
		i := slices.IndexFunc(all, func(c codebase) bool { return c.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("-only: no code base is named %q in codebases.json", name)
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

func cacheFolder(dir string) (string, error) {
	if dir == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("no cache folder: %w; name one with -cache", err)
		}
		dir = filepath.Join(base, "gitnexus-mcp-accuracy")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return dir, os.MkdirAll(dir, 0o755)
}

// measure is one run.
type measure struct {
	project        string // this project's root
	cache          string
	npm            string // an installed copy of typescript/
	binary         string // gitnexus-mcp
	withoutBrowser bool
	quick          bool
	rivals         string
}

// row is the score of one code base.
type row struct {
	codebase
	Files   int          `json:"files"`
	Seconds float64      `json:"seconds"` // of the engine, its start included
	Result  score.Result `json:"result"`
}

// prepare makes what all code bases need.
func (m *measure) prepare(ctx context.Context, chosen []codebase) error {
	if slices.ContainsFunc(chosen, func(c codebase) bool { return c.Language != "go" }) {
		if err := m.installNPM(ctx); err != nil {
			return err
		}
	}
	if m.withoutBrowser {
		return nil
	}
	m.binary = filepath.Join(m.cache, "gitnexus-mcp")
	return command(ctx, m.project, "go", "build", "-o", m.binary, "./cmd/gitnexus-mcp")
}

// all measures the code bases, one for each core at a time. One that fails does
// not stop the others.
func (m *measure) all(ctx context.Context, chosen []codebase) ([]row, error) {
	rows := make([]row, len(chosen))
	errs := make([]error, len(chosen))
	slots := make(chan struct{}, runtime.NumCPU())
	var group sync.WaitGroup
	for i, c := range chosen {
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			began := time.Now()
			if rows[i], errs[i] = m.one(ctx, c); errs[i] != nil {
				errs[i] = fmt.Errorf("%s: %w", c.Name, errs[i])
			}
			fmt.Fprintf(os.Stderr, "%s: %.0f s\n", c.Name, time.Since(began).Seconds())
		})
	}
	group.Wait()
	return rows, errors.Join(errs...)
}

func (m *measure) one(ctx context.Context, c codebase) (row, error) {
	sources, err := m.fetch(ctx, c)
	if err != nil {
		return row{}, err
	}
	truth, err := m.truth(ctx, c, sources)
	if err != nil {
		return row{}, err
	}
	for _, e := range truth.Errors {
		fmt.Fprintf(os.Stderr, "%s: the ground truth lacks something: %s\n", c.Name, e)
	}
	began := time.Now()
	engine, err := m.export(ctx, c, sources.dir)
	if err != nil {
		return row{}, err
	}
	return row{codebase: c, Files: len(truth.Files), Seconds: time.Since(began).Seconds(), Result: score.Score(truth, engine)}, nil
}

// export runs the engine.
func (m *measure) export(ctx context.Context, c codebase, dir string) (*codegraph.Graph, error) {
	out := filepath.Join(m.cache, "exports", fileName(c.Name)+".json")
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return nil, err
	}
	var err error
	if m.withoutBrowser {
		err = command(ctx, filepath.Join(m.project, "web"), "npx", "--no-install", "tsx", "test/export.ts", dir, out, "0")
	} else {
		var port string
		if port, err = freePort(); err == nil {
			err = command(ctx, m.cache, m.binary, "export", "--repo", dir, "--out", out, "--min-confidence", "0", "--port", port)
		}
	}
	if err != nil {
		return nil, err
	}
	return codegraph.ReadExport(out)
}
