package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// presentLines bounds what the demo shows of one answer.
const presentLines = 18

// present makes JSON readable for people: one line a field or list item, nested
// ones in short, the end cut.
func present(answer string) string {
	var lines []string
	var add func(indent, label string, raw json.RawMessage)
	add = func(indent, label string, raw json.RawMessage) {
		flat := compact(raw)
		if len(flat) <= 100 || flat[0] != '{' && flat[0] != '[' {
			width := 140
			if len(indent) == 4 && flat[0] == '"' {
				width = 600 // the words of an error are for reading
			}
			lines = append(lines, cut(indent+label+flat, width))
			return
		}
		lines = append(lines, strings.TrimRight(indent+label, " "))
		dec := json.NewDecoder(bytes.NewReader(raw))
		_, _ = dec.Token() // the bracket
		for dec.More() {
			label := "- "
			if flat[0] == '{' {
				key, err := dec.Token()
				if err != nil {
					return
				}
				label = fmt.Sprint(key, ": ")
			}
			var item json.RawMessage
			if dec.Decode(&item) != nil {
				return
			}
			if words, ok := symbol(item); ok {
				lines = append(lines, cut(indent+"  "+label+words, 140))
			} else if len(indent) >= 8 {
				lines = append(lines, cut(indent+"  "+label+compact(item), 140))
			} else {
				add(indent+"  ", label, item)
			}
		}
	}
	if !json.Valid([]byte(answer)) {
		return "  " + cut(answer, 500)
	}
	add("  ", "", json.RawMessage(answer))
	if more := len(lines) - presentLines; more > 1 {
		lines = append(lines[:presentLines], fmt.Sprintf("  … %d lines more", more))
	}
	return strings.Join(lines, "\n")
}

// symbol names what a search found, whose id is "Method:src/a.ts:Server.run":
// "Server.run (Method) src/a.ts:12".
func symbol(item json.RawMessage) (string, bool) {
	var s struct {
		Rank, Line int
		ID         string
	}
	if json.Unmarshal(item, &s) != nil || s.Rank == 0 {
		return "", false
	}
	kind, rest, _ := strings.Cut(s.ID, ":")
	colon := strings.LastIndexByte(rest, ':')
	if colon < 0 {
		return fmt.Sprintf("%s (%s)", rest, kind), true
	}
	return fmt.Sprintf("%s (%s) %s:%d", rest[colon+1:], kind, rest[:colon], s.Line), true
}

// presentArguments writes a call's arguments on one line.
func presentArguments(args map[string]any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(args) != nil {
		return ""
	}
	return strings.TrimSpace(b.String())
}

func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
}

// cut shortens a line to n characters.
func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
