package clients

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var server = Server{"gitnexus", "/opt/gitnexus-mcp", []string{"--repo", "/home/u/code", "--browser", "open"}}

func byID(t *testing.T, id string) Client {
	t.Helper()
	for _, c := range All() {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("no client %s", id)
	return Client{}
}

func env(system, home string, variables map[string]string) Env {
	return Env{system, home, func(name string) string { return variables[name] }}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Every file's other text stays as it was; installing again changes nothing;
// uninstalling takes out what installing put in.
func TestInstallKeepsTheRest(t *testing.T) {
	for _, c := range []struct {
		name, client string
		before       string
		installed    string
		// removed is what uninstalling leaves; "" means before.
		removed string
	}{
		{"no file", "claude-desktop", "", `{
  "mcpServers": {
    "gitnexus": {
      "command": "/opt/gitnexus-mcp",
      "args": ["--repo", "/home/u/code", "--browser", "open"]
    }
  }
}
`, "{\n  \"mcpServers\": {\n  }\n}\n"},
		{"comments and a trailing comma", "zed", `// Zed settings
{
  "theme": "One Dark", // my theme
  /* servers */
  "context_servers": {
    // the first
    "other": { "command": "x", "args": ["-y", "1"] }, // keep
  },
  "vim_mode": true,
}
`, `// Zed settings
{
  "theme": "One Dark", // my theme
  /* servers */
  "context_servers": {
    // the first
    "other": { "command": "x", "args": ["-y", "1"] }, // keep
    "gitnexus": {
      "command": "/opt/gitnexus-mcp",
      "args": ["--repo", "/home/u/code", "--browser", "open"]
    },
  },
  "vim_mode": true,
}
`, ""},
		{"tabs, and no servers yet", "cursor", "{\n\t\"a\": [1, 2], // last\n\t\"b\": 1.50\n}", "{\n\t\"a\": [1, 2], // last\n\t\"b\": 1.50,\n\t\"mcpServers\": {\n\t\t\"gitnexus\": {\n\t\t\t\"command\": \"/opt/gitnexus-mcp\",\n\t\t\t\"args\": [\"--repo\", \"/home/u/code\", \"--browser\", \"open\"]\n\t\t}\n\t}\n}", "{\n\t\"a\": [1, 2], // last\n\t\"b\": 1.50,\n\t\"mcpServers\": {\n\t}\n}"},
		{"carriage returns and a byte order mark", "vscode", "\xef\xbb\xbf{\r\n    \"inputs\": [],\r\n    \"servers\": {\r\n        \"x\": {}\r\n    }\r\n}\r\n", "\xef\xbb\xbf{\r\n    \"inputs\": [],\r\n    \"servers\": {\r\n        \"x\": {},\r\n        \"gitnexus\": {\r\n            \"type\": \"stdio\",\r\n            \"command\": \"/opt/gitnexus-mcp\",\r\n            \"args\": [\"--repo\", \"/home/u/code\", \"--browser\", \"open\"]\r\n        }\r\n    }\r\n}\r\n", ""},
		{"an entry of before, with fields of the user's", "cursor", `{
  "mcpServers": {
    "gitnexus": {"command": "/old/gitnexus-mcp", "env": {"GITNEXUS_PORT": "4000"}, "disabled": true},
    "z": {}
  }
}
`, `{
  "mcpServers": {
    "gitnexus": {"command": "/opt/gitnexus-mcp", "env": {"GITNEXUS_PORT": "4000"}, "disabled": true,
      "args": ["--repo", "/home/u/code", "--browser", "open"]
    },
    "z": {}
  }
}
`, "{\n  \"mcpServers\": {\n    \"z\": {}\n  }\n}\n"},
		{"opencode's own form", "opencode", "{\n  \"$schema\": \"https://opencode.ai/config.json\"\n}\n", `{
  "$schema": "https://opencode.ai/config.json",
  "mcp": {
    "gitnexus": {
      "type": "local",
      "command": ["/opt/gitnexus-mcp", "--repo", "/home/u/code", "--browser", "open"],
      "enabled": true
    }
  }
}
`, "{\n  \"$schema\": \"https://opencode.ai/config.json\",\n  \"mcp\": {\n  }\n}\n"},
		{"TOML with comments, and a text that looks like a header", "codex", `# my settings
model = "gpt" # this one
notes = """
[mcp_servers.gitnexus]
"""

[mcp_servers.docs]
command = "npx"
args = [
  "-y", # yes
  "docs",
]
`, `# my settings
model = "gpt" # this one
notes = """
[mcp_servers.gitnexus]
"""

[mcp_servers.docs]
command = "npx"
args = [
  "-y", # yes
  "docs",
]

[mcp_servers.gitnexus]
command = "/opt/gitnexus-mcp"
args = ["--repo", "/home/u/code", "--browser", "open"]
`, ""},
		{"TOML with an entry of before", "codex", "[mcp_servers.gitnexus]\r\nargs = [ # of before\r\n  \"--old\",\r\n]\r\ncommand = '/old'\r\nstartup_timeout_sec = 20\r\n\r\n[mcp_servers.gitnexus.env]\r\nA = \"1\"\r\n\r\n# the projects\r\n[projects.\"/x\"]\r\ntrust_level = \"trusted\"\r\n",
			"[mcp_servers.gitnexus]\r\nargs = [\"--repo\", \"/home/u/code\", \"--browser\", \"open\"]\r\ncommand = \"/opt/gitnexus-mcp\"\r\nstartup_timeout_sec = 20\r\n\r\n[mcp_servers.gitnexus.env]\r\nA = \"1\"\r\n\r\n# the projects\r\n[projects.\"/x\"]\r\ntrust_level = \"trusted\"\r\n",
			"# the projects\r\n[projects.\"/x\"]\r\ntrust_level = \"trusted\"\r\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := byID(t, c.client)
			e := env("linux", t.TempDir(), nil)
			file := client.File(e, "")
			if c.before != "" {
				write(t, file, c.before)
			}
			apply := func(change Change, err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
				if !change.Changed() {
					t.Fatal("no change")
				}
				backup, err := change.Write(time.Unix(1, 0))
				if err != nil {
					t.Fatal(err)
				}
				if !change.New && read(t, backup) != string(change.Before) {
					t.Error("the backup is not the former file")
				}
			}
			apply(Install(client, file, server))
			if got := read(t, file); got != c.installed {
				t.Errorf("installed:\n%s\nwant:\n%s", got, c.installed)
			}
			again, err := Install(client, file, server)
			if err != nil || again.Changed() {
				t.Errorf("installing again: %v, and changes:\n%s", err, again.Diff())
			}
			line, err := Entry(client, file, server.Name)
			if want := append([]string{server.Command}, server.Args...); err != nil || strings.Join(line, "|") != strings.Join(want, "|") {
				t.Errorf("the entry is read as %q, %v", line, err)
			}
			apply(Uninstall(client, file, server.Name))
			want := c.removed
			if want == "" {
				want = c.before
			}
			if got := read(t, file); got != want {
				t.Errorf("uninstalled:\n%q\nwant:\n%q", got, want)
			}
			if after, err := Uninstall(client, file, server.Name); err != nil || after.Changed() {
				t.Errorf("uninstalling again changes %q, %v", after.After, err)
			}
		})
	}
}

// What cannot be edited safely is left alone, with a reason.
func TestInstallRefuses(t *testing.T) {
	for _, c := range []struct{ name, client, text, reason string }{
		{"broken JSON", "cursor", `{"mcpServers": {`, "unexpected EOF"},
		{"a list", "cursor", `[1]`, "object"},
		{"servers that are no object", "cursor", `{"mcpServers": []}`, "not an object"},
		{"inline table", "codex", `mcp_servers = { gitnexus = { command = "x" } }`, "by hand"},
		{"inline table of another server", "codex", `mcp_servers = { other = { command = "x" } }`, "by hand"},
		{"dotted keys", "codex", "mcp_servers.gitnexus.command = 'x'", "by hand"},
		{"broken TOML", "codex", "a = ", "toml"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := byID(t, c.client).File(env("linux", t.TempDir(), nil), "")
			write(t, file, c.text)
			_, err := Install(byID(t, c.client), file, server)
			if err == nil || !strings.Contains(err.Error(), c.reason) || !strings.Contains(err.Error(), file) {
				t.Errorf("error %v, want one with %q and the file", err, c.reason)
			}
			if read(t, file) != c.text {
				t.Error("the file was changed")
			}
		})
	}
}

func TestUnreadable(t *testing.T) {
	file := byID(t, "cursor").File(env("linux", t.TempDir(), nil), "")
	if err := os.MkdirAll(file, 0o755); err != nil { // a folder cannot be read as a file, by root either
		t.Fatal(err)
	}
	if _, err := Install(byID(t, "cursor"), file, server); err == nil {
		t.Error("no error")
	}
}

func TestFiles(t *testing.T) {
	for _, c := range []struct {
		system, client, file string
		variables            map[string]string
	}{
		{"linux", "claude-desktop", ".config/Claude/claude_desktop_config.json", nil},
		{"darwin", "claude-desktop", "Library/Application Support/Claude/claude_desktop_config.json", nil},
		{"windows", "claude-desktop", "AppData/Roaming/Claude/claude_desktop_config.json", nil},
		{"windows", "claude-desktop", "Roaming/Claude/claude_desktop_config.json", map[string]string{"APPDATA": "HOME/Roaming"}},
		{"linux", "claude-code", ".claude.json", nil},
		{"linux", "claude-code", "cc/.claude.json", map[string]string{"CLAUDE_CONFIG_DIR": "HOME/cc"}},
		{"darwin", "vscode", "Library/Application Support/Code/User/mcp.json", nil},
		{"linux", "vscode", "xdg/Code/User/mcp.json", map[string]string{"XDG_CONFIG_HOME": "HOME/xdg"}},
		{"windows", "zed", "AppData/Roaming/Zed/settings.json", nil},
		{"darwin", "zed", ".config/zed/settings.json", nil},
		{"windows", "windsurf", ".codeium/windsurf/mcp_config.json", nil},
		{"linux", "codex", "cx/config.toml", map[string]string{"CODEX_HOME": "HOME/cx"}},
		{"linux", "gemini", ".gemini/settings.json", nil},
		{"windows", "opencode", ".config/opencode/opencode.json", nil},
		{"linux", "copilot-cli", ".copilot/mcp-config.json", nil},
		{"darwin", "jetbrains", ".junie/mcp/mcp.json", nil},
	} {
		home := t.TempDir()
		variables := map[string]string{}
		for name, value := range c.variables {
			variables[name] = strings.ReplaceAll(value, "HOME", home)
		}
		e := env(c.system, home, variables)
		client := byID(t, c.client)
		want := filepath.Join(home, filepath.FromSlash(c.file))
		if got := client.File(e, ""); got != want {
			t.Errorf("%s on %s: %s, want %s", c.client, c.system, got, want)
		}
		if client.Found(e) {
			t.Errorf("%s on %s is found in an empty home", c.client, c.system)
		}
		write(t, want, "{}")
		if !client.Found(e) {
			t.Errorf("%s on %s is not found with its file there", c.client, c.system)
		}
	}
	home := t.TempDir()
	write(t, filepath.Join(home, ".config/opencode/opencode.jsonc"), "{}")
	if got := byID(t, "opencode").File(env("linux", home, nil), ""); filepath.Base(got) != "opencode.jsonc" {
		t.Errorf("opencode's file is %s, though another one is there", got)
	}
}

func TestLinks(t *testing.T) {
	link, err := url.Parse(Link(byID(t, "vscode"), server))
	if err != nil {
		t.Fatal(err)
	}
	config, err := url.PathUnescape(link.RawQuery)
	var entry struct {
		Name, Command string
		Args          []string
	}
	if err != nil || json.Unmarshal([]byte(config), &entry) != nil || entry.Name != "gitnexus" || entry.Command != server.Command || len(entry.Args) != 4 {
		t.Errorf("VS Code's link carries %s", config)
	}
	if got := Link(byID(t, "cursor"), Server{Name: "gitnexus", Command: "/g"}); got != "cursor://anysphere.cursor-deeplink/mcp/install?config=eyJhcmdzIjpbXSwiY29tbWFuZCI6Ii9nIn0%3D&name=gitnexus" {
		t.Errorf("Cursor's link is %s", got)
	}
}

// The block comes once, is brought up to date, and goes without a trace.
func TestInstructions(t *testing.T) {
	for _, before := range []string{"", "# Project\n\nRules.\n", "# Project\r\n"} {
		file := filepath.Join(t.TempDir(), "AGENTS.md")
		if before != "" {
			write(t, file, before)
		}
		added, err := AddInstructions(file)
		if err != nil {
			t.Fatal(err)
		}
		write(t, file, string(added.After))
		if again, err := AddInstructions(file); err != nil || again.Changed() {
			t.Errorf("a second block: %v\n%s", err, again.After)
		}
		write(t, file, strings.Replace(string(added.After), "impact", "formerly", 1))
		if mended, err := AddInstructions(file); err != nil || string(mended.After) != string(added.After) {
			t.Errorf("an old block stays: %v\n%s", err, mended.After)
		}
		if removed, err := RemoveInstructions(file); err != nil || string(removed.After) != before {
			t.Errorf("%v: left is %q, want %q", err, removed.After, before)
		}
	}
	if lines := strings.Count(Advice, "\n"); lines != 4 {
		t.Errorf("the advice has %d lines, want 4", lines)
	}
}
