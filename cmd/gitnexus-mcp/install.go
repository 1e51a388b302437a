package main

import (
	"context"
	"encoding/json"
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
	{"install", "add the server to your MCP clients: [CLIENT...] --repo DIR, --scope user|project, --browser open|headless, --instructions, --skills, --hooks, --print", program.install},
	{"uninstall", "take all that install wrote out again: [CLIENT...] --repo DIR, --scope user|project, --print", program.uninstall},
	{"service", "install | uninstall: keep a server running that MCP clients reach by address: --repo DIR, --browser HOW, --port N, --print", program.serviceCommand},
}

// installation is what the command line of install and uninstall says.
type installation struct {
	chosen       []clients.Client // none: those that are there
	repo         string           // absolute, or ""
	scope        string
	browser      string
	instructions bool
	skills       bool
	hooks        bool
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
		fs.BoolVar(&in.skills, "skills", false, "")
		fs.BoolVar(&in.hooks, "hooks", false, "")
	}
	fs.BoolVar(&in.print, "print", false, "")
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

// project is the folder whose files are written, "" for the user's.
func (in *installation) project() string {
	if in.scope == "project" {
		return in.repo
	}
	return ""
}

// file is the file of a client in the scope; "" where it has none.
func (in *installation) file(c clients.Client) string { return c.File(in.env, in.project()) }

// targets are the clients to work on: those that were named, or those that are
// there, or have a file in the scope.
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
		file := in.file(c)
		_, err := os.Stat(file)
		return file == "" || err != nil && !c.Found(in.env)
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
	if in.print && len(in.chosen) == 0 { // all that there might be
		targets, err = clients.All(), nil
	}
	if err != nil {
		return err
	}
	server, err := in.server()
	if err != nil {
		return err
	}
	failed := 0
	for _, step := range in.additions(targets, server) {
		failed += p.apply(in, step)
	}
	if in.print {
		for _, c := range targets {
			if link := clients.Link(c, server); link != "" {
				fmt.Fprintf(p.stdout, "%s: or open %s\n", c.Name, link)
			}
		}
		line, _ := json.Marshal(append([]string{server.Command}, server.Args...))
		fmt.Fprintf(p.stdout, "Any other client: %s\n", line)
	}
	if failed > 0 {
		return fmt.Errorf("%d of the files could not be changed", failed)
	}
	if !in.print {
		fmt.Fprintln(p.stdout, "Start the clients anew. gitnexus-mcp doctor tells whether all is well; gitnexus-mcp uninstall takes the entries out.")
	}
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
	for _, step := range in.removals(targets) {
		failed += p.apply(in, step)
	}
	if failed > 0 {
		return fmt.Errorf("%d of the files could not be changed", failed)
	}
	return nil
}

// step is a change of one file for a client, or why there is none.
type step struct {
	name   string // of the client, or of what the file is
	change clients.Change
	err    error
	// note says what the user has to know of it.
	note string
}

// additions are the steps of install.
func (in *installation) additions(targets []clients.Client, server clients.Server) []step {
	var steps []step
	done := map[string]bool{} // some clients share files
	add := func(name, file, note string, change func() (clients.Change, error)) {
		if file == "" || done[file] {
			return
		}
		done[file] = true
		c, err := change()
		steps = append(steps, step{name, c, err, note})
	}
	for _, c := range targets {
		file := in.file(c)
		add(c.Name, file, "", func() (clients.Change, error) { return clients.Install(c, file, server) })
	}
	for _, c := range targets {
		if in.instructions && c.Instructions != "" {
			file := filepath.Join(in.repo, c.Instructions)
			add(c.Instructions, file, "", func() (clients.Change, error) { return clients.AddInstructions(file) })
		}
		if in.skills {
			files := c.SkillFiles(in.env, in.project())
			if len(files) == 0 {
				steps = append(steps, step{name: c.Name, note: "reads no skills from files"})
			}
			for _, file := range files {
				add("skill", file, "", func() (clients.Change, error) { return clients.AddSkill(file) })
			}
		}
		if in.hooks {
			file, note := c.HookFile(in.env, in.project()), ""
			if file == "" {
				steps = append(steps, step{name: c.Name, note: "has no hooks that can remind its agent of anything"})
			}
			if c.RemindsEarly() {
				note = "It reminds at the start of a session: before an edit, hooks of this client can only refuse it."
			}
			add("hook of "+c.Name, file, note, func() (clients.Change, error) { return clients.AddHook(c, in.env, file, server) })
		}
	}
	return steps
}

// removals are the steps of uninstall: for all that install can write.
func (in *installation) removals(targets []clients.Client) []step {
	var steps []step
	for _, c := range targets {
		change, err := clients.Uninstall(c, in.file(c), serverName)
		steps = append(steps, step{name: c.Name, change: change, err: err})
	}
	kept := in.sharedFiles(targets)
	remove := func(name, file string, change func() (clients.Change, error)) {
		if file == "" || kept[file] {
			return
		}
		kept[file] = true
		if c, err := change(); err != nil || c.Changed() {
			steps = append(steps, step{name: name, change: c, err: err})
		}
	}
	for _, c := range targets {
		if in.repo != "" && c.Instructions != "" {
			file := filepath.Join(in.repo, c.Instructions)
			remove(c.Instructions, file, func() (clients.Change, error) { return clients.RemoveInstructions(file) })
		}
		for _, file := range c.SkillFiles(in.env, in.project()) {
			remove("skill", file, func() (clients.Change, error) { return clients.RemoveSkill(file) })
		}
		file := c.HookFile(in.env, in.project())
		remove("hook of "+c.Name, file, func() (clients.Change, error) { return clients.RemoveHook(c, file) })
	}
	return steps
}

// sharedFiles are the skills and hooks of clients that keep their entry.
func (in *installation) sharedFiles(leaving []clients.Client) map[string]bool {
	kept := map[string]bool{}
	for _, c := range clients.All() {
		stays := !slices.ContainsFunc(leaving, func(l clients.Client) bool { return l.ID == c.ID })
		file := in.file(c)
		if !stays || file == "" {
			continue
		}
		if line, err := clients.Entry(c, file, serverName); err != nil || len(line) == 0 {
			continue
		}
		for _, shared := range append(c.SkillFiles(in.env, in.project()), c.HookFile(in.env, in.project())) {
			kept[shared] = true
		}
	}
	return kept
}

// apply writes a change, or with --print only shows it, and returns how many files failed.
func (p program) apply(in installation, s step) int {
	change, err := s.change, s.err
	if err == nil && change.File == "" {
		fmt.Fprintf(p.stdout, "%s: %s\n", s.name, s.note)
		return 0
	}
	if err == nil && !change.Changed() {
		if !change.New {
			fmt.Fprintf(p.stdout, "%s: %s is as it should be\n", s.name, change.File)
		}
		return 0
	}
	backup := ""
	if err == nil && !in.print {
		backup, err = change.Write(time.Now())
	}
	if err != nil {
		fmt.Fprintf(p.stdout, "%s: %v\n", s.name, err)
		return 1
	}
	fmt.Fprintf(p.stdout, "%s: %s\n%s", s.name, change.File, change.Diff())
	if s.note != "" {
		fmt.Fprintf(p.stdout, "  %s\n", s.note)
	}
	if backup != "" {
		fmt.Fprintf(p.stdout, "  the former file is %s\n", backup)
	}
	return 0
}
