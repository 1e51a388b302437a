// Gitnexus-mcp is an MCP server that gives agents a map of a code base.
//
// The map is a knowledge graph that an app in the user's browser builds and
// holds. The agent starts gitnexus-mcp and talks to it over stdin and stdout;
// gitnexus-mcp serves the app on a loopback port and passes each tool call to
// it over a WebSocket. Nothing leaves the machine.
//
// Usage:
//
//	gitnexus-mcp [serve] [flags]
//	gitnexus-mcp open | demo | export | events | stats | check | doctor | version [flags]
//	gitnexus-mcp pair list | revoke ID | rotate
//	gitnexus-mcp hooks test EVENT [MATCH]
//	gitnexus-mcp call [flags] TOOL [JSON | key=value...] [-- COMMAND...]
//	gitnexus-mcp install | uninstall [client...] [flags]
//	gitnexus-mcp service install | uninstall [flags]
//	gitnexus-mcp completion bash | zsh | fish | powershell
//	gitnexus-mcp TOOL [WORD...] [flags]
//
// Run gitnexus-mcp help for the flags and their environment variables.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/gitnexus/gitnexus-mcp/clients"
	"github.com/gitnexus/gitnexus-mcp/tools"
)

// program holds what a command uses of its surroundings.
type program struct {
	stdin  io.Reader
	stdout io.Writer
	stderr *os.File
	// environ holds the environment as os.Environ returns it.
	environ []string
	// ending is called when a command begins to end by itself, such as at the end
	// of stdin. It may be nil.
	ending func()
}

var commands = []struct {
	name, help string
	browser    string // default of --browser
	run        func(p program, ctx context.Context, s settings) error
}{
	{"serve", "be an MCP server on stdin and stdout (also without a command); --http: over HTTP alone, until it is ended", "none", program.serve},
	{"open", "open the graph app in your browser, and print its address", "open", program.open},
	{"pair", "pair list shows the browsers that may connect; pair revoke ID shuts one out; pair rotate shuts out all, with a new token", "none", program.pair},
	{"demo", "show it working: load a folder, ask through MCP, lose the browser, find it again", "headless", program.demo},
	{"export", "write the graph of the folder --repo as JSON to the file --out", "headless", program.export},
	{"events", "show what happened: --since 1h, --code TIMEOUT, --graph NAME, --follow, --json", "none", program.events},
	{"stats", "count calls, failures and times by tool, graph and day: --since 24h, --json", "none", program.stats},
	{"hooks", "hooks test EVENT [MATCH] runs the hooks of hooks.json for an event with a sample, and shows what they did", "none", program.tryHooks},
	{"call", "call one tool: call [--server URL] [--json] TOOL [JSON | key=value...] [-- COMMAND...]; --list lists them", "none", program.call},
	{"check", "tell what differs from --base REV, what that reaches and which tests notice, for CI: --fail-on RISK, --markdown FILE, --sarif FILE, --json", "none", program.check},
	{"doctor", "tell what is wrong on this machine, and how to mend it: --fix, --json; --report for a bug report", "none", program.doctor},
	{"version", "print the version", "none", program.version},
}

func main() {
	// Writing to a closed stdout then returns an error instead of ending the process.
	signal.Ignore(syscall.SIGPIPE)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	os.Exit(supervise(signals, func(ctx context.Context, ending func()) int {
		p := program{os.Stdin, os.Stdout, os.Stderr, os.Environ(), ending}
		return p.main(ctx, os.Args[1:])
	}))
}

// shutdownLimit is how long a command may take to end while it can run.
const shutdownLimit = 2 * time.Second

// supervise runs a command and returns its exit code. The first signal ends the
// command's context. A command that is still there shutdownLimit after that, or
// after it called ending, or at a second signal, is abandoned with code 1.
func supervise(signals <-chan os.Signal, run func(ctx context.Context, ending func()) int) int {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	done, ending := make(chan int, 1), make(chan struct{}, 1)
	go func() {
		done <- run(ctx, func() {
			select {
			case ending <- struct{}{}:
			default:
			}
		})
	}()
	select {
	case code := <-done:
		return code
	case s := <-signals:
		cancel(fmt.Errorf("%v", s))
	case <-ending:
	}
	late := make(chan struct{})
	go func() {
		defer close(late)
		// In steps: a process that was frozen, or whose machine slept, has had no
		// time to end, though the clock went on.
		const steps = 20
		for range steps {
			time.Sleep(shutdownLimit / steps)
		}
	}()
	select {
	case code := <-done:
		return code
	case <-signals:
	case <-late:
	}
	return 1
}

// main runs a command line and returns the exit code: 0 for success, 2 for a
// bad command line or environment, 1 for everything else that went wrong.
func (p program) main(ctx context.Context, args []string) int {
	name := "serve"
	if len(args) == 1 && args[0] == "--version" {
		args = []string{"version"}
	}
	if len(args) > 0 && (args[0] == "" || args[0][0] != '-') {
		name, args = args[0], args[1:]
	}
	switch name {
	case "help":
		p.help(p.stdout)
		return 0
	case "__complete":
		return p.exitCode(p.complete(ctx, args))
	case clients.HookCommand:
		return p.exitCode(p.agentHook(ctx, args))
	case "completion": // not in setup, which it lists
		return p.exitCode(p.completion(ctx, args))
	}
	for _, c := range setup {
		if c.name == name {
			return p.exitCode(c.run(p, ctx, args))
		}
	}
	for _, c := range commands {
		if c.name != name {
			continue
		}
		s := defaults()
		s.browser = c.browser
		s, err := parse(name, s, args, p.environ)
		if err == nil {
			err = c.run(p, ctx, s)
		}
		return p.exitCode(err)
	}
	if tool, ok := asCommand(name); ok {
		s, err := parse(name, defaults(), args, p.environ)
		if errors.Is(err, flag.ErrHelp) {
			p.toolHelp(tool)
			return 0
		}
		if err == nil {
			err = p.tool(ctx, tool, s)
		}
		return p.exitCode(err)
	}
	fmt.Fprintf(p.stderr, "gitnexus-mcp: unknown command %q. Run gitnexus-mcp help.\n", name)
	return 2
}

// exitCode tells the user of what a command returned.
func (p program) exitCode(err error) int {
	if err == nil {
		return 0
	}
	if errors.Is(err, flag.ErrHelp) {
		p.help(p.stdout)
		return 0
	}
	fmt.Fprintln(p.stderr, "gitnexus-mcp:", err)
	if e, ok := errors.AsType[*exitError](err); ok {
		return e.code
	}
	if _, bad := errors.AsType[*usageError](err); bad {
		fmt.Fprintln(p.stderr, "Run gitnexus-mcp help for the settings.")
		return 2
	}
	return 1
}

func (p program) help(w io.Writer) {
	fmt.Fprintf(w, "gitnexus-mcp %s gives agents a map of a code base.\n\nUsage: gitnexus-mcp [COMMAND] [FLAGS]\n\nCommands:\n", version)
	for _, c := range commands {
		fmt.Fprintf(w, "  %-9s %s\n", c.name, c.help)
	}
	for _, c := range setup {
		fmt.Fprintf(w, "  %-9s %s\n", c.name, c.help)
	}
	fmt.Fprintf(w, "  %-9s %s\n", "completion", completionHelp)
	fmt.Fprint(w, "\nTools, each a command of its own (gitnexus-mcp TOOL --help):\n")
	for _, tool := range tools.Table {
		if !tool.Unlisted && !tool.Late {
			fmt.Fprintf(w, "  %-13s %s\n", tool.Name, tool.Title)
		}
	}
	fmt.Fprintf(w, "\nFlags (each also as an environment variable: --max-result is GITNEXUS_MAX_RESULT):\n%s", usage())
}
