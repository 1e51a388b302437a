package wsbridge

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/gitnexus/gitnexus-mcp/sanitize"
)

// Bounds on what a page may say. A link that crosses one of the last four ends;
// what is too long is cut.
const (
	maxName      = 255 // bytes of a name: of a repository, a file, an agent, a phase
	maxDetail    = 500 // bytes of a sentence
	maxHotspots  = 50
	maxLanguages = 50
	// maxNotice is the largest message of a v2 page that is no answer.
	maxNotice = 1 << 20
	// maxContextV1 is the largest context of a v1 page, which has the tree of all folders.
	maxContextV1 = 8 << 20
	// noticeRate and noticeBurst bound the contexts and fronts that a page sends:
	// so many a second in the long run, and at once.
	noticeRate  = 20
	noticeBurst = 200
	// linkMessages and hubMessages bound the bytes of unfinished messages, of one
	// link and of all links of a hub, in messages of the largest size.
	linkMessages = 2
	hubMessages  = 3
)

// progressEvery is the least time between two reports of one call's progress.
const progressEvery = 250 * time.Millisecond

// crossed is the end of a link that crossed a bound.
func crossed(format string, args ...any) error {
	return &connError{status: websocket.StatusPolicyViolation, reason: fmt.Sprintf(format, args...), crossed: true}
}

// bounded returns the context with every text and list within the bounds, and fit
// to be shown.
func (g *GraphContext) bounded() *GraphContext {
	if g == nil {
		return nil
	}
	b := *g
	b.Repo, b.State, b.Detail = sanitize.Name(b.Repo, maxName), sanitize.Name(b.State, maxName), sanitize.Name(b.Detail, maxDetail)
	b.Folder = sanitize.Name(b.Folder, maxName)
	b.Hotspots = append([]Hotspot(nil), b.Hotspots[:min(len(b.Hotspots), maxHotspots)]...)
	for i := range b.Hotspots {
		h := &b.Hotspots[i]
		h.ID, h.Name = sanitize.Name(h.ID, 3*maxName), sanitize.Name(h.Name, maxName)
		h.Kind, h.File = sanitize.Name(h.Kind, maxName), sanitize.Name(h.File, 2*maxName)
	}
	b.Languages = append([]LanguageCount(nil), b.Languages[:min(len(b.Languages), maxLanguages)]...)
	for i := range b.Languages {
		b.Languages[i].Language = sanitize.Name(b.Languages[i].Language, maxName)
	}
	return &b
}

// bucket is a token bucket. Only its connection's reader uses it.
type bucket struct {
	used float64
	at   time.Time
}

// take reports whether there was a token.
func (b *bucket) take() bool {
	now := time.Now()
	if !b.at.IsZero() {
		b.used = max(0, b.used-noticeRate*now.Sub(b.at).Seconds())
	}
	b.at = now
	b.used++
	return b.used <= noticeBurst
}

// meter counts the bytes of unfinished messages. Its methods may be called
// concurrently.
type meter struct {
	limit int64
	what  string
	above *meter // counts them too; nil for none
	held  atomic.Int64
}

// hold counts n bytes more, or returns why there is no room for them.
func (m *meter) hold(n int64) error {
	if m == nil {
		return nil
	}
	if m.held.Add(n) > m.limit {
		m.held.Add(-n)
		return crossed("more than %d MB of unfinished messages %s", m.limit>>20, m.what)
	}
	if err := m.above.hold(n); err != nil {
		m.held.Add(-n)
		return err
	}
	return nil
}

func (m *meter) release(n int64) {
	if m != nil {
		m.held.Add(-n)
		m.above.release(n)
	}
}

// releaseAll forgets what an ended link held.
func (m *meter) releaseAll() { m.release(m.held.Load()) }

// meterStep is how much of a frame is read before it is counted: more than a part has.
const meterStep = 2 * partBytes

// meteredReader counts what is read of a message.
type meteredReader struct {
	io.Reader
	meter      *meter
	read, held int64
}

func (r *meteredReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if r.read += int64(n); r.read >= r.held+meterStep {
		if full := r.meter.hold(r.read - r.held); full != nil {
			return n, full
		}
		r.held = r.read
	}
	return n, err
}

func (r *meteredReader) done() { r.meter.release(r.held) }
