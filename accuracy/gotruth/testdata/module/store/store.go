package store

type Store interface{ Get(key string) string }

type Memory struct{ values map[string]string }

func New() *Memory { return &Memory{} }

func (m *Memory) Get(key string) string { return m.values[key] }

type Keeper[T any] interface{ Keep(value T) }

type List[T any] struct{ values []T }

func (l *List[T]) Keep(value T) { l.values = append(l.values, value) }

type Last struct{ value int }

func (l *Last) Keep(value int) { l.value = value }

// None is never given anything that it could keep.
type None[T any] struct{}

func (None[T]) Keep(value []T) {}

func Fill[K Keeper[T], T any](keeper K, value T) { keeper.Keep(value) }

func All[T any](keepers []Keeper[T], value T) {
	for _, keeper := range keepers {
		keeper.Keep(value)
	}
}
