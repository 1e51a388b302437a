package main

import "example.com/module/store"

type logged struct{ *store.Memory }

func (l logged) Get(key string) string { return l.Memory.Get(key) }

func main() {
	var s store.Store = logged{store.New()}
	show(s)
	each := func() { show(s) }
	each()
}

func show(s store.Store) { println(s.Get("a")) }

func fill() {
	store.Fill(&store.List[string]{}, "a")
	store.All([]store.Keeper[int]{&store.Last{}, &store.List[int]{}}, 1)
	_ = store.None[int]{}
}
