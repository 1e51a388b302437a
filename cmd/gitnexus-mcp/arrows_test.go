package main

import (
	"go/ast"
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
	"browser":          {"tempdir"},
	"cmd/gitnexus-mcp": {"browser", "coro", "reconnect", "repo", "resilience", "tools", "web", "wsbridge"},
	"coro":             nil,
	"reconnect":        nil,
	"repo":             nil,
	"resilience":       nil,
	"tempdir":          nil,
	"tools":            {"coro", "resilience", "tempdir", "wsbridge"},
	"web":              nil,
	"wsbridge":         {"coro", "reconnect"},
}

// fromBridge is what tools may use of wsbridge: its errors.
var fromBridge = []string{"ExhaustedError", "LostError", "OverloadedError", "ToolError", "UnknownRepoError"}

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
	if used := bridgeNames(t, filepath.Join(root, "tools")); !slices.Equal(used, fromBridge) {
		t.Errorf("tools uses %v of wsbridge, want its errors alone: %v", used, fromBridge)
	}
	for pkg := range arrows {
		if !seen[pkg] {
			t.Errorf("package %s is gone", pkg)
		}
	}
}

// bridgeNames are the names of wsbridge that a package uses, sorted.
func bridgeNames(t *testing.T, dir string) []string {
	var names []string
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == "wsbridge" {
					names = append(names, sel.Sel.Name)
				}
			}
			return true
		})
	}
	slices.Sort(names)
	return slices.Compact(names)
}
