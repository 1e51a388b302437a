package wsbridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Call gives a call to a page, by way of the hub where this process is not it,
// and returns the structured content of the answer: valid JSON. Errors:
// *resilience.OpenError, *LostError, *ExhaustedError, *ToolError,
// *UnknownRepoError, *OverloadedError, *guard.Panic, or the cause of ctx's end.
//
// When the page or the hub goes with the call in flight, the call is sent again
// with the same id: a page that knows the id joins what still runs, or answers
// from memory. A read-only or idempotent call is also tried again, by Options.Retry,
// when a passing condition refused it: a page that is busy, or one that was lost
// with the call and has not come back within the grace period.
func (n *Node) Call(ctx context.Context, c *Call) (json.RawMessage, error) {
	attempt := *c
	if err := n.choose(&attempt); err != nil {
		return nil, n.failed(ctx, c, err, false)
	}
	graph := n.graph(&attempt)
	c.Trace.expect(graph)
	finish, open, err := n.breakers.begin(graph)
	if err != nil {
		return nil, n.failed(ctx, c, err, false)
	}
	settled := context.Canceled // says nothing of the graph: what a panic leaves
	defer func() { finish(settled) }()

	sent := false // a page may have got the call, and its answer did not come
	for tries := 1; ; {
		c.Trace.try(n.role(), tries)
		up, err := n.await(ctx, &attempt)
		var result json.RawMessage
		if err == nil {
			result, err = up.Do(ctx, &attempt)
		}
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			err = context.Cause(ctx)
		}
		if again, ok := errors.AsType[*resendError](err); ok {
			n.opt.Log.Debug("call is sent again", "id", c.ID, "reason", again)
			attempt.affinity, attempt.resent, sent = again.affinity, true, sent || again.sent
			continue
		}
		if lost, ok := errors.AsType[*LostError](err); ok {
			sent = sent || lost.Sent // a hub of an older version says so
		}
		wait, retry := n.retryAfter(ctx, &attempt, err, sent, tries)
		if retry {
			n.opt.Log.Debug("call is tried again", "id", c.ID, "try", tries, "in", wait, "reason", err)
			retry = sleep(ctx, wait)
		}
		if retry {
			if openErr := open(); openErr != nil {
				err, retry = openErr, false
			}
		}
		if !retry {
			settled = err
			return result, n.failed(ctx, c, err, sent)
		}
		tries++
		if _, busy := errors.AsType[*ToolError](err); busy {
			// The page remembers its answer to an id, and this call is to run again.
			attempt.ID, attempt.affinity = fmt.Sprintf("%s-%d", c.ID, tries), nil
		}
	}
}

// choose decides which graph a call of this process's agent asks: that of its own
// folder where it has one, unless the call names another and may.
func (n *Node) choose(c *Call) error {
	own := c.Folder
	if own.ID == "" {
		own = n.Folder()
	}
	switch {
	case own.ID == "":
	case c.Repo == "" || c.Repo == own.Name || n.isOwn(own, c.Repo):
		c.Repo, c.folder = own.Name, own.ID
	case !n.opt.Share:
		return &DeniedError{
			Reason: fmt.Sprintf("this agent works in %s (--repo, or a root of its MCP client), and may ask for no other graph such as %s", own.Name, c.Repo),
			Advice: "Leave repo out to ask about " + own.Name + ". To let this agent ask about other graphs, the user adds --share to the arguments " +
				"with which the MCP client starts gitnexus-mcp (or GITNEXUS_SHARE=true), and starts it again",
		}
	}
	return nil
}

// isOwn reports whether a graph of that name was made of this process's own folder:
// where two folders have one name, the hub calls one of them otherwise.
func (n *Node) isOwn(own Folder, repo string) bool {
	return slices.ContainsFunc(n.Status().Pages, func(p PageStatus) bool {
		return p.graph() == repo && p.Context.Folder == own.ID
	})
}

// retryAfter is the retry policy: whether a failed call is tried again, and after
// how long.
func (n *Node) retryAfter(ctx context.Context, c *Call, err error, sent bool, tries int) (time.Duration, bool) {
	if err == nil || !c.ReadOnly && !c.Idempotent || ctx.Err() != nil {
		return 0, false
	}
	tool, failed := errors.AsType[*ToolError](err)
	_, lost := errors.AsType[*LostError](err)
	if passing := failed && tool.Retryable || lost && sent; !passing { // a LostError of a call that no page has is final
		return 0, false
	}
	return n.opt.Retry.Wait(ctx, tries)
}

// sleep waits, and reports whether ctx is still there.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}

// failed completes the error that the agent gets, and keeps it for health. It is
// the one place where that error is decided.
func (n *Node) failed(ctx context.Context, c *Call, err error, sent bool) error {
	if ctx.Err() != nil && err != nil {
		return context.Cause(ctx)
	}
	switch e := err.(type) {
	case nil:
		return nil
	case *LostError:
		e.Sent, e.URL = sent, n.opt.Gate.URL()
		if e.NeverConnected {
			e.OtherHubs = OtherHubs(ctx, n.opt.Gate)
		}
	case *ExhaustedError:
		e.URL = n.opt.Gate.URL()
	}
	n.errors.note(c, err)
	return err
}

// await returns the upstream, waiting for it within the grace period.
func (n *Node) await(ctx context.Context, c *Call) (upstream, error) {
	report := waitReport{call: c, total: n.opt.Grace}
	for began := time.Now(); ; {
		n.mu.Lock()
		up, changed, stopped := n.up, n.changed, n.stopped
		wait := n.outage.graceLeft()
		lost := n.lost()
		n.mu.Unlock()
		if stopped {
			return nil, &LostError{Reason: errStopping.reason, RetryAfter: time.Second}
		}
		if up != nil {
			select {
			case <-up.Done(): // it has ended, and is about to be replaced
				wait = n.opt.Grace - time.Since(began)
			default:
				return up, nil
			}
		}
		if wait <= 0 {
			return nil, lost
		}
		timer := time.NewTimer(report.until(wait))
		select {
		case <-changed:
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
}

// lost is the error for a call that found no upstream. It must be called with mu held.
func (n *Node) lost() *LostError {
	passed, _ := n.outage.step()
	return &LostError{
		RetryAfter: n.opt.Backoff.Ceiling(min(passed, n.outage.steps)),
		Reason:     "this server is not on the bridge: " + n.trouble.reason, Advice: n.trouble.advice, NeverConnected: !n.outage.connected,
	}
}

// graph is the graph that a call would reach now; "" when it is not known.
func (n *Node) graph(c *Call) string {
	n.mu.Lock()
	up := n.up
	n.mu.Unlock()
	if up == nil {
		return n.peerGraph(c) // a hub may have told its pages before it is joined
	}
	return up.Graph(c)
}

// peerGraph is the graph that a call would reach by way of the hub, as far as the
// hub has told.
func (n *Node) peerGraph(c *Call) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if c.folder != "" {
		for _, p := range n.pages {
			if folderOf(p.Context) == c.folder {
				return p.Context.Repo
			}
		}
	}
	if c.Repo != "" || len(n.pages) == 0 || n.pages[0].Context == nil {
		return c.Repo
	}
	return n.pages[0].Context.Repo
}
