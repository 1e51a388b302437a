package wsbridge

import (
	"bytes"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A page encrypted these with Node's AES-GCM, as web/src/engine/source-hub.ts does.
func TestSealedRequestsAreReadAsTheyWere(t *testing.T) {
	gate := Gate{Token: "a token of the test"}
	echo := gate.unsealed(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		_, _ = w.Write(append([]byte(r.Header.Get("Content-Type")+" "), body...))
	}))
	sealed, err := base64.StdEncoding.DecodeString("BwcHBwcHBwcHBwcHiZ+ov/OJ9ju+2Vx9pPRYYBy+V+iu9gDMO2oxjZd8LhySxHIOsqE=")
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Clone(sealed)
	changed[len(changed)-1] ^= 1
	for _, c := range []struct {
		name, contentType string
		body              []byte
		status            int
		want              string
	}{
		{"sealed", "application/octet-stream", sealed, 200, `application/json {"have":{"a.ts":"v1"}}`},
		{"plain", "application/json", []byte(`{"have":{}}`), 200, `application/json {"have":{}}`},
		{"changed", "application/octet-stream", changed, 400, "reload the page"},
		{"cut off", "application/octet-stream", sealed[:5], 400, "reload the page"},
		{"empty", "application/octet-stream", nil, 400, "reload the page"},
	} {
		r := httptest.NewRequest(http.MethodPost, "/api/repo", bytes.NewReader(c.body))
		r.Header.Set("Content-Type", c.contentType)
		w := httptest.NewRecorder()
		echo.ServeHTTP(w, r)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s: %d %s", c.name, w.Code, w.Body)
		}
	}
	if _, err := (Gate{Token: "another token"}).unseal(sealed); err == nil {
		t.Error("a key of another token opens it")
	}
}
