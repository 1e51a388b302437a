package wsbridge

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// FuzzHandshake is the hub that is asked for proofs and keys by somebody who has none:
// it answers, gives nothing away, and pairs nobody.
func FuzzHandshake(f *testing.F) {
	pairing := Pairing{f.TempDir()}
	id, secret, err := pairing.newTicket("fuzz")
	if err != nil {
		f.Fatal(err)
	}
	made := time.Now()
	if err := pairing.write(pageKind, testPage.id, pairingFile{Secret: []byte(testPage.key), Name: "fuzz", Created: time.Now()}); err != nil {
		f.Fatal(err)
	}
	gate := Gate{Port: testPort, Token: testToken, Pairing: pairing, AllowOrigins: []string{"http://allowed.example:5173"}}
	h := newHub(Options{Gate: gate, App: http.NotFoundHandler()})
	const nonce = "0123456789abcdef"
	for _, seed := range []url.Values{
		{"version": {admissionVersion}, "role": {rolePage}, "id": {testPage.id}, "nonce": {nonce}},
		{"version": {admissionVersion}, "role": {rolePeer}, "id": {tokenID}, "nonce": {nonce}},
		{"version": {"2"}, "role": {roleTicket}, "id": {id}, "nonce": {"short"}},
		{"id": {id}, "nonce": {nonce}, "hubNonce": {h.nonces.make(nonce)}, "proof": {strings.Repeat("0", 64)}, "page": {testPage.id}},
		{"id": {"../" + id, id}, "page": {"../../x"}},
	} {
		for _, path := range []string{challengePath, pairPath} {
			f.Add(http.MethodPost, path, seed.Encode(), "http://allowed.example:5173")
			f.Add(http.MethodGet, path, seed.Encode(), "")
		}
	}
	secrets := []string{testToken, gate.storageKey(), testPage.key}
	for _, key := range [][]byte{secret, []byte(testPage.key)} {
		secrets = append(secrets, hex.EncodeToString(key), base64.StdEncoding.EncodeToString(key), base64.RawURLEncoding.EncodeToString(key), string(key))
	}
	f.Fuzz(func(t *testing.T, method, path, query, origin string) {
		if time.Since(made) > ticketLife/2 { // a ticket that is too old has nothing to give away
			made = time.Now()
			if err := pairing.write(ticketKind, id, pairingFile{Secret: secret, Name: "fuzz", Created: made}); err != nil {
				t.Fatal(err)
			}
		}
		r, err := http.NewRequestWithContext(t.Context(), method, "http://127.0.0.1:54319/", nil)
		if err != nil {
			return
		}
		r.URL.Path, r.URL.RawQuery = path, query
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if path == pairPath && w.Code == http.StatusOK {
			t.Fatalf("%s %q paired a page: %s", method, query, w.Body)
		}
		if w.Code >= 500 {
			t.Fatalf("%s %s %q: %d", method, path, query, w.Code)
		}
		said := w.Body.String()
		for _, s := range secrets {
			if strings.Contains(said, s) {
				t.Fatalf("%s %s %q is answered with a secret: %s", method, path, query, said)
			}
		}
		if _, err := pairing.ticket(id); err != nil {
			t.Fatalf("%s %s %q used the ticket up: %v", method, path, query, err)
		}
		if pages, err := pairing.Pages(); err != nil || len(pages) != 1 {
			t.Fatalf("%s %s %q: %d pages are paired, %v", method, path, query, len(pages), err)
		}
	})
}

// FuzzHolder is a program on the port that answers a client's challenge as it likes:
// the client believes none of it, and sends it no secret.
func FuzzHolder(f *testing.F) {
	for _, body := range []string{
		`{"version":"3","proof":"00","nonce":"0123456789abcdef"}`, `{"version":"3","proof":"` + strings.Repeat("0", 64) + `","nonce":""}`,
		`{"version":3}`, `[]`, "", `{"proof":`,
	} {
		f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n" + body))
	}
	f.Add([]byte("SSH-2.0-x\r\n"))
	f.Add([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n"))
	f.Add([]byte("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"))
	gate := Gate{Port: testPort, Token: testToken}
	f.Fuzz(func(t *testing.T, answer []byte) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		ours, theirs := net.Pipe()
		heard := make(chan []byte, 1)
		go func() {
			var got bytes.Buffer
			buffer := make([]byte, 4096)
			for !bytes.HasSuffix(got.Bytes(), []byte("\r\n\r\n")) {
				n, err := theirs.Read(buffer)
				got.Write(buffer[:n])
				if err != nil {
					break
				}
			}
			_, _ = theirs.Write(answer) // the client may have heard enough
			_ = theirs.Close()
			heard <- got.Bytes()
		}()
		holder, err := proveHolder(ctx, gate, func(context.Context, Gate) (net.Conn, error) { return ours, nil })
		if err == nil {
			_ = holder.Close()
			t.Fatalf("%q is taken for a hub", answer)
		}
		_ = ours.Close()
		if got := <-heard; bytes.Contains(got, []byte(testToken)) || bytes.Contains(got, []byte(ProofSubprotocol)) {
			t.Fatalf("it was sent %q", got)
		}
		if _, err := json.Marshal(err.Error()); err != nil {
			t.Fatal(err)
		}
	})
}
