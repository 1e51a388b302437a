package main

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gitnexus/gitnexus-mcp/reconnect"
)

// env is an environment of names and values.
func env(kv ...string) (environ []string) {
	for i := 0; i < len(kv); i += 2 {
		environ = append(environ, kv[i]+"="+kv[i+1])
	}
	return environ
}

func TestFlagsWinOverEnvironmentOverDefaults(t *testing.T) {
	s, err := parse("serve", defaults(), nil, env())
	if err != nil || !reflect.DeepEqual(s, defaults()) {
		t.Errorf("nothing set: %+v, %v", s, err)
	}
	s, err = parse("serve", defaults(), []string{"--port", "4000", "--allow-origin", "http://localhost:1"}, env(
		"GITNEXUS_PORT", "3000", "GITNEXUS_TIMEOUT_QUICK", "1500", "GITNEXUS_TIMEOUT_HEAVY", "2m", "GITNEXUS_DEBUG", "true",
		"GITNEXUS_ALLOW_ORIGIN", "http://a:2, https://b", "GITNEXUS_MAX_RESULT", "0", "GITNEXUS_MAX_MESSAGE", "10 mb", "GITNEXUS_GRACE", "0",
		"GITNEXUS_JITTER", "15%", "GITNEXUS_BACKOFF_BASE", "20", "GITNEXUS_BACKOFF_CAP", "3s", "GITNEXUS_AGENT", "", "HOME", "/"))
	if err != nil {
		t.Fatal(err)
	}
	want := defaults()
	want.port, want.debug, want.maxResult, want.maxMessage, want.grace = 4000, true, 0, 10<<20, 0
	want.timeouts.Quick, want.timeouts.Heavy = 1500*time.Millisecond, 2*time.Minute
	want.backoff = reconnect.Backoff{Base: 20 * time.Millisecond, Cap: 3 * time.Second, Jitter: reconnect.ProportionalJitter}
	want.allowOrigins = []string{"http://localhost:1"}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("got  %+v\nwant %+v", s, want)
	}
	s, err = parse("serve", defaults(), []string{"--allow-origin=http://a:1", "--allow-origin=http://b:2", "--debug"}, env())
	if err != nil || len(s.allowOrigins) != 2 || !s.debug {
		t.Errorf("repeated flag: %+v, %v", s, err)
	}
}

// A bad value ends the start with 2 and names the setting.
func TestBadSettings(t *testing.T) {
	for _, c := range []struct {
		args []string
		env  []string
		name string
	}{
		{nil, []string{"GITNEXUS_PORT", "http"}, "GITNEXUS_PORT"},
		{[]string{"--port", "70000"}, nil, "--port: want a whole number from 1 to 65535"},
		{[]string{"--browser", "lynx"}, nil, "--browser: want one of none, open, headless"},
		{nil, []string{"GITNEXUS_TIMEOUT_HEAVY", "soon"}, "GITNEXUS_TIMEOUT_HEAVY: want a time"},
		{[]string{"--timeout-quick", "0"}, nil, "--timeout-quick"},
		{[]string{"--grace", "-1s"}, nil, "--grace"},
		{[]string{"--max-result", "lots"}, nil, "--max-result: want a size"},
		{[]string{"--max-result", "1KB"}, nil, "from 8192 to 1024MB, got \"1KB\"; or 0 for no limit"},
		{[]string{"--max-message", "1KB"}, nil, "--max-message"},
		{[]string{"--allow-origin", "localhost"}, nil, "--allow-origin"},
		{[]string{"--allow-origin", "*"}, nil, "--allow-origin"},
		{nil, []string{"GITNEXUS_DEBUG", "maybe"}, "GITNEXUS_DEBUG: want true or false"},
		{nil, []string{"GITNEXUS_TOKEN", "short"}, "GITNEXUS_TOKEN"},
		{nil, []string{"GITNEXUS_TIMOUT_HEAVY", "2m"}, "GITNEXUS_TIMOUT_HEAVY: no such setting; did you mean GITNEXUS_TIMEOUT_HEAVY?"},
		{[]string{"--port", "1"}, []string{"GITNEXUS_FLUX_CAPACITOR", "1"}, "GITNEXUS_FLUX_CAPACITOR: no such setting\n"},
		{[]string{"--jitter", "some"}, nil, "--jitter: want one of full, 15%, none"},
		{[]string{"--backoff-base", "2m"}, nil, "--backoff-cap: want at least --backoff-base, 2m0s, got 1m0s"},
		{nil, []string{"GITNEXUS_BACKOFF_CAP", "0"}, "GITNEXUS_BACKOFF_CAP: want a time"},
		{[]string{"--breaker-threshold", "0"}, nil, "--breaker-threshold"},
		{[]string{"--nonsense"}, nil, "nonsense"},
		{[]string{"--port"}, nil, "port"},
		{[]string{"extra"}, nil, `unexpected argument "extra"`},
		{[]string{"--repo", "/does/not/exist"}, nil, "--repo: folder /does/not/exist"},
	} {
		stderr, err := os.CreateTemp(t.TempDir(), "stderr")
		if err != nil {
			t.Fatal(err)
		}
		p := program{stdin: strings.NewReader(""), stdout: new(strings.Builder), stderr: stderr, environ: env(c.env...)}
		if c.env == nil || c.env[0] != "GITNEXUS_TOKEN" {
			p.environ = append(p.environ, "GITNEXUS_TOKEN="+testToken)
		}
		code := p.main(t.Context(), append([]string{"serve"}, c.args...))
		said, err := os.ReadFile(stderr.Name())
		if code != 2 || !strings.Contains(string(said), c.name) || err != nil {
			t.Errorf("%v %v: exit code %d, %q; want 2 and %q", c.args, c.env, code, said, c.name)
		}
		_ = stderr.Close()
	}
}

func TestHelpNamesEverySetting(t *testing.T) {
	var out strings.Builder
	p := program{stdin: strings.NewReader(""), stdout: &out, stderr: os.Stderr}
	for _, args := range [][]string{{"help"}, {"--help"}, {"open", "-h"}} {
		out.Reset()
		if code := p.main(t.Context(), args); code != 0 {
			t.Errorf("%v: exit code %d", args, code)
		}
		golden(t, "help.txt", out.String())
	}
	if code := p.main(t.Context(), []string{"frobnicate"}); code != 2 {
		t.Errorf("unknown command: exit code %d", code)
	}
	s := defaults()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range s.table() {
		for _, name := range []string{row.flag, row.env} {
			if !strings.Contains(string(readme), name) {
				t.Errorf("README.md does not mention %s", name)
			}
		}
	}
}

// golden compares with a file, which GOLDEN=1 writes anew.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if os.Getenv("GOLDEN") != "" {
		if err := errors.Join(os.MkdirAll("testdata", 0o755), os.WriteFile(file, []byte(got), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || got != string(want) {
		t.Errorf("%s differs (%v); got:\n%s", file, err, got)
	}
}
