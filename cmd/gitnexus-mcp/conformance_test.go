package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// TestConformanceOfTheProduct runs the official suite against the program as users
// start it, with a page beside it. testdata/conformance names the scenarios that
// ask for the suite's own tools, resources and prompts: TestConformance of the
// package tools has those. The proxy adds the token, which the suite does not send.
func TestConformanceOfTheProduct(t *testing.T) {
	// In the log that the tests share, others' failed calls raise alerts, and the suite takes one for what it asked for.
	s := startServer(t, "main", "GITNEXUS_EVENTS="+filepath.Join(t.TempDir(), "events.sqlite"))
	s.initialize()
	s.waitHealth("hub", func(h healthReport) bool { return h.Bridge.Role == "hub" })
	s.page(answerArguments)
	hub := fmt.Sprintf(":%d", s.port)
	proxy := httptest.NewUnstartedServer(nil)
	own := fmt.Sprintf(":%d", proxy.Listener.Addr().(*net.TCPAddr).Port)
	to := &httputil.ReverseProxy{
		FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = "http", "127.0.0.1"+hub
			r.Out.Host = strings.Replace(r.In.Host, own, hub, 1)
			if origin := r.In.Header.Get("Origin"); origin != "" {
				r.Out.Header.Set("Origin", strings.Replace(origin, own, hub, 1))
			}
			r.Out.Header.Set("Authorization", "Bearer "+testToken)
		},
	}
	proxy.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Else an answer that comes before the end of the request's body was looked for
		// closes that body, and the transport ends the connection of the answer.
		_ = http.NewResponseController(w).EnableFullDuplex()
		to.ServeHTTP(w, r)
	})
	proxy.Start()
	defer proxy.Close()
	defer http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	suite := filepath.Join("..", "..", "web", "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js")
	node20 := "./" + filepath.Join("..", "..", "tools", "testdata", "conformance", "node20.mjs")
	for _, version := range []string{mcp.ProtocolVersion20251125, mcp.ProtocolVersion20260728} {
		t.Run(version, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, "node", "--import", node20, suite, "server", "--url", "http://localhost"+own+"/mcp",
				"--requirements", version, "--output-dir", t.TempDir(), "--expected-failures", filepath.Join("testdata", "conformance", version+".yaml"))
			if said, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, said)
			}
		})
	}
}
