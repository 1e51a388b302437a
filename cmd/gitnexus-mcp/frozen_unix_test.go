//go:build unix

package main

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A hub that is stopped is named by its process, and joined or replaced at once
// when it goes on or is killed.
func TestFrozenHub(t *testing.T) {
	t.Parallel() // it waits for most of its time
	for name, end := range map[string]struct {
		signal syscall.Signal
		role   string
	}{
		"goes on":   {syscall.SIGCONT, "peer"},
		"is killed": {syscall.SIGKILL, "hub"},
	} {
		t.Run(name, func(t *testing.T) {
			port := freePort(t)
			hub := family(t, port, 1)[0]
			pid := hub.cmd.Process.Pid
			_ = hub.cmd.Process.Signal(syscall.SIGSTOP)
			defer func() { _ = hub.cmd.Process.Signal(syscall.SIGCONT) }()
			s := joinFamily(t, port, "GITNEXUS_GRACE=0", "GITNEXUS_RETRY_ATTEMPTS=1")
			frozen := fmt.Sprintf("the hub (pid %d) does not answer: it is frozen", pid)
			waitUntil(t, "word of it", func() bool { return strings.Contains(s.bridge().Trouble, frozen) })
			_, e := s.call("search", map[string]any{"query": "x"})
			if e.Code != "CONNECTION_LOST" || !strings.Contains(e.Message, frozen) || !strings.Contains(e.Suggestion, fmt.Sprintf("kill -CONT %d", pid)) {
				t.Errorf("%+v", e)
			}
			_ = hub.cmd.Process.Signal(end.signal)
			waitUntil(t, "place", func() bool { return s.bridge().Role == end.role })
		})
	}
}

// A server that is frozen in its end, for longer than that may take, has time to
// end once it goes on.
func TestFrozenInItsEnd(t *testing.T) {
	s := startServer(t, "main")
	s.initialize()
	asked := make(chan struct{})
	s.page(func(*page, message) { close(asked) })
	_, answer := s.callAsync("search", map[string]any{"query": "x"})
	<-asked
	_ = s.stdin.Close()
	waitUntil(t, "end that has begun", func() bool { return strings.Contains(s.stderr.String(), "its input has ended") })
	_ = s.cmd.Process.Signal(syscall.SIGSTOP)
	time.Sleep(shutdownLimit + 100*time.Millisecond)
	_ = s.cmd.Process.Signal(syscall.SIGCONT)
	if _, e := s.understand(s.await(answer)); e.Code == "" {
		t.Error("a call outlived its server")
	}
	<-s.exited
	if code := s.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
