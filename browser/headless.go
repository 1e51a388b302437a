package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gitnexus/gitnexus-mcp/guard"
	"github.com/gitnexus/gitnexus-mcp/tempdir"
)

// Options says what a headless browser shows.
type Options struct {
	// URL is the address of the page. Required.
	URL string
	// Keep names the profile that outlives the browser, so that the page finds
	// what it stored: any text, such as a folder's path. Default: a temporary one.
	Keep string
	// Log is told when a kept profile cannot be used. Default: none.
	Log *slog.Logger
	// Report gets panics; see guard.Run.
	Report func(*guard.Panic)
}

// Process is a headless browser.
type Process struct {
	// Path is the browser's program, PID its process.
	Path string
	PID  int

	done    chan struct{} // closed once the process has ended and its folder is removed
	stop    func()
	profile *profile // nil for a temporary one
	err     error    // why it ended, set before done is closed
}

const (
	headlessKind = "browser" // of temporary folder
	// endWithin is how long the browser has to end in order before it is killed.
	endWithin = 300 * time.Millisecond
)

// Headless starts a browser without a window. It ends with Stop, with ctx and,
// on Unix, with this process, however that ends. The URL does not appear on the
// command line.
func Headless(ctx context.Context, o Options) (*Process, error) {
	path, err := Find()
	if err != nil {
		return nil, err
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	tempdir.Sweep(headlessKind)
	temp, err := tempdir.Make(headlessKind)
	if err != nil {
		return nil, &FinalError{fmt.Errorf("no folder for the browser's profile: %w", err)}
	}
	folder := filepath.Join(temp, "profile")
	var kept *profile
	if o.Keep != "" {
		if kept, err = openProfile(o.Keep); err == nil {
			folder = kept.dir
		} else {
			o.Log.Warn("the browser starts with an empty profile, so the page has to index again", "err", err)
		}
	}
	p, err := start(ctx, path, folder, temp, kept, o)
	if err != nil {
		kept.close()
		_ = os.RemoveAll(temp)
		return nil, err
	}
	return p, nil
}

// start runs the browser. The process owns temp and kept from then on.
func start(ctx context.Context, path, folder, temp string, kept *profile, o Options) (*Process, error) {
	page, err := redirect(temp, o.URL)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(path, "--user-data-dir="+folder)
	cmd.Args = append(cmd.Args, flags...)
	if os.Geteuid() == 0 { // Chromium's sandbox does not start for root; -1 on Windows
		cmd.Args = append(cmd.Args, "--no-sandbox")
	}
	life, err := tie(cmd)
	if err != nil {
		return nil, err
	}
	kept.pass(cmd)
	// A window without tabs and an address bar, which would have a process of their own.
	cmd.Args = append(cmd.Args, "--app=file://"+filepath.ToSlash(page))
	cmd.Env = append(os.Environ(), tempEnv(temp)...)
	var said tail
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		_ = life.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	p := &Process{Path: path, PID: cmd.Process.Pid, done: make(chan struct{}), profile: kept}
	ended := make(chan struct{})
	var once sync.Once
	p.stop = func() {
		once.Do(func() {
			_ = life.Close() // asks it to end
			select {
			case <-ended:
			case <-time.After(endWithin):
				// The processes that it started end when it is gone. Kill does nothing
				// to a process that has been waited for.
				_ = cmd.Process.Kill()
			}
		})
	}
	release := context.AfterFunc(ctx, p.stop)
	go func() {
		defer close(p.done)
		panicked := guard.Run("browser", o.Report, func() {
			err := cmd.Wait()
			close(ended)
			release()
			_ = life.Close()
			kept.close()
			removeAll(temp)
			p.err = fmt.Errorf("%s ended: %w%s", filepath.Base(path), cmp.Or(err, errors.New("exit status 0")), said.lines())
		})
		if panicked != nil {
			p.err = panicked
		}
	}()
	return p, nil
}

// flags are those of every headless browser.
var flags = []string{
	"--headless=new", "--window-size=1440,900",
	"--disable-gpu", "--disable-quic", "--no-first-run", "--no-default-browser-check", "--disable-background-networking",
	"--disable-component-update", "--disable-sync", "--disable-extensions", "--mute-audio",
	// One page is all there will be: no renderer waits for another.
	"--disable-features=SpareRendererForSitePerProcess,Translate,OptimizationHints,MediaRouter",
	// The page has no window to be hidden behind, and works all the time.
	"--disable-background-timer-throttling", "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows",
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

// removeAll removes a folder into which the last of the browser's processes may
// still be writing.
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
