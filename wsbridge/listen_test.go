package wsbridge

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
)

// answers tells whether a hub of ours answers at an address.
func answers(host string, port int) bool {
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get(fmt.Sprintf("http://%s%s", net.JoinHostPort(host, fmt.Sprint(port)), challengeFor(testPage, "0123456789abcdef")))
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

func needIPv6(t *testing.T) {
	l, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		t.Skip("no IPv6 loopback here: ", err)
	}
	_ = l.Close()
}

// IPv4 decides who is the hub. One that does not get [::1] is the hub all the
// same, and takes it when it is free.
func TestAnotherProgramOnIPv6(t *testing.T) {
	needIPv6(t)
	port := freePort(t)
	foreign, err := net.Listen("tcp6", fmt.Sprintf("[::1]:%d", port))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = foreign.Close() }()
	a, stop := runNode(t, port)
	waitFor(t, "hub", func() bool { return a.Status().Role == "hub" && answers("127.0.0.1", port) })
	b, _ := runNode(t, port)
	waitFor(t, "peer", func() bool { return b.Status().Role == "peer" })
	_ = foreign.Close()
	waitFor(t, "hub on [::1]", func() bool { return answers("::1", port) })
	// Its successor takes both.
	stop()
	waitFor(t, "next hub on both", func() bool {
		return b.Status().Role == "hub" && answers("127.0.0.1", port) && answers("::1", port)
	})
}

// A process that could have [::1] alone is no hub: there might be two.
func TestAnotherProgramOnIPv4(t *testing.T) {
	needIPv6(t)
	foreign := squat(t, 0, func(string) string { return "" })
	n, _ := runNode(t, foreign.port())
	waitFor(t, "word of it", func() bool { return strings.Contains(n.Status().Trouble, "closes connections") })
	if n.Status().Role != "none" || answers("::1", foreign.port()) {
		t.Errorf("the role is %q; [::1] answers: %v", n.Status().Role, answers("::1", foreign.port()))
	}
	_ = foreign.Close()
	waitFor(t, "hub on both", func() bool { return answers("127.0.0.1", foreign.port()) && answers("::1", foreign.port()) })
}

func TestHolderOnEveryAddress(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", "127.0.0.1:0", "[::]:0"} {
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Logf("%s: %v", address, err)
			continue
		}
		if p := holder(l.Addr().(*net.TCPAddr).Port); p.pid != os.Getpid() {
			t.Errorf("%s is held by %+v, want pid %d", address, p, os.Getpid())
		}
		_ = l.Close()
	}
	if p := holder(freePort(t)); p.pid != 0 {
		t.Errorf("a free port is held by %+v", p)
	}
}

func TestHolderTools(t *testing.T) {
	if p := fromLsof("p4711\ncnode\nf12\np4712\ncnode\n"); p != (program{"node", 4711}) {
		t.Errorf("lsof: %+v", p)
	}
	const netstat = "\r\nActive Connections\r\n\r\n  Proto  Local Address          Foreign Address        State           PID\r\n" +
		"  TCP    192.168.1.5:54319      0.0.0.0:0              ABHÖREN         1\r\n" +
		"  TCP    127.0.0.1:54319        127.0.0.1:50000        HERGESTELLT     2\r\n" +
		"  TCP    127.0.0.1:54319        0.0.0.0:0              ABHÖREN         4711\r\n"
	if p := fromNetstat(netstat, testPort); p != (program{pid: 4711}) {
		t.Errorf("netstat: %+v", p)
	}
	for _, out := range []string{"", "p\n", "nonsense"} {
		if p := fromLsof(out); p.pid != 0 || p.String() != "" {
			t.Errorf("%q: %+v", out, p)
		}
	}
}
