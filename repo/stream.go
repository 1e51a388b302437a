package repo

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"time"
)

// maxRequest bounds what a page may say that it has, in bytes.
const maxRequest = 64 << 20

// request is the body of a POST.
type request struct {
	// Have is what the page has: versions by path.
	Have map[string]string `json:"have"`
	// Revision asks for the files of a commit of git instead of those of the folder.
	Revision string `json:"revision"`
}

// trailer is the last frame of the stream.
type trailer struct {
	Files   int       `json:"files"`
	Bytes   int64     `json:"bytes"`
	Skipped []Skipped `json:"skipped"`
	// Versions are those of the files that were sent, by path.
	Versions map[string]string `json:"versions"`
	// Removed are files that the page has and the folder has not.
	Removed []string `json:"removed"`
}

// version is what a file held when it was read.
type version struct {
	size     int64
	modified time.Time
	// settled is set when the file's time was older than clockStep when it was
	// read: a later change then has another time.
	settled bool
	// tag is a hash of the content; "" when it is not sent, for the reason given.
	tag, reason string
}

// clockStep is the resolution of the coarsest file times: two changes within it
// may have the same time.
const clockStep = 2 * time.Second

// ServeHTTP streams the folder's files as docs/protocol.md says, "The
// repository stream": all of them, or with POST what the page does not have.
func (r *Repo) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	var has request
	switch req.Method {
	case http.MethodGet, http.MethodHead:
	case http.MethodPost:
		if err := json.NewDecoder(http.MaxBytesReader(w, req.Body, maxRequest)).Decode(&has); err != nil {
			refuse(w, http.StatusBadRequest, "The request is not what docs/protocol.md says: "+err.Error())
			return
		}
	default:
		w.Header().Set("Allow", "GET, HEAD, POST")
		http.Error(w, "only GET, HEAD and POST", http.StatusMethodNotAllowed)
		return
	}
	if has.Revision != "" {
		r.serveRevision(w, req, has)
		return
	}
	list, err := r.listing(req.Context())
	if err != nil {
		status := http.StatusInternalServerError
		if errors.Is(err, fs.ErrPermission) {
			status = http.StatusForbidden
		}
		refuse(w, status, "The folder "+r.name+" cannot be read: "+reason(err))
		return
	}
	total := int64(0)
	for _, f := range list.files {
		total += f.Size
	}
	r.announce(w, len(list.files), total)
	if req.Method == http.MethodHead {
		return
	}
	_ = r.write(w, list, has.Have) // a page that went away has nobody to tell
}

// announce sets the headers of a stream.
func (r *Repo) announce(w http.ResponseWriter, files int, size int64) {
	h := w.Header()
	h.Set("Content-Type", "application/x-gitnexus-repo")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Gitnexus-Name", url.PathEscape(r.name))
	h.Set("Gitnexus-Id", r.id)
	h.Set("Gitnexus-Files", strconv.Itoa(files))
	h.Set("Gitnexus-Bytes", strconv.FormatInt(size, 10))
}

func refuse(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": why})
}

// write sends the files that differ from what the page has, and the trailer. A
// file that cannot be read, or turns out to be binary, is skipped with its reason.
func (r *Repo) write(w io.Writer, list listing, have map[string]string) error {
	root, err := os.OpenRoot(r.root)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	out := bufio.NewWriterSize(w, 256<<10)
	end := trailer{Skipped: slices.Clip(list.skipped), Versions: map[string]string{}, Removed: []string{}}
	for _, f := range list.files {
		v, text := r.versionOf(root, f, have[f.Path])
		if v.reason != "" {
			end.Skipped = append(end.Skipped, Skipped{f.Path, v.reason})
			continue
		}
		known := have[f.Path]
		delete(have, f.Path)
		if known == v.tag {
			continue
		}
		end.Files++
		end.Bytes += int64(len(text))
		end.Versions[f.Path] = v.tag
		if err := writeFrame(out, f.Path, text); err != nil {
			return err
		}
	}
	r.forget(list)
	for path := range have {
		end.Removed = append(end.Removed, path)
	}
	slices.Sort(end.Removed)
	if end.Skipped == nil {
		end.Skipped = []Skipped{}
	}
	last, err := json.Marshal(end)
	if err != nil {
		return err
	}
	if err := writeFrame(out, "", last); err != nil {
		return err
	}
	return out.Flush()
}

// versionOf is a file's version, and its text unless that is what the page has.
// A file that has not changed since it was read is not read again for that.
func (r *Repo) versionOf(root *os.Root, f File, has string) (version, []byte) {
	r.mu.Lock()
	known, ok := r.versions[f.Path]
	r.mu.Unlock()
	if ok && known.settled && known.size == f.Size && known.modified.Equal(f.modified) && (known.reason != "" || known.tag == has) {
		return known, nil
	}
	now := version{size: f.Size, modified: f.modified, settled: time.Since(f.modified) > clockStep}
	text, err := r.read(root, f.Path)
	if err != nil {
		// Other errors than that pass without a change of the file.
		now.reason, now.settled = reason(err), now.settled && errors.Is(err, errBinary)
	} else {
		sum := sha256.Sum256(text)
		now.tag = base64.RawURLEncoding.EncodeToString(sum[:16])
	}
	r.mu.Lock()
	r.versions[f.Path] = now
	r.mu.Unlock()
	return now, text
}

// forget drops the versions of files that are gone, once they are many.
func (r *Repo) forget(list listing) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.versions) <= 2*len(list.files)+1000 {
		return
	}
	kept := make(map[string]version, len(list.files))
	for _, f := range list.files {
		if v, ok := r.versions[f.Path]; ok {
			kept[f.Path] = v
		}
	}
	r.versions = kept
}

func writeFrame(w *bufio.Writer, name string, content []byte) error {
	var head [8]byte
	binary.LittleEndian.PutUint32(head[0:], uint32(len(name)))
	binary.LittleEndian.PutUint32(head[4:], uint32(len(content)))
	_, _ = w.Write(head[:]) // a bufio.Writer keeps its first error
	_, _ = w.WriteString(name)
	_, err := w.Write(content)
	return err
}
