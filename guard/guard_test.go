package guard

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func explode() { panic(errors.New("boom")) }

func TestAPanicEndsItsJobAlone(t *testing.T) {
	var log strings.Builder
	recorder := &Recorder{Log: slog.New(slog.NewTextHandler(&log, nil))}
	var jobs sync.WaitGroup
	var ended *Panic
	other := false
	jobs.Go(func() { ended = Run("watcher", recorder.Report, explode) })
	jobs.Go(func() {
		if p := Run("link", recorder.Report, func() { other = true }); p != nil {
			t.Errorf("a job that ended well: %v", p)
		}
	})
	jobs.Wait()
	if ended == nil || ended.Message != "boom" || ended.Job != "watcher" || !other {
		t.Fatalf("%+v, other job ran: %v", ended, other)
	}
	said := log.String()
	for _, want := range []string{"level=ERROR", "job=watcher", "id=" + ended.ID, "panic=boom", "guard.explode"} {
		if !strings.Contains(said, want) {
			t.Errorf("the log lacks %q:\n%s", want, said)
		}
	}
	if !strings.Contains(ended.Error(), ended.ID) || strings.Contains(ended.Error(), "boom") {
		t.Errorf("as an error: %v", ended)
	}
	if recent := recorder.Recent(); len(recent) != 1 || recent[0].ID != ended.ID {
		t.Errorf("recent: %+v", recent)
	}
}

func TestRecorderKeepsTheLastPanics(t *testing.T) {
	recorder := &Recorder{Log: slog.New(slog.DiscardHandler)}
	for i := range maxRecent + 3 {
		Run("job", recorder.Report, func() { panic(i) })
	}
	recent := recorder.Recent()
	if len(recent) != maxRecent || recent[0].Message != "3" || recent[maxRecent-1].Message != fmt.Sprint(maxRecent+2) {
		t.Errorf("kept %+v", recent)
	}
}

// A test that fails inside a job, for one, ends its goroutine so.
func TestGoexitIsNoPanic(t *testing.T) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		Run("job", func(p *Panic) { t.Errorf("reported %v", p) }, runtime.Goexit)
	}()
	<-done
}
