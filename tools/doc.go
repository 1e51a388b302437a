// Package tools is what an agent sees of gitnexus-mcp: the tools, their
// checks, the errors in the agent's own terms, the resources, and the MCP
// server on standard input and output and over HTTP.
//
// The one table (Table) is the only place where a tool is named. Schemas,
// descriptions, hints, defaults, time classes and the list in the context
// resource derive from it, so a further tool is one further entry.
//
// Server.answer answers the requests of any transport, and Server.CallTool the
// tool calls among them: validate, guard, deadline, caller, shape. What answers a
// call is a Caller, which the program supplies. Server.Serve is the transport on
// standard input and output, Server.NewHTTP that over HTTP; mcp-go answers what is no tool call.
package tools
