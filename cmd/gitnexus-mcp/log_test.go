package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
