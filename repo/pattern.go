package repo

import (
	"strings"
	"unicode/utf8"
)

// pattern is one rule of an ignore file, as git reads it.
type pattern struct {
	// elements are those of a path from the directory of the ignore file on. Of a
	// rule that is not anchored there is one: a name at any depth.
	elements    []string
	anchored    bool
	foldersOnly bool
	negated     bool
}

// parsePattern reads a line, without its line end; false when it has no rule.
func parsePattern(line string) (p pattern, ok bool) {
	line = trimSpaces(line)
	if line == "" || line[0] == '#' {
		return pattern{}, false
	}
	line, p.negated = strings.CutPrefix(line, "!")
	line, p.foldersOnly = strings.CutSuffix(line, "/")
	if line == "" {
		return pattern{}, false
	}
	p.anchored = strings.Contains(line, "/")
	p.elements = strings.Split(strings.TrimPrefix(line, "/"), "/")
	return p, true
}

// trimSpaces takes the spaces off the end of a line, but for one that is escaped.
func trimSpaces(line string) string {
	short := strings.TrimRight(line, " ")
	if escapes := len(short) - len(strings.TrimRight(short, `\`)); escapes%2 == 1 && len(short) < len(line) {
		short += " "
	}
	return short
}

// matches tells whether the rule names a path, by its parts from the directory of the
// ignore file on. Of the directories above it none is hidden.
func (p *pattern) matches(parts []string, dir bool) bool {
	if p.foldersOnly && !dir {
		return false
	}
	if !p.anchored {
		return matchName(p.elements[0], parts[len(parts)-1])
	}
	return matchPath(p.elements, parts)
}

// anyDepth is the element of a rule that stands for any number of directories; at the
// end of the rule, for all that is in the last one.
const anyDepth = "**"

// matchPath goes back to the last anyDepth only, so the time is at most the product
// of the two lengths.
func matchPath(elements, parts []string) bool {
	last := len(elements) - 1
	e, part, wild, retry := 0, 0, -1, 0
	for part < len(parts) {
		switch {
		case e < last && elements[e] == anyDepth:
			wild, retry = e, part
			e++
		case e == last && elements[e] == anyDepth:
			return true // one part is left at least
		case e <= last && matchName(elements[e], parts[part]):
			e++
			part++
		case wild >= 0:
			retry++
			e, part = wild+1, retry
		default:
			return false
		}
	}
	return e > last
}

// matchName matches a name as git does: * is any text, two of them too, ? one
// character, [ ] one of a set, and \ takes the meaning off the next character. It goes
// back to the last star only.
func matchName(glob, name string) bool {
	if !strings.ContainsAny(glob, `*?[\`) {
		return glob == name
	}
	g, n, star, retry := 0, 0, -1, 0
	for n < len(name) {
		if g < len(glob) && glob[g] == '*' {
			star, retry = g, n
			g++
			continue
		}
		char, size := utf8.DecodeRuneInString(name[n:])
		if width := matchChar(glob[g:], char); width > 0 {
			g += width
			n += size
			continue
		}
		if star < 0 {
			return false
		}
		_, size = utf8.DecodeRuneInString(name[retry:])
		retry += size
		g, n = star+1, retry
	}
	return strings.Trim(glob[g:], "*") == ""
}

// matchChar returns how many bytes of the glob match the character; 0 when they do not.
func matchChar(glob string, char rune) (width int) {
	if glob == "" {
		return 0
	}
	switch glob[0] {
	case '?':
		return 1
	case '[':
		return matchSet(glob, char)
	}
	want, width := literal(glob)
	if want != char {
		return 0
	}
	return width
}

// literal reads one character, which a backslash may stand before; width 0 at the end.
func literal(glob string) (char rune, width int) {
	escaped := strings.HasPrefix(glob, `\`)
	if escaped {
		glob = glob[1:]
	}
	if glob == "" {
		return 0, 0
	}
	char, width = utf8.DecodeRuneInString(glob)
	if escaped {
		width++
	}
	return char, width
}

// matchSet is matchChar for a set such as [a-z_] or [![:digit:]]; 0 also for one
// without an end, which matches nothing.
func matchSet(glob string, char rune) (width int) {
	at := 1
	negated := len(glob) > at && (glob[at] == '!' || glob[at] == '^')
	if negated {
		at++
	}
	in := false
	for first := true; ; first = false {
		switch rest := glob[at:]; {
		case rest == "":
			return 0
		case rest[0] == ']' && !first:
			if in == negated {
				return 0
			}
			return at + 1
		case strings.HasPrefix(rest, "[:"):
			name, _, ended := strings.Cut(rest[2:], ":]")
			class, known := classes[name]
			if !ended || !known {
				return 0
			}
			in = in || class(char)
			at += len("[::]") + len(name)
		default:
			low, size := literal(rest)
			if size == 0 {
				return 0
			}
			at += size
			in = in || char == low
			if high := glob[at:]; len(high) > 1 && high[0] == '-' && high[1] != ']' {
				last, size := literal(high[1:])
				if size == 0 {
					return 0
				}
				at += 1 + size
				in = in || low <= char && char <= last
			}
		}
	}
}

func between(from, to rune) func(rune) bool { return func(r rune) bool { return from <= r && r <= to } }

// classes are the sets that have names; none has a character beyond ASCII.
var classes = map[string]func(rune) bool{
	"digit": between('0', '9'), "lower": between('a', 'z'), "upper": between('A', 'Z'), "graph": between('!', '~'), "print": between(' ', '~'),
	"alpha":  func(r rune) bool { return between('a', 'z')(r) || between('A', 'Z')(r) },
	"alnum":  func(r rune) bool { return between('a', 'z')(r) || between('A', 'Z')(r) || between('0', '9')(r) },
	"xdigit": func(r rune) bool { return between('a', 'f')(r) || between('A', 'F')(r) || between('0', '9')(r) },
	"blank":  func(r rune) bool { return r == ' ' || r == '\t' },
	"space":  func(r rune) bool { return r == ' ' || between('\t', '\r')(r) },
	"cntrl":  func(r rune) bool { return r < ' ' || r == 0x7f },
	"punct": func(r rune) bool {
		return between('!', '~')(r) && !between('a', 'z')(r) && !between('A', 'Z')(r) && !between('0', '9')(r)
	},
}
