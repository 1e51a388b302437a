// Package tempdir makes private folders that do not outlive the process that
// made them by much: a later one removes what a killed one left.
package tempdir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
)

// prefix begins the name of every folder: prefix, kind, process id and a random
// part, with a dash between each two.
const prefix = "gitnexus-mcp"

// Make makes an empty folder that only this user can enter, in the system's
// folder for temporary files. Its name holds the kind, a word without a dash,
// and this process, which has to remove it.
func Make(kind string) (string, error) {
	made.Lock()
	defer made.Unlock()
	dir, err := os.MkdirTemp("", fmt.Sprintf("%s-%s-%d-*", prefix, kind, os.Getpid()))
	if err == nil {
		made.names = append(made.names, filepath.Base(dir))
	}
	return dir, err
}

// made is what this process has made. What else bears its number was left by one
// that had the number before, as in a container that is started again.
var made struct {
	sync.Mutex
	names []string
}

// Sweep removes the folders of this kind whose process is gone. What belongs to
// another user stays: it is not ours to remove.
func Sweep(kind string) {
	made.Lock()
	defer made.Unlock()
	entries, _ := os.ReadDir(os.TempDir()) // where there is none, there is nothing to remove
	for _, e := range entries {
		var owner int
		if _, err := fmt.Sscanf(e.Name(), prefix+"-"+kind+"-%d-", &owner); err != nil {
			continue
		}
		if owner == os.Getpid() && !slices.Contains(made.names, e.Name()) || !isAlive(owner) {
			_ = os.RemoveAll(filepath.Join(os.TempDir(), e.Name()))
		}
	}
}

// isAlive tells whether a process is there; true when in doubt.
func isAlive(pid int) bool {
	p, err := os.FindProcess(pid) // fails on Windows when there is none
	if err != nil {
		return false
	}
	defer func() { _ = p.Release() }()
	return !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
