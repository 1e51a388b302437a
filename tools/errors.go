package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/gitnexus/gitnexus-mcp/guard"
	"github.com/gitnexus/gitnexus-mcp/resilience"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// Code names a kind of failure for an agent.
type Code string

// The codes an agent can see.
const (
	CodeValidation      Code = "VALIDATION_ERROR"
	CodeToolNotFound    Code = "TOOL_NOT_FOUND"
	CodeCypherForbidden Code = "CYPHER_FORBIDDEN"
	CodeToolError       Code = "TOOL_ERROR"
	CodeTimeout         Code = "TIMEOUT"
	CodeConnectionLost  Code = "CONNECTION_LOST"
	CodeCircuitOpen     Code = "CIRCUIT_OPEN"
	CodeRetryExhausted  Code = "RETRY_EXHAUSTED"
	CodeOverloaded      Code = "OVERLOADED"
	CodePermission      Code = "PERMISSION_DENIED"
	CodeInternal        Code = "INTERNAL_ERROR"
)

// CodeCancelled marks a call that the agent gave up, in the event log alone.
const CodeCancelled Code = "CANCELLED"

// Envelope is an error as the agent gets it, as text and as structured content.
type Envelope struct {
	Error      bool   `json:"error"` // always true
	Code       Code   `json:"code"`
	Message    string `json:"message"`
	Suggestion string `json:"suggestion"`
	// Retryable says whether the same call may succeed later.
	Retryable bool `json:"retryable"`
	// RetryAfter is the wait that is worth it, in whole seconds.
	RetryAfter int `json:"retryAfter,omitempty"`
	// CallID is the call's id, by which the event log has it.
	CallID string `json:"callId,omitempty"`
	// Details is a JSON object that depends on the code.
	Details any    `json:"details,omitempty"`
	Debug   *Debug `json:"debug,omitempty"`
}

// RefusedError says that the user's own rules refuse a call.
type RefusedError struct{ Reason string }

func (e *RefusedError) Error() string { return "refused: " + e.Reason }

// UnknownToolError says that there is no tool of that name in the table.
type UnknownToolError struct{ Name string }

func (e *UnknownToolError) Error() string { return fmt.Sprintf("there is no tool %q", e.Name) }

// TimeoutError says that a call was not answered in time. It is a
// context.DeadlineExceeded.
type TimeoutError struct {
	Tool string
	// After is how long the call waited.
	After time.Duration
}

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("%s: no answer within %v", e.Tool, e.After)
}

// Is makes the error a context.DeadlineExceeded.
func (e *TimeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

// StoppingError says that this server ends before the call was answered.
type StoppingError struct{ Reason string }

func (e *StoppingError) Error() string { return "gitnexus-mcp is stopping: " + e.Reason }

// Is makes the error a context.Canceled: nobody's failure.
func (e *StoppingError) Is(target error) bool { return target == context.Canceled }

// InternalError is a bug of ours. The log has its id, with all there is to know.
type InternalError struct {
	ID  string
	Err error
}

func (e *InternalError) Error() string { return fmt.Sprintf("internal error %s: %v", e.ID, e.Err) }
func (e *InternalError) Unwrap() error { return e.Err }

// envelope is the one table from errors to what an agent reads. tool is the
// tool that was called.
func envelope(err error, tool string) Envelope {
	switch e := underlying(err).(type) {
	case *ValidationError:
		return Envelope{Error: true, Code: CodeValidation,
			Message:    capital(e.Error()) + ".",
			Suggestion: "Correct the fields named in details.fields and call " + tool + " again.",
			Details:    map[string]any{"fields": e.Problems},
		}
	case *wsbridge.UnknownRepoError:
		return unknownRepo(e, tool)
	case *UnknownToolError:
		return unknownTool(e)
	case *ForbiddenError:
		return Envelope{Error: true, Code: CodeCypherForbidden,
			Message:    fmt.Sprintf("%s is not allowed at line %d, column %d: %s.", e.Keyword, e.Line, e.Column, e.Reason),
			Suggestion: "Write a reading query: " + cypherAllowed + ".",
			Details:    map[string]any{"keyword": e.Keyword, "line": e.Line, "column": e.Column, "allowed": cypherAllowed},
		}
	case *wsbridge.ToolError:
		return toolFailed(e, tool)
	case *RefusedError:
		return Envelope{Error: true, Code: CodeToolError,
			Message:    tool + " was refused by a hook of the user: " + clip(e.Reason, 2000),
			Suggestion: "Do not call it again like this. If the reason says what is allowed, do that; else ask the user, whose hooks.json has the hook.",
		}
	case *TimeoutError:
		return Envelope{Error: true, Code: CodeTimeout, Retryable: true,
			Message:    fmt.Sprintf("%s was not answered within %s and was stopped.", tool, seconds(e.After)),
			Suggestion: "Ask for less: " + narrower(tool) + ". If small questions time out too, the graph app hangs: ask the user to reload its tab.",
		}
	case *wsbridge.LostError:
		return connectionLost(e, tool)
	case *StoppingError:
		return Envelope{Error: true, Code: CodeConnectionLost, Retryable: true,
			Message:    fmt.Sprintf("%s was not answered: %s.", tool, e.Error()),
			Suggestion: "Call " + tool + " again once the MCP client has started gitnexus-mcp anew; ask the user to do that if it does not by itself.",
		}
	case *resilience.OpenError:
		return circuitOpen(e, tool)
	case *wsbridge.ExhaustedError:
		return Envelope{Error: true, Code: CodeRetryExhausted,
			Message:    fmt.Sprintf("%s was not answered: no page with a graph came back within %d steps of the reconnect schedule.", tool, e.Attempts),
			Suggestion: "Do not retry. " + capital(askToOpen(e.URL)) + ". Calls work again as soon as it is connected.",
		}
	case *wsbridge.DeniedError:
		return Envelope{Error: true, Code: CodePermission,
			Message:    fmt.Sprintf("%s was not answered: %s.", tool, e.Reason),
			Suggestion: "Do not retry. " + e.Advice + ". Calls work again as soon as the app is connected.",
		}
	case *wsbridge.OverloadedError:
		return Envelope{Error: true, Code: CodeOverloaded, Retryable: true, RetryAfter: wholeSeconds(e.RetryAfter),
			Message:    fmt.Sprintf("%s was not started: %s.", tool, strings.TrimSuffix(e.Reason, ".")),
			Suggestion: fmt.Sprintf("Wait for some of the running calls to be answered, and send fewer at once (at most %d).", e.Limit),
		}
	case *InternalError:
		return internal(e.ID, tool)
	case *guard.Panic:
		return internal(e.ID, tool)
	}
	return internal("", tool)
}

// underlying returns the first error in err's tree that the table knows, or nil.
func underlying(err error) error {
	switch e := err.(type) {
	case *ValidationError, *wsbridge.UnknownRepoError, *UnknownToolError, *ForbiddenError, *RefusedError, *wsbridge.ToolError,
		*TimeoutError, *wsbridge.LostError, *StoppingError, *resilience.OpenError, *wsbridge.ExhaustedError, *wsbridge.DeniedError,
		*wsbridge.OverloadedError, *InternalError, *guard.Panic:
		return e
	case interface{ Unwrap() error }:
		return underlying(e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, branch := range e.Unwrap() {
			if known := underlying(branch); known != nil {
				return known
			}
		}
	}
	return nil
}

func circuitOpen(e *resilience.OpenError, tool string) Envelope {
	n := wholeSeconds(e.RetryAfter)
	v := Envelope{Error: true, Code: CodeCircuitOpen, Retryable: true, RetryAfter: n,
		Message: fmt.Sprintf("Circuit breaker open due to repeated failures. Will retry in %d seconds. "+
			"Consider checking browser connection or graph status.", n),
		Suggestion: fmt.Sprintf("Wait %d s and call %s again. %s has the state of the connection.", n, tool, HealthURI),
	}
	details := map[string]any{"tool": tool}
	if e.Name != "" {
		details["graph"] = clip(e.Name, 100)
		v.Suggestion += " Only the graph " + clip(e.Name, 100) + " is affected."
	}
	if e.Cause != nil {
		details["cause"] = clip(e.Cause.Error(), 300)
		v.Suggestion += " Its last failure: " + clip(e.Cause.Error(), 300) + "."
	}
	v.Details = details
	return v
}

func connectionLost(e *wsbridge.LostError, tool string) Envelope {
	n := wholeSeconds(e.RetryAfter)
	v := Envelope{Error: true, Code: CodeConnectionLost, Retryable: true, RetryAfter: n,
		Message: fmt.Sprintf("%s was not answered: %s.", tool, strings.TrimSuffix(e.Reason, ".")),
	}
	open := askToOpen(e.URL) + "."
	switch {
	case e.Advice != "":
		v.Suggestion = e.Advice
	case e.NeverConnected:
		v.Suggestion = capital(open) + " Then call " + tool + " again." + elsewhere(e.OtherHubs)
	default:
		v.Suggestion = fmt.Sprintf("Call %s again in %d s: a page that is still open reconnects by itself. If it stays lost, %s", tool, n, open)
	}
	if e.URL != "" {
		v.Details = map[string]any{"url": e.URL}
	}
	return v
}

// elsewhere says where else the app may be open.
func elsewhere(ports []int) string {
	if len(ports) == 0 {
		return ""
	}
	port := strconv.Itoa(ports[0])
	return " Another gitnexus-mcp of this user serves the app at http://127.0.0.1:" + port + "/ and MCP over HTTP at http://127.0.0.1:" + port +
		"/mcp. If the app is open there, the user gives this server that port, too (--port " + port + " or GITNEXUS_PORT)."
}

func toolFailed(e *wsbridge.ToolError, tool string) Envelope {
	if e.NotFound {
		return Envelope{Error: true, Code: CodeToolNotFound,
			Message:    fmt.Sprintf("The connected graph app does not offer %s.", tool),
			Suggestion: "Use another tool; context with focus \"tools\" lists what this page answers. A newer version of the app may have it: ask the user to reload its tab.",
		}
	}
	if e.Denied {
		return Envelope{Error: true, Code: CodePermission,
			Message: tool + ": " + e.Message,
			Suggestion: "Do not retry. Ask the user to let the user account that runs gitnexus-mcp read the folder " +
				"(on macOS also in System Settings, Privacy & Security, Files and Folders), and then to load it again in the graph app.",
		}
	}
	v := Envelope{Error: true, Code: CodeToolError, Message: tool + ": " + e.Message, Retryable: e.Retryable}
	if len(e.Details) > 0 && json.Valid(e.Details) {
		v.Details = e.Details
	}
	switch {
	case e.Retryable:
		v.RetryAfter = 1
		v.Suggestion = "The graph app is busy. Wait a moment and call " + tool + " again."
	case v.Details != nil:
		v.Suggestion = "Change the arguments as the message says; details has more. The same call fails again."
	default:
		v.Suggestion = "Change the arguments as the message says. The same call fails again."
	}
	return v
}

func unknownTool(e *UnknownToolError) Envelope {
	near := Nearest(e.Name, Names())
	v := Envelope{Error: true, Code: CodeToolNotFound,
		Message:    fmt.Sprintf("There is no tool %q.", clip(e.Name, 60)),
		Suggestion: "Use one of " + strings.Join(Names(), ", ") + ".",
		Details:    map[string]any{"nearest": near, "tools": Names()},
	}
	if len(near) > 0 {
		v.Suggestion = "Did you mean " + strings.Join(near, " or ") + "? " + v.Suggestion
	}
	return v
}

func unknownRepo(e *wsbridge.UnknownRepoError, tool string) Envelope {
	known := "no graph at all: nothing is loaded"
	if len(e.Known) > 0 {
		known = oneOf(e.Known)
	}
	problem := Problem{Field: "repo", Expected: known, Got: "the string " + clip(fmt.Sprintf("%q", e.Repo), 80), Hint: meant(e.Repo, e.Known)}
	v := envelope(&ValidationError{tool, []Problem{problem}}, tool)
	if len(e.Known) > 0 {
		v.Suggestion = "Name one of the loaded graphs, or leave repo out to ask the one in front."
	} else {
		v.Suggestion = "Leave repo out, or ask the user to load " + clip(e.Repo, 80) + " in the graph app."
	}
	return v
}

func internal(id, tool string) Envelope {
	v := Envelope{Error: true, Code: CodeInternal, Retryable: true,
		Message:    tool + " failed because of a bug in gitnexus-mcp.",
		Suggestion: "Call it once more. If it fails again, tell the user.",
	}
	if id != "" {
		v.Message = fmt.Sprintf("%s failed because of a bug in gitnexus-mcp (error %s).", tool, id)
		v.Suggestion = fmt.Sprintf("Call it once more. If it fails again, tell the user: the log of gitnexus-mcp has the cause under %s.", id)
		v.Details = map[string]any{"id": id}
	}
	return v
}

// narrower is advice on how to ask a tool for less.
func narrower(tool string) string {
	if t, ok := Find(tool); ok {
		return t.Narrower
	}
	return "a narrower question"
}

// wholeSeconds rounds up, and is at least 1: an agent that waits that long
// never comes too early.
func wholeSeconds(d time.Duration) int {
	return max(1, int(math.Ceil(d.Seconds())))
}

// seconds writes a duration for a sentence: "60 s", "1.5 s".
func seconds(d time.Duration) string {
	return number(math.Round(d.Seconds()*100)/100) + " s"
}

// askToOpen is what brings a page back.
func askToOpen(url string) string {
	how := "the command `gitnexus-mcp open` does it"
	if url != "" {
		how += "; " + url + " works in a browser that has shown it before"
	}
	return "ask the user to open the graph app (" + how + "), to load the repository there, and to keep the tab open"
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
