package main

import (
	"encoding/json"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitnexus/gitnexus-mcp/events"
)

// A panic is in the event log, with its stack and the id that the log has.
func TestAPanicIsAnEvent(t *testing.T) {
	s := defaults()
	s.events = filepath.Join(t.TempDir(), "events.sqlite")
	o, err := newObserver(s, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.guarded("a job", func() { panic("injected") }); err == nil {
		t.Error("the panic was no error")
	}
	o.end()
	log := events.New(events.Options{File: s.events})
	defer func() { _ = log.Close(t.Context()) }()
	list, err := log.Query(t.Context(), events.Filter{Category: events.Panic})
	if err != nil || len(list) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	var metadata struct{ ID, Stack string }
	if err := json.Unmarshal(list[0].Metadata, &metadata); err != nil {
		t.Fatal(err)
	}
	if e := list[0]; e.Type != "a job" || !strings.Contains(e.Message, "injected") || e.Call == "" || metadata.ID != e.Call || !strings.Contains(metadata.Stack, "TestAPanicIsAnEvent") {
		t.Errorf("%+v: %s", e, e.Metadata)
	}
}
