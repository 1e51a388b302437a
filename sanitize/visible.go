// Package sanitize makes text of an untrusted source fit to be shown: characters
// that are invisible or reorder what surrounds them become escapes, secrets become
// a mark, and names are cut.
package sanitize

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// hidden reports whether a character is invisible or changes how others are shown:
// controls, marks of direction (Trojan Source), letters that show nothing, and the tags
// and selectors that hide text. web/src/ui/visible.ts has the same. The joiners U+200C
// and U+200D, and the selectors U+FE0E and U+FE0F stay: scripts and emoji need them.
func hidden(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r <= 0x9f, // controls
		r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x206f, // direction
		r == 0x200b, r >= 0x2060 && r <= 0x2065, r == 0xfeff, r == 0x2028, r == 0x2029,
		r == 0x00ad, r == 0x034f, r >= 0x180b && r <= 0x180f, r >= 0xfff0 && r <= 0xfffb, r >= 0x1bca0 && r <= 0x1bca3, r >= 0x1d173 && r <= 0x1d17a,
		r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r == 0x3164, r == 0xffa0, // fillers, which are letters
		r >= 0xfe00 && r <= 0xfe0d, r >= 0xe0000 && r <= 0xe0fff: // selectors and tags
		return true
	}
	return false
}

// leads are the first bytes of all hidden characters beyond ASCII, and DEL.
var leads = [...]byte{0x7f, 0xc2, 0xcd, 0xd8, 0xe1, 0xe2, 0xe3, 0xef, 0xf0, 0xf3}

// JSON writes the hidden characters in valid JSON as escapes, which leaves its
// value the same. It returns its argument where there is none.
func JSON(valid []byte) []byte {
	found := false
	for _, lead := range leads {
		found = found || bytes.IndexByte(valid, lead) >= 0
	}
	if !found {
		return valid
	}
	var out []byte // nil until something is escaped
	last := 0
	for i := 0; i < len(valid); {
		if valid[i] < 0x7f { // JSON itself escapes controls in strings
			i++
			continue
		}
		r, size := utf8.DecodeRune(valid[i:])
		if hidden(r) {
			out = appendEscape(append(out, valid[last:i]...), r)
			last = i + size
		}
		i += size
	}
	if last == 0 {
		return valid
	}
	return append(out, valid[last:]...)
}

// Text writes the hidden characters of a text as escapes such as \u202E. Tabs and
// line feeds stay, and so does a carriage return before one.
func Text(text string) string {
	var b strings.Builder
	last := 0
	for i, r := range text {
		if !hidden(r) || r == '\n' || r == '\t' || r == '\r' && strings.HasPrefix(text[i:], "\r\n") {
			continue
		}
		b.WriteString(text[last:i])
		b.Write(appendEscape(nil, r))
		last = i + utf8.RuneLen(r)
	}
	if last == 0 {
		return text
	}
	b.WriteString(text[last:])
	return b.String()
}

// Name is a name on one line, of at most limit bytes: hidden characters are
// escaped, line ends too, and a longer name ends with "…".
func Name(name string, limit int) string {
	name = strings.ToValidUTF8(name[:min(len(name), 4*limit)], "\uFFFD")
	name = strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(name)
	name = Text(name)
	if len(name) <= limit {
		return name
	}
	end := limit - len("…")
	for end > 0 && !utf8.RuneStart(name[end]) {
		end--
	}
	return name[:end] + "…"
}

func appendEscape(to []byte, r rune) []byte {
	if r > 0xffff {
		high, low := utf16.EncodeRune(r)
		return fmt.Appendf(to, `\u%04X\u%04X`, high, low)
	}
	return fmt.Appendf(to, `\u%04X`, r)
}
