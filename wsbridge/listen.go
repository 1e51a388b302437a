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

// listenLoopback takes the port on IPv4 loopback, which decides who is the hub.
// The hub takes IPv6 loopback too, where it can be had and as soon as it can:
// its former holder may take a moment to go. Nobody is the hub by that alone,
// so that two never are. What another program on [::1] gets is only what is sent
// to it by name; nothing of ours dials it.
func listenLoopback(backoff reconnect.Backoff, log *slog.Logger) listenFunc {
	return func(port int) ([]net.Listener, error) {
		v4, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			return nil, err
		}
		v6 := &lateListener{backoff: backoff, log: log, addr: v4.Addr(), listen: func() (net.Listener, error) {
			return net.Listen("tcp6", net.JoinHostPort("::1", strconv.Itoa(port)))
		}}
		v6.open, v6.shut = context.WithCancel(context.Background())
		return []net.Listener{v4, v6}, nil
	}
}

// lateListener is a listener that goes on trying to listen, by the reconnect
// schedule, while another program holds the address.
type lateListener struct {
	// Set once.
	backoff reconnect.Backoff
	log     *slog.Logger
	addr    net.Addr // until there is a better one
	listen  func() (net.Listener, error)
	open    context.Context
	shut    context.CancelFunc

	inner net.Listener // owned by Accept
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
		if !isAddressInUse(err) {
			wait = time.Duration(1<<63 - 1) // there is no such address here
		} else if attempt == 1 { // the former hub is gone by then
			l.log.Warn("another program holds the port on [::1], so that localhost may lead to it: use 127.0.0.1", "reason", err)
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

// closeAll closes listeners, which may be closed already.
func closeAll(listeners []net.Listener) {
	for _, l := range listeners {
		_ = l.Close()
	}
}
