package tools

import (
	"strings"
	"testing"
	"time"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

var (
	alertOfTest = wsbridge.Alert{Graph: "shop", Code: "TIMEOUT", Since: 1, Message: "calls of shop failed 5 times", Advice: "Reload the tab."}
	raised      = `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":{"alert":"raised","graph":"shop","code":"TIMEOUT","message":"calls of shop failed 5 times","advice":"Reload the tab."},"level":"warning","logger":"gitnexus-mcp"}}`
	isOver      = `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":{"alert":"over","graph":"shop","code":"TIMEOUT","message":"calls of shop failed 5 times"},"level":"notice","logger":"gitnexus-mcp"}}`
)

// An alert reaches the clients that asked for a level that it has, and no others.
func TestAlertsAsLogMessages(t *testing.T) {
	s := NewServer(Options{Caller: &fakeCaller{}})
	for level, want := range map[string][]string{
		"":        nil,
		"debug":   {raised, isOver},
		"notice":  {raised, isOver},
		"warning": {raised},
		"error":   nil,
	} {
		t.Run(level, func(t *testing.T) {
			c := initialized(t, s)
			if level != "" {
				c.send(`{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"` + level + `"}}`)
				if got := c.next(); got != `{"jsonrpc":"2.0","id":1,"result":{}}` {
					t.Fatalf("got %s", got)
				}
			}
			s.Alert(alertOfTest, false)
			s.Alert(alertOfTest, true)
			for _, line := range want {
				if got := c.next(); got != line {
					t.Errorf("got  %s\nwant %s", got, line)
				}
			}
			c.nothing(10 * time.Millisecond)
		})
	}
	c := initialized(t, s)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"loud"}}`)
	if m := c.nextMessage(); m.Error == nil || !strings.Contains(m.Error.Message, "loud") {
		t.Errorf("got %+v", m)
	}
}

// A client that asks for a level hears of the alerts that are not over.
func TestAlertsThatWereThereBefore(t *testing.T) {
	s := NewServer(Options{Caller: &fakeCaller{}, Alerts: func() []wsbridge.Alert { return []wsbridge.Alert{alertOfTest} }})
	c := initialized(t, s)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"info"}}`)
	got := map[string]bool{c.next(): true, c.next(): true}
	if !got[raised] {
		t.Errorf("got %v", got)
	}
}

// A client of the protocol of 2026-07-28 names the level in the request that listens.
func TestAlertsForAListener(t *testing.T) {
	s := NewServer(Options{Caller: &fakeCaller{}})
	c := serve(t, s)
	listen := func(id, level string) {
		meta := strings.Replace(modernHeaders, `"_meta":{`, `"_meta":{`+level, 1)
		c.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"subscriptions/listen","params":{` + meta + `,"notifications":{"toolsListChanged":true}}}`)
		if m := c.nextMessage(); m.Method != "notifications/subscriptions/acknowledged" {
			t.Fatalf("got %+v", m)
		}
	}
	listen("1", `"io.modelcontextprotocol/logLevel":"info",`)
	listen("2", "")
	s.Alert(alertOfTest, false)
	if line := c.next(); !strings.Contains(line, `"alert":"raised"`) || !strings.Contains(line, `"io.modelcontextprotocol/subscriptionId":1`) {
		t.Errorf("got %s", line)
	}
	c.nothing(10 * time.Millisecond)
}
