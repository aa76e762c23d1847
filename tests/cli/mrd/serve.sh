#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# serve.sh ARGAND CLIENT FILES: one server, and clients that die, send garbage, claim 10 GB or say nothing; in between and afterwards
# a good one gets the image that `argand sense` writes.
set -euo pipefail
argand=$(realpath "$1") client=$(realpath "$2") files=$3
work=$(mktemp -d)
trap 'kill $server 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"
fail() { echo "$1"; cat server.err; exit 1; }
# until a file has a line; a server that has ended writes none
await() { until grep -qs -- "$1" "$2"; do kill -0 $server 2>/dev/null || fail "the server is gone"; sleep 0.05; done; }

"$argand" simulate scan.h5 -x 32 -c 3 --shots 4 --readout 5 --slices 2 --noise-scan 2 --seed 3 -q
# a field map that the stream does not carry
"$argand" convert scan.h5:FieldMap field.npy -q
"$argand" sense scan.h5 sense.npy --part complex --coil-maps none --field-map field.npy -n 4 --device cpu -q
"$argand" serve --port 0 --json --part complex --field-map field.npy -n 4 --device cpu --limit 200 --patience 5 --connections 2 >server.out 2>server.err &
server=$!
await listening server.out
port=$(sed -n 's/.*"port":\([0-9]*\).*/\1/p' server.out | head -1)

answers() { "$client" "$port" "$1" >answer || fail "$1: no answer"; grep -qF -- "$2" answer || fail "$1: $(cat answer)"; }
good() {
    "$client" "$port" send scan.h5 "$1" || fail "$1: no image"
    "$argand" array squeeze "$1" s.npy -q && "$argand" array squeeze sense.npy t.npy -q
    "$argand" compare s.npy t.npy --limit 0 || fail "$1: another image"
}
good first.npy
answers garbage "sent a message 5023, which is none of ISMRMRD's"
answers huge "an acquisition of 10485.6 MB is more than what is left of the limit"
answers long "a header of 4294.97 MB is too long"
answers order "sent an acquisition before its header"
answers header "XML"
"$client" "$port" claim scan.h5 >answer || fail "claim: no answer"
grep -qF "the header claims 2 image(s) of 8192 x 8192" answer || grep -qF "more than the limit allows" answer || fail "claim: $(cat answer)"
"$client" "$port" die scan.h5
"$client" "$port" silent >answer & # holds one of two connections while the other works
good second.npy
wait $!
grep -q "the client sent nothing for 5 s" answer || fail "silent: $(cat answer)"
kill -0 $server || fail "the server is gone"
await "closed the connection before the scan was complete" server.err
kill -TERM $server
wait $server && fail "SIGTERM gives 0" || true

"$argand" serve --once --port 0 --json --part complex --coil-maps none --field-map field.npy -n 4 --device cpu >once.out &
server=$!
await listening once.out
port=$(sed -n 's/.*"port":\([0-9]*\).*/\1/p' once.out | head -1)
good third.npy
wait $server || fail "--once ends with $?"
