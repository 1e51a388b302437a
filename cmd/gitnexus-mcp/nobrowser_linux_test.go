package main

import (
	"strings"
	"testing"
)

// Where no headless browser can be had, the agent and health are told so, rather
// than to wait for a page. (Elsewhere browsers are found in fixed folders, too.)
func TestMissingBrowserIsSaid(t *testing.T) {
	s := startServer(t, "main", "GITNEXUS_BROWSER=headless", "GITNEXUS_GRACE=0", "PATH="+t.TempDir())
	s.initialize()
	const why = "no Chromium, Chrome or Edge found on this machine"
	s.waitHealth("the cause", func(h healthReport) bool { return h.Status == "disconnected" && strings.Contains(h.Summary, why) })
	_, e := s.call("grep", map[string]any{"pattern": "x"})
	if e.Code != "CONNECTION_LOST" || !strings.Contains(e.Message, why) || !strings.Contains(e.Suggestion, "install Chromium") {
		t.Errorf("%+v", e)
	}
}
