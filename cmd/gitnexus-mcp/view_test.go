package main

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/gitnexus/gitnexus-mcp/tools"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// What the bridge tells reaches the health resource whole; of a page's graph,
// which is among the health's graphs, its name alone.
func TestViewsLoseNothing(t *testing.T) {
	graph := &wsbridge.GraphContext{
		Repo: "web", State: "ready", Stats: wsbridge.GraphStats{Files: 1, Symbols: 2, Functions: 3, Classes: 4, Interfaces: 5, Methods: 6, Nodes: 7, Edges: 8, Communities: 9, Processes: 10},
		Languages: []wsbridge.LanguageCount{{Language: "go", Files: 1}},
		Hotspots:  []wsbridge.Hotspot{{ID: "i", Name: "n", Kind: "k", File: "f", Line: 1, Connections: 2}}, IndexedAt: 3, Detail: "d",
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	status := wsbridge.Status{
		Role: "peer", PID: 1, HubPID: 2, URL: "u", Agents: []wsbridge.Agent{{Name: "a", PID: 1}},
		Pages:     []wsbridge.PageStatus{{Session: "s", Dialect: "v2", Since: at, Calls: 1, Waiting: 2, Context: graph}, {Session: "empty", Since: at}},
		Reconnect: &wsbridge.ReconnectStatus{Step: 1, Of: 2, NextMS: 3, SinceMS: 4, Connected: true},
		Trouble:   "t", Advice: "v", LastErrors: []wsbridge.LoggedError{{At: at, Message: "m"}},
	}
	want, got := jsonOf(t, status), jsonOf(t, view[tools.Bridge](status))
	want["pages"].([]any)[0].(map[string]any)["context"] = map[string]any{"repo": "web"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if got, want := jsonOf(t, view[tools.Codebase](graph)), jsonOf(t, graph); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func jsonOf(t *testing.T, v any) (object map[string]any) {
	t.Helper()
	data, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(data, &object)
	}
	if err != nil {
		t.Fatal(err)
	}
	return object
}
