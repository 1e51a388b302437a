package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitnexus/gitnexus-mcp/hooks"
)

// newHooks returns a runner of the user's hooks.
func (o *observer) newHooks(environ []string) (*hooks.Runner, error) {
	options, err := hookOptions(environ)
	if err != nil || len(options.Hooks) == 0 {
		return nil, err
	}
	options.OnResult, options.Guard = o.ran, o.guarded
	return hooks.New(options), nil
}

// hookOptions reads hooks.json of the user's configuration folder.
func hookOptions(environ []string) (hooks.Options, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return hooks.Options{}, nil // without a folder there is no hooks.json
	}
	dir = filepath.Join(dir, "gitnexus-mcp")
	list, err := hooks.Load(filepath.Join(dir, "hooks.json"))
	// Settings are for servers, and the token is for nobody else.
	env := slices.DeleteFunc(slices.Clone(environ), func(v string) bool { return strings.HasPrefix(v, "GITNEXUS_") })
	return hooks.Options{Hooks: list, Dir: dir, Env: env}, err
}

// tryHooks runs the hooks of an event with a sample.
func (p program) tryHooks(ctx context.Context, s settings) error {
	if len(s.args) < 2 || len(s.args) > 3 || s.args[0] != "test" {
		return &usageError{errors.New("hooks: want hooks test EVENT [MATCH]")}
	}
	event := s.args[1]
	if !slices.Contains(hooks.Events, event) {
		return &usageError{fmt.Errorf("hooks: unknown event %q; there are %s", event, strings.Join(hooks.Events, ", "))}
	}
	options, err := hookOptions(p.environ)
	if err != nil {
		return &usageError{err}
	}
	in := hooks.Input{
		Event: event, Time: time.Now(), Session: newSession(), Agent: "hooks test", Graph: "sample", Call: "SAMPLE",
		Message: "a sample of gitnexus-mcp hooks test",
	}
	if strings.HasSuffix(event, "ToolUse") {
		in.Tool, in.Arguments = "search", json.RawMessage(`{"query":"sample"}`)
	}
	if event == "PostToolUse" {
		in.Outcome, in.DurationMS = "success", 12.5
	}
	if len(s.args) == 3 && in.Tool != "" {
		in.Tool = s.args[2]
	} else if len(s.args) == 3 {
		in.Graph = s.args[2]
	}
	runner := hooks.New(options)
	defer runner.Close(ctx)
	list := runner.Matching(in)
	if len(list) == 0 {
		file := filepath.Join(options.Dir, "hooks.json")
		if !slices.ContainsFunc(options.Hooks, func(h hooks.Hook) bool { return h.Event == event }) {
			return fmt.Errorf("%s has no hook of %s", file, event)
		}
		return fmt.Errorf("no hook of %s in %s matches %q; to try another name, run hooks test %[1]s NAME", event, file, cmp.Or(in.Tool, in.Graph))
	}
	failed := 0
	for _, h := range list {
		r := runner.Run(ctx, h, in)
		fmt.Fprintf(p.stdout, "%s\n", visible(strings.Join(h.Command, " ")))
		outcome := "did its work"
		if _, refused := errors.AsType[*hooks.RefusedError](r.Err); refused {
			outcome = "refuses the call"
		} else if r.Err != nil {
			outcome = "failed: " + r.Err.Error()
			failed++
		}
		fmt.Fprintf(p.stdout, "  %s, in %v\n", visible(outcome), r.Duration.Round(time.Millisecond))
		for name, text := range map[string]string{"stdout": r.Stdout, "stderr": r.Stderr} {
			if text != "" {
				fmt.Fprintf(p.stdout, "  %s: %s\n", name, visible(strings.TrimSpace(text)))
			}
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d hooks failed", failed, len(list))
	}
	return nil
}
