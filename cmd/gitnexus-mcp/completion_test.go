package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestSuggestions(t *testing.T) {
	p := program{environ: []string{"GITNEXUS_PORT=1"}} // where no server runs
	values := func(line string) string {
		var list []string
		for _, s := range p.suggestions(t.Context(), strings.Split(line, " ")) {
			list = append(list, s.value)
		}
		return strings.Join(list, " ")
	}
	for _, c := range []struct{ line, want string }{
		{"do", "doctor"},
		{"test_", "test_impact"},
		{"impact --max", "--max-reconnect --max-result --max-message --max-inflight --max-queue --max-depth"},
		{"impact x --direction ", "upstream downstream"},
		{"impact Conn.Publish up", "upstream"},
		{"impact --max-depth 2 Conn.Publish ", "upstream downstream"},
		{"impact --direction upstream x ", ""},
		{"graph_action ", "highlight focus annotate reset"},
		{"--browser h", "headless"},
		{"serve --htt", "--http"},
		{"install cur", "cursor"},
		{"install cursor --scope ", "user project"},
		{"uninstall --", "--repo --scope --print"},
		{"service ", "install uninstall"},
		{"check --fail-on ", "medium high critical never"},
		{"completion f", "fish"},
		{"call trace", "trace_flow"},
		{"export --out ", ""},
		{"impact ", ""},
		{"nothing ", ""},
	} {
		if got := values(c.line); got != c.want {
			t.Errorf("%q: %s, want %s", c.line, got, c.want)
		}
	}
	// The words that a flag is suggested to take are words that it takes.
	for _, command := range []string{"serve", "check"} {
		s := defaults()
		for _, row := range append(s.table(), s.commandRows(command)...) {
			for _, choice := range choices[row.flag] {
				if err := row.set(choice); err != nil {
					t.Errorf("--%s %s: %v", row.flag, choice, err)
				}
			}
		}
	}
}

// Flags of the commands that read their own are suggested as they are read.
func TestSetupFlags(t *testing.T) {
	for command, rows := range setupFlags {
		for _, row := range rows {
			args := []string{"--" + row.flag}
			if row.arg != "" {
				value := map[string]string{"repo": t.TempDir(), "port": "5000", "scope": "user", "browser": "headless"}[row.flag]
				args = append(args, value)
			}
			if command == "service" {
				args = append([]string{"install", "--print"}, args...)
				if code, _, stderr := run(t, nil, append([]string{command}, args...)...); code != 0 {
					t.Errorf("%s %s: %s", command, args, stderr)
				}
			} else if _, err := parseInstallation(command, args); err != nil {
				t.Errorf("%s %s: %v", command, args, err)
			}
		}
	}
}

// Each shell that is here completes a command line with the script for it.
func TestCompletionInShells(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := startServer(t, "main")
	s.initialize()
	p := s.page(func(p *page, m message) {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"structuredContent":{"values":["Conn.Publish","Conn.Close","createConn"],"total":3}}}`, m.ID))
	})
	_ = p
	// The command is this test, as a program.
	command := filepath.Join(folder, "gitnexus-mcp")
	words := fmt.Sprintf("#!/bin/sh\nGITNEXUS_TEST_ROLE=main GITNEXUS_PORT=%d GITNEXUS_TOKEN=%s exec %s \"$@\"\n", s.port, testToken, exe)
	if err := os.WriteFile(command, []byte(words), 0o700); err != nil {
		t.Fatal(err)
	}
	scripts := map[string]string{
		"bash": `source <(gitnexus-mcp completion bash)
complete_line() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gitnexus_mcp; echo "${COMPREPLY[*]}"; }
complete_line gitnexus-mcp do; complete_line gitnexus-mcp impact Conn.; complete_line gitnexus-mcp impact x --direction ""; complete -p gitnexus-mcp`,
		// The functions that show candidates are replaced by ones that print them.
		"zsh": `autoload -Uz compinit; compinit -u -d ` + filepath.Join(folder, "zcompdump") + `
_describe() { local -a all; all=("${(@P)${@[-1]}}"); print -- ${all%%:*}; }; _files() { print files; }
source <(gitnexus-mcp completion zsh)
complete_line() { words=("$@"); CURRENT=$#; _gitnexus_mcp; }
complete_line gitnexus-mcp do; complete_line gitnexus-mcp impact Conn.; complete_line gitnexus-mcp impact x --direction ""; print -- ${_comps[gitnexus-mcp]}`,
		"fish": `gitnexus-mcp completion fish | source
for line in "gitnexus-mcp do" "gitnexus-mcp impact Conn." "gitnexus-mcp impact x --direction "
    string join " " (complete -C $line | string replace -r '\t.*' '')
end`,
		"pwsh": `gitnexus-mcp completion powershell | Out-String | Invoke-Expression
foreach ($line in 'gitnexus-mcp do', 'gitnexus-mcp impact Conn.', 'gitnexus-mcp impact x --direction ') {
    ([System.Management.Automation.CommandCompletion]::CompleteInput($line, $line.Length, $null).CompletionMatches | ForEach-Object CompletionText) -join ' '
}`,
	}
	for shell, script := range scripts {
		t.Run(shell, func(t *testing.T) {
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skipf("%v; scripts/shells.sh installs those that Debian has", err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, path, "-c", script)
			cmd.Dir = folder
			cmd.Env = append(plainEnviron(), "PATH="+folder+":/usr/local/bin:/usr/bin:/bin", "HOME="+folder)
			said, err := cmd.CombinedOutput()
			got := string(said)
			for _, line := range []string{"doctor\n", "Conn.Publish Conn.Close\n", "upstream downstream\n"} {
				if !strings.Contains(got, line) {
					t.Errorf("%s does not complete to %q: %v\n%s", shell, line, err, got)
				}
			}
			if (shell == "bash" || shell == "zsh") && !strings.Contains(got, "_gitnexus_mcp") {
				t.Errorf("%s is not told to complete: %s", shell, got)
			}
		})
	}
}

// Where there is no PowerShell, its script is at least parsed.
func TestPowerShellScriptParses(t *testing.T) {
	_, script, _ := run(t, nil, "completion", "powershell")
	parse := func(script string) error {
		// Without the flag Node does not end before it has optimised the grammar's largest function, for half a minute.
		cmd := exec.CommandContext(t.Context(), "node", "--liftoff-only", filepath.Join("testdata", "parse-powershell.mjs"))
		cmd.Stdin = strings.NewReader(script)
		if said, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, said)
		}
		return nil
	}
	if err := parse(script); err != nil {
		t.Error(err)
	}
	if parse(strings.Replace(script, "param(", "param((", 1)) == nil {
		t.Error("a script that is wrong is taken")
	}
}

func TestCompletionScripts(t *testing.T) {
	for _, s := range completionScripts {
		code, stdout, stderr := run(t, nil, "completion", s.shell)
		if code != 0 || !strings.Contains(stdout, "__complete") || stderr != "" {
			t.Errorf("%s: %d %s %s", s.shell, code, stdout, stderr)
		}
	}
	if code, _, stderr := run(t, nil, "completion", "tcsh"); code != 2 || !strings.Contains(stderr, "One of bash, zsh, fish, powershell") {
		t.Errorf("%d %s", code, stderr)
	}
}
