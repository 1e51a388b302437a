//go:build unix

package main

import (
	"io/fs"
	"os"
	"syscall"
)

// pollable makes a pipe or socket one that the runtime's poller reads, which
// ties up no thread and wakes the reader sooner. It returns other files, such
// as a terminal that is shared with other programs, as they are.
func pollable(f *os.File) *os.File {
	info, err := f.Stat()
	if err != nil || info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) == 0 {
		return f
	}
	fd, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		return f
	}
	syscall.CloseOnExec(fd)
	if err := syscall.SetNonblock(fd, true); err != nil {
		_ = syscall.Close(fd)
		return f
	}
	return os.NewFile(uintptr(fd), f.Name())
}
