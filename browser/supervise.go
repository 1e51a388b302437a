package browser

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/gitnexus/gitnexus-mcp/reconnect"
)

const (
	// connectWithin is how long no page may be connected while the browser runs.
	connectWithin = 30 * time.Second
	// pollInterval is the time between two calls of Connected.
	pollInterval = 500 * time.Millisecond
	// maxStarts is how many starts in a row may fail to connect a page.
	maxStarts = 10
)

// FinalError is an error that repeats however often the browser is started.
type FinalError struct{ Err error }

func (e *FinalError) Error() string { return e.Err.Error() }
func (e *FinalError) Unwrap() error { return e.Err }

// Trouble says why the headless browser shows no page.
type Trouble struct {
	// Cause is a sentence for people and agents: what happened and what follows.
	Cause string `json:"cause"`
	// Final is set when the browser is not started again.
	Final bool `json:"final"`
}

// Supervisor keeps a headless browser running whose page is connected.
type Supervisor struct {
	// Options are those of the browser.
	Options
	// Page returns the address for each start. Default: always Options.URL.
	Page func() (url string, err error)
	// Connected reports whether a page is connected. It is called twice a
	// second. Required.
	Connected func() bool
	// Backoff is the schedule of further starts. The zero value is the standard one.
	Backoff reconnect.Backoff

	// headless starts a browser. Default: Headless.
	headless func(context.Context, Options) (*Process, error)

	mu      sync.Mutex
	trouble *Trouble
}

// Trouble returns why no page is shown, or nil while nothing is known to be
// wrong: the browser is starting, or its page is connected.
func (s *Supervisor) Trouble() *Trouble {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trouble
}

func (s *Supervisor) setTrouble(t *Trouble) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trouble = t
}

// Run starts the browser, and starts it again when it ends or its page is not
// connected, until ctx ends or an error is final.
func (s *Supervisor) Run(ctx context.Context) {
	if s.headless == nil {
		s.headless = Headless
	}
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	failed := 0 // starts in a row without a page
	loop := reconnect.Loop{
		Backoff: s.Backoff,
		Connect: func(ctx context.Context, up func()) error {
			failed++
			err := s.show(ctx, func() { failed = 0; up() })
			if failed == maxStarts {
				err = &FinalError{fmt.Errorf("%d starts in a row brought no page; the last one: %w", maxStarts, err)}
			}
			return err
		},
		OnWait: func(_ int, delay time.Duration, cause error) {
			s.Log.Warn("the headless browser shows no page", "reason", cause, "again in", delay)
			s.setTrouble(&Trouble{Cause: fmt.Sprintf("The headless browser shows no page (%s). It is started again in %v.", firstLine(cause), delay.Round(100*time.Millisecond))})
		},
	}
	ended := loop.Run(ctx, isFinal)
	if ctx.Err() != nil {
		s.setTrouble(nil)
		return
	}
	s.Log.Error("the headless browser is not started again; run gitnexus-mcp open", "reason", ended)
	s.setTrouble(&Trouble{Cause: fmt.Sprintf("The headless browser does not work (%s), and is not started again.", firstLine(ended)), Final: true})
}

// show runs one browser until it ends, or no page has been connected for connectWithin.
func (s *Supervisor) show(ctx context.Context, up func()) error {
	options := s.Options
	if s.Page != nil {
		var err error
		if options.URL, err = s.Page(); err != nil {
			return err
		}
	}
	p, err := s.headless(ctx, options)
	if err != nil {
		return err
	}
	defer p.Stop()
	s.Log.Info("browser started", "path", p.Path, "pid", p.PID)
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	lastConnected, shown := time.Now(), false
	for {
		select {
		case <-p.Done():
			if !shown {
				p.profile.discard() // a damaged profile may be the reason
			}
			return p.Err()
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
		switch {
		case s.Connected():
			lastConnected = time.Now()
			if !shown {
				shown = true
				s.setTrouble(nil)
				up()
			}
		case time.Since(lastConnected) >= connectWithin:
			return fmt.Errorf("it runs, but no page has been connected for %v", connectWithin)
		}
	}
}

// isFinal reports whether another start would fail with the same error.
func isFinal(err error) bool {
	_, final := errors.AsType[*FinalError](err)
	return final || errors.Is(err, ErrNotFound) || errors.Is(err, fs.ErrPermission)
}

// firstLine is the error without the browser's own output, which is for the log.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return strings.TrimSuffix(line, ".")
}
