//go:build unix

package wsbridge

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// socket returns the path of the gate's socket, or why there can be none.
func (g Gate) socket() (string, error) {
	if g.SocketDir == "" {
		return "", errors.New("no folder for the socket")
	}
	// Processes in another network namespace have ports of their own, and may have the
	// same files.
	space, _ := os.Readlink("/proc/self/ns/net") // "net:[4026531840]"; no such thing elsewhere
	space = strings.Trim(strings.TrimPrefix(space, "net:"), "[]")
	path := filepath.Join(g.SocketDir, strings.TrimSuffix(g.port()+"-"+space, "-")+".sock")
	if limit := len(syscall.RawSockaddrUnix{}.Path) - 1; len(path) > limit {
		return "", fmt.Errorf("the path of a socket has at most %d bytes, and %s has %d", limit, path, len(path))
	}
	info, err := os.Lstat(g.SocketDir)
	if err != nil {
		return "", fmt.Errorf("the folder of the socket: %w", err)
	}
	owner, _ := info.Sys().(*syscall.Stat_t)
	switch {
	case !info.IsDir():
		return "", fmt.Errorf("%s is no folder, and so no place for the socket: remove it", g.SocketDir)
	case owner == nil || int(owner.Uid) != os.Getuid():
		return "", fmt.Errorf("the folder of the socket %s is of another user: remove it", g.SocketDir)
	case info.Mode().Perm()&0o077 != 0:
		return "", fmt.Errorf("the folder of the socket is open to others (mode %04o): run chmod 700 %q", info.Mode().Perm(), g.SocketDir)
	}
	return path, nil
}

// listenSocket makes the gate's socket. Only the process that holds the gate's port
// may call it. Its Close, while the process still holds the port, removes the socket.
func (g Gate) listenSocket(func(error)) (net.Listener, error) {
	if g.SocketDir != "" {
		if err := os.MkdirAll(g.SocketDir, 0o700); err != nil {
			return nil, fmt.Errorf("the folder of the socket: %w", err)
		}
	}
	path, err := g.socket()
	if err != nil {
		return nil, err
	}
	// A hub that was killed has left its own.
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("an old socket cannot be removed: %w", err)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("the socket: %w", err)
	}
	return socketListener{l}, nil
}

func dialSocket(ctx context.Context, path string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	if ownerOf(conn) == anotherUser {
		_ = conn.Close()
		return nil, errors.New("the socket is of another user's process")
	}
	return conn, nil
}
