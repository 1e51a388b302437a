package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/gitnexus/gitnexus-mcp/events"
	"github.com/gitnexus/gitnexus-mcp/guard"
	"github.com/gitnexus/gitnexus-mcp/hooks"
	"github.com/gitnexus/gitnexus-mcp/sanitize"
	"github.com/gitnexus/gitnexus-mcp/tools"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// observer turns what happens in this process into events and alerts. Its
// methods may be called concurrently, and none of them waits for the disk.
type observer struct {
	log     *slog.Logger
	events  *events.Log // nil with --events off
	hooks   *hooks.Runner
	panics  *guard.Recorder
	session string
	started time.Time
	own     func() string // the only graph that this process's agent may ask; "" for all
	alarm   *events.Alarm // used by the goroutine that writes events, and by tick
	// tell is given the alerts when they have changed. Set before the first event.
	tell func([]wsbridge.Alert)
	// announce is given each alert that is raised, or over. Set before the first call.
	announce func(a wsbridge.Alert, over bool)

	checking sync.Mutex
	mu       sync.Mutex
	alerts   []wsbridge.Alert // that are not over, the oldest first
	tick     *time.Timer      // checks what other processes raised, and what is over; nil for none
	called   time.Time        // when this process last had a call
	ended    bool
	indexed  map[string]indexing // by page
}

// eventFile is where events are logged; "" for nowhere.
func (s settings) eventFile() (string, error) {
	switch s.events {
	case "off":
		return "", nil
	case "on":
		dir, err := stateDir()
		if err != nil {
			return "", fmt.Errorf("no folder for the event log: %w; use --events FILE, or --events off", err)
		}
		return filepath.Join(dir, "gitnexus-mcp", "observability.sqlite"), nil
	}
	return filepath.Abs(s.events)
}

// stateDir is the user's folder for what programs note for themselves.
func stateDir() (string, error) {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return dir, nil
	}
	switch runtime.GOOS {
	case "windows":
		return os.UserCacheDir() // %LocalAppData%
	case "darwin":
		return os.UserConfigDir()
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state"), err
}

// newObserver returns an observer, which end ends.
func newObserver(s settings, log *slog.Logger, environ []string) (*observer, error) {
	o := &observer{log: log, session: newSession(), started: time.Now(), tell: func([]wsbridge.Alert) {}, own: func() string { return "" }, announce: func(wsbridge.Alert, bool) {}, indexed: make(map[string]indexing)}
	o.panics = &guard.Recorder{Log: log, Also: o.panicked}
	var err error
	if o.hooks, err = o.newHooks(environ); err != nil {
		return nil, &usageError{err}
	}
	o.hooks.Notify(hooks.Input{Event: "SessionStart", Time: time.Now(), Session: o.session})
	file, err := s.eventFile()
	if err != nil {
		log.Warn("what happens is not kept", "reason", err)
	}
	if file == "" {
		return o, nil
	}
	o.events = newEventLog(events.Options{
		File: file, Session: o.session, OnFailure: o.check, Guard: o.guarded,
		OnError: func(err error) {
			if err != nil {
				log.Warn("the event log cannot be written; calls go on without it", "file", file, "reason", err)
			} else {
				log.Info("the event log is written again", "file", file)
			}
		},
	})
	metadata, _ := json.Marshal(map[string]any{"version": version, "pid": os.Getpid(), "repo": s.repo})
	o.events.Add(events.Event{Category: events.Process, Type: events.Started, Agent: s.agent, Metadata: metadata})
	o.alarm = &events.Alarm{Log: o.events, After: s.alertAfter, Window: s.alertWindow, Ignore: agentsOwn}
	return o, nil
}

// newEventLog opens the event log for what this process adds.
func newEventLog(o events.Options) *events.Log {
	o.Redact = func(e *events.Event) {
		e.Message, e.Arguments = sanitize.Brief(e.Message, events.MaxMessage), sanitize.Arguments(e.Arguments)
	}
	return events.New(o)
}

// newSession identifies this process among all that write the log.
func newSession() string { return fmt.Sprintf("%d-%d", os.Getpid(), time.Now().UnixMilli()) }

// before asks the user's hooks whether a call may go on.
func (o *observer) before(ctx context.Context, c *wsbridge.Call) error {
	if len(o.hooks.Matching(hooks.Input{Event: hooks.PreToolUse, Tool: c.Tool})) == 0 {
		return nil
	}
	err := o.hooks.Ask(ctx, hooks.Input{
		Time: time.Now(), Session: o.session, Agent: c.Agent, Graph: c.Repo, Call: c.ID, Tool: c.Tool, Arguments: sanitize.Arguments(c.Arguments),
	})
	if refused, ok := errors.AsType[*hooks.RefusedError](err); ok {
		return &tools.RefusedError{Reason: refused.Reason}
	}
	return err
}

// ran notes how a hook went.
func (o *observer) ran(r hooks.Result) {
	kind, message := "failed", ""
	if r.Err != nil {
		message = r.Err.Error()
	}
	if r.Err == nil {
		kind = "ran"
	} else if _, refused := errors.AsType[*hooks.RefusedError](r.Err); refused {
		kind = "refused"
	} else {
		o.log.Warn("a hook failed", "event", r.Hook.Event, "command", r.Hook.Command[0], "reason", r.Err)
	}
	metadata, _ := json.Marshal(map[string]string{"hook": r.Hook.Event, "command": r.Hook.Command[0], "stderr": sanitize.Brief(r.Stderr, 500)})
	o.events.Add(events.Event{
		Category: events.Hook, Type: kind, Graph: r.Input.Graph, Call: r.Input.Call, Tool: r.Input.Tool,
		Duration: r.Duration, Message: message, Metadata: metadata,
	})
}

// call notes the outcome of a call.
func (o *observer) call(c tools.CallEnd) {
	if o.events != nil {
		o.mu.Lock()
		o.called = time.Now()
		o.checkLater()
		o.mu.Unlock()
	}
	if len(o.hooks.Matching(hooks.Input{Event: "PostToolUse", Tool: c.Tool})) > 0 {
		outcome := string(c.Code)
		if outcome == "" {
			outcome = "success"
		}
		o.hooks.Notify(hooks.Input{
			Event: "PostToolUse", Time: time.Now(), Session: o.session, Agent: c.Agent, Graph: c.Graph, Call: c.ID, Tool: c.Tool,
			Arguments: sanitize.Arguments(c.Arguments), Outcome: outcome, DurationMS: float64(c.Duration) / float64(time.Millisecond), Message: c.Message,
		})
	}
	o.events.Add(events.Event{
		Category: events.Call, Type: "outcome", Agent: c.Agent, Graph: c.Graph, Call: c.ID, Tool: c.Tool, Code: string(c.Code),
		Attempts: c.Attempts, Duration: c.Duration, Message: c.Message, Arguments: c.Arguments,
	})
}

// transition notes a change of the bridge.
func (o *observer) transition(t wsbridge.Transition) {
	e := events.Event{Category: events.Link, Type: t.Kind, Graph: t.Graph, Message: t.Cause}
	if strings.HasPrefix(t.Kind, "breaker_") {
		e.Category = events.Breaker
	}
	if t.Session != "" {
		e.Metadata, _ = json.Marshal(map[string]string{"link": t.Session})
	}
	o.events.Add(e)
	if event := hookOf[t.Kind]; event != "" {
		o.hooks.Notify(hooks.Input{Event: event, Time: time.Now(), Session: o.session, Graph: t.Graph, Message: t.Cause})
	}
}

// hookOf is the hooks' event for a transition.
var hookOf = map[string]string{
	"page_connected": "LinkUp", "page_reloaded": "LinkUp", "page_disconnected": "LinkDown", "breaker_open": "BreakerOpen", "breaker_closed": "BreakerClosed",
}

// guarded runs a job in the background and returns a panic in it as an error.
func (o *observer) guarded(job string, f func()) error {
	if p := guard.Run(job, o.panics.Report, f); p != nil {
		return p
	}
	return nil
}

func (o *observer) panicked(p *guard.Panic) {
	metadata, _ := json.Marshal(map[string]string{"id": p.ID, "stack": p.Stack[:min(len(p.Stack), 8<<10)]})
	o.events.Add(events.Event{Category: events.Panic, Type: p.Job, Call: p.ID, Message: p.Message, Metadata: metadata})
}

// ending notes that the process begins to end, and why.
func (o *observer) ending(reason string) {
	o.hooks.Notify(hooks.Input{Event: "SessionEnd", Time: time.Now(), Session: o.session, Message: reason})
	o.events.Add(events.Event{Category: events.Process, Type: events.Ended, Message: reason, Duration: time.Since(o.started)})
}

// end writes what waits.
func (o *observer) end() {
	o.mu.Lock()
	o.ended = true
	if o.tick != nil {
		o.tick.Stop()
	}
	o.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), shutdownBudget-2*logClosesWithin)
	defer cancel()
	last, stop := context.WithTimeout(ctx, shutdownBudget/2)
	o.hooks.Close(last)
	stop()
	if err := o.events.Close(ctx); err != nil {
		o.log.Warn("the last events were not written", "reason", err)
	}
	o.checking.Lock() // no check is under way any more
	defer o.checking.Unlock()
}
