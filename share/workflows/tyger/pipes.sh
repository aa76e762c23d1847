#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# pipes.sh IMAGE [options of argand sense] <SCAN.mrd >IMAGES.mrd: does without Tyger what sense.yml does with it. A container gets a
# folder with two named pipes, reads the scan from one and writes images to the other. CONTAINER names another program than docker.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '3,4s/^# //p' "$0"; exit 1; }
image=$1
shift
pipes=$(mktemp -d)
trap 'rm -rf "$pipes"' EXIT
mkfifo "$pipes/input" "$pipes/output"
cat "$pipes/output" &
reader=$!
exec 3<&0 # in the background, standard input would be /dev/null
cat <&3 >"$pipes/input" &
writer=$!
code=0
"${CONTAINER:-docker}" run --rm -v "$pipes:$pipes" "$image" \
    argand sense "$pipes/input" "$pipes/output" --quiet "$@" </dev/null >&2 || code=$?
if [ $code != 0 ]; then
    kill $reader $writer 2>/dev/null || true # a container that did not start has opened neither
fi
wait $reader $writer || [ $code != 0 ] || code=1
exit $code
