package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/gitnexus/gitnexus-mcp/"

// arrows says which of our packages each may import.
var arrows = map[string][]string{
	"browser":          {"guard", "reconnect", "tempdir"},
	"cmd/gitnexus-mcp": {"browser", "client", "clients", "events", "hooks", "guard", "reconnect", "repo", "resilience", "sanitize", "tools", "web", "wsbridge"},
	"clients":          nil,
	"guard":            nil,
	"client":           {"resilience"},
	"events":           nil,
	"hooks":            nil,
	"reconnect":        nil,
	"repo":             nil,
	"resilience":       nil,
	"sanitize":         nil,
	"tempdir":          nil,
	"tools":            {"guard", "resilience", "sanitize", "tempdir", "wsbridge"},
	"web":              nil,
	"wsbridge":         {"guard", "reconnect", "resilience", "sanitize"},
}

func TestImportArrows(t *testing.T) {
	root := filepath.Join("..", "..")
	seen := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != root || d.Name() == "node_modules" || d.Name() == "testdata" || d.Name() == "fixtures" || d.Name() == "samples") {
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, "go.mod")); d.IsDir() && path != root && err == nil {
			return fs.SkipDir // a module of its own
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(rel)
		seen[pkg] = true
		allowed, known := arrows[pkg]
		if !known {
			t.Errorf("package %s has no place in the layout", pkg)
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, imp := range file.Imports {
			name, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				return err
			}
			if own, ok := strings.CutPrefix(name, module); ok && !slices.Contains(allowed, own) {
				t.Errorf("%s imports %s", path, own)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range arrows {
		if !seen[pkg] {
			t.Errorf("package %s is gone", pkg)
		}
	}
}
