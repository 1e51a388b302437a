package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestLogKeepsSecretsAndForgeriesOut(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	log, closeLog, err := newLog(settings{}, func() string { return testToken }, file)
	if err != nil {
		t.Fatal(err)
	}
	log.Info("refused", "path", "/#token="+testToken, "err", errors.New("dial "+testToken))
	log.Info("agent", "name", "x\n12:00:00 INF forged\x1b[31m\u2028\u202e\u3164")
	log.Debug("too fine")
	closeLog()
	data, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	said := string(data)
	if strings.Contains(said, testToken) || strings.Count(said, "[token]") != 2 {
		t.Errorf("the token is in the log:\n%s", said)
	}
	if strings.Count(said, "\n") != 2 || strings.ContainsAny(said, "\x1b\u2028\u202e\u3164") {
		t.Errorf("want two lines without control characters, got:\n%q", said)
	}
	for line := range strings.Lines(said) {
		date, rest, _ := strings.Cut(line, " INF ")
		if _, err := time.Parse("2006-01-02 15:04:05.000", date); err != nil || !strings.Contains(rest, fmt.Sprintf(" pid=%d ", os.Getpid())) {
			t.Errorf("no date or no pid: %s", line)
		}
	}
	// A log file takes the place of stderr, and debug shows more.
	name := filepath.Join(t.TempDir(), "log")
	log, closeLog, err = newLog(settings{logFile: name, debug: true}, func() string { return testToken }, file)
	if err != nil {
		t.Fatal(err)
	}
	log.Debug("fine")
	closeLog()
	if data, err := os.ReadFile(name); err != nil || !strings.Contains(string(data), "fine") {
		t.Errorf("log file: %q, %v", data, err)
	}
}

// blockedWriter writes when it is let.
type blockedWriter struct {
	lockedBuffer
	let chan struct{}
}

func (w *blockedWriter) Write(p []byte) (int, error) {
	<-w.let
	return w.lockedBuffer.Write(p)
}

// bareLog is a log whose lines are level and message, and its queue.
func bareLog(out io.Writer) (*slog.Logger, *logQueue) {
	q := newLogQueue(out)
	return slog.New(queueHandler{q, slog.NewTextHandler(&q.lines, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	})}), q
}

func TestLogNeverBlocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &blockedWriter{let: make(chan struct{})}
		log, q := bareLog(out)
		log.Info("first")
		time.Sleep(2 * logDelay) // and now it is stuck
		for range maxLogWaiting + 7 {
			log.With("a", 1).Info("more")
		}
		close(out.let)
		q.close()
		want := "level=INFO msg=first\n" + strings.Repeat("level=INFO msg=more a=1\n", maxLogWaiting) +
			"7 lines of the log are missing here: nobody read it\n"
		if said := out.String(); said != want {
			t.Errorf("%d bytes, want %d; at the end: %q", len(said), len(want), said[max(0, len(said)-80):])
		}
	})
}

func TestLogIsWrittenSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &blockedWriter{let: make(chan struct{})}
		close(out.let)
		log, q := bareLog(out)
		log.Info("a")
		time.Sleep(logDelay - 1)
		synctest.Wait()
		if out.String() != "" {
			t.Error("a line of its own")
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if out.String() != "level=INFO msg=a\n" {
			t.Errorf("after %v: %q", logDelay, out.String())
		}
		log.Info("b")
		log.Warn("c")
		synctest.Wait()
		if !strings.HasSuffix(out.String(), "level=INFO msg=b\nlevel=WARN msg=c\n") {
			t.Errorf("a warning waits: %q", out.String())
		}
		q.close()
	})
}

// An exit does not wait long for a log that nobody reads.
func TestLogThatNobodyReadsAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &blockedWriter{let: make(chan struct{})}
		log, q := bareLog(out)
		log.Error("stuck")
		began := time.Now()
		q.close()
		if took := time.Since(began); took != 100*time.Millisecond {
			t.Errorf("closing took %v", took)
		}
		close(out.let)
	})
}
