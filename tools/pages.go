package tools

import "strings"

// The kinds of places where a page may end, the best first: behind a comma of
// the first level, of the second and so on, and behind a line in a string.
const (
	deepest    = 15 // and all levels below
	behindLine = deepest + 1
)

// cut divides valid JSON into pages of at most room bytes, the first of at most
// first, and returns where each ends; the last is the length of the text. The bytes
// are those that a page takes when it is quoted as often as quotings says. A
// page ends behind the outermost element of an array or member of an object, or
// else behind the last line of a string, that ends in the page's second half.
// Where there is none it ends between two characters, inside no escape. room has
// to be at least 16; a first page that is too small for a character is empty.
func cut(text []byte, first, room, quotings int) (ends []int) {
	var edges [behindLine + 1]int // where the last of each kind is
	start, limit := 0, fit(text, min(first, room), quotings)
	level, quoted := 0, false
	for i := 0; ; {
	page:
		for stop := min(limit, len(text)); i < stop; i++ {
			switch ch := text[i]; {
			case ch == '"':
				quoted = !quoted
			case quoted && ch == '\\' && i+1 < len(text):
				size := 2
				if text[i+1] == 'u' {
					size = 6
				}
				if i+size > limit {
					break page
				}
				if text[i+1] == 'n' {
					edges[behindLine] = i + size
				}
				i += size - 1
			case quoted:
			case ch == ',':
				edges[min(level, deepest)] = i + 1
			case ch == '{' || ch == '[':
				level++
			case ch == '}' || ch == ']':
				level--
			}
		}
		if i >= len(text) {
			return append(ends, len(text))
		}
		end := i
		for _, edge := range edges {
			if edge > start+(limit-start)/2 {
				end = edge
				break
			}
		}
		ends = append(ends, end)
		start, limit = end, end+fit(text[end:], room, quotings)
	}
}

// cutText is cut for a text: a page ends behind its last line that ends in the
// page's second half, or else between two characters.
func cutText(text string, first, room, quotings int) (ends []int) {
	start, limit := 0, fit(text, min(first, room), quotings)
	for limit < len(text) {
		end := limit
		if line := strings.LastIndexByte(text[start:end], '\n') + 1; line > (end-start)/2 {
			end = start + line
		}
		ends = append(ends, end)
		start, limit = end, end+fit(text[end:], room, quotings)
	}
	return append(ends, len(text))
}
