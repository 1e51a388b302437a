package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A panic in a background job of the process ends that job alone: calls are answered,
// and the process ends as it should.
func TestPanicInEachJob(t *testing.T) {
	for _, job := range []string{
		"removing old results", "telling what is loaded", "closing the event log", "writing events", "event retention", "checking alerts",
		"election", "notifications", "reading from the MCP client",
	} {
		t.Run(job, func(t *testing.T) {
			s := startServer(t, "main", "TEST_PANIC_IN="+job, "GITNEXUS_EVENTS="+filepath.Join(t.TempDir(), "events.sqlite"),
				"GITNEXUS_ALERT_WINDOW=1s", "GITNEXUS_TIMEOUT_QUICK=20000")
			if job == "reading from the MCP client" { // without which there is no server
				<-s.exited
			} else {
				s.initialize()
				s.page(func(p *page, m message) {
					p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"structuredContent":{}}}`, m.ID))
				})
				s.waitHealth("page", func(h healthReport) bool { return len(h.Bridge.Pages) == 1 })
				for range 2 {
					if _, e := s.call("search", map[string]any{"query": "x"}); e.Code != "" {
						t.Errorf("%+v", e)
					}
				}
				if job != "closing the event log" {
					waitUntil(t, "panic", func() bool { return strings.Contains(s.stderr.String(), "panic=injected") })
				}
				_ = s.stdin.Close()
				<-s.exited
				if code := s.cmd.ProcessState.ExitCode(); code != 0 {
					t.Errorf("exit code %d", code)
				}
			}
			if said := s.stderr.String(); strings.Count(said, "a job ended with a panic") != 1 || !strings.Contains(said, "job="+quotedIfSpaced(job)) || !strings.Contains(said, "panic=injected") {
				t.Errorf("the log says: %s", said)
			}
		})
	}
}

func quotedIfSpaced(s string) string {
	if strings.Contains(s, " ") {
		return `"` + s + `"`
	}
	return s
}

// Into every kind of job a test injects a panic.
func TestEveryJobHasATestOfItsPanic(t *testing.T) {
	files, err := exec.Command("git", "ls-files", "-co", "--exclude-standard", "../../*.go").Output()
	if err != nil {
		t.Skip(err)
	}
	named := regexp.MustCompile(`(?:guard\.Run|[gG]uarded|options\.Guard|job)\("([^"]+)"`)
	var jobs []string
	var tests strings.Builder
	for _, file := range strings.Fields(string(files)) {
		text, err := os.ReadFile(file)
		switch {
		case err != nil || strings.HasPrefix(file, "../../accuracy/"): // one that is deleted, or of another module
		case strings.HasSuffix(file, "_test.go"):
			tests.Write(text)
		default:
			for _, m := range named.FindAllStringSubmatch(string(text), -1) {
				jobs = append(jobs, m[1])
			}
		}
	}
	if len(jobs) < 20 {
		t.Fatalf("found %q", jobs)
	}
	for _, job := range jobs {
		if !strings.Contains(tests.String(), `"`+job+`"`) && !strings.Contains(tests.String(), `"`+job) {
			t.Errorf("no test has %q", job)
		}
	}
}
