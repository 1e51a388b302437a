package resilience

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"
	"time"
)

// StatusError is an HTTP response that is no success.
type StatusError struct {
	Status int
	// RetryAfter is what the response asks for; 0 when it does not.
	RetryAfter time.Duration
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("HTTP status %d %s", e.Status, http.StatusText(e.Status))
}

var (
	// ErrClosed is a connection that closed while a call waited for its answer.
	ErrClosed = errors.New("the connection closed before the answer came")
	// ErrInternal is an error of the server itself, such as JSON-RPC's -32603.
	ErrInternal = errors.New("internal error of the server")
	// ErrNotSent is a call that was certainly not processed.
	ErrNotSent = errors.New("the call was not sent")
)

// Verdict is what an error says of trying again.
type Verdict struct {
	// Passing errors may be gone at another try.
	Passing bool
	// Undelivered is set when the server certainly did not process the call, so
	// that repeating it does nothing twice.
	Undelivered bool
	// RetryAfter is the wait that the server asks for; 0 when it does not.
	RetryAfter time.Duration
}

// Classify judges an error. Refused, reset and closed connections, timeouts,
// HTTP 408, 429, 502, 503 and 504, and internal errors of the server are
// passing; everything else, unknown errors included, is final.
func Classify(err error) Verdict {
	v := Verdict{Undelivered: errors.Is(err, ErrNotSent)}
	if status, ok := errors.AsType[*StatusError](err); ok {
		v.RetryAfter = status.RetryAfter
		switch status.Status {
		case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusServiceUnavailable:
			v.Passing, v.Undelivered = true, true
		case http.StatusBadGateway, http.StatusGatewayTimeout:
			v.Passing = true
		}
		return v
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		v.Undelivered = true
	}
	for _, passing := range []error{
		ErrClosed, ErrInternal, context.DeadlineExceeded, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed,
		syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.ECONNABORTED, syscall.EPIPE,
	} {
		v.Passing = v.Passing || errors.Is(err, passing)
	}
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		v.Passing = true
	}
	return v
}
