//go:build unix

package repo

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"
)

// Opening a FIFO waits for a writer, for ever: none is opened, wherever it is.
func TestSpecialFilesAreNotOpened(t *testing.T) {
	dir := folder(t, map[string]string{"a.go": "1", "sub/b.go": "1", ".git/info/x": ""})
	for _, name := range []string{".gitignore", ".git/info/exclude", "sub/.gitignore", "pipe.go"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	done := make(chan struct{})
	go func() {
		defer close(done)
		r, err := Open(dir, Options{})
		if err != nil {
			t.Error(err)
			return
		}
		files, end, _ := stream(t, r)
		if len(files) != 2 {
			t.Errorf("sent %v", files)
		}
		for _, name := range []string{".gitignore", "sub/.gitignore", "pipe.go", "s"} {
			if !slices.Contains(end.Skipped, Skipped{name, "not a regular file"}) {
				t.Errorf("%s is not among the skipped: %v", name, end.Skipped)
			}
		}
		// A file may become a FIFO after it was listed.
		if err := os.Remove(filepath.Join(dir, "a.go")); err != nil {
			t.Error(err)
		}
		if err := syscall.Mkfifo(filepath.Join(dir, "a.go"), 0o600); err != nil {
			t.Error(err)
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = root.Close() }()
		if _, err := r.read(root, "a.go"); err != errNotRegular {
			t.Errorf("a.go: %v", err)
		}
		if _, err := Open(filepath.Join(dir, "a.go"), Options{}); err == nil {
			t.Error("a FIFO passes for a folder")
		}
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("a special file was opened")
	}
}

// What an ignore file hides that cannot be read is not known.
func TestAnIgnoreFileThatCannotBeRead(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root can read every file")
	}
	dir := folder(t, map[string]string{"a.go": "1", "b/.gitignore": "secret\n", "b/secret": "1", "b/c.go": "1"})
	if err := os.Chmod(filepath.Join(dir, "b", ".gitignore"), 0); err != nil {
		t.Fatal(err)
	}
	tr := newTree(dir, Options{MaxFile: 100, MaxFiles: 100, MaxTotal: 1000})
	if err := tr.readAll(); err != nil {
		t.Fatal(err)
	}
	l := tr.listing()
	if len(l.files) != 1 || l.files[0].Path != "a.go" || len(l.skipped) != 1 || l.skipped[0].Path != "b" {
		t.Errorf("listed %v, skipped %v", l.files, l.skipped)
	}
}
