package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gitnexus/gitnexus-mcp/clients"
)

const (
	// maxHookInput bounds what is read of a client: a whole new file may be in it.
	maxHookInput = 16 << 20
	// remindedFor is how long it is remembered what an agent was reminded of.
	remindedFor = 24 * time.Hour
	// maxReminded bounds the files that one reminder names.
	maxReminded = 5
)

// parsedFiles are the endings of the files whose symbols the graph has.
var parsedFiles = []string{
	".go", ".cs", ".java", ".py", ".pyi", ".pyw", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs",
	".vue", ".svelte",
	".php", ".phtml", ".inc", ".rs", ".rb", ".rake", ".gemspec", ".ru", ".rbw", ".erb", ".rhtml",
	".c", ".h", ".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".tpp", ".txx", ".tcc", ".inl",
}

// editing are the names of the tools that change files, in all clients.
var editing = regexp.MustCompile(`(?i)edit|write|patch|replace|create|insert|delete`)

// patched finds the files of a patch in Codex's form. What it adds nothing depends on.
var patched = regexp.MustCompile(`(?m)^\*\*\* (?:Update|Delete) File: (.+)$`)

// hookEvent is what clients tell of an event, in the spellings of all of them.
type hookEvent struct {
	name            string
	session, agent  string
	cwd             string
	tool            string
	input           any
	hasCursorFields bool
}

// agentHook answers the hooks that install --hooks writes: clients run it before their
// agent edits a file, or at the start of a session, and show the agent what it
// prints. It reminds an agent of each file once, and never keeps it from an edit.
func (p program) agentHook(_ context.Context, args []string) error {
	if len(args) > 0 {
		return &usageError{fmt.Errorf("%s takes no arguments: MCP clients run it, with a JSON object on stdin", clients.HookCommand)}
	}
	raw, err := io.ReadAll(io.LimitReader(p.stdin, maxHookInput))
	if err != nil {
		return err
	}
	event, err := readHookEvent(raw)
	if err != nil {
		// Not a usageError, whose exit code 2 has clients refuse the edit.
		return fmt.Errorf("%s: stdin is not what an MCP client tells a hook: %w", clients.HookCommand, err)
	}
	var answer any
	switch {
	case strings.EqualFold(event.name, "SessionStart"):
		answer = event.answer(clients.Advice)
	case event.tool != "" && editing.MatchString(event.tool):
		files := slices.DeleteFunc(event.files(), func(file string) bool {
			_, err := os.Stat(file)
			return err != nil || !slices.Contains(parsedFiles, strings.ToLower(filepath.Ext(file))) || !event.first(file)
		})
		if len(files) == 0 {
			return nil
		}
		answer = event.answer(reminder(files, event.cwd))
	default:
		return nil
	}
	return json.NewEncoder(p.stdout).Encode(answer)
}

// reminder is what an agent reads before it edits files.
func reminder(files []string, cwd string) string {
	names := make([]string, 0, len(files))
	for _, file := range files[:min(len(files), maxReminded)] {
		if rel, err := filepath.Rel(cwd, file); err == nil && cwd != "" && !strings.HasPrefix(rel, "..") {
			file = rel
		}
		names = append(names, filepath.ToSlash(file))
	}
	if more := len(files) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("%s: before a function, class or type here is changed, renamed or deleted, ask the MCP server gitnexus what depends on it, unless you have: "+
		"impact for a symbol, review_file for the whole file (or on a command line: gitnexus-mcp impact NAME --direction upstream). "+
		"Not needed for comments, formatting and what is new.", strings.Join(names, ", "))
}

// answer is the text in the form that the client reads.
func (e hookEvent) answer(text string) any {
	switch {
	case e.hasCursorFields:
		return map[string]string{"additional_context": text}
	case e.name == "PreToolUse" || e.name == "SessionStart":
		return map[string]any{"hookSpecificOutput": map[string]string{"hookEventName": e.name, "additionalContext": text}}
	}
	return map[string]string{"additionalContext": text} // Copilot CLI
}

func readHookEvent(raw []byte) (hookEvent, error) {
	var o map[string]any
	if err := json.Unmarshal(raw, &o); err != nil {
		return hookEvent{}, err
	}
	text := func(keys ...string) string {
		for _, key := range keys {
			if s, ok := o[key].(string); ok && s != "" {
				return s
			}
		}
		return ""
	}
	e := hookEvent{
		name: text("hook_event_name", "hookEventName"), session: text("session_id", "sessionId", "conversation_id"), agent: text("agent_id"),
		cwd: text("cwd"), tool: text("tool_name", "toolName"), input: o["tool_input"],
	}
	if e.input == nil {
		e.input = o["toolArgs"]
	}
	_, e.hasCursorFields = o["cursor_version"]
	if s, ok := e.input.(string); ok { // Copilot CLI has JSON in a string
		var inner any
		if json.Unmarshal([]byte(s), &inner) == nil {
			e.input = inner
		}
	}
	return e, nil
}

// files are the full paths of the files that the tool is to change.
func (e hookEvent) files() []string {
	var found []string
	add := func(value any) {
		if s, ok := value.(string); ok && s != "" {
			if !filepath.IsAbs(s) {
				s = filepath.Join(e.cwd, s)
			}
			if !slices.Contains(found, s) {
				found = append(found, s)
			}
		}
	}
	var walk func(value any)
	walk = func(value any) {
		switch v := value.(type) {
		case string:
			for _, m := range patched.FindAllStringSubmatch(v, -1) {
				add(strings.TrimSpace(m[1]))
			}
		case []any:
			for _, inner := range v {
				walk(inner)
			}
		case map[string]any:
			for key, inner := range v {
				switch key {
				case "file_path", "filePath", "path", "notebook_path":
					add(inner)
				case "files":
					if list, ok := inner.([]any); ok {
						for _, file := range list {
							add(file)
						}
					}
				default:
					walk(inner)
				}
			}
		}
	}
	walk(e.input)
	slices.Sort(found)
	return found
}

// first tells whether the agent was not reminded of the file yet. Where that cannot
// be remembered, it is reminded again.
func (e hookEvent) first(file string) bool {
	cache, err := os.UserCacheDir()
	if e.session == "" || err != nil {
		return true
	}
	dir := filepath.Join(cache, "gitnexus-mcp", "reminded")
	if os.MkdirAll(dir, 0o700) != nil {
		return true
	}
	sum := sha256.Sum256([]byte(e.session + "\x00" + e.agent + "\x00" + file))
	mark, err := os.OpenFile(filepath.Join(dir, hex.EncodeToString(sum[:16])), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return false
	}
	if err == nil {
		_ = mark.Close()
		forgetReminded(dir)
	}
	return true
}

// forgetReminded removes marks that are old.
func forgetReminded(dir string) {
	marks, _ := os.ReadDir(dir)
	for _, m := range marks {
		if info, err := m.Info(); err == nil && time.Since(info.ModTime()) > remindedFor {
			_ = os.Remove(filepath.Join(dir, m.Name()))
		}
	}
}
