package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// partsPage are a scripted page's answers in parts, as docs/protocol.md has
// them: each from a goroutine of its own, as far ahead as the hub said.
type partsPage struct {
	mu    sync.Mutex
	ahead int
	taken map[uint32]chan int
}

// answer sends head and body as one, and returns once the hub has it.
func (a *partsPage) answer(p *page, head, body []byte) {
	size := len(head) + len(body)
	a.mu.Lock()
	number, ahead := uint32(len(a.taken)+1), a.ahead
	taken := make(chan int, size/(64<<10)+1)
	a.taken[number] = taken
	a.mu.Unlock()
	for sent, have := 0, 0; have < size; {
		n := min(64<<10, size-sent)
		if n == 0 || sent+n-have > ahead {
			select {
			case have = <-taken:
			case <-p.done:
				return
			}
			continue
		}
		part := binary.LittleEndian.AppendUint32(nil, number)
		part = binary.LittleEndian.AppendUint32(part, uint32(size))
		part = binary.LittleEndian.AppendUint32(part, uint32(sent))
		for at := sent; at < sent+n; {
			piece := head[min(at, len(head)):]
			if len(piece) == 0 {
				piece = body[at-len(head):]
			}
			piece = piece[:min(len(piece), sent+n-at)]
			part = append(part, piece...)
			at += len(piece)
		}
		sent += n
		if p.conn.Write(context.Background(), websocket.MessageBinary, part) != nil {
			return
		}
	}
}

// heard takes what the hub says of them.
func (a *partsPage) heard(m message) {
	var p struct {
		Message uint32
		Bytes   int
		Parts   int
	}
	switch {
	case m.Method == "bridge/taken":
		_ = json.Unmarshal(m.Params, &p)
		a.mu.Lock()
		taken := a.taken[p.Message]
		a.mu.Unlock()
		taken <- p.Bytes
	case string(m.ID) == `"hello"`:
		_ = json.Unmarshal(m.Result, &p)
		a.mu.Lock()
		a.ahead = p.Parts
		a.mu.Unlock()
	}
}

// BenchmarkSmallBesideLarge times small calls of one agent while another gets
// an answer of 64 MB, from its call until it has it, and the same calls alone.
// The hub and both agents' servers are processes of their own. The two are taken
// in turns, so that what else the machine does hits both.
func BenchmarkSmallBesideLarge(b *testing.B) {
	const rounds, calls = 10, 300
	hub := startServer(b, "main")
	hub.initialize()
	large := new(partsPage)
	large.taken = make(map[uint32]chan int)
	body := append(bytes.Repeat([]byte("x"), 64<<20-1000), `"}}}`...)
	var sending sync.WaitGroup
	p := hub.page(func(p *page, m message) {
		if bytes.Contains(m.Params, []byte(`"name":"read"`)) {
			head := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{"structuredContent":{"content":"`, m.ID)
			sending.Go(func() { large.answer(p, head, body) })
			return
		}
		answerArguments(p, m)
	}, large.heard)
	peer := func() *server {
		s := startServer(b, "main", fmt.Sprintf("GITNEXUS_PORT=%d", hub.port))
		s.initialize()
		return s
	}
	greedy, modest := peer(), peer()
	small := func() float64 {
		began := time.Now()
		_, answer := modest.callAsync("search", map[string]any{"query": "x"})
		modest.await(answer)
		return float64(time.Since(began).Microseconds()) / 1e3
	}
	for range calls {
		small() // warm
	}
	for b.Loop() {
		var alone, beside []float64
		for range rounds {
			for range calls {
				alone = append(alone, small())
			}
			_, answer := greedy.callAsync("read", map[string]any{"filePath": "large"})
			var m *message
			for m == nil { // as long as it takes
				beside = append(beside, small())
				select {
				case got := <-answer:
					m = &got
				default:
				}
			}
			if r, e := greedy.understand(*m); r.IsError {
				b.Fatalf("a large answer failed: %+v", e)
			}
		}
		slices.Sort(alone)
		slices.Sort(beside)
		at := func(times []float64, q float64) float64 { return times[int(q*float64(len(times)-1))] }
		b.ReportMetric(at(alone, 0.5), "alone-ms")
		b.ReportMetric(at(alone, 0.99), "alone-p99-ms")
		b.ReportMetric(at(beside, 0.5), "beside-ms")
		b.ReportMetric(at(beside, 0.99), "beside-p99-ms")
		b.ReportMetric(at(beside, 1), "beside-max-ms")
		b.ReportMetric(at(alone, 1), "alone-max-ms")
	}
	p.close()
	sending.Wait()
}
