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
			lines = append(lines, cut(indent+label+flat, 140))
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
			if len(indent) >= 6 || label == "- " {
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
