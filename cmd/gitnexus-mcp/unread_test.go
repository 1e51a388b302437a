package main

import (
	"strings"
	"testing"
)

// An agent that does not read its answers holds up itself, and neither the hub
// that it runs in nor the agents that ask there.
func TestAnswersThatNobodyReads(t *testing.T) {
	hub := startServer(t, "main")
	hub.initialize()
	hub.page(answerArguments)
	other := joinFamily(t, hub.port)
	sorted(t, []*server{hub, other})

	hub.hold.Lock()
	query := strings.Repeat("q", 900)
	var unread []<-chan message
	for range 300 { // 600 KB of answers, where a pipe takes 64 KB
		_, answer := hub.callAsync("search", map[string]any{"query": query})
		unread = append(unread, answer)
	}
	for range 50 {
		if r, e := other.call("search", map[string]any{"query": "x"}); r.IsError {
			t.Fatalf("the other agent got %+v", e)
		}
	}
	hub.hold.Unlock()
	for _, answer := range unread {
		if r, e := hub.understand(hub.await(answer)); r.IsError || !strings.Contains(string(r.json()), query) {
			t.Fatalf("the agent that reads again got %s, %+v", r.json(), e)
		}
	}
}

// Many MCP clients leave their servers' stderr unread.
func TestLogThatNobodyReads(t *testing.T) {
	s := startServer(t, "main")
	s.initialize()
	s.stderr.mu.Lock()
	for range 2500 { // each writes a line of some 120 bytes, where a pipe takes 64 KB; 1024 may wait
		if _, e := s.call("search", map[string]any{}); e.Code != "VALIDATION_ERROR" {
			t.Errorf("got %+v", e)
			break
		}
	}
	s.stderr.mu.Unlock()
}
