package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

const verificationHead = `# Verification

What was asked of gitnexus-mcp, and the tests that show it. This page is made by ` + "`TestVerification`" + ` from
[testdata/verification.txt](../cmd/gitnexus-mcp/testdata/verification.txt) and the tests' own names; it fails when one of them is gone.
` + "`make test`" + ` runs all of them.
`

// TestVerification makes docs/verification.md. After a change of its input, run
// go test ./cmd/gitnexus-mcp -run TestVerification -update.
func TestVerification(t *testing.T) {
	t.Parallel()
	const root, page = "../..", "../../docs/verification.md"
	input, err := os.ReadFile(filepath.Join("testdata", "verification.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	out.WriteString(verificationHead)
	asked, shown := "", 0
	for number, line := range strings.Split(string(input), "\n") {
		test, isTest := strings.CutPrefix(line, "  ")
		if !isTest && asked != "" && shown == 0 {
			t.Errorf("line %d: no test shows that %s", number, asked)
		}
		switch {
		case isTest:
			name, link, err := findTest(root, test)
			if err != nil {
				t.Errorf("line %d: %v", number+1, err)
				continue
			}
			if shown > 0 {
				asked = ""
			}
			fmt.Fprintf(&out, "| %s | [%s](../%s) |\n", asked, name, link)
			shown++
			continue
		case strings.HasPrefix(line, "# "):
			fmt.Fprintf(&out, "\n#%s\n\n| what was asked | the test that shows it |\n| --- | --- |\n", line)
			asked = ""
		default:
			asked = line
		}
		shown = 0
	}
	if *updateGolden {
		if err := os.WriteFile(page, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if now, err := os.ReadFile(page); err != nil || string(now) != out.String() {
		t.Errorf("docs/verification.md is stale (%v): run go test ./cmd/gitnexus-mcp -run TestVerification -update", err)
	}
}

// findTest finds `FOLDER TestName` or `FILE "title"`, and returns the test's name
// in words and its file.
func findTest(root, test string) (name, file string, err error) {
	where, what, ok := strings.Cut(test, " ")
	if !ok {
		return "", "", fmt.Errorf("want a folder and a Go test, or a file and a title, got %q", test)
	}
	if title := strings.Trim(what, `"`); title != what {
		text, err := os.ReadFile(filepath.Join(root, where))
		if err != nil {
			return "", "", err
		}
		if !regexp.MustCompile(`\b(?:test|it)(?:\.each\([^\n]*\))?\("` + regexp.QuoteMeta(title) + `"`).Match(text) {
			return "", "", fmt.Errorf("%s has no test %q", where, title)
		}
		return filepath.Base(where) + ": " + title, where, nil
	}
	files, err := filepath.Glob(filepath.Join(root, where, "*_test.go"))
	if err != nil {
		return "", "", err
	}
	declared := regexp.MustCompile(`(?m)^func ` + regexp.QuoteMeta(what) + `\(`)
	for _, each := range files {
		text, err := os.ReadFile(each)
		if err != nil {
			return "", "", err
		}
		if declared.Match(text) {
			rel, err := filepath.Rel(root, each)
			return inWords(where, what), filepath.ToSlash(rel), err
		}
	}
	return "", "", fmt.Errorf("%s has no %s", where, what)
}

// inWords makes "wsbridge: drop within the grace is no error" of a Go test.
func inWords(folder, name string) string {
	var words []string
	start := 0
	runes := []rune(strings.TrimPrefix(name, "Test"))
	for i := 1; i <= len(runes); i++ {
		// A word begins at a capital behind a small letter, or before one.
		if i == len(runes) || unicode.IsUpper(runes[i]) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			word := string(runes[start:i])
			if strings.ToUpper(word) != word || len(word) == 1 {
				word = strings.ToLower(word)
			}
			words = append(words, word)
			start = i
		}
	}
	return folder + ": " + strings.Join(words, " ")
}

func TestTestsThatAreGoneAreMissed(t *testing.T) {
	for test, want := range map[string]string{
		"wsbridge TestNoSuchThing":                    "wsbridge has no TestNoSuchThing",
		`web/e2e/link.test.ts "a hidden tab"`:         `web/e2e/link.test.ts has no test "a hidden tab"`,
		`web/e2e/no-such.test.ts "a hidden tab"`:      "no-such.test.ts",
		"wsbridge":                                    "want a folder and a Go test",
		"wsbridge TestDropWithinTheGraceIsNoError":    "",
		`web/e2e/link.test.ts "a hidden tab answers"`: "",
	} {
		if _, _, err := findTest("../..", test); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", test, err)
		}
	}
	for name, want := range map[string]string{"TestDropWithinTheGraceIsNoError": "a: drop within the grace is no error", "TestHTTPCall": "a: HTTP call", "TestV1Page": "a: V1 page", "Example": "a: example"} {
		if got := inWords("a", name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
}
