package main

import (
	"encoding/json"
	"fmt"
	"sort"

	"example.com/module/store"
)

type logged struct{ *store.Memory }

func (l logged) Get(key string) string { return l.Memory.Get(key) }

func main() {
	var s store.Store = logged{store.New()}
	show(s)
	each := func() { show(s) }
	each()
}

func show(s store.Store) { println(s.Get("a")) }

func reader(s store.Store) func(string) string { return s.Get }

func fill() {
	store.Fill(&store.List[string]{}, "a")
	store.All([]store.Keeper[int]{&store.Last{}, &store.List[int]{}}, 1)
	_ = store.None[int]{}
}

type byLength []string

func (b byLength) Len() int           { return len(b) }
func (b byLength) Less(i, j int) bool { return len(b[i]) < len(b[j]) }
func (b byLength) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

type level int

func (l level) MarshalText() ([]byte, error) { return nil, nil }
func (l level) Known() bool                  { return true }

type named interface{ String() string }

type tag string

func (t tag) String() string { return string(t) }

func said(n named) string { return fmt.Sprint(n) }

func handed(names []string, levels map[string]level) ([]byte, error) {
	sort.Sort(byLength(names))
	return json.Marshal(levels)
}
