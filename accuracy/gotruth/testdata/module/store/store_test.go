package store

import "testing"

func TestGet(t *testing.T) {
	var s Store = New()
	_ = s.Get("a")
}
