//go:build unix

package client

import (
	"fmt"
	"io"
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
	// over makes the target whose calls the fault hits, and strike, which returns
	// when the fault is over. strike is called while all calls of a round are under way.
	over func(t *testing.T) (target Target, strike func())
	// timeout of an attempt.
	timeout time.Duration
	// code is what each call has to end with; "" for a success of 99 in 100.
	code string
	// attempts that each call that fails has to take.
	attempts int
}

// atOnce is the number of calls that one strike hits.
const atOnce = 40

// TestFaults calls the official server from npm while it is killed, frozen and
// restarted in the middle of each call, and while a proxy before it answers with
// errors, by the default schedule: three attempts, 1 s and 2 s apart.
// GITNEXUS_FAULTS=1000 makes as many calls for each kind of fault.
func TestFaults(t *testing.T) {
	needEverything(t)
	calls := atOnce
	if s := os.Getenv("GITNEXUS_FAULTS"); s != "" {
		var err error
		if calls, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	rows := []string{"", "| fault, in the middle of every call | calls | succeed | as they should | attempts | median | slowest |", "| --- | --- | --- | --- | --- | --- | --- |"}
	for _, f := range []fault{
		{name: "stdio: server killed", over: stdioServer(syscall.SIGKILL), timeout: 20 * time.Second},
		{name: "stdio: server told to end", over: stdioServer(syscall.SIGTERM), timeout: 20 * time.Second},
		{name: "stdio: server frozen", over: stdioServer(syscall.SIGSTOP), timeout: 5 * time.Second},
		{name: "HTTP: server killed, and started again", over: restartedServer(syscall.SIGKILL), timeout: 20 * time.Second},
		{name: "HTTP: server told to end, and started again", over: restartedServer(syscall.SIGTERM), timeout: 20 * time.Second},
		{name: "HTTP: server frozen for longer than an attempt", over: frozenServer(6 * time.Second), timeout: 5 * time.Second},
		{name: "HTTP: proxy answers 429 with Retry-After, once", over: proxied(status(http.StatusTooManyRequests), 1), timeout: 20 * time.Second},
		{name: "HTTP: proxy answers 503, twice", over: proxied(status(http.StatusServiceUnavailable), 2), timeout: 20 * time.Second},
		{name: "HTTP: proxy cuts the answer off, once", over: proxied(cutOff, 1), timeout: 20 * time.Second},
		{name: "HTTP: proxy answers 503, always", over: proxied(status(http.StatusServiceUnavailable), 1000), timeout: 20 * time.Second, code: CodeOverloaded, attempts: 3},
		{name: "HTTP: server killed for good", over: goneServer, timeout: 20 * time.Second, code: CodeLink, attempts: 3},
		{name: "HTTP: proxy answers garbage", over: proxied(garbage, 1), timeout: 20 * time.Second, code: CodeInternal, attempts: 1},
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

// run makes the calls, in rounds, and returns the row of the table.
func (f fault) run(t *testing.T, calls int) string {
	var attempts atomic.Int64
	var mu sync.Mutex
	var times []time.Duration
	succeeded, right := 0, 0
	for left := calls; left > 0; left -= atOnce {
		target, strike := f.over(t)
		begun := make(chan struct{}, 1000)
		c := connect(t, target, Options{
			Timeout: f.timeout, Idempotent: idempotent,
			OnProgress: func(float64, float64, string) {
				select {
				case begun <- struct{}{}:
				default:
				}
			},
			OnOutcome: func(o Outcome) {
				attempts.Add(int64(o.Attempts))
				mu.Lock()
				defer mu.Unlock()
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
		var all sync.WaitGroup
		round := min(left, atOnce)
		for range round {
			all.Go(func() {
				result, err := c.CallTool(t.Context(), "trigger-long-running-operation", map[string]any{"duration": 1, "steps": 4})
				if err == nil && !strings.HasPrefix(result.Content[0].(mcp.TextContent).Text, "Long running operation completed.") {
					t.Errorf("%+v", result)
				}
			})
		}
		if strike != nil {
			for range round {
				<-begun
			}
			strike()
		}
		all.Wait()
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if right*100 < calls*99 {
		t.Errorf("%d of %d calls ended as they should", right, calls)
	}
	slices.Sort(times)
	return fmt.Sprintf("| %s | %d | %.1f %% | %.1f %% | %.2f | %.1f s | %.1f s |", f.name, calls, 100*float64(succeeded)/float64(calls), 100*float64(right)/float64(calls),
		float64(attempts.Load())/float64(calls), times[len(times)/2].Seconds(), times[len(times)-1].Seconds())
}

// stdioServer is hit by a signal. The client starts another one.
func stdioServer(signal syscall.Signal) func(t *testing.T) (Target, func()) {
	return func(t *testing.T) (Target, func()) {
		var started children
		return overStdio(&started), func() {
			if err := started.last().Signal(signal); err != nil {
				t.Error(err)
			}
		}
	}
}

func httpServer(t *testing.T) (*exec.Cmd, int, Target) {
	port := freePort(t)
	return overHTTP(t, port), port, URL(fmt.Sprintf("http://127.0.0.1:%d/mcp", port), nil)
}

// restartedServer ends by a signal and is started again by who runs it.
func restartedServer(signal syscall.Signal) func(t *testing.T) (Target, func()) {
	return func(t *testing.T) (Target, func()) {
		cmd, port, target := httpServer(t)
		return target, func() {
			if err := cmd.Process.Signal(signal); err != nil {
				t.Error(err)
			}
			_ = cmd.Wait()
			overHTTP(t, port)
		}
	}
}

func frozenServer(d time.Duration) func(t *testing.T) (Target, func()) {
	return func(t *testing.T) (Target, func()) {
		cmd, _, target := httpServer(t)
		return target, func() {
			if err := cmd.Process.Signal(syscall.SIGSTOP); err != nil {
				t.Error(err)
			}
			time.Sleep(d)
			if err := cmd.Process.Signal(syscall.SIGCONT); err != nil {
				t.Error(err)
			}
		}
	}
}

func goneServer(t *testing.T) (Target, func()) {
	cmd, _, target := httpServer(t)
	return target, func() { end(cmd) }
}

// proxied is a server behind a proxy that answers, instead of it, the given
// number of attempts of each call.
func proxied(answer http.HandlerFunc, attempts int) func(t *testing.T) (Target, func()) {
	return func(t *testing.T) (Target, func()) {
		_, port, _ := httpServer(t)
		to := &httputil.ReverseProxy{
			Rewrite: func(r *httputil.ProxyRequest) {
				r.SetURL(&url.URL{Scheme: "http", Host: fmt.Sprintf("127.0.0.1:%d", port)})
			},
			FlushInterval: -1,
			ErrorHandler:  func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
		}
		var answered atomic.Int64
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return
			}
			r.Body = io.NopCloser(strings.NewReader(string(body)))
			// All calls begin at once, so all first attempts come before all second ones.
			if strings.Contains(string(body), `"tools/call"`) && answered.Add(1) <= int64(attempts*atOnce) {
				answer(w, r)
				return
			}
			to.ServeHTTP(w, r)
		}))
		t.Cleanup(web.Close)
		return URL(web.URL+"/mcp", nil), nil
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
