package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gitnexus/gitnexus-mcp/coro"
	"github.com/gitnexus/gitnexus-mcp/resilience"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// ask gives the call to the caller, and again when a passing condition refused
// it: a page that says that it is busy, and a link that was lost with the call on
// it and is not back within the grace. A call that found nobody to begin with is
// told so at once.
//
// However often it is tried, a call counts once with the breaker. An open one
// ends it before its next try.
func (c *flight) ask(ctx context.Context) (content json.RawMessage, err error) {
	breaker, call := c.server.options.Breaker, c.call
	busy, wasLost := 0, false
	c.tries, err = c.retry().Do(ctx, isPassing, func() error {
		c.tries++ // for a panic, which Do cannot tell of
		return breaker.Do(func() error {
			var err error
			content, err = c.server.options.Caller.Call(ctx, call)
			if ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
				return context.Cause(ctx) // which of the two it was, and whose
			}
			switch e := underlying(err).(type) {
			case *wsbridge.ToolError:
				if e.Retryable {
					// The page remembers its answer to an id. This call is to run again.
					busy++
					call.ID = fmt.Sprintf("%s-%d", c.call.ID, busy+1)
					return passing(err, call.Coro)
				}
			case *wsbridge.LostError:
				// It keeps its id: a page that is back joins what still runs. A later
				// try that finds no page does not know that an earlier one had.
				if wasLost = wasLost || e.Sent; wasLost {
					return passing(err, call.Coro)
				}
			}
			return err
		})
	})
	if p, ok := errors.AsType[*passingError](err); ok {
		// The tries are used up: now it counts. An open breaker need not know.
		err = p.err
		_ = breaker.Do(func() error { return err })
	}
	return content, err
}

// retry says how often the call may be tried again: one with side effects that
// cannot be repeated, never.
func (c *flight) retry() resilience.Retry {
	if !c.tool.ReadOnly && !c.tool.Idempotent {
		return resilience.Retry{}
	}
	return c.server.options.Retry
}

// passingError is a refusal that may be over at the next try. As long as there
// is one, the breaker does not count it.
type passingError struct{ err error }

// passing makes one of err. What comes next is a wait.
func passing(err error, co *coro.Coro) error {
	co.Detach()
	return &passingError{err}
}

func (e *passingError) Error() string { return e.err.Error() }
func (e *passingError) Unwrap() error { return e.err }

func isPassing(err error) bool {
	_, ok := errors.AsType[*passingError](err)
	return ok
}
