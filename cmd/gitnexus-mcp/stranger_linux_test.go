package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// strangerMain is another user of the machine, who knows all addresses and names and
// has none of the keys. It prints what it got.
func strangerMain() {
	port, config, id := os.Args[1], os.Args[2], os.Args[3]
	base := "http://127.0.0.1:" + port
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
	for _, path := range []string{"/api/repo", "/api/events", "/mcp"} {
		for _, bearer := range []string{"", "Bearer ", "Bearer " + strings.Repeat("a", 43)} {
			req, _ := http.NewRequestWithContext(ctx, http.MethodGet, base+path, nil)
			req.Header.Set("Authorization", bearer)
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				continue
			}
			body, _ := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			if resp.StatusCode < 400 {
				got(fmt.Sprintf("%s: %d %s", path, resp.StatusCode, body))
			}
		}
	}
	nonce, hubNonce, err := challenge(ctx, "127.0.0.1:"+port, atoi(port), "page", id) // it may ask
	if err != nil {
		fmt.Println("no challenge:", err)
	}
	for name, dial := range map[string]*websocket.DialOptions{
		"a v1 page":              {HTTPHeader: http.Header{"Origin": {"http://allowed.example"}}},
		"a v1 page of the app":   {HTTPHeader: http.Header{"Origin": {base}}},
		"a page without a proof": {Subprotocols: []string{"gitnexus.v2"}},
		"a page by a guess":      {Subprotocols: []string{"gitnexus.v2", strings.Join([]string{"gitnexus.proof.page", id, nonce, hubNonce, strings.Repeat("0", 64)}, ".")}},
		"a peer by a guess":      {Subprotocols: []string{"gitnexus.v2", strings.Join([]string{"gitnexus.proof.peer.token", nonce, hubNonce, strings.Repeat("0", 64)}, ".")}},
	} {
		if conn, _, err := websocket.Dial(ctx, "ws://127.0.0.1:"+port+"/", dial); err == nil {
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
	cmd := exec.Command(filepath.Join(dir, "stranger"), fmt.Sprint(s.port), config, id)
	cmd.Env, cmd.Dir = []string{"GITNEXUS_TEST_ROLE=stranger"}, "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	if said := string(out); err != nil || !strings.Contains(said, "uid 65534") || !strings.Contains(said, "done") || strings.Contains(said, "got ") {
		t.Errorf("%v: %s", err, said)
	}
}
