package wsbridge

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"io"
	"net/http"
)

// maxSealed bounds the body of a sealed request, in bytes.
const maxSealed = 64 << 20

// unsealed gives next the body of a request as it was before the page encrypted it
// with the storage key: it names files, and the page cannot know whether another
// program has taken the port since it last heard of the hub.
func (g Gate) unsealed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.Header.Get("Content-Type") == "application/octet-stream" {
			body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxSealed))
			if err == nil {
				body, err = g.unseal(body)
			}
			if err != nil {
				http.Error(w, "the request cannot be decrypted: reload the page", http.StatusBadRequest)
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
		}
		next.ServeHTTP(w, r)
	})
}

// unseal decrypts a nonce and what AES-GCM made of a text with it.
func (g Gate) unseal(sealed []byte) ([]byte, error) {
	key, err := base64.RawURLEncoding.DecodeString(g.storageKey())
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, err
	}
	return gcm.Open(nil, nil, sealed, nil)
}
