package wsbridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gitnexus/gitnexus-mcp/guard"
)

// LostError says that a call found no page, or lost the one it was sent to.
type LostError struct {
	// RetryAfter is the wait that is worth it before the next try: the page's
	// reconnect schedule at its present step.
	RetryAfter time.Duration
	// Reason is what happened, in words.
	Reason string
	// URL is the app's address.
	URL string
	// Advice is what a person can do about it; "" means to open the app.
	Advice string
	// NeverConnected is true when no page was connected since this process started.
	NeverConnected bool
	// OtherHubs are then the ports of other gitnexus-mcp processes of this user, with
	// one of which the page may be.
	OtherHubs []int
	// Sent is true when the call was sent and its connection dropped before the
	// answer; false when there was nobody to send it to.
	Sent bool
}

func (e *LostError) Error() string { return "connection lost: " + e.Reason }

// ExhaustedError says that no page came back within the whole reconnect schedule.
type ExhaustedError struct {
	// Attempts is the number of steps of the schedule that have passed.
	Attempts int
	// URL is the app's address.
	URL string
}

func (e *ExhaustedError) Error() string {
	return fmt.Sprintf("no page came back within %d reconnect steps", e.Attempts)
}

// DeniedError says that calls cannot be answered because a page was refused for
// lack of permission. Only a person can allow it.
type DeniedError struct {
	// Reason is what was refused, and Advice what a person can do about it, in words.
	Reason string
	Advice string
}

func (e *DeniedError) Error() string { return "permission denied: " + e.Reason }

// OverloadedError says that too many calls of one agent are under way.
type OverloadedError struct {
	// RetryAfter is a short wait after which a slot is likely to be free.
	RetryAfter time.Duration
	// Limit is the number of calls that may be under way at once.
	Limit int
	// Reason says which limit it was, in words.
	Reason string
}

func (e *OverloadedError) Error() string { return "overloaded: " + e.Reason }

// ToolError is a failure of the tool itself, in the engine's words. The connection is fine.
type ToolError struct {
	Message   string
	Retryable bool
	// Details is a JSON object of the engine's, or nil.
	Details json.RawMessage
	// NotFound is true when the page does not have the tool.
	NotFound bool
	// Denied is true when the page lacks a permission that a person can give.
	Denied bool
}

func (e *ToolError) Error() string { return e.Message }

// UnknownRepoError says that no connected page holds the graph that a call names.
type UnknownRepoError struct {
	Repo string
	// Known are the names of the graphs that are there.
	Known []string
}

func (e *UnknownRepoError) Error() string {
	return fmt.Sprintf("no connected page holds %q; known: %s", e.Repo, strings.Join(e.Known, ", "))
}

// resendError says that a call has to be sent again, with its affinity: the
// connection or the upstream ended before its answer, or the hub wants the call
// to come with an affinity.
type resendError struct {
	affinity *affinity
	sent     bool  // a page may have got the call
	cause    error // nil when only the affinity was missing
}

func (e *resendError) Error() string {
	if e.cause == nil {
		return "the call belongs to page " + e.affinity.Page
	}
	return "the call was not answered: " + e.cause.Error()
}

func (e *resendError) Unwrap() error { return e.cause }

// peerError carries an error of a call from the hub to a peer, in the data of a
// response's error. One field is set; with Lost, Resend may be, too.
type peerError struct {
	Lost       *LostError        `json:"lost,omitempty"`
	Exhausted  *ExhaustedError   `json:"exhausted,omitempty"`
	Denied     *DeniedError      `json:"denied,omitempty"`
	Overloaded *OverloadedError  `json:"overloaded,omitempty"`
	Tool       *ToolError        `json:"tool,omitempty"`
	Repo       *UnknownRepoError `json:"repo,omitempty"`
	Panic      *guard.Panic      `json:"panic,omitempty"`
	// Affinity asks for the call again, with it.
	Affinity *affinity `json:"bound,omitempty"`
	// Resend asks for the call again because its page's connection dropped. Lost
	// says the same to a peer of an older version.
	Resend *resendOrder `json:"resend,omitempty"`
	// Ended is "deadline" or "cancelled".
	Ended string `json:"ended,omitempty"`
}

// resendOrder asks a peer to send a call again with this affinity, which may be
// nil for a call that no page has got.
type resendOrder struct {
	Affinity *affinity `json:"bound,omitempty"`
	Sent     bool      `json:"sent,omitempty"`
}

func encodePeerError(err error) wireError {
	var p peerError
	var again *resendError
	switch {
	case errors.As(err, &again) && again.cause == nil:
		p.Affinity = again.affinity
	case errors.As(err, &again):
		p.Resend = &resendOrder{again.affinity, again.sent}
		p.Lost = &LostError{Reason: err.Error(), RetryAfter: time.Second, Sent: again.sent}
	case errors.As(err, &p.Lost), errors.As(err, &p.Exhausted), errors.As(err, &p.Denied), errors.As(err, &p.Overloaded),
		errors.As(err, &p.Tool), errors.As(err, &p.Repo), errors.As(err, &p.Panic):
	case errors.Is(err, context.DeadlineExceeded):
		p.Ended = "deadline"
	default:
		p.Ended = "cancelled"
	}
	return wireError{Code: codeNoPage, Message: err.Error(), Data: mustMarshal(p)}
}

func decodePeerError(w *wireError) error {
	var p peerError
	if json.Unmarshal(w.Data, &p) == nil {
		switch {
		case p.Resend != nil:
			return &resendError{affinity: p.Resend.Affinity, sent: p.Resend.Sent && p.Resend.Affinity != nil, cause: errors.New(w.Message)}
		case p.Lost != nil:
			return p.Lost
		case p.Exhausted != nil:
			return p.Exhausted
		case p.Denied != nil:
			return p.Denied
		case p.Overloaded != nil:
			return p.Overloaded
		case p.Tool != nil:
			return p.Tool
		case p.Repo != nil:
			return p.Repo
		case p.Panic != nil:
			return p.Panic
		case p.Affinity != nil:
			return &resendError{affinity: p.Affinity}
		case p.Ended == "deadline":
			return context.DeadlineExceeded
		case p.Ended == "cancelled":
			return context.Canceled
		}
	}
	return pageError(w)
}

// pageError reads a page's refusal of a call.
func pageError(w *wireError) *ToolError {
	e := &ToolError{Message: w.Message, NotFound: w.Code == codeMethodNotFound, Denied: w.Code == codeDenied}
	var data struct {
		Retryable bool            `json:"retryable"`
		Details   json.RawMessage `json:"details"`
	}
	if json.Unmarshal(w.Data, &data) == nil { // data is optional, and may be of any form
		e.Retryable = data.Retryable
		if len(data.Details) > 0 && data.Details[0] == '{' {
			e.Details = data.Details
		}
	}
	return e
}
