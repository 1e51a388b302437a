package repo

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Bounds of what is read of a revision.
const (
	gitTime     = 20 * time.Second
	maxTree     = 64 << 20 // bytes of the list of its files
	maxRevision = 64 << 20 // bytes of the files that are sent
)

// A revision is the name of a commit, also of one before it: no option, and
// nothing that names a file or searches. tools has the same.
var revisionName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/+~^-]{0,150}(@\{[A-Za-z0-9-]{1,40}\}[~^0-9]{0,8})?$`)

// blob is a file of a revision.
type blob struct {
	path, id string
	size     int64
}

// serveRevision streams the files of a revision that differ from those that the
// page has, whose versions are git's ids of their content.
//
// Only git's objects are read, by rev-parse, ls-tree and cat-file: these run no
// hook, filter, diff driver or file monitor that the folder's own configuration
// could name, and nothing is fetched.
func (r *Repo) serveRevision(w http.ResponseWriter, req *http.Request, has request) {
	ctx, cancel := context.WithTimeoutCause(req.Context(), gitTime, fmt.Errorf("git took more than %s", gitTime))
	defer cancel()
	commit, files, skipped, err := r.revision(ctx, has)
	if err != nil {
		refuse(w, http.StatusNotFound, err.Error())
		return
	}
	r.announce(w, len(has.Have), 0)
	w.Header().Set("Gitnexus-Revision", commit)
	_ = r.writeRevision(ctx, w, files, skipped, has.Have) // a stream without its last frame says that it was cut off
}

// revision returns the commit, and which of its files to send and to skip. What is
// left in has.Have are files that it does not have.
func (r *Repo) revision(ctx context.Context, has request) (commit string, files []blob, skipped []Skipped, err error) {
	if !revisionName.MatchString(has.Revision) || strings.Contains(has.Revision, "..") {
		return "", nil, nil, fmt.Errorf("%.60q is no name of a commit: give one like main, HEAD~2 or v1.4", has.Revision)
	}
	out, err := r.git(ctx, 1<<10, "rev-parse", "--verify", "--quiet", "--end-of-options", has.Revision+"^{commit}")
	if err != nil {
		if said := err.Error(); said != "" {
			return "", nil, nil, err
		}
		return "", nil, nil, fmt.Errorf("the repository has no commit %s", has.Revision)
	}
	commit = strings.TrimSpace(string(out))
	if out, err = r.git(ctx, maxTree, "ls-tree", "-r", "-z", "-l", commit); err != nil {
		return "", nil, nil, err
	}
	root, err := os.OpenRoot(r.root)
	if err != nil {
		return "", nil, nil, err
	}
	skipped = []Skipped{}
	defer func() { _ = root.Close() }()
	total := int64(0)
	for _, line := range strings.Split(string(out), "\x00") {
		f, ok := parseBlob(line)
		if !ok {
			continue
		}
		known, there := has.Have[f.path]
		delete(has.Have, f.path)
		if known == f.id {
			continue
		}
		if !there {
			if _, err := root.Lstat(f.path); err == nil {
				continue // the folder has it, and it is left out there
			}
		}
		why := ""
		switch {
		case f.size < 0:
			why = "this clone does not have it"
		case f.size > r.opt.MaxFile:
			why = fmt.Sprintf("larger than %d KB", r.opt.MaxFile>>10)
		case !r.opt.IncludeSecrets && holdsSecrets(f.path):
			why = secretReason
		}
		if why != "" {
			skipped = append(skipped, Skipped{f.path, why})
			continue
		}
		if total += f.size; total > maxRevision {
			return "", nil, nil, fmt.Errorf("%s differs by more than %d MB: give a commit that is nearer", has.Revision, maxRevision>>20)
		}
		files = append(files, f)
	}
	return commit, files, skipped, nil
}

// parseBlob reads "100644 blob <id> <size>\t<path>"; false for links and modules. The
// size is -1 where the clone does not have the content.
func parseBlob(line string) (blob, bool) {
	head, path, _ := strings.Cut(line, "\t")
	fields := strings.Fields(head)
	if len(fields) != 4 || fields[1] != "blob" || !strings.HasPrefix(fields[0], "100") || !utf8.ValidString(path) {
		return blob{}, false
	}
	size, err := strconv.ParseInt(fields[3], 10, 64)
	if err != nil {
		size = -1
	}
	return blob{path, fields[2], size}, true
}

func (r *Repo) writeRevision(ctx context.Context, w io.Writer, files []blob, skipped []Skipped, gone map[string]string) error {
	var ids bytes.Buffer
	for _, f := range files {
		fmt.Fprintln(&ids, f.id)
	}
	cmd := r.gitCommand(ctx, "cat-file", "--batch")
	cmd.Stdin = &ids
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() { _ = cmd.Wait() }()
	defer func() { _ = stdout.Close() }() // before Wait: ends git where it is not read to its end
	in, out := bufio.NewReaderSize(stdout, 64<<10), bufio.NewWriterSize(w, 256<<10)
	end := trailer{Skipped: skipped, Versions: map[string]string{}, Removed: slices.Sorted(maps.Keys(gone))}
	for _, f := range files {
		text, err := readBlob(in, f)
		if err != nil {
			return err
		}
		if !isText(text) {
			end.Skipped = append(end.Skipped, Skipped{f.path, errBinary.Error()})
			continue
		}
		end.Files++
		end.Bytes += int64(len(text))
		end.Versions[f.path] = f.id
		if err := writeFrame(out, f.path, text); err != nil {
			return err
		}
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

// readBlob reads one answer of git cat-file --batch: "<id> blob <size>\n", the
// content and a line end.
func readBlob(in *bufio.Reader, f blob) ([]byte, error) {
	head, err := in.ReadString('\n')
	if err != nil {
		return nil, err
	}
	if head != fmt.Sprintf("%s blob %d\n", f.id, f.size) {
		return nil, fmt.Errorf("git cat-file said %.80q", head)
	}
	text := make([]byte, f.size+1)
	if _, err := io.ReadFull(in, text); err != nil {
		return nil, err
	}
	return text[:f.size], nil
}

// git runs git in the folder and returns at most limit bytes of what it says. Its
// error is what git says of it, in one line; without a word where it said none.
func (r *Repo) git(ctx context.Context, limit int64, args ...string) ([]byte, error) {
	cmd := r.gitCommand(ctx, args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return nil, errors.New("git is not installed, so only changes since the load are known")
		}
		return nil, err
	}
	out, err := io.ReadAll(io.LimitReader(stdout, limit+1))
	_ = stdout.Close()
	failed := cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, err
	case int64(len(out)) > limit:
		return nil, fmt.Errorf("git %s says more than %d MB", args[0], max(1, limit>>20))
	case failed != nil:
		line, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(said.String()), "fatal: "), "\n")
		return nil, errors.New(line[:min(len(line), 300)])
	}
	return out, nil
}

// gitCommand is git in the folder, without what the environment says to it,
// without a terminal to ask at, and without a way to another machine.
func (r *Repo) gitCommand(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append([]string{"--no-pager", "--no-replace-objects", "--literal-pathspecs"}, args...)...)
	cmd.Dir = r.root
	cmd.WaitDelay = time.Second
	for _, v := range os.Environ() {
		if !strings.HasPrefix(strings.ToUpper(v), "GIT_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none")
	return cmd
}
