package tools

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

const listRoots = `"result":{"roots":[{"uri":"file:///home/me/%s"}]}`

// A client whose roots have changed is asked again, before its next call.
func TestRootsChange(t *testing.T) {
	told := make(chan []string, 3)
	c := begin(t, NewServer(Options{Caller: &fakeCaller{}, OnRoots: func(folders []string) { told <- folders }}), "2025-11-25", `{"roots":{"listChanged":true}}`)
	for i, folder := range []string{"a", "b"} {
		if i > 0 {
			c.send(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`, callLine("1", "search", `{"query":"x"}`))
		}
		q := decode[asked](t, c.next())
		if q.Method != "roots/list" {
			t.Fatalf("got %+v", q)
		}
		c.send(`{"jsonrpc":"2.0","id":"` + q.ID + `",` + strings.Replace(listRoots, "%s", folder, 1) + `}`)
		if got := strings.Join(<-told, "|"); got != "/home/me/"+folder {
			t.Errorf("got %s", got)
		}
	}
	if line := c.next(); !strings.Contains(line, `"id":1`) {
		t.Errorf("got %s", line)
	}
}

// A client of 2026-07-28 is asked with its first call, once, and repeats that.
func TestRootsRequired(t *testing.T) {
	told := make(chan []string, 3)
	c := serve(t, NewServer(Options{Caller: &fakeCaller{}, OnRoots: func(folders []string) { told <- folders }}))
	call := func(more string) string {
		c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"x"}` + more + `,` +
			strings.Replace(modernHeaders, `"io.modelcontextprotocol/clientCapabilities":{}`, `"io.modelcontextprotocol/clientCapabilities":{"roots":{}}`, 1) + `}}`)
		return c.next()
	}
	line := call("")
	if !strings.Contains(line, `"inputRequests":{"roots":{"method":"roots/list","params":{}}}`) {
		t.Fatalf("got %s", line)
	}
	if got := <-told; got != nil { // so that the server goes on without
		t.Errorf("got %s", got)
	}
	if line := call(`,"inputResponses":{"roots":{"roots":[{"uri":"file:///home/me/a"}]}}`); !strings.Contains(line, `"resultType":"complete"`) {
		t.Errorf("got %s", line)
	}
	if got := strings.Join(<-told, "|"); got != "/home/me/a" {
		t.Errorf("got %s", got)
	}
	if line := call(""); !strings.Contains(line, `"resultType":"complete"`) {
		t.Errorf("asked again: %s", line)
	}
}

// Each client over HTTP has the folder of its own roots, from its first call to the end
// of its session. It is asked on the stream of that call.
func TestRootsOverHTTP(t *testing.T) {
	released := make(chan string, 3)
	folder := make(chan string, 3)
	s := NewServer(Options{
		Caller: &fakeCaller{CallFunc: func(_ context.Context, c *wsbridge.Call) (json.RawMessage, error) {
			folder <- c.Folder.ID
			return json.RawMessage(`{}`), nil
		}},
		UseRoots: func(folders []string) (wsbridge.Folder, func()) {
			id := strings.Join(folders, "|")
			return wsbridge.Folder{ID: id, Name: id}, func() { released <- id }
		},
	})
	w := serveHTTP(t, s)
	open := func(capabilities string) []string {
		response := w.do(t.Context(), "POST", hello("2025-11-25", capabilities))
		header := []string{"Mcp-Session-Id", response.Header.Get("Mcp-Session-Id"), "Mcp-Protocol-Version", "2025-11-25"}
		w.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, header...)
		return header
	}
	call := func(header []string, answer string) {
		t.Helper()
		for e := range events(w.do(t.Context(), "POST", callLine("1", "search", `{"query":"x"}`), header...)) {
			if q := (asked{}); json.Unmarshal([]byte(e.data), &q) == nil && q.Method == "roots/list" {
				if status, said := w.post(`{"jsonrpc":"2.0","id":"`+q.ID+`",`+strings.Replace(listRoots, "%s", answer, 1)+`}`, header...); status != 202 {
					t.Errorf("%d %s", status, said)
				}
			}
		}
	}
	a, b, none := open(`{"roots":{"listChanged":true}}`), open(`{"roots":{}}`), open(`{}`)
	for _, step := range []struct {
		header       []string
		answer, want string
	}{{a, "a", "/home/me/a"}, {b, "b", "/home/me/b"}, {a, "never asked", "/home/me/a"}, {none, "never asked", ""}} {
		if call(step.header, step.answer); <-folder != step.want {
			t.Errorf("a call went elsewhere than to %q", step.want)
		}
	}
	w.post(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`, a...)
	call(a, "c")
	if got, old := <-folder, <-released; got != "/home/me/c" || old != "/home/me/a" {
		t.Errorf("the call went to %s, and %s was released", got, old)
	}
	w.do(t.Context(), "DELETE", "", a...)
	if got := <-released; got != "/home/me/c" {
		t.Errorf("released %s", got)
	}
}

// The user is asked over HTTP as on stdin and stdout: on the stream of the call.
func TestQuestionOverHTTP(t *testing.T) {
	w := serveHTTP(t, NewServer(Options{Caller: ambiguousCaller()}))
	response := w.do(t.Context(), "POST", hello("2025-11-25", `{"elicitation":{"form":{}}}`))
	header := []string{"Mcp-Session-Id", response.Header.Get("Mcp-Session-Id"), "Mcp-Protocol-Version", "2025-11-25"}
	w.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, header...)
	var last string
	for e := range events(w.do(t.Context(), "POST", callLine("1", "impact", `{"target":"login","direction":"upstream"}`), header...)) {
		last = e.data
		if q := (asked{}); json.Unmarshal([]byte(e.data), &q) == nil && q.Method == "elicitation/create" {
			w.post(`{"jsonrpc":"2.0","id":"`+q.ID+`","result":{"action":"accept","content":{"choice":"Method:src/user.ts:User.login"}}}`, header...)
		}
	}
	if !strings.Contains(last, `User.login`) || strings.Contains(last, "isError") {
		t.Errorf("got %s", last)
	}

	// With the protocol of 2026-07-28, in the result.
	body, all := modern("tools/call", `"name":"impact","arguments":{"target":"login","direction":"upstream"}`, "Mcp-Name", "impact")
	able := strings.Replace(body, `"io.modelcontextprotocol/clientCapabilities":{}`, `"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}`, 1)
	if status, answer := w.post(able, all...); status != 200 || !strings.Contains(answer, `"resultType":"input_required"`) {
		t.Fatalf("%d %s", status, answer)
	}
	again := strings.Replace(able, `"arguments"`, `"inputResponses":{"target":{"action":"accept","content":{"choice":"Method:src/user.ts:User.login"}}},"arguments"`, 1)
	if status, answer := w.post(again, all...); status != 200 || !strings.Contains(answer, `"resultType":"complete"`) || !strings.Contains(answer, "User.login") {
		t.Errorf("%d %s", status, answer)
	}
}
