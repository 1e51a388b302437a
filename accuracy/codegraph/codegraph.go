// Package codegraph is the form in which a ground truth and an engine's export
// state a code base: code-graph/1, docs/code-graph.md.
package codegraph

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Graph is one code base. The fields marked "truth" are in a ground truth alone.
type Graph struct {
	Schema     string   `json:"schema"`
	Producer   string   `json:"producer"`
	Language   string   `json:"language,omitempty"` // truth
	Options    Options  `json:"options"`
	Files      []string `json:"files,omitempty"` // truth: what is outside of these is not scored
	Symbols    []Symbol `json:"symbols"`
	Calls      []Call   `json:"calls"`
	Unresolved []Call   `json:"unresolved,omitempty"` // truth: calls whose target is known at run time, and properties that are read of what has no type (Reference); To.Name is what is called
	Taken      []Ref    `json:"taken,omitempty"`      // truth: classes that are kept as values, and their constructors; methods of interfaces that are (Go)
	Around     []Ref    `json:"around,omitempty"`     // truth: functions in whose code one without a name stands, and what such a one calls alone
	References []Call   `json:"references,omitempty"` // of an engine: what is used as a value; a truth has it among the calls
	Imports    []Import `json:"imports"`
	Extends    []Pair   `json:"extends"`
	Implements []Pair   `json:"implements"`
	Errors     []string `json:"errors,omitempty"` // truth: what the language's tools could not read
}

// Options says how to read a graph.
type Options struct {
	ImportTarget string `json:"importTarget"` // "file", or "directory": an import names a folder
}

// Keyed is the name of what a key chooses, as in table[key](), where nothing is
// known of the table.
const Keyed = "[]"

// Module is the name of the code outside of every function.
const Module = "<module>"

// Ref names a symbol.
type Ref struct {
	Name  string `json:"name"`
	File  string `json:"file"`            // from the root, with forward slashes
	Owner string `json:"owner,omitempty"` // the class, interface or receiver type it belongs to
	Line  int    `json:"line,omitempty"`  // of the name, from 1; nothing is matched by it
}

// Symbol is one declaration.
type Symbol struct {
	Ref
	Kind     string `json:"kind"`
	EndLine  int    `json:"endLine,omitempty"`
	Local    bool   `json:"local,omitempty"`    // truth: declared in a function
	Abstract bool   `json:"abstract,omitempty"` // truth: without a body
}

// CallKind says what a ground truth knows of a call, and so how it counts.
type CallKind string

const (
	// Static is a call of one function or method that the checker knows.
	Static CallKind = "static"
	// Construct makes an object: the target is the class, its constructor is as good.
	Construct CallKind = "construct"
	// Interface is a call through a method of an interface; ToAlts are the implementations.
	Interface CallKind = "interface"
	// Possible is a target at run time of a call through a type from outside the code base.
	Possible CallKind = "possible"
	// Other relations are real, but an engine may leave them out: closures,
	// functions passed as values, JSX elements, bare decorators, getters,
	// super(), conversions.
	Other CallKind = "other"
	// Reference takes the value of a function.
	Reference CallKind = "reference"
)

// Call is one call. Lines are no part of it: two calls of one function by
// another are one relation.
type Call struct {
	From       Ref      `json:"from"`
	To         Ref      `json:"to"`
	Confidence float64  `json:"confidence,omitempty"` // of an engine: above 0, up to 1
	Kind       CallKind `json:"kind,omitempty"`       // truth
	FromAlts   []Ref    `json:"fromAlts,omitempty"`   // truth: enclosing functions that are as good a caller
	FromCoarse []Ref    `json:"fromCoarse,omitempty"` // truth: the class of a method: no hit, and no error
	ToAlts     []Ref    `json:"toAlts,omitempty"`     // truth: targets that are as good
	MayAlso    []Ref    `json:"mayAlso,omitempty"`    // truth: overriding methods, which run if the object is of that class
}

// Import is one file's import of another, or of a folder.
type Import struct {
	From    string   `json:"from"`
	To      string   `json:"to"`
	Asset   bool     `json:"asset,omitempty"`   // truth: not source code; an engine may leave it out
	MayAlso []string `json:"mayAlso,omitempty"` // truth: where an imported name is declared, behind the imported file
}

// Pair is a relation of two types.
type Pair struct {
	From Ref `json:"from"`
	To   Ref `json:"to"`
}

// Read reads a graph from a file and checks that it is one.
func Read(file string) (*Graph, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var g Graph
	if err := json.Unmarshal(data, &g); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(file), err)
	}
	if g.Schema != "code-graph/1" {
		return nil, fmt.Errorf("%s: schema is %q, want code-graph/1", filepath.Base(file), g.Schema)
	}
	return &g, nil
}

// ReadExport reads what an engine says. Its calls have to say how sure they are:
// without that, guesses would count as claims or claims as guesses.
func ReadExport(file string) (*Graph, error) {
	g, err := Read(file)
	if err != nil {
		return nil, err
	}
	bad := 0
	var first Call
	for _, c := range g.Calls {
		if c.Confidence > 0 && c.Confidence <= 1 {
			continue
		}
		if bad == 0 {
			first = c
		}
		bad++
	}
	if bad > 0 {
		return nil, fmt.Errorf("%s: %d of %d calls have no \"confidence\" above 0 and up to 1, first the one of %s by %s in %s; export them with the chance that each is right",
			filepath.Base(file), bad, len(g.Calls), first.To.Name, first.From.Name, first.From.File)
	}
	return g, nil
}

// Dir is the folder of a path, "." for the root.
func Dir(file string) string {
	if i := strings.LastIndexByte(file, '/'); i >= 0 {
		return file[:i]
	}
	return "."
}
