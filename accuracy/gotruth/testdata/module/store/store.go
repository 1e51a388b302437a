package store

type Store interface{ Get(key string) string }

type Memory struct{ values map[string]string }

func New() *Memory { return &Memory{} }

func (m *Memory) Get(key string) string { return m.values[key] }
