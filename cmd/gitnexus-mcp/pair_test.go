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
	other := startServer(t, "main") // with another token: it has no such key
	other.initialize()
	other.waitHealth("hub", func(h healthReport) bool { return h.Bridge.Role == "hub" })
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

// Servers that run take the new token, the one that holds the port and one that is its
// peer, and let nobody in with the former one.
func TestPairRotate(t *testing.T) {
	s, file, id, key := pairedServer(t)
	environ := []string{fmt.Sprintf("GITNEXUS_PORT=%d", s.port)}
	peer := startServer(t, "main", append(environ, "GITNEXUS_TOKEN=")...)
	peer.initialize()
	peer.waitHealth("peer", func(h healthReport) bool { return h.Bridge.Role == "peer" })
	elsewhere := startServer(t, "main", "GITNEXUS_TOKEN=") // on a port of its own
	elsewhere.initialize()
	elsewhere.waitHealth("hub", func(h healthReport) bool { return h.Bridge.Role == "hub" })
	before, _ := wsbridge.LoadToken(file)
	ended, err := connectPage(t, s.port, id, key)
	if err != nil {
		t.Fatal(err)
	}
	code, said, _ := run(t, environ, "pair", "rotate")
	after, err := wsbridge.LoadToken(file)
	if code != 0 || err != nil || after == before || !strings.Contains(said, "2 open links have ended") || strings.Count(said, "have the new token") != 2 || strings.Contains(said, after) {
		t.Errorf("rotate: %d, %s, %v", code, said, err)
	}
	if err := <-ended; websocket.CloseStatus(err) != websocket.StatusPolicyViolation {
		t.Errorf("the link ended with %v", err)
	}
	if _, err := connectPage(t, s.port, id, key); err == nil {
		t.Error("the key is still good")
	}
	if _, _, err := pairAs(t.Context(), fmt.Sprintf("127.0.0.1:%d", s.port), s.port, before); err == nil {
		t.Error("the former token is still good")
	}
	if code, said, _ := run(t, environ, "open", "--browser", "none"); code != 0 || !strings.Contains(said, "#ticket=") {
		t.Errorf("open: %d, %s", code, said)
	}
	peer.waitHealth("peer again", func(h healthReport) bool { return h.Bridge.Role == "peer" })
	for end := time.Now().Add(10 * time.Second); !strings.Contains(peer.stderr.String(), "there is another token"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the peer's log: %s", peer.stderr.String())
		}
	}
	peer.waitHealth("peer again", func(h healthReport) bool { return h.Bridge.Role == "peer" })
	id, key, err = pairAs(t.Context(), fmt.Sprintf("127.0.0.1:%d", s.port), s.port, after)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := connectPage(t, s.port, id, key); err != nil {
		t.Fatal(err)
	}
	for _, server := range []*server{s, peer} {
		if log := server.stderr.String(); strings.Contains(log, before) || strings.Contains(log, after) {
			t.Error("a token is in the log")
		}
	}
}

// A server that does not take the new token is said.
func TestPairRotateBesideAnOlderServer(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	file, err := wsbridge.DefaultTokenFile()
	if err != nil {
		t.Fatal(err)
	}
	before, err := wsbridge.LoadToken(file)
	if err != nil {
		t.Fatal(err)
	}
	s := startServer(t, "main", "GITNEXUS_TOKEN="+before) // which a running server keeps
	s.initialize()
	s.waitHealth("hub", func(h healthReport) bool { return h.Bridge.Role == "hub" })
	code, said, _ := run(t, []string{fmt.Sprintf("GITNEXUS_PORT=%d", s.port)}, "pair", "rotate")
	if code != 0 || !strings.Contains(said, "has not taken the new token") || !strings.Contains(said, "start your agents anew") {
		t.Errorf("rotate: %d, %s", code, said)
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
