package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gitnexus/gitnexus-mcp/events"
)

// stats prints the figures of calls.
func (p program) stats(ctx context.Context, s settings) error {
	log, err := p.eventLog(s)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close(ctx) }()
	stats, err := log.Stats(ctx, time.Now().Add(-s.filter.since))
	if err != nil {
		return err
	}
	if s.json {
		out, err := json.MarshalIndent(stats, "", "  ")
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.stdout, "%s\n", out)
		return err
	}
	if stats.Total.Calls == 0 {
		_, err := fmt.Fprintf(p.stdout, "No calls in the last %v.\n", s.filter.since)
		return err
	}
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\tcalls\tsuccess\tp50 ms\tp95 ms\tp99 ms\tfailures and cancelled")
	stats.Total.Name = "all"
	figures(table, "", []events.Figures{stats.Total})
	figures(table, "tool", stats.Tools)
	figures(table, "graph", stats.Graphs)
	figures(table, "day", stats.Days)
	return table.Flush()
}

func figures(table io.Writer, kind string, list []events.Figures) {
	for _, f := range list {
		var failures []string
		for _, code := range slices.Sorted(maps.Keys(f.Failures)) {
			failures = append(failures, fmt.Sprintf("%s %d", visible(code), f.Failures[code]))
		}
		if f.Cancelled > 0 {
			failures = append(failures, fmt.Sprintf("cancelled %d", f.Cancelled))
		}
		fmt.Fprintf(table, "%s\t%d\t%.1f %%\t%.1f\t%.1f\t%.1f\t%s\n", strings.TrimSpace(kind+" "+visible(f.Name)),
			f.Calls, 100*f.SuccessRate, f.P50, f.P95, f.P99, strings.Join(failures, ", "))
	}
}
