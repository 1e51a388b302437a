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
)

// newLog returns the program's log. It never writes to stdout, which belongs to
// MCP, and it never blocks. close writes what waits, and closes a log file.
func newLog(s settings, secret string, stderr *os.File) (_ *slog.Logger, close func(), _ error) {
	out, colour := stderr, term.IsTerminal(int(stderr.Fd())) && os.Getenv("NO_COLOR") == ""
	if s.logFile != "" {
		f, err := os.OpenFile(s.logFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, nil, fmt.Errorf("log file: %w", err)
		}
		out, colour = f, false
	}
	level := slog.LevelInfo
	if s.debug {
		level = slog.LevelDebug
	}
	q := newLogQueue(out)
	log := slog.New(queueHandler{q, tint.NewTextHandler(&q.lines, &tint.Options{
		Level: level, NoColor: !colour, TimeFormat: "15:04:05.000",
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr { return clean(a, secret) },
	})})
	return log, func() {
		q.close()
		if out != stderr {
			_ = out.Close()
		}
	}, nil
}

// logQueue formats and writes the log in the background. Many MCP clients leave
// their servers' stderr unread: writing there would stop the server with the
// first line that the pipe has no room for. And formatting a line by itself, with
// cold caches, just when the agent has its answer, holds up the next call.
type logQueue struct {
	out   io.Writer
	lines bytes.Buffer // owned by run
	timer *time.Timer
	wake  chan struct{} // buffered 1
	done  chan struct{} // closed when all is written, after close

	mu      sync.Mutex
	waiting []logRecord
	timed   bool // the timer runs
	lost    int  // records there was no room for
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
		lost, last := q.lost, q.closed
		q.lost, q.timed = 0, false
		q.mu.Unlock()
		q.lines.Reset()
		for _, r := range records {
			_ = r.format.Handle(context.Background(), r.Record) // a buffer takes it
		}
		if lost > 0 {
			fmt.Fprintf(&q.lines, "%d lines of the log are missing here: nobody read it\n", lost)
		}
		if _, err := q.out.Write(q.lines.Bytes()); err != nil || last {
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
	limit := time.NewTimer(100 * time.Millisecond)
	defer limit.Stop()
	select {
	case <-q.done:
	case <-limit.C:
	}
}

// queueHandler is a slog.Handler that leaves records to the queue.
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
