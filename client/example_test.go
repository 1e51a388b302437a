package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/gitnexus/gitnexus-mcp/client"
)

func Example() {
	// A server, for this example alone.
	tools := server.NewMCPServer("example", "1")
	tools.AddTool(mcp.NewTool("greet"), func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		name := r.GetString("name", "")
		if name == "" {
			return mcp.NewToolResultError("name is missing"), nil
		}
		return mcp.NewToolResultText("hello " + name), nil
	})
	web := httptest.NewServer(server.NewStreamableHTTPServer(tools))
	defer web.Close()

	ctx := context.Background()
	c, err := client.Connect(ctx, client.URL(web.URL, web.Client()), client.Options{Timeout: 10 * time.Second})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = c.Close() }()

	result, err := c.CallTool(ctx, "greet", map[string]any{"name": "Ada"})
	fmt.Println(result.Content[0].(mcp.TextContent).Text, err)

	_, err = c.CallTool(ctx, "greet", nil)
	if failed, ok := errors.AsType[*client.Error](err); ok {
		fmt.Println(failed.Code, failed.Tool, failed.Retryable, failed.Cause)
	}
	// Output:
	// hello Ada <nil>
	// TOOL_ERROR greet false name is missing
}
