package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// maxChecked bounds the changed symbols that are looked at one by one.
const maxChecked = 60

// riskLevels are the levels of risk that check can fail from, the lowest first.
var riskLevels = []string{"MEDIUM", "HIGH", "CRITICAL"}

// change is one file that differs from the base.
type change struct {
	Path    string   `json:"path"`
	Status  string   `json:"status"` // added, modified or deleted
	Lines   [][2]int `json:"-"`      // ranges of the new file, from and to
	Symbols int      `json:"symbols,omitempty"`
}

// risk is how an answer of a tool tells it.
type risk struct {
	Score   int      `json:"score,omitempty"`
	Level   string   `json:"level"`
	Reasons []string `json:"reasons"`
}

// changedSymbol is a symbol with lines that differ from the base.
type changedSymbol struct {
	ID         string `json:"id"`
	File       string `json:"file"`
	Line       int    `json:"line"`
	Dependents int    `json:"dependents"` // that two steps lead to, tests included
	Risk       risk   `json:"risk"`
	last       int
}

// checkReport is what check found.
type checkReport struct {
	Base     string          `json:"base"`
	Commit   string          `json:"commit"`
	Risk     risk            `json:"risk"`
	Files    []change        `json:"files"`
	Symbols  []changedSymbol `json:"symbols"`
	Unlisted int             `json:"unlisted,omitempty"` // changed symbols beyond maxChecked
	Affected []affectedFiles `json:"affected"`
	Run      []string        `json:"run"`
	Untested []string        `json:"untested"`
	Note     string          `json:"note,omitempty"`
}

// affectedFiles are the files that depend on the change, by the steps between.
type affectedFiles struct {
	Depth int      `json:"depth"`
	Total int      `json:"total"`
	Items []string `json:"items"`
}

// check tells what differs from a base revision, what that reaches and which tests
// notice, and fails from a level of risk on: for CI.
func (p program) check(ctx context.Context, s settings) error {
	if s.base == "" {
		return &usageError{errors.New("check: --base is missing: which branch or commit is compared with? Such as --base main")}
	}
	root, err := git(ctx, cmp.Or(s.repo, "."), "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	s.repo = filepath.FromSlash(strings.TrimSpace(root))
	report := checkReport{Base: s.base, Symbols: []changedSymbol{}, Affected: []affectedFiles{}, Run: []string{}, Untested: []string{}}
	if report.Commit, report.Files, err = changesSince(ctx, s.repo, s.base); err != nil {
		return err
	}
	if len(report.Files) == 0 {
		report.Risk = risk{Level: "LOW", Reasons: []string{"nothing differs from " + s.base}}
	} else {
		c, err := p.connect(ctx, s, nil)
		if err != nil {
			return err
		}
		defer c.close()
		if !c.started { // else the one folder that it loads is meant
			c.graph = filepath.Base(s.repo)
		}
		if err := report.fill(ctx, c); err != nil {
			return err
		}
	}
	if err := p.writeReport(&report, s); err != nil {
		return err
	}
	if s.failOn != "never" && slices.Index(riskLevels, report.Risk.Level) >= slices.Index(riskLevels, strings.ToUpper(s.failOn)) {
		return &exitError{exitTool, fmt.Errorf("check: the risk of this change is %s, and --fail-on is %s", report.Risk.Level, s.failOn)}
	}
	return nil
}

// fill asks the tools about the change.
func (r *checkReport) fill(ctx context.Context, c *caller) error {
	var present []string
	for _, f := range r.Files {
		if f.Status != "deleted" {
			present = append(present, f.Path)
		}
	}
	if len(present) == 0 {
		r.Risk = risk{Level: "unknown", Reasons: []string{"files were only deleted: the graph is of what is there, so what used them is not seen"}}
		return nil
	}
	// The risk counts clusters, which a graph that is new has only after some seconds.
	if _, err := askTool[any](ctx, c, "overview", map[string]any{"limit": 1}); err != nil {
		return err
	}
	impact, err := askTool[struct {
		Risk     risk
		Affected []affectedFiles
		Run      []string
		Untested []string
		Note     string
	}](ctx, c, "test_impact", map[string]any{"changedFiles": present})
	if tool, ok := errors.AsType[*exitError](err); ok && tool.code == exitTool && strings.Contains(err.Error(), "names a file of this repository") {
		r.Risk = risk{Level: "unknown", Reasons: []string{"no changed file is in the graph"}}
		return nil
	}
	if err != nil {
		return err
	}
	r.Risk, r.Affected, r.Note = impact.Risk, append(r.Affected, impact.Affected...), impact.Note
	r.Run, r.Untested = append(r.Run, impact.Run...), append(r.Untested, impact.Untested...)
	if deleted := len(r.Files) - len(present); deleted > 0 {
		r.Note = strings.TrimSpace(fmt.Sprintf("%s %s: what used them is not seen, since the graph is of what is there.", r.Note, counted(deleted, "deleted file", "deleted files")))
	}
	if r.Symbols, err = r.changedSymbols(ctx, c, present); err != nil {
		return err
	}
	if more := len(r.Symbols) - maxChecked; more > 0 {
		r.Symbols, r.Unlisted = r.Symbols[:maxChecked], more
	}
	for i := range r.Symbols {
		answer, err := askTool[struct {
			Risk  risk
			Total int
		}](ctx, c, "impact", map[string]any{"target": r.Symbols[i].ID, "direction": "upstream", "maxDepth": 2, "includeTests": true})
		if err != nil {
			return err
		}
		r.Symbols[i].Risk, r.Symbols[i].Dependents = answer.Risk, answer.Total
	}
	slices.SortStableFunc(r.Symbols, func(a, b changedSymbol) int {
		return cmp.Or(slices.Index(riskLevels, b.Risk.Level)-slices.Index(riskLevels, a.Risk.Level), b.Dependents-a.Dependents)
	})
	return nil
}

// changedSymbols are the innermost symbols around the changed lines, in the order
// of files and lines.
func (r *checkReport) changedSymbols(ctx context.Context, c *caller, files []string) ([]changedSymbol, error) {
	quoted := make([]string, len(files))
	for i, file := range files {
		quoted[i] = "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(file) + "'"
	}
	answer, err := askTool[struct{ Rows [][]any }](ctx, c, "cypher", map[string]any{"query": "MATCH (n) WHERE n.filePath IN [" + strings.Join(quoted, ", ") +
		"] AND n.startLine > 0 RETURN n.id, n.filePath, n.startLine, n.endLine ORDER BY n.filePath, n.startLine, n.endLine DESC LIMIT 20000"})
	if err != nil {
		return nil, err
	}
	byFile := map[string][]changedSymbol{}
	for _, row := range answer.Rows {
		if len(row) != 4 {
			continue
		}
		id, _ := row[0].(string)
		file, _ := row[1].(string)
		line, _ := row[2].(float64)
		last, _ := row[3].(float64)
		byFile[file] = append(byFile[file], changedSymbol{ID: id, File: file, Line: int(line), last: int(last)})
	}
	var changed []changedSymbol
	for i := range r.Files {
		inner := innermost(byFile[r.Files[i].Path], r.Files[i].Lines)
		r.Files[i].Symbols = len(inner)
		changed = append(changed, inner...)
	}
	return changed, nil
}

// innermost are the smallest symbols around each line of the ranges. The symbols
// are sorted by line, those that hold others first.
func innermost(symbols []changedSymbol, ranges [][2]int) []changedSymbol {
	hit := make([]bool, len(symbols))
	for _, lines := range ranges {
		for line := lines[0]; line <= lines[1]; line++ {
			for i := len(symbols) - 1; i >= 0; i-- {
				if symbols[i].Line <= line && line <= symbols[i].last {
					hit[i] = true
					break
				}
			}
		}
	}
	var found []changedSymbol
	for i, s := range symbols {
		if hit[i] {
			found = append(found, s)
		}
	}
	return found
}

// askTool calls a tool of our own server, about the caller's graph, and reads its answer.
func askTool[T any](ctx context.Context, c *caller, tool string, args map[string]any) (answer T, err error) {
	if c.graph != "" {
		args["repo"] = c.graph
	}
	result, err := c.call(ctx, tool, args)
	if err != nil {
		return answer, err
	}
	for _, content := range result.Content {
		if text, ok := content.(mcp.TextContent); ok {
			if err := json.Unmarshal([]byte(text.Text), &answer); err != nil {
				return answer, fmt.Errorf("%s answered what check cannot read: %w", tool, err)
			}
			break
		}
	}
	return answer, nil
}

// changesSince are the files that differ from where the branch left base, those
// that are not committed included.
func changesSince(ctx context.Context, root, base string) (commit string, files []change, err error) {
	if strings.HasPrefix(base, "-") {
		return "", nil, &usageError{fmt.Errorf("--base: want a branch or commit, got %q", base)}
	}
	commit, err = git(ctx, root, "merge-base", base, "HEAD")
	if err != nil {
		return "", nil, &usageError{fmt.Errorf("--base %s: %w; in CI fetch it first, with its history (fetch-depth: 0)", base, err)}
	}
	commit = strings.TrimSpace(commit)
	listed, err := git(ctx, root, "diff", "--name-status", "--no-renames", "-z", commit, "--")
	if err != nil {
		return "", nil, err
	}
	untracked, err := git(ctx, root, "ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return "", nil, err
	}
	fields := strings.Split(listed, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		status := map[string]string{"A": "added", "D": "deleted"}[fields[i]]
		files = append(files, change{Path: fields[i+1], Status: cmp.Or(status, "modified")})
	}
	for name := range strings.SplitSeq(untracked, "\x00") {
		if name != "" {
			files = append(files, change{Path: name, Status: "added"})
		}
	}
	for i := range files {
		switch files[i].Status {
		case "added":
			files[i].Lines = [][2]int{{1, countLines(filepath.Join(root, filepath.FromSlash(files[i].Path)))}}
		case "modified":
			hunks, err := git(ctx, root, "diff", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", commit, "--", files[i].Path)
			if err != nil {
				return "", nil, err
			}
			files[i].Lines = hunkLines(hunks)
		}
	}
	slices.SortFunc(files, func(a, b change) int { return strings.Compare(a.Path, b.Path) })
	return commit, files, nil
}

// hunkLines are the ranges of the new file in the heads of a diff without context.
// Of lines that were only taken away it is the line before them.
func hunkLines(diff string) [][2]int {
	var ranges [][2]int
	for line := range strings.Lines(diff) {
		if !strings.HasPrefix(line, "@@ -") {
			continue
		}
		_, added, _ := strings.Cut(line, "+")
		added, _, _ = strings.Cut(added, " ")
		first, count, several := strings.Cut(added, ",")
		from, err := strconv.Atoi(first)
		n := 1
		if several {
			n, _ = strconv.Atoi(count)
		}
		if err == nil {
			ranges = append(ranges, [2]int{from, from + max(n, 1) - 1})
		}
	}
	return ranges
}

// countLines is 0 for what is no regular file: a link may lead to a device.
func countLines(file string) int {
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	return bytes.Count(content, []byte{'\n'}) + 1
}

// git runs a command of git in a folder and returns what it prints. The folder's own
// configuration has no file monitor or hook run, and nothing fetched.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{
		"--literal-pathspecs", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-C", dir,
	}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1")
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		if words := strings.TrimSpace(said.String()); words != "" {
			err = errors.New(words)
		}
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return out.String(), nil
}
