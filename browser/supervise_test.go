package browser

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gitnexus/gitnexus-mcp/guard"
	"github.com/gitnexus/gitnexus-mcp/reconnect"
)

// fleet starts browsers that do nothing.
type fleet struct {
	began time.Time
	fail  func(n int) error // of the nth start, from 1; nil starts

	mu      sync.Mutex
	started []time.Duration
	running int
	last    *Process
}

func (f *fleet) start(context.Context, Options) (*Process, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.started = append(f.started, time.Since(f.began))
	if f.fail != nil {
		if err := f.fail(len(f.started)); err != nil {
			return nil, err
		}
	}
	f.running++
	p := &Process{Path: "chromium", PID: len(f.started), done: make(chan struct{})}
	var once sync.Once
	p.stop = func() {
		once.Do(func() {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.running--
			p.err = errors.New("stopped")
			close(p.done)
		})
	}
	f.last = p
	return p, nil
}

// state is when browsers were started, and how many run.
func (f *fleet) state() (started []time.Duration, running int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.started), f.running
}

// kill ends the last one.
func (f *fleet) kill() {
	f.mu.Lock()
	p := f.last
	f.mu.Unlock()
	p.stop()
}

// supervised runs a supervisor for some time, and tells what it said last.
func supervised(t *testing.T, f *fleet, connected func() bool, meanwhile func(s *Supervisor)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f.began = time.Now()
		s := &Supervisor{Connected: connected, Backoff: reconnect.Backoff{Jitter: reconnect.NoJitter}, headless: f.start}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			s.Run(ctx)
		}()
		meanwhile(s)
		cancel()
		<-done
		if _, running := f.state(); running != 0 {
			t.Errorf("%d browsers are left", running)
		}
	})
}

// rest passes time until everything waits.
func rest(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func TestABrowserWithoutAPageIsStartedAgain(t *testing.T) {
	var page atomic.Bool
	f := &fleet{}
	supervised(t, f, page.Load, func(s *Supervisor) {
		rest(connectWithin + time.Millisecond)
		if tr := s.Trouble(); tr == nil || tr.Final || !strings.Contains(tr.Cause, "no page has been connected for 30s") || !strings.Contains(tr.Cause, "again in 500ms") {
			t.Errorf("trouble %+v", tr)
		}
		if _, running := f.state(); running != 0 {
			t.Error("the browser without a page still runs")
		}
		rest(time.Second)
		page.Store(true)
		rest(time.Hour)
		if _, running := f.state(); s.Trouble() != nil || running != 1 {
			t.Errorf("with a page: trouble %+v, %d running", s.Trouble(), running)
		}
		page.Store(false) // it crashed within the browser
		rest(connectWithin + 2*time.Second)
		page.Store(true)
		rest(time.Second)
		f.kill()
		rest(5 * time.Second)
		if started, _ := f.state(); len(started) != 4 {
			t.Errorf("started at %v", started)
		}
	})
}

func TestWhatCannotPassIsNotTriedAgain(t *testing.T) {
	refused := &FinalError{errors.New("no folder for the browser's profile")}
	for _, c := range []struct {
		name   string
		fail   func(n int) error
		starts int
		cause  string
	}{
		{"no browser", func(int) error { return ErrNotFound }, 1, "no Chromium, Chrome or Edge found"},
		{"profile refused", func(int) error { return fmt.Errorf("start: %w", refused) }, 1, "no folder"},
		{"ends at once, always", func(int) error { return errors.New("chromium ended: exit status 21\n  missing library") }, maxStarts, "exit status 21"},
		{"passes", func(n int) error {
			if n == 1 {
				return errors.New("out of memory")
			}
			return ErrNotFound
		}, 2, "no Chromium"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &fleet{fail: c.fail}
			supervised(t, f, func() bool { return false }, func(s *Supervisor) {
				rest(24 * time.Hour)
				if started, _ := f.state(); len(started) != c.starts {
					t.Errorf("%d starts, want %d", len(started), c.starts)
				}
				if tr := s.Trouble(); tr == nil || !tr.Final || !strings.Contains(tr.Cause, c.cause) || strings.Contains(tr.Cause, "\n") {
					t.Errorf("trouble %+v", tr)
				}
			})
		})
	}
}

// A panic ends the supervision and its browser, and nothing else.
func TestAPanicEndsTheSupervisionAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fleet{began: time.Now()}
		s := &Supervisor{Connected: func() bool { panic("injected") }, headless: f.start}
		var log strings.Builder
		recorder := &guard.Recorder{Log: slog.New(slog.NewTextHandler(&log, nil))}
		if p := guard.Run("browser", recorder.Report, func() { s.Run(t.Context()) }); p == nil || !strings.Contains(log.String(), "id="+p.ID) {
			t.Errorf("%v, log:\n%s", p, log.String())
		}
		if started, running := f.state(); len(started) != 1 || running != 0 {
			t.Errorf("started at %v, %d are left", started, running)
		}
	})
}

func TestTheScheduleOfStarts(t *testing.T) {
	f := &fleet{fail: func(int) error { return errors.New("down") }}
	supervised(t, f, func() bool { return false }, func(*Supervisor) { rest(10 * time.Second) })
	if want := "[0s 500ms 1.5s 3.5s 7.5s]"; fmt.Sprint(f.started) != want {
		t.Errorf("started at %v, want %s", f.started, want)
	}
}
