package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitnexus/gitnexus-mcp/clients"
)

func testService(t *testing.T, system string, args ...string) (s *service, ran *[]string, verb string) {
	t.Helper()
	home := t.TempDir()
	ran = new([]string)
	s = &service{env: clients.Env{OS: system, Home: home, Getenv: func(string) string { return "" }}, command: `/opt/a "b" 100%/$x/gitnexus-mcp`, port: defaults().port,
		run: func(_ context.Context, name string, args ...string) error {
			*ran = append(*ran, name+" "+strings.Join(args, " "))
			return nil
		}}
	verb, err := s.parse(args)
	if err != nil {
		t.Fatal(err)
	}
	return s, ran, verb
}

func TestServiceOfSystemd(t *testing.T) {
	repo := t.TempDir()
	s, ran, _ := testService(t, "linux", "install", "--repo", repo, "--browser", "headless", "--port", "5000")
	var out bytes.Buffer
	if err := s.install(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(s.env.Home, ".config/systemd/user/gitnexus-mcp.service")
	unit, err := os.ReadFile(path)
	want := `ExecStart="/opt/a \"b\" 100%%/$$x/gitnexus-mcp" "serve" "--http" "--port" "5000" "--browser" "headless" "--repo" "` + repo + `"`
	if err != nil || !strings.Contains(string(unit), want+"\n") {
		t.Errorf("%s, %v", unit, err)
	}
	if got := strings.Join(*ran, "; "); got != "systemctl --user daemon-reload; systemctl --user enable gitnexus-mcp; systemctl --user restart gitnexus-mcp" {
		t.Errorf("ran %s", got)
	}
	if tool, err := exec.LookPath("systemd-analyze"); err == nil {
		s.command = "/bin/true" // it checks that the program is there
		if err := os.WriteFile(path, []byte(systemdUnit(s.args())), 0o600); err != nil {
			t.Fatal(err)
		}
		verify := exec.Command(tool, "verify", "--user", path)
		verify.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+t.TempDir())
		if said, err := verify.CombinedOutput(); err != nil {
			t.Errorf("systemd: %v: %s", err, said)
		}
	}
	*ran = nil
	if err := s.uninstall(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) || len(*ran) != 1 || !strings.Contains((*ran)[0], "disable --now") {
		t.Errorf("left behind: %v; ran %q", err, *ran)
	}
	out.Reset()
	if err := s.uninstall(t.Context(), &out); err != nil || !strings.Contains(out.String(), "There is no") {
		t.Errorf("%v, %s", err, &out)
	}
}

func TestServiceOfLaunchd(t *testing.T) {
	s, ran, _ := testService(t, "darwin", "install")
	s.command = "/Applications/a & b/gitnexus-mcp"
	var out bytes.Buffer
	if err := s.install(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	agent, err := os.ReadFile(filepath.Join(s.env.Home, "Library/LaunchAgents/com.gitnexus.mcp.plist"))
	if err != nil || !strings.Contains(string(agent), "<string>/Applications/a &amp; b/gitnexus-mcp</string>\n\t\t<string>serve</string>") {
		t.Errorf("%s, %v", agent, err)
	}
	if last := (*ran)[len(*ran)-1]; !strings.HasPrefix(last, "launchctl load -w ") {
		t.Errorf("ran %s", last)
	}
}

// The systems' own readers take what is written, where they are here.
func TestServiceFilesAreValid(t *testing.T) {
	args := []string{"/opt/a b/gitnexus-mcp", "serve", "--repo", `/src/100% "x" & $y`}
	for decoder := xml.NewDecoder(strings.NewReader(launchdAgent(args))); ; {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("no systemd here")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "a b")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	verify := func(unit string) error {
		file := filepath.Join(dir, "gitnexus-mcp.service")
		if err := os.WriteFile(file, []byte(unit), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), analyze, "verify", "--user", file)
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_RUNTIME_DIR="+dir)
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			return fmt.Errorf("%w: %s", err, out)
		}
		return nil
	}
	if err := verify(systemdUnit(append([]string{program}, args[1:]...))); err != nil {
		t.Errorf("%v", err)
	}
	if verify(systemdUnit([]string{filepath.Join(dir, "none")})) == nil {
		t.Error("a unit whose program is missing is taken")
	}
}

func TestServicePrints(t *testing.T) {
	s, ran, _ := testService(t, "linux", "install", "--print")
	var out bytes.Buffer
	if err := s.install(t.Context(), &out); err != nil || !strings.Contains(out.String(), "ExecStart=") || len(*ran) > 0 {
		t.Errorf("%v, %s, ran %q", err, &out, *ran)
	}
	if _, err := os.Stat(filepath.Join(s.env.Home, ".config")); err == nil {
		t.Error("it wrote something")
	}
	s.env.OS = "windows"
	if err := s.install(t.Context(), &out); err == nil || !strings.Contains(err.Error(), "serve --http") {
		t.Errorf("%v", err)
	}
	for _, args := range [][]string{nil, {"start"}, {"install", "x"}, {"install", "--browser", "lynx"}, {"install", "--repo", "/none"}, {"uninstall", "--port", "1"}} {
		if _, err := new(service).parse(args); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
}
