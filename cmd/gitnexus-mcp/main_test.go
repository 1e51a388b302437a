package main

import (
	"context"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// The first signal ends a command in order; a second one, or time, abandons it.
func TestSupervise(t *testing.T) {
	for _, c := range []struct {
		name    string
		signals []time.Duration // when they come
		run     func(ctx context.Context, ending func()) int
		code    int
		after   time.Duration
	}{
		{"ends by itself", nil, func(context.Context, func()) int { return 7 }, 7, 0},
		{"ends with its context", []time.Duration{time.Minute}, func(ctx context.Context, _ func()) int {
			<-ctx.Done()
			time.Sleep(time.Second)
			return 0
		}, 0, time.Minute + time.Second},
		{"hangs at its end", []time.Duration{time.Minute}, hang, 1, time.Minute + shutdownLimit},
		{"hangs, and a second signal comes", []time.Duration{time.Minute, time.Minute + 10*time.Millisecond}, hang, 1, time.Minute + 10*time.Millisecond},
		{"hangs after the end of its input", nil, func(ctx context.Context, ending func()) int {
			time.Sleep(time.Hour)
			ending()
			ending()
			return hang(ctx, ending)
		}, 1, time.Hour + shutdownLimit},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				signals := make(chan os.Signal, 2)
				for _, at := range c.signals {
					time.AfterFunc(at, func() { signals <- syscall.SIGTERM })
				}
				began := time.Now()
				if code := supervise(signals, c.run); code != c.code {
					t.Errorf("exit code %d, want %d", code, c.code)
				}
				if took := time.Since(began); took != c.after {
					t.Errorf("took %v, want %v", took, c.after)
				}
				time.Sleep(48 * time.Hour) // until what was abandoned has ended
			})
		})
	}
}

// hang stands for a command that does not end, though its test has to.
func hang(context.Context, func()) int {
	time.Sleep(24 * time.Hour)
	return 0
}
