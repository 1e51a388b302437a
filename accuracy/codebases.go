package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
)

//go:embed codebases.json
var codebasesJSON []byte

// codebase is one row of codebases.json: where its sources come from, and in
// which language they are measured. Exactly one of Go, NPM, Debian and Self is set.
type codebase struct {
	Name     string `json:"name"`
	Language string `json:"language"` // go, typescript, javascript, python
	// HeldOut marks a code base that nobody looks at while working on a resolver:
	// its figures say what to expect of code that was never seen.
	HeldOut bool `json:"heldOut,omitempty"`
	// Answers marks those that questions are asked about.
	Answers bool `json:"answers,omitempty"`

	Go     *goModule     `json:"go,omitempty"`
	NPM    *npmPackage   `json:"npm,omitempty"`
	Debian *debianSource `json:"debian,omitempty"`
	Self   bool          `json:"self,omitempty"` // this project

	// Tests are of code bases in other languages than Go, whose modules have theirs.
	Tests *testSources `json:"tests,omitempty"`
}

// testSources are sources with their tests: of a tarball, of a package of npm, or the code base's own.
type testSources struct {
	Tarball *tarball    `json:"tarball,omitempty"`
	NPM     *npmPackage `json:"npm,omitempty"` // the code base's own where it has no version

	npmRunner
	// Keep are the files and folders of the tarball that are measured.
	Keep []string `json:"keep,omitempty"`
	// Imports is the folder where imports begin.
	Imports string `json:"imports,omitempty"`
	// With are packages that the sources and the tests import, besides pytest's.
	With []debianPackage `json:"with,omitempty"`
}

// npmRunner says how tests of a package of npm run.
type npmRunner struct {
	// Runner is vitest, or node for node:test.
	Runner string `json:"runner,omitempty"`
	// Aliases are what the tests import by other names than those of files.
	Aliases map[string]string `json:"aliases,omitempty"`
	// Conditions are of exports in package.json that lead to sources.
	Conditions []string `json:"conditions,omitempty"`
	// Environment is vitest's: node or jsdom.
	Environment string `json:"environment,omitempty"`
}

// tarball is the source of a package of Debian, of any release: Debian keeps it in
// the folder where it has the package.
type tarball struct {
	Beside string `json:"beside"` // a package
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
}

// goModule is pinned by version and by the hash that go.sum would have.
type goModule struct {
	Path    string `json:"path"`
	Version string `json:"version"`
	Sum     string `json:"sum"`
}

// npmPackage is pinned, by version and hash, in typescript/package-lock.json, or
// here when it is to be fetched alone, without the packages that it depends on.
type npmPackage struct {
	Package   string `json:"package"`
	Version   string `json:"version,omitempty"`
	Integrity string `json:"integrity,omitempty"` // as npm writes it: sha512-...
	// Keep are the files and folders that are sources; the rest was built from them.
	Keep []string `json:"keep"`
}

// debianSource is a package of Debian 12.
type debianSource struct {
	debianPackage
	// Keep are the folders below dist-packages that are measured.
	Keep []string `json:"keep"`
	// With are packages that the sources import: they give types, and are not measured.
	With []debianPackage `json:"with,omitempty"`
}

type debianPackage struct {
	Package string `json:"package"`
	Version string `json:"version"`
	SHA256  string `json:"sha256"`
}

func loadCodebases() ([]codebase, error) {
	var list []codebase
	dec := json.NewDecoder(strings.NewReader(string(codebasesJSON)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&list); err != nil {
		return nil, fmt.Errorf("codebases.json: %w", err)
	}
	names := map[string]bool{}
	for _, c := range list {
		sources := 0
		for _, has := range []bool{c.Go != nil, c.NPM != nil, c.Debian != nil, c.Self} {
			if has {
				sources++
			}
		}
		if _, ok := generators[c.Language]; !ok || c.Name == "" || names[c.Name] || sources != 1 {
			return nil, fmt.Errorf("codebases.json: %q: want a unique name, a language that has a generator, and one source", c.Name)
		}
		if c.NPM != nil && (c.NPM.Version == "") != (c.NPM.Integrity == "") {
			return nil, fmt.Errorf("codebases.json: %q: a version of a package wants its integrity, and an integrity its version", c.Name)
		}
		names[c.Name] = true
	}
	return list, nil
}

// languages of the report, in its order.
var languages = []string{"go", "typescript", "javascript", "python"}
