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
	for _, file := range grammars {
		name, _, _ := strings.Cut(strings.TrimPrefix(path.Base(file), "tree-sitter-"), "-")
		if !regexp.MustCompile(`(?m)^tree-sitter-.*\b` + name + `\b`).MatchString(texts) {
			t.Errorf("licenses.txt says nothing of the grammar %s: add it to licenses/grammars.txt", name)
		}
	}
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

// maxFirstScript bounds, in bytes of gzip, the scripts that the main thread runs before there is a view. Workers and what is fetched when
// it is first shown (the code, the console) are not among them.
const maxFirstScript = 150_000

func TestFirstScriptIsSmall(t *testing.T) {
	app, err := fs.Sub(embedded, "dist/assets")
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, script := range []struct {
		pattern string
		atLeast int
	}{{"index-*.js.gz", 1}, {"app-*.js.gz", 1}, {"preload-helper-*.js.gz", 0}} {
		names, err := fs.Glob(app, script.pattern)
		if err != nil || len(names) < script.atLeast {
			t.Fatalf("no script is called %s (%v): the build names its scripts otherwise", script.pattern, err)
		}
		for _, name := range names {
			script, err := fs.ReadFile(app, name)
			if err != nil {
				t.Fatal(err)
			}
			total += len(script)
		}
	}
	if total > maxFirstScript {
		t.Errorf("the first scripts have %d bytes, more than %d", total, maxFirstScript)
	}
}
