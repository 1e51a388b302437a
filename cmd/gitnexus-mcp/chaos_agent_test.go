//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Limits that the processes run under: short, so that a run of seconds sees
// their ends, and all of them settings that any user has.
const (
	chaosQuick    = 8 * time.Second
	chaosHeavy    = 10 * time.Second
	chaosCooldown = time.Second
	chaosQueue    = 48
	chaosInflight = 32
	chaosBudget   = 60 << 10
	// lateBy is what an answer may be later than its deadline, on a busy machine
	// and with the race detector on.
	lateBy = 5 * time.Second
)

// seat is the place of one agent. When its process is killed, another one takes
// the seat, as an MCP client starts its server again.
type seat struct {
	// Set once.
	w      *chaos
	number int
	port   int  // that its processes are told
	pinned bool // its process is never killed

	mu    sync.Mutex
	proc  *agentProc // nil between two
	next  int        // number of the next call
	since time.Time  // set by watch: a call that is sent from then on is waited for
	heard func(took time.Duration, by *agentProc)
}

// agentProc is one gitnexus-mcp process, and the agent that talks to it.
type agentProc struct {
	// Set once.
	w       *chaos
	seat    *seat // nil for one that only looks in
	name    string
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	log     string // its file
	started time.Time
	exited  chan struct{}

	writing sync.Mutex // of lines to stdin

	mu      sync.Mutex
	next    int
	waiting map[string]*chaosCall // by JSON-RPC id
	ended   string                // how we ended it: a signal's name or "end of input"; "" while we have not
	endedAt time.Time
	flood   span          // when its agent made too many calls at once
	spans   []span        // when it was stopped, or its agent did not read
	muted   chan struct{} // the agent does not read until it is closed; nil while it does
}

// span is a time; its end is zero while it lasts.
type span struct{ from, to time.Time }

// meets tells whether a time from, to overlaps the span.
func (s span) meets(from, to time.Time) bool {
	return !s.from.IsZero() && to.After(s.from) && (s.to.IsZero() || from.Before(s.to))
}

// start starts gitnexus-mcp and says hello.
func (w *chaos) start(s *seat, name string, port int) (*agentProc, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &agentProc{
		w: w, seat: s, name: name, log: filepath.Join(w.dir, name+".log"), started: time.Now(),
		exited: make(chan struct{}), waiting: make(map[string]*chaosCall),
	}
	log, err := os.Create(p.log)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	p.cmd = exec.Command(exe)
	p.cmd.Env = append(plainEnviron(), "GITNEXUS_TEST_ROLE=main", "GITNEXUS_TOKEN="+testToken, "GITNEXUS_PORT="+strconv.Itoa(port),
		"GITNEXUS_TIMEOUT_QUICK="+chaosQuick.String(), "GITNEXUS_TIMEOUT_HEAVY="+chaosHeavy.String(),
		"GITNEXUS_BREAKER_COOLDOWN="+chaosCooldown.String(), "GITNEXUS_MAX_RECONNECT=4",
		"GITNEXUS_MAX_INFLIGHT="+strconv.Itoa(chaosInflight), "GITNEXUS_MAX_QUEUE="+strconv.Itoa(chaosQueue),
		"GITNEXUS_ALLOW_ORIGIN="+chaosOrigin,
		"GORACE=atexit_sleep_ms=0", "GOTRACEBACK=all", "TMPDIR="+w.tmp)
	p.cmd.Stderr = log
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	w.mu.Lock()
	w.procs[p] = struct{}{}
	w.started++
	w.mu.Unlock()
	w.background.Go(func() {
		p.read(stdout)
		_ = p.cmd.Wait()
		p.gone()
	})
	hello := p.request("initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": name, "version": "1"},
	}, new(chaosCall))
	if p.await(hello, 10*time.Second) {
		p.write(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	}
	return p, nil
}

func (p *agentProc) read(stdout io.Reader) {
	lines := bufio.NewReaderSize(stdout, 64<<10)
	for {
		line, err := lines.ReadBytes('\n')
		p.mu.Lock()
		muted := p.muted
		cut := err != nil && p.ended == "SIGKILL" // in the middle of a line, perhaps
		p.mu.Unlock()
		if muted != nil {
			<-muted
		}
		if len(line) > 0 && !cut {
			p.take(line)
		}
		if err != nil {
			return
		}
	}
}

// take is given every line that the process writes to stdout.
func (p *agentProc) take(line []byte) {
	var m message
	if err := json.Unmarshal(line, &m); err != nil || !bytes.Contains(line, []byte(`"jsonrpc":"2.0"`)) {
		p.w.fail("", "%s wrote what is no JSON-RPC: %.200q", p.name, line)
		return
	}
	m.at = time.Now()
	if m.Method != "" {
		return
	}
	p.mu.Lock()
	c := p.waiting[string(m.ID)]
	delete(p.waiting, string(m.ID))
	p.mu.Unlock()
	if c == nil {
		p.w.fail("", "%s answered twice, or what was not asked: %.300q", p.name, line)
		return
	}
	c.reply = m
	p.w.judge(c)
	close(c.done)
}

// request sends a request and returns the call to wait for.
func (p *agentProc) request(method string, params any, c *chaosCall) *chaosCall {
	c.proc, c.sent, c.done = p, time.Now(), make(chan struct{})
	p.mu.Lock()
	p.next++
	c.id = strconv.Itoa(p.next)
	p.waiting[c.id] = c
	p.mu.Unlock()
	p.write(map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(c.id), "method": method, "params": params})
	return c
}

// write sends a line. A process that is gone takes none, which is no news.
func (p *agentProc) write(v any) {
	line, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	p.writing.Lock()
	defer p.writing.Unlock()
	_, _ = p.stdin.Write(append(line, '\n'))
}

// cancel tells the server that nobody waits for the call any more.
func (p *agentProc) cancel(c *chaosCall) {
	p.mu.Lock()
	c.cancelled = time.Now()
	p.mu.Unlock()
	p.write(map[string]any{"jsonrpc": "2.0", "method": "notifications/cancelled",
		"params": map[string]any{"requestId": json.RawMessage(c.id), "reason": "the agent has changed its mind"}})
}

// await waits for the answer, within the limit and what the process was stopped
// for; false when the process ended first, or the answer does not come.
func (p *agentProc) await(c *chaosCall, limit time.Duration) bool {
	for {
		left := limit + lateBy + p.stoppedFor(c.sent, time.Now()) - time.Since(c.sent)
		timer := time.NewTimer(max(left, time.Millisecond))
		select {
		case <-c.done:
			timer.Stop()
			return true
		case <-p.exited:
			timer.Stop()
			return false
		case <-p.w.stop.Done(): // gone sees to it that the process leaves no call
			timer.Stop()
			return false
		case <-timer.C:
		}
		if left <= 0 {
			p.mu.Lock()
			_, open := p.waiting[c.id]
			p.mu.Unlock()
			if open {
				p.w.fail(c.nonce, "%s has no answer after %v", c, time.Since(c.sent).Round(time.Millisecond))
			}
			return false
		}
	}
}

// stoppedFor is how long the process was stopped, or not read from, in a time.
func (p *agentProc) stoppedFor(from, to time.Time) (sum time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.spans {
		begin, end := s.from, s.to
		if end.IsZero() || end.After(to) {
			end = to
		}
		if begin.Before(from) {
			begin = from
		}
		sum += max(end.Sub(begin), 0)
	}
	return sum
}

// halt notes that the process is stopped, or not read from, until resume.
func (p *agentProc) halt() (resume func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := len(p.spans)
	p.spans = append(p.spans, span{from: time.Now()})
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.spans[i].to = time.Now()
	}
}

// freeze stops the process until the function it returns is called.
func (p *agentProc) freeze() (thaw func()) {
	resume := p.halt()
	_ = p.cmd.Process.Signal(syscall.SIGSTOP)
	return sync.OnceFunc(func() {
		_ = p.cmd.Process.Signal(syscall.SIGCONT)
		resume()
	})
}

// mute makes the agent read no more until the function it returns is called.
func (p *agentProc) mute() (unmute func()) {
	resume := p.halt()
	c := make(chan struct{})
	p.mu.Lock()
	p.muted = c
	p.mu.Unlock()
	return sync.OnceFunc(func() {
		p.mu.Lock()
		p.muted = nil
		p.mu.Unlock()
		close(c)
		resume()
	})
}

// end ends the process: by "SIGKILL", "SIGTERM" or "end of input".
func (p *agentProc) end(how string) {
	p.mu.Lock()
	again := p.ended != ""
	if !again {
		p.ended, p.endedAt = how, time.Now()
	}
	p.mu.Unlock()
	if again {
		return
	}
	p.w.note("%s (pid %d): %s", p.name, p.cmd.Process.Pid, how)
	switch how {
	case "SIGKILL":
		_ = p.cmd.Process.Kill()
	case "SIGTERM":
		_ = p.cmd.Process.Signal(syscall.SIGTERM)
	case "SIGQUIT":
		_ = p.cmd.Process.Signal(syscall.SIGQUIT)
	default:
		p.writing.Lock() // a call is written whole
		_ = p.stdin.Close()
		p.writing.Unlock()
	}
}

// gone checks how the process has ended.
func (p *agentProc) gone() {
	close(p.exited)
	w := p.w
	p.mu.Lock()
	defer p.mu.Unlock()
	at := time.Now()
	w.note("%s (pid %d): ended, %v", p.name, p.cmd.Process.Pid, p.cmd.ProcessState)
	_ = p.stdin.Close()
	w.mu.Lock()
	delete(w.procs, p)
	w.mu.Unlock()
	if data, err := os.ReadFile(p.log); err == nil && bytes.Contains(data, []byte("DATA RACE")) {
		w.fail("", "%s has a data race:\n%s", p.name, data[bytes.Index(data, []byte("DATA RACE")):])
	}
	stopped := time.Duration(0)
	for _, s := range p.spans {
		if s.to.IsZero() || s.to.After(p.endedAt.Add(-time.Second)) {
			stopped += time.Second
		}
	}
	switch p.ended {
	case "":
		w.fail("", "%s ended by itself: %v", p.name, p.cmd.ProcessState)
	case "SIGTERM", "end of input":
		took := at.Sub(p.endedAt)
		if stopped == 0 {
			w.exits.add(took)
			if took > time.Second+lateBy {
				w.fail("", "%s took %v to end", p.name, took)
			}
		}
		if code := p.cmd.ProcessState.ExitCode(); code != 0 {
			w.fail("", "%s ended with %v after %s", p.name, p.cmd.ProcessState, p.ended)
		}
		// What it had read it has answered.
		for _, c := range p.waiting {
			read := p.ended == "end of input" || c.sent.Before(p.endedAt.Add(-time.Second))
			if read && stopped == 0 && c.cancelled.IsZero() && c.sent.Before(p.endedAt) {
				w.fail(c.nonce, "%s was not answered before the process ended (%s)", c, p.ended)
			}
		}
	}
}

// occupy keeps the seat taken until the run is over, and its agents busy.
func (s *seat) occupy() {
	for n := 1; !s.w.over(); n++ {
		p, err := s.w.start(s, fmt.Sprintf("agent%d.%d", s.number, n), s.port)
		if err != nil {
			s.w.fail("", "cannot start a process: %v", err)
			return
		}
		s.mu.Lock()
		s.proc = p
		s.mu.Unlock()
		var callers sync.WaitGroup
		for i := range 3 {
			r := s.w.chance(uint64(s.number), uint64(n), uint64(i))
			callers.Go(func() { s.callOften(p, r) })
		}
		callers.Wait()
		if !s.w.over() {
			<-p.exited
		}
		s.mu.Lock()
		s.proc = nil
		s.mu.Unlock()
	}
}

func (s *seat) present() *agentProc {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.proc
}

// watch calls heard once, when the next call of this seat that is sent from now
// on has succeeded, with the time until then and the process that it was of.
func (s *seat) watch(heard func(took time.Duration, by *agentProc)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.since, s.heard = time.Now(), heard
}

func (s *seat) succeeded(c *chaosCall) {
	s.mu.Lock()
	heard, since := s.heard, s.since
	if heard != nil && !c.sent.Before(since) {
		s.heard = nil
	} else {
		heard = nil
	}
	s.mu.Unlock()
	if heard != nil {
		heard(c.reply.at.Sub(since), c.proc)
	}
}

// callOften makes one call after the other until the process or the run ends.
func (s *seat) callOften(p *agentProc, r *rand.Rand) {
	for !s.w.over() {
		select {
		case <-p.exited:
			return
		case <-time.After(time.Duration(r.ExpFloat64() * float64(s.w.pace))):
		}
		c := s.call(p, s.choose(r))
		if r.IntN(40) == 0 {
			select {
			case <-c.done:
			case <-p.exited:
			case <-time.After(time.Duration(r.IntN(60)) * time.Millisecond):
				p.cancel(c)
				s.w.count(&s.w.cancels)
				continue
			}
		}
		if !p.await(c, c.limit()) {
			if s.w.over() {
				return
			}
			continue
		}
		if r.IntN(2) == 0 {
			p.readOn(c)
		}
	}
}

// readOn reads the pages of a large answer.
func (p *agentProc) readOn(c *chaosCall) {
	read := c.rest.ShownBytes
	for n := 2; n <= c.rest.Pages; n++ {
		uri := strings.Replace(c.rest.Next, "page=2", fmt.Sprintf("page=%d", n), 1)
		page := p.request("resources/read", map[string]any{"uri": uri}, &chaosCall{nonce: c.nonce, script: "page"})
		if !p.await(page, chaosQuick) || page.reply.Error != nil {
			return
		}
		var r struct{ Contents []struct{ Text string } }
		if json.Unmarshal(page.reply.Result, &r) != nil || len(r.Contents) != 1 {
			p.w.fail(c.nonce, "%s: page %d is %.200s", c, n, page.reply.Result)
			return
		}
		read += len(pageText(r.Contents[0].Text))
	}
	if read != c.rest.FullBytes {
		p.w.fail(c.nonce, "%s: of %d bytes %d could be read", c, c.rest.FullBytes, read)
	}
}

func (s *seat) call(p *agentProc, c *chaosCall) *chaosCall {
	s.mu.Lock()
	s.next++
	number := s.next
	s.mu.Unlock()
	nonce := sealed(fmt.Sprintf("N%d-%d-%s", s.number, number, c.script))
	c.fill(nonce)
	params := map[string]any{"name": c.tool.Name, "arguments": c.arguments}
	if strings.HasPrefix(c.script, "progress") {
		params["_meta"] = map[string]any{"progressToken": nonce}
	}
	return p.request("tools/call", params, c)
}
