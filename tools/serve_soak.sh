#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# serve_soak.sh ARGAND [MINUTES] [DEVICE] [LOST]: argand serve --window under one client at the scan's own rate for so many minutes (30), while others die,
# stall, send garbage and connect a hundred at a time. SIZE (96), COILS (12) and INTERVAL (5 ms) may be set in the environment. Prints the client's
# table, growth of memory, and what the server said. Fails if the good client fails or loses more than a part LOST (0.01) of its frames.
set -euo pipefail
argand=$(realpath "$1") minutes=${2:-30} device=${3:-cpu} most=${4:-0.01}
work=$(mktemp -d)
server=
trap 'kill $server $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"

readouts=1200 size=${SIZE:-96} coils=${COILS:-12} interval=${INTERVAL:-5}
"$argand" simulate s.h5 -x "$size" -c "$coils" --trajectory radial --golden --shots $readouts --field-range 0 --fineness 1 --snr 100 -q
"$argand" serve --port 0 --json --measure --window 34 --coil-maps none --field-map none --device "$device" --patience 20 >served 2>said &
server=$!
for _ in $(seq 400); do grep -qs listening served && break; sleep 0.05; done
port=$(sed -n 's/.*"port":\([0-9]*\).*/\1/p' served | head -1)
"$argand" stream s.h5 --port "$port" --interval $interval --loop $((minutes * 60000 / interval / readouts + 1)) --json >good 2>good.err &
good=$!

memory() { for p in $(cat /proc/$server/task/$server/children); do sed -n 's/VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$p/status" 2>/dev/null; done | sort -n | tail -1; }
bad() { # a connection that ends badly
    case $1 in
    killed) "$argand" stream s.h5 --port "$port" --interval 5 -q >/dev/null 2>&1 & sleep 3; kill -9 $! ;;
    stalled) "$argand" stream s.h5 --port "$port" --interval 5 -q >/dev/null 2>&1 & sleep 3; kill -STOP $!; sleep 25; kill -9 $! ;;
    garbage) python3 -c "import socket,os; s=socket.create_connection(('127.0.0.1',$port)); s.sendall(os.urandom(100000))" 2>/dev/null || true ;;
    hundred) python3 -c "import socket,time
many = []
for _ in range(100):
    try: many.append(socket.create_connection(('127.0.0.1',$port), timeout=0.2))
    except OSError: pass
time.sleep(1)" ;;
    esac
}
sleep 10
first=$(memory)
while kill -0 $good 2>/dev/null; do
    for how in killed stalled garbage hundred; do bad $how; done
    last=$(memory) || true
    echo "memory of the largest connection: $first kB at the start, ${last:-?} kB now"
done
wait $good || { cat good.err; exit 1; }
kill -0 $server || { echo "the server is gone"; exit 1; }
grep -E '"event":"result"' good
python3 - "$most" <<'EOF'
import json, sys
result = [json.loads(line) for line in open("good") if '"result"' in line][-1]
assert result["frames"] > 0 and result["lost"] <= float(sys.argv[1]) * (result["frames"] + result["lost"]), result
EOF
