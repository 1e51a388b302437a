//go:build unix

package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// fault is one row of TestFaults.
type fault struct {
	name string
	make func(t *testing.T) scene
	// duration is how long a call takes, in seconds.
	duration float64
	// timeout of an attempt.
	timeout time.Duration
	// code is what each call has to end with; "" for a success.
	code string
	// attempts that a call that fails has to take.
	attempts int
}

// scene is a server, and what happens to it in each round of calls.
type scene struct {
	target Target
	// begin comes before the calls of a round, if set.
	begin func()
	// strike comes while all of them are under way, if set, and returns when the
	// fault is over.
	strike func()
}

// atOnce is the largest number of calls that one strike hits.
const atOnce = 200

// TestFaults calls the official server from npm while it is killed, frozen and
// restarted in the middle of each call, and while a proxy before it answers with
// errors, by the default schedule: three attempts, 1 s and 2 s apart.
// GITNEXUS_FAULTS=1000 makes as many calls for each kind of fault, with the default
// time limit of an attempt where that matters.
func TestFaults(t *testing.T) {
	needEverything(t)
	calls, impatient := 40, 10*time.Second
	if s := os.Getenv("GITNEXUS_FAULTS"); s != "" {
		var err error
		if calls, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
		impatient = DefaultTimeout
	}
	const long, short, patient = 3, 0.2, time.Minute
	rows := []string{"", "| fault | calls | succeed | attempts | median | slowest |", "| --- | --- | --- | --- | --- | --- |"}
	for _, f := range []fault{
		{"stdio: server killed", stdioServer(syscall.SIGKILL), long, patient, "", 0},
		{"stdio: server told to end", stdioServer(syscall.SIGTERM), long, patient, "", 0},
		{"stdio: server frozen", stdioServer(syscall.SIGSTOP), long, impatient, "", 0},
		{"HTTP: server killed, another one there after 1 s", restartedServer(syscall.SIGKILL), long, patient, "", 0},
		{"HTTP: server told to end, another one there after 1 s", restartedServer(syscall.SIGTERM), long, patient, "", 0},
		{"HTTP: server frozen for longer than an attempt", frozenServer(impatient + time.Second), long, impatient, "", 0},
		{"HTTP: proxy answers 429 with Retry-After, once", proxied(status(http.StatusTooManyRequests), 1), short, patient, "", 0},
		{"HTTP: proxy answers 503, twice", proxied(status(http.StatusServiceUnavailable), 2), short, patient, "", 0},
		{"HTTP: proxy cuts the answer off, once", proxied(cutOff, 1), short, patient, "", 0},
		{"HTTP: proxy answers 503, always", proxied(status(http.StatusServiceUnavailable), 3), short, patient, CodeOverloaded, 3},
		{"HTTP: server unreachable for longer than the schedule", unreachableServer, long, patient, CodeLink, 3},
		{"HTTP: proxy answers garbage", proxied(garbage, 1), short, patient, CodeInternal, 1},
	} {
		i := len(rows)
		rows = append(rows, "")
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			rows[i] = f.run(t, calls)
		})
	}
	t.Cleanup(func() { t.Log(strings.Join(rows, "\n")) }) // after the parallel ones
}

// run makes the calls, in rounds, and returns the row of the table. A call that
// succeeds at its first attempt was answered before the strike, and is made up for.
func (f fault) run(t *testing.T, calls int) string {
	var mu sync.Mutex
	var times []time.Duration
	attempts, succeeded, right := 0, 0, 0
	begun := make(chan struct{}, 1<<16)
	s := f.make(t)
	c := connect(t, s.target, Options{
		Timeout: f.timeout, Idempotent: idempotent, OnProgress: func(float64, float64, string) { begun <- struct{}{} },
		OnOutcome: func(o Outcome) {
			mu.Lock()
			defer mu.Unlock()
			if s.strike != nil && o.Err == nil && o.Attempts == 1 {
				return
			}
			attempts += o.Attempts
			times = append(times, o.Duration)
			if o.Err == nil {
				succeeded++
			}
			if o.Err == nil && f.code == "" || o.Err != nil && o.Err.Code == f.code && o.Err.Attempts == f.attempts {
				right++
			} else {
				t.Logf("a call ended with %v", o.Err)
			}
		},
	})
	made := 0
	for left := calls; left > 0; left = calls - len(times) {
		if s.begin != nil {
			s.begin()
		}
		for len(begun) > 0 {
			<-begun
		}
		var all sync.WaitGroup
		for range min(left, atOnce) {
			made++
			// The server ignores "call", by which the proxy tells calls apart.
			args := map[string]any{"duration": f.duration, "steps": 2, "call": made}
			all.Go(func() {
				result, err := c.CallTool(t.Context(), "trigger-long-running-operation", args)
				if err == nil && !strings.HasPrefix(result.Content[0].(mcp.TextContent).Text, "Long running operation completed.") {
					t.Errorf("%+v", result)
				}
			})
		}
		if s.strike != nil {
			for range min(left, atOnce) {
				<-begun // each call reports its half
			}
			s.strike()
		}
		all.Wait()
	}
	if right*100 < calls*99 {
		t.Errorf("%d of %d calls ended as they should", right, calls)
	}
	slices.Sort(times)
	return fmt.Sprintf("| %s | %d | %.1f %% | %.2f | %.1f s | %.1f s |", f.name, calls, 100*float64(succeeded)/float64(calls),
		float64(attempts)/float64(calls), times[len(times)/2].Seconds(), times[len(times)-1].Seconds())
}

func signal(t *testing.T, p *os.Process, s syscall.Signal) {
	if err := p.Signal(s); err != nil {
		t.Error(err)
	}
}

// stdioServer is hit by a signal. The client starts another one.
func stdioServer(s syscall.Signal) func(t *testing.T) scene {
	return func(t *testing.T) scene {
		var started children
		return scene{target: overStdio(&started), strike: func() { signal(t, started.last(), s) }}
	}
}

// restartedServer ends by a signal; nothing listens for a second, then another one.
func restartedServer(sig syscall.Signal) func(t *testing.T) scene {
	return func(t *testing.T) scene {
		f, port := newFront(t), freePort(t)
		cmd := overHTTP(t, port)
		f.to.Store(int64(port))
		var spare *exec.Cmd
		return scene{
			target: f.target(),
			begin: func() {
				port = freePort(t)
				spare = overHTTP(t, port)
			},
			strike: func() {
				f.down()
				signal(t, cmd.Process, sig)
				_ = cmd.Wait()
				time.Sleep(time.Second)
				f.to.Store(int64(port))
				f.up()
				cmd = spare
			},
		}
	}
}

func frozenServer(d time.Duration) func(t *testing.T) scene {
	return func(t *testing.T) scene {
		port := freePort(t)
		cmd := overHTTP(t, port)
		return scene{target: URL(fmt.Sprintf("http://127.0.0.1:%d/mcp", port), nil), strike: func() {
			signal(t, cmd.Process, syscall.SIGSTOP)
			time.Sleep(d)
			signal(t, cmd.Process, syscall.SIGCONT)
		}}
	}
}

func unreachableServer(t *testing.T) scene {
	f, port := newFront(t), freePort(t)
	overHTTP(t, port)
	f.to.Store(int64(port))
	return scene{target: f.target(), strike: f.down, begin: f.up}
}

// front passes connections on to a server, while it is up.
type front struct {
	t    *testing.T
	port int
	to   atomic.Int64 // the server's port

	mu       sync.Mutex
	listener net.Listener // nil while it is down
	open     []net.Conn
}

func newFront(t *testing.T) *front {
	f := &front{t: t, port: freePort(t)}
	f.up()
	t.Cleanup(f.down)
	return f
}

func (f *front) target() Target { return URL(fmt.Sprintf("http://127.0.0.1:%d/mcp", f.port), nil) }

func (f *front) up() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.listener != nil {
		return
	}
	l, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", f.port))
	if err != nil {
		f.t.Fatal(err)
	}
	f.listener = l
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			go f.pass(from)
		}
	}()
}

func (f *front) pass(from net.Conn) {
	to, err := net.Dial("tcp4", fmt.Sprintf("127.0.0.1:%d", f.to.Load()))
	if err != nil {
		_ = from.Close()
		return
	}
	f.mu.Lock()
	f.open = append(f.open, from, to)
	f.mu.Unlock()
	go func() {
		_, _ = io.Copy(to, from)
		_ = to.Close()
	}()
	_, _ = io.Copy(from, to)
	_ = from.Close()
}

// down refuses connections from now on, and closes those that are open.
func (f *front) down() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.listener == nil {
		return
	}
	_ = f.listener.Close()
	f.listener = nil
	for _, conn := range f.open {
		_ = conn.Close()
	}
	f.open = nil
}

// proxied is a server behind a proxy that answers, instead of it, the given
// number of attempts of each call.
func proxied(answer http.HandlerFunc, attempts int) func(t *testing.T) scene {
	return func(t *testing.T) scene {
		port := freePort(t)
		overHTTP(t, port)
		to := &httputil.ReverseProxy{
			Rewrite: func(r *httputil.ProxyRequest) {
				r.SetURL(&url.URL{Scheme: "http", Host: fmt.Sprintf("127.0.0.1:%d", port)})
			},
			FlushInterval: -1,
			ErrorHandler:  func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
		}
		var mu sync.Mutex
		answered := map[int]int{} // attempts of each call
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			var call struct {
				Method string
				Params struct{ Arguments struct{ Call int } }
			}
			_ = json.Unmarshal(body, &call) // what is no call is passed on
			mu.Lock()
			hit := call.Method == "tools/call" && answered[call.Params.Arguments.Call] < attempts
			if hit {
				answered[call.Params.Arguments.Call]++
			}
			mu.Unlock()
			if hit {
				answer(w, r)
				return
			}
			to.ServeHTTP(w, r)
		}))
		t.Cleanup(web.Close)
		return scene{target: URL(web.URL+"/mcp", nil)}
	}
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "1")
		http.Error(w, "not now", code)
	}
}

func garbage(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, "<html>Sign in to the network")
}

func cutOff(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\"")
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}
