package repo

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What git ignores is not sent, and nothing else is kept back. web/src/engine/gitignore.test.ts
// has the same cases.
func TestIgnoresWhatGitIgnores(t *testing.T) {
	paths := []string{
		"a.log", "keep.log", "b/a.log", "b/keep.log", "b/c/d.txt", "build/x.js", "b/build/x.js", "b/building/x.js", "build.js", "src/main.ts",
		"src/gen/a.pb.go", "src/gen/deep/b.pb.go", "src/gen/keep.go", "doc/a.txt", "doc/x/a.txt", "doc/x/y/a.txt", "foo/bar", "foo/x/bar", "foo/x/y/bar",
		"x/foo/bar", "file1", "file2", "fileA", "file-", "trail", "#hash", "!bang", "a[b]", "qq", "tmp/a", "tmp/keep/a", "tmp/keep/b", "s/tmp/a",
		"a/b/c", "deep/one/two/three.ts", "a.b.c", "Makefile", "dist/index.js", "pkg/dist/index.js", "pkg/src/dist.ts", "vendor/a/b.go", "cmd/vendor/a.go",
		"z", "-", "a-b",
	}
	cases := map[string]map[string]string{
		"names, folders, negation":  {".gitignore": "*.log\n!keep.log\nbuild/\n# comment\n\\#hash\n\\!bang\ntrail\\ \n"},
		"anchored and with slashes": {".gitignore": "/build\ndoc/*.txt\nfoo/bar\nsrc/gen/\n!src/gen/keep.go\ndeep/*/two\n"},
		"two stars":                 {".gitignore": "foo/**/bar\n**/three.ts\ndoc/**\n!doc/x/\nvendor/**\n"},
		"two stars inside a name":   {".gitignore": "a**c\n*d**/x.js\n/?o**/b?r\n"},
		"sets and ranges":           {".gitignore": "file[0-9]\nfile[!0-9-]\na\\[b\\]\n[z-a]\n[\n[]]\nfile[]-]\n"},
		"named sets":                {".gitignore": "file[[:digit:]]\n[[:upper:]]akefile\n[[:punct:]]\n[[:nothing:]]q\n"},
		"deeper files first":        {".gitignore": "*.log\ndist/\ntmp/\n", "b/.gitignore": "!a.log\nc/\n", "pkg/.gitignore": "!dist/\n"},
		"all but":                   {".gitignore": "/*\n!/src\n/src/*\n!/src/main.ts\n"},
		"white space and line ends": {".gitignore": "a.log   \r\n  z\n\tz\n\r\nqq\r\n"},
		"question marks":            {".gitignore": "file?\n?\n*.b.c\n-\n[a-b]-[!c-z]*\n"},
		"slash only":                {".gitignore": "/\n//\n**\n"},
		"slash and two stars":       {".gitignore": "/**\n!/**/\n!*.ts\n"},
		"byte order mark":           {".gitignore": "\ufeffa.log\nqq\n"},
		"spaces beyond all bounds":  {".gitignore": "a.log" + strings.Repeat(" ", maxRule) + "\n"},
	}
	random := rand.New(rand.NewPCG(1, 2))
	words := []string{"*", "**", "/", "?", "a", "b", "build", "foo", "x", ".log", "[a-f]", "[!x]", "!", "\\", "src", ".", "dist", "js", "doc", "tmp"}
	for i := range 30 {
		var file strings.Builder
		for range 1 + random.IntN(4) {
			for range 1 + random.IntN(5) {
				file.WriteString(words[random.IntN(len(words))])
			}
			file.WriteString("\n")
		}
		cases[fmt.Sprint("random ", i)] = map[string]string{".gitignore": file.String()}
	}
	for name, files := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := map[string]string{}
			for _, path := range paths {
				all[path] = "1"
			}
			for path, text := range files {
				all[path] = text
			}
			dir := folder(t, all)
			want := notIgnored(t, dir, dir)
			if got := listed(t, dir); !slices.Equal(got, want) {
				t.Errorf("with %q\nlisted %q\ngit    %q", files, got, want)
			}
		})
	}
}

// A folder that is a part of a repository is read as git reads it there, with the
// rules that stand above it.
func TestRulesAboveTheFolderHold(t *testing.T) {
	above := map[string]string{
		".gitignore":          "dist/\n*.log\n/packages/app/generated\n/src\npackages/*/tmp\n!keep.log\n",
		".git/info/exclude":   "notes.txt\nkeep.txt\n",
		"packages/.gitignore": "/app/cache\n/src\n!keep.txt\n*.bak\n",
	}
	paths := []string{"a.ts", "dist/a.js", "src/a.ts", "src/dist/b.js", "a.log", "keep.log", "generated/a.ts", "src/generated/a.ts", "tmp/a", "src/tmp/a",
		"cache/a", "src/cache/a", "notes.txt", "keep.txt", "a.bak", "src/a.bak", "packages/app/generated/a"}
	for name, own := range map[string]string{"without rules of its own": "", "with rules of its own": "!dist/\n/a.ts\n!a.bak\n"} {
		t.Run(name, func(t *testing.T) {
			files := maps.Clone(above)
			for _, path := range paths {
				files["packages/app/"+path] = "1"
			}
			if own != "" {
				files["packages/app/.gitignore"] = own
			}
			dir := folder(t, files)
			app := filepath.Join(dir, "packages", "app")
			check := func(t *testing.T) {
				t.Helper()
				if got, want := listed(t, app), notIgnored(t, dir, app); !slices.Equal(got, want) {
					t.Errorf("listed %q\ngit    %q", got, want)
				}
			}
			check(t)
			edit(t, dir, ".gitignore", "src/\n")
			check(t)
		})
	}
}

// Who opens a folder that its repository ignores wants what is in it.
func TestAFolderThatIsIgnoredItselfIsRead(t *testing.T) {
	for name, ignore := range map[string]string{"the folder": "/build/out/\n*.log\n", "one above it": "build\n", "all": "*\n"} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, map[string]string{".gitignore": ignore, ".git/info/exclude": "*.txt\n", "build/out/a.ts": "1", "build/out/a.log": "1", "build/out/a.txt": "1", "build/out/b/.gitignore": "c.ts\n", "build/out/b/c.ts": "1"})
			if got, want := listed(t, filepath.Join(dir, "build", "out")), []string{"a.log", "a.ts", "a.txt", "b/.gitignore"}; !slices.Equal(got, want) {
				t.Errorf("listed %q, want %q", got, want)
			}
		})
	}
}

func TestRulesAboveTheFolderHoldWhileItIsWatched(t *testing.T) {
	dir := folder(t, map[string]string{".git/HEAD": "", ".gitignore": "*.log\n", "packages/.gitignore": "/app/new/b.ts\n", "packages/app/a.ts": "1"})
	app := filepath.Join(dir, "packages", "app")
	tr := newTree(app, Options{MaxFile: 100, MaxFiles: 100, MaxTotal: 1000})
	if err := tr.readAll(); err != nil {
		t.Fatal(err)
	}
	if !tr.ignores("b.log") || tr.ignores("b.ts") {
		t.Errorf("b.log is ignored: %v, b.ts: %v", tr.ignores("b.log"), tr.ignores("b.ts"))
	}
	for _, name := range []string{"c.log", "c.ts", "new/b.ts", "new/c.ts"} {
		edit(t, app, name, "1")
	}
	if _, err := tr.reread(map[string]bool{".": true}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range tr.listing().files {
		got = append(got, f.Path)
	}
	if want := []string{"a.ts", "c.ts", "new/c.ts"}; !slices.Equal(got, want) {
		t.Errorf("listed %q, want %q", got, want)
	}
}

// Without what the rules above say, what they hide would be sent.
func TestAFolderBelowAnUnreadableIgnoreFileIsNotRead(t *testing.T) {
	dir := folder(t, map[string]string{".git/HEAD": "", ".gitignore": strings.Repeat("a\n", maxRules+1), "app/a.ts": "1"})
	tr := newTree(filepath.Join(dir, "app"), Options{MaxFile: 100, MaxFiles: 100, MaxTotal: 1000})
	if err := tr.readAll(); err == nil || !strings.Contains(err.Error(), filepath.Join(dir, ".gitignore")+": its ignore file has more than") {
		t.Errorf("read, or failed with %v", err)
	}
}

// notIgnored lists the files of a folder in a repository that git does not ignore.
func notIgnored(t *testing.T, top, dir string) []string {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", top).CombinedOutput(); err != nil {
		t.Fatalf("git: %v: %s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), "git", "-C", dir, "-c", "core.excludesFile=", "-c", "core.ignoreCase=false", "ls-files", "-z", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range strings.SplitSeq(string(out), "\x00") {
		if name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
