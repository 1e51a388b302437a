package events

import (
	"testing"
	"time"
)

func check(t *testing.T, a *Alarm) (list []AlertEvent) {
	t.Helper()
	list, err := a.Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestOneAlertForAnEpisodeAcrossProcesses(t *testing.T) {
	one := open(t, Options{Session: "one"})
	two := open(t, Options{File: one.options.File, Session: "two"})
	first := &Alarm{Log: one, After: 5, Window: 10 * time.Minute, Ignore: []string{"CANCELLED"}}
	second := &Alarm{Log: two, After: 5, Window: 10 * time.Minute, Ignore: first.Ignore}
	if got := check(t, first); got != nil {
		t.Fatalf("without a log: %v", got)
	}
	failure := func(ago time.Duration, code string) Event {
		return Event{Time: time.Now().Add(-ago), Category: Call, Type: "outcome", Graph: "shop", Code: code}
	}
	add(t, one, failure(11*time.Minute, "TIMEOUT"), failure(9*time.Minute, "TIMEOUT"), failure(0, "TIMEOUT"), failure(0, "TOOL_ERROR"))
	add(t, two, failure(0, "TIMEOUT"), failure(0, "TIMEOUT"))
	for range 5 {
		add(t, one, failure(0, "CANCELLED"))
	}
	if got := append(check(t, first), check(t, second)...); got != nil {
		t.Fatalf("four failures within the window: %v", got)
	}
	add(t, two, failure(0, "TIMEOUT"))
	raised := check(t, second)
	if len(raised) != 1 || !raised[0].Own || raised[0].Type != Raised || raised[0].Graph != "shop" || raised[0].Code != "TIMEOUT" {
		t.Fatalf("%+v", raised)
	}
	if told := check(t, first); len(told) != 1 || told[0].Own || told[0].ID != raised[0].ID {
		t.Errorf("the other process: %+v", told)
	}
	// More failures belong to the same episode.
	add(t, one, failure(0, "TIMEOUT"), failure(0, "TIMEOUT"))
	if got := append(check(t, first), check(t, second)...); got != nil {
		t.Errorf("a second alert: %+v", got)
	}
	// A process that starts now hears of it.
	third := &Alarm{Log: one, After: 5, Window: 10 * time.Minute, Ignore: first.Ignore}
	if got := check(t, third); len(got) != 1 || got[0].Type != Raised || got[0].Own {
		t.Errorf("a new process: %+v", got)
	}
	// When the window holds no failure any more, it is over, once.
	if _, err := one.db.Exec("UPDATE events SET timestamp = timestamp - 600001"); err != nil {
		t.Fatal(err)
	}
	if over := check(t, first); len(over) != 1 || over[0].Type != Over || !over[0].Own {
		t.Errorf("%+v", over)
	}
	if over := check(t, second); len(over) != 1 || over[0].Type != Over || over[0].Own {
		t.Errorf("%+v", over)
	}
	if active, err := first.Active(t.Context()); err != nil || active != nil {
		t.Errorf("%+v, %v", active, err)
	}
	if got := append(check(t, first), check(t, second)...); got != nil {
		t.Errorf("told again: %+v", got)
	}
	// A new episode is a new alert.
	for range 5 {
		one.Add(failure(0, "TIMEOUT"))
	}
	add(t, one)
	if got := check(t, second); len(got) != 1 || got[0].Type != Raised {
		t.Errorf("%+v", got)
	}
}

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		10 * time.Minute: "10m", 90 * time.Second: "1m30s", 10 * time.Second: "10s", time.Hour: "1h", 70 * time.Minute: "1h10m",
	} {
		if got := span(d); got != want {
			t.Errorf("%v is written %s, want %s", d, got, want)
		}
	}
}
