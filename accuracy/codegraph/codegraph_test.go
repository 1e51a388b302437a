package codegraph

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAnExportSaysHowSureItsCallsAre(t *testing.T) {
	const head, tail = `{"schema": "code-graph/1", "calls": [`, `]}`
	call := func(to, confidence string) string {
		return `{"from": {"name": "f", "file": "a.go"}, "to": {"name": "` + to + `", "file": "a.go"}` + confidence + `}`
	}
	for _, tt := range []struct{ name, text, want string }{
		{"sure and less sure", head + call("g", `, "confidence": 1`) + "," + call("h", `, "confidence": 0.4`) + tail, ""},
		{"no calls", head + tail, ""},
		{"none", head + call("g", `, "confidence": 1`) + "," + call("h", "") + "," + call("i", "") + tail, `2 of 3 calls have no "confidence"`},
		{"zero", head + call("g", `, "confidence": 0`) + tail, "the one of g by f in a.go"},
		{"per cent", head + call("g", `, "confidence": 90`) + tail, "up to 1"},
		{"another form", `{"schema": "code-graph/2"}`, "want code-graph/1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "export.json")
			if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := ReadExport(file)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got the error %v, want one with %q", err, tt.want)
			}
		})
	}
	// A ground truth has calls without: they are facts.
	file := filepath.Join(t.TempDir(), "truth.json")
	if err := os.WriteFile(file, []byte(head+call("g", "")+tail), 0o600); err != nil {
		t.Fatal(err)
	}
	if g, err := Read(file); err != nil || len(g.Calls) != 1 {
		t.Errorf("a ground truth: %v, %v", g, err)
	}
}
