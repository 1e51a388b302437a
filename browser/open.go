package browser

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/gitnexus/gitnexus-mcp/guard"
)

const (
	// keepPage is how long a browser has to read the page that Open made for it.
	keepPage = 20 * time.Second
	// tellWithin is how long Open waits for the opener to fail. An opener that
	// still runs after that is the browser itself.
	tellWithin = 2 * time.Second

	openPattern = "gitnexus-mcp-open-*"
)

// Open shows the address in the user's own browser. The address does not appear
// on any command line, where other users could read it: it goes through a
// private file that is removed after a while, when ctx ends, or by a later Open
// where this process ended first. Open returns once the browser has been told,
// and never waits for it to be closed.
func Open(ctx context.Context, url string) error { return open(ctx, url, tellWithin) }

func open(ctx context.Context, url string, within time.Duration) (err error) {
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
		go guard.Run("page for the browser", nil, func() {
			select {
			case <-time.After(keepPage):
			case <-ctx.Done():
			}
			_ = os.RemoveAll(dir)
		})
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
	case <-time.After(within):
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// sweepPages removes the pages that earlier processes did not live to remove.
func sweepPages() {
	pages, _ := filepath.Glob(filepath.Join(os.TempDir(), openPattern)) // the pattern is good
	for _, dir := range pages {
		if info, err := os.Lstat(dir); err == nil && time.Since(info.ModTime()) > 2*keepPage {
			_ = os.RemoveAll(dir)
		}
	}
}

// lastLine is the last line of a program's output: mostly what went wrong.
func lastLine(said []byte) string {
	said = bytes.TrimSpace(said)
	return string(said[bytes.LastIndexByte(said, '\n')+1:])
}

// redirect writes a page that leads to url and that only this user can read.
func redirect(dir, url string) (string, error) {
	file := filepath.Join(dir, "open.html")
	page := `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">` +
		`<meta http-equiv="refresh" content="0; url=` + html.EscapeString(url) + `"><title>gitnexus</title>`
	return file, os.WriteFile(file, []byte(page), 0o600)
}
