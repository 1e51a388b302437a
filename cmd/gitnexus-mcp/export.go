package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// exportLimit is the largest graph that export writes, in bytes of JSON.
const exportLimit = 1 << 30

// export indexes a folder in a headless browser and writes the graph as
// code-graph/1 (docs/code-graph.md).
func (p program) export(ctx context.Context, s settings) error {
	if s.repo == "" {
		return &usageError{errors.New("export: --repo is missing: which folder?")}
	}
	if s.out == "" {
		return &usageError{errors.New("export: --out is missing: which file? (- for stdout)")}
	}
	gate, err := privateGate()
	if err != nil {
		return err
	}
	defer func() { _ = gate.Pairing.Clear() }()
	s.maxMessage = exportLimit
	log, closeLog, err := newLog(s, func() string { return gate.Token }, p.stderr)
	if err != nil {
		return err
	}
	defer closeLog()
	if !s.debug && s.logFile == "" {
		log = slog.New(slog.DiscardHandler)
	}
	opt, err := bridgeOptions(s, gate, log)
	if err != nil {
		return err
	}
	node := wsbridge.NewNode(opt)
	ctx, cancel := context.WithCancel(ctx)
	var background sync.WaitGroup
	defer background.Wait()
	defer cancel()
	background.Go(func() { _ = node.Run(ctx) })

	page, err := show(ctx, s, gate)
	if err != nil {
		return err
	}
	if page != nil {
		defer page.Stop()
	}
	line := &progressLine{to: p.stderr, tty: term.IsTerminal(int(p.stderr.Fd()))}
	err = waitReady(ctx, page, line, func() (string, string, error) {
		pages := node.Status().Pages
		if len(pages) == 0 || pages[0].Context == nil {
			return "starting", "starting the browser", nil
		}
		return pages[0].Context.State, pages[0].Context.Detail, nil
	})
	if err != nil {
		return err
	}
	args, err := json.Marshal(map[string]float64{"minConfidence": s.minConfidence})
	if err != nil {
		return err
	}
	callCtx, cancelCall := context.WithTimeout(ctx, s.timeouts.Heavy)
	defer cancelCall()
	graph, err := node.Call(callCtx, &wsbridge.Call{
		ID: "export-" + time.Now().Format("150405.000"), Tool: "export", Arguments: args, Agent: "export", ReadOnly: true,
	})
	if err != nil {
		return fmt.Errorf("the page did not hand over the graph: %w", err)
	}
	if s.out == "-" {
		_, err := p.stdout.Write(append(graph, '\n'))
		return err
	}
	return writeFile(s.out, graph)
}

// writeFile replaces a file in one step, or leaves it as it was.
func writeFile(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }() // gone after the rename
	_, err = f.Write(append(data, '\n'))
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
