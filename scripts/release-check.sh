#!/bin/sh
# Builds a whole snapshot of HEAD twice, in two folders, compares the two byte for
# byte, and tries of it what can run here.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for folder in one elsewhere/two; do
	git clone --quiet "$root" "$work/$folder"
	ln -s "$root/npm/node_modules" "$work/$folder/npm/node_modules"
	(cd "$work/$folder" && $GORELEASER --snapshot --skip=publish && node npm/release.mjs)
done
cd "$work/one/dist"
# These two say when and where they were made.
find . -type f ! -name artifacts.json ! -name metadata.json | sort | xargs sha256sum >"$work/sums"
(cd "$work/elsewhere/two/dist" && sha256sum --quiet --check "$work/sums")
echo "Two builds of $(wc -l <"$work/sums") files are the same."

sha256sum --quiet --check checksums.txt
version=$(node -p 'require("./metadata.json").version')
binary=$(echo gitnexus-mcp_"$(go env GOOS)_$(go env GOARCH)"*/gitnexus-mcp)
"$binary" --version | grep -F "gitnexus-mcp $version "
tar -xzOf "gitnexus-mcp_${version}_$(go env GOOS)_$(go env GOARCH).tar.gz" gitnexus-mcp | cmp - "$binary"
tar -xzOf "gitnexus-mcp_${version}_$(go env GOOS)_$(go env GOARCH).tar.gz" NOTICES.txt >"$work/notices"
go version -m "$binary" | awk '$1 == "dep" { print $2, $3 }' | while read -r module; do grep -qxF "$module" "$work/notices"; done
node "$root/npm/sbom.mjs" ./*.cdx.json
node "$root/npm/node_modules/@anthropic-ai/mcpb/dist/cli/cli.js" info packages/gitnexus-mcp.mcpb >/dev/null
PACKS=$PWD/packages node --test "$root/npm/pack.test.mjs"
