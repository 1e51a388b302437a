//go:build unix

package client

import (
	"errors"
	"fmt"
	"syscall"
	"testing"
	"time"
)

func TestEverythingFrozenOverStdio(t *testing.T) {
	needEverything(t)
	var started children
	c := connect(t, overStdio(&started), Options{Timeout: 3 * time.Second, Base: 10 * time.Millisecond, Idempotent: idempotent})
	frozen := started.last()
	if err := frozen.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	// The call times out once, and goes to a new process.
	if err := echo(t, c, t.Context()); err != nil {
		t.Error(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if frozen.Signal(syscall.SIGCONT) == nil {
		t.Error("the frozen child lives on")
	}
}

func TestEverythingFrozenOverHTTP(t *testing.T) {
	needEverything(t)
	port := freePort(t)
	server := overHTTP(t, port)
	c := connect(t, URL(fmt.Sprintf("http://127.0.0.1:%d/mcp", port), nil), Options{Timeout: time.Second, Attempts: 2, Base: 10 * time.Millisecond, Idempotent: idempotent})
	if err := server.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if e, ok := errors.AsType[*Error](echo(t, c, t.Context())); !ok || e.Code != CodeTimeout || e.Attempts != 2 {
		t.Errorf("%+v", e)
	}
	if err := server.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if err := echo(t, c, t.Context()); err != nil {
		t.Error(err)
	}
}
