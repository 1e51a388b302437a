package tools

import (
	"fmt"
	"strings"
	"time"

	"github.com/gitnexus/gitnexus-mcp/sanitize"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// contextMarkdown is the context resource: what is loaded, the foreground graph
// first, and the tools. Names come from the page, so they are written as code
// and cannot end or begin anything in the text.
func contextMarkdown(graphs []wsbridge.GraphContext) string {
	var b strings.Builder
	if len(graphs) == 0 {
		b.WriteString("# No code base is loaded\n\n" +
			"No connected page holds a graph, so every tool that asks about code answers with an error for now.\n\n" +
			capital(askToOpen("")) + ". Then read this resource again, or call `context`.\n")
	}
	for i, g := range graphs {
		if i == 1 {
			b.WriteString("\nAlso loaded; name one as `repo` in a call to ask it.\n")
		}
		writeGraph(&b, g, i == 0)
	}
	b.WriteString("\n## Tools\n\n")
	for i := range Table {
		fmt.Fprintf(&b, "- `%s`: %s\n", Table[i].Name, Table[i].Summary)
	}
	return b.String()
}

func writeGraph(b *strings.Builder, g wsbridge.GraphContext, foreground bool) {
	if !foreground {
		fmt.Fprintf(b, "\n- %s: %d files, %d symbols, %s\n", code(g.Repo), g.Stats.Files, g.Stats.Symbols, stateInWords(g))
		return
	}
	fmt.Fprintf(b, "# Code base %s\n\n%s.\n", code(g.Repo), capital(stateInWords(g)))
	s := g.Stats
	if s == (wsbridge.GraphStats{}) {
		return
	}
	fmt.Fprintf(b, "\n%d files, %d symbols (%d functions, %d methods, %d classes, %d interfaces); %d nodes and %d edges in the graph; %d clusters, %d processes.\n",
		s.Files, s.Symbols, s.Functions, s.Methods, s.Classes, s.Interfaces, s.Nodes, s.Edges, s.Communities, s.Processes)

	if len(g.Languages) > 0 {
		b.WriteString("\n## Languages\n\n")
		for _, l := range g.Languages {
			fmt.Fprintf(b, "- %s: %d files\n", code(l.Language), l.Files)
		}
	}
	if len(g.Hotspots) > 0 {
		b.WriteString("\n## Most connected symbols\n\n")
		for _, h := range g.Hotspots {
			fmt.Fprintf(b, "- %s (%s) in %s, %d connections\n", code(h.Name), code(h.Kind), code(location(h)), h.Connections)
		}
	}
}

func location(h wsbridge.Hotspot) string {
	if h.Line > 0 {
		return fmt.Sprintf("%s:%d", h.File, h.Line)
	}
	return h.File
}

func stateInWords(g wsbridge.GraphContext) string {
	var words string
	switch g.State {
	case "ready":
		words = "indexed and ready"
		if g.IndexedAt > 0 {
			words += " since " + time.UnixMilli(g.IndexedAt).UTC().Format("2006-01-02 15:04 UTC")
		}
	case "indexing":
		words = "still being indexed; answers may be incomplete"
	case stateLoading:
		words = "being loaded; tools answer as soon as its graph is there"
	case stateAbsent:
		words = "not loaded yet"
	case "error":
		words = "could not be indexed"
	default:
		words = "in an unknown state"
	}
	if g.Detail != "" {
		words += ": " + code(g.Detail)
	}
	if g.Unproven {
		words += "; this comes from a page without a proof, such as an older app, and another program may have made it up"
	}
	return words
}

// code writes text from the page as Markdown code on one line.
func code(s string) string {
	s = sanitize.Name(strings.ReplaceAll(s[:min(len(s), 2000)], "`", "'"), 300)
	if strings.TrimSpace(s) == "" {
		return "(unnamed)"
	}
	return "`" + s + "`"
}
