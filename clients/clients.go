// Package clients finds the MCP clients of a user by their configuration files,
// and adds an entry for an MCP server to them, or takes it out. All else in such
// a file stays as it was, comments and order included.
package clients

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
)

// Env is where a user's files are.
type Env struct {
	OS     string // as runtime.GOOS
	Home   string
	Getenv func(string) string
}

// System is the Env of the user who runs this process.
func System() (Env, error) {
	home, err := os.UserHomeDir()
	return Env{OS: runtime.GOOS, Home: home, Getenv: os.Getenv}, err
}

// home is a path below the home folder.
func (e Env) home(path ...string) string {
	return filepath.Join(append([]string{e.Home}, path...)...)
}

// moved is the folder that a variable names, or else one below the home folder.
func (e Env) moved(variable string, path ...string) string {
	if dir := e.Getenv(variable); dir != "" {
		return dir
	}
	return e.home(path...)
}

// appData is the folder for the settings of desktop programs.
func (e Env) appData() string {
	switch e.OS {
	case "windows":
		return e.moved("APPDATA", "AppData", "Roaming")
	case "darwin":
		return e.home("Library", "Application Support")
	}
	return e.moved("XDG_CONFIG_HOME", ".config")
}

// Server is how a client starts an MCP server.
type Server struct {
	Name    string
	Command string // full path
	Args    []string
}

// Client is a program that starts MCP servers.
type Client struct {
	ID, Name string
	// Instructions is the file in a project that the client reads for its agent:
	// CLAUDE.md, AGENTS.md or "".
	Instructions string

	// user is the folder with the user's settings, whose presence tells that the
	// client is there, and the names the file may have; the first is for a new one.
	user func(Env) (dir string, files []string)
	// project are the names that the file may have in a project; none where the
	// client has no settings for a project.
	project []string
	// key is the object or table that holds the servers.
	key string
	// fields are an entry's fields. A field that is not command or args is
	// written with a new entry alone.
	fields func(Server) []field
}

// field is one member of an entry.
type field struct {
	name  string
	value any
}

// All lists the clients that Install knows.
func All() []Client { return slices.Clone(table) }

var table = []Client{
	{"claude-desktop", "Claude Desktop", "",
		func(e Env) (string, []string) {
			return filepath.Join(e.appData(), "Claude"), []string{"claude_desktop_config.json"}
		}, nil, "mcpServers", plain},
	{"claude-code", "Claude Code", "CLAUDE.md",
		func(e Env) (string, []string) {
			if e.Getenv("CLAUDE_CONFIG_DIR") != "" {
				return e.Getenv("CLAUDE_CONFIG_DIR"), []string{".claude.json"}
			}
			return e.home(".claude"), []string{filepath.Join("..", ".claude.json")}
		}, []string{".mcp.json"}, "mcpServers", typed("stdio")},
	{"cursor", "Cursor", "AGENTS.md",
		func(e Env) (string, []string) { return e.home(".cursor"), []string{"mcp.json"} },
		[]string{".cursor/mcp.json"}, "mcpServers", plain},
	{"vscode", "VS Code", "AGENTS.md",
		func(e Env) (string, []string) {
			return filepath.Join(e.appData(), "Code"), []string{filepath.Join("User", "mcp.json")}
		}, []string{".vscode/mcp.json"}, "servers", typed("stdio")},
	{"windsurf", "Windsurf", "AGENTS.md",
		func(e Env) (string, []string) { return e.home(".codeium", "windsurf"), []string{"mcp_config.json"} },
		nil, "mcpServers", plain},
	{"zed", "Zed", "AGENTS.md",
		func(e Env) (string, []string) {
			files := []string{"settings.json"}
			if e.OS == "windows" {
				return filepath.Join(e.appData(), "Zed"), files
			}
			return filepath.Join(e.moved("XDG_CONFIG_HOME", ".config"), "zed"), files
		}, []string{".zed/settings.json"}, "context_servers", plain},
	{"codex", "Codex", "AGENTS.md",
		func(e Env) (string, []string) { return e.moved("CODEX_HOME", ".codex"), []string{"config.toml"} },
		[]string{".codex/config.toml"}, "mcp_servers", plain},
	{"gemini", "Gemini CLI", "",
		func(e Env) (string, []string) { return e.home(".gemini"), []string{"settings.json"} },
		[]string{".gemini/settings.json"}, "mcpServers", plain},
	{"opencode", "opencode", "AGENTS.md",
		func(e Env) (string, []string) {
			return filepath.Join(e.moved("XDG_CONFIG_HOME", ".config"), "opencode"), []string{"opencode.json", "opencode.jsonc"}
		}, []string{"opencode.json", "opencode.jsonc"}, "mcp",
		func(s Server) []field {
			return []field{{"type", "local"}, {"command", append([]string{s.Command}, s.Args...)}, {"enabled", true}}
		}},
	{"copilot-cli", "Copilot CLI", "AGENTS.md",
		func(e Env) (string, []string) {
			return e.moved("COPILOT_HOME", ".copilot"), []string{"mcp-config.json"}
		},
		[]string{".github/mcp.json"}, "mcpServers",
		func(s Server) []field { return append(typed("local")(s), field{"tools", []string{"*"}}) }},
	// The agent of the JetBrains IDEs. Their AI Assistant takes the same JSON in its settings dialog.
	{"jetbrains", "JetBrains Junie", "AGENTS.md",
		func(e Env) (string, []string) { return e.home(".junie"), []string{filepath.Join("mcp", "mcp.json")} },
		[]string{".junie/mcp/mcp.json"}, "mcpServers", plain},
}

func plain(s Server) []field {
	return []field{{"command", s.Command}, {"args", append([]string{}, s.Args...)}}
}

func typed(kind string) func(Server) []field {
	return func(s Server) []field { return append([]field{{"type", kind}}, plain(s)...) }
}

// Found tells whether the client is there: its settings' folder, or their file.
func (c Client) Found(e Env) bool {
	dir, _ := c.user(e)
	return exists(dir) || exists(c.File(e, ""))
}

// File is the file that Install writes to: of the user, or of a project's
// folder. It is "" where the client has no settings for a project.
func (c Client) File(e Env, project string) string {
	dir, files := project, c.project
	if project == "" {
		dir, files = c.user(e)
	}
	if len(files) == 0 {
		return ""
	}
	for _, name := range files {
		if file := filepath.Join(dir, filepath.FromSlash(name)); exists(file) {
			return file
		}
	}
	return filepath.Join(dir, filepath.FromSlash(files[0]))
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
