package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
)

// shownAffected bounds the affected files of a depth that a report names.
const shownAffected = 12

// writeReport prints the report for people, or as JSON, and writes the files that
// were asked for.
func (p program) writeReport(r *checkReport, s settings) error {
	if s.markdown != "" {
		if err := writeFile(s.markdown, bytes.TrimSuffix(r.markdown(), []byte("\n"))); err != nil {
			return err
		}
	}
	if s.sarif != "" {
		log, err := json.MarshalIndent(r.sarif(), "", "  ")
		if err != nil {
			return err
		}
		if err := writeFile(s.sarif, log); err != nil {
			return err
		}
	}
	if s.json {
		return p.printJSON(r)
	}
	_, err := p.stdout.Write(r.text())
	return err
}

// text is the report for a terminal.
func (r *checkReport) text() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Risk %s: %s\n", r.Risk.Level, strings.Join(r.Risk.Reasons, "; "))
	if len(r.Files) == 0 {
		return b.Bytes()
	}
	fmt.Fprintf(&b, "\n%s since %s (%.12s)\n", counted(len(r.Files), "file differs", "files differ"), r.Base, r.Commit)
	for _, f := range r.Files {
		fmt.Fprintf(&b, "  %-9s %s\n", f.Status, visible(f.Path))
	}
	if len(r.Symbols) > 0 {
		b.WriteString("\nChanged symbols, and what depends on them within two steps\n")
		for _, s := range r.Symbols {
			fmt.Fprintf(&b, "  %-9s %4d  %s:%d  %s\n", s.Risk.Level, s.Dependents, visible(s.File), s.Line, visible(nameOf(s.ID)))
		}
		if r.Unlisted > 0 {
			fmt.Fprintf(&b, "  and %d more, which were not looked at\n", r.Unlisted)
		}
	}
	for _, a := range r.Affected {
		fmt.Fprintf(&b, "\n%s at %s\n", counted(a.Total, "affected file", "affected files"), counted(a.Depth, "step", "steps"))
		for _, item := range shortened(a) {
			fmt.Fprintf(&b, "  %s\n", visible(item))
		}
	}
	if len(r.Untested) > 0 {
		fmt.Fprintf(&b, "\nNo test reaches\n  %s\n", visible(strings.Join(r.Untested, ", ")))
	}
	if len(r.Run) > 0 {
		b.WriteString("\nTests to run\n")
		for _, command := range r.Run {
			fmt.Fprintf(&b, "  %s\n", visible(command))
		}
	}
	if r.Note != "" {
		fmt.Fprintf(&b, "\n%s\n", visible(r.Note))
	}
	return b.Bytes()
}

// markdown is the report for the page of a pull request.
func (r *checkReport) markdown() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "## Risk of this change: %s\n\n", r.Risk.Level)
	for _, reason := range r.Risk.Reasons {
		fmt.Fprintf(&b, "- %s\n", inMarkdown(reason))
	}
	if len(r.Files) == 0 {
		return b.Bytes()
	}
	fmt.Fprintf(&b, "\n%s since `%s` (%.12s).\n", counted(len(r.Files), "file differs", "files differ"), inCode(r.Base), r.Commit)
	if len(r.Symbols) > 0 {
		b.WriteString("\n| changed symbol | where | dependents within two steps | risk |\n| --- | --- | ---: | --- |\n")
		for _, s := range r.Symbols {
			fmt.Fprintf(&b, "| `%s` | `%s:%d` | %d | %s |\n", inCode(nameOf(s.ID)), inCode(s.File), s.Line, s.Dependents, s.Risk.Level)
		}
		if r.Unlisted > 0 {
			fmt.Fprintf(&b, "\n%d more changed symbols were not looked at.\n", r.Unlisted)
		}
	}
	for _, a := range r.Affected {
		fmt.Fprintf(&b, "\n<details><summary>%s at %s</summary>\n\n", counted(a.Total, "affected file", "affected files"), counted(a.Depth, "step", "steps"))
		for _, item := range shortened(a) {
			fmt.Fprintf(&b, "- `%s`\n", inCode(item))
		}
		b.WriteString("\n</details>\n")
	}
	if len(r.Untested) > 0 {
		fmt.Fprintf(&b, "\nNo test reaches `%s`.\n", strings.Join(eachInCode(r.Untested), "`, `"))
	}
	if len(r.Run) > 0 {
		fmt.Fprintf(&b, "\nTests to run:\n\n```sh\n%s\n```\n", strings.Join(eachInCode(r.Run), "\n"))
	}
	if r.Note != "" {
		fmt.Fprintf(&b, "\n%s\n", inMarkdown(r.Note))
	}
	return b.Bytes()
}

// The rules of the SARIF log.
const (
	ruleReach    = "change-reaches-dependents"
	ruleUntested = "change-without-test"
)

// sarif is the report as a SARIF 2.1.0 log, which code hosts show beside the lines.
func (r *checkReport) sarif() map[string]any {
	results := []map[string]any{}
	add := func(rule, level, key, file string, line int, words string) {
		results = append(results, map[string]any{
			"ruleId": rule, "level": level, "message": map[string]string{"text": words},
			"locations": []any{map[string]any{"physicalLocation": map[string]any{
				"artifactLocation": map[string]string{"uri": (&url.URL{Path: file}).EscapedPath(), "uriBaseId": "%SRCROOT%"},
				"region":           map[string]int{"startLine": max(line, 1)},
			}}},
			"partialFingerprints": map[string]string{"symbol/v1": key},
		})
	}
	for _, s := range r.Symbols {
		level := map[string]string{"CRITICAL": "error", "HIGH": "warning"}[s.Risk.Level]
		if level == "" {
			level = "note"
		}
		add(ruleReach, level, s.ID, s.File, s.Line, fmt.Sprintf("%s is changed, and %s on it within two steps. Risk %s: %s.",
			nameOf(s.ID), counted(s.Dependents, "symbol depends", "symbols depend"), s.Risk.Level, strings.Join(s.Risk.Reasons, "; ")))
	}
	for _, file := range r.Untested {
		add(ruleUntested, "note", "File:"+file, file, 1, "This file is changed, and no test in the graph reaches it.")
	}
	rule := func(id, name, words string) map[string]any {
		return map[string]any{"id": id, "name": name, "shortDescription": map[string]string{"text": words}}
	}
	return map[string]any{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
		"runs": []any{map[string]any{
			"tool": map[string]any{"driver": map[string]any{
				"name": "gitnexus-mcp", "version": version, "rules": []any{
					rule(ruleReach, "ChangeReachesDependents", "A changed symbol that others depend on"),
					rule(ruleUntested, "ChangeWithoutTest", "A changed file that no test reaches"),
				},
			}},
			"results": results, "columnKind": "utf16CodeUnits",
			"properties": map[string]any{"risk": r.Risk, "base": r.Base, "commit": r.Commit},
		}},
	}
}

// nameOf is the last part of a node id, which reads Kind:file:name.
func nameOf(id string) string { return id[strings.LastIndexByte(id, ':')+1:] }

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// shortened are the first affected files, and how many there are more.
func shortened(a affectedFiles) []string {
	shown := a.Items[:min(len(a.Items), shownAffected)]
	if more := a.Total - len(shown); more > 0 {
		shown = append(shown[:len(shown):len(shown)], fmt.Sprintf("and %d more", more))
	}
	return shown
}

// inCode is text between backticks, which cannot end there.
func inCode(text string) string {
	return strings.NewReplacer("`", "'", "|", "\\|").Replace(visible(text))
}

func eachInCode(texts []string) []string {
	var list []string
	for _, text := range texts {
		list = append(list, strings.ReplaceAll(visible(text), "`", "'"))
	}
	return list
}

// inMarkdown is text that means nothing to Markdown.
func inMarkdown(text string) string {
	return strings.NewReplacer("<", "&lt;", "|", "\\|", "`", "'", "*", "\\*", "[", "\\[", "_", "\\_").Replace(visible(text))
}
