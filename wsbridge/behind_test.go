package wsbridge

import (
	"testing"
	"testing/synctest"
)

// A page behind another one of the same tab does not come to the front by connecting last.
func TestAPageBehindAnotherStaysThere(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		r.page("f", "front", says("front"))
		p := r.connect(&fakePage{answer: says("behind")})
		p.send(encode("hello", methodHello, helloParams{Role: rolePage, Version: "test", Session: "b", Behind: true}))
		p.send(encode("", methodContext, contextParams{Context: &GraphContext{Repo: "behind", State: "ready"}}))
		synctest.Wait()
		r.answer(newCall("1"), "front")
		r.answer(named("2", "behind"), "behind")
		p.send(encode("", methodFront, nil))
		synctest.Wait()
		r.answer(newCall("3"), "behind")
	})
}
