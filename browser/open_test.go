//go:build unix && !darwin

package browser

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gitnexus/gitnexus-mcp/guard"
)

// fakeOpener puts a program in xdg-open's place, and temporary files into a
// folder of the test's own.
func fakeOpener(t *testing.T, script string) (temp string) {
	t.Helper()
	temp = t.TempDir()
	t.Setenv("TMPDIR", temp)
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	return temp
}

// The opener ends, or the browser that it started, when the test lets it.
func TestOpenDoesNotWaitForTheBrowser(t *testing.T) {
	for name, script := range map[string]string{
		"in the background": `cat "$GATE" &`, // and holds the opener's output
		"in the foreground": `exec cat "$GATE"`,
	} {
		t.Run(name, func(t *testing.T) {
			fakeOpener(t, script)
			gate := filepath.Join(t.TempDir(), "gate")
			if err := syscall.Mkfifo(gate, 0o600); err != nil {
				t.Fatal(err)
			}
			t.Setenv("GATE", gate)
			opened := make(chan error)
			go func() { opened <- open(t.Context(), "http://127.0.0.1:1/#token=x", 20*time.Millisecond) }()
			select {
			case err := <-opened:
				if err != nil {
					t.Error(err)
				}
			case <-time.After(time.Minute):
				t.Error("Open waits for the browser")
			}
			w, err := os.OpenFile(gate, os.O_WRONLY, 0) // once the browser is there
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestOpenPassesOnWhatTheOpenerSays(t *testing.T) {
	temp := fakeOpener(t, "echo no display >&2; exit 3")
	err := Open(t.Context(), "http://127.0.0.1:1/#token=secret")
	if err == nil || !strings.Contains(err.Error(), "no display") || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(temp, "*")); len(left) != 0 {
		t.Errorf("left behind, though nobody will read it: %v", left)
	}
}

func TestOpenRemovesWhatAnEndedProcessLeft(t *testing.T) {
	temp := fakeOpener(t, "exit 0")
	old := filepath.Join(temp, "gitnexus-mcp-open-1")
	young := filepath.Join(temp, "gitnexus-mcp-open-2")
	for _, dir := range []string{old, young} {
		if err := os.MkdirAll(filepath.Join(dir, "x"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	past := time.Now().Add(-time.Hour)
	if err := os.Chtimes(old, past, past); err != nil {
		t.Fatal(err)
	}
	if err := Open(t.Context(), "http://127.0.0.1:1/#token=x"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(old); err == nil {
		t.Error("the old one is still there")
	}
	if _, err := os.Stat(young); err != nil {
		t.Error("a browser may still read the young one: it has to stay")
	}
}

func TestPanicWhileThePageIsKept(t *testing.T) {
	fakeOpener(t, "exit 0")
	ran := guard.Inject("page for the browser")
	if err := Open(t.Context(), "http://127.0.0.1:1/#token=x"); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); !ran(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("there is no such job")
		}
	}
}
