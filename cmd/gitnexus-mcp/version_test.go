package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersionOf(t *testing.T) {
	for _, c := range []struct{ tag, module, want string }{
		{"v1.2.3", "v9.9.9", "1.2.3"},
		{"1.2.3-rc.1", "", "1.2.3-rc.1"},
		{"", "v1.2.3", "1.2.3"},
		{"", "(devel)", "devel"},
		{"", "", "devel"},
	} {
		got := versionOf(c.tag, func() (*debug.BuildInfo, bool) {
			return &debug.BuildInfo{Main: debug.Module{Version: c.module}}, true
		})
		if got != c.want {
			t.Errorf("versionOf(%q) of module %q is %q, want %q", c.tag, c.module, got, c.want)
		}
	}
	if got := versionOf("", func() (*debug.BuildInfo, bool) { return nil, false }); got != "devel" {
		t.Errorf("without build information: %q", got)
	}
}

// The build of the Dockerfile, run here.
func TestReleaseTellsItsTag(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its RUN steps are for sh")
	}
	dockerfile, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(t.TempDir(), "gitnexus-mcp")
	step := regexp.MustCompile("(?m)^RUN (CGO_ENABLED=0 go build .*) -o /gitnexus-mcp (.*)$").FindSubmatch(dockerfile)
	if step == nil {
		t.Fatal("the Dockerfile has no step that builds")
	}
	build := exec.CommandContext(t.Context(), "sh", "-c", fmt.Sprintf("%s -o %s %s", step[1], binary, step[2]))
	build.Dir = "../.."
	build.Env = append(os.Environ(), "VERSION=7.8.9")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, argument := range []string{"version", "--version"} {
		out, err := exec.CommandContext(t.Context(), binary, argument).CombinedOutput()
		if err != nil || !strings.HasPrefix(string(out), "gitnexus-mcp 7.8.9 ") {
			t.Errorf("%s: %v: %s", argument, err, out)
		}
	}
}
