package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os/exec"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/gitnexus/gitnexus-mcp/resilience"
)

// The codes of an Error. A tool of gitnexus-mcp that fails has the code that it
// reports.
const (
	CodeTool       = "TOOL_ERROR"        // the tool reports an error; it is in the result
	CodeValidation = "VALIDATION_ERROR"  // the server refuses the request
	CodeNotFound   = "TOOL_NOT_FOUND"    // the server has no such tool or method
	CodePermission = "PERMISSION_DENIED" // HTTP 401, 403; a command that may not be run, a folder that may not be read
	CodeTimeout    = "TIMEOUT"           // no answer in time
	CodeLink       = "CONNECTION_LOST"   // no connection, or it closed
	CodeOverloaded = "OVERLOADED"        // HTTP 429, 503
	CodeCancelled  = "CANCELLED"         // the caller's context was cancelled
	CodeInternal   = "INTERNAL_ERROR"    // anything else
)

// Error is why a call or a connection failed, after all attempts.
type Error struct {
	Code   string
	Server string
	// Tool is "" for a connection.
	Tool     string
	Attempts int
	// Retryable tells that the failure may pass: a later call may succeed.
	Retryable bool
	// RetryAfter is the wait that the server asks for; 0 when it does not.
	RetryAfter time.Duration
	Cause      error
}

func (e *Error) Error() string {
	what := "connecting"
	if e.Tool != "" {
		what = "calling " + e.Tool
	}
	tries := ""
	if e.Attempts > 1 {
		tries = fmt.Sprintf(" after %d attempts", e.Attempts)
	}
	return fmt.Sprintf("%s at %s failed%s: %s: %v", what, e.Server, tries, e.Code, e.Cause)
}

func (e *Error) Unwrap() error { return e.Cause }

var errEnded = errors.New("the client is closed")

// translate expresses mcp-go's errors in those that resilience classifies.
func translate(err error) error {
	switch {
	case errors.Is(err, transport.ErrTransportClosed):
		return errors.Join(resilience.ErrClosed, err)
	case errors.Is(err, mcp.ErrInternalError):
		return errors.Join(resilience.ErrInternal, err)
	case errors.Is(err, transport.ErrSessionTerminated):
		return errors.Join(errSession, err)
	}
	return err
}

func (c *Client) fail(tool string, tries int, ctx context.Context, err error) *Error {
	v := resilience.Classify(err)
	return &Error{
		Code: code(ctx, err), Server: c.target.name, Tool: tool, Attempts: tries,
		Retryable: v.Passing && !errors.Is(ctx.Err(), context.Canceled), RetryAfter: v.RetryAfter, Cause: err,
	}
}

func code(ctx context.Context, err error) string {
	timeout, isNet := errors.AsType[interface {
		error
		Timeout() bool
	}](err)
	status, isStatus := errors.AsType[*resilience.StatusError](err)
	_, missing := errors.AsType[*exec.Error](err)
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return CodeCancelled
	case isStatus && (status.Status == http.StatusUnauthorized || status.Status == http.StatusForbidden):
		return CodePermission
	case errors.Is(err, fs.ErrPermission):
		return CodePermission
	case isStatus && status.Status == http.StatusUnprocessableEntity, errors.Is(err, mcp.ErrInvalidParams), errors.Is(err, mcp.ErrInvalidRequest):
		return CodeValidation
	case isStatus && (status.Status == http.StatusTooManyRequests || status.Status == http.StatusServiceUnavailable):
		return CodeOverloaded
	case isStatus && (status.Status == http.StatusRequestTimeout || status.Status == http.StatusGatewayTimeout),
		errors.Is(err, context.DeadlineExceeded), isNet && timeout.Timeout():
		return CodeTimeout
	case errors.Is(err, mcp.ErrMethodNotFound):
		return CodeNotFound
	case errors.Is(err, resilience.ErrInternal):
		return CodeInternal
	case missing, errors.Is(err, errSession), errors.Is(err, errEnded), errors.Is(err, resilience.ErrNotSent), resilience.Classify(err).Passing:
		return CodeLink
	}
	return CodeInternal
}

// toolError is the error that a tool's result reports.
func toolError(server, tool string, tries int, result *mcp.CallToolResult) *Error {
	e := &Error{Code: CodeTool, Server: server, Tool: tool, Attempts: tries}
	var said struct {
		Error      bool    `json:"error"`
		Code       string  `json:"code"`
		Message    string  `json:"message"`
		Retryable  bool    `json:"retryable"`
		RetryAfter float64 `json:"retryAfter"`
	}
	if data, err := json.Marshal(result.StructuredContent); err == nil && json.Unmarshal(data, &said) == nil && said.Error && said.Code != "" {
		e.Code, e.Retryable, e.Cause = said.Code, said.Retryable, errors.New(said.Message)
		e.RetryAfter = time.Duration(said.RetryAfter * float64(time.Second))
		return e
	}
	var text []string
	for _, content := range result.Content {
		if t, ok := content.(mcp.TextContent); ok {
			text = append(text, t.Text)
		}
	}
	e.Cause = errors.New(strings.Join(text, "\n"))
	return e
}
