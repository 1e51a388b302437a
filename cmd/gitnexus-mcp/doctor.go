package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	mcpclient "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/gitnexus/gitnexus-mcp/browser"
	"github.com/gitnexus/gitnexus-mcp/clients"
	"github.com/gitnexus/gitnexus-mcp/tools"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

const (
	// initializeLimit is the time within which an entry's server has to answer.
	initializeLimit = time.Second
	// probeLimit bounds each probe that starts a process.
	probeLimit = 10 * time.Second
	// enoughWatches lets the folders of a large repository be watched on Linux.
	enoughWatches = 65536
	enoughDisk    = 1 << 30
)

// finding is one line of the doctor's report.
type finding struct {
	Check  string `json:"check"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
	// Mend is the command that mends what is wrong.
	Mend string `json:"mend,omitempty"`
}

// doctor examines the machine.
type doctor struct {
	s     settings
	env   clients.Env
	self  string        // our own path
	limit time.Duration // within which an entry's server has to answer
}

// doctor reports what is wrong on this machine, without secrets, and mends what
// is safe with --fix.
func (p program) doctor(ctx context.Context, s settings) error {
	env, err := clients.System()
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	d := doctor{s, env, self, initializeLimit}
	findings := d.examine(ctx)
	wrong := 0
	for _, f := range findings {
		if !f.OK {
			wrong++
		}
	}
	switch {
	case s.report:
		err = p.bugReport(ctx, d, findings)
	case s.json:
		enc := json.NewEncoder(p.stdout)
		enc.SetIndent("", "  ")
		err = enc.Encode(findings)
	default:
		printFindings(p.stdout, findings)
	}
	if err == nil && wrong > 0 {
		err = fmt.Errorf("%d of %d checks found something wrong", wrong, len(findings))
	}
	return err
}

func printFindings(out io.Writer, findings []finding) {
	for _, f := range findings {
		state := "ok   "
		if !f.OK {
			state = "WRONG"
		}
		fmt.Fprintf(out, "%s  %-16s %s\n", state, f.Check, f.Detail)
		if f.Mend != "" {
			fmt.Fprintf(out, "%24s %s\n", "->", f.Mend)
		}
	}
}

func (d doctor) examine(ctx context.Context) []finding {
	list := []finding{
		{"version", true, fmt.Sprintf("%s, %s, %s/%s", version, runtime.Version(), runtime.GOOS, runtime.GOARCH), ""},
		d.token(),
		d.socket(),
	}
	port, running := d.port(ctx)
	list = append(list, port)
	if running {
		list = append(list, d.graph(ctx))
	}
	list = append(list, d.browser(ctx), d.watches("/proc/sys/fs/inotify/max_user_watches"), d.disk())
	list = append(list, d.clients(ctx)...)
	for i := range list {
		list[i].Detail = strings.ReplaceAll(list[i].Detail, d.env.Home, "~")
	}
	return list
}

// token looks at the token file. A file that others could read is replaced with --fix.
func (d doctor) token() finding {
	if d.s.token != "" {
		return finding{"token", true, "from GITNEXUS_TOKEN", ""}
	}
	file, err := wsbridge.DefaultTokenFile()
	if err != nil {
		return finding{"token", false, err.Error(), ""}
	}
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return finding{"token", true, file + " is made on first use", ""}
	}
	if err == nil {
		_, err = wsbridge.LoadToken(file)
	}
	if err != nil && d.s.fix {
		if err = os.Remove(file); err == nil {
			_, err = wsbridge.LoadToken(file)
		}
		if err == nil {
			return finding{"token", true, file + " was replaced; start your agents anew", ""}
		}
	}
	if err != nil {
		return finding{"token", false, err.Error(), "gitnexus-mcp doctor --fix"}
	}
	return finding{"token", true, fmt.Sprintf("%s, mode %04o", file, info.Mode().Perm()), ""}
}

// socket tells where peers and commands connect to the server that holds the port.
func (d doctor) socket() finding {
	gate, err := d.s.gate()
	if err != nil {
		return finding{"socket", false, err.Error(), ""}
	}
	address, err := wsbridge.CheckSocket(gate)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return finding{"socket", true, gate.SocketDir + " is made on first use", ""}
	case err != nil:
		return finding{"socket", false, err.Error() + "; servers and commands use TCP instead", ""}
	}
	return finding{"socket", true, address, ""}
}

// port tells who holds the port, and whether that is a server of ours.
func (d doctor) port(ctx context.Context) (f finding, running bool) {
	name := fmt.Sprint("port ", d.s.port)
	gate, err := d.s.gate()
	others := ""
	for _, port := range wsbridge.OtherHubs(ctx, gate) {
		others += fmt.Sprintf("; a gitnexus-mcp of yours holds port %d and serves MCP at http://127.0.0.1:%d%s", port, port, wsbridge.MCPPath)
	}
	if l, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(d.s.port))); err == nil {
		_ = l.Close()
		return finding{name, true, "free: no agent has started the server" + others, ""}, false
	}
	if err == nil {
		err = wsbridge.CheckHub(ctx, gate)
	}
	if err != nil {
		return finding{name, false, err.Error() + others, fmt.Sprintf("end that program, or give every entry --port %d", d.s.port+1)}, false
	}
	return finding{name, true, "held by a gitnexus-mcp of yours" + others, ""}, true
}

// graph asks the server that holds the port for its page and graph.
func (d doctor) graph(ctx context.Context) finding {
	text, err := d.health(ctx)
	var h tools.Health
	if err == nil {
		err = json.Unmarshal([]byte(text), &h)
	}
	switch {
	case err != nil:
		return finding{"page and graph", false, err.Error(), "start your agent anew"}
	case h.Status == "ready" || h.Status == "indexing":
		return finding{"page and graph", true, h.Summary, ""}
	}
	return finding{"page and graph", false, h.Summary, "gitnexus-mcp open"}
}

// health reads the health resource through a server of our own, which joins the
// one that holds the port.
func (d doctor) health(ctx context.Context) (text string, err error) {
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	c, err := start(ctx, []string{d.self, "serve", "--browser", "none", "--port", strconv.Itoa(d.s.port)})
	if err != nil {
		return "", err
	}
	defer func() { _ = c.Close() }()
	var request mcp.ReadResourceRequest
	request.Params.URI = "gitnexus://codebase/health"
	for {
		answer, err := c.ReadResource(ctx, request)
		if err != nil {
			return "", err
		}
		if len(answer.Contents) > 0 {
			if contents, ok := answer.Contents[0].(mcp.TextResourceContents); ok {
				text = contents.Text
			}
		}
		var h tools.Health
		if json.Unmarshal([]byte(text), &h) == nil && h.Bridge.Role == "peer" {
			return text, nil // before that it knows of no pages
		}
		select {
		case <-ctx.Done():
			return text, nil
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// start runs an MCP server and initializes it. extra are variables of its
// environment beside ours.
func start(ctx context.Context, line []string, extra ...string) (*mcpclient.Client, error) {
	c, err := mcpclient.NewStdioMCPClient(line[0], extra, line[1:]...)
	if err != nil {
		return nil, err
	}
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	hello.Params.ClientInfo = mcp.Implementation{Name: "gitnexus-mcp doctor", Version: version}
	if _, err := c.Initialize(ctx, hello); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

func (d doctor) browser(ctx context.Context) finding {
	path, err := browser.Find()
	if err != nil {
		return finding{"browser", false, err.Error(), "install Chromium, or use --browser open with the browser you have"}
	}
	if runtime.GOOS == "windows" { // there it shows a window instead of its version
		return finding{"browser", true, path, ""}
	}
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return finding{"browser", false, fmt.Sprintf("%s does not start: %v", path, err), path + " --version"}
	}
	return finding{"browser", true, fmt.Sprintf("%s (%s)", path, strings.TrimSpace(string(out))), ""}
}

// watches reads how many folders this user may watch. Only Linux has the file.
func (d doctor) watches(file string) finding {
	text, err := os.ReadFile(file)
	n, numErr := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || numErr != nil {
		return finding{"watches", true, "this system has no limit of its own", ""}
	}
	if n < enoughWatches {
		return finding{"watches", false, fmt.Sprintf("only %d folders can be watched by all your programs together", n), "sudo sysctl fs.inotify.max_user_watches=524288"}
	}
	return finding{"watches", true, fmt.Sprintf("%d folders can be watched", n), ""}
}

func (d doctor) disk() finding {
	dir := os.TempDir()
	free, err := freeSpace(dir)
	if err != nil {
		return finding{"disk", false, fmt.Sprintf("%s: %v", dir, err), "set TMPDIR to a folder that you can write to"}
	}
	detail := fmt.Sprintf("%.1f GB free at %s", float64(free)/(1<<30), dir)
	if free < enoughDisk {
		return finding{"disk", false, detail, "make room there; 1 GB is enough"}
	}
	return finding{"disk", true, detail, ""}
}

// clients looks at the entry of each client that is there.
func (d doctor) clients(ctx context.Context) []finding {
	var list []finding
	entries := 0
	for _, c := range clients.All() {
		if !c.Found(d.env) {
			continue
		}
		file := c.File(d.env, "")
		line, err := clients.Entry(c, file, serverName)
		switch {
		case err != nil:
			list = append(list, finding{c.ID, false, fmt.Sprintf("%s cannot be read: %v", file, err), "correct that file"})
		case len(line) == 0:
			list = append(list, finding{c.ID, true, "has no entry yet", "gitnexus-mcp install " + c.ID})
		default:
			entries++
			list = append(list, d.entry(ctx, c, file, line))
		}
	}
	if entries == 0 {
		list = append(list, finding{"clients", false, "no MCP client has an entry for this server", "gitnexus-mcp install"})
	}
	return list
}

// entry starts a client's entry as the client would, but without a browser and
// on a port of its own. One whose program is gone gets this program with --fix.
func (d doctor) entry(ctx context.Context, c clients.Client, file string, line []string) finding {
	mend := "gitnexus-mcp install " + c.ID
	if _, err := exec.LookPath(line[0]); err != nil {
		if !d.s.fix {
			return finding{c.ID, false, fmt.Sprintf("%s names %s, which cannot be started: %v", file, line[0], err), "gitnexus-mcp doctor --fix"}
		}
		change, err := clients.Install(c, file, clients.Server{Name: serverName, Command: d.self, Args: line[1:]})
		if err == nil {
			_, err = change.Write(time.Now())
		}
		if err != nil {
			return finding{c.ID, false, err.Error(), mend}
		}
		line[0] = d.self
	}
	gate, err := privateGate()
	if err != nil {
		return finding{c.ID, false, err.Error(), ""}
	}
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	began := time.Now()
	server, err := start(ctx, append(line[:len(line):len(line)], "--browser", "none", "--port", strconv.Itoa(gate.Port), "--events", "off"), "GITNEXUS_TOKEN="+gate.Token)
	took := time.Since(began)
	if err != nil {
		return finding{c.ID, false, fmt.Sprintf("%s in %s does not answer: %v", filepath.Base(line[0]), file, err), mend}
	}
	_ = server.Close()
	detail := fmt.Sprintf("%s answers in %d ms (%s)", line[0], took.Milliseconds(), file)
	if took > d.limit {
		return finding{c.ID, false, detail + fmt.Sprintf(", later than within %v", d.limit), "start the program by hand to see what keeps it: " + line[0] + " version"}
	}
	return finding{c.ID, true, detail, ""}
}
