package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	mcpclient "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// connectHTTP connects mcp-go's client to the hub on a port.
func connectHTTP(t *testing.T, port int) *mcpclient.Client {
	t.Helper()
	own := &http.Client{Transport: &http.Transport{}}
	connection, err := transport.NewStreamableHTTP(fmt.Sprintf("http://127.0.0.1:%d/mcp", port),
		transport.WithHTTPBasicClient(own), transport.WithHTTPHeaders(map[string]string{"Authorization": "Bearer " + testToken}))
	if err != nil {
		t.Fatal(err)
	}
	c := mcpclient.NewClient(connection, mcpclient.WithProtocolVersion(mcp.ProtocolVersion20251125))
	t.Cleanup(func() {
		_ = c.Close()
		own.CloseIdleConnections()
	})
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	hello := mcp.InitializeRequest{}
	hello.Params.ClientInfo = mcp.Implementation{Name: "by-address", Version: "1"}
	if _, err := c.Initialize(t.Context(), hello); err != nil {
		t.Fatal(err)
	}
	return c
}

// A hub serves clients by its address, beside the one on stdin.
func TestHubServesHTTP(t *testing.T) {
	s := startServer(t, "main")
	s.initialize()
	s.waitHealth("hub", func(h healthReport) bool { return h.Bridge.Role == "hub" })
	p := s.page(answerArguments)
	c := connectHTTP(t, s.port)
	call := mcp.CallToolRequest{}
	call.Params.Name, call.Params.Arguments = "grep", map[string]any{"pattern": "x"}
	result, err := c.CallTool(t.Context(), call)
	if err != nil || result.IsError || !strings.Contains(result.Content[0].(mcp.TextContent).Text, `"pattern":"x"`) {
		t.Errorf("%+v, %v", result, err)
	}
	if m := p.saw(t, "tools/call"); !strings.Contains(string(m.Params), "by-address") {
		t.Errorf("the page heard of %s", m.Params)
	}
	s.waitHealth("both agents", func(h healthReport) bool { return strings.Contains(fmt.Sprint(h.Bridge.Agents), "by-address, ") })
	response, err := http.Post(fmt.Sprintf("http://127.0.0.1:%d/mcp", s.port), "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	words, _ := io.ReadAll(response.Body)
	_ = response.Body.Close()
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	if response.StatusCode != 401 || !strings.Contains(string(words), "gitnexus-mcp/token") {
		t.Errorf("without a token: %s %s", response.Status, words)
	}
}

// serve --http needs no stdin, and ends when it is told to.
func TestServeHTTPAlone(t *testing.T) {
	port := freePort(t)
	stderr, err := os.CreateTemp(t.TempDir(), "stderr")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stderr.Close() }()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan int, 1)
	go func() {
		p := program{stdin: strings.NewReader(""), stdout: new(bytes.Buffer), stderr: stderr, environ: []string{"GITNEXUS_TOKEN=" + testToken, "GITNEXUS_EVENTS=off"}}
		ended <- p.main(ctx, []string{"serve", "--http", "--port", fmt.Sprint(port)})
	}()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		response, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/", port))
		if err == nil {
			_ = response.Body.Close()
			break
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	c := connectHTTP(t, port)
	if list, err := c.ListTools(t.Context(), mcp.ListToolsRequest{}); err != nil || len(list.Tools) == 0 {
		t.Errorf("%v", err)
	}
	stop()
	if code := <-ended; code != 0 {
		t.Errorf("exit code %d", code)
	}
	said, _ := os.ReadFile(stderr.Name())
	if !strings.Contains(string(said), fmt.Sprintf("http://127.0.0.1:%d/mcp", port)) || strings.Contains(string(said), testToken) {
		t.Errorf("said %s", said)
	}
}
