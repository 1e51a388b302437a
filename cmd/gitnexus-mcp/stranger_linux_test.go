package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// strangerMain is another user of the machine, who knows all addresses and names and
// has none of the keys. It prints what it got. It comes to the hub itself, where the
// system tells whose it is, or by a process of the hub's user that passes it on.
func strangerMain() {
	addr, port, config, id, socket := os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5]
	own := "127.0.0.1:" + port
	direct := addr == own
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	got := func(what string) { fmt.Println("got", what) }
	fmt.Println("uid", os.Getuid())
	_ = filepath.WalkDir(config, func(path string, _ os.DirEntry, err error) error {
		if err == nil {
			if _, err := os.ReadFile(path); err == nil {
				got(path)
			}
		}
		return nil
	})
	if conn, err := net.Dial("unix", socket); err == nil {
		fmt.Println("connected over the socket")
		_, _ = fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", own)
		if answer, _ := io.ReadAll(conn); !strings.HasPrefix(string(answer), "HTTP/1.1 403") {
			got(fmt.Sprintf("over the socket: %s", answer))
		}
		_ = conn.Close()
	}
	paths := []string{"/api/repo", "/api/events", "/mcp"}
	if direct {
		paths = append(paths, "/", "/api/challenge?version=3&role=page&id="+id+"&nonce=0123456789abcdef")
	}
	for _, path := range paths {
		for _, bearer := range []string{"", "Bearer ", "Bearer " + strings.Repeat("a", 43)} {
			req, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+path, nil)
			req.Host = own
			req.Header.Set("Authorization", bearer)
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				continue
			}
			body, _ := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			if resp.StatusCode < 400 || direct && !strings.Contains(string(body), "another user of this machine") {
				got(fmt.Sprintf("%s: %d %s", path, resp.StatusCode, body))
			}
		}
	}
	nonce, hubNonce, err := challenge(ctx, addr, atoi(port), "page", id) // who is passed on may ask
	if err != nil {
		fmt.Println("no challenge:", err)
	}
	tries := map[string]*websocket.DialOptions{
		"a page without a proof": {Subprotocols: []string{"gitnexus.v2"}},
		"a page by a guess":      {Subprotocols: []string{"gitnexus.v2", strings.Join([]string{"gitnexus.proof.page", id, nonce, hubNonce, strings.Repeat("0", 64)}, ".")}},
		"a peer by a guess":      {Subprotocols: []string{"gitnexus.v2", strings.Join([]string{"gitnexus.proof.peer.token", nonce, hubNonce, strings.Repeat("0", 64)}, ".")}},
		"a v1 page of the app":   {HTTPHeader: http.Header{"Origin": {"http://" + own}}},
	}
	if direct { // a process of the hub's user is let in as that
		tries["a v1 page"] = &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"http://allowed.example"}}}
	}
	for name, dial := range tries {
		dial.Host = own
		if conn, _, err := websocket.Dial(ctx, "ws://"+addr+"/", dial); err == nil {
			_ = conn.CloseNow()
			got("a link as " + name)
		}
	}
	fmt.Println("done")
}

func atoi(text string) (n int) {
	_, _ = fmt.Sscan(text, &n)
	return n
}

// Another user of the machine, who may connect to every port and say anything, gets
// nothing.
func TestAnotherUserGetsNothing(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can become another user")
	}
	s, file, id, key := pairedServer(t, "GITNEXUS_ALLOW_ORIGIN=http://allowed.example")
	if _, err := connectPage(t, s.port, id, key); err != nil { // what the stranger tries is what the user can do
		t.Fatal(err)
	}
	socket, err := wsbridge.CheckSocket(wsbridge.Gate{Port: s.port, SocketDir: filepath.Join(filepath.Dir(file), "hub")})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.Close()
	// The test's own binary lies where others cannot read it.
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "gitnexus-test-stranger-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	data, err := os.ReadFile(exe)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "stranger"), data, 0o755)
	}
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	// Everything above the user's folder is open to all, as it would be in a home.
	config := filepath.Dir(filepath.Dir(file))
	for above := config; above != os.TempDir() && above != "/"; above = filepath.Dir(above) {
		if err := os.Chmod(above, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	try := func(addr string) string {
		t.Helper()
		cmd := exec.Command(filepath.Join(dir, "stranger"), addr, fmt.Sprint(s.port), config, id, socket)
		cmd.Env, cmd.Dir = []string{"GITNEXUS_TEST_ROLE=stranger"}, "/"
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		out, err := cmd.CombinedOutput()
		said := string(out)
		if err != nil || !strings.Contains(said, "uid 65534") || !strings.Contains(said, "done") || strings.Contains(said, "got ") {
			t.Errorf("at %s: %v: %s", addr, err, said)
		}
		return said
	}
	if said := try(fmt.Sprint("127.0.0.1:", s.port)); strings.Contains(said, "connected over the socket") {
		t.Errorf("another user can connect to the socket: %s", said)
	}
	// Were its folder open, the hub would still ask the system who is there.
	if err := errors.Join(os.Chmod(socket, 0o777), os.Chmod(filepath.Dir(socket), 0o755), os.Chmod(filepath.Dir(filepath.Dir(socket)), 0o711)); err != nil {
		t.Fatal(err)
	}
	relay := (&faultProxy{target: fmt.Sprint("127.0.0.1:", s.port)}).start(t, 1)
	defer relay.close()
	if said := try(relay.addr()); !strings.Contains(said, "connected over the socket") || strings.Contains(said, "no challenge") {
		t.Errorf("the other user could not try: %s", said)
	}
}
