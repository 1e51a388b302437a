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
		Jitter        float64
		Cases         []struct {
			Mode            string
			Attempt         int
			Random, DelayMS float64
		}
	}
	if err := json.Unmarshal(data, &fixture); err != nil {
		t.Fatal(err)
	}
	if fixture.BaseMS != DefaultBase.Milliseconds() || fixture.CapMS != DefaultCap.Milliseconds() || len(fixture.Cases) < 50 {
		t.Fatalf("fixture %+v", fixture)
	}
	for _, c := range fixture.Cases {
		b := Backoff{Random: func() float64 { return c.Random }}
		if c.Mode == "proportional" {
			b.Proportional = fixture.Jitter
		}
		if got := float64(b.Delay(c.Attempt)) / 1e6; math.Abs(got-c.DelayMS) > 1 {
			t.Errorf("%s attempt %d random %v: %v ms, want %v", c.Mode, c.Attempt, c.Random, got, c.DelayMS)
		}
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
