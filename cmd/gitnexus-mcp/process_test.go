package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"github.com/gitnexus/gitnexus-mcp/guard"
)

// Tests start this test binary again as gitnexus-mcp itself, race detector
// included, or as the echoes that the benchmarks compare with.
func TestMain(m *testing.M) {
	role := os.Getenv("GITNEXUS_TEST_ROLE")
	_ = os.Unsetenv("GITNEXUS_TEST_ROLE") // no setting
	switch role {
	case "main":
		if job := os.Getenv("TEST_PANIC_IN"); job != "" {
			guard.Inject(job)
		}
		main()
	case "echo":
		echoMain()
	case "echopeer":
		echoPeerMain()
	case "eventwriter":
		eventWriterMain()
	case "stranger":
		strangerMain()
	default:
		// Servers of tests log what happens here, and not in the user's own folder.
		state, err := os.MkdirTemp("", "gitnexus-test-state-")
		if err != nil {
			panic(err)
		}
		_ = os.Setenv("XDG_STATE_HOME", state)
		_ = os.Setenv("XDG_CONFIG_HOME", filepath.Join(state, "config")) // nor are the user's hooks run
		goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
			_ = os.RemoveAll(state)
			os.Exit(code)
		}))
	}
}

// plainEnviron is the environment without settings, and without the variables
// that tests take, such as GITNEXUS_CHAOS.
func plainEnviron() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GITNEXUS_") })
}

const testToken = "test-token-0123456789-test-token"

// server is a gitnexus-mcp process with its stdin and stdout in our hands.
type server struct {
	tb     testing.TB
	cmd    *exec.Cmd
	port   int
	stdin  io.WriteCloser
	stderr *lockedBuffer
	exited chan struct{}
	hold   sync.Mutex // who has it keeps stdout from being read

	mu      sync.Mutex
	id      int
	waiting map[string]chan message // by id
	notes   []message
	stray   []string // lines on stdout that are no JSON-RPC
}

// message is any JSON-RPC message.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int
		Message string
	} `json:"error"`
	at time.Time
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func freePort(tb testing.TB) int {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}

// startServer starts gitnexus-mcp with the settings given as environment.
func startServer(tb testing.TB, role string, settings ...string) *server {
	tb.Helper()
	exe, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	return startCommand(tb, exec.Command(exe), role, settings...)
}

// startCommand is startServer with a command that becomes this test binary.
func startCommand(tb testing.TB, cmd *exec.Cmd, role string, settings ...string) *server {
	tb.Helper()
	s := &server{tb: tb, cmd: cmd, port: freePort(tb), stderr: new(lockedBuffer), exited: make(chan struct{}), waiting: make(map[string]chan message)}
	var err error
	s.cmd.Env = append(plainEnviron(), "GITNEXUS_TEST_ROLE="+role, "GITNEXUS_TOKEN="+testToken, "GITNEXUS_PORT="+strconv.Itoa(s.port),
		"GORACE=atexit_sleep_ms=0") // the race detector would sleep a second at exit
	s.cmd.Env = append(s.cmd.Env, settings...)
	s.cmd.Stderr = s.stderr
	if s.stdin, err = s.cmd.StdinPipe(); err != nil {
		tb.Fatal(err)
	}
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	go func() {
		defer close(s.exited)
		s.read(stdout)
		_ = s.cmd.Wait()
	}()
	tb.Cleanup(func() {
		_ = s.stdin.Close()
		select {
		case <-s.exited:
		case <-time.After(10 * time.Second):
			_ = s.cmd.Process.Kill()
			<-s.exited
			tb.Error("the server did not end with its stdin")
		}
		if s.cmd.ProcessState.ExitCode() == 66 || strings.Contains(s.stderr.String(), "DATA RACE") {
			tb.Errorf("data race in the server")
		}
		if len(s.stray) > 0 {
			tb.Errorf("stdout carries more than JSON-RPC: %q", s.stray)
		}
		if tb.Failed() {
			tb.Logf("the server's log:\n%s", s.stderr)
		}
	})
	return s
}

func (s *server) read(stdout io.Reader) {
	lines := bufio.NewReaderSize(stdout, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			s.hold.Lock()
			s.take(line)
			s.hold.Unlock()
		}
		if err != nil {
			return
		}
	}
}

func (s *server) take(line []byte) {
	var m message
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := json.Unmarshal(line, &m); err != nil || !bytes.Contains(line, []byte(`"jsonrpc":"2.0"`)) {
		s.stray = append(s.stray, string(line))
		return
	}
	m.at = time.Now()
	if m.Method != "" {
		s.notes = append(s.notes, m)
		return
	}
	if c := s.waiting[string(m.ID)]; c != nil {
		delete(s.waiting, string(m.ID))
		c <- m
	} else {
		s.stray = append(s.stray, "unasked answer "+string(line))
	}
}

// send writes a request and returns where its answer will come.
func (s *server) send(method string, params any) (id string, answer <-chan message) {
	s.tb.Helper()
	c := make(chan message, 1)
	s.mu.Lock()
	s.id++
	n := s.id
	id = strconv.Itoa(n)
	s.waiting[id] = c
	s.mu.Unlock()
	s.write(map[string]any{"jsonrpc": "2.0", "id": n, "method": method, "params": params})
	return id, c
}

func (s *server) write(v any) {
	s.tb.Helper()
	line, err := json.Marshal(v)
	if err != nil {
		s.tb.Fatal(err)
	}
	if _, err := s.stdin.Write(append(line, '\n')); err != nil {
		s.tb.Fatalf("stdin: %v", err)
	}
}

func (s *server) request(method string, params any) message {
	s.tb.Helper()
	_, answer := s.send(method, params)
	return s.await(answer)
}

func (s *server) await(answer <-chan message) message {
	s.tb.Helper()
	select {
	case m := <-answer:
		return m
	case <-s.exited:
		s.tb.Fatal("the server has ended")
	case <-time.After(30 * time.Second):
		s.tb.Fatal("no answer within 30 s")
	}
	return message{}
}

// awaitAny returns whichever answer is first.
func (s *server) awaitAny(answers []<-chan message) message {
	s.tb.Helper()
	timeout := reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(time.After(30 * time.Second))}
	cases := []reflect.SelectCase{timeout}
	for _, answer := range answers {
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(answer)})
	}
	i, m, _ := reflect.Select(cases)
	if i == 0 {
		s.tb.Fatal("none of the calls was answered within 30 s")
	}
	return m.Interface().(message)
}

func (s *server) initialize() message {
	s.tb.Helper()
	m := s.request("initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "test-agent", "version": "1"},
	})
	s.write(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return m
}

// result is a tool's answer as an agent gets it.
type result struct {
	IsError bool
	Content []struct{ Type, Text string }
	// StructuredContent is the same object as the text, of an error.
	StructuredContent json.RawMessage
	Meta              json.RawMessage `json:"_meta"`
}

// json is the text of an answer that is JSON.
func (r result) json() json.RawMessage {
	if len(r.Content) == 0 {
		return nil
	}
	return json.RawMessage(r.Content[0].Text)
}

// envelope is an error as an agent gets it.
type envelope struct {
	Error                     bool
	Code, Message, Suggestion string
	CallID                    string
	Retryable                 bool
	RetryAfter                int
	Details                   map[string]any
	Debug                     map[string]any
}

func (s *server) callAsync(tool string, args any) (id string, answer <-chan message) {
	s.tb.Helper()
	return s.send("tools/call", map[string]any{"name": tool, "arguments": args})
}

func (s *server) call(tool string, args any) (result, envelope) {
	s.tb.Helper()
	_, answer := s.callAsync(tool, args)
	return s.understand(s.await(answer))
}

func (s *server) understand(m message) (r result, e envelope) {
	s.tb.Helper()
	if m.Error != nil {
		s.tb.Fatalf("JSON-RPC error instead of a result: %+v", m.Error)
	}
	if err := json.Unmarshal(m.Result, &r); err != nil {
		s.tb.Fatal(err)
	}
	if r.IsError {
		if err := json.Unmarshal([]byte(r.Content[0].Text), &e); err != nil {
			s.tb.Fatalf("the error is no envelope: %s", r.Content[0].Text)
		}
		var same envelope
		if err := json.Unmarshal(r.StructuredContent, &same); err != nil || same.Code != e.Code || same.Message != e.Message || !e.Error {
			s.tb.Errorf("text and structured content differ: %s / %s", r.Content[0].Text, r.StructuredContent)
		}
	}
	return r, e
}

// resource reads a resource of one text.
func (s *server) resource(uri string) string {
	s.tb.Helper()
	m := s.request("resources/read", map[string]any{"uri": uri})
	var r struct {
		Contents []struct{ Text, MimeType string }
	}
	if err := json.Unmarshal(m.Result, &r); err != nil || len(r.Contents) != 1 {
		s.tb.Fatalf("%s: %+v, %+v", uri, r, m.Error)
	}
	return r.Contents[0].Text
}

// healthReport is the health resource, as far as tests look at it.
type healthReport struct {
	Status, Summary string
	Bridge          struct {
		Role        string
		PID, HubPID int
		Pages       []struct{ Context struct{ Repo string } }
		Agents      []struct{ Name string }
		Reconnect   *struct {
			Step, Of, NextMS, SinceMS int
			WasConnected              bool
		}
		LastErrors []struct{ Message string }
	}
	Breakers   []struct{ RetryAfter int }
	LastErrors []struct{ Tool, Code string }
}

func (s *server) health() (h healthReport) {
	s.tb.Helper()
	if err := json.Unmarshal([]byte(s.resource("gitnexus://codebase/health")), &h); err != nil {
		s.tb.Fatal(err)
	}
	return h
}

// waitHealth waits until the health resource is as it should be.
func (s *server) waitHealth(what string, ok func(healthReport) bool) {
	s.tb.Helper()
	end := time.Now().Add(20 * time.Second)
	for h := s.health(); !ok(h); h = s.health() {
		if time.Now().After(end) {
			s.tb.Fatalf("no %s within 20 s: %+v", what, h)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// page is a scripted page on a real socket. It answers every call through
// answer, which may be nil: then calls stay open.
type page struct {
	conn   *websocket.Conn
	mu     sync.Mutex
	frames []message
	done   chan struct{}
}

func (s *server) page(answer func(p *page, m message), heard ...func(m message)) *page {
	s.tb.Helper()
	p, err := s.tryPage(answer, heard...)
	if err != nil {
		s.tb.Fatalf("page: %v", err)
	}
	return p
}

func (s *server) tryPage(answer func(p *page, m message), heard ...func(m message)) (*page, error) {
	return s.tryPageAs("scripted", "", answer, heard...)
}

// tryPageAs connects a page of a session. more is what else its hello says.
func (s *server) tryPageAs(session, more string, answer func(p *page, m message), heard ...func(m message)) (*page, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	var conn *websocket.Conn
	for {
		protocols, err := ownProtocols(ctx, s.port, "page")
		if err == nil {
			conn, _, err = websocket.Dial(ctx, fmt.Sprintf("ws://127.0.0.1:%d/", s.port), &websocket.DialOptions{Subprotocols: protocols})
		}
		if err == nil {
			break
		}
		if ctx.Err() != nil {
			return nil, err
		}
		time.Sleep(5 * time.Millisecond)
	}
	conn.SetReadLimit(-1)
	p := &page{conn: conn, done: make(chan struct{})}
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"hello","method":"bridge/hello","params":{"role":"page","version":"t","session":%q,"alerts":true%s}}`, session, more))
	p.send(`{"jsonrpc":"2.0","method":"bridge/context","params":{"context":{"repo":"scripted","state":"ready","stats":{"files":2},"indexedAt":1}}}`)
	// Frames are handled in order: the answer to this means that the page takes calls.
	p.send(`{"jsonrpc":"2.0","id":"ready","method":"ping"}`)
	ready := make(chan struct{})
	go p.read(answer, ready, heard)
	select {
	case <-ready:
	case <-ctx.Done():
		return nil, fmt.Errorf("no answer to hello and ping")
	}
	s.tb.Cleanup(p.close)
	return p, nil
}

func (p *page) read(answer func(*page, message), ready chan struct{}, heard []func(message)) {
	defer close(p.done)
	for {
		_, data, err := p.conn.Read(context.Background())
		if err != nil {
			return
		}
		var m message
		_ = json.Unmarshal(data, &m)
		for _, hear := range heard {
			hear(m)
		}
		switch {
		case m.Method == "ping":
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID))
		case m.Method == "tools/call" && answer != nil:
			answer(p, m)
		case string(m.ID) == `"ready"`:
			close(ready)
		}
		p.mu.Lock()
		p.frames = append(p.frames, m)
		p.mu.Unlock()
	}
}

func (p *page) send(frame string) {
	_ = p.conn.Write(context.Background(), websocket.MessageText, []byte(frame))
}

func (p *page) close() {
	_ = p.conn.CloseNow()
	<-p.done
}

// saw waits until a frame of the method has arrived.
func (p *page) saw(tb testing.TB, method string) message {
	tb.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		p.mu.Lock()
		for _, m := range p.frames {
			if m.Method == method {
				p.mu.Unlock()
				return m
			}
		}
		p.mu.Unlock()
	}
	tb.Fatalf("the page got no %s", method)
	return message{}
}

// arguments are those of a tools/call frame.
func arguments(m message) json.RawMessage {
	var params struct{ Arguments json.RawMessage }
	_ = json.Unmarshal(m.Params, &params)
	return params.Arguments
}

// answerArguments answers a call with its own arguments.
func answerArguments(p *page, m message) {
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"structuredContent":%s}}`, m.ID, arguments(m)))
}
