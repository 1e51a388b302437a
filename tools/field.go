package tools

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Kind is the type of a field's value.
type Kind int

const (
	// String is a JSON string. Min and Max bound its length in characters.
	String Kind = iota
	// Integer is a JSON number without a fraction; 10.0 is one. Min and Max bound it.
	Integer
	// Number is any JSON number. Min and Max bound it.
	Number
	// Boolean is true or false.
	Boolean
	// Strings is an array of strings, each at most maxItemLength characters
	// long. Min and Max bound the number of items.
	Strings
)

// maxItemLength bounds each string of a Strings field, in characters.
const maxItemLength = 1000

// Field is one argument of a tool. Its schema, its default and its check all
// come from here.
type Field struct {
	Name string
	Kind Kind
	// Doc says what the value means, in one or two sentences for a model.
	Doc      string
	Required bool
	// Hidden fields are accepted, and not in the schema that is listed at first.
	Hidden bool
	// Default is what an absent or null value becomes: a string, int64,
	// float64, bool or []string as Kind demands. Nil: the field stays absent.
	Default any
	// Enum lists the allowed strings (of each item, for Strings).
	Enum []string
	// Min and Max bound the value as Kind describes. Every field but a Boolean
	// or one with an Enum has a Max.
	Min, Max float64
	// Pattern, for a String, must match; PatternDoc says so in words.
	Pattern    *regexp.Regexp
	PatternDoc string
}

// schema returns the field's JSON Schema.
func (f *Field) schema() object {
	s := object{}
	// Models read every word of a schema: lengths, lower bounds and patterns are
	// checked, and told where they are not kept.
	switch f.Kind {
	case String:
		s.add("type", "string")
		if len(f.Enum) > 0 {
			s.add("enum", f.Enum)
		}
	case Integer:
		s.add("type", "integer")
		if f.Max < 1_000_000 {
			s.add("maximum", int64(f.Max))
		}
	case Number:
		s.add("type", "number")
		s.add("maximum", f.Max)
	case Boolean:
		s.add("type", "boolean")
	case Strings:
		item := object{}
		item.add("type", "string")
		if len(f.Enum) > 0 {
			item.add("enum", f.Enum)
		}
		s.add("type", "array")
		s.add("items", item)
	}
	s.add("description", f.Doc)
	if f.Default != nil {
		s.add("default", f.Default)
	}
	return s
}

// expected says in words which values the field takes: "an integer from 1 to 100".
func (f *Field) expected() string {
	switch f.Kind {
	case Integer:
		return fmt.Sprintf("an integer from %s to %s", number(f.Min), number(f.Max))
	case Number:
		return fmt.Sprintf("a number from %s to %s", number(f.Min), number(f.Max))
	case Boolean:
		return "true or false"
	case Strings:
		item := fmt.Sprintf("a string of 1 to %d characters", maxItemLength)
		if len(f.Enum) > 0 {
			item = oneOf(f.Enum)
		}
		return fmt.Sprintf("an array of %s items, each %s", span(f.Min, f.Max), item)
	}
	switch {
	case len(f.Enum) > 0:
		return oneOf(f.Enum)
	case f.Pattern != nil:
		return f.PatternDoc
	}
	return fmt.Sprintf("a string of %s characters", span(f.Min, f.Max))
}

func span(low, high float64) string {
	if low == 0 {
		return "at most " + number(high)
	}
	return number(low) + " to " + number(high)
}

func oneOf(values []string) string {
	return "one of " + strings.Join(quoteAll(values), ", ")
}

func quoteAll(values []string) []string {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = strconv.Quote(v)
	}
	return quoted
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
