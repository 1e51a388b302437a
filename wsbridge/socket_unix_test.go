//go:build unix

package wsbridge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// socketDir is a folder for sockets, whose path is short enough.
func socketDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "gitnexus-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return filepath.Join(dir, "hub")
}

// logText is what a node has logged.
type logText struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logText) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logText) has(text string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Contains(l.text.String(), text)
}

// runSocketNode is runNode with a folder for sockets.
func runSocketNode(t *testing.T, port int, dir string) (n *Node, log *logText, stop func()) {
	log = new(logText)
	n = NewNode(Options{
		Gate: Gate{Port: port, Token: testToken, Pairing: testPages, SocketDir: dir}, App: http.NotFoundHandler(),
		Log: slog.New(slog.NewTextHandler(log, nil)),
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { _ = n.Run(ctx); close(done) }()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return n, log, stop
}

// network is by which a peer has reached its hub; "" while it is none.
func (n *Node) network() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.peer == nil {
		return ""
	}
	return n.peer.network
}

func waitForHub(t *testing.T, n *Node) {
	t.Helper()
	waitFor(t, "hub", func() bool { return n.Status().Role == roleHub })
}

func waitForPeer(t *testing.T, n *Node, network string) {
	t.Helper()
	waitFor(t, "peer", func() bool { return n.network() != "" })
	if got := n.network(); got != network {
		t.Errorf("the peer is at the hub by %q, want %q", got, network)
	}
}

// leaveSocket leaves a socket behind as a hub does that is killed.
func leaveSocket(t *testing.T, gate Gate) {
	t.Helper()
	if err := os.MkdirAll(gate.SocketDir, 0o700); err != nil {
		t.Fatal(err)
	}
	path, err := gate.socket()
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	_ = l.Close()
}

// Peers and commands use the socket, also where a killed hub has left one; a hub that
// ends in order leaves none, and never takes that of its successor away.
func TestPeersComeOverTheSocket(t *testing.T) {
	port, dir := freePort(t), socketDir(t)
	gate := Gate{Port: port, Token: testToken, Pairing: testPages, SocketDir: dir}
	leaveSocket(t, gate)
	hub, _, stop := runSocketNode(t, port, dir)
	waitForHub(t, hub)
	for range 20 {
		next, _, stopNext := runSocketNode(t, port, dir)
		waitForPeer(t, next, "unix")
		if err := CheckHub(t.Context(), gate); err != nil {
			t.Fatal(err)
		}
		stop()
		waitForHub(t, next)
		hub, stop = next, stopNext
	}
	stop()
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("the last hub has left %v", left)
	}
	if err := CheckHub(t.Context(), gate); err == nil || !strings.Contains(err.Error(), "no gitnexus-mcp is running") {
		t.Errorf("without a hub: %v", err)
	}
}

// Processes on other ports, which are none of this bridge, are named where the app was never there.
func TestCallsHearOfHubsOnOtherPorts(t *testing.T) {
	dir := socketDir(t)
	gate := Gate{Port: freePort(t), Token: testToken, Pairing: testPages, SocketDir: dir}
	if got := OtherHubs(t.Context(), gate); got != nil {
		t.Errorf("without a folder: %v", got)
	}
	killed := gate
	killed.Port = freePort(t)
	leaveSocket(t, killed)
	other, _, _ := runSocketNode(t, freePort(t), dir)
	waitForHub(t, other)
	if err := CheckHub(t.Context(), gate); err == nil || !strings.Contains(err.Error(), fmt.Sprint("one of yours is on port ", other.opt.Gate.Port)) {
		t.Errorf("got %v", err)
	}
	own, _, _ := runSocketNode(t, gate.Port, dir)
	waitForHub(t, own)
	want := []int{other.opt.Gate.Port}
	if got := OtherHubs(t.Context(), gate); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	own.opt.Grace = -1
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	_, err := own.Call(ctx, ref(newCall("a")))
	if lost, ok := errors.AsType[*LostError](err); !ok || !slices.Equal(lost.OtherHubs, want) {
		t.Errorf("got %#v", err)
	}
}

// A process that is killed may lose its socket before its port: whoever met it in
// between takes the port at once. A program that speaks first is no such process.
func TestNobodyWaitsForTheSocketOfAKilledHub(t *testing.T) {
	for _, test := range []struct {
		name  string
		holds func(net.Conn)
		gone  bool
	}{
		{"killed", func(c net.Conn) { _ = c.Close() }, true},
		{"speaks first", func(c net.Conn) { _, _ = c.Write([]byte("SSH-2.0-x\r\n")); _ = c.Close() }, false},
		{"is silent", func(net.Conn) {}, false},
	} {
		l, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		gate := Gate{Port: l.Addr().(*net.TCPAddr).Port, Token: testToken, SocketDir: socketDir(t)}
		leaveSocket(t, gate)
		held := make(chan net.Conn, 1)
		go func() {
			c, err := l.Accept()
			if err == nil {
				test.holds(c)
				held <- c
			}
		}()
		conn, err := dialHub(t.Context(), gate)
		if (err != nil) != test.gone {
			t.Errorf("a holder that %s: %v", test.name, err)
		}
		if err == nil {
			_ = conn.Close()
		}
		_ = l.Close()
		_ = (<-held).Close()
	}
}

// A peer of this version uses a hub of a version without a socket, and a hub of this
// version has a peer of such a version, also where an earlier hub left a socket.
func TestSocketBesideOlderVersions(t *testing.T) {
	for name, dirs := range map[string]func(dir string) (hub, peer string){
		"older hub":  func(dir string) (hub, peer string) { return "", dir },
		"older peer": func(dir string) (hub, peer string) { return dir, "" },
	} {
		t.Run(name, func(t *testing.T) {
			port, dir := freePort(t), socketDir(t)
			leaveSocket(t, Gate{Port: port, SocketDir: dir})
			hubDir, peerDir := dirs(dir)
			hub, _, _ := runSocketNode(t, port, hubDir)
			waitForHub(t, hub)
			peer, _, _ := runSocketNode(t, port, peerDir)
			waitForPeer(t, peer, "tcp")
		})
	}
}

// Hubs of other ports and of other users, whose folders are others, have sockets of their own.
func TestSocketsOfOthers(t *testing.T) {
	dir, other := socketDir(t), socketDir(t)
	for _, at := range []struct {
		port int
		dir  string
	}{{freePort(t), dir}, {freePort(t), dir}, {freePort(t), other}} {
		hub, _, _ := runSocketNode(t, at.port, at.dir)
		waitForHub(t, hub)
		peer, _, _ := runSocketNode(t, at.port, at.dir)
		waitForPeer(t, peer, "unix")
	}
	if n, _ := os.ReadDir(dir); len(n) != 2 {
		t.Errorf("two hubs have %d sockets", len(n))
	}
}

// Where there can be no socket that is safe, the hub says why, and peers use TCP.
func TestNoSocket(t *testing.T) {
	mkdir := func(t *testing.T, dir string, mode os.FileMode) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(dir, 0o700), os.Chmod(dir, mode)); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		make func(t *testing.T, dir string) string
		says string
	}{
		"open to the group": {func(t *testing.T, dir string) string { mkdir(t, dir, 0o710); return dir }, "open to others (mode 0710): run chmod 700"},
		"open to all":       {func(t *testing.T, dir string) string { mkdir(t, dir, 0o707); return dir }, "open to others (mode 0707)"},
		"a symbolic link": {func(t *testing.T, dir string) string {
			mkdir(t, dir, 0o700)
			link := filepath.Join(filepath.Dir(dir), "link")
			if err := os.Symlink(dir, link); err != nil {
				t.Fatal(err)
			}
			return link
		}, "is no folder"},
		"a file": {func(t *testing.T, dir string) string {
			if err := os.WriteFile(dir, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			return dir
		}, "not a directory"},
		"of another user": {func(t *testing.T, dir string) string {
			mkdir(t, dir, 0o700)
			if err := os.Chown(dir, 65534, 65534); err != nil {
				t.Skip("only root can give a folder away: ", err)
			}
			return dir
		}, "of another user"},
		"a long path": {func(t *testing.T, dir string) string {
			dir = filepath.Join(dir, strings.Repeat("long", 25))
			mkdir(t, dir, 0o700)
			return dir
		}, "the path of a socket has at most"},
		"a folder in the way": {func(t *testing.T, dir string) string {
			mkdir(t, dir, 0o700)
			return dir
		}, "an old socket cannot be removed"},
	} {
		t.Run(name, func(t *testing.T) {
			port := freePort(t)
			dir := c.make(t, socketDir(t))
			if name == "a folder in the way" {
				path, err := Gate{Port: port, SocketDir: dir}.socket()
				if err != nil {
					t.Fatal(err)
				}
				mkdir(t, filepath.Join(path, "x"), 0o700)
			}
			hub, log, _ := runSocketNode(t, port, dir)
			waitForHub(t, hub)
			if !log.has(c.says) || !log.has("connect over TCP") {
				t.Errorf("the hub says %q", log.text.String())
			}
			peer, _, _ := runSocketNode(t, port, dir)
			waitForPeer(t, peer, "tcp")
		})
	}
}

// The longest path that the system takes is used.
func TestLongestSocketPath(t *testing.T) {
	port, dir := freePort(t), socketDir(t)
	gate := Gate{Port: port, Token: testToken, SocketDir: dir}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path, err := gate.socket()
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; ; n++ {
		gate.SocketDir = filepath.Join(dir, strings.Repeat("x", n))
		if err := os.Mkdir(gate.SocketDir, 0o700); err != nil {
			t.Fatal(err)
		}
		if _, err := gate.socket(); err != nil {
			break
		}
		l, err := gate.listenSocket(nil)
		if err != nil {
			t.Fatalf("a path of %d bytes: %v", len(path)+n+1, err)
		}
		_ = l.Close()
	}
}

// The folder is made on first use, for the user alone.
func TestSocketFolderIsMade(t *testing.T) {
	dir := socketDir(t)
	gate := Gate{Port: freePort(t), SocketDir: dir}
	if _, err := CheckSocket(gate); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before its first use: %v", err)
	}
	l, err := gate.listenSocket(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	info, err := os.Lstat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", info, err)
	}
	if path, err := CheckSocket(gate); err != nil || l.Addr().String() != path {
		t.Errorf("%q %v, the socket is %s", path, err, l.Addr())
	}
}

// A hub's visitors do not take the place of peers and commands.
func TestSocketConnectionsAreNoVisitors(t *testing.T) {
	v := visitors{ownerOf: ownerOf}
	here, there := net.Pipe()
	defer func() { _, _ = here.Close(), there.Close() }()
	v.track(socketConn{here}, http.StateNew)
	for range maxVisitors + 1 {
		a, b := net.Pipe()
		defer func() { _, _ = a.Close(), b.Close() }()
		v.track(a, http.StateNew)
	}
	go func() { _, _ = there.Write([]byte("x")) }()
	if _, err := here.Read(make([]byte, 1)); err != nil {
		t.Errorf("a connection over the socket was ended: %v", err)
	}
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r = r.WithContext(v.withConn(r.Context(), socketConn{here}))
	if !v.claim(r, "page") || len(v.ofPage) != 1 {
		t.Errorf("%d connections count as a page's", len(v.ofPage))
	}
	v.track(socketConn{here}, http.StateClosed)
	if len(v.ofPage) != 0 {
		t.Error("a connection over the socket is remembered after its end")
	}
}
