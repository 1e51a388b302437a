package main

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// keyMAC is the HMAC of docs/protocol.md, written from it.
func keyMAC(key []byte, fields ...string) []byte {
	mac := hmac.New(sha256.New, key)
	_, _ = mac.Write([]byte(strings.Join(fields, "\n")))
	return mac.Sum(nil)
}

func testMAC(fields ...string) string {
	return hex.EncodeToString(keyMAC([]byte(testToken), fields...))
}

// ask sends a request to the hub at addr, whose port is port, and reads its answer.
func ask(ctx context.Context, addr string, port int, method, path string, answer any) error {
	req, err := http.NewRequestWithContext(ctx, method, "http://"+addr+path, nil)
	if err != nil {
		return err
	}
	req.Host = fmt.Sprintf("127.0.0.1:%d", port)
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", path, resp.Status)
	}
	return json.NewDecoder(resp.Body).Decode(answer)
}

// challenge asks for a hub's nonce.
func challenge(ctx context.Context, addr string, port int, role, id string) (nonce, hubNonce string, err error) {
	nonce = rand.Text()
	var answer struct{ Nonce string }
	err = ask(ctx, addr, port, http.MethodGet, fmt.Sprintf("/api/challenge?version=3&role=%s&id=%s&nonce=%s", role, id, nonce), &answer)
	return nonce, answer.Nonce, err
}

// pageKey is the key that all scripted pages of this process share, as long as the
// user's configuration folder is the same.
var pageKey struct {
	sync.Mutex
	config, id string
	key        []byte
}

// pairedKey pairs this process with the hub as a page does, once.
func pairedKey(ctx context.Context, addr string, port int) (id string, key []byte, err error) {
	config, err := os.UserConfigDir()
	if err != nil {
		return "", nil, err
	}
	k := &pageKey
	k.Lock()
	defer k.Unlock()
	if k.config != config {
		if k.id, k.key, err = pairAs(ctx, addr, port, testToken); err != nil {
			return "", nil, err
		}
		k.config = config
	}
	return k.id, k.key, nil
}

// pairAs pairs a page with the hub, which has that token.
func pairAs(ctx context.Context, addr string, port int, token string) (id string, key []byte, err error) {
	pairing, err := wsbridge.DefaultPairing(token)
	if err != nil {
		return "", nil, err
	}
	address, err := wsbridge.Gate{Port: port, Pairing: pairing}.PairingURL("test")
	if err != nil {
		return "", nil, err
	}
	_, fragment, _ := strings.Cut(address, "#ticket=")
	id, text, _ := strings.Cut(fragment, ".")
	ticket, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return "", nil, err
	}
	nonce, hubNonce, err := challenge(ctx, addr, port, "ticket", id)
	if err != nil {
		return "", nil, err
	}
	proof := hex.EncodeToString(keyMAC(ticket, "gitnexus-mcp client", strconv.Itoa(port), "ticket", nonce, hubNonce))
	var answer struct{ Page string }
	err = ask(ctx, addr, port, http.MethodPost, fmt.Sprintf("/api/pair?id=%s&nonce=%s&hubNonce=%s&proof=%s", id, nonce, hubNonce, proof), &answer)
	return answer.Page, keyMAC(ticket, "gitnexus-mcp page", strconv.Itoa(port), nonce, hubNonce), err
}

// proofProtocols asks the hub at addr, whose port is port, for a nonce, and
// returns the subprotocols that prove to it that a client of the role is who it says.
func proofProtocols(ctx context.Context, addr string, port int, role string) ([]string, error) {
	id, key := "token", []byte(testToken)
	if role == "page" {
		var err error
		if id, key, err = pairedKey(ctx, addr, port); err != nil {
			return nil, err
		}
	}
	return keyProtocols(ctx, addr, port, role, id, key)
}

// keyProtocols are the subprotocols that prove that a client has a key.
func keyProtocols(ctx context.Context, addr string, port int, role, id string, key []byte) ([]string, error) {
	nonce, hubNonce, err := challenge(ctx, addr, port, role, id)
	if err != nil {
		return nil, err
	}
	proof := hex.EncodeToString(keyMAC(key, "gitnexus-mcp client", strconv.Itoa(port), role, nonce, hubNonce))
	return []string{"gitnexus.v2", strings.Join([]string{"gitnexus.proof." + role, id, nonce, hubNonce, proof}, ".")}, nil
}

// ownProtocols are those for a hub on loopback.
func ownProtocols(ctx context.Context, port int, role string) ([]string, error) {
	return proofProtocols(ctx, fmt.Sprintf("127.0.0.1:%d", port), port, role)
}
