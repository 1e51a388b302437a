// Package hooks runs commands of the user when something happens: a call, a
// link that goes up or down, an alert.
//
// They are configured in a file of the user's configuration folder, never in a
// repository, since a repository must not run commands:
//
//	{"PostToolUse": [{"match": "impact|cypher", "command": ["notify", "slow"], "timeout": "5s"}]}
//
// A command gets one JSON object on stdin, see Input. It is started without a
// shell, in the folder of the configuration.
package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Events are the names that a configuration may use.
var Events = []string{
	"SessionStart", "SessionEnd", PreToolUse, "PostToolUse", "LinkUp", "LinkDown",
	"BreakerOpen", "BreakerClosed", "IndexReady", "GraphChanged", "Alert",
}

// PreToolUse is the event that comes before a call and may refuse it.
const PreToolUse = "PreToolUse"

// The default and the largest timeout of a hook.
const (
	DefaultTimeout = 5 * time.Second
	MaxTimeout     = time.Minute
)

// Hook is one command of a configuration.
type Hook struct {
	// Event is the name it is configured under.
	Event string
	// Match is a regular expression for the whole name of the tool, or of the
	// graph where the event has no tool. nil matches everything.
	Match *regexp.Regexp
	// Command is the program and its arguments.
	Command []string
	Timeout time.Duration
}

func (h Hook) matches(in Input) bool {
	name := in.Tool
	if name == "" {
		name = in.Graph
	}
	return h.Event == in.Event && (h.Match == nil || h.Match.MatchString(name))
}

// Load reads a configuration. A file that does not exist has no hooks.
func Load(file string) ([]Hook, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := checkWritable(file); err != nil {
		return nil, err
	}
	hooks, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return hooks, nil
}

func parse(data []byte) (hooks []Hook, err error) {
	var config map[string][]struct {
		Match   string   `json:"match"`
		Command []string `json:"command"`
		Timeout string   `json:"timeout"`
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&config); err != nil {
		return nil, err
	}
	for event := range config {
		if !slices.Contains(Events, event) {
			return nil, fmt.Errorf("unknown event %q; there are %s", event, strings.Join(Events, ", "))
		}
	}
	for _, event := range Events {
		for i, entry := range config[event] {
			where := fmt.Sprintf("%s, hook %d", event, i+1)
			h := Hook{Event: event, Command: entry.Command, Timeout: DefaultTimeout}
			if len(h.Command) == 0 || h.Command[0] == "" {
				return nil, fmt.Errorf("%s: the command is missing", where)
			}
			if entry.Match != "" {
				if h.Match, err = regexp.Compile("^(?:" + entry.Match + ")$"); err != nil {
					return nil, fmt.Errorf("%s: match: %w", where, err)
				}
			}
			if entry.Timeout != "" {
				if h.Timeout, err = time.ParseDuration(entry.Timeout); err != nil || h.Timeout <= 0 || h.Timeout > MaxTimeout {
					return nil, fmt.Errorf("%s: timeout: want a time such as 5s, up to %v, got %q", where, MaxTimeout, entry.Timeout)
				}
			}
			hooks = append(hooks, h)
		}
	}
	return hooks, nil
}
