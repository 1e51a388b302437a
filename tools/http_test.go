package tools

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	mcpclient "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// web is a server over HTTP and a bare client of it.
type web struct {
	t        *testing.T
	server   *Server
	endpoint *HTTP
	url      string
	client   http.Client
}

func serveHTTP(t *testing.T, s *Server) *web {
	t.Helper()
	endpoint := s.NewHTTP()
	listening := httptest.NewServer(endpoint)
	t.Cleanup(func() {
		endpoint.Close()
		listening.Close()
	})
	return &web{t: t, server: s, endpoint: endpoint, url: listening.URL, client: http.Client{Transport: &http.Transport{}}}
}

// do sends a request. header holds names and values.
func (w *web) do(ctx context.Context, method, body string, header ...string) *http.Response {
	w.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, w.url, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := w.client.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = response.Body.Close(); w.client.CloseIdleConnections() })
	return response
}

func (w *web) post(body string, header ...string) (status int, answer string) {
	w.t.Helper()
	response := w.do(w.t.Context(), "POST", body, header...)
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return response.StatusCode, string(raw)
}

// session begins one in a version of the protocol, and returns its header.
func (w *web) session(version string) []string {
	w.t.Helper()
	response := w.do(w.t.Context(), "POST", strings.Replace(initialize, mcp.ProtocolVersion20251125, version, 1))
	id := response.Header.Get("Mcp-Session-Id")
	raw, _ := io.ReadAll(response.Body)
	if response.StatusCode != 200 || id == "" || !strings.Contains(string(raw), `"protocolVersion":"`+version+`"`) {
		w.t.Fatalf("%s: %s", response.Status, raw)
	}
	header := []string{"Mcp-Session-Id", id, "Mcp-Protocol-Version", version}
	if status, answer := w.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, header...); status != 202 || answer != "" {
		w.t.Errorf("%d %s", status, answer)
	}
	return header
}

// sse is one server-sent event.
type sse struct{ id, data string }

// events reads a response's events until its end.
func events(response *http.Response) <-chan sse {
	all := make(chan sse, 100)
	go func() {
		defer close(all)
		var e sse
		for lines := bufio.NewScanner(response.Body); lines.Scan(); {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "id":
				e.id = value
			case "data":
				e.data = value
			case "":
				if e != (sse{}) {
					all <- e
				}
				e = sse{}
			}
		}
	}()
	return all
}

func next(t *testing.T, all <-chan sse) sse {
	t.Helper()
	select {
	case e, ok := <-all:
		if !ok {
			t.Fatal("the stream has ended")
		}
		return e
	case <-time.After(time.Minute):
		t.Fatal("nothing came")
	}
	return sse{}
}

const modernHeaders = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"later","version":"1"}}`

// modern is a request of the protocol of 2026-07-28, with its headers.
func modern(method, params string, header ...string) (body string, all []string) {
	if params != "" {
		params += ","
	}
	body = `{"jsonrpc":"2.0","id":7,"method":"` + method + `","params":{` + params + modernHeaders + `}}`
	all = append([]string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", method}, header...)
	return body, all
}

func TestHTTPRefuses(t *testing.T) {
	w := serveHTTP(t, NewServer(Options{Caller: &fakeCaller{}}))
	session := w.session("2025-06-18")
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	call := func(name string, header ...string) []string {
		body, all := modern("tools/call", `"name":"overview","arguments":{}`, append([]string{"Mcp-Name", name}, header...)...)
		return append([]string{body}, all...)
	}
	for _, c := range []struct {
		name   string
		method string
		body   string
		header []string
		status int
		says   string
	}{
		{"no session", "POST", list, nil, 400, "send initialize first"},
		{"a session that has ended", "POST", list, []string{"Mcp-Session-Id", "gone"}, 404, "send initialize again"},
		{"no such version", "POST", list, append([]string{"Mcp-Protocol-Version", "1999-01-01"}, session[:2]...), 400, "2025-11-25"},
		{"not JSON", "POST", "{", session, 400, "-32700"},
		{"no message", "POST", `7`, session, 400, "not a JSON-RPC message"},
		{"a batch", "POST", `[` + list + `]`, session, 400, "Batches are not supported"},
		{"no session to read from", "GET", "", nil, 400, "send initialize first"},
		{"GET of JSON", "GET", "", append([]string{"Accept", "application/json"}, session...), 406, "text/event-stream"},
		{"no such event", "GET", "", append([]string{"Last-Event-ID", "x.1"}, session...), 400, "no stream to resume"},
		{"no session to end", "DELETE", "", []string{"Mcp-Session-Id", "gone"}, 404, "ended"},
		{"PUT", "PUT", "", nil, 405, "PUT"},
		{"GET of 2026-07-28", "GET", "", []string{"Mcp-Protocol-Version", "2026-07-28"}, 405, "GET"},
		{"2026-07-28 without its header", "POST", call("overview")[0], nil, 400, "-32020"},
		{"another name in the header", "POST", call("overview")[0], call("search")[1:], 400, "-32020"},
		{"resumed in 2026-07-28", "POST", call("overview")[0], call("overview", "Last-Event-ID", "1")[1:], 400, "cannot be resumed"},
		{"no such method in 2026-07-28", "POST", first(modern("nothing", "")), second(modern("nothing", "")), 404, "-32601"},
	} {
		response := w.do(t.Context(), c.method, c.body, c.header...)
		raw, _ := io.ReadAll(response.Body)
		if response.StatusCode != c.status || !strings.Contains(string(raw), c.says) {
			t.Errorf("%s: %s %s", c.name, response.Status, raw)
		}
	}
	w.client.CloseIdleConnections()
	if status, _ := w.post(`{"x":"`+strings.Repeat("a", maxLineBytes)+`"}`, session...); status != 413 {
		t.Errorf("too large: %d", status)
	}
}

func first(a string, _ []string) string    { return a }
func second(_ string, b []string) []string { return b }

// What a call says before its answer comes on its own stream, and an answer that
// is alone comes as JSON.
func TestHTTPCall(t *testing.T) {
	w := serveHTTP(t, NewServer(Options{Caller: transcriptCaller()}))
	plain := `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"search","arguments":{"query":"x"}}}`
	withProgress := `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"search","arguments":{"query":"progress"},"_meta":{"progressToken":"p"}}}`
	for _, version := range []string{"2025-03-26", "2025-06-18", "2025-11-25"} {
		session := w.session(version)
		response := w.do(t.Context(), "POST", plain, session...)
		if version < "2025-11-25" {
			if kind := response.Header.Get("Content-Type"); kind != "application/json" {
				t.Errorf("%s: %s", version, kind)
			}
		} else if e := next(t, events(response)); e.data != "" || !strings.HasSuffix(e.id, ".0") {
			t.Errorf("no id to resume by: %+v", e)
		}
		all := events(w.do(t.Context(), "POST", withProgress, session...))
		var got []string
		for e := range all {
			if e.id == "" {
				t.Errorf("%s: an event without an id: %s", version, e.data)
			}
			if e.data != "" {
				got = append(got, e.data)
			}
		}
		if len(got) != 2 || !strings.Contains(got[0], `"progressToken":"p"`) || !strings.Contains(got[1], `"id":4`) {
			t.Errorf("%s: %q", version, got)
		}
		// A client that takes no stream gets the answer alone.
		if status, answer := w.post(withProgress, append([]string{"Accept", "application/json"}, session...)...); status != 200 || !strings.HasPrefix(answer, `{"jsonrpc":"2.0","id":4,"result"`) {
			t.Errorf("%s: %d %s", version, status, answer)
		}
	}
	// A batch, in the one version that has it.
	status, answer := w.post(`[`+plain+`,{"jsonrpc":"2.0","id":9,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/other"}]`, w.session("2025-03-26")...)
	if list := decode[[]wire](t, answer); status != 200 || len(list) != 2 {
		t.Errorf("%d %s", status, answer)
	}
	body, header := modern("tools/call", `"name":"search","arguments":{"query":"x"}`, "Mcp-Name", "search")
	if status, answer := w.post(body, header...); status != 200 || !strings.Contains(answer, `"resultType":"complete"`) {
		t.Errorf("%d %s", status, answer)
	}
	body, header = modern("server/discover", "")
	if status, answer := w.post(body, header...); status != 200 || !strings.Contains(answer, `"supportedVersions":["2026-07-28"`) {
		t.Errorf("%d %s", status, answer)
	}
}

// A call outlives its connection, and its answer can be had on another one.
func TestHTTPResumes(t *testing.T) {
	release := make(chan struct{})
	w := serveHTTP(t, NewServer(Options{Caller: &fakeCaller{CallFunc: func(_ context.Context, c *wsbridge.Call) (json.RawMessage, error) {
		c.Progress(1, nil, "begun")
		<-release
		return json.RawMessage(`{"found":1}`), nil
	}}}))
	session := w.session("2025-11-25")
	ctx, breakOff := context.WithCancel(t.Context())
	all := events(w.do(ctx, "POST", `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"overview","arguments":{},"_meta":{"progressToken":1}}}`, session...))
	begin := next(t, all)
	if progress := next(t, all); !strings.Contains(progress.data, "begun") {
		t.Errorf("%+v", progress)
	}
	breakOff()
	for range all { // until the connection is gone
	}
	resumed := events(w.do(t.Context(), "GET", "", append([]string{"Last-Event-ID", begin.id}, session...)...))
	if again := next(t, resumed); !strings.Contains(again.data, "begun") {
		t.Errorf("%+v", again)
	}
	close(release)
	answer := next(t, resumed)
	if !strings.Contains(answer.data, `{\"found\":1}`) {
		t.Errorf("%+v", answer)
	}
	if _, more := <-resumed; more {
		t.Error("the stream goes on after the answer")
	}
	// And once more, after its end.
	if again := next(t, events(w.do(t.Context(), "GET", "", append([]string{"Last-Event-ID", begin.id}, session...)...))); !strings.Contains(again.data, "begun") {
		t.Errorf("%+v", again)
	}
}

// A cancelled call says nothing more; a client of 2026-07-28 cancels by leaving,
// an earlier one does not.
func TestHTTPCancels(t *testing.T) {
	begun, ended := make(chan string, 10), make(chan error, 10)
	w := serveHTTP(t, NewServer(Options{Caller: &fakeCaller{CallFunc: func(ctx context.Context, c *wsbridge.Call) (json.RawMessage, error) {
		begun <- c.Agent
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return nil, ctx.Err()
	}}}))
	session := w.session("2025-06-18")
	answered := make(chan string, 1)
	go func() {
		status, answer := w.post(callLine("4", "overview", "{}"), session...)
		answered <- fmt.Sprint(status, answer)
	}()
	if agent := <-begun; agent != "tester" {
		t.Errorf("agent %q", agent)
	}
	other := w.session("2025-06-18") // whose request 4 is another one
	cancel := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}`
	w.post(cancel, other...)
	if len(ended) > 0 {
		t.Error("cancelled by another client")
	}
	w.post(cancel, session...)
	if err := <-ended; !errors.Is(err, errCancelled) {
		t.Errorf("ended by %v", err)
	}
	if got := <-answered; got != "202" {
		t.Errorf("answered %s", got)
	}

	ctx, leave := context.WithCancel(t.Context())
	body, header := modern("tools/call", `"name":"overview","arguments":{}`, "Mcp-Name", "overview")
	go func() {
		r, _ := http.NewRequestWithContext(ctx, "POST", w.url, strings.NewReader(body))
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		if response, err := w.client.Do(r); err == nil {
			_ = response.Body.Close()
		}
	}()
	if agent := <-begun; agent != "later" {
		t.Errorf("agent %q", agent)
	}
	leave()
	if err := <-ended; !errors.Is(err, errCancelled) {
		t.Errorf("ended by %v", err)
	}

	// DELETE ends what the session still asks for.
	go func() {
		status, answer := w.post(callLine("5", "overview", "{}"), session...)
		answered <- fmt.Sprint(status, answer)
	}()
	<-begun
	if response := w.do(t.Context(), "DELETE", "", session...); response.StatusCode != 204 {
		t.Errorf("DELETE: %s", response.Status)
	}
	<-ended
	<-answered
	if status, _ := w.post(`{"jsonrpc":"2.0","id":1,"method":"ping"}`, session...); status != 404 {
		t.Errorf("after DELETE: %d", status)
	}
}

// Notifications that belong to no request come on the stream that GET opens, also
// those from before it was there.
func TestHTTPNotifies(t *testing.T) {
	s := NewServer(Options{Caller: &fakeCaller{}})
	w := serveHTTP(t, s)
	session := w.session("2025-11-25")
	w.post(`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"`+ContextURI+`"}}`, session...)
	s.ContextChanged(wsbridge.GraphContext{Repo: "one", State: "ready"})
	ctx, breakOff := context.WithCancel(t.Context())
	all := events(w.do(ctx, "GET", "", session...))
	got := map[string]sse{}
	for len(got) < 2 {
		e := next(t, all)
		got[decode[wire](t, e.data).Method] = e
	}
	changed, ok := got["notifications/resources/list_changed"]
	if _, updated := got["notifications/resources/updated"]; !ok || !updated {
		t.Fatalf("%+v", got)
	}
	// A second reader takes the first one's place.
	second := events(w.do(t.Context(), "GET", "", session...))
	for range all {
	}
	breakOff()
	s.ContextChanged(wsbridge.GraphContext{Repo: "two", State: "ready"})
	if e := next(t, second); !strings.Contains(e.data, "list_changed") {
		t.Errorf("%+v", e)
	}
	again := events(w.do(t.Context(), "GET", "", append([]string{"Last-Event-ID", changed.id}, session...)...))
	if e := next(t, again); e.id == changed.id {
		t.Errorf("%+v came again", e)
	}

	// A client of 2026-07-28 listens with a request.
	body, header := modern("subscriptions/listen", `"notifications":{"resourcesListChanged":true}`)
	listening := events(w.do(t.Context(), "POST", body, header...))
	if e := next(t, listening); !strings.Contains(e.data, "acknowledged") || e.id != "" {
		t.Errorf("%+v", e)
	}
	s.ContextChanged()
	if e := next(t, listening); !strings.Contains(e.data, "list_changed") || !strings.Contains(e.data, `"io.modelcontextprotocol/subscriptionId":7`) {
		t.Errorf("%+v", e)
	}
}

// One client's calls, and those of all clients without sessions, are bounded.
func TestHTTPOverloaded(t *testing.T) {
	release := make(chan struct{})
	begun := make(chan struct{}, 10)
	w := serveHTTP(t, NewServer(Options{MaxCalls: 1, Caller: &fakeCaller{CallFunc: func(context.Context, *wsbridge.Call) (json.RawMessage, error) {
		begun <- struct{}{}
		<-release
		return json.RawMessage(`{}`), nil
	}}}))
	body, header := modern("tools/call", `"name":"overview","arguments":{}`, "Mcp-Name", "overview")
	session := w.session("2025-06-18")
	done := make(chan struct{}, 2)
	for _, request := range [][]string{append([]string{body}, header...), append([]string{callLine("1", "overview", "{}")}, session...)} {
		go func() {
			w.post(request[0], request[1:]...)
			done <- struct{}{}
		}()
		<-begun
		if status, answer := w.post(request[0], request[1:]...); status != 200 || !strings.Contains(answer, "OVERLOADED") {
			t.Errorf("%d %s", status, answer)
		}
	}
	close(release)
	<-done
	<-done
}

// Close lets calls end, and fails those that take too long.
func TestHTTPCloses(t *testing.T) {
	begun := make(chan struct{})
	w := serveHTTP(t, NewServer(Options{Caller: &fakeCaller{CallFunc: func(ctx context.Context, _ *wsbridge.Call) (json.RawMessage, error) {
		close(begun)
		<-ctx.Done()
		return nil, ctx.Err()
	}}}))
	session := w.session("2025-06-18")
	all := events(w.do(t.Context(), "GET", "", session...))
	answered := make(chan string, 1)
	go func() {
		_, answer := w.post(callLine("1", "overview", "{}"), session...)
		answered <- answer
	}()
	<-begun
	w.endpoint.Close()
	if answer := <-answered; !strings.Contains(answer, "CONNECTION_LOST") || !strings.Contains(answer, "told to stop") {
		t.Errorf("answered %s", answer)
	}
	for range all {
	}
	if response := w.do(t.Context(), "POST", initialize); response.StatusCode != 503 {
		t.Errorf("after Close: %s", response.Status)
	}
}

// Sessions are few, and end when nothing is asked for; the one that has been idle
// for longest makes room.
func TestHTTPSessionsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := NewServer(Options{Caller: &fakeCaller{}}).NewHTTP()
		begin := func() string {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest("POST", "/mcp", strings.NewReader(initialize)))
			if w.Code != 200 {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			return w.Header().Get("Mcp-Session-Id")
		}
		ping := func(id string) int {
			w, r := httptest.NewRecorder(), httptest.NewRequest("POST", "/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
			r.Header.Set("Mcp-Session-Id", id)
			h.ServeHTTP(w, r)
			return w.Code
		}
		ids := make([]string, maxSessions)
		for i := range ids {
			ids[i] = begin()
			time.Sleep(time.Second)
		}
		ping(ids[0])
		last := begin()
		if ping(ids[0]) != 200 || ping(ids[1]) != 404 || ping(last) != 200 {
			t.Error("not the one that was idle for longest made room")
		}
		time.Sleep(sessionIdle - time.Minute)
		ping(last)
		time.Sleep(2 * time.Minute)
		if ping(ids[0]) != 404 || ping(last) != 200 {
			t.Error("an idle session lives on, or one that is not has ended")
		}
		h.Close()
		if h.mu.Lock(); len(h.sessions)+len(h.open) > 0 {
			t.Error("sessions are left")
		}
		h.mu.Unlock()
	})
}

// deaf is a response whose client reads nothing.
type deaf struct {
	*httptest.ResponseRecorder
	deadline chan time.Time
}

func (d deaf) SetWriteDeadline(at time.Time) error {
	if !at.IsZero() {
		d.deadline <- at
	}
	return nil
}
func (d deaf) Write([]byte) (int, error) {
	time.Sleep(time.Until(<-d.deadline))
	return 0, io.ErrShortWrite
}

// A client that does not read is left when its deadline is over; its call ends.
func TestHTTPSlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := NewServer(Options{Caller: &fakeCaller{}}).NewHTTP()
		body, header := modern("tools/call", `"name":"overview","arguments":{}`, "Mcp-Name", "overview")
		r := httptest.NewRequest("POST", "/mcp", bytes.NewReader([]byte(body)))
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		began := time.Now()
		h.ServeHTTP(deaf{httptest.NewRecorder(), make(chan time.Time, 1)}, r)
		if took := time.Since(began); took != writeWithin {
			t.Errorf("left after %v", took)
		}
		h.Close()
	})
}

// A silent stream is kept open.
func TestHTTPPings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEventStream("s")
		ctx, leave := context.WithCancel(t.Context())
		w := httptest.NewRecorder()
		done := make(chan struct{})
		go func() {
			e.serve(newEventWriter(w, httptest.NewRequest("GET", "/mcp", nil).WithContext(ctx), nil), 0, nil)
			close(done)
		}()
		time.Sleep(2*pingEvery + time.Second)
		leave()
		<-done
		if got := w.Body.String(); strings.Count(got, ": still here\n\n") != 2 {
			t.Errorf("%q", got)
		}
	})
}

// What nobody reads does not pile up.
func TestEventStreamIsBounded(t *testing.T) {
	e := newEventStream("s")
	for i := range maxEvents + 10 {
		e.add(fmt.Append(nil, i+1))
	}
	e.end()
	e.add([]byte("late"))
	events, first, ended, _ := e.rest(0)
	if len(events) != maxEvents || first != 11 || string(events[0]) != "11" || !ended {
		t.Errorf("%d events from %d, ended %v", len(events), first, ended)
	}
	if events, _, _, _ := e.rest(maxEvents + 10); len(events) > 0 {
		t.Errorf("%q", events)
	}
	if events, _, _, _ := e.rest(maxEvents + 1000); len(events) > 0 {
		t.Errorf("%q", events)
	}
}

func dialHTTP(t *testing.T, s *Server, options ...mcpclient.ClientOption) (*mcpclient.Client, func(string) int) {
	t.Helper()
	w := serveHTTP(t, s)
	connection, err := transport.NewStreamableHTTP(w.url, transport.WithHTTPBasicClient(&w.client))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.client.CloseIdleConnections)
	return start(t, mcpclient.NewClient(connection, options...))
}
