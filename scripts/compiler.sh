#!/bin/sh
# The race detector needs a C compiler.
set -eu
command -v "${CC:-cc}" >/dev/null 2>&1 || command -v gcc >/dev/null 2>&1 && exit 0
if command -v apt-get >/dev/null 2>&1; then
	sudo=
	[ "$(id -u)" = 0 ] || sudo=sudo
	echo "No C compiler found: installing gcc for the race detector." >&2
	$sudo apt-get update -qq
	$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends gcc libc6-dev >/dev/null
	exit 0
fi
echo "No C compiler found; the race detector needs one." >&2
exit 1
