// Package guard keeps a panic in one job from ending the process.
//
// Every goroutine of the server runs its work under Run:
//
//	background.Go(func() { guard.Run("watcher", report, w.run) })
//
// Run does not restart the job: its owner reads the result and decides.
package guard

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Panic is one panic that Run recovered. As an error it has the text that may be
// shown to an agent: the id, which is also in the log, and not the panic's value.
type Panic struct {
	// ID identifies the panic in the log, in health and in error messages.
	ID string `json:"id"`
	// Job is the name that Run was given.
	Job string `json:"job"`
	// Message is the value of the panic as text.
	Message string `json:"message"`
	// Time is when it happened.
	Time time.Time `json:"time"`
	// Stack is the stack of the goroutine that panicked.
	Stack string `json:"-"`
}

func (p *Panic) Error() string {
	return fmt.Sprintf("internal error %s in %s: the log has its stack under this id", p.ID, p.Job)
}

// Run calls f and returns nil, or the panic that ended f, after passing it to
// report. A nil report logs to slog.Default. runtime.Goexit is not a panic.
func Run(job string, report func(*Panic), f func()) (ended *Panic) {
	defer func() {
		value := recover()
		if value == nil {
			return
		}
		ended = &Panic{ID: rand.Text()[:8], Job: job, Message: fmt.Sprint(value), Time: time.Now(), Stack: string(debug.Stack())}
		if report == nil {
			report = (&Recorder{Log: slog.Default()}).Report
		}
		report(ended)
	}()
	if name := injected.Load(); name != nil && *name == job && injected.CompareAndSwap(name, nil) {
		panic("injected")
	}
	f()
	return nil
}

// injected is the job whose next Run panics; nil for none.
var injected atomic.Pointer[string]

// Inject has the next Run of that job panic, for tests. ran reports whether it has.
func Inject(job string) (ran func() bool) {
	name := &job
	injected.Store(name)
	return func() bool { return injected.Load() != name }
}

// Recorder is the usual report: it logs each panic and keeps the last ones for
// health. Its methods may be called concurrently.
type Recorder struct {
	// Log is where panics are logged, as errors. Required.
	Log *slog.Logger
	// Also is told each panic too, if set. It must not block.
	Also func(*Panic)

	mu     sync.Mutex
	recent []Panic
}

// maxRecent is how many panics a Recorder keeps.
const maxRecent = 10

// Report logs the panic and keeps it.
func (r *Recorder) Report(p *Panic) {
	r.mu.Lock()
	if len(r.recent) == maxRecent {
		r.recent = slices.Delete(r.recent, 0, 1)
	}
	r.recent = append(r.recent, *p)
	r.mu.Unlock()
	if r.Also != nil {
		r.Also(p)
	}
	r.Log.Error("a job ended with a panic; the server goes on", "job", p.Job, "id", p.ID, "panic", p.Message, "stack", p.Stack)
}

// Recent returns the last panics, the oldest first.
func (r *Recorder) Recent() []Panic {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.recent)
}
