package tools

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestValidateProblems(t *testing.T) {
	for _, test := range []struct {
		tool, args string
		want       []Problem
	}{
		{"search", `{"limit":"10","qurey":"x"}`, []Problem{
			{"query", "a string of 1 to 1000 characters", "nothing", ""},
			{"limit", "an integer from 1 to 100", `the string "10"`, "write 10 without quotes"},
			{"qurey", "one of the fields query, limit, kind, tests, path, offset, groupByProcess, repo, debug", "an unknown field", "did you mean query?"},
		}},
		{"search", `{"query":null,"groupByProcess":"true"}`, []Problem{
			{"query", "a string of 1 to 1000 characters", "null", ""},
			{"groupByProcess", "true or false", `the string "true"`, "write true without quotes"},
		}},
		{"search", `{"query":"  ","limit":1.5}`, []Problem{
			{"query", "a string of 1 to 1000 characters", `the string "  "`, "it has only spaces"},
			{"limit", "an integer from 1 to 100", "the number 1.5", ""},
		}},
		{"search", `{"query":"x","limit":99999999999999999999999999}`, []Problem{
			{"limit", "an integer from 1 to 100", "the number 99999999999999999999999999", ""},
		}},
		{"search", `{"query":"x","limit":1e999}`, []Problem{
			{"limit", "an integer from 1 to 100", "the number 1e999", ""},
		}},
		{"search", `{"query":"x","limit":"many"}`, []Problem{
			{"limit", "an integer from 1 to 100", `the string "many"`, ""},
		}},
		{"read", `{"file_path":"a"}`, []Problem{
			{"filePath", "a string of 1 to 1000 characters", "nothing", ""},
			{"file_path", "one of the fields filePath, outline, startLine, endLine, repo, debug", "an unknown field", "did you mean filePath?"},
		}},
		{"graph_action", `{"action":"focus","nodeIds":[]}`, []Problem{
			{Field: "nodeIds", Expected: "at least one node id for focus", Got: "nothing"},
		}},
		{"graph_action", `{"action":"annotate","nodeIds":["a"]}`, []Problem{
			{Field: "label", Expected: "the text to write at the nodes", Got: "nothing"},
		}},
		{"read", `{"filePath":"a","startLine":9,"endLine":3}`, []Problem{
			{"endLine", "a line that is not before startLine (9)", "3", ""},
		}},
		{"read", `{"filePath":"a","startLine":0}`, []Problem{
			{"startLine", "an integer from 1 to 10000000", "the number 0", ""},
		}},
		{"impact", `{"target":"x","direction":"up","relationTypes":["CALLS","CALL"],"minConfidence":true}`, []Problem{
			{"direction", `one of "upstream", "downstream"`, `the string "up"`, ""},
			{"relationTypes[1]", `an array of 1 to 10 items, each one of "CALLS", "REFERENCES", "HANDLES", "IMPORTS", "EXTENDS", "IMPLEMENTS", "CONTAINS", "DEFINES", "MEMBER_OF", "STEP_IN_PROCESS"`, `the string "CALL"`, `did you mean "CALLS"?`},
			{"minConfidence", "a number from 0 to 1", "true", ""},
		}},
		{"impact", `{"target":"x","direction":"Upstream"}`, []Problem{
			{"direction", `one of "upstream", "downstream"`, `the string "Upstream"`, `did you mean "upstream"?`},
		}},
		{"highlight", `{"nodeIds":"a","color":"no colour!"}`, []Problem{
			{"nodeIds", "an array of at most 1000 items, each a string of 1 to 1000 characters", `the string "a"`, `write an array, even for one item: ["a"]`},
			{"color", `a colour like "#e11d48" or "orange"`, `the string "no colour!"`, ""},
		}},
		{"context", `"{\"focus\":\"stats\"}"`, []Problem{
			{"arguments", "a JSON object", `the string "{\"focus\":\"stats\"}"`, "pass the object itself, not a string that holds it"},
		}},
		{"context", `["stats"]`, []Problem{{"arguments", "a JSON object", "an array", ""}}},
		{"context", strings.Repeat(`[`, 9000) + strings.Repeat(`]`, 9000), []Problem{{"arguments", "a JSON object", "an array", ""}}},
		{"context", `{"focus":` + strings.Repeat(`[`, 9000) + strings.Repeat(`]`, 9000) + `}`, []Problem{
			{"focus", `one of "stats", "hotspots", "structure", "tools", "schema"`, "an array", ""},
		}},
	} {
		tool, _ := Find(test.tool)
		_, err := tool.Validate(json.RawMessage(test.args))
		var invalid *ValidationError
		if !errors.As(err, &invalid) {
			t.Errorf("%s %.80s: %v", test.tool, test.args, err)
			continue
		}
		if !reflect.DeepEqual(invalid.Problems, test.want) {
			t.Errorf("%s %.80s:\ngot  %+v\nwant %+v", test.tool, test.args, invalid.Problems, test.want)
		}
	}
}

func TestValidateDefaults(t *testing.T) {
	for _, test := range []struct{ tool, args, want string }{
		{"search", `{"query":"x"}`, `{"query":"x","limit":10,"groupByProcess":true}`},
		{"search", `{"groupByProcess":false,"limit":2e1,"query":"a<b & c"}`, `{"query":"a<b & c","limit":20,"groupByProcess":false}`},
		{"search", `{"query":"x","limit":null,"debug":true,"repo":"r"}`, `{"query":"x","limit":10,"groupByProcess":true}`},
		{"impact", `{"target":"x","direction":"upstream"}`, `{"target":"x","direction":"upstream","maxDepth":3,"includeTests":false,"minConfidence":0.7}`},
		{"grep", `{"pattern":"x"}`, `{"pattern":"x","caseSensitive":true,"maxResults":50}`},
		{"overview", ``, `{"showProcesses":true,"showClusters":true,"limit":20}`},
		{"context", `null`, `{}`},
		{"read", `{"filePath":"a","endLine":3}`, `{"filePath":"a","endLine":3}`},
	} {
		tool, _ := Find(test.tool)
		args, err := tool.Validate(json.RawMessage(test.args))
		if err != nil {
			t.Errorf("%s %s: %v", test.tool, test.args, err)
			continue
		}
		got, err := tool.encode(args)
		if err != nil || string(got) != test.want {
			t.Errorf("%s %s:\ngot  %s\nwant %s", test.tool, test.args, got, test.want)
		}
	}
}

func TestNearest(t *testing.T) {
	for _, test := range []struct{ name, want string }{
		{"serach", "search"},
		{"Search", "search"},
		{"search_code", "search"},
		{"highligth", "highlight"},
		{"gitnexus_impact", "impact"},
		{"xyz", ""},
		{"", ""},
	} {
		if got := strings.Join(Nearest(test.name, Names()), " "); got != test.want {
			t.Errorf("%q: got %q, want %q", test.name, got, test.want)
		}
	}
}
