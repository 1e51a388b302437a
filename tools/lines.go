package tools

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"
)

// maxLineBytes bounds one incoming message.
const maxLineBytes = 32 << 20

// line is one line of input.
type line struct {
	data    []byte // with its newline, if it has one; nil when it is too long
	tooLong bool
	id      json.RawMessage // of a line that is too long, if one was found
}

// readLine returns the next line, or the rest of the input together with the
// error that ended it. A line of more than limit bytes is read and thrown away,
// but for its id.
func readLine(r *bufio.Reader, limit int) (l line, err error) {
	var ids idFinder
	for {
		part, err := r.ReadSlice('\n')
		switch {
		case l.tooLong:
			ids.write(part)
		case len(l.data)+len(part) > limit:
			ids.write(l.data)
			ids.write(part)
			l.data, l.tooLong = nil, true
		default:
			l.data = append(l.data, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			l.id = ids.id()
			return l, err
		}
	}
}

// idFinder finds the id in the bytes of a JSON-RPC message that is not kept. The
// zero value works.
type idFinder struct {
	depth           int
	quoted, escaped bool
	token           []byte // at depth 1: the string or the number that is being read
	key             bool   // the last string was "id", and what follows is its value
	found           json.RawMessage
}

// maxIDBytes bounds an id that can be found.
const maxIDBytes = 1000

func (f *idFinder) write(part []byte) {
	for i := 0; i < len(part); i++ {
		if f.quoted && !f.escaped && (f.depth != 1 || len(f.token) >= maxIDBytes) { // nothing of this string is kept
			end := bytes.IndexAny(part[i:], `"\\`)
			if end < 0 {
				return
			}
			i += end
		}
		ch := part[i]
		if f.depth == 1 && (f.quoted || ch != ' ' && ch != '\t' && ch != '\r' && ch != '\n') && len(f.token) < maxIDBytes {
			f.token = append(f.token, ch)
		}
		switch {
		case f.escaped:
			f.escaped = false
		case f.quoted:
			f.escaped, f.quoted = ch == '\\', ch != '"'
		case ch == '"':
			f.quoted = true
		case ch == '{' || ch == '[':
			f.depth++
			f.token = f.token[:0]
		case ch == ':' && f.depth == 1:
			f.key = string(f.token) == `"id":`
			f.token = f.token[:0]
		case (ch == ',' || ch == '}') && f.depth == 1:
			if f.key && f.found == nil {
				f.found = append(json.RawMessage{}, f.token[:max(0, len(f.token)-1)]...)
			}
			f.key, f.token = false, f.token[:0]
			if ch == '}' {
				f.depth--
			}
		case ch == '}' || ch == ']':
			f.depth--
			f.token = f.token[:0]
		}
	}
}

// id is the id, or nil when there is none that can be answered.
func (f *idFinder) id() json.RawMessage {
	if !json.Valid(f.found) {
		return nil
	}
	return usableID(f.found)
}

// lineWriter writes whole lines, from any goroutine. After the first error it
// writes nothing more.
type lineWriter struct {
	broken chan struct{} // closed by the first error

	mu  sync.Mutex // held while writing
	out io.Writer
	err error // written once, before broken is closed
}

func newLineWriter(out io.Writer) *lineWriter {
	return &lineWriter{out: out, broken: make(chan struct{})}
}

// write writes a line, which has no newline yet. It may keep the slice's array.
func (w *lineWriter) write(line []byte) {
	line = append(line, '\n')
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return
	}
	if _, err := w.out.Write(line); err != nil {
		w.err = err
		close(w.broken)
	}
}

// failure is the first error. It does not wait for a write that hangs.
func (w *lineWriter) failure() error {
	select {
	case <-w.broken:
		return w.err
	default:
		return nil
	}
}
