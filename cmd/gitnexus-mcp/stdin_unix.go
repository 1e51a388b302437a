//go:build unix

package main

import (
	"io/fs"
	"os"
	"syscall"
)

// pollable makes a pipe or socket one that the runtime's poller reads, which
// ties up no thread and wakes the reader sooner. It returns other files, such
// as a terminal that is shared with other programs, as they are; and one that
// is also among others, as with sshd and inetd, which give a program one socket
// for stdin and stdout: non-blocking is a property of the socket, and a write
// to those would fail when it is full.
func pollable(f *os.File, others ...*os.File) *os.File {
	info, err := f.Stat()
	if err != nil || info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) == 0 {
		return f
	}
	for _, other := range others {
		if same, err := other.Stat(); err == nil && os.SameFile(info, same) {
			return f
		}
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
