package tools

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/gitnexus/gitnexus-mcp/resilience"
)

// Tool is one entry of the table.
type Tool struct {
	Name string
	// Unlisted tools are answered and not told of.
	Unlisted bool
	// Late tools are listed from the first answer on that was truncated.
	Late bool
	// Lean tools are the ones that a short list has.
	Lean bool
	// ForApp tools are called by the page in the chat, and answered as structured
	// content.
	ForApp bool
	// Title is the name for people.
	Title string
	// Summary says in one sentence what the tool does.
	Summary string
	// Use and Avoid say when to take it and when to take another one.
	Use, Avoid string
	// Example is the arguments of one good call. It is checked like any call.
	Example string
	// Returns is the shape of the answer, in one line.
	Returns string
	// Narrower says how to ask for less, after "Ask for less: ".
	Narrower string
	// Fields are the arguments, without the common ones (debug, repo).
	Fields []Field
	// Class is the time limit.
	Class resilience.Class
	// ReadOnly tools change nothing, not even what the user looks at.
	ReadOnly bool
	// Idempotent tools have the same effect however often they run, so a call
	// of one may be sent again.
	Idempotent bool
	// Check, when set, finds what is wrong with arguments that are each right.
	Check func(Arguments) []Problem
	// Guard, when set, refuses arguments that are well-formed but forbidden.
	Guard func(Arguments) error
	// Answer, when set, answers the call here, and no page is asked.
	Answer func(ctx context.Context, c *toolCall, args Arguments) (*mcp.CallToolResult, error)
}

// commonFields are what every tool takes besides its own; list_repos tells of repo.
var commonFields = []Field{
	{Name: "repo", Kind: String, Min: 1, Max: 200,
		Hidden: true, Doc: "Which graph of several."},
	{Name: "debug", Kind: Boolean, Default: false,
		Hidden: true, Doc: "Adds how long each step of the call took."},
}

// fields yields the tool's own fields, then the common ones, numbered from 0.
func (t *Tool) fields() iter.Seq2[int, *Field] {
	return func(yield func(int, *Field) bool) {
		for i := range t.Fields {
			if !yield(i, &t.Fields[i]) {
				return
			}
		}
		for i := range commonFields {
			if !yield(len(t.Fields)+i, &commonFields[i]) {
				return
			}
		}
	}
}

// Description is what an agent reads: the summary first, then when to use the
// tool, when not, an example, and what comes back.
func (t *Tool) Description() string {
	var b strings.Builder
	b.WriteString(t.Summary)
	b.WriteString("\n\nUse it " + t.Use)
	if t.Avoid != "" {
		b.WriteString("\nNot for " + t.Avoid)
	}
	b.WriteString("\nExample: " + t.Example)
	b.WriteString("\nReturns " + t.Returns)
	return b.String()
}

// InputSchema is the JSON Schema (2020-12) of the tool's arguments, of the hidden
// ones those with the names given.
func (t *Tool) InputSchema(hidden ...string) json.RawMessage {
	properties := object{}
	required := []string{}
	for _, f := range t.fields() {
		if f.Hidden && !slices.Contains(hidden, f.Name) {
			continue
		}
		properties.add(f.Name, f.schema())
		if f.Required {
			required = append(required, f.Name)
		}
	}
	s := object{}
	s.add("type", "object")
	s.add("properties", properties)
	if len(required) > 0 {
		s.add("required", required)
	}
	raw, err := marshal(s)
	if err != nil {
		panic(err) // only strings, numbers and booleans of ours
	}
	return raw
}

// Find returns the tool of that name, of the table or of the page in the chat.
func Find(name string) (*Tool, bool) {
	for _, table := range [][]Tool{Table, appTools} {
		for i := range table {
			if table[i].Name == name {
				return &table[i], true
			}
		}
	}
	return nil, false
}

// names are those of all tools, in the table's order.
var names = namesOf(Table)

func namesOf(table []Tool) []string {
	names := make([]string, len(table))
	for i := range table {
		names[i] = table[i].Name
	}
	return names
}

// Names returns the names of all tools, in the table's order.
func Names() []string { return slices.Clone(names) }
