package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gitnexus/gitnexus-mcp/resilience"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

var (
	errBusy      = &wsbridge.ToolError{Message: "busy indexing", Retryable: true}
	errInFlight  = &wsbridge.LostError{Reason: "the page's connection dropped 3s ago", Sent: true}
	errNobody    = &wsbridge.LostError{Reason: "the page's connection dropped 4s ago"}
	errExhausted = &wsbridge.ExhaustedError{Attempts: 10}
	errOwn       = &wsbridge.ToolError{Message: "no such file"}
)

// When a call is tried again, under which ids, what ends it, and what the
// breaker makes of it: one failure a call at most, whatever its tries.
func TestRetry(t *testing.T) {
	for name, c := range map[string]struct {
		tool     string        // default grep
		timeout  time.Duration // default a minute
		errs     []error       // of the tries; nil is an answer
		at       string        // when each try came
		ids      int           // how many different ones
		code     Code
		failures uint32 // that the breaker counts; there is one before the call
	}{
		"answered":                 {errs: []error{nil}, at: "[0s]", ids: 1},
		"busy, then ready":         {errs: []error{errBusy, errBusy, nil}, at: "[0s 1s 3s]", ids: 3},
		"busy all the time":        {errs: []error{errBusy, errBusy, errBusy, errBusy}, at: "[0s 1s 3s 7s]", ids: 4, code: CodeToolError},
		"the tool's own":           {errs: []error{errOwn}, at: "[0s]", ids: 1, code: CodeToolError},
		"no page":                  {errs: []error{errNobody}, at: "[0s]", ids: 1, code: CodeConnectionLost, failures: 2},
		"busy, then no page":       {errs: []error{errBusy, errNobody}, at: "[0s 1s]", ids: 2, code: CodeConnectionLost, failures: 2},
		"busy, then a fault":       {errs: []error{errBusy, errOwn}, at: "[0s 1s]", ids: 2, code: CodeToolError},
		"lost, then back":          {errs: []error{errInFlight, errNobody, nil}, at: "[0s 1s 3s]", ids: 1},
		"lost, back, busy":         {errs: []error{errInFlight, errBusy, nil}, at: "[0s 1s 3s]", ids: 2},
		"lost for good":            {errs: []error{errInFlight, errNobody, errNobody, errNobody}, at: "[0s 1s 3s 7s]", ids: 1, code: CodeConnectionLost, failures: 2},
		"lost again and again":     {errs: []error{errInFlight, errInFlight, errInFlight, errInFlight}, at: "[0s 1s 3s 7s]", ids: 1, code: CodeConnectionLost, failures: 2},
		"lost, then given up":      {errs: []error{errInFlight, errExhausted}, at: "[0s 1s]", ids: 1, code: CodeRetryExhausted, failures: 1},
		"lost, then a fault":       {errs: []error{errInFlight, errOwn}, at: "[0s 1s]", ids: 1, code: CodeToolError},
		"lost, then too late":      {errs: []error{errInFlight, context.DeadlineExceeded}, at: "[0s 1s]", ids: 1, code: CodeTimeout, failures: 2},
		"too late":                 {errs: []error{context.DeadlineExceeded}, at: "[0s]", ids: 1, code: CodeTimeout, failures: 2},
		"too many":                 {errs: []error{&wsbridge.OverloadedError{Reason: "full"}}, at: "[0s]", ids: 1, code: CodeOverloaded, failures: 1},
		"idempotent":               {tool: "highlight", errs: []error{errInFlight, nil}, at: "[0s 1s]", ids: 1},
		"its deadline comes first": {timeout: 2999 * time.Millisecond, errs: []error{errInFlight, errNobody}, at: "[0s 1s]", ids: 1, code: CodeConnectionLost, failures: 2},
		"its deadline comes after": {timeout: 3001 * time.Millisecond, errs: []error{errInFlight, errNobody, nil}, at: "[0s 1s 3s]", ids: 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				var at []time.Duration
				ids := map[string]bool{}
				fail := error(errNobody)
				s := NewServer(Options{
					Retry: resilience.Retry{Attempts: 3}, Timeouts: timeouts(c.timeout, c.timeout),
					Caller: &fakeCaller{CallFunc: func(_ context.Context, call Call) (json.RawMessage, error) {
						if fail != nil {
							return nil, fail
						}
						at = append(at, time.Since(start))
						ids[call.ID] = true
						return json.RawMessage("{}"), c.errs[len(at)-1]
					}},
				})
				directFailure(t, s, "grep", `{"pattern":"x"}`) // a first failure, which an answer clears
				fail = nil
				var code Code
				if c.tool == "" {
					c.tool = "grep"
				}
				content, isError, _ := direct(s, c.tool, map[string]string{"grep": `{"pattern":"x"}`, "highlight": `{"nodeIds":["n"]}`}[c.tool])
				if isError {
					code = decode[Envelope](t, string(content)).Code
				}
				if code != c.code || fmt.Sprint(at) != c.at || len(ids) != c.ids {
					t.Errorf("%q at %v with %d ids; want %q at %s with %d", code, at, len(ids), c.code, c.at, c.ids)
				}
				if ended := time.Since(start); ended != at[len(at)-1] {
					t.Errorf("waited on until %v for nothing", ended)
				}
				if n := s.Health().Breaker.Failures; n != c.failures {
					t.Errorf("%d failures with the breaker, want %d", n, c.failures)
				}
			})
		})
	}
}

// What cannot be repeated is never tried again, and what a tool is decides.
func TestRetryIsForWhatMayBeRepeated(t *testing.T) {
	for _, test := range []struct{ readOnly, idempotent, again bool }{
		{true, true, true}, {true, false, true}, {false, true, true}, {false, false, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			caller := failing(errInFlight)
			s := NewServer(Options{Retry: resilience.Retry{Attempts: 3}, Caller: caller})
			tool := Tool{Name: "grep", ReadOnly: test.readOnly, Idempotent: test.idempotent}
			s.call(t.Context(), &tool, json.RawMessage(`{}`), request{})
			if again := len(caller.Calls()) == 4; again != test.again {
				t.Errorf("%+v: %d tries", test, len(caller.Calls()))
			}
		})
	}
}

// Other calls open the breaker while one waits for its next try: that one ends
// when it would have tried.
func TestRetryEndsAtAnOpenBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		caller := &fakeCaller{CallFunc: func(_ context.Context, call Call) (json.RawMessage, error) {
			if call.Tool == "grep" {
				return nil, errInFlight
			}
			return nil, errNobody
		}}
		s := NewServer(Options{Retry: resilience.Retry{Attempts: 3}, Caller: caller})
		start := time.Now()
		got := make(chan Envelope, 1)
		go func() { got <- directFailure(t, s, "grep", `{"pattern":"x"}`) }()
		time.Sleep(1500 * time.Millisecond) // after its second try
		for range 5 {
			directFailure(t, s, "overview", `{}`)
		}
		if e := <-got; e.Code != CodeCircuitOpen || e.RetryAfter != 29 || time.Since(start) != 3*time.Second {
			t.Errorf("%+v after %v", e, time.Since(start))
		}
		if n := len(caller.Calls()); n != 2+5 {
			t.Errorf("%d calls reached the caller", n)
		}
	})
}

// A half-open breaker learns from the tries of its one call.
func TestRetryAtAHalfOpenBreaker(t *testing.T) {
	for _, test := range []struct {
		last  error // of the call's tries, after three that are lost
		state string
	}{{errNobody, "open"}, {nil, "closed"}, {errOwn, "closed"}} {
		synctest.Test(t, func(t *testing.T) {
			caller := failing(errNobody)
			s := NewServer(Options{Retry: resilience.Retry{Attempts: 3}, Caller: caller})
			for range 5 {
				directFailure(t, s, "overview", `{}`)
			}
			time.Sleep(30*time.Second + time.Millisecond)
			tries := 0
			caller.CallFunc = func(context.Context, Call) (json.RawMessage, error) {
				if tries++; tries < 4 {
					return nil, errInFlight
				}
				return json.RawMessage(`{}`), test.last
			}
			direct(s, "grep", `{"pattern":"x"}`)
			if state := s.Health().Breaker.State; state != test.state {
				t.Errorf("last try %v: %s, want %s", test.last, state, test.state)
			}
		})
	}
}

// An agent that cancels a call ends its wait, and hears no more of it. The log
// has one line for it, with the tries.
func TestRetryEndsWithACancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		caller := failing(errInFlight)
		s := NewServer(Options{Retry: resilience.Retry{Attempts: 3}, Caller: caller, Log: slog.New(slog.NewTextHandler(&log, nil))})
		c := initialized(t, s)
		c.send(callLine("1", "grep", `{"pattern":"x"}`))
		time.Sleep(2 * time.Second)
		c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
		c.nothing(time.Minute)
		synctest.Wait()
		if h := s.Health(); len(caller.Calls()) != 2 || h.Breaker.Failures != 0 || h.Calls.Failed != 0 || h.Calls.InFlight != 0 {
			t.Errorf("%d tries, %+v", len(caller.Calls()), h)
		}
		if lines := log.String(); strings.Count(lines, "\n") != 1 || !strings.Contains(lines, "attempts=2 outcome=cancelled") {
			t.Errorf("log:\n%s", lines)
		}
	})
}

// Progress goes on over the tries, and never back.
func TestProgressGoesOnOverTries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		tries := 0
		caller := &fakeCaller{CallFunc: func(_ context.Context, call Call) (json.RawMessage, error) {
			tries++
			for i := range 2 {
				call.Progress(float64(tries+i), nil, fmt.Sprint("try ", tries))
			}
			if tries < 3 {
				return nil, errInFlight
			}
			return json.RawMessage(`{}`), nil
		}}
		c := initialized(t, NewServer(Options{Retry: resilience.Retry{Attempts: 3}, Caller: caller, Log: slog.New(slog.NewTextHandler(&log, nil))}))
		c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"grep","arguments":{"pattern":"x"},"_meta":{"progressToken":"p"}}}`)
		var told []string
		for {
			m := c.nextMessage()
			if m.Method == "" {
				if m.Result.IsError {
					t.Errorf("got %s", m.Result.StructuredContent)
				}
				break
			}
			told = append(told, string(m.Params))
		}
		want := []string{
			`{"progressToken":"p","progress":1,"message":"try 1"}`, `{"progressToken":"p","progress":2,"message":"try 1"}`,
			`{"progressToken":"p","progress":3,"message":"try 2"}`, `{"progressToken":"p","progress":4,"message":"try 3"}`,
		}
		if fmt.Sprint(told) != fmt.Sprint(want) {
			t.Errorf("got  %s\nwant %s", told, want)
		}
		synctest.Wait()
		if lines := log.String(); strings.Count(lines, "\n") != 1 || !strings.Contains(lines, "attempts=3 bytes=2 outcome=ok") {
			t.Errorf("log:\n%s", lines)
		}
	})
}
