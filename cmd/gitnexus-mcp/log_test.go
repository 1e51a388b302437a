package main

import (
	"errors"
	"fmt"
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
	log, closeLog, err := newLog(settings{}, testToken, file)
	if err != nil {
		t.Fatal(err)
	}
	log.Info("refused", "path", "/#token="+testToken, "err", errors.New("dial "+testToken))
	log.Info("agent", "name", "x\n12:00:00 INF forged\x1b[31m\u2028")
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
	if strings.Count(said, "\n") != 2 || strings.ContainsAny(said, "\x1b\u2028") {
		t.Errorf("want two lines without control characters, got:\n%q", said)
	}
	// A log file takes the place of stderr, and debug shows more.
	name := filepath.Join(t.TempDir(), "log")
	log, closeLog, err = newLog(settings{logFile: name, debug: true}, testToken, file)
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
	strings.Builder
	let chan struct{}
}

func (w *blockedWriter) Write(p []byte) (int, error) {
	<-w.let
	return w.Builder.Write(p)
}

func TestLogNeverBlocks(t *testing.T) {
	out := &blockedWriter{let: make(chan struct{})}
	q := newLogQueue(out)
	line := strings.Repeat("x", 1023) + "\n"
	fits := maxLogWaiting / len(line)
	_, _ = q.Write([]byte("first\n"))
	out.let <- struct{}{} // and now it waits for the next
	for range 2*fits + 7 {
		_, _ = q.Write([]byte(line))
	}
	close(out.let)
	q.close()
	said := out.String()
	if !strings.HasPrefix(said, "first\n") || strings.Count(said, line) < fits {
		t.Errorf("%d of %d lines", strings.Count(said, line), fits)
	}
	if missing := 2*fits + 7 - strings.Count(said, line); missing == 0 || !strings.HasSuffix(said, fmt.Sprintf("\n%d lines of the log are missing here: nobody read it\n", missing)) {
		t.Errorf("%d lines are missing, and the log says %q", missing, said[max(0, len(said)-80):])
	}
}

// An exit does not wait long for a log that nobody reads.
func TestLogThatNobodyReadsAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &blockedWriter{let: make(chan struct{})}
		q := newLogQueue(out)
		_, _ = q.Write([]byte("stuck\n"))
		began := time.Now()
		q.close()
		if took := time.Since(began); took != 100*time.Millisecond {
			t.Errorf("closing took %v", took)
		}
		close(out.let)
	})
}
