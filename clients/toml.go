package clients

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

var errInline = errors.New("the entry is written as an inline table or with dotted keys: edit it by hand")

// section is a table of a TOML file: the lines from its header up to the next
// header.
type section struct {
	path       []string
	start, end int
	fields     map[string]int // where the line of each key begins
}

// sections lists the tables in the order of the file, without the keys above
// the first header.
func sections(text string) ([]section, error) {
	var list []section
	p := unstable.Parser{}
	p.Reset([]byte(text))
	for p.NextExpression() {
		e := p.Expression()
		var path []string
		at := -1
		for keys := e.Key(); keys.Next(); {
			if at < 0 {
				at = int(keys.Node().Raw.Offset)
			}
			path = append(path, string(keys.Node().Data))
		}
		if at < 0 {
			continue
		}
		line := strings.LastIndexByte(text[:at], '\n') + 1
		switch {
		case e.Kind == unstable.Table || e.Kind == unstable.ArrayTable:
			if n := len(list); n > 0 {
				list[n-1].end = line
			}
			list = append(list, section{path, line, len(text), map[string]int{}})
		case len(list) > 0:
			list[len(list)-1].fields[strings.Join(path, ".")] = line
		}
	}
	return list, p.Error()
}

// setTOML adds the table at path, or corrects the command line of the one that
// is there.
func setTOML(text []byte, path []string, fields []field) ([]byte, error) {
	entry, err := readTOML(text, path)
	if err != nil {
		return nil, err
	}
	newline := newlineOf(string(text))
	after := string(text)
	if entry == nil {
		if after != "" {
			after = strings.TrimRight(after, "\r\n") + newline + newline
		}
		after += "[" + strings.Join(path, ".") + "]" + newline
		for _, f := range fields {
			after += assignment(f) + newline
		}
		return checkTOML(text, after, path)
	}
	for _, f := range fields {
		if f.name != "command" && f.name != "args" || same(entry[f.name], f.value) {
			continue
		}
		list, err := sections(after)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(list, func(s section) bool { return slices.Equal(s.path, path) })
		if i < 0 {
			return nil, errInline
		}
		start, there := list[i].fields[f.name]
		end := start
		if there {
			end = assignmentEnd(after, start, list[i].end)
		} else {
			start = strings.IndexByte(after[list[i].start:], '\n') + 1 + list[i].start
			end = start
		}
		after = after[:start] + assignment(f) + newline + after[end:]
	}
	return checkTOML(text, after, path)
}

// removeTOML takes the table at path out, and those below it.
func removeTOML(text []byte, path []string) ([]byte, error) {
	entry, err := readTOML(text, path)
	if err != nil || entry == nil {
		return text, err
	}
	list, err := sections(string(text))
	if err != nil {
		return nil, err
	}
	after := string(text)
	atEnd := false
	for _, s := range slices.Backward(list) {
		if len(s.path) < len(path) || !slices.Equal(s.path[:len(path)], path) {
			continue
		}
		atEnd = atEnd || s.end == len(text)
		after = after[:s.start] + after[sectionEnd(string(text), s):]
	}
	if atEnd {
		after = strings.TrimRight(after, "\r\n") + newlineOf(string(text))
	}
	return checkTOML(text, after, path)
}

// sectionEnd is where a table ends: before the comments right above the next header.
func sectionEnd(text string, s section) int {
	end := s.end
	for end < len(text) {
		line := strings.LastIndexByte(text[:end-1], '\n') + 1
		if line <= s.start || !strings.HasPrefix(strings.TrimSpace(text[line:end]), "#") {
			break
		}
		end = line
	}
	return end
}

func newlineOf(text string) string {
	if strings.Contains(text, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

func assignment(f field) string {
	value, _ := json.Marshal(f.value) // a JSON string or list of strings is a TOML one
	return f.name + " = " + strings.ReplaceAll(string(value), `","`, `", "`)
}

// assignmentEnd is where the line after an assignment begins, whose value may
// take several lines.
func assignmentEnd(text string, start, limit int) int {
	for end := start; end < limit; {
		i := strings.IndexByte(text[end:limit], '\n')
		if i < 0 {
			return limit
		}
		end += i + 1
		if toml.Unmarshal([]byte(text[start:end]), &map[string]any{}) == nil {
			return end
		}
	}
	return limit
}

// checkTOML makes sure that nothing outside path has changed.
func checkTOML(before []byte, after string, path []string) ([]byte, error) {
	var docs [2]map[string]any
	for i, text := range []string{string(before), after} {
		docs[i] = map[string]any{}
		if err := toml.Unmarshal([]byte(text), &docs[i]); err != nil {
			return nil, errInline
		}
		if servers, ok := docs[i][path[0]].(map[string]any); ok {
			delete(servers, path[1])
			if len(servers) == 0 {
				delete(docs[i], path[0])
			}
		}
	}
	if !reflect.DeepEqual(docs[0], docs[1]) {
		return nil, errInline
	}
	return []byte(after), nil
}

// readTOML is the table at path, which has two keys; nil where there is none.
func readTOML(text []byte, path []string) (map[string]any, error) {
	doc := map[string]any{}
	if err := toml.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	servers, ok := doc[path[0]].(map[string]any)
	if doc[path[0]] != nil && !ok {
		return nil, fmt.Errorf("%s is not a table", path[0])
	}
	entry, ok := servers[path[1]].(map[string]any)
	if servers[path[1]] != nil && !ok {
		return nil, fmt.Errorf("%s is not a table", strings.Join(path, "."))
	}
	return entry, nil
}
