package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/gitnexus/gitnexus-mcp/events"
	"github.com/gitnexus/gitnexus-mcp/hooks"
	"github.com/gitnexus/gitnexus-mcp/tools"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// agentsOwn are the codes of calls that the agent got wrong or gave up: nothing
// that a user could mend.
var agentsOwn = []string{string(tools.CodeValidation), string(tools.CodeToolNotFound), string(tools.CodeCypherForbidden), string(tools.CodeCancelled)}

// advice says what a person can do when calls keep failing with a code.
func advice(code string) string {
	const app = "run `gitnexus-mcp open`, load the repository there, and keep the tab open"
	switch tools.Code(code) {
	case tools.CodeTimeout:
		return "Reload the graph app's tab. If calls still take too long, have the agent ask for less, or start gitnexus-mcp with higher --timeout-quick and --timeout-heavy."
	case tools.CodeConnectionLost, tools.CodeRetryExhausted:
		return "No tab with the graph app answers. If none is open, " + app + "."
	case tools.CodeCircuitOpen:
		return "Calls are refused because earlier ones failed. Reload the graph app's tab; `gitnexus-mcp events --since 1h` shows what failed first."
	case tools.CodeOverloaded:
		return "Agents send more calls than the graph app answers. Have fewer agents work at once."
	case tools.CodePermission:
		return "Run `gitnexus-mcp open` to open the graph app paired, and see that gitnexus-mcp may read the folder; `gitnexus-mcp events --code PERMISSION_DENIED` says what was refused."
	case tools.CodeInternal:
		return "This is a bug in gitnexus-mcp. `gitnexus-mcp events --code INTERNAL_ERROR` and the log have its cause; please report it."
	}
	return "`gitnexus-mcp events --code " + code + "` shows the calls and why they failed."
}

// check raises and ends alerts, and tells of those of all processes.
func (o *observer) check(ctx context.Context) {
	o.checking.Lock()
	defer o.checking.Unlock()
	changes, err := o.alarm.Check(ctx)
	if err != nil && !errors.Is(err, context.Canceled) {
		o.log.Debug("alerts could not be checked", "reason", err)
	}
	for _, e := range changes {
		o.note(e.Event)
		if e.Own {
			o.hooks.Notify(hooks.Input{Event: "Alert", Time: e.Time, Session: o.session, Graph: e.Graph, Outcome: e.Type + " " + e.Code, Message: e.Message})
		}
	}
	if len(changes) > 0 {
		o.tell(o.activeAlerts())
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.tick != nil {
		o.tick.Stop()
		o.tick = nil
	}
	// A process without calls for a whole window need not know, and leaves the disk alone.
	if len(o.alerts) > 0 || time.Since(o.called) < o.alarm.Window {
		o.checkLater()
	}
}

// checkLater must be called with mu held.
func (o *observer) checkLater() {
	if o.tick == nil && !o.ended {
		o.tick = time.AfterFunc(o.alarm.Window/20, func() {
			_ = o.guarded("checking alerts", func() { o.check(context.Background()) })
		})
	}
}

// note logs an alert event, tells the agents, and keeps the alert until it is over.
func (o *observer) note(e events.Event) {
	o.mu.Lock()
	o.alerts = slices.DeleteFunc(o.alerts, func(a wsbridge.Alert) bool { return a.Graph == e.Graph && a.Code == e.Code })
	a := wsbridge.Alert{Graph: e.Graph, Code: e.Code, Since: e.Time.UnixMilli(), Message: e.Message, Advice: advice(e.Code)}
	if e.Type == events.Raised {
		o.alerts = append(o.alerts, a)
	}
	o.mu.Unlock()
	if e.Type == events.Raised {
		o.log.Warn("alert: calls keep failing", "graph", e.Graph, "code", e.Code, "reason", e.Message, "advice", a.Advice)
	} else {
		o.log.Info("the alert is over", "graph", e.Graph, "code", e.Code, "reason", e.Message)
	}
	o.announce(a, e.Type == events.Over)
}

// activeAlerts are those that are not over, the oldest first.
func (o *observer) activeAlerts() []wsbridge.Alert {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]wsbridge.Alert{}, o.alerts...)
}
