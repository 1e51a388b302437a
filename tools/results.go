package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/gitnexus/gitnexus-mcp/guard"
	"github.com/gitnexus/gitnexus-mcp/tempdir"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// How much is kept of answers that are larger than the budget. The least recently
// read one is evicted first.
const (
	maxKept      = 32
	maxKeptBytes = 128 << 20
	// keepFor is the time after its last read in which an answer is kept.
	keepFor = 15 * time.Minute
)

// results keeps answers that are larger than the budget on disk, in a folder of
// this process that is made when the first one comes. All methods may be called
// concurrently.
type results struct {
	// Set once.
	report func(*guard.Panic)
	mark   string // see marked

	mu     sync.Mutex // also held while files are written, read and removed
	dir    string     // "" for none yet
	kept   map[string]*kept
	bytes  int
	closed bool
}

// kept is one answer. Its file's name is its id.
type kept struct {
	tool  string
	ends  []int // of the pages
	used  time.Time
	timer *time.Timer
}

func (k *kept) size() int { return k.ends[len(k.ends)-1] }

// resultKind is the kind of the temporary folder.
const resultKind = "results"

// SweepResults removes the kept answers of servers that were killed. Call it once,
// at the start.
func SweepResults() { tempdir.Sweep(resultKind) }

// keep stores an answer under id and returns its file. When it fails, the answer is
// not stored.
func (r *results) keep(id, tool string, content json.RawMessage, ends []int) (file string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.closed:
		return "", errors.New("this server is stopping")
	case len(content) > maxKeptBytes:
		return "", fmt.Errorf("it is larger than %d MB", maxKeptBytes>>20)
	}
	for len(r.kept) >= maxKept || r.bytes+len(content) > maxKeptBytes {
		r.drop(r.leastRecentlyRead())
	}
	err = r.write(id, content)
	if err != nil && r.dir != "" {
		// The folder was removed, or the disk is full: the newest answer is the
		// likeliest to be read next.
		r.removeAll()
		err = r.write(id, content)
	}
	if err != nil {
		return "", err
	}
	if r.kept == nil {
		r.kept = make(map[string]*kept)
	}
	k := &kept{tool: tool, ends: ends, used: time.Now()}
	k.timer = time.AfterFunc(keepFor, func() { guard.Run("removing a kept answer", r.report, func() { r.expire(id, k) }) })
	r.kept[id] = k
	r.bytes += len(content)
	return filepath.Join(r.dir, id), nil
}

// fileOf stands for the file of an answer that is not kept yet: at least as long, also
// as JSON that is a string.
func fileOf(id string) string {
	const separators, numbers = 8, 40
	return strings.Repeat("x", 4*len(os.TempDir())+separators+len(resultKind)+numbers+len(id))
}

// expire drops an answer that nobody has read for keepFor.
func (r *results) expire(id string, k *kept) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kept[id] == k && time.Since(k.used) >= keepFor {
		r.drop(id)
	}
}

// write, leastRecentlyRead, drop and removeAll must be called with mu held.
func (r *results) write(id string, content []byte) (err error) {
	if r.dir == "" {
		if r.dir, err = tempdir.Make(resultKind); err != nil {
			return err
		}
	}
	path := filepath.Join(r.dir, id)
	if err = os.WriteFile(path, content, 0o600); err != nil {
		_ = os.Remove(path) // part of it may be there
	}
	return err
}

func (r *results) leastRecentlyRead() (id string) {
	for other, k := range r.kept {
		if id == "" || k.used.Before(r.kept[id].used) {
			id = other
		}
	}
	return id
}

func (r *results) drop(id string) {
	k := r.kept[id]
	k.timer.Stop()
	delete(r.kept, id)
	r.bytes -= k.size()
	_ = os.Remove(filepath.Join(r.dir, id))
}

func (r *results) removeAll() {
	for id := range r.kept {
		r.drop(id)
	}
	if r.dir != "" {
		_ = os.RemoveAll(r.dir)
		r.dir = ""
	}
}

// page reads one page of a kept answer, counted from 1.
func (r *results) page(id, number string) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	k := r.kept[id]
	if k == nil {
		return "", errGone
	}
	n, err := strconv.Atoi(number)
	if number == "" {
		n, err = 1, nil
	}
	if err != nil || n < 1 || n > len(k.ends) {
		return "", &pageError{fmt.Sprintf("There is no page %q: the pages are %s to %s.", clip(number, 20), pageURI(id, 1), pageURI(id, len(k.ends)))}
	}
	start, end := 0, k.ends[n-1]
	if n > 1 {
		start = k.ends[n-2]
	}
	text := make([]byte, end-start)
	if err := readAt(filepath.Join(r.dir, id), text, start); err != nil {
		r.drop(id)
		return "", errGone
	}
	k.used = time.Now()
	k.timer.Reset(keepFor)
	return pageHead(k.tool, id, n, len(k.ends), start, end, k.size()) + marked(r.mark, string(text)), nil
}

// pageError says in words for the agent why there is no such page.
type pageError struct{ words string }

func (e *pageError) Error() string { return e.words }

var errGone = &pageError{fmt.Sprintf("This result is not kept, or no longer: call the tool again, best with a narrower question. "+
	"Results are kept for %d minutes after they were last read, %d of them and %d MB at most.",
	int(keepFor.Minutes()), maxKept, maxKeptBytes>>20)}

func readAt(path string, buffer []byte, offset int) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	_, err = f.ReadAt(buffer, int64(offset))
	return err
}

// close removes all that is kept; nothing more will be.
func (r *results) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	r.removeAll()
}

// resultURI is where kept answers are, and its template.
const (
	resultURI      = "gitnexus://result/"
	resultTemplate = resultURI + "{id}{?page}"
)

func pageURI(id string, page int) string { return fmt.Sprintf("%s%s?page=%d", resultURI, id, page) }

// pageCall is the call that reads a page, for clients that show a model no resources.
func pageCall(id string, page int) string {
	return fmt.Sprintf(`read_result {"id":"%s","page":%d}`, id, page)
}

// answerReadResult answers a call of read_result.
func answerReadResult(_ context.Context, c *toolCall, args Arguments) (*mcp.CallToolResult, error) {
	id := strings.TrimPrefix(args.String("id"), resultURI) // a model may name the resource
	id, _, _ = strings.Cut(id, "?")
	page, err := c.server.results.page(id, strconv.FormatInt(args.Int("page"), 10))
	if err != nil {
		return nil, &wsbridge.ToolError{Message: err.Error()}
	}
	return &mcp.CallToolResult{Content: []mcp.Content{mcp.TextContent{Type: "text", Text: page}}}, nil
}

// pageHead is the first line of a page.
func pageHead(tool, id string, page, pages, start, end, size int) string {
	next := "This is the last page."
	if page < pages {
		next = fmt.Sprintf("Next page: %s, or %s", pageURI(id, page+1), pageCall(id, page+1))
	}
	return fmt.Sprintf("Page %d of %d of the answer to %s, bytes %d to %d of %d. %s\n", page, pages, tool, start, end, size, next)
}

// pageRoom is the number of bytes that a page of an answer of this size has besides
// its head, out of room.
func pageRoom(tool, id string, size, room int) int {
	return max(100, room-markBytes-quotedBytes(pageHead(tool, id, size, size+1, size, size, size), 1))
}

// addResults declares the kept answers to clients.
func (s *Server) addResults() {
	s.mcp.AddResourceTemplate(mcp.NewResourceTemplate(resultTemplate, "large-result",
		mcp.WithTemplateTitle("Rest of a large answer"),
		mcp.WithTemplateDescription(fmt.Sprintf("The pages of an answer that was too large for one message: it names the next one. "+
			"Kept for %d minutes after the last read.", int(keepFor.Minutes()))),
		mcp.WithTemplateMIMEType("text/plain")),
		func(_ context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			id, number, _ := strings.Cut(strings.TrimPrefix(r.Params.URI, resultURI), "?page=")
			page, err := s.results.page(id, number)
			if err != nil {
				return nil, err
			}
			return text(r.Params.URI, "text/plain", page), nil
		})
}
