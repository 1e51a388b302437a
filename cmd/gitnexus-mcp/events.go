package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/gitnexus/gitnexus-mcp/events"
)

// eventLog opens the event log for reading.
func (p program) eventLog(s settings) (*events.Log, error) {
	file, err := s.eventFile()
	if err == nil && file == "" {
		err = errors.New("--events is off: nothing is logged")
	}
	if err != nil {
		return nil, &usageError{err}
	}
	return events.New(events.Options{File: file}), nil
}

// events prints the event log.
func (p program) events(ctx context.Context, s settings) error {
	log, err := p.eventLog(s)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close(ctx) }()
	f := events.Filter{Since: time.Now().Add(-s.filter.since), Code: s.filter.code, Graph: s.filter.graph}
	show := func(e events.Event) error {
		if s.json {
			line, err := json.Marshal(e)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(p.stdout, "%s\n", line)
			return err
		}
		_, err := fmt.Fprintln(p.stdout, eventLine(e))
		return err
	}
	if s.filter.follow {
		if err := log.Follow(ctx, f, show); ctx.Err() == nil {
			return err
		}
		return nil
	}
	list, err := log.Query(ctx, f)
	if err != nil {
		return err
	}
	for _, e := range list {
		if err := show(e); err != nil {
			return err
		}
	}
	if len(list) == 0 && !s.json {
		fmt.Fprintf(p.stderr, "Nothing was logged in the last %v.\n", s.filter.since)
	}
	return nil
}

// eventLine is an event for a person: when, what, where, how it went.
func eventLine(e events.Event) string {
	line := e.Time.Local().Format("2006-01-02 15:04:05.000") + " " + e.Category + " " + e.Type
	if e.Category == events.Call {
		outcome := e.Code
		if outcome == "" {
			outcome = "ok"
		}
		line = fmt.Sprintf("%s %s %s in %.0f ms", e.Time.Local().Format("2006-01-02 15:04:05.000"), e.Tool, outcome, e.DurationMS)
		if e.Attempts > 1 {
			line += fmt.Sprintf(" after %d attempts", e.Attempts)
		}
		if e.Weight > 1 {
			line += fmt.Sprintf(" (stands for %d calls)", e.Weight)
		}
	} else if e.Code != "" {
		line += " " + e.Code
	}
	if e.Graph != "" {
		line += " graph=" + visible(e.Graph)
	}
	if e.Agent != "" {
		line += " agent=" + visible(e.Agent)
	}
	if e.Call != "" {
		line += " id=" + e.Call
	}
	if e.Message != "" {
		line += ": " + visible(e.Message)
	}
	return line
}
