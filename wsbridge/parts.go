package wsbridge

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"github.com/coder/websocket"
)

// A large call or answer would delay every small one behind it on its connection,
// so it travels in parts, with other messages between them: binary frames of a header
// and the next bytes of the message. Numbers are unsigned 32-bit little-endian.
//
//	number   of the message among its sender's, so that several can be under way
//	size     of the whole message in bytes
//	offset   of this part's bytes in it: parts come in order
//
// The receiver says how far it has got (methodTaken), and how many bytes of a
// message the sender may be ahead of that (the parts member of its hello): what
// is in buffers on the way, and in front of a small message, stays little. It
// acknowledges the last bytes when it is done with the message.
const (
	// wholeBytes is the largest answer that is sent as one frame: one that an agent
	// gets whole by default (--max-result).
	wholeBytes = 60 << 10
	// wholeCallBytes is the largest call that is sent as one frame.
	wholeCallBytes = 10 << 10
	// partBytes is the most that one part carries.
	partBytes = 64 << 10
	// partsWindow is how far ahead we let a sender be.
	partsWindow = 512 << 10
	// maxUnfinished is the number of messages that may be in flight in parts over
	// one connection and in one direction, until they are acknowledged to their
	// end. It bounds what a connection holds of the largest messages.
	maxUnfinished = 4

	partHeader = 12
)

// inbox puts messages together again. What it holds, and what is handed on and
// not yet finished, is at most maxUnfinished messages of limit bytes, within what
// memory allows, and their like while they are joined.
type inbox struct {
	limit  int64  // of one message, in bytes
	memory *meter // of what is held; nil for no bound

	mu   sync.Mutex
	open map[uint32]*incoming
}

// incoming is a message of which parts have come. They are kept in blocks, since
// making room for all of a large one takes long, and the reader has others to read.
type incoming struct {
	size   int
	have   int
	said   int // how far we have told the sender that we are
	blocks [][]byte
}

const blockBytes = 1 << 20

// join returns the message, once all of it has come.
func (m *incoming) join() []byte {
	if len(m.blocks) == 1 {
		return m.blocks[0]
	}
	whole := make([]byte, 0, m.size)
	for i, b := range m.blocks {
		whole = append(whole, b...)
		m.blocks[i] = nil
	}
	return whole
}

// take takes one part. It returns the message with its last part, and before
// that how far it is, when the sender should be told (else 0). When the message
// is done with, finish has to be called.
func (in *inbox) take(part []byte) (number uint32, whole *incoming, taken int, err error) {
	if len(part) <= partHeader || len(part) > partHeader+partBytes {
		return 0, nil, 0, malformed("a part of %d bytes: want a header of %d and 1 to %d bytes", len(part), partHeader, partBytes)
	}
	number = binary.LittleEndian.Uint32(part)
	size, offset := binary.LittleEndian.Uint32(part[4:]), binary.LittleEndian.Uint32(part[8:])
	part = part[partHeader:]
	in.mu.Lock()
	defer in.mu.Unlock()
	m := in.open[number]
	if m == nil {
		if int64(size) > in.limit {
			return 0, nil, 0, tooBig
		}
		if len(in.open) == maxUnfinished {
			return 0, nil, 0, forbidden("more than %d messages in parts at once", maxUnfinished)
		}
		if in.open == nil {
			in.open = make(map[uint32]*incoming)
		}
		m = &incoming{size: int(size)}
		in.open[number] = m
	}
	if int(size) != m.size || int(offset) != m.have || len(part) > m.size-m.have {
		return 0, nil, 0, malformed("a part at %d of %d bytes: message %d has %d of %d", offset, size, number, m.have, m.size)
	}
	for len(part) > 0 {
		if m.have%blockBytes == 0 {
			room := min(blockBytes, m.size-m.have)
			if err := in.memory.hold(int64(room)); err != nil {
				return 0, nil, 0, err
			}
			m.blocks = append(m.blocks, make([]byte, 0, room))
		}
		last := &m.blocks[len(m.blocks)-1]
		n := min(len(part), cap(*last)-len(*last))
		*last = append(*last, part[:n]...)
		part = part[n:]
		m.have += n
	}
	if m.have == m.size {
		return number, m, 0, nil
	}
	if m.have-m.said >= partsWindow/4 {
		m.said = m.have
		taken = m.have
	}
	return number, nil, taken, nil
}

// finish forgets a message that is done with: the sender may begin another.
func (in *inbox) finish(number uint32) {
	in.mu.Lock()
	if m := in.open[number]; m != nil {
		in.memory.release(int64(m.size))
	}
	delete(in.open, number)
	in.mu.Unlock()
}

var tooBig = &connError{status: websocket.StatusMessageTooBig, reason: "a message is over the limit", crossed: true}

// outbox splits messages into parts. Its connection's mu guards it.
type outbox struct {
	window  int // of the other side; 0: it takes no parts
	numbers uint32
	open    []*outgoing // at most maxUnfinished; sent round robin, the first next
	waiting []*outgoing
}

type outgoing struct {
	number      uint32
	request     string // the id, of a request; "" of an answer
	data        []byte
	sent, taken int
	after       []byte // a frame to be sent once the other side has all of this; nil for none
}

func (o *outbox) add(request string, data []byte) {
	o.numbers++
	o.waiting = append(o.waiting, &outgoing{number: o.numbers, request: request, data: data})
	o.fill()
}

// cancel deals with the cancel of a request. It returns held when the request is
// under way: the cancel is sent behind it, or, where the request has not begun,
// neither is. freed is the size of what is no longer sent.
func (o *outbox) cancel(request string, frame []byte) (held bool, freed int) {
	is := func(m *outgoing) bool { return m.request == request }
	if i := slices.IndexFunc(o.waiting, is); i >= 0 {
		freed = len(o.waiting[i].data)
		o.waiting = slices.Delete(o.waiting, i, i+1)
		return true, freed
	}
	i := slices.IndexFunc(o.open, is)
	if i < 0 {
		return false, 0
	}
	m := o.open[i]
	if m.sent > 0 {
		m.after = frame
		return true, 0
	}
	o.open = slices.Delete(o.open, i, i+1)
	o.fill()
	return true, len(m.data)
}

func (o *outbox) fill() {
	for len(o.open) < maxUnfinished && len(o.waiting) > 0 {
		o.open = append(o.open, o.waiting[0])
		o.waiting = slices.Delete(o.waiting, 0, 1)
	}
}

// part writes the next part into buf; nil when nothing may be sent now.
func (o *outbox) part(buf []byte) []byte {
	for i, m := range o.open {
		n := min(partBytes, len(m.data)-m.sent)
		if n == 0 || m.sent+n-m.taken > o.window {
			continue
		}
		o.open = append(slices.Delete(o.open, i, i+1), m)
		buf = binary.LittleEndian.AppendUint32(buf[:0], m.number)
		buf = binary.LittleEndian.AppendUint32(buf, uint32(len(m.data)))
		buf = binary.LittleEndian.AppendUint32(buf, uint32(m.sent))
		buf = append(buf, m.data[m.sent:m.sent+n]...)
		m.sent += n
		return buf
	}
	return nil
}

// taken notes how far the other side is with a message, and returns one that is
// done.
func (o *outbox) taken(p takenParams) (done *outgoing, err error) {
	i := slices.IndexFunc(o.open, func(m *outgoing) bool { return m.number == p.Message })
	if i < 0 {
		return nil, forbidden("%s: no message %d is under way", methodTaken, p.Message)
	}
	m := o.open[i]
	if p.Bytes <= m.taken || p.Bytes > m.sent {
		return nil, forbidden("%s: %d bytes of message %d, after %d, and %d were sent", methodTaken, p.Bytes, p.Message, m.taken, m.sent)
	}
	m.taken = p.Bytes
	if m.taken < len(m.data) {
		return nil, nil
	}
	o.open = slices.Delete(o.open, i, i+1)
	o.fill()
	return m, nil
}

// checkWindow judges the parts member of a hello.
func checkWindow(parts int) error {
	if parts != 0 && parts < partBytes {
		return &connError{status: statusIncompatible, reason: fmt.Sprintf("hello: parts has to be 0, or %d at least", partBytes)}
	}
	return nil
}
