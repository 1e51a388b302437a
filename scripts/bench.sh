#!/bin/sh
# The figures of docs/benchmarks.md, on a machine that does nothing else.
set -eu
go test -run '^$' -bench 'Call|Burst' -benchtime 5x ./cmd/gitnexus-mcp | grep -E '^(cpu|Benchmark)'
go test -run '^$' -bench Start -benchtime 30x ./cmd/gitnexus-mcp | grep ^Benchmark
go test -run '^$' -bench . ./tools ./repo | grep ^Benchmark
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/gitnexus-mcp" ./cmd/gitnexus-mcp
(cd web && npx --no-install tsx bench/indexing.ts "$dir/gitnexus-mcp" "$(pwd)/..")
