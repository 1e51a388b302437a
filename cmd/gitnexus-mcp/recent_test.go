package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gitnexus/gitnexus-mcp/events"
)

// fetch is GET /api/events with the page's session key.
func (p *page) fetch(t *testing.T, port int, query string) (status int, body string) {
	t.Helper()
	var hello struct{ Key string }
	p.mu.Lock()
	for _, m := range p.frames {
		if string(m.ID) == `"hello"` {
			_ = json.Unmarshal(m.Result, &hello)
		}
	}
	p.mu.Unlock()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/api/events?%s", port, query), nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+hello.Key)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var b strings.Builder
	if err := resp.Write(&b); err != nil {
		t.Fatal(err)
	}
	_, body, _ = strings.Cut(b.String(), "\r\n\r\n")
	return resp.StatusCode, body
}

// toldAlerts waits until the page was last told of n alerts.
func (p *page) toldAlerts(t *testing.T, n int) []struct{ Graph, Code, Message, Advice string } {
	t.Helper()
	var last struct {
		Alerts []struct{ Graph, Code, Message, Advice string }
	}
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		p.mu.Lock()
		for _, m := range p.frames {
			if m.Method == "bridge/alerts" {
				_ = json.Unmarshal(m.Params, &last)
			}
		}
		p.mu.Unlock()
		if len(last.Alerts) == n {
			return last.Alerts
		}
	}
	t.Fatalf("the page was told of %+v last, want %d", last.Alerts, n)
	return nil
}

func TestThePageIsToldOfAlertsAndEvents(t *testing.T) {
	settings := []string{
		"GITNEXUS_EVENTS=" + filepath.Join(t.TempDir(), "events.sqlite"), "GITNEXUS_ALERT_AFTER=3", "GITNEXUS_ALERT_WINDOW=3s",
		"GITNEXUS_TIMEOUT_QUICK=50", "GITNEXUS_BREAKER_THRESHOLD=100",
	}
	hub := startServer(t, "main", settings...)
	hub.initialize()
	page := hub.page(nil) // answers nothing
	peer := startServer(t, "main", append(settings, fmt.Sprintf("GITNEXUS_PORT=%d", hub.port))...)
	peer.initialize()
	// A failure counts for the graph that the peer knows the page by.
	peer.waitHealth("page's graph", func(h healthReport) bool {
		return len(h.Bridge.Pages) == 1 && h.Bridge.Pages[0].Context.Repo == "scripted"
	})
	for range 3 {
		if _, e := peer.call("grep", map[string]any{"pattern": "x"}); e.Code != "TIMEOUT" {
			t.Fatalf("%+v", e)
		}
	}
	alert := page.toldAlerts(t, 1)[0]
	if alert.Graph != "scripted" || alert.Code != "TIMEOUT" || !strings.Contains(alert.Message, "3 times") || !strings.Contains(alert.Advice, "Reload") {
		t.Errorf("%+v", alert)
	}
	status, body := page.fetch(t, hub.port, "category=call&limit=2")
	var answer struct{ Events []events.Event }
	if err := json.Unmarshal([]byte(body), &answer); status != 200 || err != nil || len(answer.Events) != 2 || answer.Events[1].Code != "TIMEOUT" {
		t.Fatalf("status %d, %v: %s", status, err, body)
	}
	_, body = page.fetch(t, hub.port, fmt.Sprintf("category=call&before=%d", answer.Events[0].ID))
	if err := json.Unmarshal([]byte(body), &answer); err != nil || len(answer.Events) != 1 {
		t.Errorf("%v: %s", err, body)
	}
	_, body = page.fetch(t, hub.port, "failed=true")
	if strings.Contains(body, `"category":"link"`) || !strings.Contains(body, `"category":"alert"`) || strings.Count(body, `"category":"call"`) != 3 {
		t.Errorf("what failed: %s", body)
	}
	page.toldAlerts(t, 0) // no failure for the length of the window
}

func TestBadParametersOfRecentEvents(t *testing.T) {
	for query, want := range map[string]string{
		"limit=0":   "limit=\"0\": want a number from 1 to 1000",
		"limit=x":   "limit=\"x\": want a number",
		"before=-1": "before=\"-1\": want the id of an event",
		"failed=so": "failed=\"so\": want true or false",
		"sort=id":   "unknown parameter \"sort\"",
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := recentFilter(values); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", query, err)
		}
	}
}
