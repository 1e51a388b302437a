package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// rootsWithin is how long a client may take to tell its roots.
const rootsWithin = 2 * time.Second

// asks are the requests of this server that a client has not answered, by id. A
// client of the protocol of 2026-07-28 gets none: it is asked in a result, and
// answers by repeating its request.
type asks map[string]chan message

// ask sends the client a request and returns the result. send writes to where the
// client reads.
func (c *Client) ask(ctx context.Context, send func(message any), method mcp.MCPMethod, params any) (json.RawMessage, error) {
	answer := make(chan message, 1)
	c.mu.Lock()
	if c.asks == nil {
		c.asks = asks{}
	}
	c.asked++
	id := "ask-" + strconv.Itoa(c.asked)
	c.asks["s"+id] = answer
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.asks, "s"+id)
	}()
	send(map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "id": id, "method": method, "params": params})
	select {
	case m := <-answer:
		if failure := memberOf(m.raw, "error"); failure != nil {
			return nil, fmt.Errorf("the client refused %s: %s", method, clip(string(failure), 300))
		}
		return memberOf(m.raw, "result"), nil
	case <-ctx.Done():
		send(map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "method": mcp.MethodNotificationCancelled, "params": map[string]any{"requestId": id, "reason": "nobody waits for the answer any more"}})
		return nil, context.Cause(ctx)
	case <-c.done:
		return nil, errors.New("the client has gone")
	}
}

// answered takes the client's answer to an ask; others are dropped.
func (c *Client) answered(m message) {
	c.mu.Lock()
	answer := c.asks[idKey(m.id)]
	delete(c.asks, idKey(m.id))
	c.mu.Unlock()
	if answer != nil {
		answer <- m
	}
}

// rootsQuestion is the name of the question for roots in a result that asks for input.
const rootsQuestion = "roots"

// learnRoots tells OnRoots the folders that the client works in, as soon as it can,
// or that it tells none. A client of the protocol of 2026-07-28 can be asked with its
// first call alone.
func (c *connection) learnRoots(ready bool) {
	s := c.server
	old := c.client.ProtocolVersion() != ""
	can := old && c.client.GetClientCapabilities().Roots != nil
	if can && !ready {
		return
	}
	s.roots.Do(func() {
		if !can {
			c.client.rootsAreDue(!old)
			s.options.OnRoots(nil)
			return
		}
		go s.guarded("asking for roots", func() { c.client.askForRoots(c.run, func(m any) { s.encode(m, c.out.write) }) })
	})
}

// settleRoots asks the client for its roots when that is due, on the way that send
// is, and waits for the answer: a call after that goes to the folder.
func (c *Client) settleRoots(ctx context.Context, send func(message any)) {
	if c.useRoots == nil || c.GetClientCapabilities().Roots == nil {
		return
	}
	select {
	case c.asking <- struct{}{}:
	case <-ctx.Done():
		return
	}
	defer func() { <-c.asking }()
	if c.takeRootsDue() {
		c.askForRoots(ctx, send)
	}
}

func (c *Client) askForRoots(ctx context.Context, send func(message any)) {
	ctx, cancel := context.WithTimeout(ctx, rootsWithin)
	defer cancel()
	result, err := c.ask(ctx, send, mcp.MethodListRoots, map[string]any{})
	if err != nil {
		c.server.log.Info("the MCP client did not tell its roots", "reason", err)
	}
	c.useRoots(rootFolders(result))
}

func (c *Client) rootsAreDue(due bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rootsDue = due && c.useRoots != nil
}

// takeRootsDue tells whether the client is to be asked now. It is asked once.
func (c *Client) takeRootsDue() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	due := c.rootsDue
	c.rootsDue = false
	return due
}

// worksIn is the folder that the client's calls go to; none for that of the process.
func (c *Client) worksIn() wsbridge.Folder {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.folder
}

// moveToRoots has the client asked for its roots before its first call, which goes to
// the folder that UseRoots makes of them.
func (c *Client) moveToRoots() {
	use := c.server.options.UseRoots
	if use == nil {
		return
	}
	c.useRoots = func(folders []string) { c.moveTo(use(folders)) }
	c.rootsDue = true
}

// moveTo changes that folder.
func (c *Client) moveTo(folder wsbridge.Folder, release func()) {
	c.mu.Lock()
	before := c.release
	c.folder, c.release = folder, release
	if c.closed {
		before = release
	}
	c.mu.Unlock()
	if before != nil {
		before()
	}
}

// rootFolders are the folders of this machine among the roots that a client told.
func rootFolders(result json.RawMessage) []string {
	var list mcp.ListRootsResult
	if json.Unmarshal(result, &list) != nil {
		return nil
	}
	var folders []string
	for _, root := range list.Roots {
		at, err := url.Parse(root.URI)
		if err != nil || at.Scheme != "file" || at.Host != "" && at.Host != "localhost" {
			continue
		}
		folder := at.Path
		if runtime.GOOS == "windows" {
			folder = strings.TrimPrefix(folder, "/") // of /C:/Users
		}
		if folder = filepath.FromSlash(folder); filepath.IsAbs(folder) {
			folders = append(folders, filepath.Clean(folder))
		}
	}
	return folders
}
