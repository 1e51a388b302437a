package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/gitnexus/gitnexus-mcp/events"
)

// BenchmarkEventLog times a call with the event log against one without, alone and
// beside eight processes that write 100,000 failed calls into the same file.
func BenchmarkEventLog(b *testing.B) {
	serve := func(b *testing.B, file string) *server {
		s := startServer(b, "main", "GITNEXUS_EVENTS="+file, "GITNEXUS_ALERT_AFTER=1000")
		s.initialize()
		s.page(answerArguments)
		return s
	}
	b.Run("alone", func(b *testing.B) {
		compareCalls(b, "off", serve(b, "off"), serve(b, filepath.Join(b.TempDir(), "events.sqlite")))
	})
	b.Run("beside", func(b *testing.B) {
		const processes, total = 8, 100_000
		file := filepath.Join(b.TempDir(), "events.sqlite")
		off, on := serve(b, "off"), serve(b, file)
		exe, err := os.Executable()
		if err != nil {
			b.Fatal(err)
		}
		var writers []*exec.Cmd
		for range processes {
			cmd := exec.Command(exe)
			cmd.Env = append(plainEnviron(), "GITNEXUS_TEST_ROLE=eventwriter", "EVENTS_FILE="+file, "EVENTS_COUNT="+strconv.Itoa(total/processes))
			cmd.Stderr = os.Stderr
			if err := cmd.Start(); err != nil {
				b.Fatal(err)
			}
			writers = append(writers, cmd)
		}
		compareCalls(b, "off", off, on)
		b.StopTimer()
		for _, cmd := range writers {
			if err := cmd.Wait(); err != nil {
				b.Error(err)
			}
		}
		log := events.New(events.Options{File: file})
		defer func() { _ = log.Close(context.Background()) }()
		if list, err := log.Query(b.Context(), events.Filter{Category: events.Call, Code: "TIMEOUT"}); err != nil || len(list) != total {
			b.Errorf("%d of %d events are in the log, %v", len(list), total, err)
		}
	})
}

// eventWriterMain adds EVENTS_COUNT failed calls to EVENTS_FILE, 400 a second.
func eventWriterMain() {
	count, err := strconv.Atoi(os.Getenv("EVENTS_COUNT"))
	if err != nil {
		panic(err)
	}
	log := events.New(events.Options{File: os.Getenv("EVENTS_FILE")})
	pace := time.NewTicker(25 * time.Millisecond)
	for i := range count {
		if i%10 == 0 {
			<-pace.C
		}
		for !log.Add(events.Event{Category: events.Call, Type: "outcome", Tool: "grep", Code: "TIMEOUT", Message: "no answer in time"}) {
			time.Sleep(time.Millisecond)
		}
	}
	if err := log.Close(context.Background()); err != nil {
		panic(err)
	}
}
