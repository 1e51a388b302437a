package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/gitnexus/gitnexus-mcp/sanitize"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

const (
	// answerWithin is how long the user may take for an answer. Many clients end a
	// call after a minute; before that, the agent gets the error itself.
	answerWithin = 45 * time.Second
	// maxQuestions bounds what one call asks: both ends of a flow, and the app.
	maxQuestions = 3
)

// appQuestion stands where other questions have the name of an argument.
const appQuestion = "app"

// question is what the user is asked by way of the client (elicitation), instead
// of telling the agent that the call failed.
type question struct {
	about  string // the argument that the answer replaces, or appQuestion
	params mcp.ElicitationParams
}

// answers are what the user said to a call's questions: the argument's value for each.
type answers map[string]string

// question returns what can be asked because of an error; nil for nothing.
func (c *toolCall) question(err error) *question {
	can := c.client.GetClientCapabilities().Elicitation
	if can == nil {
		return nil
	}
	if lost, ok := errors.AsType[*wsbridge.LostError](err); ok {
		if can.URL == nil || lost.URL == "" || c.server.options.Opening() || len(c.server.Graphs()) > 0 || c.client.declines() {
			return nil
		}
		return &question{appQuestion, mcp.ElicitationParams{
			Mode: "url", URL: lost.URL, ElicitationID: newCallID(),
			Message: "The code graph lives in an app in your browser, which is not open. Open it, choose the repository there, and keep the tab open.",
		}}
	}
	failed, ok := errors.AsType[*wsbridge.ToolError](err)
	if !ok || can.Form == nil && can.URL != nil || c.tool == nil {
		return nil
	}
	var details struct {
		Name       string
		Candidates []candidate
	}
	if json.Unmarshal(failed.Details, &details) != nil || details.Name == "" || len(details.Candidates) < 2 {
		return nil
	}
	about := ""
	for i := range c.tool.Fields {
		value, _ := plainString(memberOf(c.call.Arguments, c.tool.Fields[i].Name))
		if c.tool.Fields[i].Kind == String && strings.TrimSpace(value) == strings.TrimSpace(details.Name) {
			about = c.tool.Fields[i].Name
		}
	}
	if about == "" {
		return nil
	}
	var ids, titles []string
	var choices []map[string]string
	for _, candidate := range details.Candidates {
		title := candidate.ID
		if candidate.Label != "" {
			title = candidate.Label
		}
		if candidate.Line > 0 {
			title += fmt.Sprintf(", line %d", candidate.Line)
		}
		title = sanitize.Name(title, 200)
		ids, titles = append(ids, candidate.ID), append(titles, title)
		choices = append(choices, map[string]string{"const": candidate.ID, "title": title})
	}
	choice := map[string]any{"type": "string", "title": "Which one?", "oneOf": choices}
	if version := c.client.ProtocolVersion(); version != "" && version < mcp.ProtocolVersion20251125 {
		choice = map[string]any{"type": "string", "title": "Which one?", "enum": ids, "enumNames": titles}
	}
	return &question{about, mcp.ElicitationParams{
		Mode:            formMode(c.client),
		Message:         fmt.Sprintf("%s means more than one thing here. Which one does the agent ask about?", sanitize.Name(details.Name, 200)),
		RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{"choice": choice}, "required": []string{"choice"}},
	}}
}

// candidate is one thing that a name may mean. Files come as their paths alone.
type candidate struct {
	ID, Label string
	Line      int
}

func (c *candidate) UnmarshalJSON(raw []byte) error {
	if path, ok := plainString(raw); ok {
		c.ID = path
		return nil
	}
	type plain candidate
	return json.Unmarshal(raw, (*plain)(c))
}

// formMode is the mode of a question with fields, which has no name before 2025-11-25.
func formMode(c *Client) string {
	if version := c.ProtocolVersion(); version != "" && version < mcp.ProtocolVersion20251125 {
		return ""
	}
	return "form"
}

// runAsking does the steps, and again with what the user answers.
func (c *toolCall) runAsking(ctx context.Context, send func(message any)) (*mcp.CallToolResult, error) {
	result, err := c.run(ctx)
	for range maxQuestions {
		q := c.question(err)
		if q == nil || !c.client.mayAsk() {
			break
		}
		began := time.Now()
		limited, cancel := context.WithTimeout(ctx, answerWithin)
		said, failure := c.client.ask(limited, send, mcp.MethodElicitationCreate, q.params)
		cancel()
		c.client.hasAsked()
		value, accepted := answerTo(q.about, said)
		if failure != nil || !accepted {
			c.client.notes(q, failure == nil)
			c.waited += time.Since(began)
			break
		}
		c.use(ctx, answers{q.about: value})
		c.waited += time.Since(began)
		result, err = c.run(ctx)
	}
	return result, err
}

// answerTo reads the answer to a question about something; false for one that
// declines or answers nothing.
func answerTo(about string, result json.RawMessage) (value string, accepted bool) {
	var said struct {
		Action  mcp.ElicitationResponseAction
		Content struct{ Choice string }
	}
	if json.Unmarshal(result, &said) != nil || said.Action != mcp.ElicitationResponseActionAccept {
		return "", false
	}
	return said.Content.Choice, about == appQuestion || said.Content.Choice != ""
}

// use makes the call one with the user's answers: under an id of its own, since
// pages answer an id once.
func (c *toolCall) use(ctx context.Context, said answers) {
	c.call = wsbridge.Call{
		ID: newCallID(), Tool: c.call.Tool, Agent: c.call.Agent, Folder: c.call.Folder, Trace: new(wsbridge.Trace), Progress: c.call.Progress,
		ReadOnly: c.call.ReadOnly, Idempotent: c.call.Idempotent, Heavy: c.call.Heavy,
	}
	c.raw = withAnswers(c.tool, c.raw, said)
	if _, opened := said[appQuestion]; opened {
		c.server.awaitGraph(ctx, opensWithin)
	}
}

// withAnswers puts the answers into a call's arguments.
func withAnswers(tool *Tool, raw json.RawMessage, said answers) json.RawMessage {
	arguments := map[string]json.RawMessage{}
	if len(said) == 0 || json.Unmarshal(raw, &arguments) != nil {
		return raw
	}
	for i := range tool.Fields {
		f := &tool.Fields[i]
		if value, ok := said[f.Name]; ok && f.Kind == String {
			arguments[f.Name], _ = marshal(value)
		}
	}
	changed, err := marshal(arguments)
	if err != nil {
		return raw
	}
	return changed
}

// awaitGraph waits until a page has a graph, or is making one.
func (s *Server) awaitGraph(ctx context.Context, limit time.Duration) {
	s.mu.Lock()
	filled := s.filled
	s.mu.Unlock()
	if filled == nil {
		return
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-filled:
	case <-timer.C:
	case <-ctx.Done():
	}
}

// mayAsk tells whether no other question is open. Several at once would only
// confuse the user. hasAsked has to follow.
func (c *Client) mayAsk() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.questioned {
		return false
	}
	c.questioned = true
	return true
}

func (c *Client) hasAsked() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.questioned = false
}

// notes remembers that the user does not want to open the app: nobody asks again.
func (c *Client) notes(q *question, declined bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keepsClosed = c.keepsClosed || declined && q.about == appQuestion
}

func (c *Client) declines() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.keepsClosed
}

// heard are the answers that a request of the protocol of 2026-07-28 repeats and
// adds, and whether it declines one. ok is false when they are not what they have
// to be. They give the client no more than its own arguments do, so the state
// needs no proof that it is ours.
func heard(params json.RawMessage) (said answers, declined, ok bool) {
	said = answers{}
	if state, is := plainString(memberOf(params, "requestState")); is && state != "" {
		if json.Unmarshal([]byte(state), &said) != nil {
			return nil, false, false
		}
	}
	var responses map[string]json.RawMessage
	if raw := memberOf(params, "inputResponses"); raw != nil && json.Unmarshal(raw, &responses) != nil {
		return nil, false, false
	}
	delete(responses, rootsQuestion)
	for about, response := range responses {
		value, accepted := answerTo(about, response)
		if !accepted {
			declined = true
			continue
		}
		said[about] = value
	}
	return said, declined, true
}

// heardRoots are the root folders that a request of that protocol tells, if it does.
func heardRoots(params json.RawMessage) (folders []string, told bool) {
	answer := memberOf(memberOf(params, "inputResponses"), rootsQuestion)
	return rootFolders(answer), answer != nil
}

// rootsRequired asks such a client for its roots.
func (s *Server) rootsRequired(before answers) *inputRequiredResult {
	return s.inputRequiredOf(rootsQuestion, inputRequest{string(mcp.MethodListRoots), struct{}{}}, before)
}

// inputRequired asks a client of the protocol of 2026-07-28, which repeats its
// request with the answer, and with what was answered before.
func (s *Server) inputRequired(q *question, before answers) *inputRequiredResult {
	return s.inputRequiredOf(q.about, inputRequest{string(mcp.MethodElicitationCreate), q.params}, before)
}

// inputRequiredResult is the result that asks such a client. mcp-go's leaves out
// params for roots/list, and without any the official Go SDK 1.8 cannot read it.
type inputRequiredResult struct {
	mcp.Result
	InputRequests map[string]inputRequest `json:"inputRequests"`
	RequestState  string                  `json:"requestState,omitempty"`
}

type inputRequest struct {
	Method string `json:"method"`
	Params any    `json:"params"`
}

func (s *Server) inputRequiredOf(about string, request inputRequest, before answers) *inputRequiredResult {
	state := ""
	if before = maps.Clone(before); len(before) > 0 {
		delete(before, appQuestion)
		raw, _ := marshal(before)
		state = string(raw)
	}
	result := &inputRequiredResult{InputRequests: map[string]inputRequest{about: request}, RequestState: state}
	result.ResultType, result.Meta = mcp.ResultTypeInputRequired, &mcp.Meta{}
	result.Meta.SetServerInfo(s.implementation)
	return result
}
