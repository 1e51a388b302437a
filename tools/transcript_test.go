package tools

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	mcpclient "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// transcriptCaller answers by what is searched for.
func transcriptCaller() *fakeCaller {
	return &fakeCaller{CallFunc: func(ctx context.Context, c *wsbridge.Call) (json.RawMessage, error) {
		if c.Tool != "search" {
			return c.Arguments, nil
		}
		var args struct{ Query string }
		if err := json.Unmarshal(c.Arguments, &args); err != nil {
			return nil, err
		}
		switch args.Query {
		case "lost":
			return nil, &wsbridge.LostError{RetryAfter: time.Second, Reason: "no page is connected", URL: "http://127.0.0.1:54319/", NeverConnected: true}
		case "missing":
			return nil, &wsbridge.ToolError{Message: "Nothing is called missing."}
		case "panic":
			panic("boom")
		case "progress":
			total := 2.0
			c.Progress(1, &total, "half")
		case "large":
			return json.RawMessage(`{"results":[` + strings.Repeat(`{"name":"createUser","file":"src/user.ts"},`, 300) + `{}]}`), nil
		case "text":
			return json.RawMessage(`"src/user.ts\n  12 if a < b && \"x\" {"`), nil
		case "large text":
			return json.RawMessage(`"src/user.ts` + strings.Repeat(`\n  12 if a < b {`, 900) + `"`), nil
		case "debug":
			c.Trace.Role, c.Trace.Tries = "hub", 1
		}
		return json.RawMessage(`{"results":[{"name":"a<b>"}]}`), nil
	}}
}

var resultID = regexp.MustCompile(resultURI + `[A-Z2-7]{26}`)

// What differs from run to run.
var fleeting = []struct {
	find *regexp.Regexp
	put  string
}{
	{regexp.MustCompile(`[A-Z2-7]{26}`), "CALLID"},
	{regexp.MustCompile(`"ms":[0-9.]+`), `"ms":0`},
	{regexp.MustCompile(`<<[a-z2-7]{4}\b`), "<<MARK"},
	{regexp.MustCompile(`gitnexus-mcp-results-\d+-\d+`), "FOLDER"},
	{regexp.MustCompile(`\b(n?)[a-z2-7]{4}>>`), "${1}MARK>>"},
}

// A transcript is what a client sends ("-> ") and what the server must answer
// ("<- ") before it sends the next; other lines are notes.
func TestTranscripts(t *testing.T) {
	paths, err := filepath.Glob("testdata/transcripts/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			script, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			folder, err := os.Getwd()
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			t.Setenv("TMPDIR", ".") // the length of its name shows in the answers
			s := NewServer(Options{Caller: transcriptCaller(), Version: "1.0.0", MaxResult: MinResult})
			defer s.Close()
			c := serve(t, s)
			result := "" // the id of the last large answer, CALLID in the script
			var played strings.Builder
			lines := strings.Split(strings.TrimSuffix(string(script), "\n"), "\n")
			for i := 0; i < len(lines); i++ {
				switch {
				case strings.HasPrefix(lines[i], "-> "):
					played.WriteString(lines[i] + "\n")
					c.send(strings.ReplaceAll(lines[i][3:], "CALLID", result))
					if !expectsAnswer(lines[i][3:]) {
						continue
					}
					// A request is answered when its response is there; what
					// comes before it belongs to it.
					for {
						line := c.next()
						if id := resultID.FindString(line); id != "" {
							result = strings.TrimPrefix(id, resultURI)
						}
						shown := line
						for _, f := range fleeting {
							shown = f.find.ReplaceAllString(shown, f.put)
						}
						played.WriteString("<- " + shown + "\n")
						if decode[wire](t, line).Method == "" {
							break
						}
					}
				case strings.HasPrefix(lines[i], "<- "):
				default:
					played.WriteString(lines[i] + "\n")
				}
			}
			c.nothing(10 * time.Millisecond)
			s.Close()
			t.Chdir(folder)
			golden(t, filepath.Join("transcripts", filepath.Base(path)), []byte(played.String()))
		})
	}
}

func expectsAnswer(line string) bool {
	if !json.Valid([]byte(line)) {
		return true
	}
	m, ok := readMessage([]byte(line))
	return !ok || m.method == "" && !m.isAnswer || m.method != "" && m.id != nil
}

// mcp-go's own client, in every version of the protocol, over both transports.
func TestWithClient(t *testing.T) {
	transports := map[string]func(*testing.T, *Server, ...mcpclient.ClientOption) (*mcpclient.Client, func(string) int){"stdio": dial, "HTTP": dialHTTP}
	versions := []string{mcp.ProtocolVersion20241105, mcp.ProtocolVersion20250326, mcp.ProtocolVersion20250618, mcp.ProtocolVersion20251125, mcp.ProtocolVersion20260728, ""}
	for i := range len(versions) * 2 {
		version, over := versions[i/2], []string{"stdio", "HTTP"}[i%2]
		t.Run("protocol "+version+" over "+over, func(t *testing.T) {
			var options []mcpclient.ClientOption
			if version != "" { // else it finds out
				options = append(options, mcpclient.WithProtocolVersion(version))
			}
			c, heard := transports[over](t, NewServer(Options{Caller: transcriptCaller(), Version: "1.0.0"}), options...)
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			request := mcp.InitializeRequest{}
			request.Params.ClientInfo = mcp.Implementation{Name: "client", Version: "1"}
			request.Params.ProtocolVersion = version
			hello, err := c.Initialize(ctx, request)
			if err != nil {
				t.Fatal(err)
			}
			if hello.ServerInfo.Name != ServerName || hello.ServerInfo.Version != "1.0.0" || !strings.HasPrefix(hello.Instructions, "gitnexus-mcp answers") || hello.Capabilities.Tools == nil {
				t.Errorf("got %+v", hello)
			}
			if version != "" && hello.ProtocolVersion != version {
				t.Errorf("negotiated %s", hello.ProtocolVersion)
			}
			list, err := c.ListTools(ctx, mcp.ListToolsRequest{})
			if err != nil || len(list.Tools) != len(Table)-2 { // highlight, read_result
				t.Fatalf("%d tools, %v", len(list.Tools), err)
			}
			for _, tool := range list.Tools {
				entry, _ := Find(tool.Name)
				a := tool.Annotations
				if entry == nil || *a.ReadOnlyHint != entry.ReadOnly || *a.OpenWorldHint || !entry.ReadOnly && (*a.IdempotentHint != entry.Idempotent || *a.DestructiveHint) {
					t.Errorf("%s: %+v", tool.Name, a)
				}
			}

			call := mcp.CallToolRequest{}
			call.Params.Name, call.Params.Arguments = "search", map[string]any{"query": "progress"}
			call.Params.Meta = &mcp.Meta{ProgressToken: "p1", AdditionalFields: map[string]any{}}
			result, err := c.CallTool(ctx, call)
			if err != nil || result.IsError || result.StructuredContent != nil || result.Content[0].(mcp.TextContent).Text != `{"results":[{"name":"a<b>"}]}` {
				t.Errorf("%+v, %v", result, err)
			}
			await(t, "progress", func() bool { return heard("notifications/progress") == 1 })
			call.Params.Arguments = map[string]any{"query": "lost"}
			result, err = c.CallTool(ctx, call)
			if err != nil || !result.IsError || decode[Envelope](t, string(result.RawStructuredContent)).Code != CodeConnectionLost {
				t.Errorf("%+v, %v", result, err)
			}
			call.Params.Name = "nothing"
			result, err = c.CallTool(ctx, call)
			if err != nil || !result.IsError || decode[Envelope](t, string(result.RawStructuredContent)).Code != CodeToolNotFound {
				t.Errorf("%+v, %v", result, err)
			}

			read := mcp.ReadResourceRequest{}
			read.Params.URI = HealthURI
			contents, err := c.ReadResource(ctx, read)
			if err != nil || len(contents.Contents) != 1 {
				t.Errorf("%+v, %v", contents, err)
			}
			read.Params.URI = "gitnexus://codebase/nothing"
			if _, err := c.ReadResource(ctx, read); err == nil {
				t.Error("a resource that does not exist was read")
			}
		})
	}
}

// dial connects mcp-go's client, and counts the notifications it hears.
func dial(t *testing.T, s *Server, options ...mcpclient.ClientOption) (*mcpclient.Client, func(method string) int) {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- s.Serve(context.Background(), inR, outW)
		outW.Close()
	}()
	c, heard := start(t, mcpclient.NewClient(transport.NewIO(outR, inW, io.NopCloser(strings.NewReader(""))), options...))
	t.Cleanup(func() {
		inW.Close()
		if err := <-served; err != nil {
			t.Error(err)
		}
		outR.Close()
	})
	return c, heard
}

// start starts a client, which ends with the test.
func start(t *testing.T, c *mcpclient.Client) (*mcpclient.Client, func(method string) int) {
	t.Helper()
	var mu sync.Mutex
	counts := map[string]int{}
	c.OnNotification(func(n mcp.JSONRPCNotification) {
		mu.Lock()
		defer mu.Unlock()
		counts[n.Method]++
	})
	if err := c.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c, func(method string) int {
		mu.Lock()
		defer mu.Unlock()
		return counts[method]
	}
}
