package web

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// contentTypes stands in for the system's table, which differs from machine to
// machine (Windows reads its registry): with nosniff, a script or wasm file of
// the wrong type does not run.
var contentTypes = map[string]string{
	".css":         "text/css; charset=utf-8",
	".gzip":        "application/gzip",
	".html":        "text/html; charset=utf-8",
	".ico":         "image/x-icon",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".png":         "image/png",
	".svg":         "image/svg+xml",
	".txt":         "text/plain; charset=utf-8",
	".wasm":        "application/wasm",
	".webmanifest": "application/manifest+json",
	".woff2":       "font/woff2",
}

// hashed matches a name that changes with its content: see output in vite.config.ts.
var hashed = regexp.MustCompile(`^assets/.+-[A-Za-z0-9_-]{8}(\.[a-z0-9]+)+$`)

const notBuilt = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>gitnexus-mcp: no app in this build</title>
<h1>This gitnexus-mcp was built without its app</h1>
<p>The folder web/dist was empty when it was compiled. In the source folder run</p>
<pre>cd web &amp;&amp; npm ci &amp;&amp; npm run build</pre>
<p>and build gitnexus-mcp again. web/dist is committed, so a fresh clone has it.</p>
`

// handler serves a built app. Files are stored as they are, or packed by gzip
// with .gz at the end of their name and then not as they are. A name that ends in
// .gzip is one that the page unpacks itself.
type handler struct {
	app fs.FS
	// index finds a file by its path from the root, without a slash at the
	// start and without .gz. Made at the first request: a server that is
	// started and killed within milliseconds need not look at its files.
	index func() (map[string]file, error)
}

type file struct {
	// stored is the file's name in the file system.
	stored string
	packed bool
	// size is in bytes: stored, and unpacked.
	storedSize, plainSize int64
	contentType           string
	immutable             bool
	// tag tells versions of a file apart that share a name; "" when immutable.
	tag string
}

func newHandler(app fs.FS) *handler {
	return &handler{app: app, index: sync.OnceValues(func() (map[string]file, error) { return indexFiles(app) })}
}

func indexFiles(app fs.FS) (map[string]file, error) {
	index := make(map[string]file)
	err := fs.WalkDir(app, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(entry.Name(), ".") {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		plain, packed := strings.CutSuffix(name, ".gz")
		f := file{
			stored: name, packed: packed, storedSize: info.Size(), plainSize: info.Size(),
			contentType: contentTypes[path.Ext(plain)], immutable: hashed.MatchString(plain),
		}
		if f.contentType == "" {
			f.contentType = "application/octet-stream"
		}
		if packed {
			if f.plainSize, err = unpackedSize(app, name); err != nil {
				return err
			}
		}
		if !f.immutable {
			if f.tag, err = hashOf(app, name); err != nil {
				return err
			}
		}
		index[plain] = f
		return nil
	})
	return index, err
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = "index.html"
	}
	w.Header().Set("Content-Security-Policy", policy(r.Host))
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD are served here", http.StatusMethodNotAllowed)
		return
	}
	index, err := h.index()
	if err != nil {
		http.Error(w, "the app inside this gitnexus-mcp is damaged: "+err.Error(), http.StatusInternalServerError)
		return
	}
	f, ok := index[name]
	switch {
	case ok:
		h.serve(w, r, f)
	case name == "index.html":
		w.Header().Set("Content-Type", contentTypes[".html"])
		w.WriteHeader(http.StatusServiceUnavailable)
		if r.Method == http.MethodGet {
			io.WriteString(w, notBuilt)
		}
	default:
		http.Error(w, "the app has no such file", http.StatusNotFound)
	}
}

func (h *handler) serve(w http.ResponseWriter, r *http.Request, f file) {
	header := w.Header()
	header.Set("Content-Type", f.contentType)
	if f.packed {
		header.Set("Vary", "Accept-Encoding")
	}
	sendPacked := f.packed && acceptsGzip(r.Header.Values("Accept-Encoding"))
	switch {
	case f.immutable:
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	case f.contentType == contentTypes[".html"]:
		// The page has the hashes of all that it loads. One that another program on this
		// port gave the browser must not be taken for it, whatever tag it came with.
		header.Set("Cache-Control", "no-store")
	default:
		header.Set("Cache-Control", "no-cache")
		tag := `"` + f.tag + `"`
		if sendPacked {
			// Other bytes, so another strong validator.
			tag = `"` + f.tag + `-gzip"`
		}
		header.Set("ETag", tag)
		if matches(r.Header.Values("If-None-Match"), tag) {
			header.Del("Content-Type")
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	size := f.plainSize
	if sendPacked {
		header.Set("Content-Encoding", "gzip")
		size = f.storedSize
	}
	header.Set("Content-Length", strconv.FormatInt(size, 10))
	if r.Method == http.MethodHead {
		return
	}
	content, err := h.app.Open(f.stored)
	if err != nil {
		panic(http.ErrAbortHandler) // It was there when the index was made.
	}
	defer content.Close()
	var body io.Reader = content
	if f.packed && !sendPacked {
		if body, err = gzip.NewReader(content); err != nil {
			panic(http.ErrAbortHandler)
		}
	}
	if _, err := io.Copy(w, body); err != nil {
		// The client went away, or the archive is damaged: the client must not take
		// what it has for the whole file.
		panic(http.ErrAbortHandler)
	}
}

// policy lets a page run its own scripts and wasm, and talk to its own origin, and
// nothing else. Its Workers, which have the same policy, come from what it has
// loaded: see web/src/code.ts. host is the request's.
func policy(host string) string {
	return strings.Join([]string{
		"default-src 'none'",
		"script-src 'self' 'wasm-unsafe-eval'",
		"style-src 'self'",
		"img-src 'self' data:",
		"font-src 'self'",
		"manifest-src 'self'",
		"connect-src 'self'" + webSocketSource(host),
		"worker-src blob:",
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types workers",
	}, "; ")
}

// ownHost matches the names that a policy may repeat. A Host header may hold a
// semicolon, with which a stranger could write the policy; and a policy cannot
// name an IPv6 address.
var ownHost = regexp.MustCompile(`^(127\.0\.0\.1|localhost)(:[0-9]{1,5})?$`)

// webSocketSource admits the hub's WebSocket for browsers in which 'self' does not cover it.
func webSocketSource(host string) string {
	if !ownHost.MatchString(host) {
		return ""
	}
	return " ws://" + host
}

// acceptsGzip reports whether a client accepts gzip with at least the weight of
// plain bytes.
func acceptsGzip(accept []string) bool {
	gzipQ, identityQ, anyQ := -1.0, -1.0, -1.0
	for element := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		coding, parameter, _ := strings.Cut(element, ";")
		q := weight(parameter)
		switch strings.ToLower(strings.TrimSpace(coding)) {
		case "gzip", "x-gzip":
			gzipQ = max(gzipQ, q)
		case "identity":
			identityQ = q
		case "*":
			anyQ = q
		}
	}
	if gzipQ < 0 {
		gzipQ = anyQ
	}
	return gzipQ > 0 && gzipQ >= identityQ
}

// weight reads "q=0.5" as 0.5 and "" as 1. Anything else is 0, a refusal: plain
// bytes are always safe.
func weight(parameter string) float64 {
	parameter = strings.TrimSpace(parameter)
	if parameter == "" {
		return 1
	}
	name, value, _ := strings.Cut(parameter, "=")
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if !strings.EqualFold(strings.TrimSpace(name), "q") || err != nil || !(q >= 0 && q <= 1) {
		return 0
	}
	return q
}

// matches tells whether an If-None-Match names the tag.
func matches(ifNoneMatch []string, tag string) bool {
	for candidate := range strings.SplitSeq(strings.Join(ifNoneMatch, ","), ",") {
		candidate = strings.TrimSpace(candidate)
		if candidate == "*" || strings.TrimPrefix(candidate, "W/") == tag {
			return true
		}
	}
	return false
}

func hashOf(app fs.FS, name string) (string, error) {
	content, err := fs.ReadFile(app, name)
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:12]), err
}

// unpackedSize reads the size that a gzip file of less than 4 GiB carries in its last four bytes.
func unpackedSize(app fs.FS, name string) (int64, error) {
	content, err := app.Open(name)
	if err != nil {
		return 0, err
	}
	defer content.Close()
	seeker, ok := content.(io.ReadSeeker)
	if !ok {
		return 0, errors.ErrUnsupported
	}
	if _, err := seeker.Seek(-4, io.SeekEnd); err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	var trailer [4]byte
	if _, err := io.ReadFull(seeker, trailer[:]); err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return int64(binary.LittleEndian.Uint32(trailer[:])), nil
}
