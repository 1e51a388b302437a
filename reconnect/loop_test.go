package reconnect

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

var errDown = errors.New("down")

// longest makes every wait as long as its ceiling.
var longest = Backoff{Random: func() float64 { return 1 }}

// script runs a loop whose connections live as long as lives says (0: refused),
// and returns when, since the start, each was tried.
func script(t *testing.T, lives []time.Duration) (tries []time.Duration, waits []string, err error) {
	start := time.Now()
	ctx, cancel := context.WithCancelCause(t.Context())
	loop := Loop{
		Backoff: longest,
		Connect: func(ctx context.Context, up func()) error {
			tries = append(tries, time.Since(start))
			if len(tries) > len(lives) {
				cancel(errors.New("script over"))
				return errDown
			}
			if life := lives[len(tries)-1]; life > 0 {
				up()
				time.Sleep(life)
			}
			return errDown
		},
		OnWait: func(attempt int, delay time.Duration, cause error) {
			waits = append(waits, fmt.Sprint(attempt, " ", delay, " ", cause))
		},
	}
	err = loop.Run(ctx, nil)
	return tries, waits, err
}

func TestLoopFollowsTheSchedule(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries, waits, err := script(t, make([]time.Duration, 10))
		want := "[0s 500ms 1.5s 3.5s 7.5s 15.5s 31.5s 1m3.5s 2m3.5s 3m3.5s 4m3.5s]"
		if fmt.Sprint(tries) != want {
			t.Errorf("tried at %v, want %s", tries, want)
		}
		if waits[2] != "2 2s down" {
			t.Errorf("third wait %q", waits[2])
		}
		if err == nil || err.Error() != "script over" {
			t.Errorf("Run returned %v, want the context's cause", err)
		}
	})
}

func TestALifeOfTenSecondsResetsTheSchedule(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		short := 10*time.Second - time.Millisecond
		tries, _, _ := script(t, []time.Duration{0, 0, short, 10 * time.Second, 0})
		// 0, +500 ms, +1 s, lives nearly 10 s and counts on: +2 s, lives 10 s and resets: +500 ms, +1 s.
		want := fmt.Sprint([]time.Duration{0, 500 * time.Millisecond, 1500 * time.Millisecond,
			1500*time.Millisecond + short + 2*time.Second, 1500*time.Millisecond + short + 12500*time.Millisecond,
			1500*time.Millisecond + short + 13500*time.Millisecond})
		if fmt.Sprint(tries) != want {
			t.Errorf("tried at %v, want %v", tries, want)
		}
	})
}

func TestFinalErrorEndsTheLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		loop := Loop{Connect: func(context.Context, func()) error {
			if n++; n == 3 {
				return errors.ErrUnsupported
			}
			return errDown
		}}
		err := loop.Run(t.Context(), func(err error) bool { return errors.Is(err, errors.ErrUnsupported) })
		if !errors.Is(err, errors.ErrUnsupported) || n != 3 {
			t.Errorf("%v after %d tries", err, n)
		}
	})
}
