package wsbridge

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// A peer may take less than its hub does. Were its link to end for that, the
// call would be sent again, and end it again.
func TestAnswerThatIsTooLargeForThePeer(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		r.page("s1", "repo", echo)
		opt := r.hub.opt
		opt.MaxMessage = 64 << 10
		peer := r.peer(opt)
		ask := func(id string, size int) error {
			c := newCall(id)
			c.Trace = new(Trace)
			c.Arguments = json.RawMessage(`{"query":"` + strings.Repeat("x", size) + `"}`)
			_, err := r.via(peer).Call(r.Context(), &c)
			return err
		}
		for _, size := range []int{200 << 10, 64<<10 - 100} { // the second only with what goes around it
			err := ask("large", size)
			if e, ok := errors.AsType[*ToolError](err); !ok || !strings.Contains(e.Message, "--max-message") {
				t.Errorf("%d bytes: got %v", size, err)
			}
		}
		if err := ask("small", 60<<10); err != nil {
			t.Errorf("the link suffered: %v", err)
		}
	})
}

// A peer's own health knows of its calls that the hub could not place.
func TestPeerRemembersItsErrors(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		n := r.via(r.peer(r.hub.opt))
		if _, err := n.Call(r.Context(), ref(newCall("a"))); err == nil {
			t.Fatal("answered without a page")
		}
		if got := n.Status().LastErrors; len(got) != 1 || !strings.Contains(got[0].Message, "search: connection lost") {
			t.Errorf("health knows of %+v", got)
		}
		page := r.page("s1", "repo", func(p *fakePage, f frame) {
			p.send(encodeError(idOf(f), wireError{Code: codeToolFailed, Message: "no such file"}))
		})
		if _, err := n.Call(r.Context(), ref(newCall("b"))); err == nil {
			t.Fatal("no error")
		}
		page.drop()
		if got := n.Status().LastErrors; len(got) != 1 {
			t.Errorf("a tool's own error is no trouble of the bridge: %+v", got)
		}
	})
}
