package events

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Options configures a Log. File is required.
type Options struct {
	// File is the SQLite file. Its folder is made if need be.
	File string
	// Session is put into events that have none.
	Session string
	// MaxAge is how long events are kept. Default 30 days.
	MaxAge time.Duration
	// MaxSize is the size in bytes beyond which the oldest go. Default 50 MB.
	MaxSize int64
	// Redact takes out of an event what the log must not keep, such as secrets in its
	// message and its arguments, and cuts what is long; the arguments stay JSON, or
	// become nil. It is called on the goroutine that writes. Default: neither messages
	// nor arguments are kept.
	Redact func(*Event)
	// OnFailure is called, if set, after calls that failed were written, on the
	// goroutine that writes. It may call Add and the queries, not Flush or Close.
	OnFailure func(ctx context.Context)
	// Guard runs what the log does in the background, if set, and returns a panic
	// as an error. The events that were to be written then are dropped.
	Guard func(job string, f func()) error
	// OnError is told when writing begins to fail, and nil when it works again.
	OnError func(error)
}

const (
	maxQueue = 4096
	// batchDelay is how long an event waits for others to be written with, and
	// calmDelay how long successful calls wait: every process of the user writes.
	batchDelay = 100 * time.Millisecond
	calmDelay  = 2 * time.Second
	// retainEvery is the time, and retainAfter the number of events, between two
	// runs of retention.
	retainEvery = time.Hour
	retainAfter = 20_000
	// Beyond fullRate successful calls a second, one row stands for sampleWeight.
	fullRate     = 50
	sampleWeight = 10
	// maxRaw is the size of the arguments that may wait to be redacted.
	maxRaw = 64 << 10
	// A failed write is tried again after minPause, then twice that, up to maxPause.
	minPause = time.Second
	maxPause = time.Minute
)

// Log writes events in the background and answers queries. Its methods may be
// called concurrently, and on a nil Log, which keeps nothing.
type Log struct {
	options Options
	ctx     context.Context // of the writer
	stop    context.CancelFunc
	wake    chan struct{} // buffered 1

	mu      sync.Mutex
	queue   []Event
	writing int           // events that the writer has taken from queue
	done    chan struct{} // closed when the writer has ended; nil before the first event
	closed  bool
	flushes []chan error
	urgent  bool // queue holds more than successful calls
	status  Status
	second  int64 // in which rate was counted
	rate    int
	sampled *Event // successful calls beyond fullRate, so far

	opening sync.Mutex // guards db
	db      *sql.DB
}

// Status says how the log fares.
type Status struct {
	File    string `json:"file"`
	Written int64  `json:"written"`
	// Dropped counts events for which the queue had no room, and those whose
	// writing panicked.
	Dropped int64 `json:"dropped"`
	Queued  int   `json:"queued"`
	// Error is why the last attempt to write failed, "" when it did not.
	Error string `json:"error,omitempty"`
}

// New returns a log. It does not touch the file before the first event or query.
func New(o Options) *Log {
	o.MaxAge = cmp.Or(o.MaxAge, 30*24*time.Hour)
	o.MaxSize = cmp.Or(o.MaxSize, 50<<20)
	ctx, stop := context.WithCancel(context.Background())
	return &Log{options: o, ctx: ctx, stop: stop, wake: make(chan struct{}, 1)}
}

// Add queues an event and returns at once. It reports whether the event was
// accepted: an accepted one is written unless the process is killed or the disk
// keeps failing until Close.
func (l *Log) Add(e Event) bool {
	if l == nil {
		return false
	}
	if e.Time.IsZero() {
		e.Time = time.Now()
	}
	e.Session = cmp.Or(e.Session, l.options.Session)
	e.Weight = 1
	if len(e.Message) > 4*MaxMessage {
		e.Message = e.Message[:4*MaxMessage]
	}
	if len(e.Arguments) > maxRaw {
		e.Arguments = fmt.Appendf(nil, `"[%d bytes]"`, len(e.Arguments))
	}
	if len(e.Metadata) > MaxMetadata {
		e.Metadata = fmt.Appendf(nil, `{"omitted":"[%d bytes]"}`, len(e.Metadata))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		l.status.Dropped++
		return false
	}
	if e.calm() && !l.sample(&e) {
		return true
	}
	return l.enqueue(e)
}

// sample reports whether a successful call is written as a row now. Else it is
// counted in a later row. The caller holds mu.
func (l *Log) sample(e *Event) bool {
	if second := e.Time.Unix(); second != l.second {
		l.second, l.rate = second, 0
	}
	l.rate++
	if l.sampled != nil {
		e.Weight += l.sampled.Weight
	}
	if l.rate <= fullRate || e.Weight == sampleWeight {
		l.sampled = nil
		return true
	}
	l.sampled = e
	return false
}

// enqueue must be called with mu held.
func (l *Log) enqueue(e Event) bool {
	if len(l.queue)+l.writing >= maxQueue {
		l.status.Dropped++
		return false
	}
	l.queue = append(l.queue, e)
	l.urgent = l.urgent || !e.calm()
	if e.Category != Link && e.Category != Process || l.done != nil {
		l.begin()
	}
	return true
}

// calm tells whether the event is a call that succeeded.
func (e Event) calm() bool { return e.Category == Call && e.Code == "" }

// begin has the queue written. The caller holds mu.
func (l *Log) begin() {
	if l.done == nil {
		l.done = make(chan struct{})
		go l.run()
	}
	l.stir()
}

func (l *Log) stir() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// Flush returns nil once all events so far are in the file.
func (l *Log) Flush(ctx context.Context) error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	if len(l.queue)+l.writing == 0 {
		l.mu.Unlock()
		return nil
	}
	flushed := make(chan error, 1)
	l.flushes = append(l.flushes, flushed)
	l.begin()
	l.mu.Unlock()
	select {
	case err := <-flushed:
		return err
	case <-l.ctx.Done():
		return errors.New("the event log is closed")
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close writes what waits, until ctx ends, and closes the file. Later events are
// dropped. Close may be called again.
func (l *Log) Close(ctx context.Context) error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	if l.sampled != nil && !l.closed {
		l.enqueue(*l.sampled)
		l.sampled = nil
	}
	l.closed = true
	l.mu.Unlock()
	err := l.Flush(ctx)
	l.stop()
	l.mu.Lock()
	done := l.done
	l.mu.Unlock()
	if done != nil {
		<-done
	}
	return errors.Join(err, l.closeStore())
}

// Status returns the present state.
func (l *Log) Status() Status {
	if l == nil {
		return Status{}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.status
	s.File, s.Queued = l.options.File, len(l.queue)+l.writing
	return s
}

// store opens the file on first use.
func (l *Log) store(ctx context.Context) (*sql.DB, error) {
	l.opening.Lock()
	defer l.opening.Unlock()
	if l.db == nil {
		if err := l.ctx.Err(); err != nil {
			return nil, err
		}
		db, err := openStore(ctx, l.options.File)
		if err != nil {
			return nil, err
		}
		l.db = db
	}
	return l.db, nil
}

func (l *Log) closeStore() error {
	l.opening.Lock()
	defer l.opening.Unlock()
	if l.db == nil {
		return nil
	}
	db := l.db
	l.db = nil
	return db.Close()
}

// run is the goroutine that writes.
func (l *Log) run() {
	defer close(l.done)
	var retained time.Time
	var written int // since retained
	pause := time.Duration(0)
	for {
		select {
		case <-l.wake:
		case <-l.ctx.Done():
			return
		}
		if !l.gather() {
			return
		}
		l.mu.Lock()
		l.urgent = false
		batch := l.queue
		flushes := l.flushes
		l.queue, l.flushes, l.writing = nil, nil, len(batch)
		l.mu.Unlock()

		var err error
		if panicked := l.guarded("writing events", func() { err = l.write(batch) }); panicked != nil {
			err = panicked
			l.drop(len(batch))
			batch = nil
		}
		l.settle(batch, err) // before a Flush returns, which may be followed by Status
		for _, flushed := range flushes {
			flushed <- err
		}
		if err == nil {
			written += len(batch)
			if len(batch) > 0 && (time.Since(retained) > retainEvery || written > retainAfter) {
				retained, written = time.Now(), 0
				if panicked := l.guarded("event retention", func() { err = l.retain() }); panicked != nil {
					err = panicked
				}
			}
		}
		if err != nil {
			pause = min(max(minPause, 2*pause), maxPause)
			_ = l.closeStore() // opening again may repair what is wrong
			if !l.sleep(pause) {
				return
			}
			l.stir()
			continue
		}
		pause = 0
		if failed := func(e Event) bool { return e.Category == Call && e.Code != "" }; l.options.OnFailure != nil && slices.ContainsFunc(batch, failed) {
			_ = l.guarded("after writing failures", func() { l.options.OnFailure(l.ctx) })
		}
	}
}

func (l *Log) guarded(job string, f func()) error {
	if l.options.Guard != nil {
		return l.options.Guard(job, f)
	}
	f()
	return nil
}

func (l *Log) drop(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.status.Dropped += int64(n)
}

// settle notes the outcome of a write. A batch that failed goes back into the
// queue.
func (l *Log) settle(batch []Event, err error) {
	l.mu.Lock()
	l.writing = 0
	was := l.status.Error
	l.status.Error = ""
	if err != nil {
		l.queue = append(batch, l.queue...)
		l.status.Error = err.Error()
	} else {
		l.status.Written += int64(len(batch))
	}
	l.mu.Unlock()
	if (was == "") != (err == nil) && l.options.OnError != nil && l.ctx.Err() == nil {
		l.options.OnError(err)
	}
}

// gather waits for more events to be written with those of the queue, and returns
// false when the log ends.
func (l *Log) gather() bool {
	timer := time.NewTimer(calmDelay)
	defer timer.Stop()
	shortened := false
	for {
		l.mu.Lock()
		hurry := len(l.flushes) > 0 || l.closed || len(l.queue) > maxQueue/8
		urgent := l.urgent
		l.mu.Unlock()
		if hurry {
			return true
		}
		if urgent && !shortened {
			timer.Reset(batchDelay)
			shortened = true
		}
		select {
		case <-timer.C:
			return true
		case <-l.ctx.Done():
			return false
		case <-l.wake:
		}
	}
}

// sleep waits for d, or until a Flush or Close hurries, and returns false when
// the log ends.
func (l *Log) sleep(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
			return true
		case <-l.ctx.Done():
			return false
		case <-l.wake:
			l.mu.Lock()
			hurry := len(l.flushes) > 0
			l.mu.Unlock()
			if hurry {
				return true
			}
		}
	}
}

func (l *Log) write(batch []Event) error {
	if len(batch) == 0 {
		return nil
	}
	db, err := l.store(l.ctx)
	if err != nil {
		return err
	}
	for i := range batch {
		l.redact(&batch[i])
	}
	return transact(l.ctx, db, func(tx *sql.Tx) error { return insert(l.ctx, tx, batch) })
}

func (l *Log) retain() error {
	db, err := l.store(l.ctx)
	if err != nil {
		return err
	}
	return retain(l.ctx, db, l.options.MaxAge, l.options.MaxSize)
}
