#!/bin/sh
# The figures of docs/benchmarks.md, on a machine that does nothing else.
set -eu
go test -run '^$' -bench 'Call|Burst|Agents|Links' -benchtime 5x ./cmd/gitnexus-mcp | grep -E '^(cpu|Benchmark)'
go test -run '^$' -bench EventLog -benchtime 1x -timeout 0 ./cmd/gitnexus-mcp | grep ^Benchmark
go test -run '^$' -bench Takeover -benchtime 1x ./cmd/gitnexus-mcp | grep ^Benchmark
go test -run '^$' -bench Start -benchtime 30x ./cmd/gitnexus-mcp | grep ^Benchmark
go test -run '^$' -bench SmallBesideLarge -benchtime 1x ./cmd/gitnexus-mcp | grep ^Benchmark
go test -run '^$' -bench . ./tools ./repo | grep ^Benchmark
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/gitnexus-mcp" ./cmd/gitnexus-mcp
cd web
npx --no-install tsx bench/tools.ts
npx --no-install tsx bench/indexing.ts "$dir/gitnexus-mcp" ..
for files in 60 600 2400 10000; do
	npx --no-install tsx bench/generate.ts .. "$dir/$files" $files
	npx --no-install tsx bench/indexing.ts "$dir/gitnexus-mcp" "$dir/$files" 3
	npx --no-install tsx bench/memory.ts "$dir/gitnexus-mcp" "$dir/$files"
	[ $files -gt 2400 ] || npx --no-install tsx bench/freshness.ts "$dir/gitnexus-mcp" "$dir/$files" 5
	[ $files -gt 2400 ] || npx --no-install tsx bench/reopen.ts "$dir/gitnexus-mcp" "$dir/$files" 7
	rm -r "$dir/$files"
done
# 20,000 and 50,000 nodes.
for files in 1700 4250; do
	npx --no-install tsx bench/generate.ts .. "$dir/$files" $files
	npx --no-install tsx bench/interactions.ts "$dir/gitnexus-mcp" "$dir/$files" 3
	rm -r "$dir/$files"
done
