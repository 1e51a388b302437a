package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// largeAnswers answers every call with lines of this many bytes in all.
func largeAnswers(size int) func(p *page, m message) {
	return func(p *page, m message) {
		const line = "if a < b { return }"
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"structuredContent":{"content":"%s"}}}`, m.ID, strings.Repeat(line+`\n`, size/(len(line)+2))))
	}
}

// truncated is what stands in for an answer over the budget.
type truncated struct {
	Truncated        bool
	FullBytes, Pages int
	Next, Head       string
}

func (s *server) largeAnswer() (cut truncated) {
	s.tb.Helper()
	r, e := s.call("read", map[string]any{"filePath": "x"})
	if err := json.Unmarshal(r.json(), &cut); err != nil || r.IsError || !cut.Truncated {
		s.tb.Fatalf("%+v, %v", e, err)
	}
	if len(r.json()) > 60<<10 || len(r.Content) != 2 || r.Content[1].Type != "resource_link" {
		s.tb.Errorf("%d bytes, %d blocks", len(r.json()), len(r.Content))
	}
	return cut
}

// pageText returns the part of an answer that a page of it has: what stands
// between the two marks behind the page's first line.
func pageText(page string) string {
	_, marked, _ := strings.Cut(page, "\n")
	mark, text, _ := strings.Cut(marked, "\n")
	text, ends := strings.CutSuffix(text, "\n"+strings.TrimPrefix(mark, "<<")+">>")
	if !ends {
		return ""
	}
	return text
}

func TestLargeAnswers(t *testing.T) {
	s := startServer(t, "main", "GITNEXUS_MAX_RESULT=0")
	s.initialize()
	s.page(largeAnswers(10 << 20))
	if r, e := s.call("read", map[string]any{"filePath": "x"}); r.IsError || len(r.Content[0].Text) < 10<<20-100 {
		t.Errorf("%d bytes, %+v", len(r.Content[0].Text), e)
	}
	s = startServer(t, "main")
	s.initialize()
	s.page(largeAnswers(10 << 20))
	cut := s.largeAnswer()
	read := len(cut.Head)
	for n := 2; n <= cut.Pages; n++ {
		page := s.resource(strings.Replace(cut.Next, "page=2", fmt.Sprint("page=", n), 1))
		if len(page) > 60<<10 {
			t.Errorf("page %d has %d bytes", n, len(page))
		}
		read += len(pageText(page))
	}
	if cut.FullBytes < 10<<20-100 || read != cut.FullBytes {
		t.Errorf("of %d bytes %d could be read", cut.FullBytes, read)
	}
}

// What is kept of large answers goes with the server: when it ends, and when the
// next one starts after it was killed.
func TestLargeAnswersLeaveNothing(t *testing.T) {
	temp := t.TempDir()
	start := func() *server {
		s := startServer(t, "main", "TMPDIR="+temp, "TMP="+temp)
		s.initialize()
		s.page(largeAnswers(1 << 20))
		return s
	}
	kept := func() []string {
		files, _ := filepath.Glob(filepath.Join(temp, "*", "*"))
		return files
	}
	s := start()
	s.resource(s.largeAnswer().Next)
	_ = s.cmd.Process.Kill()
	<-s.exited
	left := kept()
	if len(left) != 1 {
		t.Fatalf("a killed server leaves %v", left)
	}
	for name, end := range map[string]func(s *server){
		"end of input": func(s *server) { _ = s.stdin.Close() },
		"SIGTERM":      func(s *server) { _ = s.cmd.Process.Signal(syscall.SIGTERM) },
	} {
		s := start()
		for until := time.Now().Add(20 * time.Second); len(kept()) > 0 && time.Now().Before(until); time.Sleep(time.Millisecond) {
		}
		s.largeAnswer()
		if now := kept(); len(now) != 1 || now[0] == left[0] {
			t.Errorf("%s: kept %v, was %v", name, now, left)
		}
		end(s)
		<-s.exited
		if entries, err := os.ReadDir(temp); len(entries) != 0 {
			t.Errorf("%s: left %v, %v", name, entries, err)
		}
	}
}
