//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// socketOf returns the path of the socket of a port, of servers that tests start.
func socketOf(tb testing.TB) func(port int) string {
	dir, err := wsbridge.DefaultSocketDir()
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return func(port int) string {
		path, err := wsbridge.CheckSocket(wsbridge.Gate{Port: port, SocketDir: dir})
		if err != nil {
			tb.Fatal(err)
		}
		return path
	}
}

// cameOver returns the networks by which a process has joined its hubs.
func (s *server) cameOver() (networks []string) {
	for line := range strings.Lines(s.stderr.String()) {
		if _, network, ok := strings.Cut(line, "network="); ok {
			networks = append(networks, strings.TrimSpace(network))
		}
	}
	return networks
}

// After each kill of the hub, all that are left are at the next one, over its socket.
func TestTakeOverOfTheSocket(t *testing.T) {
	port := freePort(t)
	all := family(t, port, 6)
	for range 3 {
		kill(all[0])
		all = sorted(t, all[1:])
	}
	all = sorted(t, append(all, joinFamily(t, port)))
	for _, s := range all[1:] {
		waitUntil(t, "word of the hub in the log", func() bool { return len(s.cameOver()) > 0 })
		if networks := fmt.Sprint(s.cameOver()); strings.Contains(networks, "tcp") {
			t.Errorf("a peer joined its hubs over %v", networks)
		}
	}
}

// A network namespace has ports of its own, so it has a hub of its own, though the
// files are the same: processes there and here do not meet.
func TestNetworkNamespace(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has network namespaces")
	}
	if out, err := exec.Command("unshare", "-n", "ip", "link", "set", "lo", "up").CombinedOutput(); err != nil {
		t.Skipf("a network namespace needs root, unshare and ip: %v %s", err, out)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	port := freePort(t)
	setting := fmt.Sprintf("GITNEXUS_PORT=%d", port)
	here := sorted(t, []*server{joinFamily(t, port)})[0]
	inside := func(s *server) *server {
		t.Helper()
		s.initialize()
		return s
	}
	there := inside(startCommand(t, exec.Command("unshare", "-n", "sh", "-c", `ip link set lo up && exec "$0"`, exe), "main", setting))
	waitUntil(t, "hub in the namespace", func() bool { return there.bridge().Role == "hub" })
	for name, c := range map[string]struct{ hub, peer *server }{
		"here":  {here, joinFamily(t, port)},
		"there": {there, inside(startCommand(t, exec.Command("nsenter", "-t", fmt.Sprint(there.cmd.Process.Pid), "-n", exe), "main", setting))},
	} {
		waitUntil(t, "peer "+name, func() bool { return c.peer.bridge().Role == "peer" && len(c.peer.cameOver()) > 0 })
		if got, networks := c.peer.bridge().HubPID, fmt.Sprint(c.peer.cameOver()); got != c.hub.cmd.Process.Pid || networks != "[unix]" {
			t.Errorf("the peer %s is at hub %d over %v, want %d over unix", name, got, networks, c.hub.cmd.Process.Pid)
		}
	}
	if there.bridge().Role != "hub" || here.bridge().Role != "hub" {
		t.Error("one of the hubs has given up")
	}
}
