package wsbridge

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestServiceWorkersAreRemoved(t *testing.T) {
	h := newHub(Options{Gate: Gate{Port: testPort, Token: testToken}, App: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("a script"))
	})})
	for _, path := range []string{"/", "/sw.js", "/assets/app.js", challengePath, MCPPath, "/api/repo"} {
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:54319"+path, nil)
		r.Header.Set("Service-Worker", "script")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if got := w.Header().Get("Clear-Site-Data"); w.Code != http.StatusForbidden || got != `"storage"` {
			t.Errorf("%s: status %d, Clear-Site-Data %q", path, w.Code, got)
		}
		r.Header.Del("Service-Worker")
		w = httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if got := w.Header().Get("Clear-Site-Data"); got != "" {
			t.Errorf("%s: a request for no service worker clears %s", path, got)
		}
	}
}
