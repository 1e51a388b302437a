package wsbridge

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
)

// A page or peer whose link stands and says nothing (its cable is pulled, its
// process is stopped) does not hold up a hub that goes.
func TestMuteLinkDoesNotHoldUpTheEnd(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		conn := r.dialProven(rolePage)
		defer func() { _ = conn.CloseNow() }()
		hello := encode("hello", methodHello, helloParams{Role: rolePage, Version: "test", Session: "mute"})
		if err := conn.Write(r.Context(), websocket.MessageText, hello); err != nil {
			r.Fatal(err)
		}
		synctest.Wait() // and from now on it reads nothing
		began := time.Now()
		r.stop()
		if took := time.Since(began); took > handoverTime+closeTimeout {
			r.Errorf("the hub ended after %v", took)
		}
	})
}
