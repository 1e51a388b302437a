// Package browser finds a browser on this machine, opens pages in the user's
// own, and runs one without a window as a child that ends with this process.
package browser

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gitnexus/gitnexus-mcp/tempdir"
)

// ErrNotFound says that no browser that can run without a window is installed.
var ErrNotFound = errors.New("no Chromium, Chrome or Edge found on this machine: install one, or open the app in any browser yourself")

// Find returns the path of a Chromium, Chrome or Edge, or ErrNotFound.
func Find() (string, error) {
	for _, name := range candidates() {
		if filepath.IsAbs(name) {
			if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
				return name, nil
			}
		} else if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNotFound
}

const (
	// keepPage is how long a browser has to read the page that Open made for it.
	keepPage = 20 * time.Second
	// tellWithin is how long Open waits for the opener to fail. One that still
	// runs then is itself the browser.
	tellWithin = 2 * time.Second

	openPattern = "gitnexus-mcp-open-*"
	profiles    = "browser" // the kind of temporary folder
)

// Open shows the address in the user's own browser. The address does not appear
// on any command line, where other users could read it: it goes through a
// private file that is removed after a while, when ctx ends, or by a later Open
// where this process ended first. Open returns once the browser has been told,
// and never waits for it to be closed.
func Open(ctx context.Context, url string) (err error) {
	sweepPages()
	dir, err := os.MkdirTemp("", openPattern)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(dir)
			return
		}
		go func() {
			select {
			case <-time.After(keepPage):
			case <-ctx.Done():
			}
			_ = os.RemoveAll(dir)
		}()
	}()
	file, err := redirect(dir, url)
	if err != nil {
		return err
	}
	name, args := opener(file)
	if _, err := exec.LookPath(name); err != nil {
		return fmt.Errorf("no way to open a browser from here (%s not found)", name)
	}
	// A file and no pipe: a browser that the opener starts inherits it, and would
	// hold up a reader for as long as it runs.
	said, err := os.Create(filepath.Join(dir, "said"))
	if err != nil {
		return err
	}
	defer func() { _ = said.Close() }()
	cmd := exec.Command(name, args...) // not under ctx: it may be the user's browser
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			words, _ := os.ReadFile(said.Name())
			return fmt.Errorf("%w: %s", err, lastLine(words))
		}
	case <-time.After(tellWithin):
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// sweepPages removes the pages of processes that ended soon after their Open.
func sweepPages() {
	pages, _ := filepath.Glob(filepath.Join(os.TempDir(), openPattern)) // the pattern is good
	for _, dir := range pages {
		if info, err := os.Lstat(dir); err == nil && time.Since(info.ModTime()) > 2*keepPage {
			_ = os.RemoveAll(dir)
		}
	}
}

// lastLine is the end of what a program said, which is what went wrong.
func lastLine(said []byte) string {
	said = bytes.TrimSpace(said)
	return string(said[bytes.LastIndexByte(said, '\n')+1:])
}

// redirect writes a page that leads to url, for this user's eyes only.
func redirect(dir, url string) (string, error) {
	file := filepath.Join(dir, "open.html")
	page := `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">` +
		`<meta http-equiv="refresh" content="0; url=` + html.EscapeString(url) + `"><title>gitnexus</title>`
	return file, os.WriteFile(file, []byte(page), 0o600)
}

// Process is a browser without a window.
type Process struct {
	// Path is the browser's program, PID its process.
	Path string
	PID  int

	done chan struct{} // closed once the process has ended and its profile is removed
	stop func()
	err  error // why it ended, set before done is closed
}

// Headless starts a browser without a window that shows url, with a profile of
// its own that is removed when it ends. It ends with Stop, with ctx and, on
// Unix, with this process, however that ends.
func Headless(ctx context.Context, url string) (*Process, error) {
	path, err := Find()
	if err != nil {
		return nil, err
	}
	tempdir.Sweep(profiles)
	profile, err := tempdir.Make(profiles)
	if err != nil {
		return nil, err
	}
	page, err := redirect(profile, url)
	if err != nil {
		_ = os.RemoveAll(profile)
		return nil, err
	}
	args := []string{
		"--headless=new", "--user-data-dir=" + filepath.Join(profile, "profile"), "--window-size=1440,900",
		"--disable-gpu", "--disable-quic", "--no-first-run", "--no-default-browser-check", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-extensions", "--mute-audio",
		// The page has no window to be hidden behind, and works all the time.
		"--disable-background-timer-throttling", "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows",
	}
	if os.Geteuid() == 0 { // Chromium's sandbox does not start for root; -1 on Windows
		args = append(args, "--no-sandbox")
	}
	cmd := exec.Command(path)
	life, err := tie(cmd, &args)
	if err != nil {
		_ = os.RemoveAll(profile)
		return nil, err
	}
	cmd.Args = append(append(cmd.Args, args...), "file://"+filepath.ToSlash(page))
	cmd.Env = append(os.Environ(), tempEnv(profile)...)
	var said tail
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		_ = life.Close()
		_ = os.RemoveAll(profile)
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	p := &Process{Path: path, PID: cmd.Process.Pid, done: make(chan struct{})}
	ended := make(chan struct{})
	var once sync.Once
	p.stop = func() {
		once.Do(func() {
			_ = life.Close() // asks it to end
			select {
			case <-ended:
			case <-time.After(300 * time.Millisecond):
				kill(cmd)
			}
		})
	}
	release := context.AfterFunc(ctx, p.stop)
	go func() {
		defer close(p.done)
		err := cmd.Wait()
		close(ended)
		release()
		_ = life.Close()
		kill(cmd) // what is left of its group
		removeAll(profile)
		p.err = fmt.Errorf("%s ended: %w%s", filepath.Base(path), cmp.Or(err, errors.New("exit status 0")), said.lines())
	}()
	return p, nil
}

// Done is closed when the browser has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err says why the browser has ended. It may be called once Done is closed.
func (p *Process) Err() error { return p.err }

// Stop ends the browser and waits until it is gone.
func (p *Process) Stop() {
	p.stop()
	<-p.done
}

// removeAll removes a profile into which the last of the browser's processes
// may still be writing.
func removeAll(dir string) {
	for range 20 {
		if os.RemoveAll(dir) == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// tail keeps the end of what a process says.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if over := len(t.text) - 4096; over > 0 {
		t.text = t.text[over:]
	}
	return len(p), nil
}

// lines are the last few lines, indented, after a line break; "" when there are none.
func (t *tail) lines() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.TrimSpace(string(t.text))
	if text == "" {
		return ""
	}
	all := strings.Split(text, "\n")
	return "\n  " + strings.Join(all[max(0, len(all)-4):], "\n  ")
}

var _ io.Writer = (*tail)(nil)
