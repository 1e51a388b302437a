package resilience

import (
	"context"
	"time"
)

// Retry says how often something that a passing condition refused is tried
// again. The waits double: Base, 2·Base, 4·Base …
type Retry struct {
	// Attempts is the number of further tries after the first. 0 means none.
	Attempts int
	// Base is the first wait. Default 1 s.
	Base time.Duration
}

// Do runs try until it succeeds, fails for a reason that is not passing, or the
// tries are used up, and returns the last error and the number of tries. It
// does not begin a wait that ctx's deadline would cut short: the error that is
// known then comes at once. A cancelled ctx ends a wait with its cause.
func (r Retry) Do(ctx context.Context, passing func(error) bool, try func() error) (tries int, err error) {
	wait := r.Base
	if wait <= 0 {
		wait = time.Second
	}
	for tries = 1; ; tries++ {
		if err = try(); err == nil || tries > r.Attempts || !passing(err) || ctx.Err() != nil {
			return tries, err
		}
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= wait {
			return tries, err
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return tries, context.Cause(ctx)
		}
		wait *= 2
	}
}
