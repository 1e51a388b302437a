package wsbridge

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// errorLog keeps the last few errors of calls. All methods may be called concurrently.
type errorLog struct {
	mu     sync.Mutex
	errors []LoggedError
}

// LoggedError is one error that the bridge has seen.
type LoggedError struct {
	At      time.Time `json:"at"`
	Message string    `json:"message"`

	call string // its id
}

// note adds a call's error, unless it is the tool's own or the agent's doing. A
// call that is tried again is one failure: its last.
func (l *errorLog) note(c *Call, err error) {
	if _, own := errors.AsType[*ToolError](err); own || errors.Is(err, context.Canceled) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.errors = slices.DeleteFunc(l.errors, func(e LoggedError) bool { return e.call == c.ID })
	l.errors = append(l.errors, LoggedError{time.Now(), c.Tool + ": " + err.Error(), c.ID})
	if len(l.errors) > 10 {
		l.errors = slices.Delete(l.errors, 0, 1)
	}
}

// last returns the errors, oldest first.
func (l *errorLog) last() []LoggedError {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]LoggedError{}, l.errors...)
}
