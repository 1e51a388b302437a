package resilience

import (
	"fmt"
	"sync"
	"time"

	"github.com/sony/gobreaker/v2"
)

// OpenError is what a call gets while the breaker is open. The call was not tried.
type OpenError struct {
	// Name says what the breaker stands before, and Cause is its last failure, as
	// far as its owner has told; the Breaker leaves them empty.
	Name  string
	Cause error
	// RetryAfter is the time until the breaker lets one call try again; 0 when
	// that one call is under way right now.
	RetryAfter time.Duration
}

func (e *OpenError) Error() string {
	return fmt.Sprintf("circuit breaker open for another %v", e.RetryAfter.Round(time.Millisecond))
}

// BreakerSettings configures a Breaker. The zero value works but counts every
// error as a failure.
type BreakerSettings struct {
	// Threshold is the number of consecutive failures that opens the breaker. Default 5.
	Threshold uint32
	// Cooldown is how long it stays open before one call may try. Default 30 s.
	Cooldown time.Duration
	// IsFailure tells which errors count against the link. Default: every error.
	IsFailure func(error) bool
	// IsIgnored tells which errors say nothing of the link, such as a call that
	// the agent cancelled: they leave the count as it is, and free the trial
	// slot of a half-open breaker. Default: none. What is neither a failure nor
	// ignored is a success, a tool's own error included: the page answered.
	IsIgnored func(error) bool
	// OnChange is told each change of state ("closed", "open", "half-open").
	// It runs while the breaker is locked: it must not call the Breaker.
	OnChange func(from, to string)
}

// Breaker stops calls to a page that keeps failing, on the circuit breaker of
// sony/gobreaker. All methods may be called concurrently.
type Breaker struct {
	settings BreakerSettings

	mu       sync.Mutex
	circuit  *gobreaker.TwoStepCircuitBreaker[struct{}] // replaced by Reset
	openedAt time.Time                                  // of circuit, when it last opened
}

// NewBreaker returns a closed breaker.
func NewBreaker(s BreakerSettings) *Breaker {
	if s.Threshold == 0 {
		s.Threshold = 5
	}
	if s.Cooldown <= 0 {
		s.Cooldown = 30 * time.Second
	}
	if s.IsFailure == nil {
		s.IsFailure = func(err error) bool { return err != nil }
	}
	if s.IsIgnored == nil {
		s.IsIgnored = func(error) bool { return false }
	}
	b := &Breaker{settings: s}
	b.circuit = b.newCircuit()
	return b
}

func (b *Breaker) newCircuit() *gobreaker.TwoStepCircuitBreaker[struct{}] {
	return gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{
		Name:        "page",
		MaxRequests: 1,
		Timeout:     b.settings.Cooldown,
		ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= b.settings.Threshold },
		IsExcluded:  func(err error) bool { return err != nil && b.settings.IsIgnored(err) },
		IsSuccessful: func(err error) bool {
			return err == nil || !b.settings.IsFailure(err)
		},
		OnStateChange: func(_ string, from, to gobreaker.State) {
			// Every path that changes the state runs under b.mu.
			if to == gobreaker.StateOpen {
				b.openedAt = time.Now()
			}
			if b.settings.OnChange != nil {
				b.settings.OnChange(from.String(), to.String())
			}
		},
	})
}

// Allow asks whether a call may be made, and returns an *OpenError if not.
// Otherwise done is to be called once, with the call's outcome.
func (b *Breaker) Allow() (done func(error), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	settle, err := b.circuit.Allow()
	if err != nil {
		return nil, &OpenError{RetryAfter: b.retryAfter()}
	}
	return func(err error) {
		b.mu.Lock()
		defer b.mu.Unlock()
		settle(err) // of the circuit that allowed it: one that was reset since ignores it
	}, nil
}

// Check returns an *OpenError while the breaker is open, and else nil. It is for
// a further try of a call that was allowed.
func (b *Breaker) Check() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.circuit.State() != gobreaker.StateOpen {
		return nil
	}
	return &OpenError{RetryAfter: b.retryAfter()}
}

// Reset closes the breaker and forgets its failures: what failed is gone.
// Calls that are still under way count no more.
func (b *Breaker) Reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	was := b.circuit.State()
	b.circuit = b.newCircuit()
	if was != gobreaker.StateClosed && b.settings.OnChange != nil {
		b.settings.OnChange(was.String(), gobreaker.StateClosed.String())
	}
}

// BreakerStatus is a breaker at one moment.
type BreakerStatus struct {
	// State is "closed", "open" or "half-open".
	State string
	// Failures is the number of consecutive failures so far.
	Failures uint32
	// RetryAfter is the time until an open breaker lets a call try; else 0.
	RetryAfter time.Duration
}

// Status returns the present state.
func (b *Breaker) Status() BreakerStatus {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := BreakerStatus{State: b.circuit.State().String(), Failures: b.circuit.Counts().ConsecutiveFailures}
	if s.State == gobreaker.StateOpen.String() {
		s.RetryAfter = b.retryAfter()
		s.Failures = b.settings.Threshold // gobreaker forgets the count when it opens
	}
	return s
}

// retryAfter must be called with mu held.
func (b *Breaker) retryAfter() time.Duration {
	if b.circuit.State() != gobreaker.StateOpen {
		return 0
	}
	return max(0, b.settings.Cooldown-time.Since(b.openedAt))
}
