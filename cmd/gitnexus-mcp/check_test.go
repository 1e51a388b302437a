package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/gitnexus/gitnexus-mcp/client"
)

var updateGolden = flag.Bool("update", false, "write golden files anew")

// gitRepo makes a repository with a branch main and a change on top of it.
func gitRepo(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"}, args...)...)
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v %s", args, err, said)
		}
	}
	run("init", "-q", "-b", "main")
	write("src/a.go", "package a\n\nfunc A() {\n\tB()\n}\n\nfunc B() {\n}\n")
	write("src/gone.go", "package a\n")
	write("odd 'name`|.go", "package a\n")
	run("add", ".")
	run("commit", "-q", "-m", "one")
	run("checkout", "-q", "-b", "topic")
	write("src/a.go", "package a\n\nfunc A() {\n\tB()\n\tB()\n}\n\nfunc B() {\n}\n")
	run("rm", "-q", "src/gone.go")
	run("commit", "-q", "-a", "-m", "two")
	write("odd 'name`|.go", "package a\n\nvar X = 1\n") // not committed
	write("src/new.go", "package a\n\nfunc New() {\n}\n")
	return dir
}

func TestChangesSince(t *testing.T) {
	dir := gitRepo(t)
	commit, files, err := changesSince(t.Context(), dir, "main")
	want := []change{
		{Path: "odd 'name`|.go", Status: "modified", Lines: [][2]int{{2, 3}}},
		{Path: "src/a.go", Status: "modified", Lines: [][2]int{{5, 5}}},
		{Path: "src/gone.go", Status: "deleted"},
		{Path: "src/new.go", Status: "added", Lines: [][2]int{{1, 5}}},
	}
	if err != nil || len(commit) != 40 || !reflect.DeepEqual(files, want) {
		t.Errorf("%s %+v, %v", commit, files, err)
	}
	for base, says := range map[string]string{"nothing": "fetch it first", "--output=/tmp/x": "want a branch or commit"} {
		if _, _, err := changesSince(t.Context(), dir, base); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", base, err)
		}
	}
	if got := hunkLines("@@ -3,2 +2,0 @@\n@@ -9 +8 @@ func x()\n@@ -1 +1,3 @@\n"); !reflect.DeepEqual(got, [][2]int{{2, 2}, {8, 8}, {1, 3}}) {
		t.Errorf("%v", got)
	}
}

func TestInnermost(t *testing.T) {
	class := changedSymbol{ID: "Class:a:C", Line: 1, last: 20}
	method := changedSymbol{ID: "Method:a:C.m", Line: 5, last: 9}
	symbols := []changedSymbol{class, method}
	for _, c := range []struct {
		lines [][2]int
		want  []changedSymbol
	}{
		{[][2]int{{6, 6}}, []changedSymbol{method}},
		{[][2]int{{3, 6}}, symbols},
		{[][2]int{{21, 30}}, nil},
	} {
		if got := innermost(symbols, c.lines); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: %v", c.lines, got)
		}
	}
}

// withToken shows the token of the tests in each request.
type withToken struct{ http.RoundTripper }

func (w withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+testToken)
	return w.RoundTripper.RoundTrip(r)
}

// What check says about a change, in all its forms. npm/check.test.mjs validates
// the SARIF of testdata/check against the standard's schema.
func TestCheckReport(t *testing.T) {
	dir := gitRepo(t)
	s := startServer(t, "main")
	s.initialize()
	s.waitHealth("hub", func(h healthReport) bool { return h.Bridge.Role == "hub" })
	p := s.page(func(p *page, m message) {
		var call struct {
			Name      string
			Arguments map[string]any
		}
		_ = json.Unmarshal(m.Params, &call)
		answer := map[string]string{
			"overview": `{}`,
			"cypher": `{"columns":["a","b","c","d"],"rows":[["Function:src/a.go:A","src/a.go",3,6],["Function:src/a.go:B","src/a.go",8,9],` +
				`["Function:src/new.go:New","src/new.go",3,4]],"totalRows":3}`,
			"test_impact": `{"risk":{"score":55,"level":"HIGH","reasons":["+20 4 files depend on it directly"]},"changed":[],"affected":[{"depth":1,"total":14,"items":["src/b.go: 2","src/c.go"]}],` +
				`"run":["go test ./src"],"untested":["src/new.go"]}`,
		}[call.Name]
		if call.Name == "impact" {
			answer = `{"risk":{"level":"LOW","reasons":["nothing in the graph depends on it"]},"total":0}`
			if call.Arguments["target"] == "Function:src/a.go:A" {
				answer = `{"risk":{"level":"CRITICAL","reasons":["33 direct dependents (30 or more)"]},"total":41}`
			}
		}
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"structuredContent":%s}}`, m.ID, answer))
	})
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	c, err := client.Connect(t.Context(), client.URL(fmt.Sprintf("http://127.0.0.1:%d/mcp", s.port), &http.Client{Transport: withToken{transport}}), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	report := checkReport{Base: "main", Symbols: []changedSymbol{}}
	if report.Commit, report.Files, err = changesSince(t.Context(), dir, "main"); err != nil {
		t.Fatal(err)
	}
	if err := report.fill(t.Context(), &caller{client: c, line: new(progressLine)}); err != nil {
		t.Fatal(err)
	}
	if m := p.saw(t, "tools/call"); !strings.Contains(string(m.Params), "overview") {
		t.Errorf("first asked was %s", m.Params)
	}
	report.Commit = strings.Repeat("0", 40) // it has the time of the commit
	sarif, err := json.MarshalIndent(report.sarif(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string][]byte{"report.txt": report.text(), "report.md": report.markdown(), "report.sarif": append(sarif, '\n')} {
		file := filepath.Join("testdata", "check", name)
		if *updateGolden {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || string(want) != string(got) {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
}

func TestCheckCommandLine(t *testing.T) {
	for _, c := range []struct {
		args []string
		says string
	}{
		{nil, "--base is missing"},
		{[]string{"--base", "main", "--fail-on", "low"}, "want one of medium, high, critical, never"},
		{[]string{"--base", "main", "--repo", t.TempDir()}, "not a git repository"},
	} {
		code, _, stderr := run(t, nil, append([]string{"check"}, c.args...)...)
		if code == 0 || !strings.Contains(stderr, c.says) {
			t.Errorf("%v: %d %s", c.args, code, stderr)
		}
	}
	// Nothing to check needs no server.
	dir := gitRepo(t)
	for _, args := range [][]string{{"-C", dir, "clean", "-qfd"}, {"-C", dir, "checkout", "-q", "."}, {"-C", dir, "checkout", "-q", "main"}} {
		if err := exec.CommandContext(t.Context(), "git", args...).Run(); err != nil {
			t.Fatal(err)
		}
	}
	if code, stdout, stderr := run(t, nil, "check", "--base", "main", "--repo", dir); code != 0 || stdout != "Risk LOW: nothing differs from main\n" {
		t.Errorf("%d %s %s", code, stdout, stderr)
	}
}
