package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"strings"
	"testing"
)

// The tests in this file hold for the app that is committed; handler_test.go has the rules for any app.

func TestAppIsBuilt(t *testing.T) {
	response := get(Handler(), http.MethodGet, "/", nil)
	if response.Code != http.StatusOK {
		t.Fatalf("/ answers %d: web/dist holds no app; run npm run build in web/", response.Code)
	}
	page := response.Body.String()
	links := regexp.MustCompile(`(?:src|href)="\./([^"]+)"`).FindAllStringSubmatch(page, -1)
	script, style := false, false
	for _, link := range links {
		linked := get(Handler(), http.MethodGet, "/"+link[1], nil)
		if linked.Code != http.StatusOK || linked.Body.Len() == 0 {
			t.Errorf("index.html names %s, which answers %d", link[1], linked.Code)
		}
		script = script || path.Ext(link[1]) == ".js"
		style = style || path.Ext(link[1]) == ".css"
	}
	if !script || !style {
		t.Errorf("index.html names no script or no style sheet: %q", page)
	}
	if regexp.MustCompile(`<script( type="module"[^>]*)?>[^<]|<style|\son[a-z]+=|\sstyle=`).MatchString(page) {
		t.Errorf("index.html has inline code, which the policy refuses: %q", page)
	}
}

func TestEveryFileIsServed(t *testing.T) {
	app, err := fs.Sub(embedded, "dist")
	if err != nil {
		t.Fatal(err)
	}
	h := Handler()
	var total int64
	files := 0
	err = fs.WalkDir(app, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(entry.Name(), ".") {
			return err
		}
		files++
		stored, err := fs.ReadFile(app, name)
		if err != nil {
			return err
		}
		total += int64(len(stored))
		plainName, packed := strings.CutSuffix(name, ".gz")
		if contentTypes[path.Ext(plainName)] == "" {
			t.Errorf("%s: no content type for its ending", name)
		}
		if path.Ext(plainName) == ".map" {
			t.Errorf("%s: a source map in the built app", name)
		}
		plain := stored
		if packed {
			plain = unpack(t, stored)
			if response := get(h, http.MethodGet, "/"+name, nil); response.Code != http.StatusNotFound {
				t.Errorf("%s is reachable under its stored name", name)
			}
		}
		response := get(h, http.MethodGet, "/"+plainName, nil)
		if response.Code != http.StatusOK || !bytes.Equal(response.Body.Bytes(), plain) {
			t.Errorf("%s plain: status %d, %d bytes, want %d", plainName, response.Code, response.Body.Len(), len(plain))
		}
		response = get(h, http.MethodGet, "/"+plainName, http.Header{"Accept-Encoding": {"gzip, deflate, br, zstd"}})
		if response.Code != http.StatusOK || !bytes.Equal(response.Body.Bytes(), stored) {
			t.Errorf("%s packed: status %d, %d bytes, want %d", plainName, response.Code, response.Body.Len(), len(stored))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files == 0 {
		t.Error("no files in web/dist; run npm run build in web/")
	}
	if total > 8<<20 {
		t.Errorf("web/dist has %d bytes, 8 MB are allowed", total)
	}
}

func TestLicensesAreShipped(t *testing.T) {
	response := get(Handler(), http.MethodGet, "/licenses.txt", nil)
	if response.Code != http.StatusOK {
		t.Fatalf("licenses.txt answers %d", response.Code)
	}
	texts := response.Body.String()
	for _, name := range []string{"preact", "web-tree-sitter", "kuzu-wasm"} {
		if !strings.Contains(texts, "\n"+name+" ") {
			t.Errorf("licenses.txt says nothing of %s", name)
		}
	}
	grammars, err := fs.Glob(embedded, "dist/assets/tree-sitter-*.wasm.*")
	if err != nil || len(grammars) == 0 {
		t.Fatalf("no grammars in web/dist: %v", err)
	}
	named := regexp.MustCompile(`^tree-sitter-(.+)-[\w-]{8}\.wasm`)
	for _, file := range grammars {
		match := named.FindStringSubmatch(path.Base(file))
		if match == nil {
			t.Fatalf("%s does not name its grammar", file)
		}
		if !regexp.MustCompile(`(?m)^tree-sitter-(` + match[1] + ` |.* and ` + match[1] + `\)$)`).MatchString(texts) {
			t.Errorf("licenses.txt says nothing of the grammar %s: add it to licenses/grammars.txt", match[1])
		}
	}
}

// What leaves its words in kuzu.wasm is in it, and named in the notices.
func TestLicensesOfTheDatabaseAreShipped(t *testing.T) {
	texts := get(Handler(), http.MethodGet, "/licenses.txt", nil).Body.String()
	wasm := databaseFile(t)
	for words, name := range map[string]string{
		"N6antlr4": "ANTLR 4 C++ runtime", "kuzu_parquet": "Apache Parquet", "kuzu_apache6thrift": "Apache Thrift", "kuzu_snappy": "Snappy",
		"third_party/re2/": "RE2", "httplib": "cpp-httplib", "/emsdk/emscripten/": "Emscripten", "libcxxabi": "libc++abi",
		"roaring": "CRoaring", "miniz": "miniz", "stemmer": "Snowball",
	} {
		if !bytes.Contains(wasm, []byte(words)) {
			t.Errorf("kuzu.wasm does not say %q any more: look for what else tells that it holds %s", words, name)
		}
		if !strings.Contains(texts, "\n"+name) && !strings.Contains(texts, ", "+name) {
			t.Errorf("licenses.txt says nothing of %s, which is in kuzu.wasm", name)
		}
	}
	// These leave no words: the build of Kuzu links them.
	for _, name := range []string{
		"ALP", "Brotli", "fast_float", "FastPFor", "glob", "JSON for Modern C++", "LZ4", "Mbed TLS", "PCG", "SimSIMD", "utf8proc", "yyjson", "Zstandard", "DuckDB", "Redis", "{fmt}",
		"Abseil", "uint128_t", "MD5", "musl", "dlmalloc", "ICU",
	} {
		if !strings.Contains(texts, "\n"+name) {
			t.Errorf("licenses.txt says nothing of %s", name)
		}
	}
}

func databaseFile(t *testing.T) []byte {
	t.Helper()
	files, err := fs.Glob(embedded, "dist/assets/kuzu-*.wasm.gzip")
	if err != nil || len(files) != 1 {
		t.Fatalf("web/dist has these files of the database: %v, %v", files, err)
	}
	packed, err := embedded.Open(files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = packed.Close() }()
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	wasm, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

func get(h http.Handler, method, target string, header http.Header) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, "http://127.0.0.1:54319"+target, nil)
	if header != nil {
		request.Header = header
	}
	response := httptest.NewRecorder()
	h.ServeHTTP(response, request)
	return response
}

func unpack(t *testing.T, packed []byte) []byte {
	t.Helper()
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

// maxFirstScript bounds, in bytes of gzip, the scripts that the main thread runs before there is a view, with all that they import. Workers
// and what is fetched when it is first shown (the code, the console) are not among them.
const maxFirstScript = 150_000

func TestFirstScriptIsSmall(t *testing.T) {
	app, err := fs.Sub(embedded, "dist/assets")
	if err != nil {
		t.Fatal(err)
	}
	var next []string
	for _, pattern := range []string{"index-*.js.gz", "start-*.js.gz", "app-*.js.gz"} {
		names, err := fs.Glob(app, pattern)
		if err != nil || len(names) != 1 {
			t.Fatalf("scripts %s: %q (%v): the build names its scripts otherwise", pattern, names, err)
		}
		next = append(next, strings.TrimSuffix(names[0], ".gz"))
	}
	imported := regexp.MustCompile(`(?:from|import)"\./([^"]+\.js)"`)
	total := 0
	for seen := map[string]bool{}; len(next) > 0; next = next[1:] {
		name := next[0]
		if seen[name] {
			continue
		}
		seen[name] = true
		packed, err := fs.ReadFile(app, name+".gz")
		if err != nil {
			t.Fatal(err)
		}
		total += len(packed)
		for _, found := range imported.FindAllSubmatch(unpack(t, packed), -1) {
			next = append(next, string(found[1]))
		}
	}
	if total < 50_000 || total > maxFirstScript {
		t.Errorf("the first scripts have %d bytes, not between 50000 and %d", total, maxFirstScript)
	}
}

// Each further file before the first frame delays it.
func TestFirstFrameNeedsOneScriptAndOneStyle(t *testing.T) {
	page, err := fs.ReadFile(embedded, "dist/index.html.gz")
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(unpack(t, page)), `<template id="later">`)
	scripts, styles := strings.Count(head, "<script"), strings.Count(head, `rel="stylesheet"`)
	if scripts != 1 || styles != 1 || strings.Contains(head, "preload") {
		t.Errorf("before its first frame the page fetches %d scripts and %d styles, or more in advance:\n%s", scripts, styles, head)
	}
}
