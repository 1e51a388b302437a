package events

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func shut(t *testing.T, l *Log) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := l.Close(ctx); err != nil {
		t.Errorf("close: %v", err)
	}
}

func open(t *testing.T, o Options) *Log {
	t.Helper()
	if o.File == "" {
		o.File = filepath.Join(t.TempDir(), "observability.sqlite")
	}
	l := New(o)
	t.Cleanup(func() { shut(t, l) })
	return l
}

func add(t *testing.T, l *Log, list ...Event) {
	t.Helper()
	for _, e := range list {
		if !l.Add(e) {
			t.Fatal("an event was dropped")
		}
	}
	if err := l.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func query(t *testing.T, l *Log, f Filter) []Event {
	t.Helper()
	list, err := l.Query(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestAnEventComesBackAsItWas(t *testing.T) {
	l := open(t, Options{File: filepath.Join(t.TempDir(), "odd ?#% name", "o.sqlite"), Session: "s1", Redact: func(e *Event) {
		e.Message = strings.Replace(e.Message, "abcdef", "[redacted]", 1)
		if e.Arguments != nil {
			e.Arguments = json.RawMessage(`{"target":"x"}`)
		}
	}})
	at := time.Now().Add(-time.Hour).Truncate(time.Millisecond)
	add(t, l, Event{
		Time: at, Category: Call, Type: "outcome", Agent: "Cursor", Graph: "shop", Call: "c1", Tool: "impact", Code: "TIMEOUT",
		Attempts: 2, Duration: 1500 * time.Microsecond, Message: "late: token=abcdef", Metadata: json.RawMessage(`{"a":1}`), Arguments: json.RawMessage(`{"target":"x","token":"y"}`),
	})
	got := query(t, l, Filter{})
	if len(got) != 1 {
		t.Fatalf("%d events", len(got))
	}
	e := got[0]
	if !e.Time.Equal(at) || e.Session != "s1" || e.Agent != "Cursor" || e.Graph != "shop" || e.Call != "c1" || e.Tool != "impact" ||
		e.Code != "TIMEOUT" || e.Attempts != 2 || e.Duration != 1500*time.Microsecond || e.Message != "late: token=[redacted]" ||
		string(e.Metadata) != `{"a":1,"arguments":{"target":"x"}}` || e.Weight != 1 || e.ID != 1 {
		t.Errorf("%+v", e)
	}
	add(t, l, Event{Category: Panic, Message: strings.Repeat("é", MaxMessage)})
	if e := query(t, l, Filter{})[1]; len(e.Message) != MaxMessage || e.Metadata != nil {
		t.Errorf("%d bytes, %s", len(e.Message), e.Metadata)
	}
	if info, err := os.Stat(l.options.File); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// Whoever opens the log without saying what is a secret loses texts, not secrets.
func TestNothingIsKeptUnredacted(t *testing.T) {
	l := open(t, Options{File: filepath.Join(t.TempDir(), "o.sqlite")})
	add(t, l, Event{Category: Call, Code: "TIMEOUT", Message: "token=abcdef", Metadata: json.RawMessage(`{"a":1}`), Arguments: json.RawMessage(`{"token":"y"}`)})
	if e := query(t, l, Filter{})[0]; e.Message != "" || string(e.Metadata) != `{"a":1}` || e.Code != "TIMEOUT" {
		t.Errorf("%+v", e)
	}
}

func TestNothingIsOpenedBeforeTheFirstEvent(t *testing.T) {
	l := open(t, Options{})
	if got := query(t, l, Filter{}); got != nil {
		t.Errorf("%v", got)
	}
	if _, err := l.Stats(t.Context(), time.Now()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(l.options.File); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a file: %v", err)
	}
	l.Add(Event{Category: Link, Type: "became_hub"})
	if l.done != nil {
		t.Error("a link event opens the file")
	}
	add(t, l, Event{Category: Call, Type: "outcome"})
	if got := query(t, l, Filter{}); len(got) != 2 || got[0].Type != "became_hub" {
		t.Errorf("%+v", got)
	}
	var none *Log
	if none.Add(Event{}) || none.Flush(t.Context()) != nil || none.Close(t.Context()) != nil {
		t.Error("a nil log")
	}
}

func TestFilters(t *testing.T) {
	l := open(t, Options{})
	now := time.Now()
	add(t, l,
		Event{Time: now.Add(-2 * time.Hour), Category: Call, Type: "old", Code: "TIMEOUT", Graph: "a"},
		Event{Time: now, Category: Call, Type: "one", Code: "TIMEOUT", Graph: "a", Tool: "grep", Call: "c1"},
		Event{Time: now, Category: Call, Type: "two", Code: "TIMEOUT", Graph: "b"},
		Event{Time: now, Category: Link, Type: "three", Graph: "a"})
	for want, f := range map[string]Filter{
		"old one two three": {},
		"one two three":     {Since: now.Add(-time.Hour)},
		"old one two":       {Code: "TIMEOUT"},
		"old one three":     {Graph: "a"},
		"three":             {Category: Link},
		"one":               {Tool: "grep", Call: "c1"},
		"two three":         {Limit: 2},
		"old one two ":      {Failed: true},
		"three ":            {After: 3},
	} {
		var got []string
		for _, e := range query(t, l, f) {
			got = append(got, e.Type)
		}
		if strings.Join(got, " ") != strings.TrimSpace(want) {
			t.Errorf("%+v: %v, want %s", f, got, want)
		}
	}
}

func TestFollowShowsWhatOtherProcessesAdd(t *testing.T) {
	l := open(t, Options{})
	other := open(t, Options{File: l.options.File})
	add(t, l, Event{Category: Link, Type: "first"})
	done := errors.New("done")
	var got []string
	err := l.Follow(t.Context(), Filter{}, func(e Event) error {
		got = append(got, e.Type)
		if len(got) == 3 {
			return done
		}
		add(t, other, Event{Category: Process, Type: "next"})
		return nil
	})
	if err != done || strings.Join(got, " ") != "first next next" {
		t.Errorf("%v %v", got, err)
	}
}

func TestAQueueThatIsFullDropsAndCounts(t *testing.T) {
	folder := t.TempDir()
	blocked := filepath.Join(folder, "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var failed atomic.Int32
	l := New(Options{File: filepath.Join(blocked, "o.sqlite"), OnError: func(err error) {
		if err != nil {
			failed.Add(1)
		}
	}})
	accepted := 0
	for range maxQueue + 100 {
		if l.Add(Event{Category: Link, Type: "up"}) {
			accepted++
		}
	}
	if err := l.Flush(t.Context()); err == nil {
		t.Error("the flush of a log that cannot be written succeeded")
	}
	s := l.Status()
	if accepted != maxQueue || s.Dropped != 100 || s.Queued != maxQueue || s.Error == "" || failed.Load() != 1 {
		t.Errorf("accepted %d, %+v, reported %d", accepted, s, failed.Load())
	}
	// The disk works again: nothing that was accepted is lost.
	if err := os.Remove(blocked); err != nil {
		t.Fatal(err)
	}
	if err := l.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := l.Status(); s.Written != maxQueue || s.Error != "" {
		t.Errorf("%+v", s)
	}
	shut(t, l)
	if l.Add(Event{Category: Link}) {
		t.Error("a closed log accepts events")
	}
	shut(t, l)
}

func TestAFileThatIsNoDatabaseIsPutAside(t *testing.T) {
	file := filepath.Join(t.TempDir(), "o.sqlite")
	if err := os.WriteFile(file, []byte(strings.Repeat("not a database\n", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	l := open(t, Options{File: file})
	add(t, l, Event{Category: Link, Type: "up"})
	if got := query(t, l, Filter{}); len(got) != 1 {
		t.Errorf("%v", got)
	}
	if broken, err := os.ReadFile(file + ".broken"); err != nil || !strings.HasPrefix(string(broken), "not a database") {
		t.Errorf("put aside: %v", err)
	}
}

func TestALogOfANewerVersionIsLeftAlone(t *testing.T) {
	l := open(t, Options{})
	add(t, l, Event{Category: Link, Type: "up"})
	if _, err := l.db.Exec("PRAGMA user_version = 99"); err != nil {
		t.Fatal(err)
	}
	_, err := New(Options{File: l.options.File}).Query(t.Context(), Filter{})
	if err == nil || !strings.Contains(err.Error(), "newer") {
		t.Error(err)
	}
}

func TestRetention(t *testing.T) {
	l := open(t, Options{MaxSize: 400 << 10, Redact: func(*Event) {}})
	now := time.Now()
	add(t, l, Event{Time: now.Add(-31 * 24 * time.Hour), Category: Link, Type: "expired"}, Event{Time: now.Add(-29 * 24 * time.Hour), Category: Link, Type: "kept"})
	if err := l.retain(); err != nil {
		t.Fatal(err)
	}
	if got := query(t, l, Filter{}); len(got) != 1 || got[0].Type != "kept" {
		t.Errorf("%+v", got)
	}
	for range 1000 {
		l.Add(Event{Category: Link, Type: "large", Message: strings.Repeat("x", 1000)})
	}
	add(t, l, Event{Category: Link, Type: "last"})
	if err := l.retain(); err != nil {
		t.Fatal(err)
	}
	got := query(t, l, Filter{})
	if len(got) < 50 || len(got) > 400 || got[len(got)-1].Type != "last" || got[0].Type != "large" {
		t.Errorf("%d events are left", len(got))
	}
	if _, err := l.db.Exec("PRAGMA wal_checkpoint(truncate)"); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(l.options.File); err != nil || info.Size() > 400<<10 {
		t.Errorf("%d bytes, %v", info.Size(), err)
	}
}

func TestManySuccessesAreSampledAndCounted(t *testing.T) {
	l := open(t, Options{})
	const calls = 1000
	at := time.Now()
	for range calls {
		if !l.Add(Event{Time: at, Category: Call, Type: "outcome", Tool: "grep", Duration: time.Millisecond}) {
			t.Fatal("dropped")
		}
	}
	add(t, l, Event{Category: Call, Type: "outcome", Tool: "grep", Code: "TIMEOUT"})
	shut(t, l)
	again := open(t, Options{File: l.options.File})
	stats, err := again.Stats(t.Context(), at.Add(-time.Minute))
	if err != nil || stats.Total.Calls != calls+1 {
		t.Errorf("%+v, %v", stats.Total, err)
	}
	if rows := query(t, again, Filter{}); len(rows) != fullRate+(calls-fullRate)/sampleWeight+1 {
		t.Errorf("%d rows", len(rows))
	}
}

func TestStats(t *testing.T) {
	l := open(t, Options{})
	now := time.Now()
	l.Add(Event{Time: now.Add(-48 * time.Hour), Category: Call, Tool: "impact", Code: "TIMEOUT"})
	for i := range 50 {
		l.Add(Event{Time: now, Category: Call, Tool: "grep", Graph: "shop", Duration: time.Duration(i+1) * time.Millisecond})
		l.Add(Event{Time: now, Category: Call, Tool: "impact", Code: []string{"TIMEOUT", "TOOL_ERROR"}[i%2], Duration: time.Duration(i+51) * time.Millisecond})
	}
	for range 4 {
		l.Add(Event{Time: now, Category: Call, Code: Cancelled, Duration: 50 * time.Millisecond})
	}
	add(t, l, Event{Time: now, Category: Link, Type: "up"})
	stats, err := l.Stats(t.Context(), now.Add(-24*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	total := stats.Total
	if total.Calls != 104 || total.Cancelled != 4 || total.SuccessRate != 0.5 || total.P50 != 50 || total.P95 != 95 || total.P99 != 99 ||
		total.Failures["TIMEOUT"] != 25 || total.Failures["TOOL_ERROR"] != 25 {
		t.Errorf("total %+v", total)
	}
	if len(stats.Tools) != 3 || stats.Tools[0].Failures != nil || stats.Tools[1].Name != "grep" || stats.Tools[1].SuccessRate != 1 || stats.Tools[1].P99 != 50 || stats.Tools[2].SuccessRate != 0 {
		t.Errorf("tools %+v", stats.Tools)
	}
	if len(stats.Graphs) != 1 || stats.Graphs[0].Name != "shop" || stats.Graphs[0].Calls != 50 {
		t.Errorf("graphs %+v", stats.Graphs)
	}
	if len(stats.Days) != 1 || stats.Days[0].Name != now.Format(time.DateOnly) || stats.Days[0].Calls != 104 {
		t.Errorf("days %+v", stats.Days)
	}
}

// Adding takes no time, and the writer takes all events of a while at once.
func TestAddDoesNotWait(t *testing.T) {
	file := filepath.Join(t.TempDir(), "o.sqlite")
	synctest.Test(t, func(t *testing.T) {
		l := New(Options{File: file})
		start := time.Now()
		for range 1000 {
			l.Add(Event{Category: Link, Type: "up"})
		}
		if waited := time.Since(start); waited != 0 {
			t.Errorf("waited %v", waited)
		}
		shut(t, l)
		if s := l.Status(); s.Written != 1000 {
			t.Errorf("%+v", s)
		}
	})
}

func TestAWriteLockThatAnotherProcessHoldsDelaysOnlyTheWriter(t *testing.T) {
	l := open(t, Options{})
	add(t, l, Event{Category: Link, Type: "up"})
	other, err := openStore(t.Context(), l.options.File)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	err = transact(t.Context(), other, func(*sql.Tx) error {
		if !l.Add(Event{Category: Link, Type: "down"}) {
			t.Error("dropped")
		}
		if got := query(t, l, Filter{}); len(got) != 1 {
			t.Errorf("%v", got)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := query(t, l, Filter{}); len(got) != 2 {
		t.Errorf("%v", got)
	}
}

// A panic beside the writing of events ends neither the process nor the log.
func TestPanicsAreGuarded(t *testing.T) {
	caught := make(chan string, 10)
	l := open(t, Options{
		OnFailure: func(context.Context) { panic("injected") },
		Guard: func(job string, f func()) (err error) {
			defer func() {
				if value := recover(); value != nil {
					err = fmt.Errorf("panic: %v", value)
					caught <- job
				}
			}()
			f()
			return nil
		},
	})
	for _, name := range []string{"a", "b"} {
		add(t, l, Event{Category: Call, Type: "outcome", Call: name, Code: "TIMEOUT"})
		if job := <-caught; job != "after writing failures" {
			t.Errorf("caught in %q", job)
		}
	}
	if list := query(t, l, Filter{}); len(list) != 2 {
		t.Errorf("%d events are in the log", len(list))
	}
}

// Successful calls wait for others to be written with, and go with what is urgent.
func TestCalmEventsWait(t *testing.T) {
	file := filepath.Join(t.TempDir(), "observability.sqlite")
	synctest.Test(t, func(t *testing.T) {
		l := New(Options{File: file})
		written := func() int64 {
			synctest.Wait()
			return l.Status().Written
		}
		l.Add(Event{Category: Call, Type: "outcome"})
		time.Sleep(calmDelay - time.Millisecond)
		if n := written(); n != 0 {
			t.Errorf("%d were written early", n)
		}
		time.Sleep(time.Millisecond)
		if n := written(); n != 1 {
			t.Errorf("%d were written", n)
		}
		l.Add(Event{Category: Call, Type: "outcome"})
		time.Sleep(calmDelay / 2)
		l.Add(Event{Category: Call, Type: "outcome", Code: "TIMEOUT"})
		time.Sleep(batchDelay)
		if n := written(); n != 3 {
			t.Errorf("%d were written with the failure", n)
		}
		shut(t, l)
	})
}
