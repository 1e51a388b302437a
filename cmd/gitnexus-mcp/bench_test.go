package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// echoMain is the floor that the server is compared with: a line from stdin
// becomes a WebSocket message, and the answer a line on stdout. It listens as
// the hub does, and understands nothing. The first to connect is the page; a
// second one, echoPeerMain, is joined with it instead of stdin and stdout.
func echoMain() {
	l, err := net.Listen("tcp4", "127.0.0.1:"+os.Getenv("GITNEXUS_PORT"))
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	var page, peer atomic.Pointer[websocket.Conn]
	_ = http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/challenge" {
			_, _ = io.WriteString(w, `{"nonce":"echo"}`)
			return
		}
		conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
			Subprotocols: []string{"gitnexus.v2"}, InsecureSkipVerify: true, CompressionMode: websocket.CompressionDisabled,
		})
		if err != nil {
			return
		}
		conn.SetReadLimit(-1)
		if to := page.Load(); to != nil {
			peer.Store(conn)
			for {
				_, data, err := conn.Read(ctx)
				if err != nil {
					return
				}
				_ = to.Write(ctx, websocket.MessageText, data)
			}
		}
		// The scripted page's hello, context and ping, and the answer it waits for.
		for range 3 {
			_, _, _ = conn.Read(ctx)
		}
		page.Store(conn)
		_ = conn.Write(ctx, websocket.MessageText, []byte(`{"jsonrpc":"2.0","id":"ready","result":{}}`))
		go linesToMessages(conn)
		for out := bufio.NewWriter(os.Stdout); ; {
			_, data, err := conn.Read(ctx)
			if err != nil {
				return
			}
			if to := peer.Load(); to != nil {
				_ = to.Write(ctx, websocket.MessageText, data)
				continue
			}
			_, _ = out.Write(append(data, '\n'))
			_ = out.Flush()
		}
	}))
}

// echoPeerMain is the floor for a peer: it copies between stdin, stdout and the
// echo that holds the port.
func echoPeerMain() {
	ctx := context.Background()
	conn, _, err := websocket.Dial(ctx, "ws://127.0.0.1:"+os.Getenv("GITNEXUS_PORT")+"/", &websocket.DialOptions{CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		panic(err)
	}
	conn.SetReadLimit(-1)
	go linesToMessages(conn)
	for out := bufio.NewWriter(os.Stdout); ; {
		_, data, err := conn.Read(ctx)
		if err != nil {
			return
		}
		_, _ = out.Write(append(data, '\n'))
		_ = out.Flush()
	}
}

func linesToMessages(conn *websocket.Conn) {
	for lines := bufio.NewReader(os.Stdin); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			os.Exit(0)
		}
		_ = conn.Write(context.Background(), websocket.MessageText, line[:len(line)-1])
	}
}

// BenchmarkCall times a call through the whole server, from a line on its stdin
// to a line on its stdout with a scripted page at the other end, against the
// echo in the same run.
func BenchmarkCall(b *testing.B) {
	whole := startServer(b, "main")
	whole.initialize()
	whole.page(answerArguments) // first: it pairs the page, which the echo cannot
	floor := startServer(b, "echo")
	floor.page(answerArguments)
	compareCalls(b, "echo", floor, whole)
}

// BenchmarkPeerCall times a call of a peer, through the hub, against the echo
// with one hop more.
func BenchmarkPeerCall(b *testing.B) {
	hub := startServer(b, "main")
	hub.initialize()
	hub.page(answerArguments) // first: it pairs the page, which the echo cannot
	hubEcho := startServer(b, "echo")
	hubEcho.page(answerArguments)
	floor := startServer(b, "echopeer", fmt.Sprintf("GITNEXUS_PORT=%d", hubEcho.port))
	compareCalls(b, "echo", floor, joinFamily(b, hub.port))
}

// compareCalls reports the median of a call over both, and their ratio. name is
// that of floor.
func compareCalls(b *testing.B, name string, floor, whole *server) {
	const rounds, calls = 31, 200
	args := map[string]any{"query": "authenticate user", "limit": 10}
	median := func(s *server) time.Duration {
		times := make([]time.Duration, calls)
		for i := range times {
			began := time.Now()
			_, answer := s.callAsync("search", args)
			s.await(answer)
			times[i] = time.Since(began)
		}
		slices.Sort(times)
		return times[calls/2]
	}
	median(floor)
	median(whole) // warm
	for b.Loop() {
		// Taken in turns, so that what else the machine does hits both.
		var floors, wholes, ratios []float64
		for range rounds {
			f, w := float64(median(floor)), float64(median(whole))
			floors, wholes, ratios = append(floors, f/1e3), append(wholes, w/1e3), append(ratios, w/f)
		}
		slices.Sort(floors)
		slices.Sort(wholes)
		slices.Sort(ratios)
		b.ReportMetric(floors[rounds/2], name+"-µs")
		b.ReportMetric(wholes[rounds/2], "server-µs")
		b.ReportMetric(ratios[rounds/2], "ratio")
	}
}

// BenchmarkAgents counts the calls a second of several agents together, each
// with a process of its own and four calls at once.
func BenchmarkAgents(b *testing.B) {
	for _, agents := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("agents=%d", agents), func(b *testing.B) {
			const total, atOnce = 6400, 4
			hub := startServer(b, "main")
			hub.initialize()
			hub.page(answerArguments)
			all := []*server{hub}
			for len(all) < agents {
				all = append(all, joinFamily(b, hub.port))
			}
			all = sorted(b, all)
			for b.Loop() {
				began := time.Now()
				var calling sync.WaitGroup
				var good atomic.Int64
				for _, s := range all {
					for range atOnce {
						calling.Go(func() {
							for i := range total / agents / atOnce {
								query := fmt.Sprint("q", i)
								_, answer := s.callAsync("search", map[string]any{"query": query})
								if r, _ := s.understand(s.await(answer)); !r.IsError && strings.Contains(string(r.json()), `"`+query+`"`) {
									good.Add(1)
								}
							}
						})
					}
				}
				calling.Wait()
				if good.Load() != total {
					b.Fatalf("%d of %d calls got their own answer", good.Load(), total)
				}
				b.ReportMetric(total/time.Since(began).Seconds(), "calls/s")
			}
		})
	}
}

// BenchmarkLinks reads what one more link costs the hub in resident memory.
func BenchmarkLinks(b *testing.B) {
	const links = 200
	ctx := context.Background()
	for b.Loop() {
		hub := startServer(b, "main")
		hub.initialize()
		open := func(n int) {
			protocols, err := ownProtocols(ctx, hub.port, "peer")
			if err != nil {
				b.Fatal(err)
			}
			conn, _, err := websocket.Dial(ctx, fmt.Sprintf("ws://127.0.0.1:%d/", hub.port), &websocket.DialOptions{Subprotocols: protocols})
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { _ = conn.CloseNow() })
			hello := fmt.Sprintf(`{"jsonrpc":"2.0","id":"hello","method":"bridge/hello","params":{"role":"peer","version":"t","session":"peer-%d","pid":%d}}`, n, n)
			if err := conn.Write(ctx, websocket.MessageText, []byte(hello)); err != nil {
				b.Fatal(err)
			}
			if _, _, err := conn.Read(ctx); err != nil {
				b.Fatal(err)
			}
		}
		waitUntil(b, "the hub listens", func() bool { return hub.bridge().Role == "hub" })
		open(1)
		before := residentKB(hub.cmd.Process.Pid)
		for n := range links {
			open(n + 2)
		}
		b.ReportMetric(float64(residentKB(hub.cmd.Process.Pid)-before)/links, "KB/link")
	}
}

// BenchmarkBurst makes 2,000 calls, 256 at once, of the server and of the echo in
// turns, and counts the answers.
func BenchmarkBurst(b *testing.B) {
	floor := startServer(b, "echo")
	floor.page(answerArguments)
	whole := startServer(b, "main")
	whole.initialize()
	whole.page(answerArguments)
	burst := func(s *server) float64 {
		const total, atOnce = 2000, 256
		began := time.Now()
		slots := make(chan struct{}, atOnce)
		answered := make(chan bool, total)
		for i := range total {
			slots <- struct{}{}
			_, answer := s.callAsync("search", map[string]any{"query": fmt.Sprint("q", i)})
			go func() {
				result := string(s.await(answer).Result) // of the server, JSON in a text
				answered <- strings.Contains(result, fmt.Sprintf(`"q%d"`, i)) || strings.Contains(result, fmt.Sprintf(`\"q%d\"`, i))
				<-slots
			}()
		}
		good := 0
		for range total {
			if <-answered {
				good++
			}
		}
		if good != total {
			b.Fatalf("%d of %d calls got their own answer", good, total)
		}
		return total / time.Since(began).Seconds()
	}
	burst(floor)
	burst(whole) // warm
	for b.Loop() {
		const rounds = 11
		var floors, wholes, ratios []float64
		for range rounds {
			f, w := burst(floor), burst(whole)
			floors, wholes, ratios = append(floors, f), append(wholes, w), append(ratios, w/f)
		}
		slices.Sort(floors)
		slices.Sort(wholes)
		slices.Sort(ratios)
		b.ReportMetric(floors[rounds/2], "echo-calls/s")
		b.ReportMetric(wholes[rounds/2], "calls/s")
		b.ReportMetric(ratios[rounds/2], "ratio")
	}
}

// BenchmarkStart times a process from its start to its answer to initialize,
// and reads its memory at rest.
func BenchmarkStart(b *testing.B) {
	var times []time.Duration
	var rest []int
	for b.Loop() {
		began := time.Now()
		s := startServer(b, "main")
		s.initialize()
		times = append(times, time.Since(began))
		time.Sleep(300 * time.Millisecond)
		rest = append(rest, residentKB(s.cmd.Process.Pid))
		_ = s.stdin.Close()
		<-s.exited
	}
	slices.Sort(times)
	slices.Sort(rest)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1e3, "ms-to-initialize")
	b.ReportMetric(float64(rest[len(rest)/2])/1024, "MB-at-rest")
}

// residentKB is a process's resident memory, where the system has /proc.
func residentKB(pid int) int {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "VmRSS:" {
			kb, _ := strconv.Atoi(fields[1])
			return kb
		}
	}
	return 0
}
