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

// learnRoots tells OnRoots the folders that the client works in, once, or that it
// tells none: as a client of the protocol of 2026-07-28, which says in no request
// of its own what it can, and where roots are deprecated.
func (c *connection) learnRoots(ready bool) {
	s := c.server
	can := c.client.ProtocolVersion() != "" && c.client.GetClientCapabilities().Roots != nil
	if can && !ready {
		return
	}
	s.roots.Do(func() {
		if !can {
			s.options.OnRoots(nil)
			return
		}
		go s.guarded("asking for roots", func() {
			ctx, cancel := context.WithTimeout(c.run, rootsWithin)
			defer cancel()
			result, err := c.client.ask(ctx, func(m any) { s.encode(m, c.out.write) }, mcp.MethodListRoots, map[string]any{})
			if err != nil {
				s.log.Info("the MCP client did not tell its roots", "reason", err)
			}
			s.options.OnRoots(rootFolders(result))
		})
	})
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
