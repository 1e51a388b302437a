package tools

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with a file in testdata, or writes it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test ./tools -update writes it)", err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs from what came (go test -update, and look at the difference):\n%s", path, got)
	}
}

// What agents see of the tools is pinned: a change of it is a decision.
func TestToolsListGolden(t *testing.T) {
	c := initialized(t, NewServer(Options{Caller: &fakeCaller{}}))
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	var pretty bytes.Buffer
	raw := c.next()
	if err := json.Indent(&pretty, []byte(raw), "", "  "); err != nil {
		t.Fatal(err)
	}
	pretty.WriteByte('\n')
	golden(t, "tools_list.json", pretty.Bytes())
	if len(raw) > 16_000 {
		t.Errorf("tools/list is %d bytes, and every agent reads all of it: 16,000 at most", len(raw))
	}
}

// listed is the names of the tools that a client is told of, and the properties
// that their schemas have.
func listed(t *testing.T, c *client) (names []string, properties map[string]bool) {
	t.Helper()
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	var answer struct {
		Result struct {
			Tools []struct {
				Name        string
				InputSchema struct{ Properties map[string]any }
			}
		}
	}
	line := c.next()
	for !strings.Contains(line, `"id":1`) { // a notification
		line = c.next()
	}
	if err := json.Unmarshal([]byte(line), &answer); err != nil {
		t.Fatal(err)
	}
	properties = make(map[string]bool)
	for _, tool := range answer.Result.Tools {
		names = append(names, tool.Name)
		for name := range tool.InputSchema.Properties {
			properties[name] = true
		}
	}
	return names, properties
}

// The list has the order of the table, so that what to begin with stands first.
func TestToolsListOrder(t *testing.T) {
	var want []string
	for i := range Table {
		if !Table[i].Unlisted && !Table[i].Late {
			want = append(want, Table[i].Name)
		}
	}
	names, properties := listed(t, initialized(t, NewServer(Options{Caller: &fakeCaller{}})))
	if !slices.Equal(names, want) {
		t.Errorf("listed %v, want %v", names, want)
	}
	for _, name := range []string{"repo", "debug"} {
		if properties[name] {
			t.Errorf("%s stands in a schema", name)
		}
	}
}

// A short list has five tools; the others are answered all the same.
func TestToolsListLean(t *testing.T) {
	c := initialized(t, NewServer(Options{Caller: &fakeCaller{}, Tools: LeanTools}))
	names, _ := listed(t, c)
	if want := []string{"search", "read", "impact", "explore", "test_impact"}; !slices.Equal(names, want) {
		t.Errorf("listed %v, want %v", names, want)
	}
	c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"overview","arguments":{}}}`)
	if answer := c.next(); strings.Contains(answer, `"isError":true`) {
		t.Errorf("overview is not answered: %s", answer)
	}
}

// Which graph is asked of is an argument while there are several, and clients are
// told when that changes.
func TestToolsListRepo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewServer(Options{Caller: &fakeCaller{}})
		c := initialized(t, s)
		told := int32(0)
		changed := func() bool {
			time.Sleep(2 * updateEvery)
			synctest.Wait()
			before := told
			told = c.listed.Load()
			return told > before
		}
		one, other := wsbridge.GraphContext{Repo: "one", State: "ready"}, wsbridge.GraphContext{Repo: "other", State: "ready"}
		s.ContextChanged(one, one)
		if changed() {
			t.Error("told of a change where two pages have one graph")
		}
		if _, properties := listed(t, c); properties["repo"] {
			t.Error("repo is an argument where one graph is open")
		}
		s.ContextChanged(one, other)
		if !changed() {
			t.Error("not told that repo became an argument")
		}
		if _, properties := listed(t, c); !properties["repo"] || properties["debug"] {
			t.Errorf("with two graphs open the schemas have %v", properties)
		}
		s.ContextChanged(other)
		if !changed() {
			t.Error("not told that repo is no argument any more")
		}
	})
}

// Every entry of the table is whole: what is said of it, its example, its bounds.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for i := range Table {
		tool := &Table[i]
		t.Run(tool.Name, func(t *testing.T) {
			if seen[tool.Name] {
				t.Error("twice in the table")
			}
			seen[tool.Name] = true
			for what, s := range map[string]string{
				"Title": tool.Title, "Summary": tool.Summary, "Use": tool.Use, "Avoid": tool.Avoid,
				"Example": tool.Example, "Returns": tool.Returns, "Narrower": tool.Narrower,
			} {
				if s == "" {
					t.Errorf("%s is empty", what)
				}
			}
			if !strings.HasSuffix(tool.Summary, ".") || !unicode.IsUpper(rune(tool.Summary[0])) {
				t.Errorf("the summary is no sentence: %s", tool.Summary)
			}
			if n := len(tool.Description()); n > 1300 {
				t.Errorf("the description has %d bytes", n)
			}
			args, err := tool.Validate(json.RawMessage(tool.Example))
			if err != nil {
				t.Errorf("the example is wrong: %v", err)
			} else if tool.Guard != nil {
				if err := tool.Guard(args); err != nil {
					t.Errorf("the example is forbidden: %v", err)
				}
			}
			for _, f := range tool.fields() {
				if f.Doc == "" || !strings.HasSuffix(f.Doc, ".") {
					t.Errorf("%s: doc %q", f.Name, f.Doc)
				}
				if f.Kind != Boolean && len(f.Enum) == 0 && f.Max == 0 {
					t.Errorf("%s has no bound", f.Name)
				}
				if f.Required && f.Default != nil {
					t.Errorf("%s is required and has a default", f.Name)
				}
				if f.Default != nil {
					raw, _ := json.Marshal(f.Default)
					if v, problem := f.decode(raw); problem != nil || v != f.Default {
						t.Errorf("%s: default %v is decoded as %v, %v", f.Name, f.Default, v, problem)
					}
				}
			}
		})
	}
}

// The schema that clients see and the check that we do are of one mind, but for
// lengths, lower bounds, patterns and unknown fields, which the check alone knows.
func TestSchemaAgreesWithValidate(t *testing.T) {
	for _, test := range []struct {
		tool, args string
		want       bool
	}{
		{"search", `{"query":"x"}`, true},
		{"search", `{"query":"x","limit":10.0}`, true},
		{"search", `{"query":"x","limit":1e1}`, true},
		{"search", `{"query":"x","limit":1}`, true},
		{"search", `{"query":"x","limit":100}`, true},
		{"search", `{"query":"x","limit":101}`, false},
		{"search", `{"query":"x","limit":1.5}`, false},
		{"search", `{"query":"x","limit":"10"}`, false},
		{"search", `{"query":7}`, false},
		{"search", `{}`, false},
		{"search", `[]`, false},
		{"search", `{"query":"` + strings.Repeat("ü", 1000) + `"}`, true},
		{"search", `{"query":"x","debug":true,"repo":"r"}`, true},
		{"context", `{}`, true},
		{"context", `{"focus":"schema"}`, true},
		{"context", `{"focus":"Schema"}`, false},
		{"highlight", `{"nodeIds":[]}`, true},
		{"highlight", `{"nodeIds":["a"],"color":"#ff0000"}`, true},
		{"highlight", `{"nodeIds":[1]}`, false},
		{"highlight", `{"nodeIds":"a"}`, false},
		{"impact", `{"target":"x","direction":"upstream","minConfidence":0}`, true},
		{"impact", `{"target":"x","direction":"upstream","minConfidence":1}`, true},
		{"impact", `{"target":"x","direction":"upstream","minConfidence":1.01}`, false},
		{"impact", `{"target":"x","direction":"upstream","relationTypes":["CALLS"]}`, true},
		{"impact", `{"target":"x","direction":"upstream","relationTypes":["KNOWS"]}`, false},
		{"impact", `{"target":"x"}`, false},
	} {
		tool, _ := Find(test.tool)
		_, err := tool.Validate(json.RawMessage(test.args))
		if (err == nil) != test.want {
			t.Errorf("%s %.80s: Validate says %v", test.tool, test.args, err)
		}
		var schema jsonschema.Schema
		if err := json.Unmarshal(tool.InputSchema(), &schema); err != nil {
			t.Fatal(err)
		}
		resolved, err := schema.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal([]byte(test.args), &v); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(v); (err == nil) != test.want {
			t.Errorf("%s %.80s: the schema says %v", test.tool, test.args, err)
		}
	}
}
