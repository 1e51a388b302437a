#!/bin/sh
# Prints what CHANGELOG.md says of a version, such as v1.2.3.
set -eu
awk -v heading="## [${1#v}]" '
	/^## |^\[/ { inside = 0 }
	inside { print; if (NF) found = 1 }
	index($0, heading) == 1 { inside = 1 }
	END { exit !found }
' "$(dirname "$0")/../CHANGELOG.md" || {
	echo "CHANGELOG.md has nothing about ${1#v}" >&2
	exit 1
}
