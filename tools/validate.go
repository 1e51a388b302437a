package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Arguments are a call's checked arguments with their defaults: string, int64,
// float64, bool and []string by name. Fields that are absent and have no
// default are not in it.
type Arguments map[string]any

// String returns a String field's value; "" when it is absent.
func (a Arguments) String(name string) string { s, _ := a[name].(string); return s }

// Int returns an Integer field's value; 0 when it is absent.
func (a Arguments) Int(name string) int64 { n, _ := a[name].(int64); return n }

// Strings returns a Strings field; nil when it is absent.
func (a Arguments) Strings(name string) []string { v, _ := a[name].([]string); return v }

// Problem is one thing that is wrong with a call's arguments.
type Problem struct {
	Field    string `json:"field"`
	Expected string `json:"expected"`
	// Got is what came, shortened; "nothing" for a missing field.
	Got string `json:"got"`
	// Hint is what to do, where there is more to say than what was expected.
	Hint string `json:"hint,omitempty"`
}

func (p Problem) String() string {
	s := fmt.Sprintf("%s: expected %s, got %s", p.Field, p.Expected, p.Got)
	if p.Hint != "" {
		s += " (" + p.Hint + ")"
	}
	return s
}

// ValidationError says everything that is wrong with a call's arguments.
type ValidationError struct {
	Tool     string
	Problems []Problem
}

func (e *ValidationError) Error() string {
	words := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		words[i] = p.String()
	}
	return fmt.Sprintf("invalid arguments for %s: %s", e.Tool, strings.Join(words, "; "))
}

// Validate decodes a call's arguments, fills in the defaults and checks them.
// It reports all problems at once, as a *ValidationError.
//
// Types are strict: a number in quotes is refused, with a hint, because a
// string that happens to look like a number is a string. A whole float is an
// integer, as in JSON Schema. Null means absent. Absent arguments mean {}.
func (t *Tool) Validate(raw json.RawMessage) (Arguments, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		raw = json.RawMessage("{}")
	}
	if !json.Valid(raw) || raw[0] != '{' {
		return nil, &ValidationError{t.Name, []Problem{{
			Field: "arguments", Expected: "a JSON object", Got: describe(raw), Hint: hintForArguments(raw),
		}}}
	}
	given := make([]json.RawMessage, len(t.Fields)+len(commonFields))
	var unknown []string
nextMember:
	for key, value := range members(raw) {
		for i, f := range t.fields() {
			if f.Name == string(key) {
				given[i] = value
				continue nextMember
			}
		}
		unknown = append(unknown, string(key))
	}

	args := Arguments{}
	var problems []Problem
	for i, f := range t.fields() {
		value := given[i]
		switch {
		case value != nil && string(value) != "null":
			v, problem := f.decode(value)
			if problem != nil {
				problems = append(problems, *problem)
				continue
			}
			args[f.Name] = v
		case f.Required:
			got := "nothing"
			if value != nil {
				got = "null"
			}
			problems = append(problems, Problem{Field: f.Name, Expected: f.expected(), Got: got})
		case f.Default != nil:
			args[f.Name] = f.Default
		}
	}
	problems = append(problems, unknownFields(t, unknown)...)
	if len(problems) == 0 && t.Check != nil {
		problems = t.Check(args)
	}
	if len(problems) > 0 {
		return nil, &ValidationError{t.Name, problems}
	}
	return args, nil
}

// maxUnknown bounds how many unknown fields are reported one by one.
const maxUnknown = 10

func unknownFields(t *Tool, names []string) []Problem {
	if len(names) == 0 {
		return nil
	}
	var known []string
	for _, f := range t.fields() {
		known = append(known, f.Name)
	}
	var problems []Problem
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if len(problems) == maxUnknown {
			break
		}
		p := Problem{
			Field:    clip(name, 60),
			Expected: "one of the fields " + strings.Join(known, ", "),
			Got:      "an unknown field",
		}
		if near := Nearest(name, known); len(near) > 0 {
			p.Hint = "did you mean " + strings.Join(near, " or ") + "?"
		}
		problems = append(problems, p)
	}
	return problems
}

// decode checks one value that is there.
func (f *Field) decode(raw json.RawMessage) (any, *Problem) {
	wrong := func(hint string) (any, *Problem) {
		return nil, &Problem{Field: f.Name, Expected: f.expected(), Got: describe(raw), Hint: hint}
	}
	switch f.Kind {
	case Boolean:
		var b bool
		if json.Unmarshal(raw, &b) != nil {
			return wrong(f.hintForQuotes(raw))
		}
		return b, nil
	case Integer:
		n, ok := wholeNumber(raw)
		if !ok {
			return wrong(f.hintForQuotes(raw))
		}
		if n < int64(f.Min) || n > int64(f.Max) {
			return wrong("")
		}
		return n, nil
	case Number:
		n, ok := float(raw)
		if !ok {
			return wrong(f.hintForQuotes(raw))
		}
		if n < f.Min || n > f.Max {
			return wrong("")
		}
		return n, nil
	case Strings:
		return f.decodeStrings(raw)
	}
	s, ok := plainString(raw)
	if !ok {
		return wrong("")
	}
	if len(f.Enum) > 0 {
		if !slices.Contains(f.Enum, s) {
			return wrong(meant(s, f.Enum))
		}
		return s, nil
	}
	if length := float64(utf8.RuneCountInString(s)); length < f.Min || length > f.Max {
		return wrong(fmt.Sprintf("it has %s", number(length)))
	}
	if f.Min > 0 && strings.TrimSpace(s) == "" {
		return wrong("it has only spaces")
	}
	if f.Pattern != nil && !f.Pattern.MatchString(s) {
		return wrong("")
	}
	return s, nil
}

func (f *Field) decodeStrings(raw json.RawMessage) (any, *Problem) {
	wrong := func(field string, got, hint string) (any, *Problem) {
		return nil, &Problem{Field: field, Expected: f.expected(), Got: got, Hint: hint}
	}
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		hint := ""
		if raw[0] == '"' {
			hint = "write an array, even for one item: [" + clip(string(raw), 60) + "]"
		}
		return wrong(f.Name, describe(raw), hint)
	}
	if n := float64(len(items)); n < f.Min || n > f.Max {
		return wrong(f.Name, fmt.Sprintf("%d items", len(items)), "")
	}
	values := make([]string, 0, len(items))
	for i, item := range items {
		at := fmt.Sprintf("%s[%d]", f.Name, i)
		var s string
		if json.Unmarshal(item, &s) != nil || string(item) == "null" {
			return wrong(at, describe(item), "")
		}
		switch length := utf8.RuneCountInString(s); {
		case len(f.Enum) > 0 && !slices.Contains(f.Enum, s):
			return wrong(at, describe(item), meant(s, f.Enum))
		case len(f.Enum) == 0 && (length == 0 || length > maxItemLength):
			return wrong(at, fmt.Sprintf("a string of %d characters", length), fmt.Sprintf("an item has 1 to %d characters", maxItemLength))
		}
		values = append(values, s)
	}
	return values, nil
}

// wholeNumber reads a JSON number without a fraction: 10, 10.0 and 1e1.
func wholeNumber(raw json.RawMessage) (int64, bool) {
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n, raw[0] != '+'
	}
	n, ok := float(raw)
	// Beyond 2^53 neighbours collapse, and no field reaches that far.
	if !ok || n != math.Trunc(n) || math.Abs(n) > 1<<53 {
		return 0, false
	}
	return int64(n), true
}

func float(raw json.RawMessage) (float64, bool) {
	var n float64
	return n, json.Unmarshal(raw, &n) == nil
}

// hintForQuotes says what to write when the value is right but for its quotes.
func (f *Field) hintForQuotes(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	inner := json.RawMessage(strings.TrimSpace(s))
	if !json.Valid(inner) {
		return ""
	}
	if _, problem := f.decode(inner); problem != nil {
		return ""
	}
	return "write " + clip(string(inner), 40) + " without quotes"
}

func hintForArguments(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil && strings.HasPrefix(strings.TrimSpace(s), "{") {
		return "pass the object itself, not a string that holds it"
	}
	return ""
}

func meant(s string, known []string) string {
	if near := Nearest(s, known); len(near) > 0 {
		return "did you mean " + strconv.Quote(near[0]) + "?"
	}
	return ""
}

// describe says what a JSON value is, shortened: the string "abc", the number 3.
func describe(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "the string " + clip(string(raw), 80)
	case 't', 'f', 'n':
		return string(raw)
	}
	return "the number " + clip(string(raw), 40)
}

// clip shortens s to at most n bytes at a character's boundary.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// encode writes the arguments for the page: the tool's own, in the table's
// order, without the common ones.
func (t *Tool) encode(args Arguments) (json.RawMessage, error) {
	b := append(make([]byte, 0, 128), '{')
	for i := range t.Fields {
		v, ok := args[t.Fields[i].Name]
		if !ok {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), t.Fields[i].Name...), `":`...)
		switch v := v.(type) { // reflection is slow with cold caches
		case bool:
			b = strconv.AppendBool(b, v)
		case int64:
			b = strconv.AppendInt(b, v, 10)
		case string:
			b = appendString(b, v)
		default:
			value, err := marshal(v)
			if err != nil {
				return nil, err
			}
			b = append(b, value...)
		}
	}
	return append(b, '}'), nil
}
