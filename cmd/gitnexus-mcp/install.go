package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitnexus/gitnexus-mcp/clients"
	"github.com/gitnexus/gitnexus-mcp/tools"
)

// serverName is what clients call us.
const serverName = "gitnexus"

// setup are the commands that set the machine up. They read their own flags:
// the settings of the server do not concern them.
var setup = []struct {
	name, help string
	run        func(p program, ctx context.Context, args []string) error
}{
	{"install", "add the server to your MCP clients: [CLIENT...] --repo DIR, --scope user|project, --browser open|headless, --instructions, --print", program.install},
	{"uninstall", "take it out of them again: [CLIENT...] --repo DIR, --scope user|project", program.uninstall},
	{"service", "install | uninstall: keep a server running that MCP clients reach by address: --repo DIR, --browser HOW, --port N, --print", program.serviceCommand},
}

// installation is what the command line of install and uninstall says.
type installation struct {
	chosen       []clients.Client // none: those that are there
	repo         string           // absolute, or ""
	scope        string
	browser      string
	instructions bool
	print        bool
	env          clients.Env
}

// parseInstallation reads the command line; clients and flags come in any order.
func parseInstallation(command string, args []string) (installation, error) {
	env, err := clients.System()
	if err != nil {
		return installation{}, err
	}
	in := installation{scope: "user", browser: "open", env: env}
	fs := flag.NewFlagSet(command, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&in.repo, "repo", "", "")
	fs.Func("scope", "", oneOf(&in.scope, "user", "project"))
	if command == "install" {
		fs.Func("browser", "", oneOf(&in.browser, "open", "headless"))
		fs.BoolVar(&in.instructions, "instructions", false, "")
		fs.BoolVar(&in.print, "print", false, "")
	}
	for rest := args; ; rest = fs.Args()[1:] {
		if err := fs.Parse(rest); err != nil {
			return in, &usageError{err}
		}
		if fs.NArg() == 0 {
			break
		}
		if err := in.choose(fs.Arg(0)); err != nil {
			return in, &usageError{err}
		}
	}
	if in.repo == "" && (in.scope == "project" || in.instructions) {
		in.repo = "."
	}
	if in.repo == "" {
		return in, nil
	}
	if in.repo, err = filepath.Abs(in.repo); err != nil {
		return in, err
	}
	if info, err := os.Stat(in.repo); err != nil || !info.IsDir() {
		return in, &usageError{fmt.Errorf("--repo: %s is no folder", in.repo)}
	}
	return in, nil
}

func (in *installation) choose(id string) error {
	var ids []string
	for _, c := range clients.All() {
		if c.ID == id {
			in.chosen = append(in.chosen, c)
			return nil
		}
		ids = append(ids, c.ID)
	}
	near := ids
	if n := tools.Nearest(id, ids); len(n) > 0 {
		near = n[:1]
	}
	return fmt.Errorf("no client %q; did you mean %s?", id, strings.Join(near, ", "))
}

// file is the file of a client in the scope; "" where it has none.
func (in *installation) file(c clients.Client) string {
	if in.scope == "project" {
		return c.File(in.env, in.repo)
	}
	return c.File(in.env, "")
}

// targets are the clients to work on: those that were named, or those that are
// there.
func (in *installation) targets() ([]clients.Client, error) {
	for _, c := range in.chosen {
		if in.file(c) == "" {
			return nil, &usageError{fmt.Errorf("%s has no settings for a project; use --scope user", c.Name)}
		}
	}
	if len(in.chosen) > 0 {
		return in.chosen, nil
	}
	list := slices.DeleteFunc(clients.All(), func(c clients.Client) bool {
		return !c.Found(in.env) || in.file(c) == ""
	})
	if len(list) == 0 {
		var ids []string
		for _, c := range clients.All() {
			ids = append(ids, c.ID)
		}
		return nil, fmt.Errorf("found no MCP client; name one: %s", strings.Join(ids, ", "))
	}
	return list, nil
}

// server is the entry to write. A program in npx's cache is started through
// npx, because the cache is emptied at times.
func (in *installation) server() (clients.Server, error) {
	command, err := os.Executable()
	if err != nil {
		return clients.Server{}, err
	}
	s := clients.Server{Name: serverName, Command: command}
	if slices.Contains(strings.Split(filepath.ToSlash(command), "/"), "_npx") {
		if s.Command, err = exec.LookPath("npx"); err != nil {
			return s, err
		}
		s.Args = []string{"-y", "gitnexus-mcp"}
	}
	if in.repo != "" {
		s.Args = append(s.Args, "--repo", in.repo)
	}
	s.Args = append(s.Args, "--browser", in.browser)
	return s, nil
}

func (p program) install(_ context.Context, args []string) error {
	in, err := parseInstallation("install", args)
	if err != nil {
		return err
	}
	targets, err := in.targets()
	if in.print && len(in.chosen) == 0 {
		targets, err = clients.All(), nil
	}
	if err != nil {
		return err
	}
	server, err := in.server()
	if err != nil {
		return err
	}
	if in.print {
		return p.printEntries(in, targets, server)
	}
	failed := 0
	for _, c := range targets {
		change, err := clients.Install(c, in.file(c), server)
		failed += p.apply(c.Name, change, err)
	}
	if in.instructions {
		for _, file := range instructionFiles(targets) {
			change, err := clients.AddInstructions(filepath.Join(in.repo, file))
			failed += p.apply(file, change, err)
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of the files could not be changed", failed)
	}
	fmt.Fprintln(p.stdout, "Start the clients anew. gitnexus-mcp doctor tells whether all is well; gitnexus-mcp uninstall takes the entries out.")
	return nil
}

func (p program) uninstall(_ context.Context, args []string) error {
	in, err := parseInstallation("uninstall", args)
	if err != nil {
		return err
	}
	targets, err := in.targets()
	if err != nil {
		return err
	}
	failed := 0
	for _, c := range targets {
		change, err := clients.Uninstall(c, in.file(c), serverName)
		failed += p.apply(c.Name, change, err)
	}
	if in.repo != "" {
		for _, file := range instructionFiles(targets) {
			change, err := clients.RemoveInstructions(filepath.Join(in.repo, file))
			failed += p.apply(file, change, err)
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of the files could not be changed", failed)
	}
	return nil
}

// apply writes a change, shows it, and returns how many files failed.
func (p program) apply(name string, change clients.Change, err error) int {
	if err == nil && !change.Changed() {
		if !change.New {
			fmt.Fprintf(p.stdout, "%s: %s is as it should be\n", name, change.File)
		}
		return 0
	}
	backup := ""
	if err == nil {
		backup, err = change.Write(time.Now())
	}
	if err != nil {
		fmt.Fprintf(p.stdout, "%s: %v\n", name, err)
		return 1
	}
	fmt.Fprintf(p.stdout, "%s: %s\n%s", name, change.File, change.Diff())
	if backup != "" {
		fmt.Fprintf(p.stdout, "  the former file is %s\n", backup)
	}
	return 0
}

// printEntries shows what would be written, and the links that do it.
func (p program) printEntries(in installation, targets []clients.Client, server clients.Server) error {
	var errs []error
	for _, c := range targets {
		file := in.file(c)
		if file == "" {
			continue
		}
		change, err := clients.Install(c, file, server)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		fmt.Fprintf(p.stdout, "%s: %s\n", c.Name, file)
		if change.Changed() {
			fmt.Fprint(p.stdout, change.Diff())
		} else {
			fmt.Fprintln(p.stdout, "  is as it should be")
		}
		if link := clients.Link(c, server); link != "" {
			fmt.Fprintln(p.stdout, "  or open", link)
		}
	}
	line, _ := json.Marshal(append([]string{server.Command}, server.Args...))
	fmt.Fprintf(p.stdout, "Any other client: %s\n", line)
	return errors.Join(errs...)
}

// instructionFiles are the files that the clients' agents read, each once.
func instructionFiles(targets []clients.Client) []string {
	var files []string
	for _, c := range targets {
		if c.Instructions != "" && !slices.Contains(files, c.Instructions) {
			files = append(files, c.Instructions)
		}
	}
	return files
}
