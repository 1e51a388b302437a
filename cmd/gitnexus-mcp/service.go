package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gitnexus/gitnexus-mcp/clients"
)

// serviceLabel names the launchd agent.
const serviceLabel = "com.gitnexus.mcp"

// service is a hub that the system starts with the user's session.
type service struct {
	env     clients.Env
	command string // full path
	repo    string // full path, or ""
	browser string
	port    int
	print   bool
	run     func(ctx context.Context, name string, args ...string) error
}

// serviceCommand is the command service install or service uninstall.
func (p program) serviceCommand(ctx context.Context, args []string) error {
	env, err := clients.System()
	if err != nil {
		return err
	}
	command, err := os.Executable()
	if err != nil {
		return err
	}
	set, err := parse("serve", defaults(), nil, p.environ)
	if err != nil {
		return err
	}
	s := service{env: env, command: command, port: set.port, run: runQuietly} // the system starts it without this environment
	verb, err := s.parse(args)
	if err != nil {
		return &usageError{err}
	}
	if verb == "uninstall" {
		return s.uninstall(ctx, p.stdout)
	}
	return s.install(ctx, p.stdout)
}

func (s *service) parse(args []string) (verb string, err error) {
	if len(args) == 0 || args[0] != "install" && args[0] != "uninstall" {
		return "", errors.New("want service install or service uninstall")
	}
	s.browser = "none"
	fs := flag.NewFlagSet("service", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.BoolVar(&s.print, "print", false, "")
	if args[0] == "install" {
		fs.StringVar(&s.repo, "repo", "", "")
		fs.Func("browser", "", oneOf(&s.browser, "none", "open", "headless"))
		fs.Func("port", "", number(&s.port, 1, 65535))
	}
	if err := fs.Parse(args[1:]); err != nil {
		return "", err
	}
	if fs.NArg() > 0 {
		return "", fmt.Errorf("service: unexpected argument %q", fs.Arg(0))
	}
	if s.repo != "" {
		if s.repo, err = filepath.Abs(s.repo); err != nil {
			return "", err
		}
		if info, err := os.Stat(s.repo); err != nil || !info.IsDir() {
			return "", fmt.Errorf("--repo: %s is no folder", s.repo)
		}
	}
	return args[0], nil
}

// args is the command line of the service.
func (s *service) args() []string {
	args := []string{s.command, "serve", "--http", "--port", strconv.Itoa(s.port), "--browser", s.browser}
	if s.repo != "" {
		args = append(args, "--repo", s.repo)
	}
	return args
}

// file is where the system looks for the service, and its text.
func (s *service) file() (path, text string, err error) {
	switch s.env.OS {
	case "linux":
		config := s.env.Getenv("XDG_CONFIG_HOME")
		if config == "" {
			config = filepath.Join(s.env.Home, ".config")
		}
		return filepath.Join(config, "systemd", "user", "gitnexus-mcp.service"), systemdUnit(s.args()), nil
	case "darwin":
		return filepath.Join(s.env.Home, "Library", "LaunchAgents", serviceLabel+".plist"), launchdAgent(s.args()), nil
	}
	return "", "", fmt.Errorf("service knows systemd and launchd, and there is neither on %s; start `gitnexus-mcp serve --http` with your session instead", s.env.OS)
}

func systemdUnit(args []string) string {
	// In a unit, % and $ have a meaning even within quotes.
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, `%`, `%%`, `$`, `$$`, "\n", `\n`)
	quoted := make([]string, len(args))
	for i, arg := range args {
		quoted[i] = `"` + escape.Replace(arg) + `"`
	}
	return `[Unit]
Description=gitnexus-mcp: a map of your code base for AI agents

[Service]
ExecStart=` + strings.Join(quoted, " ") + `
Restart=on-failure

[Install]
WantedBy=default.target
`
}

func launchdAgent(args []string) string {
	var list bytes.Buffer
	for _, arg := range args {
		list.WriteString("\t\t<string>")
		_ = xml.EscapeText(&list, []byte(arg)) // a buffer takes all
		list.WriteString("</string>\n")
	}
	return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>` + serviceLabel + `</string>
	<key>ProgramArguments</key>
	<array>
` + list.String() + `	</array>
	<key>RunAtLoad</key>
	<true/>
	<key>KeepAlive</key>
	<dict>
		<key>SuccessfulExit</key>
		<false/>
	</dict>
</dict>
</plist>
`
}

func (s *service) install(ctx context.Context, out io.Writer) error {
	path, text, err := s.file()
	if err != nil {
		return err
	}
	if s.print {
		fmt.Fprintf(out, "%s:\n\n%s", path, text)
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return err
	}
	steps := [][]string{{"systemctl", "--user", "daemon-reload"}, {"systemctl", "--user", "enable", "gitnexus-mcp"}, {"systemctl", "--user", "restart", "gitnexus-mcp"}}
	if s.env.OS == "darwin" {
		_ = s.run(ctx, "launchctl", "unload", path) // an older one, if there is one
		steps = [][]string{{"launchctl", "load", "-w", path}}
	}
	for _, step := range steps {
		if err := s.run(ctx, step[0], step[1:]...); err != nil {
			return fmt.Errorf("wrote %s, but it does not run yet: %w", path, err)
		}
	}
	fmt.Fprintf(out, "Wrote %s and started it: MCP clients connect to http://127.0.0.1:%d/mcp.\n", path, s.port)
	return nil
}

func (s *service) uninstall(ctx context.Context, out io.Writer) error {
	path, _, err := s.file()
	if err != nil {
		return err
	}
	if _, err := os.Lstat(path); err != nil {
		fmt.Fprintf(out, "There is no %s.\n", path)
		return nil
	}
	if s.print {
		fmt.Fprintf(out, "Would end the service and remove %s.\n", path)
		return nil
	}
	step := []string{"systemctl", "--user", "disable", "--now", "gitnexus-mcp"}
	if s.env.OS == "darwin" {
		step = []string{"launchctl", "unload", "-w", path}
	}
	if err := s.run(ctx, step[0], step[1:]...); err != nil {
		fmt.Fprintf(out, "It may still run: %v\n", err)
	}
	if err := os.Remove(path); err != nil {
		return err
	}
	fmt.Fprintf(out, "Removed %s.\n", path)
	return nil
}

// runQuietly runs a program; what it says is in the error.
func runQuietly(ctx context.Context, name string, args ...string) error {
	said, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, bytes.TrimSpace(said))
	}
	return nil
}
