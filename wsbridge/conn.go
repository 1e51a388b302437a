package wsbridge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/gitnexus/gitnexus-mcp/guard"
)

const (
	// queueLimit is the number of calls and answers that may wait to be
	// written; a sender beyond it waits under its own context.
	queueLimit = 256
	// controlLimit ends a connection whose other side does not read even its
	// pongs and cancels, in bytes of them.
	controlLimit = 4 << 20
	// writeTimeout ends a connection that accepts no bytes for so long.
	writeTimeout = 30 * time.Second
	// closeTimeout bounds the wait for the other side's close frame.
	closeTimeout = 200 * time.Millisecond
)

// Status codes of our own, see docs/protocol.md.
const (
	statusNoHello      websocket.StatusCode = websocket.StatusTryAgainLater
	statusIncompatible websocket.StatusCode = 4001
)

// connError is why a connection ended, as its close frame says it.
type connError struct {
	status websocket.StatusCode
	reason string
	cause  error
	silent bool // the other side did not answer our heartbeats
	// crossed: the other side crossed a bound, see bounds.go.
	crossed bool
}

func (e *connError) Error() string { return e.reason }
func (e *connError) Unwrap() error { return e.cause }

var (
	// errBacklog refuses an answer to a side that leaves too much unread.
	errBacklog = errors.New("the other side leaves too much unread")
	// errStopping ends the connections of a process that stops.
	errStopping = &connError{status: websocket.StatusGoingAway, reason: "gitnexus-mcp is stopping"}
	// errSlow ends a connection whose other side does not read.
	errSlow = &connError{status: websocket.StatusPolicyViolation, reason: "too slow to read", crossed: true}
	// errPeerGone ends a peer's calls when its connection drops. The page is not
	// told to stop: the peer comes back and asks again with the same id.
	errPeerGone = errors.New("the peer's connection dropped")
)

// droppedError says that the connection ended with the request in flight, or
// before it was queued.
type droppedError struct {
	cause  error
	unsent bool // the other side cannot have got the request
}

func (e *droppedError) Error() string { return "the connection dropped: " + e.cause.Error() }
func (e *droppedError) Unwrap() error { return e.cause }

// conn is one authenticated WebSocket, of a page, a peer or the hub, with
// requests in flight both ways. run owns its one reader, one writer and
// heartbeat; all other methods may be called concurrently.
type conn struct {
	// Set once, before run.
	ws        *websocket.Conn
	raw       io.Closer // what ws runs over
	dialect   dialect
	heartbeat time.Duration // 0 or less for none
	report    func(*guard.Panic)
	// handle gets, from the reader and one at a time, the events that the
	// connection does not handle itself.
	handle func(event) error
	// serveCall gets the calls that came in parts, from any goroutine; nil where the
	// other side may not call. Set before it may send parts.
	serveCall func(callEvent)

	pending pending // our requests

	// Owned by the reader.
	greeted    bool // the other side may send more than its hello
	takesParts bool // large messages may come in parts
	inbox      inbox
	memory     *meter // of unfinished messages
	maxNotice  int    // bytes of a message that is no answer; 0 for no limit but MaxMessage

	working chan struct{} // one token for each large answer that is being decoded
	workers sync.WaitGroup

	servingMu sync.Mutex
	serving   map[string]context.CancelCauseFunc // the other side's requests, by id
	servers   sync.WaitGroup

	slots chan struct{} // one token for each call or answer in the queue
	wake  chan struct{} // tells the writer that there is something to write; buffered 1

	mu             sync.Mutex
	queue          []queuedFrame // in the order of sending, so that a cancel never overtakes its call
	outbox         outbox        // large messages that leave in parts
	queuedBytes    int64         // of calls and answers in queue and outbox
	maxQueuedBytes int64         // 0 for no limit
	controlBytes   int           // of control frames in queue

	heard atomic.Bool // something arrived since the last heartbeat
	once  sync.Once
	done  chan struct{} // closed by end
	cause error         // set before done is closed
}

func newConn(ws *websocket.Conn, raw io.Closer, d dialect, opt *Options) *conn {
	ws.SetReadLimit(opt.MaxMessage)
	memory := &meter{limit: linkMessages * opt.MaxMessage, what: "over one link"}
	return &conn{
		ws: ws, raw: raw, dialect: d, heartbeat: opt.Heartbeat, report: opt.Panics.Report,
		inbox: inbox{limit: opt.MaxMessage, memory: memory}, memory: memory, working: make(chan struct{}, maxUnfinished),
		serving: make(map[string]context.CancelCauseFunc),
		slots:   make(chan struct{}, queueLimit), wake: make(chan struct{}, 1), done: make(chan struct{}),
	}
}

// run serves the connection until it or ctx ends, and returns why it ended, after
// reader, writer, heartbeat and the other side's requests have stopped.
func (c *conn) run(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() { c.end(errStopping) })
	defer stop()
	var jobs sync.WaitGroup
	job := func(name string, run func() error) {
		jobs.Go(func() {
			if p := guard.Run(name, c.report, func() { c.end(run()) }); p != nil {
				c.end(&connError{status: websocket.StatusInternalError, reason: p.Error()})
			}
		})
	}
	job("connection reader", c.read)
	job("connection writer", c.write)
	job("connection heartbeat", c.beat)
	<-c.done
	c.pending.end(&droppedError{cause: c.cause}) // at once: closing takes a moment
	c.close()
	jobs.Wait()
	c.workers.Wait()
	c.memory.releaseAll()
	c.endServing()
	return c.cause
}

// endServing ends the other side's requests, and waits for that.
func (c *conn) endServing() {
	c.servingMu.Lock()
	for _, cancel := range c.serving {
		cancel(errPeerGone)
	}
	c.servingMu.Unlock()
	c.servers.Wait()
}

// end ends the connection. The first reason stays.
func (c *conn) end(err error) {
	c.once.Do(func() {
		c.cause = err
		close(c.done)
	})
}

func (c *conn) ended() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// close says goodbye and cuts the connection, whatever the other side does.
func (c *conn) close() {
	status, reason := websocket.StatusGoingAway, "the connection ended"
	if e, ok := errors.AsType[*connError](c.cause); ok {
		status, reason = e.status, e.reason
	}
	// Once it has begun, Close takes up to ten seconds, and CloseNow waits for it.
	timer := time.AfterFunc(closeTimeout, func() { _ = c.raw.Close() })
	defer timer.Stop()
	_ = c.ws.Close(status, clip(reason, 120)) // a longer reason would mean no close frame at all
	_ = c.ws.CloseNow()
}

// request sends a request and waits for its response. Errors: *droppedError when
// the connection ends first, or the cause of ctx's end; then the other side is
// told to stop. progress, which may be nil and may block, is told of the
// request's progress. release is called once, as soon as the request is no
// longer under way.
func (c *conn) request(ctx context.Context, id string, frame []byte, progress func(progressParams), release func()) (answerEvent, error) {
	call, err := c.pending.add(id, progress != nil, release)
	if err != nil {
		release()
		return answerEvent{}, &droppedError{err, true}
	}
	if err := c.send(ctx, id, frame); err != nil {
		c.pending.forget(id, call)
		if ctx.Err() != nil {
			return answerEvent{}, context.Cause(ctx)
		}
		return answerEvent{}, &droppedError{err, true}
	}
	reports := call.progress
	var again <-chan time.Time
	for {
		select {
		case p := <-reports:
			progress(p)
			reports, again = nil, time.After(progressEvery)
			continue
		case <-again:
			reports, again = call.progress, nil
			continue
		case <-ctx.Done():
			cause := context.Cause(ctx)
			if !errors.Is(cause, errPeerGone) {
				c.cancelRequest(id, cause.Error())
			}
			c.pending.forget(id, call) // after the cancel: the next call in the slot is sent at once
			return answerEvent{}, cause
		case o := <-call.settled:
			for len(call.progress) > 0 { // it came before the answer
				progress(<-call.progress)
			}
			return o.answer, o.err
		}
	}
}

// cancelRequest tells the other side to stop a request of ours.
func (c *conn) cancelRequest(id, reason string) {
	frame := c.dialect.cancel(id, reason)
	c.mu.Lock()
	held, freed := c.outbox.cancel(id, frame)
	c.queuedBytes -= int64(freed)
	c.mu.Unlock()
	if !held {
		c.control(frame)
	}
}

// serve answers a request of the other side in a goroutine of its own, with the
// frame that do returns; nil answers nothing. A second request with the id of
// one that is being served is ignored: answering twice would break the other
// side's bookkeeping.
func (c *conn) serve(id string, timeout time.Duration, do func(ctx context.Context) []byte) {
	ctx, cancelTimeout := context.WithTimeout(context.Background(), timeout)
	ctx, cancel := context.WithCancelCause(ctx)
	c.servingMu.Lock()
	_, twice := c.serving[id]
	if !twice {
		c.serving[id] = cancel
	}
	c.servingMu.Unlock()
	if twice {
		cancel(nil)
		cancelTimeout()
		return
	}
	c.servers.Go(func() {
		defer cancelTimeout()
		defer cancel(nil)
		var answer []byte
		if p := guard.Run("peer's call", c.report, func() { answer = do(ctx) }); p != nil {
			answer = encodeError(id, encodePeerError(p))
		}
		c.servingMu.Lock()
		delete(c.serving, id)
		c.servingMu.Unlock()
		if answer == nil {
			return
		}
		// Sending waits for room, and no longer than the connection lives.
		if c.send(context.Background(), "", answer) == errBacklog {
			c.control(encodeError(id, encodePeerError(&ToolError{Retryable: true, Message: fmt.Sprintf(
				"The answer was thrown away: %d MB of answers wait already for this server to read them. Ask again.",
				c.maxQueuedBytes>>20)})))
		}
	})
}

// cancel ends a request of the other side that is being served.
func (c *conn) cancel(id string) {
	c.servingMu.Lock()
	cancel := c.serving[id]
	c.servingMu.Unlock()
	if cancel != nil {
		cancel(context.Canceled)
	}
}

// beat asks for a sign of life every heartbeat. Any message counts as one. Two
// heartbeats in a row without one end the connection.
func (c *conn) beat() error {
	if c.heartbeat <= 0 {
		<-c.done
		return c.cause
	}
	tick := time.NewTicker(c.heartbeat)
	defer tick.Stop()
	for n, missed := 1, 0; ; n++ {
		select {
		case <-c.done:
			return c.cause
		case <-tick.C:
		}
		// The first tick asks for the first time.
		if c.heard.Swap(false) || n == 1 {
			missed = 0
		} else {
			missed++
		}
		if missed == 2 {
			return &connError{
				status: websocket.StatusGoingAway,
				reason: "no answer to two heartbeats in " + (2 * c.heartbeat).String() + ": the other side is frozen or gone",
				silent: true,
			}
		}
		c.dialect.ping(c, n)
	}
}

// pingV2 sends a ping request; whatever arrives next answers it.
func pingV2(c *conn, n int) { c.control(encode("ping-"+strconv.Itoa(n), methodPing, nil)) }

// pingV1 pings below the messages, since that dialect has no ping of its own.
func pingV1(c *conn, _ int) {
	ctx, cancel := context.WithTimeout(context.Background(), c.heartbeat)
	defer cancel()
	if c.ws.Ping(ctx) == nil {
		c.heard.Store(true)
	}
}
