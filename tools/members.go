package tools

import (
	"bytes"
	"encoding/json"
	"iter"
)

// members yields the members of a JSON object in their order: the key, unescaped,
// and the value as it was written. It does not decode the values and does not
// allocate, unlike encoding/json. object has to be a valid JSON object; the
// slices are parts of it, or valid until the next step.
func members(object []byte) iter.Seq2[[]byte, json.RawMessage] {
	return func(yield func([]byte, json.RawMessage) bool) {
		i := skipSpace(object, 0) + 1 // past the brace
		for {
			i = skipSpace(object, i)
			if object[i] == ',' {
				i = skipSpace(object, i+1)
			}
			if object[i] == '}' {
				return
			}
			end := skipValue(object, i)
			key := object[i+1 : end-1]
			if bytes.IndexByte(key, '\\') >= 0 {
				var plain string
				_ = json.Unmarshal(object[i:end], &plain) // valid
				key = []byte(plain)
			}
			i = skipSpace(object, skipSpace(object, end)+1) // past the colon
			end = skipValue(object, i)
			if !yield(key, object[i:end:end]) {
				return
			}
			i = end
		}
	}
}

// isObject tells whether valid JSON is an object.
func isObject(valid []byte) bool {
	i := skipSpace(valid, 0)
	return i < len(valid) && valid[i] == '{'
}

func skipSpace(s []byte, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r') {
		i++
	}
	return i
}

// skipValue returns the end of the value that begins at i.
func skipValue(s []byte, i int) int {
	depth := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case '"':
			for i++; s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
			continue
		case '}', ']':
			depth--
		default:
			if depth > 0 {
				continue
			}
			for i < len(s) && s[i] != ',' && s[i] != '}' && s[i] != ']' && s[i] > ' ' {
				i++ // a number, true, false or null
			}
			return i
		}
		if depth == 0 {
			return i + 1
		}
	}
	return i
}
