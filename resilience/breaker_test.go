package resilience

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

var (
	errLost = errors.New("lost")
	errTool = errors.New("no such file")
)

func fail(err error) func() error { return func() error { return err } }

// do makes a call behind the breaker.
func do(b *Breaker, fn func() error) error {
	done, err := b.Allow()
	if err != nil {
		return err
	}
	err = fn()
	done(err)
	return err
}

// bubble runs test with a breaker that counts errLost, in a bubble of time. The
// log collects its changes of state.
func bubble(t *testing.T, test func(t *testing.T, b *Breaker, log *[]string)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var log []string
		test(t, NewBreaker(BreakerSettings{
			IsFailure: func(err error) bool { return errors.Is(err, errLost) },
			IsIgnored: func(err error) bool { return errors.Is(err, context.Canceled) },
			OnChange:  func(from, to string) { log = append(log, from+" to "+to) },
		}), &log)
	})
}

func TestBreakerOpensAtTheFifthFailureInARow(t *testing.T) {
	bubble(t, func(t *testing.T, b *Breaker, log *[]string) {
		for range 4 {
			_ = do(b, fail(errLost))
		}
		_ = do(b, fail(nil)) // one success: the count starts again
		for i := range 5 {
			if s := b.Status(); s.State != "closed" || s.Failures != uint32(i) {
				t.Fatalf("before failure %d: %+v", i, s)
			}
			if err := do(b, fail(errLost)); !errors.Is(err, errLost) {
				t.Fatal(err)
			}
		}
		called := false
		err := do(b, func() error { called = true; return nil })
		open, ok := errors.AsType[*OpenError](err)
		if !ok || open.RetryAfter != 30*time.Second || called {
			t.Fatalf("got %v, called %v", err, called)
		}
		time.Sleep(12345 * time.Millisecond)
		if s := b.Status(); s.State != "open" || s.RetryAfter != 17655*time.Millisecond || s.Failures != 5 {
			t.Errorf("status %+v", s)
		}
		if open, ok := errors.AsType[*OpenError](b.Check()); !ok || open.RetryAfter != 17655*time.Millisecond {
			t.Errorf("check: %v", open)
		}
		time.Sleep(17654 * time.Millisecond)
		if open, ok := errors.AsType[*OpenError](do(b, fail(nil))); !ok || open.RetryAfter != time.Millisecond {
			t.Errorf("a millisecond early: %v", open)
		}
		if fmt.Sprint(*log) != "[closed to open]" {
			t.Errorf("changes %v", *log)
		}
	})
}

func TestHalfOpenLetsOneTry(t *testing.T) {
	bubble(t, func(t *testing.T, b *Breaker, log *[]string) {
		open := func() {
			for range 5 {
				_ = do(b, fail(errLost))
			}
			time.Sleep(30*time.Second + time.Millisecond)
		}
		open()
		// While one call tries, another is refused.
		release := make(chan error)
		tried := make(chan error)
		go func() { tried <- do(b, func() error { return <-release }) }()
		synctest.Wait()
		if e, ok := errors.AsType[*OpenError](do(b, fail(nil))); !ok || e.RetryAfter != 0 {
			t.Errorf("a second call during the trial: %v", e)
		}
		// A failed trial opens for another 30 s.
		release <- errLost
		<-tried
		if s := b.Status(); s.State != "open" || s.RetryAfter != 30*time.Second {
			t.Errorf("after a failed trial: %+v", s)
		}
		time.Sleep(30*time.Second + time.Millisecond)
		// A cancelled trial frees its place and decides nothing.
		_ = do(b, fail(context.Canceled))
		if s := b.Status(); s.State != "half-open" {
			t.Errorf("after a cancelled trial: %+v", s)
		}
		// The tool's own error proves that the page answers.
		_ = do(b, fail(errTool))
		if s := b.Status(); s.State != "closed" || s.Failures != 0 {
			t.Errorf("after a successful trial: %+v", s)
		}
	})
}

func TestWhatDoesNotCount(t *testing.T) {
	bubble(t, func(t *testing.T, b *Breaker, log *[]string) {
		for range 4 {
			_ = do(b, fail(errLost))
		}
		for range 10 {
			_ = do(b, fail(context.Canceled))
		}
		if s := b.Status(); s.Failures != 4 {
			t.Errorf("cancelled calls changed the count: %+v", s)
		}
		_ = do(b, fail(errTool))
		if s := b.Status(); s.State != "closed" || s.Failures != 0 {
			t.Errorf("a tool's error is an answer: %+v", s)
		}
	})
}

func TestResetClosesAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T, b *Breaker, log *[]string) {
		release := make(chan struct{})
		late := make(chan error)
		go func() { late <- do(b, func() error { <-release; return errLost }) }()
		synctest.Wait()
		for range 5 {
			_ = do(b, fail(errLost))
		}
		b.Reset()
		if err := b.Check(); err != nil {
			t.Errorf("check after Reset: %v", err)
		}
		if err := do(b, fail(nil)); err != nil {
			t.Errorf("after Reset: %v", err)
		}
		close(release)
		<-late
		if s := b.Status(); s.Failures != 0 {
			t.Errorf("a failure from before Reset counts: %+v", s)
		}
		b.Reset() // closed already: no change to report
		if fmt.Sprint(*log) != "[closed to open open to closed]" {
			t.Errorf("changes %v", *log)
		}
	})
}

func TestTimeouts(t *testing.T) {
	for _, c := range []struct {
		t           Timeouts
		quick, slow time.Duration
	}{
		{Timeouts{}, 60 * time.Second, 120 * time.Second},
		{Timeouts{Quick: time.Second, Heavy: 5 * time.Second}, time.Second, 5 * time.Second},
	} {
		if q, h := c.t.For(Quick), c.t.For(Heavy); q != c.quick || h != c.slow {
			t.Errorf("%+v: %v, %v", c.t, q, h)
		}
	}
}
