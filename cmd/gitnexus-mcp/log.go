package main

import (
	"bytes"
	"context"
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

	"github.com/gitnexus/gitnexus-mcp/guard"
	"github.com/gitnexus/gitnexus-mcp/sanitize"
)

// newLog returns the program's log. It never writes to stdout, which belongs to
// MCP, and it never blocks. It does not show the secret. close writes what is queued, and closes a log file.
func newLog(s settings, secret func() string, stderr *os.File) (_ *slog.Logger, close func(), _ error) {
	var out io.Writer = stderr
	colour := term.IsTerminal(int(stderr.Fd())) && os.Getenv("NO_COLOR") == ""
	closeFile := func() {}
	if s.logFile != "" {
		f, err := openLogFile(s.logFile)
		if err != nil {
			return nil, nil, err
		}
		out, colour, closeFile = f, false, f.close
	}
	level := slog.LevelInfo
	if s.debug {
		level = slog.LevelDebug
	}
	q := newLogQueue(out)
	log := slog.New(queueHandler{q, tint.NewTextHandler(&q.lines, &tint.Options{
		Level: level, NoColor: !colour, TimeFormat: "2006-01-02 15:04:05.000",
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr { return clean(a, secret()) },
	})}).With("pid", os.Getpid()) // agents start several servers with one log
	return log, func() {
		if q.close() { // a write that hangs still needs the file
			closeFile()
		}
	}, nil
}

// logQueue formats and writes the log in the background. Many MCP clients do not
// read their servers' stderr: once the pipe is full, a write blocks for ever. And
// formatting a line right after an answer would delay the next call.
type logQueue struct {
	out   io.Writer
	lines bytes.Buffer // owned by run
	timer *time.Timer
	wake  chan struct{} // buffered 1
	done  chan struct{} // closed when all is written, after close

	mu      sync.Mutex
	waiting []logRecord
	timed   bool   // the timer runs
	lost    int    // records that were not written since the last ones that were
	why     string // they were not
	closed  bool
}

type logRecord struct {
	format slog.Handler // writes to lines
	slog.Record
}

const (
	// logDelay is how long a record may wait for others to be written with. Warnings
	// and errors do not wait.
	logDelay = 20 * time.Millisecond
	// maxLogWaiting is the number of records that may wait.
	maxLogWaiting = 2000
)

func newLogQueue(out io.Writer) *logQueue {
	q := &logQueue{out: out, wake: make(chan struct{}, 1), done: make(chan struct{})}
	q.timer = time.AfterFunc(time.Hour, q.stir)
	q.timer.Stop()
	go q.run()
	return q
}

func (q *logQueue) add(r logRecord) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.closed || len(q.waiting) == maxLogWaiting:
		q.lost++
		q.why = logFull
		return
	case r.Level >= slog.LevelWarn:
		q.stir()
	case !q.timed:
		q.timed = true
		q.timer.Reset(logDelay)
	}
	q.waiting = append(q.waiting, r)
}

func (q *logQueue) stir() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func (q *logQueue) run() {
	defer close(q.done)
	var records []logRecord
	for range q.wake {
		clear(records)
		q.mu.Lock()
		records, q.waiting = q.waiting, records[:0]
		lost, why, last := q.lost, q.why, q.closed
		q.lost, q.timed = 0, false
		q.mu.Unlock()
		q.lines.Reset()
		full := why == logFull // those lines came after the ones that are queued
		if lost > 0 && !full {
			q.missing(lost, why)
		}
		for _, r := range records {
			guard.Run("log", q.broken, func() {
				_ = r.format.Handle(context.Background(), r.Record) // a buffer takes it
			})
		}
		if lost > 0 && full {
			q.missing(lost, why)
		}
		if q.lines.Len() > 0 {
			if _, err := q.out.Write(q.lines.Bytes()); err != nil {
				// A full disk, say: the next lines may fit again.
				q.mu.Lock()
				q.lost += lost + len(records)
				q.why = clean(slog.Any("", err), "").Value.String()
				q.mu.Unlock()
			}
		}
		if last {
			return
		}
	}
}

func (q *logQueue) missing(lost int, why string) {
	fmt.Fprintf(&q.lines, "%d lines of the log are missing here: %s\n", lost, why)
}

// broken replaces a line whose formatting panicked.
func (q *logQueue) broken(p *guard.Panic) {
	fmt.Fprintf(&q.lines, "a line of the log is missing here: %v, %q\n%s\n", p, p.Message, p.Stack)
}

// logFull is why lines are dropped when the queue is full.
const logFull = "nobody read it"

// logClosesWithin is how long close waits at most.
const logClosesWithin = 100 * time.Millisecond

// close waits until all is written, for at most logClosesWithin, and reports
// whether it is.
func (q *logQueue) close() bool {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.stir()
	limit := time.NewTimer(logClosesWithin)
	defer limit.Stop()
	select {
	case <-q.done:
		return true
	case <-limit.C:
		return false
	}
}

// queueHandler is a slog.Handler that adds records to the queue.
type queueHandler struct {
	queue  *logQueue
	format slog.Handler
}

func (h queueHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.format.Enabled(ctx, level)
}

func (h queueHandler) Handle(_ context.Context, r slog.Record) error {
	h.queue.add(logRecord{h.format, r.Clone()})
	return nil
}

func (h queueHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return queueHandler{h.queue, h.format.WithAttrs(attrs)}
}

func (h queueHandler) WithGroup(name string) slog.Handler {
	return queueHandler{h.queue, h.format.WithGroup(name)}
}

// clean escapes control characters, with which foreign text could forge log
// lines, and others that nobody sees, and replaces the token.
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
	return slog.String(a.Key, sanitize.Text(text))
}

// visible is foreign text for a terminal, without what would move its cursor or
// begin a new line.
func visible(text string) string { return clean(slog.String("", text), "").Value.String() }
