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

	"github.com/gitnexus/gitnexus-mcp/coro"
)

const (
	// queueLimit is the number of calls and answers that may wait to be
	// written; a sender beyond it waits under its own context.
	queueLimit = 256
	// controlLimit ends a link that does not read even its pongs and cancels, in
	// bytes of them.
	controlLimit = 4 << 20
	// writeTimeout ends a link that takes nothing for so long.
	writeTimeout = 30 * time.Second
	// closeTimeout bounds the wait for the other side's close frame.
	closeTimeout = 200 * time.Millisecond
	// keepBuffer is the largest read buffer that is kept for the next message.
	keepBuffer = 4 << 20
)

// Status codes of our own, see docs/protocol.md.
const (
	statusNoHello      websocket.StatusCode = websocket.StatusTryAgainLater
	statusIncompatible websocket.StatusCode = 4001
)

// linkError is why a link ended, as its close frame says it.
type linkError struct {
	status websocket.StatusCode
	reason string
	cause  error
	silent bool // the other side did not answer our heartbeats
}

func (e *linkError) Error() string { return e.reason }
func (e *linkError) Unwrap() error { return e.cause }

// errUnread refuses an answer to a side that leaves too much unread.
var errUnread = errors.New("the other side leaves too much unread")

var errStopping = &linkError{status: websocket.StatusGoingAway, reason: "gitnexus-mcp is stopping"}

// link is one authenticated WebSocket with one reader and one writer. run owns
// both; send, control and end may be called by anybody.
type link struct {
	// Set once.
	conn      *websocket.Conn
	raw       io.Closer // what conn runs over
	heartbeat time.Duration
	ask       func(l *link, n int) // sends the n-th heartbeat, n from 1

	// Owned by the reader, which is one goroutine after the other. answers takes
	// one large answer, beside the reader; nil while the other side may not send one.
	handle   func([]byte) error
	answers  func(data []byte) error
	in       inbox
	relief   *coro.Relief
	readDone chan struct{} // closed when nobody reads any more
	atWork   chan struct{} // holds one token for each run of answers
	workers  sync.WaitGroup

	// unread is what waits to be written, of all but control frames, in bytes;
	// send refuses what would bring it over maxUnread, when that is not 0.
	unread    atomic.Int64
	maxUnread int64

	// The queue: calls and answers hold a slot until they are written, control
	// frames do not. One order for both, so that a cancel never overtakes its call.
	slots chan struct{}
	wake  chan struct{} // buffered 1
	mu    sync.Mutex
	queue []queued
	// controls is what control frames in the queue have together, in bytes.
	controls int
	out      outbox

	socket  chan struct{} // holds one token: who takes it may write
	writing atomic.Int64  // when the direct write under way began, in ns; 0 for none
	partBuf []byte        // owned by whoever holds the socket
	unheard atomic.Int32  // frames written since something arrived, a large one as several

	heard atomic.Bool // something arrived since the last heartbeat
	once  sync.Once
	done  chan struct{} // closed by end
	cause error         // set before done is closed
}

type queued struct {
	frame    []byte
	holdsOne bool // of slots
}

func newLink(conn *websocket.Conn, raw io.Closer, heartbeat time.Duration, maxMessage int64, ask func(*link, int)) *link {
	conn.SetReadLimit(maxMessage)
	l := &link{
		conn: conn, raw: raw, heartbeat: heartbeat, ask: ask, readDone: make(chan struct{}),
		slots: make(chan struct{}, queueLimit), wake: make(chan struct{}, 1), done: make(chan struct{}),
		socket: make(chan struct{}, 1), atWork: make(chan struct{}, maxUnfinished), in: inbox{limit: maxMessage},
	}
	l.relief = coro.NewRelief(l.readOn)
	return l
}

// run reads until the link ends and hands every message to handle, one at a
// time; the slice is handle's to keep. It returns why the link ended, after
// writer and heartbeat have stopped.
func (l *link) run(ctx context.Context, handle func([]byte) error) error {
	var wg sync.WaitGroup
	stop := context.AfterFunc(ctx, func() { l.end(errStopping) })
	defer stop()
	// Writes run under this context, and reads under none: one that ends early
	// would cut the connection before the close frame is out. Close ends a read.
	writing, cut := context.WithCancel(context.WithoutCancel(ctx))
	wg.Go(func() { l.write(writing) })
	wg.Go(l.beat)
	l.handle = handle
	go l.readOn() // it may be held up aside for longer than the link lives
	<-l.done
	l.close()
	cut()
	<-l.readDone
	l.workers.Wait()
	wg.Wait()
	return l.cause
}

// end ends the link. The first reason stays.
func (l *link) end(err error) {
	l.once.Do(func() {
		l.cause = err
		close(l.done)
	})
}

// A frame may be written by the goroutine that sends it, rather than by the
// link's writer, while it is so small and the other side so responsive that the
// system's socket buffers are sure to take it: that saves a hand-over between
// goroutines, which is most of what a call costs here, and nobody blocks.
const (
	directBytes  = 8 << 10
	directFrames = 16
)

// direct writes a frame at once if nothing is in its way. It does not block.
func (l *link) direct(frame []byte) (written bool, err error) {
	if len(frame) > directBytes || l.unheard.Load() >= directFrames || l.stopped() {
		return false, nil
	}
	select {
	case l.socket <- struct{}{}:
	default:
		return false, nil
	}
	defer func() { <-l.socket }()
	l.mu.Lock()
	waiting := len(l.queue) > 0
	l.mu.Unlock()
	if waiting {
		return false, nil
	}
	l.unheard.Add(1)
	l.writing.Store(time.Now().UnixNano())
	err = l.conn.Write(context.Background(), websocket.MessageText, frame)
	l.writing.Store(0)
	if err != nil {
		err = fmt.Errorf("write: %w", err)
		l.end(err)
		return true, err
	}
	return true, nil
}

// send writes a frame, or queues it, waiting for room until ctx ends. A large
// one leaves in parts where the other side takes them. co is what sends it, or
// nil for a goroutine.
func (l *link) send(ctx context.Context, co *coro.Coro, frame []byte) error {
	if written, err := l.direct(frame); written {
		return err
	}
	co.Detach()
	size := int64(len(frame))
	if unread := l.unread.Add(size); l.maxUnread > 0 && unread > l.maxUnread {
		l.unread.Add(-size)
		return errUnread
	}
	if l.takeApart(frame) {
		return nil
	}
	select {
	case l.slots <- struct{}{}:
		return l.push(queued{frame, true})
	case <-l.done:
		return l.cause
	case <-ctx.Done():
		l.unread.Add(-size)
		return context.Cause(ctx)
	}
}

// control queues a small frame at once, or does nothing when frame is nil.
func (l *link) control(frame []byte) {
	if frame != nil {
		_ = l.push(queued{frame, false}) // a dead link needs no control
	}
}

func (l *link) push(q queued) error {
	select {
	case <-l.done:
		return l.cause
	default:
	}
	l.mu.Lock()
	l.queue = append(l.queue, q)
	if !q.holdsOne {
		l.controls += len(q.frame)
	}
	full := l.controls > controlLimit
	l.mu.Unlock()
	if full {
		l.end(&linkError{status: websocket.StatusPolicyViolation, reason: "too slow to read"})
	}
	l.stir()
	return nil
}

// stir tells the writer that there may be something to write.
func (l *link) stir() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *link) write(ctx context.Context) {
	for {
		select {
		case <-l.done:
			return
		case <-l.wake:
		}
		select {
		case <-l.done:
			return
		case l.socket <- struct{}{}:
		}
		err := l.writeQueue(ctx)
		<-l.socket
		if err != nil {
			l.end(fmt.Errorf("write: %w", err))
			return
		}
	}
}

// writeQueue writes what is queued, in order, and a part of what is large after
// it, until there is nothing more to write. The caller holds the socket.
func (l *link) writeQueue(ctx context.Context) error {
	for {
		l.mu.Lock()
		batch := l.queue
		l.queue = nil
		l.mu.Unlock()
		for _, q := range batch {
			if err := l.writeFrame(ctx, websocket.MessageText, q.frame); err != nil {
				return err
			}
			if q.holdsOne {
				<-l.slots
				l.unread.Add(-int64(len(q.frame)))
				continue
			}
			l.mu.Lock()
			l.controls -= len(q.frame)
			l.mu.Unlock()
		}
		l.mu.Lock()
		part := l.out.part(l.partBuf)
		idle := part == nil && len(l.queue) == 0
		l.mu.Unlock()
		if idle {
			return nil
		}
		if part != nil {
			l.partBuf = part
			if err := l.writeFrame(ctx, websocket.MessageBinary, part); err != nil {
				return err
			}
		}
	}
}

func (l *link) writeFrame(ctx context.Context, kind websocket.MessageType, frame []byte) error {
	if l.stopped() {
		return l.cause
	}
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	if err := l.conn.Write(ctx, kind, frame); err != nil {
		return err
	}
	l.unheard.Add(1 + int32(len(frame)/directBytes))
	return nil
}

func (l *link) stopped() bool {
	select {
	case <-l.done:
		return true
	default:
		return false
	}
}

// beat asks for a sign of life every heartbeat. Any message counts as one. Two
// heartbeats in a row without end the link.
func (l *link) beat() {
	if l.heartbeat <= 0 {
		return
	}
	tick := time.NewTicker(l.heartbeat)
	defer tick.Stop()
	for n, missed := 1, 0; ; n++ {
		select {
		case <-l.done:
			return
		case <-tick.C:
		}
		// Only a side that sends and does not read can hold up a direct write.
		if began := l.writing.Load(); began != 0 && time.Since(time.Unix(0, began)) > writeTimeout {
			l.end(&linkError{status: websocket.StatusPolicyViolation, reason: "too slow to read"})
			return
		}
		// The first tick asks for the first time.
		if l.heard.Swap(false) || n == 1 {
			missed = 0
		} else {
			missed++
		}
		if missed < 2 {
			l.ask(l, n)
			continue
		}
		l.end(&linkError{
			status: websocket.StatusGoingAway,
			reason: "no answer to two heartbeats in " + (2 * l.heartbeat).String() + ": the other side is frozen or gone",
			silent: true,
		})
		return
	}
}

// close says goodbye and cuts the connection, whatever the other side does.
func (l *link) close() {
	status, reason := websocket.StatusGoingAway, "the link ended"
	if e, ok := errors.AsType[*linkError](l.cause); ok {
		status, reason = e.status, e.reason
	}
	// Once it has begun, Close takes up to ten seconds, and CloseNow waits for it.
	timer := time.AfterFunc(closeTimeout, func() { _ = l.raw.Close() })
	defer timer.Stop()
	// A longer reason would mean no close frame at all.
	_ = l.conn.Close(status, clip(reason, 120))
	_ = l.conn.CloseNow()
}

// askV2 sends a ping request; whatever arrives next answers it.
func askV2(l *link, n int) { l.control(encode("ping-"+strconv.Itoa(n), methodPing, nil)) }

// askWebSocket pings below the messages, for a dialect that has no ping of its own.
func askWebSocket(l *link, _ int) {
	ctx, cancel := context.WithTimeout(context.Background(), l.heartbeat)
	defer cancel()
	if l.conn.Ping(ctx) == nil {
		l.heard.Store(true)
	}
}
