// Package reconnect computes when to try again, and does so until told to stop.
//
// The schedule is exponential backoff with full jitter, after Marc Brooker,
// "Exponential Backoff And Jitter" (AWS Architecture Blog, 2015). The page's
// TypeScript has the same schedule; testdata/backoff.json holds both to it.
package reconnect

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// Defaults of the schedule.
const (
	DefaultBase = 500 * time.Millisecond
	DefaultCap  = 60 * time.Second
)

// Stable is how long a connection has to stand to begin the schedule anew.
const Stable = 10 * time.Second

// Jitter says how a wait differs from its ceiling. Its text is that of --jitter.
type Jitter int

const (
	// FullJitter waits anywhere between 0 and the ceiling.
	FullJitter Jitter = iota
	// ProportionalJitter waits the ceiling ±15 %, at most Backoff.Cap:
	// predictable, for debugging. Many clients that lost the same server then
	// come back at the same time.
	ProportionalJitter
	// NoJitter waits the ceiling.
	NoJitter
)

// proportion is the share of the ceiling by which ProportionalJitter varies.
const proportion = 0.15

var jitters = []string{"full", "15%", "none"}

func (j Jitter) String() string { return jitters[j] }

// MarshalText writes full, 15% or none.
func (j Jitter) MarshalText() ([]byte, error) { return []byte(jitters[j]), nil }

// UnmarshalText reads full, 15% or none.
func (j *Jitter) UnmarshalText(text []byte) error {
	i := slices.Index(jitters, string(text))
	if i < 0 {
		return fmt.Errorf("want one of full, 15%%, none, got %q", text)
	}
	*j = Jitter(i)
	return nil
}

// Backoff computes the wait before a try. It holds no state: the zero value is
// the standard schedule, and all methods may be called concurrently.
type Backoff struct {
	// Base is the ceiling of the first wait. Default 500 ms.
	Base time.Duration
	// Cap is the ceiling of every wait. Default 60 s.
	Cap time.Duration
	// Jitter is how waits differ from their ceiling. Default FullJitter.
	Jitter Jitter
	// Random returns a number in [0, 1). Default: math/rand/v2.
	Random func() float64
}

// Ceiling returns the longest wait of full jitter before the given try,
// counted from 0: min(Cap, Base · 2^attempt).
func (b Backoff) Ceiling(attempt int) time.Duration {
	base, limit := b.limits()
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
	switch b.Jitter {
	case NoJitter:
		return time.Duration(ceiling)
	case ProportionalJitter:
		_, limit := b.limits()
		return time.Duration(min(float64(limit), ceiling*(1-proportion+2*proportion*random())))
	default:
		return time.Duration(ceiling * random())
	}
}

func (b Backoff) limits() (base, limit time.Duration) {
	base, limit = b.Base, b.Cap
	if base <= 0 {
		base = DefaultBase
	}
	if limit <= 0 {
		limit = DefaultCap
	}
	return base, limit
}

// MarshalJSON writes the schedule as the hub's hello gives it to pages, with the
// defaults filled in: {"baseMs": 500, "capMs": 60000, "jitter": "full"}.
func (b Backoff) MarshalJSON() ([]byte, error) {
	base, limit := b.limits()
	return json.Marshal(schedule{base.Milliseconds(), limit.Milliseconds(), b.Jitter})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (b *Backoff) UnmarshalJSON(data []byte) error {
	var s schedule
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	*b = Backoff{Base: time.Duration(s.BaseMS) * time.Millisecond, Cap: time.Duration(s.CapMS) * time.Millisecond, Jitter: s.Jitter}
	return nil
}

type schedule struct {
	BaseMS int64  `json:"baseMs"`
	CapMS  int64  `json:"capMs"`
	Jitter Jitter `json:"jitter"`
}
