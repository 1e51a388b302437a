package wsbridge

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func TestGate(t *testing.T) {
	gate := Gate{Port: testPort, Token: testToken, AllowOrigins: []string{"https://app.example:443"}}
	const own = "127.0.0.1:54319"
	for _, c := range []struct {
		name               string
		host, origin, auth string
		want               string // what AdmitToken says
		app                string // what Admit says
	}{
		{"own page", own, "http://127.0.0.1:54319", testToken, "", ""},
		{"localhost", "localhost:54319", "http://localhost:54319", testToken, "", ""},
		{"IPv6", "[::1]:54319", "http://[::1]:54319", testToken, "", ""},
		{"no origin, with token", own, "-", testToken, "", ""},
		{"no origin, no token", own, "-", "", "token", ""},
		{"wrong token", own, "-", testToken + "x", "token", ""},
		{"own origin, no token", own, "http://localhost:54319", "", "token", ""},
		{"foreign host (DNS rebinding)", "evil.example:54319", "-", testToken, "host", "host"},
		{"rebinding, origin to match", "evil.example:54319", "http://evil.example:54319", testToken, "host", "host"},
		{"host of another port", "127.0.0.1:8080", "-", testToken, "host", "host"},
		{"host without port", "127.0.0.1", "-", testToken, "host", "host"},
		{"host that begins like ours", "127.0.0.1:543190", "-", testToken, "host", "host"},
		{"host that ends like ours", "x.localhost:54319", "-", testToken, "host", "host"},
		{"foreign origin", own, "http://evil.example", testToken, "origin", "origin"},
		{"another local port", own, "http://localhost:5173", testToken, "origin", "origin"},
		{"own origin by https", own, "https://127.0.0.1:54319", testToken, "origin", "origin"},
		{"null origin", own, "null", testToken, "origin", "origin"},
		{"empty origin", own, "", testToken, "origin", "origin"},
		{"allowed origin", own, "https://app.example", testToken, "", ""},
		{"allowed origin in capitals", own, "HTTPS://APP.example:443", testToken, "", ""},
		{"allowed origin, no token", own, "https://app.example", "", "token", ""},
		{"allowed host by http", own, "http://app.example", testToken, "origin", "origin"},
		{"origin with a path", own, "https://app.example/x", testToken, "origin", "origin"},
		{"origin with a user", own, "https://app.example@evil.example", testToken, "origin", "origin"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest("GET", "http://"+c.host+"/", nil)
			if c.origin != "-" {
				r.Header.Set("Origin", c.origin)
			}
			if c.auth != "" {
				r.Header.Set("Authorization", "Bearer "+c.auth)
			}
			if got := reason(gate.AdmitToken(r)); got != c.want {
				t.Errorf("AdmitToken says %q, want %q", got, c.want)
			}
			if got := reason(gate.Admit(r)); got != c.app {
				t.Errorf("Admit says %q, want %q", got, c.app)
			}
			// A v1 page brings no token, so its origin has to be named.
			wantV1 := c.app
			if c.app == "" && !strings.Contains(strings.ToLower(c.origin), "app.example") {
				wantV1 = "token"
			}
			if got := reason(gate.AdmitV1(r)); got != wantV1 {
				t.Errorf("AdmitV1 says %q, want %q", got, wantV1)
			}
		})
	}
	t.Run("two origins", func(t *testing.T) {
		r := httptest.NewRequest("GET", "http://"+own+"/", nil)
		r.Header["Origin"] = []string{"https://app.example", "https://evil.example"}
		if got := reason(gate.Admit(r)); got != "origin" {
			t.Errorf("Admit says %q", got)
		}
	})
	t.Run("an empty token admits nobody", func(t *testing.T) {
		r := httptest.NewRequest("GET", "http://"+own+"/", nil)
		r.Header.Set("Authorization", "Bearer ")
		if got := reason(Gate{Port: testPort}.AdmitToken(r)); got != "token" {
			t.Errorf("AdmitToken says %q", got)
		}
	})
}

func reason(r *Refusal) string {
	if r == nil {
		return ""
	}
	return r.Reason
}

// The gate stands before every endpoint, and before the upgrade.
func TestGateStandsEverywhere(t *testing.T) {
	hub := NewHub(Options{Gate: Gate{Port: testPort, Token: testToken}, App: http.HandlerFunc(
		func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("the app")) }),
		Repo: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("the repo")) })})
	get := func(path string, header http.Header) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", "http://127.0.0.1:54319"+path, nil)
		for k, v := range header {
			r.Header[k] = v
		}
		if h := header.Get("Host"); h != "" {
			r.Host = h
		}
		w := httptest.NewRecorder()
		hub.ServeHTTP(w, r)
		return w
	}
	upgrade := http.Header{"Upgrade": {"websocket"}, "Connection": {"Upgrade"},
		"Sec-Websocket-Version": {"13"}, "Sec-Websocket-Key": {"AAAAAAAAAAAAAAAAAAAAAA=="}}
	with := func(h http.Header, kv ...string) http.Header {
		h = h.Clone()
		if h == nil {
			h = http.Header{}
		}
		for i := 0; i < len(kv); i += 2 {
			h.Set(kv[i], kv[i+1])
		}
		return h
	}
	for _, c := range []struct {
		name, path string
		header     http.Header
		status     int
		body       string
	}{
		{"app", "/", nil, 200, "the app"},
		{"app, foreign origin", "/", with(nil, "Origin", "http://evil.example"), 403, `"reason":"origin"`},
		{"app, foreign host", "/", with(nil, "Host", "evil.example"), 403, `"reason":"host"`},
		{"check without token", "/api/check", nil, 403, `"reason":"token"`},
		{"check", "/api/check", with(nil, "Authorization", "Bearer "+testToken), 204, ""},
		{"repo without token", "/api/repo", nil, 403, `"reason":"token"`},
		{"repo", "/api/repo", with(nil, "Authorization", "Bearer "+testToken), 200, "the repo"},
		{"v1 without origin", "/", upgrade, 403, `"reason":"token"`},
		{"v1 from our own page", "/", with(upgrade, "Origin", "http://127.0.0.1:54319"), 403, `"reason":"token"`},
		{"v2 without token", "/", with(upgrade, "Sec-Websocket-Protocol", Subprotocol), 403, `"reason":"token"`},
		{"v2 with a wrong token", "/", with(upgrade, "Sec-Websocket-Protocol", Subprotocol+", "+TokenSubprotocol+"x"), 403, `"reason":"token"`},
		{"v2 from elsewhere", "/", with(upgrade, "Sec-Websocket-Protocol", Subprotocol+", "+TokenSubprotocol+testToken, "Origin", "http://evil.example"), 403, `"reason":"origin"`},
		{"v2 to another host", "/", with(upgrade, "Sec-Websocket-Protocol", Subprotocol+", "+TokenSubprotocol+testToken, "Host", "evil.example:54319"), 403, `"reason":"host"`},
		// A recorder cannot be hijacked: getting as far as that means admitted.
		{"v2", "/", with(upgrade, "Sec-Websocket-Protocol", Subprotocol+", "+TokenSubprotocol+testToken), 501, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := get(c.path, c.header)
			if w.Code != c.status || !strings.Contains(w.Body.String(), c.body) {
				t.Errorf("%d %s, want %d with %s", w.Code, w.Body, c.status, c.body)
			}
			if strings.Contains(w.Body.String(), testToken) {
				t.Error("the answer holds the token")
			}
		})
	}
}

func TestParseOrigin(t *testing.T) {
	for in, want := range map[string]string{
		"http://localhost:5173":  "http://localhost:5173",
		"HTTP://LocalHost:5173/": "http://localhost:5173",
		"https://app.example":    "https://app.example:443",
		"http://[::1]:8080":      "http://[::1]:8080",
		"localhost:5173":         "",
		"null":                   "",
		"*":                      "",
		"http://":                "",
		"http://a/b":             "",
		"http://a?b":             "",
		"http://u@a":             "",
		"http://a:0":             "",
		"ftp://a":                "",
	} {
		got, err := ParseOrigin(in)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("ParseOrigin(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
}

func TestTokenIsMadeOnceAndPrivate(t *testing.T) {
	file := filepath.Join(t.TempDir(), "conf", "token")
	var wg sync.WaitGroup
	tokens := make([]string, 20)
	for i := range tokens {
		wg.Go(func() {
			var err error
			if tokens[i], err = LoadToken(file); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, token := range tokens {
		if token != tokens[0] || CheckToken(token) != nil || len(token) != 43 {
			t.Fatalf("tokens differ or are weak: %q, %q", tokens[0], token)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	for path, want := range map[string]os.FileMode{file: 0o600, filepath.Dir(file): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v; want %v", path, info.Mode(), err, want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "token-*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadToken(file); err == nil || !strings.Contains(err.Error(), "other users") {
		t.Errorf("a readable token was taken: %v", err)
	}
}

func TestBrokenTokenFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("short\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadToken(file); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("got %v", err)
	}
}
