package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gitnexus/gitnexus-mcp/accuracy/codegraph"
	"github.com/gitnexus/gitnexus-mcp/accuracy/gotruth"
)

// generator makes the ground truth of one language.
type generator struct {
	// files are what it is made of, below accuracy/: a change makes the truth anew.
	files string
	make  func(ctx context.Context, m *measure, s sources, out string) error
}

var generators = map[string]generator{
	"go": {"gotruth/*.go", func(_ context.Context, _ *measure, s sources, out string) error {
		graph, err := gotruth.Generate(s.dir)
		if err != nil {
			return err
		}
		data, err := json.Marshal(graph)
		if err != nil {
			return err
		}
		return os.WriteFile(out, data, 0o644)
	}},
	"typescript": {"typescript/*.mjs", func(ctx context.Context, m *measure, s sources, out string) error {
		return m.besidePackages(ctx, "truth.mjs", s.dir, out)
	}},
	"javascript": {"typescript/*.mjs", func(ctx context.Context, m *measure, s sources, out string) error {
		return m.besidePackages(ctx, "truth.mjs", s.dir, out, "--js")
	}},
	"python": {"python/*.py", func(ctx context.Context, m *measure, s sources, out string) error {
		args := append([]string{"-B", filepath.Join(m.project, "accuracy", "python", "truth.py"), s.dir, out}, m.pyright(s)...)
		return command(ctx, s.dir, "python3", args...)
	}},
}

// pyright is how the scripts in Python are told of the language server, and of the packages that sources import.
func (m *measure) pyright(s sources) []string {
	args := []string{"--pyright", filepath.Join(m.npm, "node_modules", "pyright", "langserver.index.js")}
	for _, dir := range s.extra {
		args = append(args, "--extra", dir)
	}
	return args
}

// besidePackages runs a script of typescript/ from beside the packages that it imports.
func (m *measure) besidePackages(ctx context.Context, script, dir string, args ...string) error {
	from := filepath.Join(m.project, "accuracy", "typescript")
	var scripts []string
	for _, pattern := range []string{"*.mjs", "*/*.mjs"} {
		found, err := filepath.Glob(filepath.Join(from, pattern))
		if err != nil {
			return err
		}
		scripts = append(scripts, found...)
	}
	version, err := hashFiles(scripts...)
	if err != nil {
		return err
	}
	beside := filepath.Join(m.npm, "scripts-"+version[:12])
	err = cached(beside, func(dir string) error {
		for _, script := range scripts {
			rel, err := filepath.Rel(from, script)
			if err == nil {
				err = copyFile(script, filepath.Join(dir, rel))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return command(ctx, dir, "node", append([]string{"--max-old-space-size=4096", filepath.Join(beside, filepath.FromSlash(script)), dir}, args...)...)
}

// truth is the ground truth of a code base, from the cache if the sources and
// what makes it are the same.
func (m *measure) truth(ctx context.Context, c codebase, s sources) (*codegraph.Graph, error) {
	g := generators[c.Language]
	made, err := filepath.Glob(filepath.Join(m.project, "accuracy", filepath.FromSlash(g.files)))
	if err != nil {
		return nil, err
	}
	version, err := hashFiles(append(made, filepath.Join(m.project, "accuracy", "go.sum"), filepath.Join(m.project, "accuracy", "typescript", "package-lock.json"))...)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(m.cache, "truth", fileName(c.Name)+"-"+hash([]byte(s.key + version))[:12])
	err = cached(dir, func(dir string) error { return g.make(ctx, m, s, filepath.Join(dir, "truth.json")) })
	if err != nil {
		return nil, err
	}
	truth, err := codegraph.Read(filepath.Join(dir, "truth.json"))
	if err != nil {
		return nil, err
	}
	if len(truth.Files) == 0 {
		return nil, fmt.Errorf("the ground truth has no files: %s", strings.Join(truth.Errors, "; "))
	}
	return truth, nil
}
