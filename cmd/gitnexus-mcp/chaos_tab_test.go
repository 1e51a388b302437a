//go:build unix

package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/gitnexus/gitnexus-mcp/reconnect"
)

// tab is one load of the page: what it remembers goes with it.
type tab struct {
	page    *chaosPage
	session string
	ctx     context.Context
	close   context.CancelFunc
	running sync.WaitGroup

	mu      sync.Mutex
	link    *tabLink // nil while there is none
	calls   map[string]*tabCall
	answers map[string]tabAnswer
	order   []string // of answers, the oldest first
	bytes   int      // of answers
	ran     map[string]int
}

type tabAnswer struct {
	frame string
	until time.Time
}

// tabCall is a call that is not answered yet.
type tabCall struct {
	id     string
	ctx    context.Context // ends when nobody waits any more
	cancel context.CancelFunc
	timer  *time.Timer
	link   *tabLink // nil while the one it came by is gone
	token  string   // for progress
}

// tabLink is one WebSocket. Like a browser's, its send never blocks.
type tabLink struct {
	conn *websocket.Conn
	wake chan struct{}

	mu      sync.Mutex
	queue   []string
	window  int // how far ahead the hub lets us be with a message in parts; 0: it takes none
	numbers uint32
	parts   []*inParts
}

// inParts is a large answer on its way.
type inParts struct {
	number      uint32
	data        string
	sent, taken int
}

// live keeps the tab connected by the page's schedule until it is closed.
func (t *tab) live() {
	p := t.page
	for t.ctx.Err() == nil {
		began := time.Now()
		cause := t.connect()
		p.mu.Lock()
		wait := reconnect.Backoff{Base: 10 * time.Millisecond}.Delay(6 - p.hasty)
		if p.hasty > 0 {
			p.hasty--
		} else {
			wait = reconnect.Backoff{}.Delay(p.step)
			p.step++
		}
		if p.downAt.IsZero() {
			p.downAt = time.Now()
		}
		p.mu.Unlock()
		if t.ctx.Err() == nil {
			p.w.note("%s: no link (%v), again in %v", t.session, cause, wait.Round(time.Millisecond))
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-p.kick:
			select {
			case <-time.After(time.Until(began.Add(pageFloor))):
			case <-timer.C:
			case <-t.ctx.Done():
			}
		case <-t.ctx.Done():
		}
		timer.Stop()
	}
}

// connect is one link, from dialling to its end.
func (t *tab) connect() error {
	p := t.page
	ctx, cancel := context.WithTimeout(t.ctx, pageOpen)
	defer cancel()
	opt := &websocket.DialOptions{
		Host:       p.w.hubHost(),
		HTTPClient: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}},
	}
	if p.v1 {
		opt.HTTPHeader = http.Header{"Origin": {chaosOrigin}}
	} else {
		var err error
		if opt.Subprotocols, err = proofProtocols(ctx, p.w.pageWay.addr(), p.w.port, "page"); err != nil {
			return err
		}
	}
	conn, _, err := websocket.Dial(ctx, "ws://"+p.w.pageWay.addr()+"/", opt)
	if err != nil {
		return err
	}
	conn.SetReadLimit(-1)
	l := &tabLink{conn: conn, wake: make(chan struct{}, 1)}
	over, end := context.WithCancel(t.ctx)
	var writer sync.WaitGroup
	writer.Go(func() { l.write(over) })
	defer func() {
		t.detach(l)
		_ = conn.CloseNow()
		end()
		writer.Wait()
	}()
	if p.v1 {
		l.send(fmt.Sprintf(`{"id":"c1","type":"context","params":{"projectName":%q,"stats":{"fileCount":2}}}`, p.repo))
		return t.serveV1(l)
	}
	l.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"hello","method":"bridge/hello","params":{"role":"page","version":"chaos","session":%q}}`, t.session))

	// limit ends the link when nothing is heard for so long.
	limit := time.AfterFunc(pageHello, func() { _ = conn.CloseNow() })
	defer limit.Stop()
	var heartbeat time.Duration
	frames := make(chan []byte)
	failed := make(chan error, 1)
	writer.Go(func() {
		for {
			_, data, err := conn.Read(context.Background())
			if err != nil {
				failed <- err
				return
			}
			select {
			case frames <- data:
			case <-over.Done():
				return
			}
		}
	})
	for {
		var data []byte
		select {
		case data = <-frames:
		case err := <-failed:
			return err
		case <-p.kick:
			if heartbeat > 0 {
				l.send(`{"jsonrpc":"2.0","id":"ping-1","method":"ping"}`)
				limit.Reset(pageProbe)
			}
			continue
		case <-t.ctx.Done():
			_ = conn.Close(websocket.StatusGoingAway, "") // as a browser does it
			return t.ctx.Err()
		}
		if heartbeat > 0 {
			limit.Reset(heartbeat * 5 / 2)
		}
		var f struct {
			ID, Method string
			Result     struct {
				PID         int
				HeartbeatMS int
				Parts       int
			}
			Params json.RawMessage
		}
		if err := json.Unmarshal(data, &f); err != nil {
			_ = conn.Close(4007, "not JSON")
			return fmt.Errorf("the hub sent %.80q: %w", data, err)
		}
		switch {
		case f.Method == "tools/call" && heartbeat > 0:
			var c callParams
			if err := json.Unmarshal(f.Params, &c); err != nil {
				_ = conn.Close(4007, "not a call")
				return fmt.Errorf("the hub sent %.120q: %w", data, err)
			}
			t.call(l, f.ID, c)
		case f.Method == "notifications/cancelled" && heartbeat > 0:
			var c struct{ RequestID string }
			_ = json.Unmarshal(f.Params, &c)
			t.abandon(c.RequestID, "cancelled by the hub")
		case f.Method == "bridge/taken" && heartbeat > 0:
			if !l.taken(f.Params) {
				_ = conn.Close(4008, "taken of nothing")
				return fmt.Errorf("the hub has taken what was not sent: %.120q", data)
			}
		case f.Method == "bridge/handover" && heartbeat > 0:
			_ = conn.Close(websocket.StatusNormalClosure, "handed over")
			p.mu.Lock()
			p.hasty = 6
			p.mu.Unlock()
			return errors.New("the hub has handed over")
		case f.Method == "ping":
			l.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{}}`, quoted(f.ID)))
		case f.Method == "bridge/agents" || f.Method == "" && strings.HasPrefix(f.ID, "ping-"):
		case f.Method == "" && f.ID == "hello" && heartbeat == 0 && f.Result.HeartbeatMS > 0:
			heartbeat = time.Duration(f.Result.HeartbeatMS) * time.Millisecond
			limit.Reset(heartbeat * 5 / 2)
			l.window = f.Result.Parts // before anything large is sent
			t.welcomed(l, f.Result.PID)
			defer func(since time.Time) {
				if time.Since(since) >= pageStable {
					p.rest()
				}
			}(time.Now())
		default:
			_ = conn.Close(4008, "not of the protocol")
			return fmt.Errorf("the hub sent what a page does not know: %.120q", data)
		}
	}
}

// serveV1 answers calls in the older dialect until the link ends.
func (t *tab) serveV1(l *tabLink) error {
	stop := context.AfterFunc(t.ctx, func() { _ = l.conn.CloseNow() })
	defer stop()
	for {
		_, data, err := l.conn.Read(context.Background())
		if err != nil {
			return err
		}
		var f struct {
			ID, Type, Method string
			Params           json.RawMessage
		}
		if err := json.Unmarshal(data, &f); err != nil {
			return err
		}
		switch {
		case f.Type == "cancel":
			t.abandon(f.ID, "cancelled by the hub")
		case f.Method != "":
			t.call(l, f.ID, callParams{Name: f.Method, Arguments: f.Params, Meta: callMeta{DeadlineMS: time.Hour.Milliseconds()}})
		}
	}
}

func (t *tab) welcomed(l *tabLink, hub int) {
	p := t.page
	p.mu.Lock()
	front := p.front
	p.front, p.hubPID, p.hasty = false, hub, 0
	down := time.Duration(0)
	if !p.downAt.IsZero() {
		down = time.Since(p.downAt)
	}
	p.downAt = time.Time{}
	p.mu.Unlock()
	t.mu.Lock()
	t.link = l
	t.mu.Unlock()
	if front {
		l.send(`{"jsonrpc":"2.0","method":"bridge/front"}`)
	}
	l.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"bridge/context","params":{"context":{"repo":%q,"state":"ready","stats":{"files":2},"indexedAt":1}}}`, p.repo))
	p.w.note("%s: linked to hub %d after %v", t.session, hub, down.Round(time.Millisecond))
	p.w.pageWasDown(p, down)
}

// detach: calls go on without the link.
func (t *tab) detach(l *tabLink) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.link == l {
		t.link = nil
	}
	for _, c := range t.calls {
		if c.link == l {
			c.link = nil
		}
	}
}

func (l *tabLink) send(frame string) {
	l.mu.Lock()
	if l.window > 0 && len(frame) > wholeBytes {
		l.numbers++
		l.parts = append(l.parts, &inParts{number: l.numbers, data: frame})
	} else {
		l.queue = append(l.queue, frame)
	}
	l.mu.Unlock()
	l.nudge()
}

func (l *tabLink) nudge() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// taken notes how much of a message the hub has; false when that cannot be.
func (l *tabLink) taken(raw json.RawMessage) bool {
	var p struct {
		Message uint32
		Bytes   int
	}
	if json.Unmarshal(raw, &p) != nil {
		return false
	}
	defer l.nudge()
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.parts, func(m *inParts) bool { return m.number == p.Message })
	if i < 0 || p.Bytes > l.parts[i].sent || p.Bytes <= l.parts[i].taken {
		return false
	}
	l.parts[i].taken = p.Bytes
	if p.Bytes == len(l.parts[i].data) {
		l.parts = slices.Delete(l.parts, i, i+1)
	}
	return true
}

// part is the next part to send of the four messages that may be under way;
// nil when the hub has to catch up first.
func (l *tabLink) part() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, m := range l.parts[:min(len(l.parts), 4)] {
		n := min(partBytes, len(m.data)-m.sent)
		if n == 0 || m.sent+n-m.taken > l.window {
			continue
		}
		var b []byte
		for _, v := range []int{int(m.number), len(m.data), m.sent} {
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		}
		b = append(b, m.data[m.sent:m.sent+n]...)
		m.sent += n
		if last := min(len(l.parts), 4) - 1; i < last { // the next turn is another's
			l.parts[i], l.parts[last] = l.parts[last], l.parts[i]
		}
		return b
	}
	return nil
}

func (l *tabLink) write(ctx context.Context) {
	for {
		select {
		case <-l.wake:
		case <-ctx.Done():
			return
		}
		for more := true; more; {
			l.mu.Lock()
			batch := l.queue
			l.queue = nil
			l.mu.Unlock()
			for _, frame := range batch {
				if l.conn.Write(ctx, websocket.MessageText, []byte(frame)) != nil {
					return // the reader finds out why
				}
			}
			part := l.part()
			if more = part != nil || len(batch) > 0; part != nil && l.conn.Write(ctx, websocket.MessageBinary, part) != nil {
				return
			}
		}
	}
}
