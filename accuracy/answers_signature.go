package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gitnexus/gitnexus-mcp/accuracy/codegraph"
)

// typeErrors says, by language, what the language's own tool rejects when a function
// takes one more argument: for each function the places; nil where it cannot be changed.
var typeErrors = map[string]func(ctx context.Context, m *measure, s sources, functions []codegraph.Symbol) ([][]hit, error){
	"go": func(ctx context.Context, _ *measure, s sources, functions []codegraph.Symbol) ([][]hit, error) {
		return goTypeErrors(ctx, s.dir, functions), nil
	},
	"typescript": func(ctx context.Context, m *measure, s sources, functions []codegraph.Symbol) ([][]hit, error) {
		return askAboutFunctions(functions, func(in, out string) error {
			return m.besidePackages(ctx, "signatures/signatures.mjs", s.dir, in, out)
		})
	},
	"python": func(ctx context.Context, m *measure, s sources, functions []codegraph.Symbol) ([][]hit, error) {
		return askAboutFunctions(functions, func(in, out string) error {
			args := append([]string{"-B", filepath.Join(m.project, "accuracy", "python", "signatures", "signatures.py"), s.dir, in, out}, m.pyright(s)...)
			return command(ctx, s.dir, "python3", args...)
		})
	},
}

// signatureQuestions asks what breaks when functions take one more argument. Of a
// language without an entry in typeErrors, such as JavaScript, nothing is asked.
func (m *measure) signatureQuestions(ctx context.Context, c codebase, s sources, truth *codegraph.Graph) ([]question, error) {
	typeErrorsOf := typeErrors[c.Language]
	if typeErrorsOf == nil {
		return nil, nil
	}
	g := grepper{truth: truth}
	functions := calledFunctions(truth)
	functions = functions[:min(len(functions), questionCounts["signature"])]
	errors, err := typeErrorsOf(ctx, m, s, functions)
	if err != nil {
		return nil, err
	}
	var questions []question
	for i, f := range functions {
		want := make(map[string]bool)
		for _, at := range errors[i] {
			want[g.around(at)] = true
		}
		// Who changes it has it before the eyes.
		delete(want, key(f.Ref))
		if len(want) > 0 {
			questions = append(questions, question{kind: "signature", symbol: f, want: want, allow: everything(truth)})
		}
	}
	return questions, nil
}

// calledFunctions are those that "who calls X" is asked of, without those of tests.
func calledFunctions(truth *codegraph.Graph) []codegraph.Symbol {
	var functions []codegraph.Symbol
	for _, q := range questionsOf(truth) {
		if q.kind == "callers" && !isTest(q.symbol.File) {
			functions = append(functions, q.symbol)
		}
	}
	return functions
}

// everything is no error: the question is what is missing.
func everything(truth *codegraph.Graph) map[string]bool {
	all := make(map[string]bool)
	for _, s := range truth.Symbols {
		all[key(s.Ref)] = true
		all[s.File+":"+codegraph.Module] = true
	}
	return all
}

// askAboutFunctions writes functions where a script reads them, and reads the places that it answers with.
func askAboutFunctions(functions []codegraph.Symbol, run func(in, out string) error) ([][]hit, error) {
	type function struct {
		File string `json:"file"`
		Name string `json:"name"`
		Line int    `json:"line"`
	}
	asked := make([]function, len(functions))
	for i, f := range functions {
		asked[i] = function{f.File, f.Name, f.Line}
	}
	data, err := json.Marshal(asked)
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "accuracy-functions-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	in, out := filepath.Join(temp, "functions.json"), filepath.Join(temp, "errors.json")
	if err := os.WriteFile(in, data, 0o600); err != nil {
		return nil, err
	}
	if err := run(in, out); err != nil {
		return nil, err
	}
	if data, err = os.ReadFile(out); err != nil {
		return nil, err
	}
	var errors [][]struct {
		File string
		Line int
	}
	if err := json.Unmarshal(data, &errors); err != nil {
		return nil, err
	}
	if len(errors) != len(functions) {
		return nil, fmt.Errorf("asked about %d functions, got %d answers", len(functions), len(errors))
	}
	hits := make([][]hit, len(errors))
	for i, of := range errors {
		for _, e := range of {
			hits[i] = append(hits[i], hit{e.File, e.Line})
		}
	}
	return hits, nil
}
