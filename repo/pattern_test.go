package repo

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
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
			if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", dir).CombinedOutput(); err != nil {
				t.Fatalf("git: %v: %s", err, out)
			}
			out, err := exec.CommandContext(t.Context(), "git", "-C", dir, "-c", "core.excludesFile=", "-c", "core.ignoreCase=false", "ls-files", "-z", "--others", "--exclude-standard").Output()
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
			slices.Sort(want)
			if got := listed(t, dir); !slices.Equal(got, want) && (len(got) > 0 || string(out) != "") {
				t.Errorf("with %q\nlisted %q\ngit    %q", files, got, want)
			}
		})
	}
}
