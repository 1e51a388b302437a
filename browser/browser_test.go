package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// needBrowser fails where the suite's own set-up should have put a browser.
func needBrowser(t *testing.T) {
	t.Helper()
	if _, err := Find(); err != nil {
		t.Fatal(err)
	}
}

func TestHeadlessShowsThePageAndLeavesNothing(t *testing.T) {
	needBrowser(t)
	temp, err := os.MkdirTemp("", "gx") // t.TempDir is too long for Chromium's socket
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(temp) }()
	t.Setenv("TMPDIR", temp)
	killed := exec.Command(os.Args[0], "-test.run", "^$") // it has left a profile
	if err := killed.Run(); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(temp, fmt.Sprintf("gitnexus-mcp-browser-%d-1", killed.Process.Pid)), 0o700); err != nil {
		t.Fatal(err)
	}
	shown := make(chan string, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/" {
			_, _ = w.Write([]byte(`<script>fetch("/seen?" + location.hash.slice(1))</script>`))
			return
		}
		if r.URL.Path == "/seen" { // and not /favicon.ico
			shown <- r.URL.RawQuery
		}
	}))
	defer server.Close()

	p, err := Headless(t.Context(), Options{URL: server.URL + "/#token=a&b\"<c>"})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case got := <-shown:
		if !strings.HasPrefix(got, "token=a&b") {
			t.Errorf("the page's fragment was %q", got)
		}
	case <-p.Done():
		t.Fatal(p.Err())
	case <-time.After(30 * time.Second):
		t.Fatal("the page was not shown within 30 s")
	}
	if line, err := os.ReadFile("/proc/" + strconv.Itoa(p.PID) + "/cmdline"); err == nil && strings.Contains(string(line), "token=") {
		t.Error("the token is on the command line")
	}
	p.Stop()
	if left, _ := filepath.Glob(filepath.Join(temp, "*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	server.CloseClientConnections()
	http.DefaultClient.CloseIdleConnections()
}

func TestHeadlessEndsWithItsContext(t *testing.T) {
	needBrowser(t)
	ctx, cancel := context.WithCancel(t.Context())
	p, err := Headless(ctx, Options{URL: "about:blank"})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	select {
	case <-p.Done():
	case <-time.After(20 * time.Second):
		t.Error("the browser outlived its context by 20 s")
		p.Stop()
	}
	if p.Err() == nil {
		t.Error("no word of why it ended")
	}
}

func TestNoBrowser(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if path, err := Find(); err == nil && !filepath.IsAbs(path) || err != nil && !errors.Is(err, ErrNotFound) {
		t.Errorf("Find: %s, %v", path, err)
	}
}
