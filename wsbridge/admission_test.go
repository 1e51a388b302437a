package wsbridge

import (
	"cmp"
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
	gate := Gate{Port: testPort, Token: testToken, Pairing: testPages, AllowOrigins: []string{"https://app.example:443"}}
	h := newHub(Options{Gate: gate, App: http.NotFoundHandler()})
	h.sessions[&session{key: "the session's key"}] = struct{}{}
	h.sessions[&session{}] = struct{}{} // a peer has none
	const own = "127.0.0.1:54319"
	for _, c := range []struct {
		name               string
		host, origin, auth string
		want               string // what a request and an upgrade with these are told
		app                string // what Admit says
	}{
		{"own page", own, "http://127.0.0.1:54319", "yes", "", ""},
		{"localhost", "localhost:54319", "http://localhost:54319", "yes", "", ""},
		{"IPv6", "[::1]:54319", "http://[::1]:54319", "yes", "", ""},
		{"no origin, with token", own, "-", "yes", "", ""},
		{"no origin, no token", own, "-", "", "secret", ""},
		{"wrong token", own, "-", "no", "secret", ""},
		{"own origin, no token", own, "http://localhost:54319", "", "secret", ""},
		{"foreign host (DNS rebinding)", "evil.example:54319", "-", "yes", "host", "host"},
		{"rebinding, origin to match", "evil.example:54319", "http://evil.example:54319", "yes", "host", "host"},
		{"host of another port", "127.0.0.1:8080", "-", "yes", "host", "host"},
		{"host without port", "127.0.0.1", "-", "yes", "host", "host"},
		{"host that begins like ours", "127.0.0.1:543190", "-", "yes", "host", "host"},
		{"host that ends like ours", "x.localhost:54319", "-", "yes", "host", "host"},
		{"foreign origin", own, "http://evil.example", "yes", "origin", "origin"},
		{"another local port", own, "http://localhost:5173", "yes", "origin", "origin"},
		{"own origin by https", own, "https://127.0.0.1:54319", "yes", "origin", "origin"},
		{"null origin", own, "null", "yes", "origin", "origin"},
		{"empty origin", own, "", "yes", "origin", "origin"},
		{"allowed origin", own, "https://app.example", "yes", "", ""},
		{"allowed origin in capitals", own, "HTTPS://APP.example:443", "yes", "", ""},
		{"allowed origin, no token", own, "https://app.example", "", "secret", ""},
		{"allowed host by http", own, "http://app.example", "yes", "origin", "origin"},
		{"origin with a path", own, "https://app.example/x", "yes", "origin", "origin"},
		{"origin with a user", own, "https://app.example@evil.example", "yes", "origin", "origin"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest("GET", "http://"+c.host+"/", nil)
			if c.origin != "-" {
				r.Header.Set("Origin", c.origin)
			}
			key, token := map[string]string{"yes": "the session's key", "no": "another"}[c.auth], map[string]string{"yes": testToken, "no": "another"}[c.auth]
			page := testPage
			if c.auth == "no" {
				page.key = strings.Repeat("z", 32)
			}
			if c.auth != "" {
				r.Header.Set("Authorization", "Bearer "+key)
				nonce := "0123456789abcdef"
				r.Header.Set("Sec-WebSocket-Protocol", gate.clientProof(page, nonce, h.nonces.make(nonce)))
			}
			want := map[string]string{"secret": "session"}
			if got := reason(h.admitSession(r)); got != cmp.Or(want[c.want], c.want) {
				t.Errorf("admitSession says %q, want %q", got, c.want)
			}
			want["secret"] = "token"
			if _, refusal := h.admitProof(r); reason(refusal) != cmp.Or(want[c.want], c.want) {
				t.Errorf("admitProof says %q, want %q", reason(refusal), c.want)
			}
			if got := reason(gate.Admit(r)); got != c.app {
				t.Errorf("Admit says %q, want %q", got, c.app)
			}
			if c.auth != "" {
				r.Header.Set("Authorization", "Bearer "+token)
			}
			want["secret"] = "bearer"
			if got := reason(gate.AdmitBearer(r)); got != cmp.Or(want[c.want], c.want) {
				t.Errorf("AdmitBearer says %q, want %q", got, c.want)
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
		h := newHub(Options{Gate: Gate{Port: testPort}, App: http.NotFoundHandler()})
		r := httptest.NewRequest("GET", "http://"+own+"/", nil)
		nonce := "0123456789abcdef"
		r.Header.Set("Sec-WebSocket-Protocol", h.opt.Gate.clientProof(h.opt.Gate.peer(), nonce, h.nonces.make(nonce)))
		if _, refusal := h.admitProof(r); reason(refusal) != "token" {
			t.Errorf("admitProof says %q", reason(refusal))
		}
		r.Header.Set("Authorization", "Bearer ")
		if got := reason(h.opt.Gate.AdmitBearer(r)); got != "bearer" {
			t.Errorf("AdmitBearer says %q", got)
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
	hub := newHub(serving(Options{Gate: Gate{Port: testPort, Token: testToken, Pairing: testPages}, App: http.HandlerFunc(
		func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("the app")) }),
		MCP: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("the tools")) })},
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("the repo")) })))
	hub.useFolder(hub.opt.Folder)
	hub.sessions[&session{key: "of-a-page", page: &page{loads: hub.opt.Folder.ID}}] = struct{}{}
	proven := func() string {
		nonce := "0123456789abcdef"
		return Subprotocol + ", " + hub.opt.Gate.clientProof(testPage, nonce, hub.nonces.make(nonce))
	}
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
		{"app, embedded by another site", "/", with(nil, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors"), 403, `"reason":"origin"`},
		{"app, by a link of another site", "/", with(nil, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"), 200, "the app"},
		{"app, in a frame of another site", "/", with(nil, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"), 403, `"reason":"origin"`},
		{"app, in a window of another site", "/", with(nil, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"), 200, "the app"},
		{"app, by another site that names our origin", "/", with(nil, "Origin", "http://127.0.0.1:54319", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "cors"), 403, `"reason":"origin"`},
		{"app, embedded by itself", "/", with(nil, "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "no-cors"), 200, "the app"},
		{"app, foreign host", "/", with(nil, "Host", "evil.example"), 403, `"reason":"host"`},
		{"an older page", "/api/check", with(nil, "Authorization", "Bearer "+testToken), 403, `"reason":"version"`},
		{"repo without a key", "/api/repo", nil, 403, `"reason":"session"`},
		{"repo with the token", "/api/repo", with(nil, "Authorization", "Bearer "+testToken), 403, `"reason":"session"`},
		{"repo", "/api/repo", with(nil, "Authorization", "Bearer of-a-page"), 200, "the repo"},
		{"MCP without the token", "/mcp", nil, 401, `Authorization: Bearer TOKEN`},
		{"MCP with a page's key", "/mcp", with(nil, "Authorization", "Bearer of-a-page"), 401, `"reason":"bearer"`},
		{"MCP, foreign origin", "/mcp", with(nil, "Authorization", "Bearer "+testToken, "Origin", "http://evil.example"), 403, `"reason":"origin"`},
		{"MCP, foreign host", "/mcp", with(nil, "Authorization", "Bearer "+testToken, "Host", "evil.example"), 403, `"reason":"host"`},
		{"MCP", "/mcp", with(nil, "Authorization", "Bearer "+testToken), 200, "the tools"},
		{"v1 without origin", "/", upgrade, 403, `"reason":"token"`},
		{"v1 from our own page", "/", with(upgrade, "Origin", "http://127.0.0.1:54319"), 403, `"reason":"token"`},
		{"v2 without token", "/", with(upgrade, "Sec-Websocket-Protocol", Subprotocol), 403, `"reason":"token"`},
		{"v2 with the token itself", "/", with(upgrade, "Sec-Websocket-Protocol", Subprotocol+", "+"gitnexus.token."+testToken), 403, `"reason":"token"`},
		{"v2 from elsewhere", "/", with(upgrade, "Sec-Websocket-Protocol", proven(), "Origin", "http://evil.example"), 403, `"reason":"origin"`},
		{"v2 to another host", "/", with(upgrade, "Sec-Websocket-Protocol", proven(), "Host", "evil.example:54319"), 403, `"reason":"host"`},
		// A recorder cannot be hijacked: getting as far as that means admitted.
		{"v2", "/", with(upgrade, "Sec-Websocket-Protocol", proven()), 501, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := get(c.path, c.header)
			if w.Code != c.status || !strings.Contains(w.Body.String(), c.body) {
				t.Errorf("%d %s, want %d with %s", w.Code, w.Body, c.status, c.body)
			}
			for _, name := range []string{"Cache-Control", "Content-Security-Policy", "Cross-Origin-Embedder-Policy", "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy", "Permissions-Policy", "Referrer-Policy", "X-Content-Type-Options"} {
				if w.Header().Get(name) == "" {
					t.Errorf("no %s", name)
				}
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

func TestWeakTokensAreRefused(t *testing.T) {
	for token, good := range map[string]bool{
		"0123456789abcdef0123456789abcdef":       true,
		"0123456789abcdef0123456789abcde":        false, // 124 bits
		"9jBqTzVwK3mN8xYcR5_pLd":                 true,
		"9jBqTzVwK3mN8xYcR5_pL":                  false, // 126 bits
		"01234567890123456789012345678901":       false, // digits alone
		"correct horse battery staple, and more": false,
		strings.Repeat("a", 128):                 false,
		strings.Repeat("Ab1-", 20):               false,
	} {
		err := CheckToken(token)
		if (err == nil) != good || err != nil && !strings.Contains(err.Error(), "openssl rand") {
			t.Errorf("%s: %v", token, err)
		}
	}
}
