package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/gitnexus/gitnexus-mcp/sanitize"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// answering is a caller with one answer for everything.
func answering(content string) *fakeCaller {
	return &fakeCaller{CallFunc: func(context.Context, *wsbridge.Call) (json.RawMessage, error) { return json.RawMessage(content), nil }}
}

// ownTemp gives the test a folder for temporary files of its own, and a look
// into it.
func ownTemp(t *testing.T) (list func() []string) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir) // Windows
	return func() []string {
		t.Helper()
		paths, err := filepath.Glob(filepath.Join(dir, "*", "*"))
		if err != nil {
			t.Fatal(err)
		}
		return paths
	}
}

// noTemp leaves the test without a folder for temporary files.
func noTemp(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	t.Setenv("TMPDIR", missing)
	t.Setenv("TMP", missing) // Windows
}

// largeAnswer calls grep, whose answer has to be too large, and returns what
// stands in for it.
func (c *client) largeAnswer(id string) (truncated, wire) {
	c.t.Helper()
	c.send(callLine(id, "grep", `{"pattern":"x"}`))
	m := c.nextMessage()
	if m.Result.IsError || len(m.Result.Content) == 0 || m.Result.StructuredContent != nil {
		c.t.Fatalf("got %.300s", m.Result.Content)
	}
	got := decode[truncated](c.t, m.Result.Content[0].Text)
	if !got.Truncated {
		c.t.Fatalf("got %.300s", m.Result.Content[0].Text)
	}
	return got, m
}

// readResult returns a page of an answer as the tool reads it. call is the call that
// reads another one.
func (c *client) readResult(call string, page int) string {
	c.t.Helper()
	args := decode[map[string]any](c.t, call)
	args["page"] = page
	raw, _ := json.Marshal(args)
	c.send(callLine(`"page"`, "read_result", string(raw)))
	m := c.nextMessage()
	if m.Result.IsError || len(m.Result.Content) != 1 {
		c.t.Fatalf("got %+v", m.Result)
	}
	return m.Result.Content[0].Text
}

// resource is the resource that a line names; "" when it names none.
func resource(line string) string {
	return regexp.MustCompile(`gitnexus://result/[A-Z2-7]{26}\?page=\d+`).FindString(line)
}

// readPage returns a page's first line and the rest of it.
func (c *client) readPage(uri string) (head, body string) {
	c.t.Helper()
	head, body, ok := strings.Cut(readResource(c.t, c, uri), "\n")
	if !ok {
		c.t.Fatalf("a page without a head: %s", head)
	}
	return head, c.unmarked(body)
}

// unmarked is what stands between the marks of a text.
func (c *client) unmarked(text string) string {
	c.t.Helper()
	m := regexp.MustCompile(`(?s)^<<([a-z2-7]{4})\n(.*)\n([a-z2-7]{4})>>$`).FindStringSubmatch(text)
	if m == nil || m[1] != m[3] {
		c.t.Fatalf("no marks: %.300s", text)
	}
	return m[2]
}

// refusal is the error that a resources/read gets.
func (c *client) refusal(uri string) (int, string) {
	c.t.Helper()
	c.send(`{"jsonrpc":"2.0","id":"r","method":"resources/read","params":{"uri":"` + uri + `"}}`)
	m := c.nextMessage()
	if m.Error == nil {
		c.t.Fatalf("%s was read: %.200s", uri, m.Result.Contents[0].Text)
	}
	return m.Error.Code, m.Error.Message
}

// An agent reads an answer that is larger than the budget: its head, then page
// by page as each says, until it has all of it. Then the server ends, and
// nothing is left.
func TestLargeAnswerIsReadInPages(t *testing.T) {
	for name, full := range map[string]string{
		"elements":   `{"results":[` + strings.Repeat(`{"name":"createUser","file":"src/ä€😀.ts","line":12},`, 2000) + `{}]}`,
		"lines":      `{"content":"` + strings.Repeat(`if a < b {\n\treturn \"d\"\n}\n`, 3000) + `"}`,
		"characters": `{"content":"` + strings.Repeat("ä€😀\\\"\\\\<&>\\u0001\u2028\ufffd", 3000) + `"}`,
		"one more":   `{"content":"` + strings.Repeat(`x`, 4096-14+1) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			const budget = 4096
			files := ownTemp(t)
			s := NewServer(Options{Caller: answering(full), MaxResult: messageBytes + budget})
			full = string(sanitize.JSON([]byte(full)))
			c := initialized(t, s)
			if len(files()) != 0 {
				t.Error("a folder before it is needed")
			}
			cut, m := c.largeAnswer("1")
			if len(m.Result.Content[0].Text) > budget || cut.FullBytes != len(full) || cut.ShownBytes != len(cut.Head) ||
				!strings.Contains(cut.Advice, "maxResults") || !strings.Contains(cut.Advice, "resources/read") || !strings.Contains(cut.Advice, "file") {
				t.Errorf("%d bytes: %+v", len(m.Result.Content[0].Text), cut)
			}
			if len(m.Result.Content) != 2 || m.Result.Content[1].Type != "resource_link" || m.Result.Content[1].URI != cut.Next {
				t.Errorf("no link to %s: %+v", cut.Next, m.Result.Content[1:])
			}
			if paths := files(); len(paths) != 1 {
				t.Fatalf("files %v", paths)
			} else if all, err := os.ReadFile(cut.File); cut.File != paths[0] || err != nil || string(all) != full {
				t.Errorf("the file %s is not the answer: %v", cut.File, err)
			} else if runtime.GOOS != "windows" {
				file, _ := os.Stat(paths[0])
				dir, _ := os.Stat(filepath.Dir(paths[0]))
				if file.Mode().Perm() != 0o600 || dir.Mode().Perm() != 0o700 {
					t.Errorf("file %v in folder %v", file.Mode(), dir.Mode())
				}
			}

			whole, next, at := cut.Head, cut.Next, len(cut.Head)
			for n := 2; next != ""; n++ {
				head, body := c.readPage(next)
				if len(head)+1+len(body)+markBytes > budget || !utf8.ValidString(body) {
					t.Fatalf("page %d has %d bytes", n, len(head)+1+len(body))
				}
				want := fmt.Sprintf("Page %d of %d of the answer to grep, bytes %d to %d of %d. ", n, cut.Pages, at, at+len(body), len(full))
				rest, ok := strings.CutPrefix(head, want)
				if !ok {
					t.Fatalf("got  %s\nwant %s", head, want)
				}
				if page := c.readResult(cut.Call[len("read_result "):], n); page != head+"\n"+marked(s.mark, body) {
					t.Errorf("read_result gives another page: %.200s", page)
				}
				if next = resource(rest); next == "" && (n != cut.Pages || rest != "This is the last page.") {
					t.Errorf("page %d of %d ends the answer: %s", n, cut.Pages, head)
				}
				if want := fmt.Sprintf(`%s, or read_result {"id":"%s","page":%d}`, next, filepath.Base(resultID.FindString(cut.Next)), n+1); next != "" && !strings.HasSuffix(rest, want) {
					t.Errorf("got %s, want %s", rest, want)
				}
				whole += body
				at += len(body)
			}
			if whole != full {
				t.Error("the pages together are not the answer")
			}
			for _, uri := range []string{strings.TrimSuffix(cut.Next, "?page=2"), strings.Replace(cut.Next, "=2", "=1", 1)} {
				if _, body := c.readPage(uri); body != cut.Head {
					t.Errorf("%s is not the head: %s", uri, body)
				}
			}
			s.Close()
			if paths := files(); len(paths) != 0 {
				t.Errorf("left behind: %v", paths)
			}
			if _, words := c.refusal(cut.Next); words != errGone.words {
				t.Errorf("got %s", words)
			}
		})
	}
}

// A page ends where an element ends.
func TestPagesEndBehindElements(t *testing.T) {
	ownTemp(t)
	s := NewServer(Options{Caller: answering(`{"results":[` + strings.Repeat(`{"name":"a","in":["b","c"]},`, 2000) + `{}]}`), MaxResult: messageBytes + 4096})
	defer s.Close()
	c := initialized(t, s)
	cut, _ := c.largeAnswer("1")
	if !strings.HasSuffix(cut.Head, `]},`) {
		t.Errorf("the head ends with %s", cut.Head[len(cut.Head)-20:])
	}
	for n := 2; n < cut.Pages; n++ {
		_, body := c.readPage(strings.Replace(cut.Next, "=2", fmt.Sprint("=", n), 1))
		if !strings.HasPrefix(body, `{"name"`) || json.Unmarshal([]byte("["+strings.TrimSuffix(body, ",")+"]"), new([]any)) != nil {
			t.Fatalf("page %d is no list of elements: %.40s … %s", n, body, body[len(body)-20:])
		}
	}
}

// A budget too small for anything but the way to the rest.
func TestTinyBudget(t *testing.T) {
	ownTemp(t)
	full := `{"content":"` + strings.Repeat("€\\n", 300) + `"}`
	s := NewServer(Options{Caller: answering(full), MaxResult: 1})
	defer s.Close()
	c := initialized(t, s)
	cut, _ := c.largeAnswer("1")
	whole := ""
	for n := 1; n <= cut.Pages; n++ {
		_, body := c.readPage(strings.Replace(cut.Next, "=2", fmt.Sprint("=", n), 1))
		whole += body
	}
	if cut.Head != "" || whole != full {
		t.Errorf("%+v\n%s", cut, whole)
	}
}

// A client of a protocol without links to resources gets none, and is told all
// the same.
func TestLargeAnswerForAnOlderClient(t *testing.T) {
	ownTemp(t)
	s := NewServer(Options{Caller: answering(`{"a":"` + strings.Repeat("x", 5000) + `"}`), MaxResult: messageBytes + 4096})
	defer s.Close()
	for version, links := range map[string]int{"2024-11-05": 0, "2025-03-26": 0, "2025-06-18": 1, "2025-11-25": 1} {
		c := serve(t, s)
		c.send(strings.Replace(initialize, "2025-11-25", version, 1))
		c.next()
		cut, m := c.largeAnswer("1")
		if len(m.Result.Content) != 1+links {
			t.Errorf("%s: %+v", version, m.Result.Content)
		}
		if head, _ := c.readPage(cut.Next); !strings.HasPrefix(head, "Page 2 of 2 ") {
			t.Errorf("%s: %s", version, head)
		}
	}
}

// What is kept goes: after its time, when there is too much of it, and when
// somebody else removes it. The agent is told what to do.
func TestKeptAnswersGo(t *testing.T) {
	t.Run("time", func(t *testing.T) {
		files := ownTemp(t)
		synctest.Test(t, func(t *testing.T) {
			s := NewServer(Options{Caller: answering(`{"a":"` + strings.Repeat("x", 9000) + `"}`), MaxResult: messageBytes + 4096})
			defer s.Close()
			c := initialized(t, s)
			cut, _ := c.largeAnswer("1")
			for range 5 { // reading keeps it
				time.Sleep(keepFor - time.Millisecond)
				c.readPage(cut.Next)
			}
			time.Sleep(keepFor - time.Millisecond)
			synctest.Wait()
			if len(files()) != 1 {
				t.Error("gone too early")
			}
			time.Sleep(time.Millisecond)
			synctest.Wait()
			if len(files()) != 0 {
				t.Error("still there")
			}
			code, words := c.refusal(cut.Next)
			if code != -32002 || !strings.HasPrefix(words, "This result is not kept, or no longer: call the tool again") || !strings.Contains(words, "15 minutes") {
				t.Errorf("%d %s", code, words)
			}
		})
	})
	t.Run("number", func(t *testing.T) {
		files := ownTemp(t)
		s := NewServer(Options{Caller: answering(`{"a":"` + strings.Repeat("x", 9000) + `"}`), MaxResult: messageBytes + 4096})
		defer s.Close()
		c := initialized(t, s)
		first, _ := c.largeAnswer("1")
		second, _ := c.largeAnswer("2")
		for i := range maxKept - 2 {
			c.largeAnswer(fmt.Sprint(i + 3))
		}
		c.readPage(first.Next)
		c.largeAnswer("99")
		if n := len(files()); n != maxKept {
			t.Errorf("%d are kept", n)
		}
		c.readPage(first.Next)
		if _, words := c.refusal(second.Next); words != errGone.words { // read longest ago
			t.Errorf("got %s", words)
		}
	})
	t.Run("bytes", func(t *testing.T) {
		files := ownTemp(t)
		var r results
		defer r.close()
		const size = 48 << 20
		content := make([]byte, size)
		for _, id := range []string{"a", "b", "c"} {
			if _, err := r.keep(id, "grep", content, []int{10, size}); err != nil {
				t.Fatal(err)
			}
		}
		if len(files()) != 2 || r.bytes != 2*size {
			t.Errorf("%v, %d bytes", files(), r.bytes)
		}
		_, a := r.page("a", "1")
		_, b := r.page("b", "1")
		if a != errGone || b != nil {
			t.Errorf("got %v, %v", a, b)
		}
		// One that is larger than all that may be kept pushes nothing out.
		if _, err := r.keep("d", "grep", make([]byte, maxKeptBytes+1), []int{maxKeptBytes + 1}); err == nil || err.Error() != "it is larger than 128 MB" {
			t.Errorf("got %v", err)
		}
		if len(files()) != 2 {
			t.Errorf("left %v", files())
		}
	})
	t.Run("tidied away", func(t *testing.T) {
		files := ownTemp(t)
		s := NewServer(Options{Caller: answering(`{"a":"` + strings.Repeat("x", 9000) + `"}`), MaxResult: messageBytes + 4096})
		defer s.Close()
		c := initialized(t, s)
		first, _ := c.largeAnswer("1")
		if err := os.RemoveAll(filepath.Dir(files()[0])); err != nil {
			t.Fatal(err)
		}
		c.refusal(first.Next)
		second, _ := c.largeAnswer("2")
		c.readPage(second.Next)
		if len(s.results.kept) != 1 || s.results.bytes != second.FullBytes {
			t.Errorf("%d kept, %d bytes", len(s.results.kept), s.results.bytes)
		}
	})
}

// Where nothing can be kept the agent still gets the head, is told why there is
// no more, and the log knows.
func TestAnswerThatCannotBeKept(t *testing.T) {
	full := `{"results":[` + strings.Repeat(`{"name":"createUser"},`, 500) + `{}]}`
	for name, c := range map[string]struct {
		spoil func(t *testing.T, s *Server)
		why   string
	}{
		"no folder": {func(t *testing.T, _ *Server) { noTemp(t) }, "disk: "},
		"no way to write there": {func(t *testing.T, s *Server) { // a file where the folder should be
			s.results.dir = filepath.Join(t.TempDir(), "file")
			if err := os.WriteFile(s.results.dir, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			noTemp(t)
		}, "disk: "},
		"stopping": {func(_ *testing.T, s *Server) { s.Close() }, "this server is stopping"},
	} {
		t.Run(name, func(t *testing.T) {
			files := ownTemp(t)
			var log bytes.Buffer
			s := NewServer(Options{Caller: answering(full), MaxResult: messageBytes + 4096, Log: slog.New(slog.NewTextHandler(&log, nil))})
			defer s.Close()
			c.spoil(t, s)
			content, isError, _ := direct(s, "grep", `{"pattern":"x"}`)
			got := decode[truncated](t, string(content))
			if isError || len(content) > 4096 || !got.Truncated || got.Next != "" || got.Pages != 0 || got.FullBytes != len(full) ||
				len(got.Head) != got.ShownBytes || got.ShownBytes < 1500 || !strings.HasPrefix(full, got.Head) ||
				!strings.Contains(got.Advice, "the rest could not be kept ("+c.why) || !strings.Contains(got.Advice, "Ask for less: ") {
				t.Errorf("%d bytes: %+v", len(content), got)
			}
			if lines := log.String(); strings.Count(lines, "\n") != 1 || !strings.Contains(lines, "level=WARN") || !strings.Contains(lines, "outcome=ok") ||
				!strings.Contains(lines, fmt.Sprintf("of=%d", len(full))) || !strings.Contains(lines, "not_kept=") {
				t.Errorf("log:\n%s", lines)
			}
			if len(files()) != 0 || len(s.results.kept) != 0 || s.results.bytes != 0 {
				t.Errorf("%v, %d kept, %d bytes", files(), len(s.results.kept), s.results.bytes)
			}
		})
	}
}

// An agent reads what it was given, and nothing else.
func TestNoOtherResults(t *testing.T) {
	files := ownTemp(t)
	full := answering(`{"a":"` + strings.Repeat("x", 9000) + `"}`)
	mine, theirs := NewServer(Options{Caller: full, MaxResult: messageBytes + 4096}), NewServer(Options{Caller: full, MaxResult: messageBytes + 4096})
	defer mine.Close()
	defer theirs.Close()
	c, other := initialized(t, mine), initialized(t, theirs)
	cut, _ := c.largeAnswer("1")
	if !regexp.MustCompile(`^gitnexus://result/[A-Z2-7]{26}\?page=2$`).MatchString(cut.Next) { // 128 bits of chance
		t.Errorf("next is %s", cut.Next)
	}
	id := filepath.Base(files()[0])
	for _, uri := range []string{
		cut.Next, resultURI, resultURI + "?page=1", resultURI + "..", resultURI + "%2e%2e", resultURI + "../" + id,
		resultURI + strings.Repeat("A", 26) + "?page=1", strings.ToLower(cut.Next),
	} {
		if code, words := other.refusal(uri); code != -32002 || !strings.Contains(words, "call the tool again") && !strings.Contains(words, "There is no resource") {
			t.Errorf("%s: %d %s", uri, code, words)
		}
	}
	for _, page := range []string{"0", "-1", "4", "99999999999999999999", "two", "2.0"} {
		if code, words := c.refusal(resultURI + id + "?page=" + page); code != -32002 || !strings.Contains(words, "the pages are "+resultURI+id+"?page=1 to ") {
			t.Errorf("page %s: %d %s", page, code, words)
		}
	}
}

// Many calls keep, read and close at once.
func TestResultsAtOnce(t *testing.T) {
	files := ownTemp(t)
	var r results
	content := []byte(`{"a":"` + strings.Repeat("x", 9000) + `"}`)
	ends := cut(content, 1000, 1000, 0)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := range 40 {
				id := fmt.Sprint(i, "-", n)
				if _, err := r.keep(id, "grep", content, ends); err != nil {
					if i != 0 && err.Error() != "this server is stopping" {
						t.Error(err)
					}
					return
				}
				if text, err := r.page(id, "2"); err == nil && !strings.Contains(text, strings.Repeat("x", 900)) {
					t.Errorf("got %s", text)
				}
				if i == 0 && n == 30 {
					r.close()
				}
			}
		})
	}
	wg.Wait()
	if len(files()) != 0 || r.bytes != 0 || len(r.kept) != 0 {
		t.Errorf("left %v, %d bytes", files(), r.bytes)
	}
}

// The memory that an answer over the budget takes beyond itself does not grow
// with it.
func TestLargeAnswerTakesLittleMemory(t *testing.T) {
	ownTemp(t)
	s := NewServer(Options{Caller: &fakeCaller{}, MaxResult: messageBytes + 100<<10})
	defer s.Close()
	full := json.RawMessage(`{"content":"` + strings.Repeat(`if a < b {\n`, 64<<20/12) + `"}`)
	tool, _ := Find("read")
	call := s.newCall(s.newClient(nil), tool.Name, nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	result, err := call.shape(full)
	runtime.ReadMemStats(&after)
	if err != nil || textBytes(result) > 100<<10 {
		t.Errorf("%d bytes, %v", textBytes(result), err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 2<<20 {
		t.Errorf("an answer of %d bytes took %d more", len(full), took)
	}
}

// A text over the budget comes with a last line that leads to its pages, which
// end behind lines and are the whole of it.
func TestLargeTextIsReadInPages(t *testing.T) {
	ownTemp(t)
	const budget = 2000
	var full strings.Builder
	for i := range 400 {
		fmt.Fprintf(&full, "%4d  if a < \"é\" {\n", i)
	}
	content, err := json.Marshal(full.String())
	if err != nil {
		t.Fatal(err)
	}
	s := NewServer(Options{Caller: &fakeCaller{CallFunc: func(context.Context, *wsbridge.Call) (json.RawMessage, error) { return content, nil }}, MaxResult: messageBytes + budget})
	defer s.Close()
	c := initialized(t, s)
	c.send(callLine("1", "read", `{"filePath":"x"}`))
	m := c.nextMessage()
	text := m.Result.Content[0].Text
	head, note, _ := strings.Cut(text, "\n[Truncated: page 1 of ")
	head = c.unmarked(head)
	if m.Result.StructuredContent != nil || len(text) > budget || len(m.Result.Content) != 2 || !strings.HasSuffix(head, "\n") {
		t.Fatalf("%d bytes: %s", len(text), text)
	}
	file := regexp.MustCompile(`or the file (.*); kept`).FindStringSubmatch(note)
	if all, err := os.ReadFile(file[1]); err != nil || string(all) != full.String() {
		t.Errorf("the file %s is not the answer: %v", file[1], err)
	}
	if call := pageCall(filepath.Base(file[1]), 2); !strings.Contains(note, " "+call+", ") {
		t.Errorf("no %s in %s", call, note)
	}
	read, next := head, resultID.FindString(note)+"?page=2"
	for pages := 1; next != ""; pages++ {
		page := readResource(t, c, next)
		if len(page) > budget || pages > 20 {
			t.Fatalf("page %d has %d bytes", pages, len(page))
		}
		first, rest, _ := strings.Cut(page, "\n")
		next = resource(first)
		read += c.unmarked(rest)
	}
	if read != full.String() {
		t.Errorf("read %d bytes of %d", len(read), full.Len())
	}
}

// An answer is sent once, as text or as structured content.
func TestAnswersInOneForm(t *testing.T) {
	for form, want := range map[string]string{
		"":                `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"limit\":20}"}]}}`,
		TextAnswers:       `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"limit\":20}"}]}}`,
		StructuredAnswers: `{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"limit":20}}}`,
	} {
		c := initialized(t, NewServer(Options{Answers: form, Caller: &fakeCaller{CallFunc: func(context.Context, *wsbridge.Call) (json.RawMessage, error) {
			return json.RawMessage(`{"limit":20}`), nil
		}}}))
		c.send(callLine("1", "overview", `{}`))
		if got := c.next(); got != want {
			t.Errorf("%q: got %s", form, got)
		}
	}
}

// read_result is listed from the first answer on that was cut, which every client hears.
// What it is asked wrongly it says in words.
func TestReadResultIsListedOnceThereIsOne(t *testing.T) {
	ownTemp(t)
	s := NewServer(Options{Caller: answering(`{"a":"` + strings.Repeat("x", 9000) + `"}`), MaxResult: messageBytes + 4096})
	defer s.Close()
	c, other := initialized(t, s), initialized(t, s)
	listed := func() bool {
		c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		return strings.Contains(c.next(), `"name":"read_result"`)
	}
	if listed() {
		t.Error("listed before there is anything to read")
	}
	c.send(callLine("1", "read_result", `{"id":"MZXW6YTBOI2DGNBVGY3TQOJQGE","page":2}`))
	if e := c.nextMessage().failed(t); e.Code != CodeToolError || !strings.Contains(e.Message, "call the tool again") {
		t.Errorf("got %+v", e)
	}
	cut, _ := c.largeAnswer("2")
	c.largeAnswer("3")
	if !listed() {
		t.Error("not listed")
	}
	await(t, "list_changed", func() bool { return c.listed.Load() == 1 && other.listed.Load() == 1 })
	if page := c.readResult(`{"id":"`+cut.Next+`"}`, 1); !strings.HasPrefix(page, "Page 1 of ") { // a model may name the resource
		t.Errorf("got %s", page)
	}
	c.send(callLine("4", "read_result", strings.Replace(cut.Call[len("read_result "):], ":2", ":9", 1)))
	if e := c.nextMessage().failed(t); e.Code != CodeToolError || !strings.Contains(e.Message, `There is no page "9"`) {
		t.Errorf("got %+v", e)
	}
}
