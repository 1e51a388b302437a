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
//	gitnexus-mcp open | demo | export | version [flags]
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
	"runtime/debug"
	"syscall"
)

const version = "0.1.0"

// program is everything that a command may touch of the outside.
type program struct {
	stdin  io.Reader
	stdout io.Writer
	stderr *os.File
	getenv func(string) string
}

var commands = []struct {
	name, help string
	browser    string // default of --browser
	run        func(p program, ctx context.Context, s settings) error
}{
	{"serve", "be an MCP server on stdin and stdout (also without a command)", "none", program.serve},
	{"open", "open the graph app in your browser, and print its address", "open", program.open},
	{"demo", "show it working: load a folder, ask through MCP, lose the browser, find it again", "headless", program.demo},
	{"export", "write the graph of the folder --repo as JSON to the file --out", "headless", program.export},
	{"version", "print the version", "none", program.version},
}

func main() {
	// A closed stdout is an error to see, not a signal to die of.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	p := program{os.Stdin, os.Stdout, os.Stderr, os.Getenv}
	code := p.main(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// main runs a command line and returns the exit code: 0 for success, 2 for a
// bad command line or environment, 1 for everything else that went wrong.
func (p program) main(ctx context.Context, args []string) int {
	name := "serve"
	if len(args) > 0 && (args[0] == "" || args[0][0] != '-') {
		name, args = args[0], args[1:]
	}
	if name == "help" {
		p.help(p.stdout)
		return 0
	}
	for _, c := range commands {
		if c.name != name {
			continue
		}
		s := defaults()
		s.browser = c.browser
		s, err := parse(name, s, args, p.getenv)
		if errors.Is(err, flag.ErrHelp) {
			p.help(p.stdout)
			return 0
		}
		if err == nil {
			err = c.run(p, ctx, s)
		}
		if err == nil {
			return 0
		}
		fmt.Fprintln(p.stderr, "gitnexus-mcp:", err)
		if _, bad := errors.AsType[*usageError](err); bad {
			fmt.Fprintln(p.stderr, "Run gitnexus-mcp help for the settings.")
			return 2
		}
		return 1
	}
	fmt.Fprintf(p.stderr, "gitnexus-mcp: unknown command %q. Run gitnexus-mcp help.\n", name)
	return 2
}

func (p program) help(w io.Writer) {
	fmt.Fprintf(w, "gitnexus-mcp %s gives agents a map of a code base.\n\nUsage: gitnexus-mcp [COMMAND] [FLAGS]\n\nCommands:\n", version)
	for _, c := range commands {
		fmt.Fprintf(w, "  %-9s %s\n", c.name, c.help)
	}
	fmt.Fprintf(w, "\nFlags (each also as an environment variable: --max-result is GITNEXUS_MAX_RESULT):\n%s", usage())
}

func (p program) version(context.Context, settings) error {
	fmt.Fprint(p.stdout, "gitnexus-mcp ", version)
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				fmt.Fprintf(p.stdout, " (%.12s)", s.Value)
			}
		}
		fmt.Fprint(p.stdout, " ", info.GoVersion)
	}
	fmt.Fprintln(p.stdout)
	return nil
}
