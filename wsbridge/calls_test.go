package wsbridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gitnexus/gitnexus-mcp/resilience"
)

// fakeUpstream answers each attempt of a call with do. Its graph is the one that
// a call names, or "graph".
type fakeUpstream struct {
	do   func(ctx context.Context, c *Call) (json.RawMessage, error)
	done chan struct{}
}

func (f *fakeUpstream) Do(ctx context.Context, c *Call) (json.RawMessage, error) { return f.do(ctx, c) }
func (f *fakeUpstream) Done() <-chan struct{}                                    { return f.done }
func (f *fakeUpstream) Graph(c *Call) string {
	if c.Repo != "" {
		return c.Repo
	}
	return "graph"
}

// nodeOver is a node over an upstream that is never replaced.
func nodeOver(retry int, do func(ctx context.Context, c *Call) (json.RawMessage, error)) *Node {
	n := NewNode(Options{Gate: Gate{Port: testPort}, Retry: resilience.Retry{Attempts: retry}})
	n.up = &fakeUpstream{do, make(chan struct{})}
	return n
}

// failures is the count of the graph's breaker.
func (n *Node) failures(graph string) uint32 {
	for _, b := range n.breakers.status() {
		if b.Graph == graph {
			return b.Failures
		}
	}
	return 0
}

var (
	errBusy      = &ToolError{Message: "busy indexing", Retryable: true}
	errOwn       = &ToolError{Message: "no such file"}
	errExhausted = &ExhaustedError{Attempts: 10}
	errDropped   = &resendError{affinity: &affinity{Page: "p"}, sent: true, cause: errors.New("broken")}
)

func noPage() error { return &LostError{Reason: "the page's connection dropped 4s ago"} }

// When a call is tried again, under which ids, what ends it, and what the
// breaker makes of it: one failure a call at most, whatever its tries.
func TestRetry(t *testing.T) {
	var lost = noPage()
	for name, c := range map[string]struct {
		timeout    time.Duration // default a minute
		effects    bool          // a call that is neither read-only nor idempotent
		idempotent bool
		errs       []error // of the attempts; nil is an answer, a drop is sent again at once
		at         string  // when each attempt came
		ids        int     // how many different ones
		want       error
		failures   uint32 // that the breaker counts; there is one before the call
	}{
		"answered":                 {errs: []error{nil}, at: "[0s]", ids: 1},
		"busy, then ready":         {errs: []error{errBusy, errBusy, nil}, at: "[0s 1s 3s]", ids: 3},
		"busy all the time":        {errs: []error{errBusy, errBusy, errBusy, errBusy}, at: "[0s 1s 3s 7s]", ids: 4, want: errBusy},
		"the tool's own":           {errs: []error{errOwn}, at: "[0s]", ids: 1, want: errOwn},
		"no page":                  {errs: []error{lost}, at: "[0s]", ids: 1, want: lost, failures: 2},
		"busy, then no page":       {errs: []error{errBusy, lost}, at: "[0s 1s]", ids: 2, want: lost, failures: 2},
		"busy, then a fault":       {errs: []error{errBusy, errOwn}, at: "[0s 1s]", ids: 2, want: errOwn},
		"dropped, then back":       {errs: []error{errDropped, nil}, at: "[0s 0s]", ids: 1},
		"lost, then back":          {errs: []error{errDropped, lost, lost, nil}, at: "[0s 0s 1s 3s]", ids: 1},
		"lost, back, busy":         {errs: []error{errDropped, lost, errBusy, nil}, at: "[0s 0s 1s 3s]", ids: 2},
		"lost for good":            {errs: []error{errDropped, lost, lost, lost, lost}, at: "[0s 0s 1s 3s 7s]", ids: 1, want: lost, failures: 2},
		"lost, then given up":      {errs: []error{errDropped, lost, errExhausted}, at: "[0s 0s 1s]", ids: 1, want: errExhausted, failures: 1},
		"lost, then a fault":       {errs: []error{errDropped, lost, errOwn}, at: "[0s 0s 1s]", ids: 1, want: errOwn},
		"too late":                 {errs: []error{context.DeadlineExceeded}, at: "[0s]", ids: 1, want: context.DeadlineExceeded, failures: 2},
		"too many":                 {errs: []error{&OverloadedError{Reason: "full"}}, at: "[0s]", ids: 1, want: &OverloadedError{Reason: "full"}, failures: 1},
		"its deadline comes first": {timeout: 2999 * time.Millisecond, errs: []error{errDropped, lost, lost}, at: "[0s 0s 1s]", ids: 1, want: lost, failures: 2},
		"its deadline comes after": {timeout: 3001 * time.Millisecond, errs: []error{errDropped, lost, lost, nil}, at: "[0s 0s 1s 3s]", ids: 1},
		"idempotent":               {effects: true, idempotent: true, errs: []error{errBusy, nil}, at: "[0s 1s]", ids: 2},
		"with side effects":        {effects: true, errs: []error{errBusy}, at: "[0s]", ids: 1, want: errBusy},
		"with side effects, lost":  {effects: true, errs: []error{errDropped, lost}, at: "[0s 0s]", ids: 1, want: lost, failures: 2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				var at []time.Duration
				ids := map[string]bool{}
				fail := true
				n := nodeOver(3, func(_ context.Context, call *Call) (json.RawMessage, error) {
					if fail {
						return nil, noPage()
					}
					at = append(at, time.Since(start))
					ids[call.ID] = true
					err := c.errs[len(at)-1]
					if again, ok := err.(*resendError); ok {
						err = &resendError{&affinity{Page: again.affinity.Page}, true, again.cause}
					} else if err == error(lost) {
						err = noPage()
					} else if len(at) > 1 && c.errs[0] == error(errDropped) && len(ids) == 1 && call.affinity == nil {
						t.Error("the affinity was lost")
					}
					return json.RawMessage("{}"), err
				})
				first := newCall("first")
				_, _ = n.Call(t.Context(), &first) // a first failure, which an answer clears
				fail = false
				if c.timeout == 0 {
					c.timeout = time.Minute
				}
				ctx, cancel := context.WithTimeout(t.Context(), c.timeout)
				defer cancel()
				call := newCall("a")
				call.ReadOnly, call.Idempotent, call.Trace = !c.effects, c.idempotent, new(Trace)
				_, err := n.Call(ctx, &call)
				if fmt.Sprint(err) != fmt.Sprint(c.want) || fmt.Sprint(at) != c.at || len(ids) != c.ids {
					t.Errorf("%v at %v with %d ids; want %v at %s with %d", err, at, len(ids), c.want, c.at, c.ids)
				}
				if e, ok := errors.AsType[*LostError](err); ok && e.Sent != (c.errs[0] == error(errDropped)) {
					t.Errorf("sent: %v", e.Sent)
				}
				if ended := time.Since(start); ended != at[len(at)-1] {
					t.Errorf("waited on until %v for nothing", ended)
				}
				if got := n.failures("graph"); got != c.failures {
					t.Errorf("%d failures with the breaker, want %d", got, c.failures)
				}
			})
		})
	}
}

// Five lost pages or timeouts open the breaker of their graph, and of no other;
// nothing else counts.
func TestBreakerOfEachGraph(t *testing.T) {
	for _, test := range []struct {
		err  error
		open bool
	}{
		{&LostError{Reason: "gone"}, true},
		{context.DeadlineExceeded, true},
		{&ExhaustedError{}, false},
		{&ToolError{Message: "no"}, false},
		{&OverloadedError{Reason: "full"}, false},
		{&UnknownRepoError{}, false},
		{errors.New("unforeseen"), false},
		{context.Canceled, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			calls := 0
			n := nodeOver(0, func(_ context.Context, c *Call) (json.RawMessage, error) {
				if c.Repo == "healthy" {
					return json.RawMessage("1"), nil
				}
				calls++
				return nil, test.err
			})
			ask := func(repo string) error {
				c := newCall(fmt.Sprint("c", calls))
				c.Repo = repo
				_, err := n.Call(t.Context(), &c)
				return err
			}
			for range 5 {
				if _, open := errors.AsType[*resilience.OpenError](ask("hung")); open {
					t.Errorf("%v: open too early", test.err)
				}
			}
			err := ask("hung")
			e, open := errors.AsType[*resilience.OpenError](err)
			if open != test.open || (calls == 5) != test.open {
				t.Errorf("%v: sixth call got %v, %d calls were made", test.err, err, calls)
			}
			if open && (e.Name != "hung" || e.Cause == nil || e.RetryAfter != 30*time.Second) {
				t.Errorf("%#v", e)
			}
			if err := ask("healthy"); err != nil {
				t.Errorf("%v: the other graph got %v", test.err, err)
			}
			st := n.breakers.status()
			if test.open && (len(st) != 1 || st[0].Graph != "hung" || st[0].State != "open" || st[0].RetryAfterMS != 30000 || st[0].Cause == "") ||
				!test.open && len(st) != 0 {
				t.Errorf("%v: health says %+v", test.err, st)
			}
			// A page that comes with the graph closes its breaker at once.
			n.breakers.reset("hung")
			if _, open := errors.AsType[*resilience.OpenError](ask("hung")); open {
				t.Errorf("%v: still open", test.err)
			}
		})
	}
}

// Calls that asked no page neither fill nor clear the count of failures.
func TestBreakerIgnores(t *testing.T) {
	var next error
	n := nodeOver(0, func(context.Context, *Call) (json.RawMessage, error) { return nil, next })
	ask := func() {
		c := newCall("a")
		_, _ = n.Call(t.Context(), &c)
	}
	for range 3 {
		next = &LostError{Reason: "gone"}
		ask()
	}
	for _, next = range []error{&ExhaustedError{}, &OverloadedError{Reason: "full"}, &UnknownRepoError{}, context.Canceled} {
		ask()
		if f := n.failures("graph"); f != 3 {
			t.Errorf("%v: %d failures, want 3", next, f)
		}
	}
	next = &ToolError{Message: "no such file"}
	ask()
	if f := n.failures("graph"); f != 0 {
		t.Errorf("the page has answered, and %d failures count", f)
	}
	for i := range 3 * keptBreakers { // an agent names graphs as it likes
		c := newCall("a")
		c.Repo = fmt.Sprint("graph ", i)
		_, _ = n.Call(t.Context(), &c)
	}
	if kept := len(n.breakers.byGraph); kept > keptBreakers+1 {
		t.Errorf("%d breakers that have nothing to remember are kept", kept)
	}
}

// Other calls open the breaker while one waits for its next try: that one ends
// when it would have tried.
func TestRetryEndsAtAnOpenBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		n := nodeOver(3, func(_ context.Context, c *Call) (json.RawMessage, error) {
			calls++
			if c.ID == "waits" {
				return nil, errBusy
			}
			return nil, noPage()
		})
		start := time.Now()
		got := make(chan error, 1)
		go func() {
			c := newCall("waits")
			_, err := n.Call(t.Context(), &c)
			got <- err
		}()
		synctest.Wait()
		for i := range 5 {
			c := newCall(fmt.Sprint("other", i))
			_, _ = n.Call(t.Context(), &c)
		}
		err := <-got
		if e, ok := errors.AsType[*resilience.OpenError](err); !ok || e.RetryAfter != 29*time.Second || time.Since(start) != time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		if calls != 1+5 {
			t.Errorf("%d calls were made", calls)
		}
	})
}

// A half-open breaker learns from the end of its one call.
func TestRetryAtAHalfOpenBreaker(t *testing.T) {
	for _, test := range []struct {
		last  error // of the call's attempts, after two that are lost
		state string
	}{{noPage(), "open"}, {nil, ""}, {errOwn, ""}} {
		synctest.Test(t, func(t *testing.T) {
			attempts, broken := 0, true
			n := nodeOver(1, func(context.Context, *Call) (json.RawMessage, error) {
				if broken {
					return nil, noPage()
				}
				switch attempts++; attempts {
				case 1:
					return nil, errDropped
				case 2:
					return nil, noPage()
				}
				return json.RawMessage(`{}`), test.last
			})
			ask := func() {
				c := newCall("a")
				_, _ = n.Call(t.Context(), &c)
			}
			for range 5 {
				ask()
			}
			time.Sleep(30*time.Second + time.Millisecond)
			broken = false
			ask()
			state := ""
			for _, b := range n.breakers.status() {
				state = b.State
			}
			if state != test.state || attempts != 3 {
				t.Errorf("last %v: %q, want %q, after %d attempts", test.last, state, test.state, attempts)
			}
		})
	}
}

// A cancel ends the wait for a further try, and is nobody's failure.
func TestRetryEndsWithACancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := nodeOver(3, func(context.Context, *Call) (json.RawMessage, error) { return nil, errBusy })
		ctx, cancel := context.WithCancelCause(t.Context())
		gone := fmt.Errorf("by the agent: %w", context.Canceled)
		time.AfterFunc(500*time.Millisecond, func() { cancel(gone) })
		start := time.Now()
		c := newCall("a")
		_, err := n.Call(ctx, &c)
		if err != gone || time.Since(start) != 500*time.Millisecond || n.failures("graph") != 0 || len(n.Status().LastErrors) != 0 {
			t.Errorf("%v after %v, %+v", err, time.Since(start), n.Status())
		}
	})
}

// A panic below a call leaves its breaker as it was, and frees its trial slot.
func TestPanicLeavesTheBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		do := func() (json.RawMessage, error) { return nil, noPage() }
		n := nodeOver(0, func(context.Context, *Call) (json.RawMessage, error) { return do() })
		ask := func() (err error) {
			defer func() {
				if p := recover(); p != nil {
					err = errors.New("panic")
				}
			}()
			c := newCall("a")
			_, err = n.Call(t.Context(), &c)
			return err
		}
		for range 5 {
			_ = ask()
		}
		time.Sleep(31 * time.Second)
		do = func() (json.RawMessage, error) { panic("x") }
		if err := ask(); err == nil || err.Error() != "panic" {
			t.Fatal(err)
		}
		do = func() (json.RawMessage, error) { return json.RawMessage("1"), nil }
		if err := ask(); err != nil {
			t.Errorf("after the panic: %v", err)
		}
	})
}
