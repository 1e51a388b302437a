package web

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	indexHTML = "<!doctype html><title>app</title>"
	script    = "export const answer = 42; export const again = 42; export const more = 42;"
)

func sampleApp(t *testing.T) fstest.MapFS {
	t.Helper()
	app := fstest.MapFS{
		"index.html.gz":                    {Data: pack(t, indexHTML)},
		"licenses.txt":                     {Data: []byte("MIT")},
		"assets/index-Ab3_-xY9.js.gz":      {Data: pack(t, script)},
		"assets/kuzu-Sdyuab0t.wasm.gzip":   {Data: pack(t, "\x00asm")},
		"assets/engine.worker-Sdyuab0t.js": {Data: []byte("go()")},
		".placeholder":                     {Data: []byte("none")},
	}
	for _, ending := range []string{"css", "html", "ico", "js", "json", "png", "svg", "txt", "wasm", "webmanifest", "woff2", "gzip", "odd"} {
		app["types/plain."+ending] = &fstest.MapFile{Data: []byte(ending)}
		app["types/packed."+ending+".gz"] = &fstest.MapFile{Data: pack(t, ending)}
	}
	return app
}

func TestContentTypes(t *testing.T) {
	want := map[string]string{
		"css": "text/css; charset=utf-8", "html": "text/html; charset=utf-8", "ico": "image/x-icon",
		"js": "text/javascript; charset=utf-8", "json": "application/json", "png": "image/png",
		"svg": "image/svg+xml", "txt": "text/plain; charset=utf-8", "wasm": "application/wasm",
		"webmanifest": "application/manifest+json", "woff2": "font/woff2", "gzip": "application/gzip", "odd": "application/octet-stream",
	}
	h := newHandler(sampleApp(t))
	for ending, contentType := range want {
		for _, name := range []string{"/types/plain.", "/types/packed."} {
			response := get(h, http.MethodGet, name+ending, nil)
			if got := response.Header().Get("Content-Type"); got != contentType {
				t.Errorf("%s%s: content type %q, want %q", name, ending, got, contentType)
			}
			if got := response.Body.String(); got != ending {
				t.Errorf("%s%s: body %q", name, ending, got)
			}
		}
	}
}

func TestEncodings(t *testing.T) {
	h := newHandler(sampleApp(t))
	for accept, packed := range map[string]bool{
		"gzip":                          true,
		"gzip, deflate, br, zstd":       true,
		"GZIP":                          true,
		"x-gzip":                        true,
		"br;q=1.0, gzip;q=0.001":        true,
		"deflate, gzip;q=1.0, *;q=0":    true,
		"*":                             true,
		"gzip ; q=0.5":                  true,
		"identity;q=0.5, gzip;q=0.5":    true,
		"":                              false,
		"br":                            false,
		"gzip;q=0":                      false,
		"gzip;q=0.000":                  false,
		"*, gzip;q=0":                   false,
		"*;q=0":                         false,
		"gzip;q=0.5, identity":          false,
		"gzip;q=0.5, identity;q=0.9":    false,
		"gzip;q=NaN":                    false,
		"gzip;q=7":                      false,
		"gzip;level=9":                  false,
		"gzipped, not-gzip, deflate;q=": false,
	} {
		header := http.Header{}
		if accept != "" {
			header.Set("Accept-Encoding", accept)
		}
		response := get(h, http.MethodGet, "/assets/index-Ab3_-xY9.js", header)
		if response.Code != http.StatusOK {
			t.Errorf("%q: status %d", accept, response.Code)
		}
		if got := response.Header().Get("Content-Encoding") == "gzip"; got != packed {
			t.Errorf("%q: packed is %t, want %t", accept, got, packed)
		}
		body := response.Body.Bytes()
		if got := response.Header().Get("Content-Length"); got != strconv.Itoa(len(body)) {
			t.Errorf("%q: Content-Length %s of %d bytes", accept, got, len(body))
		}
		if packed {
			body = unpack(t, body)
		}
		if string(body) != script {
			t.Errorf("%q: body %q", accept, body)
		}
		if got := response.Header().Get("Vary"); got != "Accept-Encoding" {
			t.Errorf("%q: Vary %q", accept, got)
		}
	}
	if get(h, http.MethodGet, "/licenses.txt", http.Header{"Accept-Encoding": {"gzip"}}).Header().Get("Content-Encoding") != "" {
		t.Error("a file that is stored plain claims to be packed")
	}
}

func TestCaching(t *testing.T) {
	h := newHandler(sampleApp(t))
	for _, name := range []string{"/assets/index-Ab3_-xY9.js", "/assets/kuzu-Sdyuab0t.wasm.gzip"} {
		if got := get(h, http.MethodGet, name, nil).Header().Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
			t.Errorf("%s: Cache-Control %q", name, got)
		}
	}
	// Another program on the port could have given the browser a page of its own with any tag.
	page := get(h, http.MethodGet, "/", http.Header{"If-None-Match": {"*"}})
	if got := page.Header().Get("Cache-Control"); got != "no-store" || page.Header().Get("ETag") != "" || page.Code != 200 {
		t.Errorf("/: status %d, Cache-Control %q, ETag %q", page.Code, got, page.Header().Get("ETag"))
	}

	tags := map[string]bool{}
	for _, accept := range []string{"gzip", "identity"} {
		file := get(h, http.MethodGet, "/types/packed.txt", http.Header{"Accept-Encoding": {accept}})
		tag := file.Header().Get("ETag")
		if got := file.Header().Get("Cache-Control"); got != "no-cache" || tag == "" {
			t.Fatalf("Cache-Control %q, ETag %q", got, tag)
		}
		tags[tag] = true
		for value, want := range map[string]int{
			tag: 304, "W/" + tag: 304, `"other", ` + tag: 304, "*": 304,
			`"other"`: 200, strings.Trim(tag, `"`): 200,
		} {
			response := get(h, http.MethodGet, "/types/packed.txt", http.Header{"Accept-Encoding": {accept}, "If-None-Match": {value}})
			if response.Code != want || (want == 304) != (response.Body.Len() == 0) {
				t.Errorf("If-None-Match %s: status %d with %d bytes, want %d", value, response.Code, response.Body.Len(), want)
			}
			if response.Header().Get("ETag") != tag || response.Header().Get("Vary") != "Accept-Encoding" {
				t.Errorf("If-None-Match %s: a %d must carry ETag and Vary", value, response.Code)
			}
		}
	}
	if len(tags) != 2 {
		t.Errorf("packed and plain bytes share a strong ETag: %v", tags)
	}

	changed := sampleApp(t)
	changed["types/packed.txt.gz"] = &fstest.MapFile{Data: pack(t, "changed")}
	if tags[get(newHandler(changed), http.MethodGet, "/types/packed.txt", nil).Header().Get("ETag")] {
		t.Error("another file has the same ETag")
	}
}

func TestMethodsAndPaths(t *testing.T) {
	h := newHandler(sampleApp(t))
	for _, c := range []struct {
		method, path string
		status       int
	}{
		{"GET", "/", 200}, {"GET", "/index.html", 200}, {"HEAD", "/", 200}, {"HEAD", "/assets/index-Ab3_-xY9.js", 200},
		{"POST", "/", 405}, {"PUT", "/index.html", 405}, {"DELETE", "/nothing", 405}, {"OPTIONS", "/", 405},
		{"GET", "/nothing", 404}, {"HEAD", "/nothing", 404}, {"GET", "/assets", 404}, {"GET", "/assets/", 404},
		{"GET", "/index.html.gz", 404}, {"GET", "/assets/index-Ab3_-xY9.js.gz", 404}, {"GET", "//index.html", 404},
		{"GET", "/assets/../index.html", 404}, {"GET", "/%2e%2e/handler.go", 404}, {"GET", "/.placeholder", 404},
	} {
		response := get(h, c.method, c.path, nil)
		if response.Code != c.status {
			t.Errorf("%s %s: status %d, want %d", c.method, c.path, response.Code, c.status)
		}
		if allow := response.Header().Get("Allow"); (c.status == 405) != (allow == "GET, HEAD") {
			t.Errorf("%s %s: Allow %q", c.method, c.path, allow)
		}
		if c.status == 404 && strings.Contains(response.Header().Get("Cache-Control"), "immutable") {
			t.Errorf("%s %s: the absence of a file is cached for good", c.method, c.path)
		}
	}
	for _, target := range []string{"/", "/assets/index-Ab3_-xY9.js"} {
		for _, accept := range []string{"gzip", "identity"} {
			got := get(h, http.MethodGet, target, http.Header{"Accept-Encoding": {accept}})
			head := get(h, http.MethodHead, target, http.Header{"Accept-Encoding": {accept}})
			if head.Body.Len() != 0 {
				t.Errorf("HEAD %s has a body", target)
			}
			for key := range got.Header() {
				if got.Header().Get(key) != head.Header().Get(key) {
					t.Errorf("HEAD %s: %s is %q, GET has %q", target, key, head.Header().Get(key), got.Header().Get(key))
				}
			}
		}
	}
}

func TestPolicy(t *testing.T) {
	h := newHandler(sampleApp(t))
	const strict = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; " +
		"font-src 'self'; manifest-src 'self'; connect-src 'self' ws://127.0.0.1:54319; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
		"require-trusted-types-for 'script'; trusted-types workers"
	for _, target := range []string{"/", "/assets/index-Ab3_-xY9.js", "/assets/engine.worker-Sdyuab0t.js", "/nothing"} {
		response := get(h, http.MethodGet, target, nil)
		if got := response.Header().Get("Content-Security-Policy"); got != strict {
			t.Errorf("%s: policy\n %s\nwant\n %s", target, got, strict)
		}
	}
}

func TestPolicyRepeatsOnlyLoopbackHosts(t *testing.T) {
	h := newHandler(sampleApp(t))
	for host, want := range map[string]string{
		"127.0.0.1:54319":           "connect-src 'self' ws://127.0.0.1:54319;",
		"localhost:1":               "connect-src 'self' ws://localhost:1;",
		"localhost":                 "connect-src 'self' ws://localhost;",
		"[::1]:54319":               "connect-src 'self';",
		"evil.example":              "connect-src 'self';",
		"localhost:1;script-src":    "connect-src 'self';",
		"localhost.evil.example:80": "connect-src 'self';",
		"":                          "connect-src 'self';",
	} {
		request := httptest.NewRequest(http.MethodGet, "/", nil)
		request.Host = host
		response := httptest.NewRecorder()
		h.ServeHTTP(response, request)
		if got := response.Header().Get("Content-Security-Policy"); !strings.Contains(got, want) {
			t.Errorf("Host %q: policy %s, want %s", host, got, want)
		}
	}
}

func TestMissingAppIsExplained(t *testing.T) {
	h := newHandler(fstest.MapFS{".placeholder": {Data: []byte("none")}})
	response := get(h, http.MethodGet, "/", nil)
	if response.Code != http.StatusServiceUnavailable || response.Header().Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("status %d, type %q", response.Code, response.Header().Get("Content-Type"))
	}
	if !strings.Contains(response.Body.String(), "npm run build") {
		t.Errorf("the page does not say what to do: %s", response.Body)
	}
	if get(h, http.MethodHead, "/", nil).Body.Len() != 0 {
		t.Error("HEAD has a body")
	}
	if get(h, http.MethodGet, "/assets/x.js", nil).Code != http.StatusNotFound {
		t.Error("a file of an app that is not there is not a 404")
	}
}

func TestDamagedAppIsExplained(t *testing.T) {
	h := newHandler(fstest.MapFS{"index.html.gz": {Data: []byte("x")}})
	response := get(h, http.MethodGet, "/", nil)
	if response.Code != http.StatusInternalServerError || !strings.Contains(response.Body.String(), "index.html.gz") {
		t.Errorf("status %d: %s", response.Code, response.Body)
	}

	// The size is right and the content is not: the client must see the transfer break off.
	broken := pack(t, strings.Repeat(indexHTML, 1000))
	broken[len(broken)/2] ^= 0xff
	server := httptest.NewServer(newHandler(fstest.MapFS{"index.html.gz": {Data: broken}}))
	defer server.Close()
	client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableCompression: true}}
	defer client.CloseIdleConnections()
	if answer, err := client.Get(server.URL); err == nil {
		defer answer.Body.Close()
		var body bytes.Buffer
		if _, err := body.ReadFrom(answer.Body); err == nil {
			t.Errorf("a damaged file arrived as a whole, %d bytes", body.Len())
		}
	}
}

func pack(t *testing.T, text string) []byte {
	t.Helper()
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	if _, err := writer.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}
