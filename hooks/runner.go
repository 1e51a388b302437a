package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Input is what a command gets on stdin. Fields that do not apply are missing.
type Input struct {
	Event   string    `json:"event"`
	Time    time.Time `json:"timestamp"`
	Session string    `json:"session,omitempty"`
	Agent   string    `json:"agent,omitempty"`
	Graph   string    `json:"graph,omitempty"`
	Call    string    `json:"call,omitempty"`
	Tool    string    `json:"tool,omitempty"`
	// Arguments of the call, redacted by the caller.
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// Outcome of a call: "success" or an error's code.
	Outcome    string  `json:"outcome,omitempty"`
	DurationMS float64 `json:"duration_ms,omitempty"`
	Message    string  `json:"message,omitempty"`
}

const (
	maxRunning = 4
	maxWaiting = 64
	maxOutput  = 4 << 10
	// refusal is the exit code by which a PreToolUse hook refuses a call.
	refusal = 2
	// leaveTime is how long a command's output may stay open after its end.
	leaveTime = 500 * time.Millisecond
)

// ErrBusy is the error of a hook that did not run because too many others do.
var ErrBusy = errors.New("too many hooks are running")

// RefusedError is what a call gets that a PreToolUse hook refused. Its text is
// what the hook printed on stderr.
type RefusedError struct{ Reason string }

func (e *RefusedError) Error() string { return e.Reason }

// timeoutError is a hook that was killed at its timeout.
type timeoutError struct{ limit time.Duration }

func (e *timeoutError) Error() string { return fmt.Sprintf("killed: it took longer than %v", e.limit) }
func (e *timeoutError) Unwrap() error { return context.DeadlineExceeded }

// Result is how a hook's run went.
type Result struct {
	Hook     Hook
	Input    Input
	Stdout   string // cut at 4 KB
	Stderr   string // cut at 4 KB
	Duration time.Duration
	// Err is nil for exit code 0. A refusal is a *RefusedError, a timeout wraps
	// context.DeadlineExceeded.
	Err error
}

// Options configures a Runner.
type Options struct {
	Hooks []Hook
	// Dir is the folder that commands run in. Default: that of this process.
	Dir string
	// Env is the environment of commands. Default: that of this process.
	Env []string
	// OnResult is told how each run went, from several goroutines.
	OnResult func(Result)
	// Guard runs what happens beside calls, if set, and returns a panic as an error.
	Guard func(job string, f func()) error
}

// Runner runs hooks. Its methods may be called concurrently, and on a nil
// Runner, which has no hooks.
type Runner struct {
	options Options
	ctx     context.Context // of all runs
	stop    context.CancelFunc
	running chan struct{} // a permit for each run
	waiting chan struct{} // a permit for each run of Notify, from its beginning on

	mu     sync.Mutex // orders Notify's Go before Close's Wait
	closed bool
	jobs   sync.WaitGroup
}

// New returns a Runner. It starts nothing.
func New(o Options) *Runner {
	if o.OnResult == nil {
		o.OnResult = func(Result) {}
	}
	if o.Guard == nil {
		o.Guard = func(_ string, f func()) error { f(); return nil }
	}
	ctx, stop := context.WithCancel(context.Background())
	return &Runner{options: o, ctx: ctx, stop: stop, running: make(chan struct{}, maxRunning), waiting: make(chan struct{}, maxWaiting)}
}

// Matching returns the hooks of an event.
func (r *Runner) Matching(in Input) (list []Hook) {
	if r == nil {
		return nil
	}
	for _, h := range r.options.Hooks {
		if h.matches(in) {
			list = append(list, h)
		}
	}
	return list
}

// Notify runs the hooks of an event in the background. What does not fit is
// reported with ErrBusy.
func (r *Runner) Notify(in Input) {
	for _, h := range r.Matching(in) {
		r.mu.Lock()
		started := false
		if !r.closed {
			select {
			case r.waiting <- struct{}{}:
				started = true
				r.jobs.Go(func() {
					defer func() { <-r.waiting }()
					_ = r.options.Guard("hook", func() { r.options.OnResult(r.runInTurn(r.ctx, h, in)) })
				})
			default:
			}
		}
		r.mu.Unlock()
		if !started {
			r.options.OnResult(Result{Hook: h, Input: in, Err: ErrBusy})
		}
	}
}

// Ask runs the PreToolUse hooks of a call one after another and returns a
// *RefusedError if one of them refuses it. A hook that fails in any other way
// refuses nothing.
func (r *Runner) Ask(ctx context.Context, in Input) error {
	in.Event = PreToolUse
	for _, h := range r.Matching(in) {
		result := r.runInTurn(ctx, h, in)
		r.options.OnResult(result)
		if refused, ok := errors.AsType[*RefusedError](result.Err); ok {
			return refused
		}
	}
	return nil
}

// runInTurn waits for a permit, at most for the hook's timeout.
func (r *Runner) runInTurn(ctx context.Context, h Hook, in Input) Result {
	limit := time.NewTimer(h.Timeout)
	defer limit.Stop()
	err := ErrBusy
	select {
	case r.running <- struct{}{}:
		defer func() { <-r.running }()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(r.ctx, cancel)()
		return r.Run(ctx, h, in)
	case <-limit.C:
	case <-ctx.Done():
		err = ctx.Err()
	case <-r.ctx.Done():
		err = r.ctx.Err()
	}
	return Result{Hook: h, Input: in, Err: err}
}

// Run runs one hook to its end and returns how it went. It does not wait for
// other hooks, and does not call OnResult.
func (r *Runner) Run(ctx context.Context, h Hook, in Input) Result {
	result := Result{Hook: h, Input: in}
	stdin, err := json.Marshal(in)
	if err != nil {
		result.Err = err
		return result
	}
	ctx, cancel := context.WithTimeout(ctx, h.Timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, h.Command[0], h.Command[1:]...)
	var stdout, stderr head
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(string(stdin)+"\n"), &stdout, &stderr
	cmd.Dir, cmd.Env, cmd.WaitDelay = r.options.Dir, r.options.Env, leaveTime
	group := newGroup(cmd)
	defer group.close()
	cmd.Cancel = group.kill
	start := time.Now()
	if err = cmd.Start(); err == nil {
		_ = group.add() // without it, what the command starts is not killed with it
		err = cmd.Wait()
	}
	result.Duration = time.Since(start)
	result.Stdout, result.Stderr = stdout.text(), stderr.text()
	exit, exited := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() == context.DeadlineExceeded:
		result.Err = &timeoutError{h.Timeout}
	case ctx.Err() != nil:
		result.Err = ctx.Err()
	case errors.Is(err, exec.ErrWaitDelay):
		_ = group.kill() // the command ended well; what it left behind holds its output open
	case exited && exit.ExitCode() == refusal && h.Event == PreToolUse:
		reason := strings.TrimSpace(result.Stderr)
		if reason == "" {
			reason = "a hook of the user refused this call, and gave no reason"
		}
		result.Err = &RefusedError{reason}
	default:
		result.Err = err
	}
	return result
}

// Close waits until all hooks have ended, and kills those that have not when ctx
// ends. Later events run none.
func (r *Runner) Close(ctx context.Context) {
	if r == nil {
		return
	}
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	stopping := context.AfterFunc(ctx, r.stop)
	r.jobs.Wait()
	stopping()
	r.stop()
}

// head keeps the first bytes of what is written to it.
type head struct{ kept []byte }

func (h *head) Write(p []byte) (int, error) {
	h.kept = append(h.kept, p[:min(len(p), maxOutput-len(h.kept))]...)
	return len(p), nil
}

func (h *head) text() string { return strings.ToValidUTF8(string(h.kept), "\uFFFD") }
