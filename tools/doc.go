// Package tools is what an agent sees of gitnexus-mcp: the tools, their
// checks, the errors in the agent's own terms, the resources, and the MCP
// server on standard input and output.
//
// The one table (Table) is the only place where a tool is named. Schemas,
// descriptions, hints, defaults, time classes and the list in the context
// resource derive from it, so a further tool is one further entry.
//
// A call goes through Server.call: validate, guard, deadline, breaker, caller,
// shape. What answers it is a Caller, which the program supplies.
package tools
