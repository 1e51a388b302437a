package events

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestMain is also the child process of the tests with several processes.
func TestMain(m *testing.M) {
	if file := os.Getenv("EVENTS_TEST_FILE"); file != "" {
		os.Exit(child(file))
	}
	goleak.VerifyTestMain(m)
}

// child adds failed calls to the file: EVENTS_TEST_COUNT of them, or without end
// when that is 0. It prints the number that it knows to be written.
func child(file string) int {
	log := New(Options{File: file, Session: strconv.Itoa(os.Getpid())})
	count, err := strconv.Atoi(os.Getenv("EVENTS_TEST_COUNT"))
	if err != nil {
		return 2
	}
	ctx := context.Background()
	accepted := 0
	for i := 0; i < count || count == 0; i++ {
		for !log.Add(Event{Category: Call, Type: "outcome", Tool: "grep", Code: "TIMEOUT", Attempts: i + 1, Message: "no answer in time"}) {
			time.Sleep(time.Millisecond) // the queue is full
		}
		accepted++
		if count == 0 && i%50 == 49 {
			if err := log.Flush(ctx); err != nil {
				return 3
			}
			fmt.Println(accepted)
		}
	}
	if err := log.Close(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 4
	}
	fmt.Println(accepted)
	return 0
}
