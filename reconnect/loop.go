package reconnect

import (
	"context"
	"time"
)

// Loop runs something that connects, again and again, until told to stop. It
// has no goroutine of its own: Run is the loop.
type Loop struct {
	// Connect makes a connection, keeps it until it ends, and returns why it
	// ended. It reports through up, at most once, that the connection stands.
	// Required.
	Connect func(ctx context.Context, up func()) error
	// Backoff is the schedule. The zero value is the standard one.
	Backoff Backoff
	// Stable is how long a connection has to stand to reset the schedule. Default 10 s.
	Stable time.Duration
	// Now, when it receives, ends a wait at once. It may be nil.
	Now <-chan struct{}
	// OnWait is told of every wait before it starts: the try that comes after
	// it (from 0), how long the wait is, and what ended the last connection. It may be nil.
	OnWait func(attempt int, delay time.Duration, cause error)
}

// Run connects until ctx ends or final (which may be nil) says that an error is, and returns
// the last error, or ctx's cause.
func (l Loop) Run(ctx context.Context, final func(error) bool) error {
	stable := l.Stable
	if stable <= 0 {
		stable = DefaultStable
	}
	for attempt := 0; ; attempt++ {
		var since time.Time
		err := l.Connect(ctx, func() { since = time.Now() })
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil && final != nil && final(err) {
			return err
		}
		if !since.IsZero() && time.Since(since) >= stable {
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
		case <-l.Now:
			timer.Stop()
		}
	}
}
