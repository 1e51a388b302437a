package reconnect

import (
	"encoding/json"
	"math"
	"os"
	"testing"
	"time"
)

// The same file holds the page's schedule to ours.
func TestFixture(t *testing.T) {
	data, err := os.ReadFile("testdata/backoff.json")
	if err != nil {
		t.Fatal(err)
	}
	var fixture struct {
		BaseMS, CapMS int64
		Cases         []struct {
			Mode            Jitter
			BaseMS, CapMS   int64
			Attempt         int
			Random, DelayMS float64
		}
	}
	if err := json.Unmarshal(data, &fixture); err != nil {
		t.Fatal(err)
	}
	if fixture.BaseMS != DefaultBase.Milliseconds() || fixture.CapMS != DefaultCap.Milliseconds() || len(fixture.Cases) < 100 {
		t.Fatalf("%d cases, defaults %d and %d ms", len(fixture.Cases), fixture.BaseMS, fixture.CapMS)
	}
	for _, c := range fixture.Cases {
		b := Backoff{
			Base: time.Duration(c.BaseMS) * time.Millisecond, Cap: time.Duration(c.CapMS) * time.Millisecond, Jitter: c.Mode,
			Random: func() float64 { return c.Random },
		}
		if got := float64(b.Delay(c.Attempt)) / 1e6; math.Abs(got-c.DelayMS) > 1 {
			t.Errorf("%+v: %v ms", c, got)
		}
	}
}

// What the hub's hello says of the schedule.
func TestBackoffAsJSON(t *testing.T) {
	for want, b := range map[string]Backoff{
		`{"baseMs":500,"capMs":60000,"jitter":"full"}`: {},
		`{"baseMs":20,"capMs":3000,"jitter":"15%"}`:    {Base: 20 * time.Millisecond, Cap: 3 * time.Second, Jitter: ProportionalJitter},
	} {
		data, err := json.Marshal(b)
		if err != nil || string(data) != want {
			t.Errorf("%+v: %s, %v; want %s", b, data, err, want)
		}
		var back Backoff
		if err := json.Unmarshal(data, &back); err != nil || back.Ceiling(30) != b.Ceiling(30) || back.Ceiling(0) != b.Ceiling(0) || back.Jitter != b.Jitter {
			t.Errorf("%s became %+v, %v", data, back, err)
		}
	}
	var b Backoff
	if err := json.Unmarshal([]byte(`{"jitter":"some"}`), &b); err == nil {
		t.Errorf("an unknown jitter became %v", b.Jitter)
	}
}

func TestDelayStaysWithinBounds(t *testing.T) {
	var b Backoff
	for attempt := -1; attempt < 200; attempt++ {
		for range 100 {
			if d := b.Delay(attempt); d < 0 || d >= DefaultCap {
				t.Fatalf("attempt %d: %v", attempt, d)
			}
		}
	}
	own := Backoff{Base: time.Millisecond, Cap: 3 * time.Millisecond, Random: func() float64 { return 1 }}
	for attempt, want := range []time.Duration{1, 2, 3, 3} {
		if d := own.Delay(attempt); d != want*time.Millisecond {
			t.Errorf("attempt %d: %v, want %v ms", attempt, d, want)
		}
	}
}
