package tools

import (
	"fmt"
	"strings"
	"time"
)

// Codebase is what a page has loaded. Its JSON form is the context of
// bridge/context in docs/protocol.md.
type Codebase struct {
	// Repo is the repository's name.
	Repo string `json:"repo"`
	// State is "indexing", "ready" or "error".
	State     string          `json:"state"`
	Stats     CodebaseStats   `json:"stats"`
	Languages []LanguageCount `json:"languages"`
	Hotspots  []Hotspot       `json:"hotspots"`
	// IndexedAt is in milliseconds since the epoch; 0 for not yet.
	IndexedAt int64 `json:"indexedAt"`
	// Detail says in words what goes on, when State is not "ready", and else what is missing.
	Detail string `json:"detail,omitempty"`
}

// CodebaseStats are the figures of a graph.
type CodebaseStats struct {
	Files       int `json:"files"`
	Symbols     int `json:"symbols"`
	Functions   int `json:"functions"`
	Classes     int `json:"classes"`
	Interfaces  int `json:"interfaces"`
	Methods     int `json:"methods"`
	Nodes       int `json:"nodes"`
	Edges       int `json:"edges"`
	Communities int `json:"communities"`
	Processes   int `json:"processes"`
}

// LanguageCount is the number of files in one language.
type LanguageCount struct {
	Language string `json:"language"`
	Files    int    `json:"files"`
}

// Hotspot is one of the most connected symbols.
type Hotspot struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Kind        string `json:"kind"`
	File        string `json:"file"`
	Line        int    `json:"line"`
	Connections int    `json:"connections"`
}

// contextMarkdown is the context resource: what is loaded, the one in front
// first, and the tools. Names come from the page, so they are written as code
// and cannot end or begin anything in the text.
func contextMarkdown(graphs []Codebase) string {
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
		writeCodebase(&b, g, i == 0)
	}
	b.WriteString("\n## Tools\n\n")
	for i := range Table {
		fmt.Fprintf(&b, "- `%s`: %s\n", Table[i].Name, Table[i].Summary)
	}
	return b.String()
}

func writeCodebase(b *strings.Builder, g Codebase, front bool) {
	if !front {
		fmt.Fprintf(b, "\n- %s: %d files, %d symbols, %s\n", code(g.Repo), g.Stats.Files, g.Stats.Symbols, stateInWords(g))
		return
	}
	fmt.Fprintf(b, "# Code base %s\n\n%s.\n", code(g.Repo), capital(stateInWords(g)))
	s := g.Stats
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
			fmt.Fprintf(b, "- %s (%s) in %s, %d connections\n", code(h.Name), code(h.Kind), code(place(h)), h.Connections)
		}
	}
}

func place(h Hotspot) string {
	if h.Line > 0 {
		return fmt.Sprintf("%s:%d", h.File, h.Line)
	}
	return h.File
}

func stateInWords(g Codebase) string {
	var words string
	switch g.State {
	case "ready":
		words = "indexed and ready"
		if g.IndexedAt > 0 {
			words += " since " + time.UnixMilli(g.IndexedAt).UTC().Format("2006-01-02 15:04 UTC")
		}
	case "indexing":
		words = "still being indexed; answers may be incomplete"
	case "error":
		words = "could not be indexed"
	default:
		words = "in an unknown state"
	}
	if g.Detail != "" {
		words += ": " + code(g.Detail)
	}
	return words
}

// code writes text from the page as Markdown code on one line.
func code(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		if r == '`' {
			return '\''
		}
		return r
	}, clip(s, 300))
	if strings.TrimSpace(s) == "" {
		return "(unnamed)"
	}
	return "`" + s + "`"
}
