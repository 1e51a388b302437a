package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lmittmann/tint"
	"golang.org/x/term"
)

// newLog returns the program's log. It never writes to stdout, which belongs to
// MCP, and it never blocks. close writes what waits, and closes a log file.
func newLog(s settings, secret string, stderr *os.File) (_ *slog.Logger, close func(), _ error) {
	var w io.Writer
	var colour bool
	if s.logFile != "" {
		f, err := os.OpenFile(s.logFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, nil, fmt.Errorf("log file: %w", err)
		}
		w, close = f, func() { _ = f.Close() }
	} else {
		lines := newLogQueue(stderr)
		w, close = lines, lines.close
		colour = term.IsTerminal(int(stderr.Fd())) && os.Getenv("NO_COLOR") == ""
	}
	level := slog.LevelInfo
	if s.debug {
		level = slog.LevelDebug
	}
	return slog.New(tint.NewTextHandler(w, &tint.Options{
		Level: level, NoColor: !colour, TimeFormat: "15:04:05.000",
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr { return clean(a, secret) },
	})), close, nil
}

// logQueue writes lines in the background: an MCP client that does not read its
// server's stderr would otherwise stop the server with the first line that the
// pipe has no room for.
type logQueue struct {
	out  io.Writer
	wake chan struct{} // buffered 1
	done chan struct{} // closed when all is written, after close

	mu      sync.Mutex
	waiting []byte
	lost    int // lines there was no room for
	closed  bool
}

// maxLogWaiting bounds what waits, in bytes.
const maxLogWaiting = 256 << 10

func newLogQueue(out io.Writer) *logQueue {
	q := &logQueue{out: out, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go q.run()
	return q
}

// Write takes one line. It does not keep it.
func (q *logQueue) Write(line []byte) (int, error) {
	q.mu.Lock()
	if q.closed || len(q.waiting)+len(line) > maxLogWaiting {
		q.lost++
	} else {
		q.waiting = append(q.waiting, line...)
	}
	q.mu.Unlock()
	q.stir()
	return len(line), nil
}

func (q *logQueue) stir() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func (q *logQueue) run() {
	defer close(q.done)
	var lines []byte
	for range q.wake {
		q.mu.Lock()
		lines, q.waiting = q.waiting, lines[:0]
		lost, last := q.lost, q.closed
		q.lost = 0
		q.mu.Unlock()
		if lost > 0 {
			lines = fmt.Appendf(lines, "%d lines of the log are missing here: nobody read it\n", lost)
		}
		if _, err := q.out.Write(lines); err != nil || last {
			return
		}
	}
}

// close waits until all is written, but not long.
func (q *logQueue) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.stir()
	timer := time.NewTimer(100 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-q.done:
	case <-timer.C:
	}
}

// clean keeps foreign text from forging log lines, and the token out of them.
func clean(a slog.Attr, secret string) slog.Attr {
	var text string
	switch a.Value.Kind() {
	case slog.KindString:
		text = a.Value.String()
	case slog.KindAny:
		if _, isLevel := a.Value.Any().(slog.Level); isLevel {
			return a
		}
		text = fmt.Sprint(a.Value.Any())
	default:
		return a
	}
	if secret != "" {
		text = strings.ReplaceAll(text, secret, "[token]")
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' }) {
		quoted := strconv.Quote(text)
		text = quoted[1 : len(quoted)-1]
	}
	return slog.String(a.Key, text)
}
