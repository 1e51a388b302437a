package store

type Same[A, B, C any] interface{ Is(a A, b B, c C) bool }

func alike[A, B, C any, S Same[A, B, C]](s S, a A, b B, c C) bool { return s.Is(a, b, c) }

type ints struct{}

func (ints) Is(a, b, c int) bool { return a == b && b == c }

type mixed struct{}

func (mixed) Is(a string, b bool, c byte) bool { return a == "" && b && c == 0 }

func alikes(n int, i ints) bool {
	return alike(i, n, n, n) && alike(i, n, n, n) && alike(i, n, n, n) && alike(i, n, n, n) && alike(i, n, n, n) &&
		alike(i, n, n, n) && alike(i, n, n, n) && alike(i, n, n, n) && alike(i, n, n, n) && alike(i, n, n, n) &&
		alike(i, n, n, n) && alike(i, n, n, n) && alike(i, n, n, n) && alike(i, n, n, n) && alike(i, n, n, n) &&
		alike(i, n, n, n) && alike(i, n, n, n) && alike(i, n, n, n) && alike(i, n, n, n) && alike(i, n, n, n) &&
		alike(i, n, n, n) && alike(i, n, n, n) && alike(i, n, n, n) && alike(i, n, n, n) && alike(i, n, n, n) &&
		alike(i, n, n, n) && alike(i, n, n, n) && alike(i, n, n, n) && alike(i, n, n, n) && alike(i, n, n, n) &&
		alike(i, n, n, n) && alike(i, n, n, n) && alike(i, n, n, n) && alike(i, n, n, n) && alike(i, n, n, n) &&
		alike(i, n, n, n) && alike(i, n, n, n) && alike(i, n, n, n) && alike(i, n, n, n) && alike(i, n, n, n) &&
		alike(mixed{}, "", true, 0)
}
