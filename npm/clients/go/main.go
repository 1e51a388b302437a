// The command go connects to an MCP server with the official Go SDK, asks for the
// list of tools, calls one, and prints what it got as one line of JSON.
//
//	go run . COMMAND [ARGUMENT...]
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"os/exec"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	client := mcp.NewClient(&mcp.Implementation{Name: "go-sdk", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: exec.Command(os.Args[1], os.Args[2:]...)}, nil)
	if err != nil {
		log.Fatal("connect: ", err)
	}
	list, err := session.ListTools(ctx, nil)
	if err != nil {
		log.Fatal("list: ", err)
	}
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "search", Arguments: map[string]any{"query": "hello"}})
	if err != nil {
		log.Fatal("call: ", err)
	}
	var text string
	for _, content := range result.Content {
		if t, ok := content.(*mcp.TextContent); ok {
			text += t.Text
		}
	}
	if err := session.Close(); err != nil {
		log.Fatal("close: ", err)
	}
	_ = json.NewEncoder(os.Stdout).Encode(map[string]any{
		"server": session.InitializeResult().ServerInfo.Name, "tools": len(list.Tools), "isError": result.IsError, "text": text,
	})
}
