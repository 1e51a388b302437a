package repo

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
)

// trailer is the last frame of the stream.
type trailer struct {
	Files   int       `json:"files"`
	Bytes   int64     `json:"bytes"`
	Skipped []Skipped `json:"skipped"`
}

// ServeHTTP streams the folder's files as docs/protocol.md says, "The
// repository stream". It reads the folder anew each time.
func (r *Repo) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.Method != http.MethodGet {
		w.Header().Set("Allow", http.MethodGet)
		http.Error(w, "only GET", http.StatusMethodNotAllowed)
		return
	}
	files, skipped, err := r.List()
	if err != nil {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(http.StatusInternalServerError)
		_ = json.NewEncoder(w).Encode(map[string]string{"error": "The folder " + r.name + " cannot be read: " + reason(err)})
		return
	}
	total := int64(0)
	for _, f := range files {
		total += f.Size
	}
	h := w.Header()
	h.Set("Content-Type", "application/x-gitnexus-repo")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Gitnexus-Name", url.PathEscape(r.name))
	h.Set("Gitnexus-Files", strconv.Itoa(len(files)))
	h.Set("Gitnexus-Bytes", strconv.FormatInt(total, 10))
	_ = r.write(w, files, skipped) // a page that went away has nobody to tell
}

// write sends the files and the trailer. A file that cannot be read, or turns
// out to be binary, is skipped with its reason.
func (r *Repo) write(w io.Writer, files []File, skipped []Skipped) error {
	root, err := os.OpenRoot(r.root)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	out := bufio.NewWriterSize(w, 256<<10)
	end := trailer{Skipped: skipped}
	for _, f := range files {
		text, err := r.read(root, f.Path)
		if err != nil {
			end.Skipped = append(end.Skipped, Skipped{f.Path, reason(err)})
			continue
		}
		end.Files++
		end.Bytes += int64(len(text))
		if err := writeFrame(out, f.Path, text); err != nil {
			return err
		}
	}
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

func writeFrame(w *bufio.Writer, name string, content []byte) error {
	var head [8]byte
	binary.LittleEndian.PutUint32(head[0:], uint32(len(name)))
	binary.LittleEndian.PutUint32(head[4:], uint32(len(content)))
	_, _ = w.Write(head[:]) // a bufio.Writer keeps its first error
	_, _ = w.WriteString(name)
	_, err := w.Write(content)
	return err
}
