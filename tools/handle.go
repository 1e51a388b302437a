package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/gitnexus/gitnexus-mcp/guard"
)

// notifyFunc sends a notification that belongs to a request. It does nothing
// once the request is answered or cancelled.
type notifyFunc func(notification any)

// answer answers a request, by whatever transport it came. Tool calls are
// answered here, in every revision of the protocol: mcp-go would decode each one
// five more times and refuse unknown tools in its own terms. All else is left to
// mcp-go.
func (s *Server) answer(ctx context.Context, c *Client, m message, notify notifyFunc) reply {
	switch mcp.MCPMethod(m.method) {
	case mcp.MethodToolsCall:
		return s.answerCall(ctx, c, m, notify)
	case mcp.MethodSubscriptionsListen:
		return s.listen(ctx, m, notify)
	case mcp.MethodToolsList, mcp.MethodResourcesList, mcp.MethodResourcesTemplatesList:
		// Each list is one page, so there is no cursor that we gave; mcp-go takes
		// some of the others and says of the rest that they are not base64.
		switch cursor := m.param("cursor"); string(cursor) {
		case "", "null", `""`:
		default:
			return failed(mcp.INVALID_PARAMS, fmt.Sprintf("The cursor %s is none that this server gave: its lists have one page. Leave cursor out.", clip(string(cursor), 60)))
		}
	}
	return s.dispatch(ctx, c, m)
}

// answerCall answers a tools/call.
func (s *Server) answerCall(ctx context.Context, c *Client, m message, notify notifyFunc) reply {
	name, arguments, meta, ok := callParams(m.params)
	if !ok {
		return failed(mcp.INVALID_PARAMS, `The params of tools/call have to be an object with a tool's name, a string, `+
			`and its arguments, an object: {"name": "search", "arguments": {"query": "login"}}`)
	}
	modern, ok := c.introduce(meta)
	if !ok {
		return s.dispatch(ctx, c, m) // which refuses it
	}
	said, declined, ok := answers(nil), false, true
	if modern {
		if said, declined, ok = heard(m.params); !ok {
			return failed(mcp.INVALID_PARAMS, "requestState and inputResponses have to be what an input_required result of this server asked for")
		}
		if c.useRoots != nil && c.GetClientCapabilities().Roots != nil {
			if folders, told := heardRoots(m.params); told {
				c.useRoots(folders)
			} else if c.takeRootsDue() {
				return reply{result: s.rootsRequired(said)}
			}
		}
	} else {
		c.settleRoots(ctx, notify)
	}
	var progress ProgressFunc
	if token := usableID(memberOf(meta, "progressToken")); token != nil {
		progress = newProgress(token, notify, s.options.Panics.Report).report
	}
	call := s.newCall(c, name, arguments)
	call.call.Progress = progress
	if !modern {
		result, err := call.runAsking(ctx, notify)
		result, logged := call.finish(ctx, result, err)
		return reply{result: result, sent: logged}
	}
	if call.tool != nil && len(said) > 0 {
		call.use(ctx, said)
	}
	result, err := call.run(ctx)
	q := call.question(err)
	result, logged := call.finish(ctx, result, err)
	if _, opened := said[appQuestion]; q != nil && !declined && !(opened && q.about == appQuestion) {
		return reply{result: s.inputRequired(q, said), sent: logged}
	}
	s.stamp(result)
	return reply{result: result, sent: logged}
}

// stopped answers a request that did not end before the server had to.
func (s *Server) stopped(m message, reason string) reply {
	stopping := &StoppingError{reason}
	if !m.isCall() {
		return failed(mcp.INTERNAL_ERROR, stopping.Error())
	}
	name, _, meta, _ := callParams(m.params)
	result := envelope(stopping, clip(name, 60)).result(s.options.room())
	if memberOf(meta, mcp.MetaKeyProtocolVersion) != nil {
		s.stamp(result)
	}
	return reply{result: result}
}

// refuseCall answers a tools/call for which there is no slot.
func (s *Server) refuseCall(ctx context.Context, c *Client, m message) reply {
	name, arguments, meta, _ := callParams(m.params)
	result, logged := s.overloaded(ctx, c, name, arguments)
	if modern, _ := c.introduce(meta); modern {
		s.stamp(result)
	}
	return reply{result: result, sent: logged}
}

// callParams reads the params of a tools/call; false when they are not what they
// have to be.
func callParams(params json.RawMessage) (name string, arguments, meta json.RawMessage, ok bool) {
	if !isObject(params) {
		return "", nil, nil, false
	}
	ok = true
	for key, value := range members(params) {
		switch string(key) {
		case "name":
			name, ok = plainString(value)
		case "arguments":
			arguments = value
		case "_meta":
			meta, ok = value, isObject(value)
		}
		if !ok {
			return "", nil, nil, false
		}
	}
	return name, arguments, meta, true
}

// introduce takes from a request's _meta who the client is, which it says in each
// one since the protocol of 2026-07-28. modern tells whether it does; ok is false
// when it does it wrongly.
func (c *Client) introduce(meta json.RawMessage) (modern, ok bool) {
	if memberOf(meta, mcp.MetaKeyProtocolVersion) == nil {
		return false, true
	}
	var m mcp.Meta
	if json.Unmarshal(meta, &m) != nil {
		return true, false
	}
	version, capabilities := m.ProtocolVersion(), m.ClientCapabilities()
	switch {
	case !mcp.IsModernProtocol(version):
		return false, true
	case !mcp.IsValidProtocolVersion(version) || capabilities == nil:
		return true, false
	}
	if info := m.ClientInfo(); info != nil {
		c.SetClientInfo(*info)
	}
	c.SetClientCapabilities(*capabilities)
	return true, true
}

// stamp adds what every result of the modern protocol has.
func (s *Server) stamp(result *mcp.CallToolResult) {
	result.ResultType = mcp.ResultTypeComplete
	if result.Meta == nil {
		result.Meta = &mcp.Meta{}
	}
	result.Meta.SetServerInfo(s.implementation)
}

// listen answers a subscriptions/listen, when it ends. Its notifications are
// written until then.
func (s *Server) listen(ctx context.Context, m message, notify notifyFunc) reply {
	c := s.newClient(m.id)
	c.logLevel = logLevelOf(m)
	s.connect(ctx, c, notify)
	last := s.dispatch(ctx, c, m)
	s.disconnect(ctx, c)
	<-c.pumped // the acknowledgement goes before the result
	return last
}

// failureKey leads explain to where it puts its words, a *mcp.JSONRPCErrorDetails.
type failureKey struct{}

// dispatch gives a message to mcp-go.
func (s *Server) dispatch(ctx context.Context, c *Client, m message) reply {
	var words mcp.JSONRPCErrorDetails
	ctx = s.mcp.WithContext(context.WithValue(ctx, failureKey{}, &words), c)
	switch answer := s.mcp.HandleMessage(ctx, m.raw).(type) {
	case mcp.JSONRPCResponse:
		return reply{result: answer.Result}
	case mcp.JSONRPCError:
		if words.Message != "" {
			return reply{failure: &words}
		}
		return reply{failure: &answer.Error}
	}
	return failed(mcp.INTERNAL_ERROR, "No answer")
}

// explain puts the refusal of a resources/read, which mcp-go words for
// programmers, into words that say what to do. It is a hook.
func explain(ctx context.Context, _ any, _ mcp.MCPMethod, message any, err error) {
	failure, _ := ctx.Value(failureKey{}).(*mcp.JSONRPCErrorDetails)
	if failure == nil {
		return
	}
	if e, ok := errors.AsType[*argumentError](err); ok {
		failure.Code, failure.Message = mcp.INVALID_PARAMS, e.words
		return
	}
	read, ok := message.(*mcp.ReadResourceRequest)
	if !ok {
		return
	}
	if e, ok := errors.AsType[*pageError](err); ok {
		failure.Message = e.words
	} else if errors.Is(err, server.ErrResourceNotFound) {
		failure.Message = fmt.Sprintf("There is no resource %q: there are %s, %s, %s, %s, %s, and the pages that a large answer names as next.",
			clip(read.Params.URI, 100), ContextURI, HealthURI, symbolTemplate, fileTemplate, clusterTemplate)
	}
	failure.Data = map[string]string{"uri": clip(read.Params.URI, 1000)}
	failure.Code = mcp.RESOURCE_NOT_FOUND
	if mcp.IsModernProtocol(server.RequestProtocolVersion(ctx)) {
		failure.Code = mcp.INVALID_PARAMS
	}
}

// guarded runs f and keeps a panic in it, which the log and the health show, from
// ending the process. It returns the panic.
func (s *Server) guarded(job string, f func()) *guard.Panic {
	return guard.Run(job, s.options.Panics.Report, f)
}
