#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# manners.sh ARGAND CLIENT: clients that go while their images are computed, that send a byte now and then, that send nothing more
# but wait, that forge lines of the log; a reader of events that does not read. Good ones get their images all the same.
set -euo pipefail
argand=$(realpath "$1") client=$(realpath "$2")
work=$(mktemp -d)
server=
trap 'kill $server $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"
fail() { echo "$1"; cat server.err; exit 1; }

"$argand" simulate scan.h5 -x 24 -c 2 --shots 3 --readout 3 --seed 3 -q
"$argand" convert scan.h5:FieldMap field.npy -q
options="--part complex --coil-maps none --field-map field.npy --device cpu --threads 1"
"$argand" sense scan.h5 sense.npy -n 2 $options -q
options="$options --port 0 --json"

begin() { # options
    "$argand" serve $options "$@" >server.out 2>server.err &
    server=$!
    await grep -qs listening server.out
    port=$(sed -n 's/.*"port":\([0-9]*\).*/\1/p' server.out | head -1)
}
end() { kill -TERM $server; wait $server || true; }
await() { for _ in $(seq 6000); do "$@" && return; sleep 0.05; done; fail "not in five minutes: $*"; }
workers() { cat /proc/$server/task/$server/children 2>/dev/null | wc -w; }
no_workers() { [ "$(workers)" = 0 ]; }
good() { # how, out
    "$client" "$port" "$1" scan.h5 "$2" || fail "$1: no image"
    "$argand" array squeeze "$2" s.npy -q && "$argand" array squeeze sense.npy t.npy -q
    "$argand" compare s.npy t.npy --limit 0 >compared || fail "$1: another image"
}

# A hundred thousand iterations: whose client has gone, that ends at once.
begin -n 100000 --regularize tv:0.001 --connections 1
"$client" "$port" leave scan.h5
await grep -q "closed the connection before its images were ready" server.err
await no_workers
"$client" "$port" leave scan.h5 # waits for the place, which another one has, or has it
"$client" "$port" leave scan.h5
await no_workers
end

# Who drips takes no place: there is one, and eight who drip where four may be connected.
begin -n 2 --connections 1 --patience 600
for i in 1 2 3 4 5 6 7 8; do "$client" "$port" drip >drip$i & done
await grep -qs drips drip1
good send first.npy
good half second.npy
good name third.npy
grep -q "other clients wait" server.err || fail "nobody was ended"
grep -q '^argand serve: forged' server.err && fail "a configuration forges lines"
grep -q '\\\\x0aargand serve: forged' server.out || fail "the configuration's name is not shown"
end

# Events that nobody reads.
mkfifo events
exec 8<>events
"$argand" serve $options -n 2 >&8 2>server.err 8<&- &
server=$!
read -r -u 8 line
port=$(sed -n 's/.*"port":\([0-9]*\).*/\1/p' <<<"$line")
timeout 2 dd if=/dev/zero bs=65536 count=1 status=none >&8 || true # as many as a pipe takes
good send fourth.npy
dd bs=65536 iflag=nonblock <&8 >/dev/null 2>&1 || true # until there is nothing to read
good send fifth.npy
await no_workers
end
