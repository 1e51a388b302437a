package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/gitnexus/gitnexus-mcp/resilience"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// suite is the official conformance suite from npm, which make installs.
var suite = filepath.Join("..", "web", "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js")

// TestConformance runs what a version of the protocol requires of servers against
// our transport and dispatcher, with the tools, resources and prompts that the
// suite asks for. testdata/conformance has for each version what fails, and why
// it is optional; the suite also fails when such a scenario passes.
func TestConformance(t *testing.T) {
	if _, err := os.Stat(suite); err != nil {
		t.Fatalf("%v; run npm ci in web, or make test", err)
	}
	all := Table
	t.Cleanup(func() { Table = all })
	for _, name := range []string{"test_simple_text", "test_error_handling", "test_tool_with_progress"} {
		Table = append(Table, Tool{Name: name, Title: name, Summary: "For the conformance suite.", Use: "there.", Example: "{}", Returns: "a text.", Class: resilience.Quick, ReadOnly: true})
	}
	for _, version := range []string{mcp.ProtocolVersion20251125, mcp.ProtocolVersion20260728} {
		t.Run(version, func(t *testing.T) {
			s := conformanceServer()
			endpoint := s.NewHTTP()
			var gate wsbridge.Gate
			listening := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if refusal := gate.Admit(r); refusal != nil { // as the hub does; the suite sends no token
					http.Error(w, refusal.Message, http.StatusForbidden)
					return
				}
				endpoint.ServeHTTP(w, r)
			}))
			defer listening.Close()
			defer endpoint.Close()
			gate.Port = listening.Listener.Addr().(*net.TCPAddr).Port
			listening.Start()
			results := t.TempDir()
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, "node", "--import", "./testdata/conformance/node20.mjs", suite, "server", "--url", fmt.Sprintf("http://localhost:%d/mcp", gate.Port),
				"--requirements", version, "--output-dir", results, "--expected-failures", filepath.Join("testdata", "conformance", version+".yaml"))
			if said, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s\n%s", err, said, failedChecks(t, results))
			}
		})
	}
}

// failedChecks says what the suite found wrong.
func failedChecks(t *testing.T, results string) string {
	var words strings.Builder
	files, _ := filepath.Glob(filepath.Join(results, "*", "checks.json"))
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, check := range decode[[]struct {
			ID, Status, ErrorMessage string
			Details                  json.RawMessage
		}](t, string(raw)) {
			if check.Status == "FAILURE" {
				words.WriteString(filepath.Base(filepath.Dir(file)) + " " + check.ID + ": " + check.ErrorMessage + " " + clip(string(check.Details), 1000) + "\n")
			}
		}
	}
	return words.String()
}

// conformanceServer has what the suite asks for.
func conformanceServer() *Server {
	s := NewServer(Options{Caller: &fakeCaller{CallFunc: func(_ context.Context, c *wsbridge.Call) (json.RawMessage, error) {
		switch c.Tool {
		case "test_simple_text":
			return json.RawMessage(`"This is a simple text response for testing."`), nil
		case "test_error_handling":
			return nil, &wsbridge.ToolError{Message: "This tool intentionally returns an error for testing"}
		case "test_tool_with_progress":
			for done, total := 0.0, 100.0; done <= total; done += 50 {
				if c.Progress != nil {
					c.Progress(done, &total, "half by half")
				}
				time.Sleep(progressEvery)
			}
		}
		return json.RawMessage(`{}`), nil
	}}})
	read := func(contents ...mcp.ResourceContents) func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		return func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) { return contents, nil }
	}
	s.mcp.AddResource(mcp.NewResource("test://static-text", "static-text", mcp.WithMIMEType("text/plain")),
		read(mcp.TextResourceContents{URI: "test://static-text", MIMEType: "text/plain", Text: "This is the content of the static text resource."}))
	s.mcp.AddResource(mcp.NewResource("test://static-binary", "static-binary", mcp.WithMIMEType("image/png")),
		read(mcp.BlobResourceContents{URI: "test://static-binary", MIMEType: "image/png", Blob: "iVBORw0KGgo="}))
	s.mcp.AddResourceTemplate(mcp.NewResourceTemplate("test://template/{id}/data", "template", mcp.WithTemplateMIMEType("application/json")),
		func(_ context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			id := strings.TrimSuffix(strings.TrimPrefix(r.Params.URI, "test://template/"), "/data")
			return text(r.Params.URI, "application/json", `{"id":"`+id+`","templateTest":true,"data":"Data for ID: `+id+`"}`), nil
		})

	prompt := func(name string, arguments []string, content func(arguments map[string]string) mcp.Content) {
		p := mcp.Prompt{Name: name, Description: "For the conformance suite."}
		for _, a := range arguments {
			p.Arguments = append(p.Arguments, mcp.PromptArgument{Name: a, Description: a, Required: true})
		}
		s.mcp.AddPrompt(p, func(_ context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			for _, a := range arguments {
				if r.Params.Arguments[a] == "" {
					return nil, errors.New(a + " is missing")
				}
			}
			return &mcp.GetPromptResult{Messages: []mcp.PromptMessage{
				{Role: mcp.RoleUser, Content: content(r.Params.Arguments)},
				{Role: mcp.RoleUser, Content: mcp.NewTextContent("Please process what is above.")},
			}}, nil
		})
	}
	prompt("test_simple_prompt", nil, func(map[string]string) mcp.Content {
		return mcp.NewTextContent("This is a simple prompt for testing.")
	})
	prompt("test_prompt_with_arguments", []string{"arg1", "arg2"}, func(a map[string]string) mcp.Content {
		return mcp.NewTextContent("Prompt with arguments: arg1='" + a["arg1"] + "', arg2='" + a["arg2"] + "'")
	})
	prompt("test_prompt_with_embedded_resource", []string{"resourceUri"}, func(a map[string]string) mcp.Content {
		return mcp.NewEmbeddedResource(mcp.TextResourceContents{URI: a["resourceUri"], MIMEType: "text/plain", Text: "Embedded resource content for testing."})
	})
	prompt("test_prompt_with_image", nil, func(map[string]string) mcp.Content { return mcp.NewImageContent("iVBORw0KGgo=", "image/png") })
	return s
}
