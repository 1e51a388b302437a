package main

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gitnexus/gitnexus-mcp/tools"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// stubborn is a caller whose calls end when they are let, whatever their context
// says.
type stubborn struct {
	called, let chan struct{}
	ended       func()
}

func (s stubborn) Call(context.Context, *wsbridge.Call) (json.RawMessage, error) {
	close(s.called)
	<-s.let
	s.ended()
	return json.RawMessage(`{}`), nil
}

// However calls and background jobs behave, all ends in one second, in order:
// the calls, the rest, the log.
func TestShutdownHasOneBudget(t *testing.T) {
	const hungCall = tools.StopsWithin - 100*time.Millisecond // the rest is for its answer
	for name, c := range map[string]struct {
		call, background time.Duration // that they take after the stop
		serve, all       time.Duration // when serving and the whole has ended
		completes        bool
	}{
		"idle":                    {0, 0, 0, 0, true},
		"calls finish":            {300 * time.Millisecond, 100 * time.Millisecond, 300 * time.Millisecond, 400 * time.Millisecond, true},
		"a hung call":             {time.Hour, 100 * time.Millisecond, hungCall, hungCall + 100*time.Millisecond, true},
		"a hung job":              {0, time.Hour, 0, shutdownBudget - logClosesWithin, false},
		"a hung call, a hung job": {time.Hour, time.Hour, hungCall, shutdownBudget - logClosesWithin, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				var order []string
				note := func(what string) {
					mu.Lock()
					defer mu.Unlock()
					order = append(order, what)
				}
				var end shutdown
				caller := stubborn{make(chan struct{}), make(chan struct{}), func() { note("call") }}
				server := tools.NewServer(tools.Options{Caller: caller, OnStop: func(string) { note("stop"); end.begin() }})
				in, client := io.Pipe()
				ctx, stop := context.WithCancel(t.Context())
				served := make(chan error, 1)
				go func() { served <- server.Serve(ctx, in, io.Discard) }()
				if c.call > 0 {
					_, _ = io.WriteString(client, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"overview","arguments":{}}}`+"\n")
					<-caller.called
				}
				began := time.Now()
				time.AfterFunc(c.call, func() { close(caller.let) })
				stop()
				if err := <-served; err != nil || time.Since(began) != c.serve {
					t.Errorf("serving ended after %v, want %v: %v", time.Since(began), c.serve, err)
				}
				note("served")
				if completes := end.wait(func() { time.Sleep(c.background) }); completes != c.completes || time.Since(began) != c.all {
					t.Errorf("%v after %v, want %v after %v", completes, time.Since(began), c.completes, c.all)
				}
				want := []string{"stop", "served"}
				if c.call > 0 && c.call < time.Second {
					want = []string{"stop", "call", "served"}
				}
				mu.Lock()
				if !slices.Equal(order, want) {
					t.Errorf("order %v, want %v", order, want)
				}
				mu.Unlock()
				_ = client.Close()
				time.Sleep(2 * time.Hour)
			})
		})
	}
}
