// Package tempdir makes private folders that do not outlive the process that
// made them by much: a later one removes what a killed one left.
package tempdir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// prefix begins the name of every folder: prefix, kind, process id and a random
// part, with a dash between each two.
const prefix = "gitnexus-mcp"

// Make makes an empty folder that only this user can enter, in the system's
// folder for temporary files. Its name holds the kind, a word without a dash,
// and this process, which has to remove it.
func Make(kind string) (string, error) {
	return os.MkdirTemp("", fmt.Sprintf("%s-%s-%d-*", prefix, kind, os.Getpid()))
}

// Sweep removes the folders of this kind whose process is gone. What belongs to
// another user stays: it is not ours to remove.
func Sweep(kind string) {
	dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), fmt.Sprintf("%s-%s-*-*", prefix, kind))) // the pattern is good
	for _, dir := range dirs {
		var owner int
		if _, err := fmt.Sscanf(filepath.Base(dir), prefix+"-"+kind+"-%d-", &owner); err == nil && !isAlive(owner) {
			_ = os.RemoveAll(dir)
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
