package tools

import (
	"bufio"
	"errors"
	"io"
	"sync"
)

// maxLineBytes bounds one incoming message.
const maxLineBytes = 32 << 20

// readLine returns the next line with its newline, or the rest of the input
// together with the error that ended it. A line of more than limit bytes is
// read and thrown away.
func readLine(r *bufio.Reader, limit int) (data []byte, tooLong bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if tooLong = tooLong || len(data)+len(part) > limit; tooLong {
			data = nil
		} else {
			data = append(data, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return data, tooLong, err
		}
	}
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

// write writes a line that ends with a newline.
func (w *lineWriter) write(line []byte) {
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

// busy tells whether a line is being written.
func (w *lineWriter) busy() bool {
	if w.mu.TryLock() {
		w.mu.Unlock()
		return false
	}
	return true
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
