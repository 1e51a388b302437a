package repo

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// folder makes a folder out of path -> content.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// stream reads what ServeHTTP sends, as a page does.
func stream(t *testing.T, r *Repo) (files map[string]string, end trailer, header http.Header) {
	t.Helper()
	return send(t, r, httptest.NewRequest("GET", "/api/repo", nil))
}

// update asks for what differs from what a page has, and brings that up to date.
func update(t *testing.T, r *Repo, has map[string]string) (files map[string]string, end trailer) {
	t.Helper()
	body, err := json.Marshal(request{Have: has})
	if err != nil {
		t.Fatal(err)
	}
	files, end, _ = send(t, r, httptest.NewRequest("POST", "/api/repo", bytes.NewReader(body)))
	maps.Copy(has, end.Versions)
	for _, name := range end.Removed {
		delete(has, name)
	}
	return files, end
}

func post(r *Repo, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest("POST", "/api/repo", strings.NewReader(body)))
	return w
}

func send(t *testing.T, r *Repo, req *http.Request) (files map[string]string, end trailer, header http.Header) {
	t.Helper()
	w := httptest.NewRecorder()
	r.ServeHTTP(w, req)
	files = make(map[string]string)
	for body := w.Body; ; {
		var head [8]byte
		if _, err := io.ReadFull(body, head[:]); err != nil {
			t.Fatalf("the stream ends without its trailer: %v", err)
		}
		name := string(body.Next(int(binary.LittleEndian.Uint32(head[0:]))))
		content := bytes.Clone(body.Next(int(binary.LittleEndian.Uint32(head[4:]))))
		if name != "" {
			files[name] = string(content)
			continue
		}
		if err := json.Unmarshal(content, &end); err != nil {
			t.Fatal(err)
		}
		if body.Len() != 0 {
			t.Errorf("%d bytes after the trailer", body.Len())
		}
		return files, end, w.Header()
	}
}

func TestStream(t *testing.T) {
	dir := folder(t, map[string]string{
		"main.go":                "package main\n",
		"empty.txt":              "",
		"ümläut/ß.ts":            "export {}\n",
		"build/out.js":           "ignored",
		"keep/build/out.js":      "kept",
		"a.log":                  "ignored",
		"important.log":          "kept",
		"sub/.gitignore":         "local.txt\n!*.log\n",
		"sub/local.txt":          "ignored",
		"sub/b.log":              "kept by the nearer file",
		"local.txt":              "kept: the pattern is sub's",
		".gitignore":             "# comment\n/build/\n*.log\n!important.log\n",
		".git/config":            "never",
		".git/info/exclude":      "secret.txt\n",
		"secret.txt":             "ignored",
		"node_modules/x/y.js":    "never",
		"image.png":              "\x89PNG\x00\x00",
		"latin1.txt":             "caf\xe9",
		"huge.ts":                strings.Repeat("x", DefaultMaxFile+1),
		"just.ts":                strings.Repeat("x", DefaultMaxFile),
		"late-nul.txt":           strings.Repeat("x", 9000) + "\x00",
		"deep/a/b/c/d/e/f/g.txt": "g",
	})
	if runtime.GOOS != "windows" {
		for link, target := range map[string]string{"loop": ".", "passwd": "/etc/passwd", "deep/up": ".."} {
			if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
				t.Fatal(err)
			}
		}
	}
	r, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	files, end, header := stream(t, r)
	var names []string
	total := 0
	for name, content := range files {
		names = append(names, name)
		total += len(content)
	}
	slices.Sort(names)
	want := []string{".gitignore", "deep/a/b/c/d/e/f/g.txt", "empty.txt", "important.log", "just.ts", "keep/build/out.js",
		"late-nul.txt", "local.txt", "main.go", "sub/.gitignore", "sub/b.log", "ümläut/ß.ts"}
	if !slices.Equal(names, want) {
		t.Errorf("sent %q\nwant %q", names, want)
	}
	if files["main.go"] != "package main\n" || end.Files != len(want) || end.Bytes != int64(total) {
		t.Errorf("trailer %+v, %d bytes", end, total)
	}
	skipped := map[string]string{}
	for _, s := range end.Skipped {
		skipped[s.Path] = s.Reason
	}
	for name, reason := range map[string]string{
		"node_modules": "dependencies", "image.png": "binary", "latin1.txt": "UTF-8", "huge.ts": "1024 KB",
		"loop": "symbolic link", "passwd": "symbolic link", "deep/up": "symbolic link",
	} {
		if runtime.GOOS == "windows" && strings.Contains(reason, "link") {
			continue
		}
		if !strings.Contains(skipped[name], reason) {
			t.Errorf("%s skipped because %q, want %q", name, skipped[name], reason)
		}
	}
	if header.Get("Gitnexus-Name") != filepath.Base(dir) || header.Get("Gitnexus-Files") == "" {
		t.Errorf("header %v", header)
	}
}

func TestLimits(t *testing.T) {
	dir := folder(t, map[string]string{"a": "1234", "b": "1234", "c": "1234"})
	for _, opt := range []Options{{MaxFiles: 2}, {MaxTotal: 8}} {
		r, err := Open(dir, opt)
		if err != nil {
			t.Fatal(err)
		}
		files, end, _ := stream(t, r)
		if len(files) != 2 || len(end.Skipped) != 1 || !strings.Contains(end.Skipped[0].Reason, "beyond the limit") {
			t.Errorf("%+v: %d files, skipped %v", opt, len(files), end.Skipped)
		}
	}
}

func TestNamesThatAreNotUTF8(t *testing.T) {
	dir := folder(t, map[string]string{"ok.go": "package ok\n"})
	if err := os.WriteFile(filepath.Join(dir, "bad\xff.go"), []byte("package bad\n"), 0o644); err != nil {
		t.Logf("this file system takes only UTF-8: %v", err)
		return
	}
	r, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	files, end, _ := stream(t, r)
	if len(files) != 1 || len(end.Skipped) != 1 || end.Skipped[0].Path != "bad\uFFFD.go" {
		t.Errorf("%v, skipped %v", files, end.Skipped)
	}
}

func TestOpenErrors(t *testing.T) {
	file := filepath.Join(folder(t, map[string]string{"f": ""}), "f")
	for _, dir := range []string{filepath.Join(t.TempDir(), "gone"), file} {
		if _, err := Open(dir, Options{}); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("Open(%s): %v", dir, err)
		}
	}
	loop := filepath.Join(t.TempDir(), "loop")
	if err := os.Symlink(loop, loop); err != nil {
		t.Skip(err) // Windows asks for a privilege
	}
	if _, err := Open(loop, Options{}); err == nil || !strings.Contains(err.Error(), "too many links") {
		t.Errorf("Open of a link to itself: %v", err)
	}
}

// Git itself is the judge of what .gitignore means.
func TestAgreesWithGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal("this test needs git")
	}
	files := map[string]string{
		".gitignore":     "*.o\n!keep.o\n/top\nbuild/\ndoc/**/*.html\n**/cache\nfoo/*\n!foo/bar\n\\#hash\ntrail \nspa ce\n[ab].txt\nx?z\n",
		"foo/.gitignore": "*.md\n", "deep/.gitignore": "/only\n!*.o\n",
	}
	for _, name := range []string{"a.o", "keep.o", "sub/b.o", "top", "sub/top", "build/x", "sub/build/y", "buildx", "doc/a.html",
		"doc/b/c.html", "doc/b/c.txt", "cache/x", "q/cache/y", "foo/a", "foo/bar", "foo/bar2/x", "foo/n.md", "#hash", "trail",
		"spa ce", "a.txt", "c.txt", "sub/b.txt", "xyz", "xz", "deep/only", "deep/sub/only", "deep/c.o", "deep/d/e.o"} {
		files[name] = name
	}
	dir := folder(t, files)
	if out, err := exec.Command(git, "-C", dir, "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.Command(git, "-C", dir, "-c", "core.excludesFile=", "-c", "core.quotePath=false", "ls-files", "-co", "--exclude-standard")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(strings.ReplaceAll(string(out), "spa ce", "spa\u00a0ce"))
	r, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	list, err := r.list()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range list.files {
		got = append(got, strings.ReplaceAll(f.Path, "spa ce", "spa\u00a0ce"))
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("listed %q\ngit    %q", got, want)
	}
}

func BenchmarkStream(b *testing.B) {
	dir := b.TempDir()
	text := bytes.Repeat([]byte("func f() { g() }\n"), 700)
	for i := range 1000 {
		sub := filepath.Join(dir, fmt.Sprint("pkg", i%50))
		if err := os.MkdirAll(sub, 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(sub, fmt.Sprint("f", i, ".go")), text, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	r, err := Open(dir, Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(1000 * len(text)))
	for b.Loop() {
		list, err := r.list()
		if err != nil || len(list.files) != 1000 {
			b.Fatal(len(list.files), err)
		}
		if err := r.write(io.Discard, list, nil); err != nil {
			b.Fatal(err)
		}
	}
}
