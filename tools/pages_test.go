package tools

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// parts are the pages of a text.
func parts(text string, ends []int) (pages []string) {
	start := 0
	for _, end := range ends {
		pages = append(pages, text[start:end])
		start = end
	}
	return pages
}

func TestCut(t *testing.T) {
	for name, c := range map[string]struct {
		text        string
		first, room int
		want        []string
	}{
		"fits": {`{"a":[1,2]}`, 20, 20, []string{`{"a":[1,2]}`}},
		"behind an element": {`{"a":[{"b":1},{"b":2},{"b":3},{"b":4}]}`, 24, 24,
			[]string{`{"a":[{"b":1},{"b":2},`, `{"b":3},{"b":4}]}`}},
		"behind the outer element rather than the inner": {`[{"a":[1,2,3],"b":4},{"a":[5,6,7],"b":8}]`, 34, 34,
			[]string{`[{"a":[1,2,3],"b":4},`, `{"a":[5,6,7],"b":8}]`}},
		"behind an inner one where the outer one ends early": {`[1,[22,33,44,55,66,77,88,99]]`, 20, 20,
			[]string{`[1,[22,33,44,55,66,`, `77,88,99]]`}},
		"behind a line": {`{"content":"func a() {\n\treturn 1\n}\n\nfunc b() {}\n"}`, 40, 40,
			[]string{`{"content":"func a() {\n\treturn 1\n}\n`, `\nfunc b() {}\n"}`}},
		"an n behind a backslash is no line": {`{"path":"C:\\new\\names\\nothing\\nowhere"}`, 20, 20,
			[]string{`{"path":"C:\\new\\na`, `mes\\nothing\\nowher`, `e"}`}},
		"behind an element rather than a line": {`[{"t":"a\nb\nc"},{"t":"d\ne\nf\ng"}]`, 30, 30,
			[]string{`[{"t":"a\nb\nc"},`, `{"t":"d\ne\nf\ng"}]`}},
		"brackets, commas and quotes in strings are text": {`["[{\",\",\",\",\",\",","b"]`, 16, 16,
			[]string{`["[{\",\",\",\",`, `\",\",","b"]`}},
		"not inside an escape":    {`"\u0001\u0002\u0003\u0004"`, 16, 16, []string{`"\u0001\u0002`, `\u0003\u0004"`}},
		"not inside a character":  {`"€€€€€€€"`, 16, 16, []string{`"€€€€€`, `€€"`}},
		"a first page of nothing": {`{"a":"b"}`, 0, 16, []string{``, `{"a":"b"}`}},
		"no JSON to speak of":     {`7`, 16, 16, []string{`7`}},
	} {
		if got := parts(c.text, cut([]byte(c.text), c.first, c.room, 0)); !slices.Equal(got, c.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", name, got, c.want)
		}
	}
}

// Whatever the text: its pages together are the text, each within the room, however
// often it is quoted, and each valid UTF-8.
func FuzzCut(f *testing.F) {
	f.Add(`{"results":[{"name":"ä€😀","lines":"a\nb\\\n\u2028"},{},[],null,-1.5e3]}`, 5, 20, 2)
	f.Add(`["`+strings.Repeat(`\\n€`, 100)+`"]`, 0, 16, 1)
	f.Fuzz(func(t *testing.T, text string, first, room, quotings int) {
		if !json.Valid([]byte(text)) || !utf8.ValidString(text) {
			return
		}
		first, room, quotings = max(0, min(first, 1<<20)), max(16, min(room, 1<<20)), quotings&1+quotings>>1&1
		pages := parts(text, cut([]byte(text), first, room, quotings))
		if strings.Join(pages, "") != text {
			t.Fatalf("%q", pages)
		}
		for i, page := range pages {
			if limit := map[bool]int{true: min(first, room), false: room}[i == 0]; quotedLength(page, quotings) > limit || i > 0 && page == "" || !utf8.ValidString(page) {
				t.Errorf("page %d of %d bytes (limit %d): %q", i, len(page), limit, page)
			}
		}
	})
}

// quotedLength is the length of a text without its quotes that was made a JSON string
// so often.
func quotedLength(text string, quotings int) int {
	for range quotings {
		quoted := string(appendString(nil, text))
		text = quoted[1 : len(quoted)-1]
	}
	return len(text)
}

// What is counted is what is written.
func FuzzQuotedBytes(f *testing.F) {
	f.Add("a\"b\\\n\r\t\b\f\x00\x1f\x7fé€😀\u2028\u2029\ufffd\xff\xe2\x80", 7)
	f.Fuzz(func(t *testing.T, text string, room int) {
		for quotings := range 3 {
			if got, want := quotedBytes(text, quotings), quotedLength(text, quotings); got != want {
				t.Errorf("%d bytes, not %d, of %q quoted %d times", got, want, text, quotings)
			}
			end := fit(text, room, quotings)
			if room >= 0 && quotedBytes(text[:end], quotings) > room {
				t.Errorf("%d of %q do not fit into %d", end, text, room)
			}
			if _, size := runeBytes(text[min(end, max(0, len(text)-1)):]+" ", quotings); room >= 0 && end < len(text) && quotedBytes(text[:end+size], quotings) <= room {
				t.Errorf("more than %d of %q fit into %d", end, text, room)
			}
		}
	})
}

func BenchmarkCut(b *testing.B) {
	const size = 10 << 20
	for name, text := range map[string]string{
		"elements": `{"results":[` + strings.Repeat(`{"name":"createUser","file":"src/a.ts","line":12},`, size/50) + `{}]}`,
		"lines":    `{"content":"` + strings.Repeat(`if a < b && c { return \"d\" }\n`, size/31) + `"}`,
		"one line": `{"content":"` + strings.Repeat(`x`, size) + `"}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if ends := cut([]byte(text), 90<<10, 100<<10, 1); len(ends) < 100 {
					b.Fatal(fmt.Sprint(ends))
				}
			}
		})
	}
}
