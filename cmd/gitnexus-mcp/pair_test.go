package main

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// connectPage opens a page's link with a key, and returns a channel that gets the link's end.
func connectPage(t *testing.T, port int, id string, key []byte) (<-chan error, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	protocols, err := keyProtocols(ctx, fmt.Sprintf("127.0.0.1:%d", port), port, "page", id, key)
	if err != nil {
		return nil, err
	}
	conn, _, err := websocket.Dial(ctx, fmt.Sprintf("ws://127.0.0.1:%d/", port), &websocket.DialOptions{Subprotocols: protocols})
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	if err := conn.Write(ctx, websocket.MessageText, []byte(`{"jsonrpc":"2.0","id":"hello","method":"bridge/hello","params":{"role":"page","version":"t","session":"s"}}`)); err != nil {
		return nil, err
	}
	if _, _, err := conn.Read(ctx); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() {
		for {
			if _, _, err := conn.Read(context.Background()); err != nil {
				ended <- err
				return
			}
		}
	}()
	return ended, nil
}

// pairedServer starts a server whose token is in the user's file, and pairs a page.
func pairedServer(t *testing.T, settings ...string) (s *server, file, id string, key []byte) {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	s = startServer(t, "main", append(settings, "GITNEXUS_TOKEN=")...)
	s.initialize()
	file, err := wsbridge.DefaultTokenFile()
	if err != nil {
		t.Fatal(err)
	}
	token, err := wsbridge.LoadToken(file)
	if err != nil {
		t.Fatal(err)
	}
	addr := fmt.Sprintf("127.0.0.1:%d", s.port)
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) { // until it has the port
		if id, key, err = pairAs(t.Context(), addr, s.port, token); err == nil {
			return s, file, id, key
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

func TestPairRevoke(t *testing.T) {
	s, _, id, key := pairedServer(t)
	environ := []string{fmt.Sprintf("GITNEXUS_PORT=%d", s.port)}
	ended, err := connectPage(t, s.port, id, key)
	if err != nil {
		t.Fatal(err)
	}
	if code, list, _ := run(t, environ, "pair", "list"); code != 0 || !strings.Contains(list, id) || !strings.Contains(list, "PAIRED BY") {
		t.Errorf("list: %d, %s", code, list)
	}
	if code, said, _ := run(t, environ, "pair", "revoke", id); code != 0 || !strings.Contains(said, "has ended") {
		t.Errorf("revoke: %d, %s", code, said)
	}
	if err := <-ended; websocket.CloseStatus(err) != websocket.StatusPolicyViolation {
		t.Errorf("the link ended with %v", err)
	}
	if _, err := connectPage(t, s.port, id, key); err == nil {
		t.Error("the key is still good")
	}
	if code, _, said := run(t, environ, "pair", "revoke", id); code != 1 || !strings.Contains(said, "pair list") {
		t.Errorf("revoked again: %d, %s", code, said)
	}
	if code, list, _ := run(t, environ, "pair", "list"); code != 0 || !strings.Contains(list, "No browser is paired") {
		t.Errorf("list: %d, %s", code, list)
	}
}

func TestPairRotate(t *testing.T) {
	s, file, id, key := pairedServer(t)
	environ := []string{fmt.Sprintf("GITNEXUS_PORT=%d", s.port)}
	before, _ := wsbridge.LoadToken(file)
	ended, err := connectPage(t, s.port, id, key)
	if err != nil {
		t.Fatal(err)
	}
	code, said, _ := run(t, environ, "pair", "rotate")
	after, err := wsbridge.LoadToken(file)
	if code != 0 || err != nil || after == before || !strings.Contains(said, "Start your agents anew") || strings.Contains(said, after) {
		t.Errorf("rotate: %d, %s, %v", code, said, err)
	}
	if err := <-ended; websocket.CloseStatus(err) != websocket.StatusPolicyViolation {
		t.Errorf("the link ended with %v", err)
	}
	if _, err := connectPage(t, s.port, id, key); err == nil {
		t.Error("the key is still good")
	}
	// The running server keeps the old token, so a command with the new one fails.
	if code, _, said := run(t, environ, "open", "--browser", "none"); code != 1 || !strings.Contains(said, "does not know our token") {
		t.Errorf("open: %d, %s", code, said)
	}
}

func TestPairUsage(t *testing.T) {
	for _, args := range [][]string{{"pair"}, {"pair", "revoke"}, {"pair", "list", "x"}, {"pair", "forget"}} {
		if code, _, said := run(t, nil, args...); code != 2 || !strings.Contains(said, "pair revoke ID") {
			t.Errorf("%q: %d, %s", args, code, said)
		}
	}
	if code, _, said := run(t, []string{"GITNEXUS_TOKEN=" + testToken}, "pair", "rotate"); code != 2 || !strings.Contains(said, "openssl rand") {
		t.Errorf("rotate: %d, %s", code, said)
	}
}
