package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func TestALogFileIsRotated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	// Two servers write to one file.
	var servers []*logFile
	for range 2 {
		l, err := openLogFile(path)
		if err != nil {
			t.Fatal(err)
		}
		defer l.close()
		l.size = 1000
		servers = append(servers, l)
	}
	for i := range 90 {
		if _, err := fmt.Fprintf(servers[i%2], "%098d\n", i); err != nil { // 99 bytes
			t.Fatal(err)
		}
	}
	var all []byte
	for _, name := range []string{path + ".3", path + ".2", path + ".1", path} {
		data, err := os.ReadFile(name)
		if err != nil || len(data) > 1000 {
			t.Errorf("%s: %d bytes, %v", name, len(data), err)
		}
		all = append(all, data...)
	}
	if _, err := os.Stat(path + ".4"); err == nil {
		t.Error("four old files are kept")
	}
	// What is left are the last lines, in order.
	lines := strings.Fields(string(all))
	for i, line := range lines {
		if want := fmt.Sprintf("%098d", 90-len(lines)+i); line != want {
			t.Fatalf("line %d is %s", i, line)
		}
	}
	if len(lines) < 31 {
		t.Errorf("%d lines are left", len(lines))
	}
	// A file that somebody removed is made again.
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := servers[0].Write([]byte("again\n")); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(path); string(data) != "again\n" {
		t.Errorf("%q, %v", data, err)
	}
}

func TestALogFileIsNoLinkAndNoDevice(t *testing.T) {
	dir := t.TempDir()
	precious := filepath.Join(dir, "precious")
	if err := os.WriteFile(precious, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(precious, link); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{link: "symbolic link", os.DevNull: "not a regular file", dir: "not a regular file"} {
		if l, err := openLogFile(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v; want %q", path, l, err, want)
		}
	}
	// Nor does it become one while it is in use.
	path := filepath.Join(dir, "log")
	l, err := openLogFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	if err := errors.Join(os.Remove(path), os.Symlink(precious, path)); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Write([]byte("x\n")); err == nil {
		t.Error("written through the link")
	}
	if data, _ := os.ReadFile(precious); string(data) != "mine" {
		t.Errorf("the link's target holds %q", data)
	}
	if info, err := os.Lstat(precious); err == nil && os.Geteuid() == 0 {
		if err := os.Chown(precious, 12345, -1); err != nil {
			t.Fatal(err)
		}
		if _, err := openLogFile(precious); err == nil || !strings.Contains(err.Error(), "another user") {
			t.Errorf("%v: %v", info.Name(), err)
		}
	}
}

// fullDisk is a disk that is full for a while.
type fullDisk struct {
	bytes.Buffer
	full bool
}

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.full {
		return 0, &os.PathError{Op: "write", Path: "log", Err: syscall.ENOSPC}
	}
	return d.Buffer.Write(p)
}

func TestALogOutlivesAFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &fullDisk{}
		log, q := bareLog(disk)
		pass := func() {
			time.Sleep(2 * logDelay)
			synctest.Wait()
		}
		log.Info("a")
		pass()
		disk.full = true
		log.Info("b")
		pass()
		log.Info("c")
		log.Info("d")
		pass()
		disk.full = false
		log.Info("e")
		pass()
		q.close()
		want := "level=INFO msg=a\n3 lines of the log are missing here: write log: no space left on device\nlevel=INFO msg=e\n"
		if got := disk.String(); got != want {
			t.Errorf("got %q\nwant %q", got, want)
		}
	})
}

// panicking is a handler of the log whose formatting panics.
type panicking struct{ slog.Handler }

func (panicking) Handle(context.Context, slog.Record) error { panic("injected") }

func TestAPanicWhileFormattingCostsOneLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out lockedBuffer
		log, q := bareLog(&out)
		q.add(logRecord{panicking{}, slog.Record{Level: slog.LevelInfo, Message: "a"}})
		log.Info("b")
		q.close()
		said := out.String()
		if !strings.Contains(said, `"injected"`) || !strings.Contains(said, "panicking.Handle") || !strings.HasSuffix(said, "level=INFO msg=b\n") {
			t.Errorf("%q", said)
		}
	})
}
