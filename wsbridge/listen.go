package wsbridge

import (
	"context"
	"log/slog"
	"net"
	"strconv"
	"time"

	"github.com/gitnexus/gitnexus-mcp/reconnect"
)

// listenFunc takes the port, or returns an error that isAddressInUse knows when
// another process holds it.
type listenFunc func(port int) ([]net.Listener, error)

// listenHub takes the port on IPv4 loopback, which decides who is the hub.
// The hub takes IPv6 loopback too, where it can be had and as soon as it can:
// its former holder may take a moment to go. Nobody is the hub by that alone,
// so that two never are. What another program on [::1] gets is only what is sent
// to it by name; nothing of ours dials it. Then it makes its socket, and works without
// where there can be none. The socket comes first, so that it is closed, and with that
// removed, before the port is free for the next hub, which makes its own.
func listenHub(gate Gate, backoff reconnect.Backoff, log *slog.Logger) listenFunc {
	return func(port int) ([]net.Listener, error) {
		v4, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			return nil, err
		}
		v6 := newLateListener(lateListener{
			backoff: backoff, addr: v4.Addr(), isInUse: isAddressInUse, patience: 1,
			listen: func() (net.Listener, error) {
				return net.Listen("tcp6", net.JoinHostPort("::1", strconv.Itoa(port)))
			},
			blocked: func(err error) {
				log.Warn("another program holds the port on [::1], so that localhost may lead to it: use 127.0.0.1", "reason", err)
			},
		})
		if gate.SocketDir == "" {
			return []net.Listener{v4, v6}, nil
		}
		blocked := func(err error) {
			log.Warn("peers and commands connect over TCP, by their proofs: there is no socket for them", "reason", err)
		}
		socket, err := gate.listenSocket(blocked)
		if err != nil {
			blocked(err)
			return []net.Listener{v4, v6}, nil
		}
		return []net.Listener{socket, v4, v6}, nil
	}
}

// lateListener is a listener that goes on trying to listen, by the reconnect
// schedule, while another program holds the address.
type lateListener struct {
	// Set once.
	backoff  reconnect.Backoff
	addr     net.Addr // until there is a better one
	listen   func() (net.Listener, error)
	isInUse  func(error) bool // whether it makes sense to go on trying
	blocked  func(error)      // told why there is no listener, after patience tries
	patience int
	open     context.Context
	shut     context.CancelFunc

	inner net.Listener // owned by Accept
}

func newLateListener(l lateListener) *lateListener {
	l.open, l.shut = context.WithCancel(context.Background())
	return &l
}

// Accept waits until there is a listener, and then for its next connection. It
// is called by one goroutine, as http.Server does.
func (l *lateListener) Accept() (net.Conn, error) {
	for attempt := 0; l.inner == nil; attempt++ {
		inner, err := l.listen()
		if err == nil {
			l.inner = inner
			context.AfterFunc(l.open, func() { _ = inner.Close() })
			break
		}
		wait := l.backoff.Delay(attempt)
		if !l.isInUse(err) {
			wait = time.Duration(1<<63 - 1) // there is no such address here
		} else if attempt == l.patience { // the former hub is gone by then
			l.blocked(err)
		}
		select {
		case <-time.After(wait):
		case <-l.open.Done():
			return nil, net.ErrClosed
		}
	}
	return l.inner.Accept()
}

func (l *lateListener) Close() error {
	l.shut()
	return nil
}

func (l *lateListener) Addr() net.Addr { return l.addr }

// closeAll closes listeners in their order. They may be closed already.
func closeAll(listeners []net.Listener) {
	for _, l := range listeners {
		_ = l.Close()
	}
}
