package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/gitnexus/gitnexus-mcp/clients"
	"github.com/gitnexus/gitnexus-mcp/tools"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// completionScripts make a shell ask this program what a word may become. They
// know nothing of its commands.
var completionScripts = []struct{ shell, use, script string }{
	{"bash", `add  source <(gitnexus-mcp completion bash)  to ~/.bashrc`, `_gitnexus_mcp() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        COMPREPLY+=("$(printf '%q' "${line%%$'\t'*}")")
    done < <("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _gitnexus_mcp gitnexus-mcp
`},
	{"zsh", `add  source <(gitnexus-mcp completion zsh)  to ~/.zshrc, after compinit`, `#compdef gitnexus-mcp
_gitnexus_mcp() {
    local line
    local -a found
    for line in "${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
        [[ -n $line ]] && found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    done
    if (( ${#found} )); then
        _describe -V gitnexus-mcp found
    else
        _files
    fi
}
compdef _gitnexus_mcp gitnexus-mcp
`},
	{"fish", `gitnexus-mcp completion fish >~/.config/fish/completions/gitnexus-mcp.fish`, `function __gitnexus_mcp_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l found ($words[1] __complete $words[2..-1] 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c gitnexus-mcp -k -f -a '(__gitnexus_mcp_complete)'
`},
	{"powershell", `add  gitnexus-mcp completion powershell | Out-String | Invoke-Expression  to $PROFILE`, `Register-ArgumentCompleter -Native -CommandName gitnexus-mcp -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
    # Older versions drop an argument that is empty.
    if ($wordToComplete -eq '') { $words += '--empty' }
    $program = $commandAst.CommandElements[0].ToString()
    & $program __complete @words 2>$null | ForEach-Object {
        $value, $help = $_ -split "` + "`t" + `", 2
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $(if ($help) { $help } else { $value }))
    }
}
`},
}

const completionHelp = "print a script that completes command lines: completion bash | zsh | fish | powershell"

// completion prints the script for a shell.
func (p program) completion(_ context.Context, args []string) error {
	var names []string
	for _, s := range completionScripts {
		if len(args) == 1 && args[0] == s.shell {
			_, err := fmt.Fprintf(p.stdout, "%s\n# To use it: %s\n", s.script, s.use)
			return err
		}
		names = append(names, s.shell)
	}
	return &usageError{fmt.Errorf("completion: for which shell? One of %s", strings.Join(names, ", "))}
}

// suggestion is what a word may become.
type suggestion struct{ value, help string }

// complete prints what the last word of a command line may become, a line each with
// a tab before its help; nothing where files are meant. Shells call it.
func (p program) complete(ctx context.Context, words []string) error {
	if len(words) == 0 {
		words = []string{""}
	}
	if last := len(words) - 1; words[last] == "--empty" {
		words[last] = ""
	}
	for _, s := range p.suggestions(ctx, words) {
		if _, err := fmt.Fprintf(p.stdout, "%s\t%s\n", s.value, s.help); err != nil {
			return err
		}
	}
	return nil
}

// choices are the values of flags that take one of several words.
var choices = map[string][]string{
	"browser": {"none", "open", "headless"}, "answers": {tools.TextAnswers, tools.StructuredAnswers}, "jitter": {"full", "15%", "none"},
	"scope": {"user", "project"}, "fail-on": {"medium", "high", "critical", "never"},
}

// setupFlags are the flags of the commands that read their own.
var setupFlags = map[string][]setting{
	"install":   {{flag: "repo", arg: "DIR"}, {flag: "scope", arg: "WHERE"}, {flag: "browser", arg: "HOW"}, {flag: "instructions"}, {flag: "skills"}, {flag: "hooks"}, {flag: "print"}},
	"uninstall": {{flag: "repo", arg: "DIR"}, {flag: "scope", arg: "WHERE"}, {flag: "print"}},
	"service":   {{flag: "repo", arg: "DIR"}, {flag: "browser", arg: "HOW"}, {flag: "port", arg: "N"}, {flag: "print"}},
}

// suggestions are what the last word may become.
func (p program) suggestions(ctx context.Context, words []string) []suggestion {
	typed, before := words[len(words)-1], words[:len(words)-1]
	command := "serve"
	if len(before) > 0 && !strings.HasPrefix(before[0], "-") {
		command = before[0]
	}
	s := defaults()
	rows, isSetup := setupFlags[command]
	if !isSetup {
		rows = append(s.table(), s.commandRows(command)...)
	}
	byFlag := func(word string) *setting {
		name := strings.TrimLeft(word, "-")
		i := slices.IndexFunc(rows, func(row setting) bool { return strings.HasPrefix(word, "-") && row.flag == name && name != "" })
		if i < 0 {
			return nil
		}
		return &rows[i]
	}
	tool, isTool := asCommand(command)
	var found []suggestion
	switch {
	case len(before) > 0 && byFlag(before[len(before)-1]) != nil && byFlag(before[len(before)-1]).arg != "":
		name := byFlag(before[len(before)-1]).flag
		for _, choice := range choices[name] {
			found = append(found, suggestion{choice, ""})
		}
		if isTool {
			found = append(found, p.valuesOf(ctx, fieldOf(tool, name), typed)...)
		}
	case strings.HasPrefix(typed, "-"):
		for _, row := range rows {
			if row.flag != "" && row.flag == flagName(row.flag) { // not the names that agents use
				found = append(found, suggestion{"--" + row.flag, row.help})
			}
		}
	case len(before) == 0:
		found = commandNames()
	case isTool:
		found = p.valuesOf(ctx, nextField(tool, before[1:], byFlag), typed)
	default:
		found = wordsOf(command, len(before))
	}
	return slices.DeleteFunc(found, func(s suggestion) bool {
		return len(s.value) < len(typed) || !strings.EqualFold(s.value[:len(typed)], typed) || strings.ContainsAny(s.value, "\n\t")
	})
}

func commandNames() []suggestion {
	var found []suggestion
	for _, c := range commands {
		found = append(found, suggestion{c.name, c.help})
	}
	for _, c := range setup {
		found = append(found, suggestion{c.name, c.help})
	}
	for _, tool := range tools.Table {
		if !tool.Unlisted && !tool.Late {
			found = append(found, suggestion{tool.Name, tool.Title})
		}
	}
	return append(found, suggestion{"completion", completionHelp}, suggestion{"help", "list commands and settings"})
}

// wordsOf are the words that a command takes at a place, from 1.
func wordsOf(command string, place int) []suggestion {
	var found []suggestion
	add := func(values ...string) {
		for _, v := range values {
			found = append(found, suggestion{v, ""})
		}
	}
	switch {
	case command == "install" || command == "uninstall":
		for _, c := range clients.All() {
			found = append(found, suggestion{c.ID, c.Name})
		}
	case place > 1:
	case command == "service":
		add("install", "uninstall")
	case command == "hooks":
		add("test")
	case command == "completion":
		for _, s := range completionScripts {
			add(s.shell)
		}
	case command == "call":
		for _, tool := range tools.Table {
			found = append(found, suggestion{tool.Name, tool.Title})
		}
	}
	return found
}

// fieldOf is the field of a tool that a flag sets; nil for none.
func fieldOf(tool *tools.Tool, flag string) *tools.Field {
	for i := range tool.Fields {
		if tool.Fields[i].Name == flag || flagName(tool.Fields[i].Name) == flag {
			return &tool.Fields[i]
		}
	}
	return nil
}

// nextField is the required field that the next word of a command line sets.
func nextField(tool *tools.Tool, words []string, byFlag func(string) *setting) *tools.Field {
	given, plain := map[string]bool{}, 0
	for i := 0; i < len(words); i++ {
		row := byFlag(words[i])
		switch {
		case row == nil:
			plain++
		case row.arg != "":
			i++
			fallthrough
		default:
			if f := fieldOf(tool, row.flag); f != nil {
				given[f.Name] = true
			}
		}
	}
	for i := range tool.Fields {
		f := &tool.Fields[i]
		if !f.Required || given[f.Name] {
			continue
		}
		if plain == 0 || f.Kind == tools.Strings {
			return f
		}
		plain--
	}
	return nil
}

// named are the fields whose values are names in the graph, by what they name.
var named = map[string]string{"target": "symbol", "from": "symbol", "to": "symbol", "name": "symbol", "filePath": "file", "changedFiles": "file"}

// valuesOf are the values of a tool's field: its words, or names of the graph that
// a server holds which runs here.
func (p program) valuesOf(ctx context.Context, f *tools.Field, typed string) []suggestion {
	if f == nil {
		return nil
	}
	var found []suggestion
	for _, value := range f.Enum {
		found = append(found, suggestion{value, ""})
	}
	if kind := named[f.Name]; kind != "" {
		names, err := p.graphNames(ctx, kind, typed)
		if err != nil {
			return found // no server runs, or its graph is not ready: nothing to suggest
		}
		for _, name := range names {
			found = append(found, suggestion{name, ""})
		}
	}
	return found
}

// completeWithin is how long a shell may wait for names.
const completeWithin = time.Second

// graphNames asks the server that runs here, in one request, which is all that the
// protocol of 2026-07-28 needs. It sends the token to that server alone.
func (p program) graphNames(ctx context.Context, kind, typed string) ([]string, error) {
	s, err := parse("serve", defaults(), nil, p.environ)
	if err != nil {
		return nil, err
	}
	gate, err := s.gate()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, completeWithin)
	defer cancel()
	template, argument := "gitnexus://symbol/{name}", "name"
	if kind == "file" {
		template, argument = "gitnexus://file/{+path}", "path"
	}
	const version = mcp.ProtocolVersion20260728
	body, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": mcp.MethodCompletionComplete,
		"params": map[string]any{
			"ref": map[string]string{"type": "ref/resource", "uri": template}, "argument": map[string]string{"name": argument, "value": typed},
			"_meta": map[string]any{mcp.MetaKeyProtocolVersion: version, mcp.MetaKeyClientCapabilities: map[string]any{}},
		},
	})
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, gate.URL()+wsbridge.MCPPath[1:], bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{
		"Authorization": "Bearer " + gate.Token, "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		mcp.HeaderProtocolVersion: version, "Mcp-Method": string(mcp.MethodCompletionComplete),
	} {
		request.Header.Set(name, value)
	}
	response, err := wsbridge.AskHub(gate, request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return nil, errors.New(response.Status)
	}
	var answer struct {
		Result struct{ Completion struct{ Values []string } }
	}
	err = json.NewDecoder(response.Body).Decode(&answer)
	return answer.Result.Completion.Values, err
}
