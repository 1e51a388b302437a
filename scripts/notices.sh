#!/bin/sh
# Writes the licences of all that is in the binary to the file $1: of Go and of the
# modules, on every system that a release is for, and of what the app holds.
set -eu
cd "$(dirname "$0")/.."
out=$(mktemp)
trap 'rm -f "$out"' EXIT
rule=================================================================================

# section TITLE FOLDER prints the licences that a folder holds.
section() {
	files=$(find "$2" -maxdepth 1 -type f | grep -Ei '/(licen[sc]e|copying|notice)[^/]*$' | grep -v '\.go$' | sort)
	if [ -z "$files" ]; then
		echo "$1 has no licence file in $2" >&2
		exit 1
	fi
	printf '%s\n%s\n%s\n\n' "$rule" "$1" "$rule"
	echo "$files" | while read -r file; do
		cat "$file"
		echo
	done
}

{
	echo "gitnexus-mcp contains these, under their own licences."
	echo
	section "Go $(go env GOVERSION)" "$(go env GOROOT)"
	for os in linux darwin windows; do
		CGO_ENABLED=0 GOOS=$os go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' ./cmd/gitnexus-mcp
	done | sort -u >"$out.modules"
	while read -r path version dir; do
		section "$path $version" "$dir"
		case "$path $version" in # what these hold without a licence file of it
		"github.com/ncruces/go-sqlite3-wasm/v6 v6.5.35401") cat scripts/licenses/sqlite.txt ;;
		github.com/ncruces/go-sqlite3-wasm/*) echo "$path $version: see which SQLite it holds, for scripts/licenses/sqlite.txt" >&2 && exit 1 ;;
		esac
	done <"$out.modules"
	rm "$out.modules"
	gunzip -c web/dist/licenses.txt.gz
} >"$out"
cp "$out" "$1"
