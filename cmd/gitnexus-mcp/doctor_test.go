package main

import (
	"bytes"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gitnexus/gitnexus-mcp/clients"
)

func diagnose(t *testing.T, d doctor, check string) finding {
	t.Helper()
	for _, f := range d.examine(t.Context()) {
		if f.Check == check {
			return f
		}
	}
	t.Fatalf("no line about %s", check)
	return finding{}
}

// An entry is started as its client would; one whose program is gone is told
// of, and mended when asked.
func TestDoctorEntries(t *testing.T) {
	home := emptyHome(t)
	env, err := clients.System()
	if err != nil {
		t.Fatal(err)
	}
	s := defaults()
	gate, err := privateGate()
	if err != nil {
		t.Fatal(err)
	}
	s.port, s.token = gate.Port, gate.Token
	t.Setenv("GITNEXUS_TEST_ROLE", "main")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	d := doctor{s, env, self, time.Minute}
	if f := diagnose(t, d, "clients"); f.OK || f.Mend != "gitnexus-mcp install" {
		t.Errorf("without any client: %+v", f)
	}
	file := filepath.Join(home, ".cursor", "mcp.json")
	write := func(text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("{")
	if f := diagnose(t, d, "cursor"); f.OK || !strings.Contains(f.Detail, "cannot be read") {
		t.Errorf("with a broken file: %+v", f)
	}
	write("{}")
	if f := diagnose(t, d, "cursor"); !f.OK || f.Mend != "gitnexus-mcp install cursor" {
		t.Errorf("without an entry: %+v", f)
	}
	write(`{"mcpServers": {"gitnexus": {"command": "/gone/gitnexus-mcp", "args": ["--browser", "headless"]}}}`)
	if f := diagnose(t, d, "cursor"); f.OK || f.Mend != "gitnexus-mcp doctor --fix" || strings.Contains(f.Detail, home) {
		t.Errorf("with a program that is gone: %+v", f)
	}
	d.s.fix = true
	if f := diagnose(t, d, "cursor"); !f.OK || !strings.Contains(f.Detail, "answers in") {
		t.Errorf("mended: %+v", f)
	}
	client := clients.All()[2]
	if line, err := clients.Entry(client, file, serverName); err != nil || strings.Join(line, " ") != d.self+" --browser headless" {
		t.Errorf("%s has the entry %q after the fix, %v", client.Name, line, err)
	}
	d.limit = 0
	if f := diagnose(t, d, "cursor"); f.OK || !strings.Contains(f.Detail, "later than") {
		t.Errorf("with a slow server: %+v", f)
	}
}

func TestDoctorPort(t *testing.T) {
	emptyHome(t)
	s := defaults()
	stranger := httptest.NewServer(http.NotFoundHandler())
	defer stranger.Close()
	s.port = stranger.Listener.Addr().(*net.TCPAddr).Port
	d := doctor{s: s}
	if f, running := d.port(t.Context()); f.OK || running || !strings.Contains(f.Detail, "is taken") || f.Mend == "" {
		t.Errorf("a port that a stranger holds: %+v, %v", f, running)
	}
	stranger.Close()
	if f, running := d.port(t.Context()); !f.OK || running {
		t.Errorf("a free port: %+v, %v", f, running)
	}
}

func TestDoctorWatches(t *testing.T) {
	file := filepath.Join(t.TempDir(), "max_user_watches")
	if f := (doctor{}).watches(file); !f.OK {
		t.Errorf("without the file: %+v", f)
	}
	for text, ok := range map[string]bool{"8192\n": false, "524288\n": true} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if f := (doctor{}).watches(file); f.OK != ok {
			t.Errorf("with a limit of %s: %+v", text, f)
		}
	}
}

// The report is for a bug report: it has no token. A page that is missing is told of.
func TestDoctorReport(t *testing.T) {
	emptyHome(t)
	code, out := runCommand(t, "doctor", "--json", "--port", "1")
	begin, end := strings.Index(out, "["), strings.LastIndex(out, "]")
	var list []finding
	if begin < 0 || end < begin || json.Unmarshal([]byte(out[begin:end+1]), &list) != nil || len(list) < 6 {
		t.Fatalf("exit code %d:\n%s", code, out)
	}
	if code != 1 {
		t.Errorf("exit code %d, want 1, for no client has an entry", code)
	}
}

// The bug report is one block, and has what is set but no token.
func TestBugReport(t *testing.T) {
	home := emptyHome(t)
	var stdout bytes.Buffer
	environ := []string{"GITNEXUS_TOKEN=a-token-that-nobody-may-see-0123456789", "GITNEXUS_PORT=1", "GITNEXUS_LOG_FILE=" + home + "/log"}
	program{strings.NewReader(""), &stdout, os.Stderr, environ, nil}.main(t.Context(), []string{"doctor", "--report"})
	out := stdout.String()
	if strings.Contains(out, "nobody-may-see") || strings.Contains(out, home) || strings.Count(out, "```") != 2 || !strings.HasPrefix(out, "```\n") {
		t.Errorf("got\n%s", out)
	}
	for _, words := range []string{"version ", "port 1 ", "GITNEXUS_PORT=1", "GITNEXUS_TOKEN=(not shown)", "GITNEXUS_LOG_FILE=~/log", "calls of the last 24 hours:\n  tool"} {
		if !strings.Contains(out, words) {
			t.Errorf("no %q in\n%s", words, out)
		}
	}
}
