package main

import (
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"

	"github.com/gitnexus/gitnexus-mcp/accuracy/codegraph"
)

// goTime bounds what the compiler and the tests of one code base may take.
const goTime = 10 * time.Minute

// goTestQuestions asks Go itself which tests fail when a function panics.
func goTestQuestions(ctx context.Context, dir string, truth *codegraph.Graph) []question {
	functions := calledFunctions(truth)
	var questions []question
	ctx, cancel := context.WithTimeout(ctx, goTime)
	defer cancel()
	binaries, err := testBinaries(ctx, dir, nil)
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: no tests: %v\n", dir, err)
		return questions
	}
	before := failing(ctx, dir, binaries)
	for _, f := range functions[:min(len(functions), questionCounts["tests"])] {
		overlay, err := mutate(dir, f, func(d *ast.FuncDecl) (token.Pos, string) { return d.Body.Lbrace + 1, `panic("broken");` })
		if err != nil {
			continue
		}
		broken, err := testBinaries(ctx, dir, overlay)
		if err != nil {
			fmt.Fprintf(os.Stderr, "tests of %s: %v\n", key(f.Ref), err)
			continue
		}
		want := make(map[string]bool)
		for test := range failing(ctx, dir, broken) {
			if folder, name, _ := strings.Cut(test, " "); !before[test] {
				for _, s := range truth.Symbols {
					if s.Name == name && strings.HasSuffix(s.File, "_test.go") && filepath.ToSlash(filepath.Dir(s.File)) == folder {
						want[key(s.Ref)] = true
					}
				}
			}
		}
		if ctx.Err() != nil {
			return questions // its tests have not all been run
		}
		if len(want) > 0 {
			questions = append(questions, question{kind: "tests", symbol: f, want: want, allow: everything(truth)})
		}
	}
	return questions
}

// mutate inserts a text at a place in a function, as an overlay.
func mutate(dir string, f codegraph.Symbol, change func(*ast.FuncDecl) (token.Pos, string)) (map[string][]byte, error) {
	path := filepath.Join(dir, filepath.FromSlash(f.File))
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, data, 0)
	if err != nil {
		return nil, err
	}
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && set.Position(fn.Name.Pos()).Line == f.Line && fn.Body != nil {
			at, text := change(fn)
			offset := set.Position(at).Offset
			return map[string][]byte{path: slices.Concat(data[:offset], []byte(text), data[offset:])}, nil
		}
	}
	return nil, fmt.Errorf("no function at %s:%d", f.File, f.Line)
}

// goTypeErrors are the places that do not compile any more when each function takes one more argument.
func goTypeErrors(ctx context.Context, dir string, functions []codegraph.Symbol) [][]hit {
	ctx, cancel := context.WithTimeout(ctx, goTime)
	defer cancel()
	hits := make([][]hit, len(functions))
	for i, f := range functions {
		var err error
		if hits[i], err = goTypeErrorsOf(ctx, dir, f); err != nil {
			fmt.Fprintf(os.Stderr, "signature of %s: %v\n", key(f.Ref), err)
		}
	}
	return hits
}

func goTypeErrorsOf(ctx context.Context, dir string, f codegraph.Symbol) ([]hit, error) {
	overlay, err := mutate(dir, f, func(d *ast.FuncDecl) (token.Pos, string) {
		if d.Type.Params.NumFields() == 0 {
			return d.Type.Params.Opening + 1, "_ struct{ broken int }"
		}
		if d.Type.Params.List[0].Names == nil {
			return d.Type.Params.Opening + 1, "struct{ broken int }, "
		}
		return d.Type.Params.Opening + 1, "_ struct{ broken int }, "
	})
	if err != nil {
		return nil, err
	}
	loaded, err := packages.Load(&packages.Config{
		Context: ctx, Dir: dir, Tests: true, Overlay: overlay,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule,
	}, "./...")
	if err != nil {
		return nil, err
	}
	var hits []hit
	for _, p := range loaded {
		for _, e := range p.Errors {
			parts := strings.Split(e.Pos, ":")
			if len(parts) < 2 || strings.Contains(e.Msg, "declared and not used") {
				continue
			}
			line, _ := strconv.Atoi(parts[1])
			if rel, err := filepath.Rel(dir, parts[0]); err == nil && !strings.HasPrefix(rel, "..") {
				hits = append(hits, hit{filepath.ToSlash(rel), line})
			}
		}
	}
	return hits, nil
}

// testBinaries builds the tests of each package: by folder, from the root.
func testBinaries(ctx context.Context, dir string, overlay map[string][]byte) (binaries map[string]string, err error) {
	temp, err := os.MkdirTemp("", "accuracy-tests-")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(temp)
		}
	}()
	args := []string{"test", "-c", "-o", temp + string(filepath.Separator)}
	if overlay != nil {
		replace := make(map[string]string)
		for path, text := range overlay {
			replace[path] = filepath.Join(temp, "overlay.go.txt")
			if err := os.WriteFile(replace[path], text, 0o600); err != nil {
				return nil, err
			}
		}
		file, err := writeOverlay(temp, replace)
		if err != nil {
			return nil, err
		}
		args = append(args, "-overlay", file)
	}
	if err := command(ctx, dir, "go", append(args, "./...")...); err != nil {
		return nil, err
	}
	list := exec.CommandContext(ctx, "go", "list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}} {{.ImportPath}}{{end}}", "./...")
	list.Dir = dir
	out, err := list.Output()
	if err != nil {
		return nil, err
	}
	binaries = make(map[string]string)
	for line := range strings.Lines(string(out)) {
		folder, path, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			continue
		}
		rel, err := filepath.Rel(dir, folder)
		if err != nil {
			return nil, err
		}
		// "v5" of a module's path is no name of a binary.
		for _, name := range []string{filepath.Base(path), filepath.Base(filepath.Dir(path))} {
			if binary := filepath.Join(temp, name+".test"); isFile(binary) {
				binaries[filepath.ToSlash(rel)] = binary
				break
			}
		}
	}
	return binaries, nil
}

// writeOverlay writes into a folder what -overlay of the go command reads: which
// files take the place of which.
func writeOverlay(dir string, replace map[string]string) (string, error) {
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, data, 0o600)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// failing runs each test by itself, so that a panic ends no other, and removes
// the binaries: the tests that fail, as "folder name".
func failing(ctx context.Context, dir string, binaries map[string]string) map[string]bool {
	failed := make(map[string]bool)
	for folder, binary := range binaries {
		defer func() { _ = os.RemoveAll(filepath.Dir(binary)) }()
		run := func(args ...string) ([]byte, error) {
			ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
			defer cancel()
			cmd := exec.CommandContext(ctx, binary, args...)
			cmd.Dir = filepath.Join(dir, filepath.FromSlash(folder))
			cmd.WaitDelay = time.Second
			return cmd.CombinedOutput()
		}
		list, _ := run("-test.list", "^Test")
		for name := range strings.Lines(string(list)) {
			if name = strings.TrimSpace(name); !strings.HasPrefix(name, "Test") || ctx.Err() != nil {
				continue
			}
			if _, err := run("-test.short", "-test.run", "^"+name+"$"); err != nil {
				failed[folder+" "+name] = true
			}
		}
	}
	return failed
}
