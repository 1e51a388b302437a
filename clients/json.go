package clients

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/tailscale/hujson"
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// document is the text of a JSON file, which may have comments and trailing
// commas, and its syntax tree with offsets into the text.
type document struct {
	text    string
	root    hujson.Value
	newline string
	indent  string // of one level
}

// parseJSON takes text without a byte order mark. An empty text is an empty object.
func parseJSON(text string) (*document, error) {
	d := &document{text: text, newline: newlineOf(text), indent: "  "}
	if strings.TrimSpace(text) == "" {
		d.text = "{}" + d.newline
	}
	root, err := hujson.Parse([]byte(d.text))
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
	}
	d.root = root
	o, ok := root.Value.(*hujson.Object)
	if !ok {
		return nil, errors.New("not a JSON object")
	}
	if len(o.Members) > 0 {
		if unit, alone := d.lineIndent(o.Members[0].Name.StartOffset); alone && unit != "" {
			d.indent = unit
		}
	}
	return d, nil
}

// lineIndent is the white space at the start of the line of an offset, and
// whether that is all there is before it.
func (d *document) lineIndent(offset int) (indent string, alone bool) {
	line := d.text[strings.LastIndexByte(d.text[:offset], '\n')+1 : offset]
	indent = line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	return indent, indent == line
}

// member finds a member by name; -1 where there is none.
func member(o *hujson.Object, name string) int {
	for i, m := range o.Members {
		if l, ok := m.Name.Value.(hujson.Literal); ok && l.String() == name {
			return i
		}
	}
	return -1
}

// find is the value at path, nil where there is none.
func (d *document) find(path []string) *hujson.Value {
	v := &d.root
	for _, key := range path {
		o, ok := v.Value.(*hujson.Object)
		if !ok {
			return nil
		}
		i := member(o, key)
		if i < 0 {
			return nil
		}
		v = &o.Members[i].Value
	}
	return v
}

// setJSON adds the entry at path, or corrects the command line of the one that
// is there.
func setJSON(text []byte, path []string, fields []field) ([]byte, error) {
	return editJSON(text, path, func(d *document) (string, error) {
		entry, err := readJSON(text, path)
		if err != nil {
			return "", err
		}
		if entry == nil {
			if d, err = d.with(path, fields); err != nil {
				return "", err
			}
			return d.text, nil
		}
		for _, f := range fields {
			if f.name != "command" && f.name != "args" || same(entry[f.name], f.value) {
				continue
			}
			if d, err = d.with(append(path[:len(path):len(path)], f.name), f.value); err != nil {
				return "", err
			}
		}
		return d.text, nil
	})
}

// setJSONValue adds a member to the whole object.
func setJSONValue(text []byte, name string, value any) ([]byte, error) {
	return editJSON(text, []string{name}, func(d *document) (string, error) {
		d, err := d.with([]string{name}, value)
		if err != nil {
			return "", err
		}
		return d.text, nil
	})
}

// removeJSON takes the member at path out.
func removeJSON(text []byte, path []string) ([]byte, error) {
	if len(text) == 0 {
		return text, nil
	}
	return editJSON(text, path, func(d *document) (string, error) {
		in := d.find(path[:len(path)-1])
		if in == nil {
			return d.text, nil
		}
		o, ok := in.Value.(*hujson.Object)
		if !ok {
			return d.text, nil
		}
		if i := member(o, path[len(path)-1]); i >= 0 {
			return d.remove(items(*in), i), nil
		}
		return d.text, nil
	})
}

// editJSON runs an edit and makes sure that nothing outside path has changed.
func editJSON(text []byte, path []string, edit func(*document) (string, error)) ([]byte, error) {
	bare, marked := bytes.CutPrefix(text, byteOrderMark)
	d, err := parseJSON(string(bare))
	if err != nil {
		return nil, err
	}
	after, err := edit(d)
	if err != nil {
		return nil, err
	}
	rest, err := others([]byte(d.text), path)
	if err != nil {
		return nil, err
	}
	if now, err := others([]byte(after), path); err != nil || !reflect.DeepEqual(rest, now) {
		return nil, fmt.Errorf("the edit would change more than %s", strings.Join(path, "."))
	}
	if marked {
		after = string(byteOrderMark) + after
	}
	return []byte(after), nil
}

// with is the document after a value at path was replaced or added.
func (d *document) with(path []string, value any) (*document, error) {
	v := &d.root
	for i, key := range path {
		o, ok := v.Value.(*hujson.Object)
		if !ok {
			return nil, fmt.Errorf("%s is not an object", strings.Join(path[:i], "."))
		}
		at := member(o, key)
		if at < 0 {
			return parseJSON(d.add(*v, func(depth string) string {
				return d.format(key, "") + ": " + d.format(nested(path[i+1:], value), depth)
			}))
		}
		v = &o.Members[at].Value
	}
	depth, _ := d.lineIndent(v.StartOffset)
	return parseJSON(d.text[:v.StartOffset] + d.format(value, depth) + d.text[v.EndOffset:])
}

// nested wraps a value into objects.
func nested(path []string, value any) any {
	for i := len(path) - 1; i >= 0; i-- {
		value = []field{{path[i], value}}
	}
	return value
}

// format writes a value whose line begins with depth: objects a member a line,
// lists of anything but strings an element a line, all else on one line.
func (d *document) format(value any, depth string) string {
	if list, ok := value.([]any); ok {
		lines := make([]string, len(list))
		for i, element := range list {
			lines[i] = d.newline + depth + d.indent + d.format(element, depth+d.indent)
		}
		return "[" + strings.Join(lines, ",") + d.newline + depth + "]"
	}
	fields, ok := value.([]field)
	if !ok {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		_ = enc.Encode(value) // strings, lists of them and booleans
		return strings.ReplaceAll(strings.TrimSpace(b.String()), `","`, `", "`)
	}
	var b strings.Builder
	b.WriteString("{")
	for i, f := range fields {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString(d.newline + depth + d.indent + d.format(f.name, "") + ": " + d.format(f.value, depth+d.indent))
	}
	b.WriteString(d.newline + depth + "}")
	return b.String()
}

// item is a member of an object, or an element of an array.
type item struct {
	start int // where its name begins, or the element
	value hujson.Value
}

// items are those of an object or array; none of anything else.
func items(v hujson.Value) []item {
	var list []item
	switch of := v.Value.(type) {
	case *hujson.Object:
		for _, m := range of.Members {
			list = append(list, item{m.Name.StartOffset, m.Value})
		}
	case *hujson.Array:
		for _, e := range of.Elements {
			list = append(list, item{e.StartOffset, e})
		}
	}
	return list
}

// add puts an item at the end of an object or array. text makes it, for a line of
// that depth.
func (d *document) add(v hujson.Value, text func(depth string) string) string {
	list, end := items(v), v.EndOffset-1
	depth, _ := d.lineIndent(end)
	if len(list) > 0 {
		depth, _ = d.lineIndent(v.StartOffset)
		if indent, alone := d.lineIndent(list[0].start); alone {
			depth = strings.TrimSuffix(indent, d.indent)
		}
	}
	line := depth + d.indent + text(depth+d.indent)
	head, comma := d.text[:end], ""
	if n := len(list); n > 0 {
		last := list[n-1].value
		if last.AfterExtra != nil {
			comma = "," // the file's way
		} else {
			head = d.text[:last.EndOffset] + "," + d.text[last.EndOffset:end]
		}
	}
	return strings.TrimRight(head, " \t\r\n") + d.newline + line + comma + d.newline + depth + d.text[end:]
}

// remove takes an item out, with its comma and what is then an empty line.
func (d *document) remove(list []item, i int) string {
	at := list[i]
	start, end := at.start, at.value.EndOffset+len(at.value.AfterExtra)
	head := d.text[:start]
	if end < len(d.text) && d.text[end] == ',' {
		end++
	} else {
		end = at.value.EndOffset
		if i > 0 {
			before := list[i-1].value
			comma := before.EndOffset + len(before.AfterExtra)
			head = d.text[:comma] + d.text[comma+1:start]
		}
	}
	tail := d.text[end:]
	if _, alone := d.lineIndent(start); alone {
		if rest, ok := strings.CutPrefix(strings.TrimLeft(strings.TrimLeft(tail, " \t"), "\r"), "\n"); ok {
			head, tail = strings.TrimRight(head, " \t"), rest
		}
	}
	return head + tail
}

// readJSON is the object at path, nil where there is none.
func readJSON(text []byte, path []string) (map[string]any, error) {
	o, err := decode(text)
	for _, key := range path {
		if o == nil {
			return nil, err
		}
		inner, there := o[key]
		next, ok := inner.(map[string]any)
		if there && !ok {
			return nil, fmt.Errorf("%s is not an object", key)
		}
		o = next
	}
	return o, err
}

// others is everything but the value at path. An object on the way that is
// missing counts as an empty one.
func others(text []byte, path []string) (map[string]any, error) {
	root, err := decode(text)
	if err != nil {
		return nil, err
	}
	o := root
	for _, key := range path[:len(path)-1] {
		if _, ok := o[key].(map[string]any); !ok {
			o[key] = map[string]any{}
		}
		o = o[key].(map[string]any)
	}
	delete(o, path[len(path)-1])
	return root, nil
}

func decode(text []byte) (map[string]any, error) {
	text, _ = bytes.CutPrefix(text, byteOrderMark)
	o := map[string]any{}
	if len(bytes.TrimSpace(text)) == 0 {
		return o, nil
	}
	standard, err := hujson.Standardize(bytes.Clone(text))
	if err != nil {
		return nil, err
	}
	return o, json.Unmarshal(standard, &o)
}

// same tells whether a decoded value is the one to write.
func same(decoded, value any) bool {
	b, err := json.Marshal(value)
	var v any
	return err == nil && json.Unmarshal(b, &v) == nil && reflect.DeepEqual(decoded, v)
}
