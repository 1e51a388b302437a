package resilience

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

func TestRetry(t *testing.T) {
	busy, broken := errors.New("busy"), errors.New("broken")
	for name, c := range map[string]struct {
		attempts int
		timeout  time.Duration
		errs     []error // of the tries in order; the last one repeats
		want     error
		at       string // when each try came
	}{
		"success":                 {3, time.Minute, []error{nil}, nil, "[0s]"},
		"passes":                  {3, time.Minute, []error{busy, busy, nil}, nil, "[0s 1s 3s]"},
		"stays":                   {3, time.Minute, []error{busy}, busy, "[0s 1s 3s 7s]"},
		"is final":                {3, time.Minute, []error{busy, broken}, broken, "[0s 1s]"},
		"no attempts":             {0, time.Minute, []error{busy}, busy, "[0s]"},
		"deadline before the try": {3, 2999 * time.Millisecond, []error{busy}, busy, "[0s 1s]"},
		"deadline just after it":  {3, 3001 * time.Millisecond, []error{busy}, busy, "[0s 1s 3s]"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), c.timeout)
				defer cancel()
				start := time.Now()
				var at []time.Duration
				tries, err := Retry{Attempts: c.attempts}.Do(ctx, func(err error) bool { return err == busy }, func() error {
					at = append(at, time.Since(start))
					return c.errs[min(len(at), len(c.errs))-1]
				})
				if err != c.want || fmt.Sprint(at) != c.at || tries != len(at) {
					t.Errorf("%v after %d tries at %v; want %v at %s", err, tries, at, c.want, c.at)
				}
				if ended := time.Since(start); ended != at[len(at)-1] {
					t.Errorf("waited on until %v for nothing", ended)
				}
			})
		})
	}
}

func TestRetryEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone := errors.New("gone")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(500*time.Millisecond, func() { cancel(gone) })
		start := time.Now()
		tries, err := Retry{Attempts: 3}.Do(ctx, func(error) bool { return true }, func() error { return errors.New("busy") })
		if err != gone || tries != 1 || time.Since(start) != 500*time.Millisecond {
			t.Errorf("%v after %d tries and %v", err, tries, time.Since(start))
		}
	})
}

func TestRetryWaitsAsLongAsTheServerAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var told []string
		r := Retry{Attempts: 2, OnRetry: func(try int, wait time.Duration, err error) {
			told = append(told, fmt.Sprint(try, wait, err))
		}}
		_, _ = r.Do(t.Context(), func(error) bool { return true }, func() error {
			return &StatusError{Status: 429, RetryAfter: 1500 * time.Millisecond}
		})
		if waited := time.Since(start); waited != 3500*time.Millisecond {
			t.Errorf("waited %v", waited)
		}
		if want := "[1 1.5s HTTP status 429 Too Many Requests 2 2s HTTP status 429 Too Many Requests]"; fmt.Sprint(told) != want {
			t.Errorf("told %v", told)
		}
	})
}

func TestRetryWithJitter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy := errors.New("busy")
		seen := map[time.Duration]bool{}
		for range 20 {
			start := time.Now()
			_, _ = Retry{Attempts: 1, Jitter: 0.5}.Do(t.Context(), func(error) bool { return true }, func() error { return busy })
			waited := time.Since(start)
			if seen[waited] = true; waited < time.Second || waited > 1500*time.Millisecond {
				t.Errorf("waited %v", waited)
			}
		}
		if len(seen) < 2 {
			t.Error("all waits are the same")
		}
	})
}
