package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/gitnexus/gitnexus-mcp/browser"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// privateGate returns a gate with a free port and a new token, so that a command
// does not disturb a server that the user runs. Who pairs pages with it clears its
// Pairing at the end.
func privateGate() (wsbridge.Gate, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return wsbridge.Gate{}, err
	}
	defer func() { _ = l.Close() }()
	token := wsbridge.NewToken()
	pairing, err := wsbridge.DefaultPairing(token)
	return wsbridge.Gate{Port: l.Addr().(*net.TCPAddr).Port, Token: token, Pairing: pairing}, err
}

// indexLimit is how long a command waits for a repository to be indexed.
const indexLimit = 15 * time.Minute

// startLimit is how long no page may be connected meanwhile. A browser takes
// seconds to start, and reports nothing when it cannot load the page.
const startLimit = 2 * time.Minute

// show opens the page in a headless browser, or in the user's own, for which the
// process is nil: it is not ours to stop.
func show(ctx context.Context, s settings, gate wsbridge.Gate) (*browser.Process, error) {
	address, err := gate.PairingURL("one command")
	if err != nil {
		return nil, err
	}
	if s.browser == "open" {
		return nil, browser.Open(ctx, address)
	}
	return browser.Headless(ctx, browser.Options{URL: address})
}

// progressLine rewrites one line on a terminal; elsewhere it prints a line when
// the phase changes.
type progressLine struct {
	to    *os.File
	tty   bool
	phase string
}

func (l *progressLine) show(phase, detail string) {
	switch {
	case l.tty:
		fmt.Fprintf(l.to, "\r\x1b[K%s", detail)
	case phase != l.phase:
		fmt.Fprintln(l.to, detail)
	}
	l.phase = phase
}

func (l *progressLine) done() {
	if l.tty {
		fmt.Fprint(l.to, "\r\x1b[K")
	}
}

// waitReady polls look until the graph is ready, or an error says why it will not
// be. The state is "starting" while no page is connected.
func waitReady(ctx context.Context, page *browser.Process, line *progressLine, look func() (state, detail string, err error)) error {
	ctx, cancel := context.WithTimeoutCause(ctx, indexLimit, fmt.Errorf("not ready within %v", indexLimit))
	defer cancel()
	defer line.done()
	var ended <-chan struct{} // nil for the user's own browser
	if page != nil {
		ended = page.Done()
	}
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	connected := time.Now() // when a page was connected last
	for {
		state, detail, err := look()
		if state != "starting" {
			connected = time.Now()
		}
		switch {
		case err != nil:
			return err
		case state == "ready":
			return nil
		case state == "error":
			return errors.New("the page could not index the folder: " + detail)
		case time.Since(connected) >= startLimit:
			return fmt.Errorf("no page has connected for %v: the browser runs, and does not show the app", startLimit)
		}
		line.show(state, detail)
		select {
		case <-tick.C:
		case <-ended:
			return page.Err()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
