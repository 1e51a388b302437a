package repo

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// Bounds of ignore files. A folder whose ignore file is beyond them is left out
// as a whole: what it hides is not known.
const (
	maxIgnore = 1 << 20 // bytes of one file
	maxRules  = 10_000  // of one file
	// maxRule is in bytes. No path is longer, so that a longer rule matches nothing,
	// unless what it says takes more characters than what it names.
	maxRule = 4 << 10
	// elementBytes is what an element of a rule takes besides its characters.
	elementBytes = 16

	// Of all ignore files of the folder that is loaded; the last one may go beyond.
	maxAllRules  = 100_000
	maxAllIgnore = 16 << 20 // bytes
)

// ignoreUse is what the ignore files of a tree come to.
type ignoreUse struct{ rules, bytes int }

var errTooManyRules = errors.New("the ignore files of this repository have too many rules")

func (u *ignoreUse) full() bool { return u.rules >= maxAllRules || u.bytes >= maxAllIgnore }

func (u *ignoreUse) add(r *rules) {
	u.rules += len(r.patterns)
	u.bytes += r.bytes
}

func (u *ignoreUse) remove(r *rules) {
	u.rules -= len(r.patterns)
	u.bytes -= r.bytes
}

// rules are those of an ignore file, and of the files above it. Directories
// without an ignore file share them with the directory above. nil hides nothing.
type rules struct {
	above *rules
	// depth is how many directories below the top of the git repository the ignore
	// file is: its rules see the rest of a path.
	depth    int
	patterns []pattern         // later ones win
	bytes    int               // of the file and what is made of it
	sum      [sha256.Size]byte // of the file
}

// with adds the rules of an ignore file, unless it is beyond the bounds.
func (r *rules) with(file []byte, depth int) (*rules, error) {
	if len(file) > maxIgnore {
		return r, fmt.Errorf("its ignore file is larger than %d KB", maxIgnore>>10)
	}
	own := &rules{above: r, depth: depth, bytes: len(file), sum: sha256.Sum256(file)}
	for line := range strings.Lines(strings.TrimPrefix(string(file), "\ufeff")) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if line = trimSpaces(line); len(line) > maxRule {
			if strings.ContainsAny(line, `*[\`) {
				return r, fmt.Errorf("its ignore file has a rule of more than %d KB", maxRule>>10)
			}
			continue
		}
		rule, ok := parsePattern(line)
		if !ok {
			continue
		}
		if len(own.patterns) == maxRules {
			return r, fmt.Errorf("its ignore file has more than %d rules", maxRules)
		}
		own.patterns = append(own.patterns, rule)
		own.bytes += len(rule.elements) * elementBytes
	}
	if own.patterns == nil {
		return r, nil
	}
	return own, nil
}

// equal tells whether two files below the same directory hold the same rules.
func (r *rules) equal(other *rules) bool {
	return r == other || r != nil && other != nil && r.above == other.above && r.depth == other.depth && r.sum == other.sum
}

// hide tells whether the rules hide a path, given by its parts from the top. The
// directories above it must not be hidden.
func (r *rules) hide(parts []string, dir bool) bool {
	for ; r != nil; r = r.above {
		for i := len(r.patterns) - 1; i >= 0; i-- {
			if rule := &r.patterns[i]; rule.matches(parts[r.depth:], dir) {
				return !rule.negated
			}
		}
	}
	return false
}

// readIgnore reads an ignore file; nil when there is none. It fails when there is one
// that cannot be read.
func readIgnore(root *os.Root, name string) ([]byte, error) {
	f, err := openAs(root, name, 0)
	if err == nil {
		defer func() { _ = f.Close() }()
		data, err := io.ReadAll(io.LimitReader(f, maxIgnore+1))
		if err == nil {
			return data, nil
		}
		return nil, fmt.Errorf("its ignore file cannot be read: %s", reason(err))
	}
	if errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("its ignore file cannot be read: %s", reason(err))
	}
	return nil, nil
}

// withFile is with for the ignore file of that name.
func (r *rules) withFile(root *os.Root, name string, depth int) (*rules, error) {
	file, err := readIgnore(root, name)
	if err != nil {
		return r, err
	}
	return r.with(file, depth)
}
