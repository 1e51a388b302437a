package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gitnexus/gitnexus-mcp/sanitize"
)

// member is one name and value of a JSON object; the value is an object, a []any
// or the text of a scalar.
type member struct {
	name  string
	value any
}

type jsonObject []member

func (o jsonObject) get(name string) any {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// decodeOrdered reads JSON and keeps the order of members.
func decodeOrdered(dec *json.Decoder) any {
	token, err := dec.Token()
	if err != nil {
		return ""
	}
	switch token {
	case json.Delim('{'):
		object := jsonObject{}
		for dec.More() {
			name, err := dec.Token()
			if err != nil {
				return object
			}
			object = append(object, member{visible(fmt.Sprint(name)), decodeOrdered(dec)})
		}
		_, _ = dec.Token()
		return object
	case json.Delim('['):
		list := []any{}
		for dec.More() {
			list = append(list, decodeOrdered(dec))
		}
		_, _ = dec.Token()
		return list
	case nil:
		return ""
	}
	return sanitize.Text(fmt.Sprint(token))
}

// renderer writes JSON for people: members as indented lines, lists of flat
// objects as tables, what holds more as trees.
type renderer struct {
	b      strings.Builder
	colour bool
}

// render makes a tool's answer readable. answer is valid JSON.
func render(answer []byte, colour bool) string {
	dec := json.NewDecoder(bytes.NewReader(answer))
	dec.UseNumber()
	r := &renderer{colour: colour}
	r.value("", decodeOrdered(dec))
	return r.b.String()
}

func (r *renderer) line(indent, text string) {
	fmt.Fprintln(&r.b, strings.TrimRight(indent+text, " "))
}

func (r *renderer) style(code, text string) string {
	if !r.colour || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (r *renderer) name(text string) string { return r.style("1", text) }

func (r *renderer) value(indent string, v any) {
	switch v := v.(type) {
	case jsonObject:
		r.object(indent, v)
	case []any:
		r.list(indent, v)
	case string:
		for line := range strings.SplitSeq(strings.TrimRight(v, "\n"), "\n") {
			r.line(indent, line)
		}
	}
}

// object writes each member: on one line where its value is short, else below its name.
func (r *renderer) object(indent string, o jsonObject) {
	if columns, ok := o.get("columns").([]any); ok {
		for _, rows := range []string{"rows", "items"} {
			if list, ok := o.get(rows).([]any); ok {
				r.rows(indent, columns, list)
				o = slices.DeleteFunc(slices.Clone(o), func(m member) bool { return m.name == "columns" || m.name == rows })
				break
			}
		}
	}
	for _, m := range o {
		if items, ok := m.value.([]any); ok && m.name == "items" && len(o) == 1 {
			r.list(indent, items)
			continue
		}
		if text, ok := short(m.value); ok {
			r.line(indent, r.name(m.name+":")+" "+text)
			continue
		}
		title := m.name
		if nested, ok := m.value.(jsonObject); ok { // the total belongs to the name
			if total, ok := nested.get("total").(string); ok {
				title += " (" + total + ")"
				m.value = slices.DeleteFunc(slices.Clone(nested), func(m member) bool { return m.name == "total" })
			}
			if items, ok := nested.get("items").([]any); ok && nested.get("columns") == nil {
				r.line(indent, r.name(title))
				r.list(indent+"  ", items)
				rest := slices.DeleteFunc(slices.Clone(nested), func(m member) bool { return m.name == "items" || m.name == "total" })
				r.object(indent+"  ", rest)
				continue
			}
		}
		r.line(indent, r.name(title))
		r.value(indent+"  ", m.value)
	}
}

// list writes texts a line each, flat objects as a table, and all else as a tree.
func (r *renderer) list(indent string, list []any) {
	if table, ok := tableOf(list); ok {
		r.table(indent, table)
		return
	}
	for i, item := range list {
		branch, below := "├─ ", "│  "
		if i == len(list)-1 {
			branch, below = "└─ ", "   "
		}
		object, ok := item.(jsonObject)
		if !ok {
			text, isShort := short(item)
			if !isShort {
				text = flat(item)
			}
			r.line(indent+branch, strings.ReplaceAll(text, "\n", "\n"+indent+below))
			continue
		}
		head, rest := headOf(object)
		r.line(indent+branch, head)
		r.object(indent+below, rest)
	}
}

// shortLength is how long a value may be to stand beside its name.
const shortLength = 100

// short is a value on one line; false where it is too long for it.
func short(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, !strings.Contains(v, "\n")
	case jsonObject:
		if _, named := v.get("id").(string); named {
			head, rest := headOf(v)
			return head, len(rest) == 0
		}
		return flat(v), len(v) == 0
	case []any:
		for _, item := range v {
			if text, ok := item.(string); !ok || utf8.RuneCountInString(text) > 40 {
				return "", false
			}
		}
		text := flat(v)
		return text, utf8.RuneCountInString(text) <= shortLength
	}
	return "", false
}

// flat is a value in words: a list with commas, an object as "name value" pairs.
func flat(v any) string {
	var parts []string
	switch v := v.(type) {
	case string:
		return v
	case []any:
		for _, item := range v {
			parts = append(parts, flat(item))
		}
	case jsonObject:
		for _, m := range v {
			parts = append(parts, m.name+" "+flat(m.value))
		}
	}
	return strings.Join(parts, ", ")
}

// headOf is the line that names an item of a tree, and the members that it does
// not tell: its name, where it is, and what is short.
func headOf(o jsonObject) (string, jsonObject) {
	symbol, place, o := symbolOf(o)
	var words []string
	if symbol != "" {
		words = append(words, symbol)
	}
	if place != "" {
		words = append(words, place)
	}
	var rest jsonObject
	for _, m := range o {
		if text, ok := short(m.value); ok && utf8.RuneCountInString(text) <= shortLength {
			words = append(words, m.name+" "+text)
		} else {
			rest = append(rest, m)
		}
	}
	return strings.Join(words, "  "), rest
}

// symbolOf takes a node id such as "Method:src/a.ts:Server.run" and its line
// apart: "Server.run (Method)" and "src/a.ts:12".
func symbolOf(o jsonObject) (symbol, place string, rest jsonObject) {
	id, _ := o.get("id").(string)
	kind, path, ok := strings.Cut(id, ":")
	if !ok {
		return "", "", o
	}
	rest = slices.DeleteFunc(slices.Clone(o), func(m member) bool { return m.name == "id" })
	colon := strings.LastIndexByte(path, ':')
	if colon < 0 { // a file, a cluster or a process
		if label, ok := o.get("label").(string); ok {
			rest = slices.DeleteFunc(rest, func(m member) bool { return m.name == "label" })
			return label + " (" + id + ")", "", rest
		}
		return path + " (" + kind + ")", "", rest
	}
	place = path[:colon]
	if line, ok := o.get("line").(string); ok {
		place += ":" + line
		rest = slices.DeleteFunc(rest, func(m member) bool { return m.name == "line" })
	}
	return path[colon+1:] + " (" + kind + ")", place, rest
}

// tableWidth is how wide a table may be; a list that needs more is a tree.
const tableWidth = 140

// tableOf is a list of at least two flat objects as rows, with their names ahead.
func tableOf(list []any) ([][]string, bool) {
	if len(list) < 2 {
		return nil, false
	}
	var header []string
	rows := make([]map[string]string, len(list))
	for i, item := range list {
		object, ok := item.(jsonObject)
		if !ok {
			return nil, false
		}
		symbol, place, rest := symbolOf(object)
		rows[i] = map[string]string{}
		cells := append(jsonObject{{"symbol", symbol}, {"place", place}}, rest...)
		for _, m := range cells {
			text, ok := short(m.value)
			if !ok || utf8.RuneCountInString(text) > shortLength {
				return nil, false
			}
			if text == "" {
				continue
			}
			rows[i][m.name] = text
			if !slices.Contains(header, m.name) {
				header = append(header, m.name)
			}
		}
	}
	table, width := [][]string{header}, 0
	for _, row := range rows {
		var cells []string
		for _, name := range header {
			cells = append(cells, row[name])
		}
		table = append(table, cells)
	}
	for i := range header {
		column := 0
		for _, row := range table {
			column = max(column, utf8.RuneCountInString(row[i])+2)
		}
		width += column
	}
	return table, len(header) > 1 && width <= tableWidth
}

func (r *renderer) rows(indent string, columns, rows []any) {
	table := [][]string{nil}
	for _, column := range columns {
		table[0] = append(table[0], flat(column))
	}
	for _, row := range rows {
		var cells []string
		list, _ := row.([]any)
		for _, cell := range list {
			cells = append(cells, strings.ReplaceAll(flat(cell), "\n", " "))
		}
		table = append(table, cells)
	}
	r.table(indent, table)
}

// table writes rows with columns of one width each, the names of the columns first.
func (r *renderer) table(indent string, table [][]string) {
	var widths []int
	for _, row := range table {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for i, row := range table {
		var b strings.Builder
		for j, cell := range row {
			text := cell
			if i == 0 {
				text = r.name(cell)
			}
			b.WriteString(text + strings.Repeat(" ", widths[j]-utf8.RuneCountInString(cell)+2))
		}
		r.line(indent, b.String())
	}
}
