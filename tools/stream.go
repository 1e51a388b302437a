package tools

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	// writeWithin is the time that a client may take to read what is written at once.
	writeWithin = 30 * time.Second
	// pingEvery is the longest silence on a stream: clients give up after minutes.
	pingEvery = 15 * time.Second
	// maxEvents is the number of events that a stream keeps.
	maxEvents = 256
)

// eventStream is what the server says in answer to one HTTP request, as
// server-sent events. It keeps them, so that a client whose connection broke can
// ask for the rest. All methods may be called concurrently.
type eventStream struct {
	id string // set once; "" when the stream cannot be resumed

	mu      sync.Mutex
	events  [][]byte
	first   int // the number of events[0]; events count from 1
	written int // the number of the last event that was written
	ended   bool
	changed chan struct{} // closed and replaced when there is more to write
	reader  *reader       // nil for none
}

// reader is one HTTP response that an eventStream is written to.
type reader struct {
	replaced chan struct{} // closed when another one takes its place
	left     chan struct{} // closed when it writes nothing more
}

func newEventStream(id string) *eventStream {
	return &eventStream{id: id, first: 1, changed: make(chan struct{})}
}

// add appends an event. It does not block. The oldest events are dropped when
// nobody reads them.
func (e *eventStream) add(event []byte) { e.append(event, false) }

// answer appends the last event and waits until it is written, when there is a
// reader.
func (e *eventStream) answer(event []byte) {
	e.append(event, true)
	e.mu.Lock()
	r := e.reader
	e.mu.Unlock()
	if r != nil {
		<-r.left
	}
}

// end ends the stream. It may have ended before.
func (e *eventStream) end() { e.append(nil, true) }

func (e *eventStream) append(event []byte, last bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ended {
		return
	}
	if event != nil {
		e.events = append(e.events, event)
	}
	if len(e.events) > maxEvents {
		e.events = e.events[1:]
		e.first++
	}
	e.ended = last
	close(e.changed)
	e.changed = make(chan struct{})
}

// isUsed tells whether anything was said, or nothing more will be.
func (e *eventStream) isUsed() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.ended || len(e.events) > 0
}

func (e *eventStream) hasEnded() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.ended
}

// unwritten is the number to resume after for a client that does not say.
func (e *eventStream) unwritten() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.written
}

// rest returns the events after a number, the number of the first of them,
// whether they are the last, and what is closed when there are more.
func (e *eventStream) rest(after int) (events [][]byte, first int, ended bool, changed <-chan struct{}) {
	e.mu.Lock()
	defer e.mu.Unlock()
	first = max(after+1, e.first)
	return e.events[min(first-e.first, len(e.events)):], first, e.ended, e.changed
}

// attach makes r the one reader, in place of another one.
func (e *eventStream) attach(r *reader) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.reader != nil {
		close(e.reader.replaced)
	}
	e.reader = r
}

func (e *eventStream) detach(r *reader, written int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.reader == r {
		e.reader = nil
	}
	e.written = max(e.written, written)
	close(r.left)
}

// serve writes the events after a number, and those to come, until the last one,
// or until the client has left, gone is closed or the stream has another reader.
func (e *eventStream) serve(out *eventWriter, after int, gone <-chan struct{}) {
	r := &reader{make(chan struct{}), make(chan struct{})}
	e.attach(r)
	defer func() { e.detach(r, after) }()
	defer out.finish()
	silence := time.NewTicker(pingEvery)
	defer silence.Stop()
	for {
		events, first, ended, changed := e.rest(after)
		for i, event := range events {
			var err error
			if last := ended && i == len(events)-1; last && !out.begun {
				err = out.single(event)
			} else {
				err = out.event(e.id, first+i, event)
			}
			if err != nil {
				return
			}
			after = first + i
		}
		if ended {
			return
		}
		select {
		case <-changed:
		case <-silence.C:
			if out.ping() != nil {
				return
			}
		case <-out.request.Context().Done():
			return
		case <-r.replaced:
			return
		case <-gone:
			return
		}
	}
}

// eventWriter writes one HTTP response: a stream of events, or JSON when the
// answer is all there is to say.
type eventWriter struct {
	// Set once.
	w       http.ResponseWriter
	control *http.ResponseController
	request *http.Request
	status  func(answer []byte) int

	begun bool // as a stream
	done  bool // as JSON
}

func newEventWriter(w http.ResponseWriter, r *http.Request, status func([]byte) int) *eventWriter {
	return &eventWriter{w: w, control: http.NewResponseController(w), request: r, status: status}
}

// accepts tells whether the client takes a kind of content.
func accepts(r *http.Request, kind string) bool {
	all := strings.Join(r.Header.Values("Accept"), ",")
	group, _, _ := strings.Cut(kind, "/")
	return all == "" || strings.Contains(all, kind) || strings.Contains(all, "*/*") || strings.Contains(all, group+"/*")
}

const eventStreamType = "text/event-stream"

// begin makes the response a stream; false when the client takes none.
func (o *eventWriter) begin() bool {
	if !o.begun && accepts(o.request, eventStreamType) {
		o.begun = true
		o.w.Header().Set("Content-Type", eventStreamType)
		o.w.WriteHeader(http.StatusOK)
	}
	return o.begun
}

// prime tells the client at once by which id it can resume the stream.
func (o *eventWriter) prime(stream string) {
	if o.begin() {
		_ = o.write(fmt.Appendf(nil, "id: %s.0\ndata: \n\n", stream))
	}
}

func (o *eventWriter) event(stream string, number int, event []byte) error {
	if !o.begin() {
		return nil
	}
	raw := make([]byte, 0, len(event)+64)
	if stream != "" {
		raw = fmt.Appendf(raw, "id: %s.%d\n", stream, number)
	}
	raw = append(append(append(raw, "event: message\ndata: "...), event...), "\n\n"...)
	return o.write(raw)
}

func (o *eventWriter) ping() error {
	if !o.begin() {
		return nil
	}
	return o.write([]byte(": still here\n\n"))
}

// single writes the answer alone.
func (o *eventWriter) single(answer []byte) error {
	if !accepts(o.request, "application/json") {
		return o.event("", 0, answer)
	}
	o.done = true
	o.w.Header().Set("Content-Type", "application/json")
	o.w.WriteHeader(o.status(answer))
	return o.write(answer)
}

func (o *eventWriter) write(raw []byte) error {
	_ = o.control.SetWriteDeadline(time.Now().Add(writeWithin)) // what cannot is no network connection
	if _, err := o.w.Write(raw); err != nil {
		return err
	}
	return o.control.Flush()
}

// finish ends the response. One with nothing to say is to a request that was
// cancelled.
func (o *eventWriter) finish() {
	if !o.begun && !o.done {
		o.w.WriteHeader(http.StatusAccepted)
	}
	_ = o.control.SetWriteDeadline(time.Time{})
}
