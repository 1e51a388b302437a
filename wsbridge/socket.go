package wsbridge

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Peers and commands come to the hub over a Unix socket in a folder of the user, on
// Windows over a named pipe: other users cannot connect to it. The TCP port decides
// who the hub is, and whoever holds the port owns the socket of that port. Where
// there can be no socket, and with a hub or peer of an older version, peers and
// commands come over TCP. The proofs are the same on both, and nothing but this file
// and its parts for each system knows the one from the other.

// DefaultSocketDir is the folder of the sockets of one user.
func DefaultSocketDir() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("no folder for the socket: %w", err)
	}
	return filepath.Join(dir, "gitnexus-mcp", "hub"), nil
}

// CheckSocket returns where peers and commands connect to the hub, or why there can be
// no such place, so that they use TCP.
func CheckSocket(gate Gate) (address string, err error) { return gate.socket() }

// OtherHubs returns the other ports that gitnexus-mcp processes of this user hold, in
// order, as far as they have sockets beside the gate's.
func OtherHubs(ctx context.Context, gate Gate) []int {
	own, err := gate.socket()
	if err != nil {
		return nil
	}
	folder, name := filepath.Split(own)
	before, after := "", strings.TrimPrefix(name, gate.port()) // a socket's name begins with the port, a pipe's ends with it
	if after == name {
		before, after = strings.TrimSuffix(name, gate.port()), ""
	}
	entries, _ := os.ReadDir(folder)
	var ports []int
	for _, e := range entries {
		digits, ok := strings.CutPrefix(e.Name(), before)
		digits, isSocket := strings.CutSuffix(digits, after)
		port, err := strconv.Atoi(digits)
		if !ok || !isSocket || err != nil || port == gate.Port {
			continue
		}
		limit, cancel := context.WithTimeout(ctx, socketWait)
		conn, err := dialSocket(limit, folder+e.Name()) // one that was killed has left its own
		cancel()
		if err == nil {
			_ = conn.Close()
			ports = append(ports, port)
		}
	}
	slices.Sort(ports)
	return ports
}

// socketListener tells the connections of peers and commands from those of anybody.
type socketListener struct{ net.Listener }

func (l socketListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return socketConn{c}, nil
}

// socketConn is a connection that only a process of our user can have opened.
type socketConn struct{ net.Conn }

const (
	// socketWait is how long a process that finds the port held waits for the socket: a
	// hub that has just taken the port makes it at once, one of an older version never.
	socketWait = 250 * time.Millisecond
	// socketPoll is the time between two tries.
	socketPoll = 2 * time.Millisecond
)

// dialFunc opens a connection to the holder of a gate's port.
type dialFunc func(ctx context.Context, gate Gate) (net.Conn, error)

// dialHub is the dialFunc of a machine: it uses the socket of the hub, or TCP where
// there is none.
func dialHub(ctx context.Context, gate Gate) (net.Conn, error) {
	address, err := gate.socket()
	if err != nil {
		return dialLoopback(ctx, gate.Port)
	}
	limit, cancel := context.WithTimeout(ctx, socketWait)
	defer cancel()
	if conn, err := dialSocket(limit, address); err == nil {
		return conn, nil
	}
	tcp, err := dialLoopback(ctx, gate.Port)
	if err != nil {
		return nil, err
	}
	for { // somebody holds the port
		speaks, err := firstWord(tcp, socketPoll)
		if err != nil {
			_ = tcp.Close()
			return nil, err
		}
		if speaks || limit.Err() != nil {
			return tcp, nil
		}
		if conn, err := dialSocket(limit, address); err == nil {
			_ = tcp.Close()
			return conn, nil
		}
	}
}

// firstWord waits for d, and reports whether the holder of the port speaks first, as no hub
// does: its first byte is lost. It returns an error when the connection ends before that:
// a process that is killed may lose its socket a moment before its port.
func firstWord(conn net.Conn, d time.Duration) (speaks bool, err error) {
	_ = conn.SetReadDeadline(time.Now().Add(d))
	var word [1]byte
	n, err := conn.Read(word[:])
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		return false, fmt.Errorf("the holder of the port went away: %w", err)
	}
	return n > 0, conn.SetReadDeadline(time.Time{})
}
