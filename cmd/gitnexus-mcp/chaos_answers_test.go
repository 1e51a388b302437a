//go:build unix

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// callParams are those of a call, as docs/protocol.md has them.
type callParams struct {
	Name      string
	Arguments json.RawMessage
	Meta      callMeta `json:"_meta"`
}

type callMeta struct {
	DeadlineMS    int64
	ProgressToken string
}

// call takes a call, new or sent again.
func (t *tab) call(l *tabLink, id string, params callParams) {
	if len(params.Arguments) == 0 { // a damaged name of theirs; none are none
		params.Arguments = json.RawMessage("{}")
	}
	nonce := noncePattern.FindString(string(params.Arguments))
	left := time.Duration(params.Meta.DeadlineMS) * time.Millisecond
	t.mu.Lock()
	defer t.mu.Unlock()
	if c := t.calls[id]; c != nil {
		c.link, c.token = l, params.Meta.ProgressToken
		c.timer.Reset(left)
		t.page.w.tell(nonce, "%s: call %s joined", t.session, id)
		t.page.w.count(&t.page.w.joined)
		return
	}
	if a, ok := t.answers[id]; ok && time.Now().Before(a.until) {
		t.page.w.tell(nonce, "%s: call %s answered from memory", t.session, id)
		t.page.w.count(&t.page.w.remembered)
		l.send(a.frame)
		return
	}
	t.page.w.tell(nonce, "%s: call %s of %s, %v left", t.session, id, params.Name, left)
	c := &tabCall{id: id, link: l, token: params.Meta.ProgressToken}
	c.ctx, c.cancel = context.WithCancel(t.ctx)
	c.timer = time.AfterFunc(left, func() { t.abandon(id, "its time is over") })
	t.calls[id] = c
	t.running.Go(func() { t.work(c, params.Name, params.Arguments, nonce) })
}

// abandon: nobody waits for that call any more.
func (t *tab) abandon(id, reason string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c := t.calls[id]; c != nil {
		c.cancel()
		c.timer.Stop()
		delete(t.calls, id)
		t.page.w.note("%s: call %s given up: %s", t.session, id, reason)
	}
}

// succeed and fail answer a call.
func (t *tab) succeed(c *tabCall, content string) {
	if t.page.v1 {
		t.settle(c, fmt.Sprintf(`{"id":%s,"result":%s}`, quoted(c.id), content))
		return
	}
	t.settle(c, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"structuredContent":%s}}`, quoted(c.id), content))
}

func (t *tab) fail(c *tabCall, message string, retryable bool) {
	if t.page.v1 {
		t.settle(c, fmt.Sprintf(`{"id":%s,"error":{"message":%s}}`, quoted(c.id), quoted(message)))
		return
	}
	t.settle(c, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":%s,"data":{"retryable":%v}}}`, quoted(c.id), quoted(message), retryable))
}

// settle sends a call's answer, and remembers it.
func (t *tab) settle(c *tabCall, frame string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.calls[c.id] != c {
		return
	}
	delete(t.calls, c.id)
	c.timer.Stop()
	t.answers[c.id] = tabAnswer{frame, time.Now().Add(answersFor)}
	t.order = append(t.order, c.id)
	t.bytes += len(frame)
	for len(t.order) > answersKept || t.bytes > answersBytes {
		t.bytes -= len(t.answers[t.order[0]].frame)
		delete(t.answers, t.order[0])
		t.order = t.order[1:]
	}
	if c.link != nil {
		c.link.send(frame)
	}
}

// work is the engine: it runs one call.
func (t *tab) work(c *tabCall, tool string, arguments json.RawMessage, nonce string) {
	defer c.cancel()
	p := t.page
	script, amount := "", 0
	if parts := strings.Split(nonce, "-"); len(parts) == 4 {
		script = strings.TrimRight(parts[2], "0123456789")
		amount, _ = strconv.Atoi(parts[2][len(script):])
	}
	wait := func() bool { // false when the call is over
		for {
			p.mu.Lock()
			hung := p.hung
			p.mu.Unlock()
			if hung == nil {
				return c.ctx.Err() == nil
			}
			select {
			case <-hung:
			case <-c.ctx.Done():
				return false
			}
		}
	}
	if !wait() {
		return
	}
	p.mu.Lock()
	busy := p.busy
	p.mu.Unlock()
	if busy {
		t.fail(c, "Busy indexing.", true)
		return
	}
	t.mu.Lock()
	t.ran[cmp.Or(nonce, c.id)]++ // by the agent's word for it, where it has one: a second id would be no excuse
	times := t.ran[cmp.Or(nonce, c.id)]
	t.mu.Unlock()
	p.w.tell(nonce, "%s: call %s runs", t.session, c.id)
	if times > 1 && !p.w.damageSeen() {
		p.w.fail(nonce, "%s ran call %s of %s %d times", t.session, c.id, tool, times)
	}
	if script == "slow" {
		select {
		case <-time.After(time.Duration(amount) * time.Millisecond):
		case <-c.ctx.Done():
			return
		}
	}
	if script == "progress" {
		for i := range 3 {
			t.mu.Lock()
			if c.link != nil && c.token != "" {
				c.link.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d,"total":3}}`, quoted(c.token), i+1))
			}
			t.mu.Unlock()
		}
	}
	if !wait() {
		return
	}
	if script == "fail" {
		t.fail(c, "No such thing: "+nonce, false)
		return
	}
	filler := ""
	if script == "large" {
		filler = strings.Repeat("x", amount)
	}
	t.succeed(c, fmt.Sprintf(`{"arguments":%s,"tool":%s,"repo":%q,"session":%q,"filler":%q}`,
		arguments, quoted(tool), p.repo, t.session, filler))
}

// quoted is a text as JSON, which %q is not where a damaged one has odd
// characters: the hub would close every link on which that answer is sent again.
func quoted(text string) string {
	b, _ := json.Marshal(text) // never fails
	return string(b)
}
