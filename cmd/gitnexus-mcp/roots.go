package main

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gitnexus/gitnexus-mcp/repo"
	"github.com/gitnexus/gitnexus-mcp/tools"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// rootsWithin is how long a server without --repo waits for its client to say which
// folder it works in, before it goes on without one.
const rootsWithin = 2 * time.Second

// clientRoots makes the roots of MCP clients the folders of their calls.
type clientRoots struct {
	// Set once.
	told     chan struct{} // closed when the client on stdin and stdout has told
	log      *slog.Logger
	settings settings
	node     *wsbridge.Node
	server   *tools.Server

	mu    sync.Mutex
	done  bool   // told is closed
	first string // the folder that it told first
}

// open makes the first usable root the folder of this process. It stays where none is.
func (c *clientRoots) open(folders []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f, dir := c.choose(folders); dir != "" {
		c.node.SetFolder(f)
		c.server.SetRepo(f.Name, f.ID)
		if !c.done {
			c.first = dir
		}
	}
	if !c.done {
		c.done = true
		close(c.told)
	}
}

// use makes the first usable root the folder of one client.
func (c *clientRoots) use(folders []string) (wsbridge.Folder, func()) {
	f, dir := c.choose(folders)
	if dir == "" {
		return wsbridge.Folder{}, nil
	}
	return f, c.node.UseFolder(f)
}

// wait returns the folder that the client has told, "" when it tells none in time.
func (c *clientRoots) wait(ctx context.Context) string {
	limit := time.NewTimer(rootsWithin)
	defer limit.Stop()
	select {
	case <-c.told:
	case <-limit.C:
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.first
}

// choose takes the first folder that may be a repository's: neither the whole disk
// nor all that the user has.
func (c *clientRoots) choose(folders []string) (f wsbridge.Folder, dir string) {
	home, _ := os.UserHomeDir()
	for _, folder := range folders {
		if folder == filepath.Dir(folder) || folder == filepath.Clean(home) || folder == filepath.Dir(filepath.Clean(home)) {
			c.log.Info("a root of the MCP client is no folder of one repository; give --repo", "root", folder)
			continue
		}
		r, err := repo.Open(folder, repo.Options{IncludeSecrets: c.settings.includeSecrets})
		if err != nil {
			c.log.Warn("a root of the MCP client cannot be opened", "root", folder, "err", err)
			continue
		}
		c.log.Info("the folder of the MCP client is loaded, since --repo is not given", "root", folder)
		return c.settings.folder(r), folder
	}
	return wsbridge.Folder{}, ""
}
