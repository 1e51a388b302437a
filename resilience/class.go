// Package resilience bounds what a failing link can cost a call: a time limit
// for each class of tool, and a circuit breaker that stops asking a page that
// keeps failing.
package resilience

import "time"

// Class says how long a tool may take.
type Class int

const (
	// Quick tools look something up.
	Quick Class = iota
	// Heavy tools walk the graph or query the database.
	Heavy
)

// String returns "quick" or "heavy".
func (c Class) String() string {
	if c == Heavy {
		return "heavy"
	}
	return "quick"
}

// Timeouts holds the time limit of each class. A zero field means its default:
// 60 s for quick tools, 120 s for heavy ones.
type Timeouts struct {
	Quick, Heavy time.Duration
}

// For returns the time limit of a class.
func (t Timeouts) For(c Class) time.Duration {
	limit, fallback := t.Quick, 60*time.Second
	if c == Heavy {
		limit, fallback = t.Heavy, 120*time.Second
	}
	if limit <= 0 {
		return fallback
	}
	return limit
}
