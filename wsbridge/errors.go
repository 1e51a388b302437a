package wsbridge

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
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
	// Sent is true when the call was on its way and lost its link before it was
	// answered; false when there was nobody to send it to.
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

// OverloadedError says that too many calls of one agent are under way.
type OverloadedError struct {
	// RetryAfter is a short wait after which a place is likely.
	RetryAfter time.Duration
	// Limit is the number of calls that may be under way at once.
	Limit int
	// Reason says which limit it was, in words.
	Reason string
}

func (e *OverloadedError) Error() string { return "overloaded: " + e.Reason }

// ToolError is a failure of the tool itself, in the engine's words. The link is fine.
type ToolError struct {
	Message   string
	Retryable bool
	// Details is a JSON object of the engine's, or nil.
	Details json.RawMessage
	// NotFound is true when the page does not have the tool.
	NotFound bool
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
