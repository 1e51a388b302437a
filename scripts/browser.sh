#!/bin/sh
# Makes sure that there is a Chromium, Chrome or Edge: on Debian and its kin
# by installing Debian's chromium, elsewhere by saying what to install.
set -eu
for name in chromium chromium-browser google-chrome google-chrome-stable microsoft-edge microsoft-edge-stable; do
	command -v "$name" >/dev/null 2>&1 && exit 0
done
[ -d "/Applications/Google Chrome.app" ] || [ -d "/Applications/Chromium.app" ] && exit 0
if command -v apt-get >/dev/null 2>&1; then
	sudo=
	[ "$(id -u)" = 0 ] || sudo=sudo
	echo "No browser found: installing Debian's chromium." >&2
	$sudo apt-get update -qq
	$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
	exit 0
fi
echo "No Chromium, Chrome or Edge found. Please install one." >&2
exit 1
