package repo

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestARuleAfterALongLineHolds(t *testing.T) {
	long := strings.Repeat("x", 200<<10)
	for name, ignore := range map[string]string{
		"comment": "#" + long + "\nsecret\n",
		"rule":    "a.log\n" + long + "\nsecret",
		"CRLF":    "#" + long + "\r\nsecret\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, map[string]string{".gitignore": ignore, "secret": "1", "a.go": "1"})
			if got, want := listed(t, dir), []string{".gitignore", "a.go"}; !slices.Equal(got, want) {
				t.Errorf("listed %v, want %v", got, want)
			}
		})
	}
}

// A folder whose ignore file is beyond the bounds is left out: part of its rules
// could let a file through that the whole file hides.
func TestIgnoreFilesAreBounded(t *testing.T) {
	for name, ignore := range map[string]string{
		"rules": strings.Repeat("a\n", maxRules+1) + "secret\n",
		"bytes": "#" + strings.Repeat("x", maxIgnore) + "\nsecret\n",
		"rule":  strings.Repeat("*", maxRule) + "t\nsecret\n",
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, map[string]string{"a.go": "1", "b/.gitignore": ignore, "b/secret": "1", "b/c/d.go": "1"})
			tr := newTree(dir, Options{MaxFile: 2 << 20, MaxFiles: 100, MaxTotal: 2 << 20})
			if err := tr.readAll(); err != nil {
				t.Fatal(err)
			}
			l := tr.listing()
			if len(l.files) != 1 || l.files[0].Path != "a.go" || len(l.skipped) != 1 || l.skipped[0].Path != "b" ||
				!strings.HasPrefix(l.skipped[0].Reason, "left out with all that is in it: its ignore file ") {
				t.Errorf("listed %v, skipped %v", l.files, l.skipped)
			}
			edit(t, dir, "b/.gitignore", "secret\n")
			if _, err := tr.reread(map[string]bool{"b": true}); err != nil {
				t.Fatal(err)
			}
			if l := tr.listing(); len(l.files) != 3 || len(l.skipped) != 0 {
				t.Errorf("after it is mended: listed %v, skipped %v", l.files, l.skipped)
			}
		})
	}
}

// A hundred folders with an ignore file of 1 MB each take no more memory than the
// bounds allow, and no rule is lost in silence.
func TestIgnoreFilesTogetherAreBounded(t *testing.T) {
	files := map[string]string{}
	for i := range 100 {
		files[fmt.Sprintf("f%02d/.gitignore", i)] = strings.Repeat(fmt.Sprintf("%099d\n", i), maxRules) + "*.log\n"
		files[fmt.Sprintf("f%02d/a.go", i)] = "1"
	}
	for name, ignore := range files { // one rule too many is another test's
		files[name] = strings.Replace(ignore, "\n", "x", 1)
	}
	dir := folder(t, files)
	tr := newTree(dir, Options{MaxFile: 2 << 20, MaxFiles: 1000, MaxTotal: 1 << 30})
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	if err := tr.readAll(); err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	t.Logf("%d MB are held", (int64(after.HeapAlloc)-int64(before.HeapAlloc))>>20)
	l := tr.listing()
	if tr.use.rules > maxAllRules+maxRules || len(l.skipped) != 90 || len(l.files) != 2*10 {
		t.Errorf("%d files, %d folders left out", len(l.files), len(l.skipped))
	}
	runtime.KeepAlive(tr)
}

// A thousand directories below one large ignore file hold its rules once.
func TestDirectoriesShareRules(t *testing.T) {
	dir := folder(t, map[string]string{".gitignore": "*.log\n", "a/b/c.go": "1", "d/e.go": "1", "d/.gitignore": "#nothing\n"})
	tr := newTree(dir, Options{MaxFile: 100, MaxFiles: 100, MaxTotal: 1000})
	if err := tr.readAll(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "a/b", "d"} {
		if tr.dirs[name].rules != tr.dirs["."].rules {
			t.Errorf("%s has rules of its own", name)
		}
	}
	edit(t, dir, "a/.gitignore", "c.go\n")
	if _, err := tr.reread(map[string]bool{"a": true}); err != nil {
		t.Fatal(err)
	}
	if own := tr.dirs[filepath.ToSlash("a/b")].rules; own.above != tr.dirs["."].rules || len(own.patterns) != 1 {
		t.Errorf("a/b has %+v", own)
	}
	if len(tr.listing().files) != 4 { // three ignore files and d/e.go
		t.Errorf("%v", tr.listing().files)
	}
}
