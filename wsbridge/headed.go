package wsbridge

import (
	"bytes"
	"net"
	"net/http"
	"sync/atomic"
)

// headedListener gives the hub's headers also to the answers that net/http makes by
// itself, to what is no proper request: 400, 417, 431, 501 and 505. They never reach a handler.
type headedListener struct{ net.Listener }

func (l headedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &headedConn{Conn: c}, nil
}

type headedConn struct {
	net.Conn
	asked atomic.Bool // something was read since the last write
}

// bare is the connection below a headedConn.
func bare(c net.Conn) net.Conn {
	if h, ok := c.(*headedConn); ok {
		return h.Conn
	}
	return c
}

func (c *headedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.asked.Store(true)
	}
	return n, err
}

// Write adds the headers to the head of an error that has none of them. net/http writes
// the head of an answer at once, as the first thing after a request.
func (c *headedConn) Write(p []byte) (int, error) {
	if !c.asked.Swap(false) || !bytes.HasPrefix(p, []byte("HTTP/1.1 4")) && !bytes.HasPrefix(p, []byte("HTTP/1.1 5")) {
		return c.Conn.Write(p)
	}
	head, _, whole := bytes.Cut(p, []byte("\r\n\r\n"))
	status, rest, ok := bytes.Cut(head, []byte("\r\n"))
	if !whole || !ok || bytes.Contains(head, []byte("\r\nX-Content-Type-Options: nosniff")) {
		return c.Conn.Write(p)
	}
	var b bytes.Buffer
	b.Write(status)
	b.WriteString("\r\n")
	headers := http.Header{}
	setSecurityHeaders(headers)
	_ = headers.Write(&b) // to memory
	b.Write(rest)
	b.Write(p[len(head):])
	if _, err := c.Conn.Write(b.Bytes()); err != nil {
		return 0, err
	}
	return len(p), nil
}
