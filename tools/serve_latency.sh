#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# serve_latency.sh ARGAND [DEVICE] [FRAMES]: latency of argand serve --window with a client on this machine; prints the tables of both. Radial
# spokes by the golden angle and spirals in a field; SIZE (256), COILS (32), INTERVAL (3 ms from readout to readout), STEP (readouts from frame
# to frame), WINDOW and WHAT (radial, spiral; both) may be set in the environment. A frame each STEP * INTERVAL ms.
set -euo pipefail
argand=$(realpath "$1") device=${2:-cpu} frames=${3:-2000}
size=${SIZE:-256} coils=${COILS:-32} interval=${INTERVAL:-3} step=${STEP:-2} window=${WINDOW:-34}
work=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"

measure() { # what, scan, its readouts, window, step, options of serve
    local what=$1 scan=$2 readouts=$3 window=$4 step=$5 port
    shift 5
    echo "== $what, $size x $size, $coils channels, window $window, step $step, a readout each $interval ms, $device"
    "$argand" serve --once --port 0 --json --measure --window "$window" --step "$step" --coil-maps none --device "$device" "$@" >served 2>said &
    server=$!
    for _ in $(seq 400); do grep -qs listening served && break; sleep 0.05; done
    port=$(sed -n 's/.*"port":\([0-9]*\).*/\1/p' served | head -1)
    "$argand" stream "$scan" --port "$port" --interval "$interval" --loop $((frames * step / readouts + 1))
    wait $server || cat said
    grep -E '"event":"(latency|frames)"' served
}

what=${WHAT:-both}
if [ "$what" != spiral ]; then
    "$argand" simulate radial.h5 -x "$size" -c "$coils" --trajectory radial --golden --shots 1200 --field-range 0 --fineness 1 --snr 200 -q
    measure "golden-angle spokes" radial.h5 1200 "$window" "$step" --field-map none
fi
if [ "$what" != radial ]; then
    "$argand" simulate spiral.h5 -x "$size" -c "$coils" --trajectory spiral --shots 16 --readout 10 --field-range 100 --repetitions 40 --fineness 1 --snr 200 -q
    "$argand" convert spiral.h5:FieldMap field.npy -q
    measure "spirals with a field map" spiral.h5 640 16 "$step" --field-map field.npy
fi
