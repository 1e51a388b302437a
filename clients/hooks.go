package clients

import (
	"path/filepath"
	"slices"
	"strings"
)

// HookCommand is the command of this program that clients run as a hook.
const HookCommand = "agent-hook"

// hook is how a client runs a command at an event.
type hook struct {
	// file is below the folder of the client's settings, projectFile below a project.
	file, projectFile string
	// path leads to the array of the event's hooks.
	path []string
	// fields are those of the file's object that must be there beside it.
	fields []field
	// element is one of the array.
	element func(command, powershell string) any
	// own says that the file is for this program alone.
	own bool
	// early says that the event is the start of the session: before an edit, a hook
	// of this client can only refuse it.
	early bool
}

// group is the form of Claude Code, which others took over.
func group(matcher string) func(string, string) any {
	return func(command, _ string) any {
		fields := []field{{"hooks", []any{[]field{{"type", "command"}, {"command", command}}}}}
		if matcher != "" {
			fields = slices.Insert(fields, 0, field{"matcher", matcher})
		}
		return fields
	}
}

// shells is the form of Copilot, which VS Code reads, too.
func shells(command, powershell string) any {
	return []field{{"type", "command"}, {"bash", command}, {"powershell", powershell}}
}

// hookTable has the clients that run hooks which can tell their agent something. The
// hooks of Windsurf can only refuse, those of opencode are programs in JavaScript,
// and Claude Desktop, Zed and Junie have none.
var hookTable = map[string]hook{
	"claude-code": {file: "settings.json", projectFile: ".claude/settings.json", path: []string{"hooks", "PreToolUse"}, element: group("Edit|MultiEdit|Write|NotebookEdit")},
	"codex":       {file: "hooks.json", projectFile: ".codex/hooks.json", path: []string{"hooks", "PreToolUse"}, element: group("apply_patch|Edit|Write")},
	"vscode":      {file: "hooks/gitnexus.json", projectFile: ".github/hooks/gitnexus.json", path: []string{"hooks", "preToolUse"}, fields: []field{{"version", 1}}, element: shells, own: true},
	"copilot-cli": {file: "hooks/gitnexus.json", projectFile: ".github/hooks/gitnexus.json", path: []string{"hooks", "preToolUse"}, fields: []field{{"version", 1}}, element: shells, own: true},
	"gemini":      {file: "settings.json", projectFile: ".gemini/settings.json", path: []string{"hooks", "SessionStart"}, element: group(""), early: true},
	"cursor": {file: "hooks.json", projectFile: ".cursor/hooks.json", path: []string{"hooks", "sessionStart"}, fields: []field{{"version", 1}},
		element: func(command, _ string) any { return []field{{"command", command}} }, early: true},
}

// HookFile is the file for hooks of the user, or of a project's folder; "" where the
// client has none that can tell its agent something.
func (c Client) HookFile(e Env, project string) string {
	h, ok := hookTable[c.ID]
	switch {
	case !ok:
		return ""
	case project != "":
		return filepath.Join(project, filepath.FromSlash(h.projectFile))
	}
	dir, _ := c.user(e)
	if c.ID == "vscode" {
		dir = e.moved("COPILOT_HOME", ".copilot")
	}
	return filepath.Join(dir, filepath.FromSlash(h.file))
}

// RemindsEarly tells whether the client's hook runs at the start of a session, and
// not before each edit.
func (c Client) RemindsEarly() bool { return hookTable[c.ID].early }

// AddHook says how the file takes a hook that runs the server's program.
func AddHook(c Client, e Env, file string, s Server) (Change, error) {
	h := hookTable[c.ID]
	command, powershell := hookLine(e, s)
	return edit(file, func(text []byte) ([]byte, error) {
		if h.own {
			text = nil
		}
		for _, f := range h.fields {
			o, err := readJSON(text, nil)
			if err != nil {
				return nil, err
			}
			if o[f.name] == nil {
				if text, err = setJSONValue(text, f.name, f.value); err != nil {
					return nil, err
				}
			}
		}
		return setHook(text, h.path, h.element(command, powershell), command)
	})
}

// RemoveHook says how a file loses that hook. One with nothing else in it goes.
func RemoveHook(c Client, file string) (Change, error) {
	h := hookTable[c.ID]
	change, err := edit(file, func(text []byte) ([]byte, error) { return removeHook(text, h.path) })
	if err != nil || !change.Changed() {
		return change, err
	}
	rest, err := readJSON(change.After, nil)
	for _, f := range h.fields {
		delete(rest, f.name)
	}
	change.Removed = len(rest) == 0 && filepath.Base(file) != "settings.json"
	return change, err
}

// hookLine is the command line for a shell of the system, and for PowerShell.
func hookLine(e Env, s Server) (command, powershell string) {
	words := []string{s.Command}
	for _, arg := range s.Args {
		if strings.HasPrefix(arg, "--") {
			break // of the server
		}
		words = append(words, arg)
	}
	words = append(words, HookCommand)
	quoted, quotedForPowerShell := make([]string, len(words)), make([]string, len(words))
	for i, w := range words {
		quoted[i], quotedForPowerShell[i] = w, w
		if strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@") == "" {
			continue
		}
		quotedForPowerShell[i] = "'" + strings.ReplaceAll(w, "'", "''") + "'"
		quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		if e.OS == "windows" { // a path there has no quotation marks; clients use cmd or a shell of Unix
			quoted[i] = `"` + w + `"`
		}
	}
	return strings.Join(quoted, " "), "& " + strings.Join(quotedForPowerShell, " ")
}

// isOurs tells whether a command line is one of hookLine's.
func isOurs(line string) bool { return strings.HasSuffix(line, " "+HookCommand) }
