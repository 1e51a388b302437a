package tools

import (
	"encoding/json"
	"math"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/gitnexus/gitnexus-mcp/guard"
)

// ProgressFunc tells an agent how far its call is: done of total, which is nil
// when nobody knows, and the phase in words. It may be called from any goroutine.
type ProgressFunc func(done float64, total *float64, phase string)

// progressEvery is the least time between two reports of one call.
const progressEvery = 250 * time.Millisecond

// progress sends the progress of one call: at most one report every
// progressEvery, the last one always, and with numbers that increase as MCP wants
// it, although each phase of a call counts from 0.
type progress struct {
	// Set once.
	token  json.RawMessage
	notify notifyFunc
	panics func(*guard.Panic)

	mu      sync.Mutex
	base    float64 // what the earlier phases came to
	done    float64 // as reported last
	phase   string
	sent    time.Time // when
	waiting *object   // the report that is sent next; nil for none
}

func newProgress(token json.RawMessage, notify notifyFunc, panics func(*guard.Panic)) *progress {
	return &progress{token: token, notify: notify, panics: panics, done: math.Inf(-1)}
}

// report is a ProgressFunc. A report that says nothing new is left out.
func (p *progress) report(done float64, total *float64, phase string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	reached := p.base + p.done
	if done < p.done || done == p.done && phase != p.phase {
		p.base = math.Floor(reached) + 1 - done
	}
	if p.done, p.phase = done, phase; p.base+done <= reached {
		return
	}
	params := object{}
	params.add("progressToken", p.token)
	params.add("progress", p.base+done)
	if total != nil {
		params.add("total", p.base+*total)
	}
	if phase != "" {
		params.add("message", phase)
	}
	first := p.waiting == nil
	p.waiting = &params
	if wait := progressEvery - time.Since(p.sent); wait <= 0 {
		p.send()
	} else if first {
		time.AfterFunc(wait, func() {
			guard.Run("progress of a call", p.panics, func() {
				p.mu.Lock()
				defer p.mu.Unlock()
				p.send()
			})
		})
	}
}

// send must be called with mu held, so that reports stay in order.
func (p *progress) send() {
	if p.waiting == nil {
		return
	}
	params := *p.waiting
	p.waiting, p.sent = nil, time.Now()
	p.notify(notification{mcp.JSONRPC_VERSION, "notifications/progress", params})
}

type notification struct {
	JSONRPC string `json:"jsonrpc"`
	Method  string `json:"method"`
	Params  any    `json:"params"`
}
