package reconnect

import (
	"context"
	"time"
)

// Loop connects again and again, a Backoff apart, until its context ends or an
// error is final. It starts no goroutine: Run is the loop.
type Loop struct {
	// Connect makes a connection, returns when it has ended, and says why. It
	// calls up, at most once, when the connection stands. Required.
	Connect func(ctx context.Context, up func()) error
	// Backoff is the schedule. The zero value is the standard one. A connection that
	// has stood for Stable begins it anew.
	Backoff Backoff
	// OnWait is told of every wait before it starts: the try that comes after
	// it (from 0), how long the wait is, and what ended the last connection. It may be nil.
	OnWait func(attempt int, delay time.Duration, cause error)
}

// Run connects until ctx ends, and returns its cause, or until final (which may
// be nil) reports true for an error, and returns that.
func (l Loop) Run(ctx context.Context, final func(error) bool) error {
	for attempt := 0; ; attempt++ {
		var since time.Time
		err := l.Connect(ctx, func() { since = time.Now() })
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil && final != nil && final(err) {
			return err
		}
		if !since.IsZero() && time.Since(since) >= Stable {
			attempt = 0
		}
		delay := l.Backoff.Delay(attempt)
		if l.OnWait != nil {
			l.OnWait(attempt, delay, err)
		}
		timer := time.NewTimer(delay)
		select {
		case <-ctx.Done():
			timer.Stop()
			return context.Cause(ctx)
		case <-timer.C:
		}
	}
}
