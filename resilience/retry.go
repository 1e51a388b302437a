package resilience

import (
	"context"
	"math/rand/v2"
	"time"
)

// Retry says how often something that a passing condition refused is tried
// again. The waits double: Base, 2·Base, 4·Base …
type Retry struct {
	// Attempts is the number of further tries after the first. 0 means none.
	Attempts int
	// Base is the first wait. Default 1 s.
	Base time.Duration
	// Jitter makes each wait longer by a random share of it, up to this one.
	// Default 0: none.
	Jitter float64
	// OnRetry is told before each wait of Do, if set.
	OnRetry func(try int, wait time.Duration, err error)
}

// Do runs try until it succeeds, fails for a reason that is not passing, or the
// tries are used up, and returns the last error and the number of tries. It
// does not begin a wait that ctx's deadline would cut short: the error that is
// known then comes at once. A wait is at least the one that the server asked for
// (see Classify). A cancelled ctx ends a wait with its cause.
func (r Retry) Do(ctx context.Context, passing func(error) bool, try func() error) (tries int, err error) {
	for tries = 1; ; tries++ {
		if err = try(); err == nil || !passing(err) || ctx.Err() != nil {
			return tries, err
		}
		wait, again := r.Wait(ctx, tries)
		wait = max(wait, Classify(err).RetryAfter)
		if deadline, ok := ctx.Deadline(); !again || ok && time.Until(deadline) <= wait {
			return tries, err
		}
		if r.OnRetry != nil {
			r.OnRetry(tries, wait, err)
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return tries, context.Cause(ctx)
		}
	}
}

// Wait returns the wait after the given number of tries, or false when they are
// used up or when ctx's deadline would cut the wait short.
func (r Retry) Wait(ctx context.Context, tries int) (time.Duration, bool) {
	if tries > r.Attempts {
		return 0, false
	}
	base := r.Base
	if base <= 0 {
		base = time.Second
	}
	wait := base << (tries - 1)
	wait += time.Duration(r.Jitter * rand.Float64() * float64(wait))
	deadline, ok := ctx.Deadline()
	return wait, !ok || time.Until(deadline) > wait
}
