//go:build unix

package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// judge is given every call with its answer.
func (w *chaos) judge(c *chaosCall) {
	outcome, err := w.verdict(c)
	w.mu.Lock()
	w.answers[outcome]++
	w.mu.Unlock()
	if err != nil {
		w.fail(c.nonce, "%s: %v\n  after %v: %.600s", c, err, c.reply.at.Sub(c.sent).Round(time.Millisecond), c.reply.Result)
		return
	}
	if outcome == "result" && c.proc.seat != nil && c.tool.Answer == nil {
		c.proc.seat.succeeded(c)
	}
}

// errorTable is what an agent is promised of each error.
var errorTable = map[string]struct{ retryable, after bool }{
	"VALIDATION_ERROR": {}, "TOOL_NOT_FOUND": {}, "CYPHER_FORBIDDEN": {}, "TOOL_ERROR": {},
	"TIMEOUT": {retryable: true}, "CONNECTION_LOST": {true, true}, "CIRCUIT_OPEN": {true, true},
	"RETRY_EXHAUSTED": {}, "OVERLOADED": {true, true}, "INTERNAL_ERROR": {retryable: true},
}

// verdict names the outcome of a call, and what is wrong with it.
func (w *chaos) verdict(c *chaosCall) (outcome string, _ error) {
	c.proc.mu.Lock()
	cancelled, stopping := c.cancelled, c.proc.ended == "SIGTERM" || c.proc.ended == "end of input"
	flood := c.proc.flood.meets(c.sent, c.reply.at)
	c.proc.mu.Unlock()
	if c.reply.Error != nil && !(c.tool == nil && stopping) {
		return "JSON-RPC error", fmt.Errorf("a JSON-RPC error: %+v", *c.reply.Error)
	}
	if c.tool == nil {
		return cmp.Or(c.script, "other request"), nil
	}
	took, stopped := c.reply.at.Sub(c.sent), c.proc.stoppedFor(c.sent, c.reply.at)
	if took > c.limit()+stopped+lateBy {
		return "late", fmt.Errorf("answered after %v, of which the process was stopped for %v", took, stopped)
	}
	if !cancelled.IsZero() && c.reply.at.Sub(cancelled) > lateBy+stopped {
		return "late", fmt.Errorf("answered %v after it was cancelled", c.reply.at.Sub(cancelled))
	}
	var r result
	if err := json.Unmarshal(c.reply.Result, &r); err != nil || len(r.Content) == 0 {
		return "broken", fmt.Errorf("no result of a tool: %v", err)
	}
	w.mu.Lock()
	rough := w.rough.meets(c.sent, c.reply.at)
	w.mu.Unlock()
	damaged := w.damageSeen()
	if !r.IsError {
		return "result", w.checkResult(c, r, damaged)
	}
	var e envelope
	if err := json.Unmarshal([]byte(r.Content[0].Text), &e); err != nil || !sameJSON(r.Content[0].Text, string(r.StructuredContent)) {
		return "broken", fmt.Errorf("text and structured content are not the same error")
	}
	promise, known := errorTable[e.Code]
	retryable := promise.retryable || e.Code == "TOOL_ERROR" && e.Retryable
	after := promise.after && !stopping || e.Code == "TOOL_ERROR" && e.Retryable
	switch {
	case !known || e.Code == "INTERNAL_ERROR":
		return e.Code, fmt.Errorf("a code that no agent should see")
	case !e.Error || e.Message == "" || e.Suggestion == "":
		return e.Code, fmt.Errorf("an error without its fields")
	case e.Retryable != retryable:
		return e.Code, fmt.Errorf("retryable is %v", e.Retryable)
	case after && e.RetryAfter < 1, !promise.after && !retryable && e.RetryAfter != 0:
		return e.Code, fmt.Errorf("retryAfter is %d", e.RetryAfter)
	}
	expected := map[string]string{"invalid": "VALIDATION_ERROR", "unknown": "TOOL_NOT_FOUND", "forbidden": "CYPHER_FORBIDDEN", "fail": "TOOL_ERROR"}[c.script]
	if e.Code == expected {
		if expected == "TOOL_ERROR" && !damaged && !strings.Contains(e.Message, c.nonce) && !e.Retryable {
			return e.Code, fmt.Errorf("the words of another call")
		}
		return e.Code + " (as scripted)", nil
	}
	switch e.Code {
	case "OVERLOADED":
		if flood || rough {
			return e.Code, nil
		}
	case "TIMEOUT", "CONNECTION_LOST", "CIRCUIT_OPEN", "RETRY_EXHAUSTED":
		if rough || stopping || flood {
			return e.Code, nil
		}
	case "TOOL_ERROR":
		if rough && (e.Retryable || damaged) {
			return e.Code, nil
		}
	case "TOOL_NOT_FOUND":
		if rough && damaged {
			return e.Code, nil
		}
	case "VALIDATION_ERROR":
		if rough && c.repo != "" { // the page with that graph is not there
			return e.Code, nil
		}
	}
	return e.Code, fmt.Errorf("nothing had happened that excuses this error")
}

// checkResult holds a result to its call.
func (w *chaos) checkResult(c *chaosCall, r result, damaged bool) error {
	if c.tool.Answer != nil { // the server's own
		return nil
	}
	text := r.Content[0].Text
	if c.script == "fail" || c.script == "invalid" || c.script == "unknown" || c.script == "forbidden" {
		if damaged {
			return nil
		}
		return fmt.Errorf("a result where the tool fails")
	}
	if len(text) > chaosBudget+chaosBudget/10 {
		return fmt.Errorf("%d bytes, over the budget", len(text))
	}
	for _, nonce := range noncePattern.FindAllString(text, -1) {
		if nonce != c.nonce && !(damaged && !genuine(nonce)) {
			return fmt.Errorf("the answer to another call, %s", nonce)
		}
	}
	if damaged {
		return nil
	}
	if c.nonce != "" && !strings.Contains(text, c.nonce) {
		return fmt.Errorf("not its own answer")
	}
	var answer struct {
		Arguments map[string]any
		Tool      string
		Repo      string
	}
	if err := errors.Join(json.Unmarshal(r.json(), &answer), json.Unmarshal(r.json(), &c.rest)); err != nil {
		return err
	}
	if size, large := strings.CutPrefix(c.script, "large"); large {
		if n, _ := strconv.Atoi(size); n > chaosBudget && !c.rest.Truncated {
			return fmt.Errorf("an answer of %d bytes came whole", n)
		}
		if c.rest.Truncated {
			return nil
		}
	}
	if answer.Tool != c.tool.Name {
		return fmt.Errorf("the answer of tool %s", answer.Tool)
	}
	if c.repo != "" && answer.Repo != c.repo {
		return fmt.Errorf("asked the graph %s, answered by %s", c.repo, answer.Repo)
	}
	for name, sent := range c.arguments {
		if got := answer.Arguments[name]; name != "repo" && fmt.Sprint(got) != fmt.Sprint(sent) {
			return fmt.Errorf("argument %s was %v, and %v at the page", name, sent, got)
		}
	}
	return nil
}
