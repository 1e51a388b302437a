//go:build unix

package main

import (
	"os"
	"syscall"
	"testing"
)

// sshd, inetd and socat give a program one socket for stdin and stdout. Making
// it non-blocking for the one makes writes to the other fail when it is full.
func TestStdinThatIsStdoutTooStaysBlocking(t *testing.T) {
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	out, err := syscall.Dup(fds[0])
	if err != nil {
		t.Fatal(err)
	}
	stdin, stdout := os.NewFile(uintptr(fds[0]), "stdin"), os.NewFile(uintptr(out), "stdout")
	other := os.NewFile(uintptr(fds[1]), "client")
	defer func() { _, _, _ = stdin.Close(), stdout.Close(), other.Close() }()

	if got := pollable(stdin, stdout); got != stdin {
		t.Errorf("stdin was made pollable as %v", got.Fd())
		_ = got.Close()
	}
	if got := pollable(stdin, other); got == stdin {
		t.Error("a socket of its own was not made pollable")
	} else {
		_ = got.Close()
	}
}
