package main

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// testMAC is the HMAC of docs/protocol.md, written from it.
func testMAC(fields ...string) string {
	mac := hmac.New(sha256.New, []byte(testToken))
	_, _ = mac.Write([]byte(strings.Join(fields, "\n")))
	return hex.EncodeToString(mac.Sum(nil))
}

// proofProtocols asks the hub at addr, whose port is port, for a nonce, and
// returns the subprotocols that prove to it that a client of the role knows the token.
func proofProtocols(ctx context.Context, addr string, port int, role string) ([]string, error) {
	nonce := rand.Text()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/api/challenge?nonce="+nonce, nil)
	if err != nil {
		return nil, err
	}
	req.Host = fmt.Sprintf("127.0.0.1:%d", port)
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	var answer struct{ Nonce string }
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return nil, err
	}
	proof := testMAC("gitnexus-mcp client", strconv.Itoa(port), role, nonce, answer.Nonce)
	return []string{"gitnexus.v2", strings.Join([]string{"gitnexus.proof." + role, nonce, answer.Nonce, proof}, ".")}, nil
}

// ownProtocols are those for a hub on loopback.
func ownProtocols(ctx context.Context, port int, role string) ([]string, error) {
	return proofProtocols(ctx, fmt.Sprintf("127.0.0.1:%d", port), port, role)
}
