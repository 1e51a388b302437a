// Package tempdir makes private temporary folders. Each process removes its own;
// those of killed processes are removed by a later one.
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

// made lists the folders that this process has made. Other folders with its
// process id come from an earlier process with the same id, as in a container
// that is started again.
var made struct {
	sync.Mutex
	names []string
}

// Sweep removes the folders of this kind whose process has ended. Folders of
// other users stay, since removing them fails.
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

// isAlive reports whether a process exists; true when the system does not tell.
func isAlive(pid int) bool {
	p, err := os.FindProcess(pid) // fails on Windows when there is none
	if err != nil {
		return false
	}
	defer func() { _ = p.Release() }()
	return !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
