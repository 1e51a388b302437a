package main

import (
	"context"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

func TestWaitReady(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = null.Close() }()
	for _, c := range []struct {
		name  string
		state func(elapsed time.Duration) string
		after time.Duration
		err   string // "" for ready
	}{
		{"no page ever", func(time.Duration) string { return "starting" }, startLimit, "no page has connected"},
		{"slow to index", func(d time.Duration) string {
			return map[bool]string{true: "indexing", false: "ready"}[d < 10*time.Minute]
		}, 10 * time.Minute, ""},
		{"page lost for a while", func(d time.Duration) string {
			return map[bool]string{true: "starting", false: "indexing"}[d.Truncate(time.Minute)%(2*time.Minute) == 0]
		}, indexLimit, "not ready within"},
		{"indexing failed", func(time.Duration) string { return "error" }, 0, "could not index"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				err := waitReady(t.Context(), nil, &progressLine{to: null}, func() (string, string, error) {
					return c.state(time.Since(start)), "", nil
				})
				if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
					t.Errorf("got %v", err)
				}
				if took := time.Since(start); took < c.after || took > c.after+time.Second {
					t.Errorf("took %v, want %v", took, c.after)
				}
			})
		})
	}
}

func TestWaitReadyEndsWithItsContext(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = null.Close() }()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = waitReady(ctx, nil, &progressLine{to: null}, func() (string, string, error) { return "starting", "", nil })
	if err == nil {
		t.Error("no error")
	}
}

// The gate of a command is used by a server that refuses tokens which are too short.
func TestPrivateGatesHaveTokensThatAreAccepted(t *testing.T) {
	for range 1_000 {
		gate, err := privateGate()
		if err != nil {
			t.Fatal(err)
		}
		if err := wsbridge.CheckToken(gate.Token); err != nil {
			t.Fatalf("%s: %v", gate.Token, err)
		}
	}
}
