package tools

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// A call tells its progress at most four times a second, in numbers that
// increase from phase to phase, the last of each quarter; and nothing once it is
// answered.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var report func(float64, *float64, string)
		caller := &fakeCaller{CallFunc: func(_ context.Context, c *wsbridge.Call) (json.RawMessage, error) {
			report = c.Progress
			total := 10.0
			report(1, &total, "parsing")
			report(1, &total, "parsing") // nothing new
			for done := 2; done <= 5; done++ {
				time.Sleep(10 * time.Millisecond)
				report(float64(done), &total, "parsing")
			}
			time.Sleep(time.Second)
			report(0, nil, "filling the database")
			time.Sleep(time.Second)
			report(0, nil, "waiting for the page")
			report(1, nil, "waiting for the page")
			return json.RawMessage(`{}`), nil
		}}
		c := initialized(t, NewServer(Options{Caller: caller}))
		c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"overview","_meta":{"progressToken":9007199254740993}}}`)
		began, heard := time.Now(), []time.Duration{}
		for _, want := range []string{
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":9007199254740993,"progress":1,"total":10,"message":"parsing"}}`,
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":9007199254740993,"progress":5,"total":10,"message":"parsing"}}`,
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":9007199254740993,"progress":6,"message":"filling the database"}}`,
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":9007199254740993,"progress":7,"message":"waiting for the page"}}`,
		} {
			if got := c.next(); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			heard = append(heard, time.Since(began))
		}
		if m := c.nextMessage(); string(m.ID) != "1" {
			t.Errorf("got %+v", m)
		}
		for i := 1; i < len(heard); i++ {
			if gap := heard[i] - heard[i-1]; gap < progressEvery {
				t.Errorf("%v after the report before it", gap)
			}
		}
		report(3, nil, "after the result")
		time.Sleep(time.Second)
		c.nothing(time.Second)
	})
}
