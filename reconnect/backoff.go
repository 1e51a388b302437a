// Package reconnect decides when to dial again, and does so until told to stop.
//
// The schedule is exponential backoff with full jitter, after Marc Brooker,
// "Exponential Backoff And Jitter" (AWS Architecture Blog, 2015). The page's
// TypeScript has the same schedule; testdata/backoff.json holds both to it.
package reconnect

import (
	"math"
	"math/rand/v2"
	"time"
)

// Defaults of the schedule.
const (
	DefaultBase   = 500 * time.Millisecond
	DefaultCap    = 60 * time.Second
	DefaultStable = 10 * time.Second
)

// Backoff computes the wait before a try. It holds no state: the zero value is
// the standard schedule, and all methods may be called concurrently.
type Backoff struct {
	// Base is the ceiling of the first wait. Default 500 ms.
	Base time.Duration
	// Cap is the ceiling of every wait. Default 60 s.
	Cap time.Duration
	// Proportional, when above 0 and up to 1, makes waits predictable for
	// debugging: the ceiling plus or minus this share of it (0.15 is ±15 %).
	// Many clients that lost the same server then come back at the same time.
	// Default 0: full jitter, anywhere between 0 and the ceiling.
	Proportional float64
	// Random returns a number in [0, 1). Default: math/rand/v2.
	Random func() float64
}

// Ceiling returns the longest wait of full jitter before the given try,
// counted from 0: min(Cap, Base · 2^attempt).
func (b Backoff) Ceiling(attempt int) time.Duration {
	base, limit := b.Base, b.Cap
	if base <= 0 {
		base = DefaultBase
	}
	if limit <= 0 {
		limit = DefaultCap
	}
	// In floating point, so that a large attempt becomes infinity and not 0.
	return time.Duration(min(float64(limit), float64(base)*math.Exp2(float64(max(attempt, 0)))))
}

// Delay returns the wait before the given try, counted from 0.
func (b Backoff) Delay(attempt int) time.Duration {
	random := b.Random
	if random == nil {
		random = rand.Float64
	}
	ceiling := float64(b.Ceiling(attempt))
	if p := b.Proportional; p > 0 {
		limit := b.Cap
		if limit <= 0 {
			limit = DefaultCap
		}
		return time.Duration(min(float64(limit), ceiling*(1-p+2*p*random())))
	}
	return time.Duration(ceiling * random())
}
