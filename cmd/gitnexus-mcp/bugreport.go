package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// bugReport prints all that a bug report needs in one block of Markdown: what was
// found, what is set, and how the calls of the last day ended. It has no secrets, no
// arguments of calls, and nothing of a repository but its name.
func (p program) bugReport(ctx context.Context, d doctor, findings []finding) error {
	var b strings.Builder
	printFindings(&b, findings)
	b.WriteString("\nset in the environment:\n")
	variables := ourVariables(p.environ)
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		value := visible(variables[name])
		if name == "GITNEXUS_TOKEN" {
			value = "(not shown)"
		}
		fmt.Fprintf(&b, "  %s=%s\n", name, value)
	}
	b.WriteString("\ncalls of the last 24 hours:\n")
	if err := p.outcomes(ctx, d.s, &b); err != nil {
		fmt.Fprintf(&b, "  cannot be read: %v\n", err)
	}
	text := strings.ReplaceAll(b.String(), d.env.Home, "~")
	_, err := fmt.Fprintf(p.stdout, "```\n%s```\n", strings.ReplaceAll(text, "```", "~~~")) // which would end the block
	return err
}

// outcomes writes how the calls of each tool ended.
func (p program) outcomes(ctx context.Context, s settings, out io.Writer) error {
	log, err := p.eventLog(s)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close(ctx) }()
	stats, err := log.Stats(ctx, time.Now().Add(-24*time.Hour))
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "  tool\tcalls\tsuccess\tp50 ms\tp95 ms\tp99 ms\tfailures and cancelled")
	figures(table, " ", stats.Tools)
	return table.Flush()
}
