package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gitnexus/gitnexus-mcp/events"
	"github.com/gitnexus/gitnexus-mcp/sanitize"
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
			_, err = fmt.Fprintf(p.stdout, "%s\n", sanitize.JSON(line))
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
	what := e.Category + " " + strings.ReplaceAll(e.Type, "_", " ")
	if e.Category == events.Call || e.Category == events.Client {
		what = e.Tool + " " + cmp.Or(e.Code, "ok")
		if e.Category == events.Client {
			what += " at " + visible(e.Type)
		}
	} else if e.Code != "" {
		what += " " + e.Code
	}
	line := e.Time.Local().Format("2006-01-02 15:04:05.000") + " " + what
	if e.DurationMS > 0 {
		line += " in " + took(e.DurationMS)
	}
	if e.Attempts > 1 {
		line += fmt.Sprintf(" after %d attempts", e.Attempts)
	}
	if e.Weight > 1 {
		line += fmt.Sprintf(" (stands for %d calls)", e.Weight)
	}
	if e.Graph != "" {
		line += " graph=" + visible(e.Graph)
	}
	if e.Agent != "" {
		line += " agent=" + strconv.Quote(e.Agent)
	}
	if e.Call != "" {
		line += " id=" + e.Call
	}
	if known := facts(e); known != "" {
		line += " " + visible(known)
	}
	if e.Message != "" {
		line += ": " + visible(e.Message)
	}
	return line
}

// took writes a duration with the figures that matter: 0.4 ms, 12 ms, 2.5s, 1m30s.
func took(ms float64) string {
	d := time.Duration(ms * float64(time.Millisecond))
	switch {
	case ms < 10:
		return fmt.Sprintf("%.1f ms", ms)
	case ms < 1000:
		return fmt.Sprintf("%.0f ms", ms)
	case ms < 60_000:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// facts is what an event's metadata has for a person: what was asked, which hook
// ran, how large the graph is.
func facts(e events.Event) string {
	var m struct {
		Arguments json.RawMessage
		Hook      string
		Command   string
		Files     int
		Symbols   int
		PID       int
	}
	if json.Unmarshal(e.Metadata, &m) != nil {
		return ""
	}
	switch {
	case m.Hook != "":
		return m.Hook + " " + m.Command
	case len(m.Arguments) > 0:
		return string(m.Arguments)
	case e.Category == events.Index:
		return fmt.Sprintf("%d files, %d symbols", m.Files, m.Symbols)
	case m.PID > 0:
		return fmt.Sprintf("pid %d", m.PID)
	}
	return ""
}
