package events

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

func start(t *testing.T, file string, count int) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "EVENTS_TEST_FILE="+file, "EVENTS_TEST_COUNT="+strconv.Itoa(count))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

// EVENTS_TEST_TOTAL=100000 runs it with as many events.
func TestEightProcessesLoseNothing(t *testing.T) {
	total := 8000
	if s := os.Getenv("EVENTS_TEST_TOTAL"); s != "" {
		var err error
		if total, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	const processes = 8
	file := filepath.Join(t.TempDir(), "deep", "observability.sqlite")
	var all sync.WaitGroup
	for range processes {
		cmd, out := start(t, file, total/processes)
		all.Go(func() {
			for out.Scan() {
			}
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	log := New(Options{File: file})
	defer shut(t, log)
	rows, err := log.Query(t.Context(), Filter{})
	if err != nil {
		t.Fatal(err)
	}
	next := map[string]int{}
	for _, e := range rows {
		if next[e.Session]++; e.Attempts != next[e.Session] {
			t.Fatalf("process %s: event %d follows %d", e.Session, e.Attempts, next[e.Session]-1)
		}
	}
	if len(rows) != total || len(next) != processes {
		t.Errorf("%d events of %d processes, want %d of %d", len(rows), len(next), total, processes)
	}
}

func TestAKilledProcessLeavesALogThatOpens(t *testing.T) {
	file := filepath.Join(t.TempDir(), "observability.sqlite")
	flushed := 0
	for round := range 6 {
		cmd, out := start(t, file, 0)
		last := 0
		for range round + 1 {
			if !out.Scan() {
				t.Fatal("the child ended")
			}
			n, err := strconv.Atoi(strings.TrimSpace(out.Text()))
			if err != nil {
				t.Fatal(err)
			}
			last = n
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for out.Scan() {
			if n, err := strconv.Atoi(out.Text()); err == nil {
				last = n
			}
		}
		_ = cmd.Wait()
		flushed += last

		log := New(Options{File: file})
		log.Add(Event{Category: Process, Type: "checked"})
		if err := log.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		rows, err := log.Query(t.Context(), Filter{Category: Call})
		if err != nil || len(rows) < flushed {
			t.Errorf("round %d: %d events, %v; %d were acknowledged", round, len(rows), err, flushed)
		}
		shut(t, log)
		if _, err := os.Stat(file + ".broken"); err == nil {
			t.Error("the log was put aside")
		}
	}
}
