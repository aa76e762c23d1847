#!/bin/bash
# What branch `lines` wants measured: is it right, then times of each idea on and off. One line a case: size, words, ms for 2^26 points (halve the figures of fft-h200.md), error, how.
# `argand` and `test_fft_wave` of the branch are on PATH. Most wanted first; after LINES_SECONDS (120) of the script the rest is left out.
: "${OUT:=/tmp}" "${LINES_SECONDS:=120}"
export ARGAND_FFT_ENGINE=box
timeout 110 test_fft_wave cuda:0 > "$OUT/lines_test.txt" 2>&1
echo "test_fft_wave rc $?: $(grep -v 'RUN\|OK \]' "$OUT/lines_test.txt" | tail -4 | tr '\n' ' ' | cut -c1-400)"
one() { # SIZE BATCH WORDS
    local row
    [ $SECONDS -lt "$LINES_SECONDS" ] || { left=$((left + 1)); return; }
    row=$(ARGAND_FFT_BOX="$3" timeout 40 argand bench fft --size "$1" --batch "$2" --alone --device cuda:0 --repeat 9 --csv --quiet 2> "$OUT/lines_err.txt" | tail -1)
    echo "$1 $2 [$3] $row" >> "$OUT/lines.txt"
    [ -n "$row" ] || { echo "$1 [$3] FAILED $(tail -1 "$OUT/lines_err.txt" | cut -c1-150)"; return; }
    printf '%s [%s] %s ms, error %s\n' "$1" "$3" "$(cut -d, -f4 <<< "$row")" "$(cut -d, -f13 <<< "$row")"
}
each() { # SIZE BATCH then words
    local size=$1 batch=$2 words
    shift 2
    for words in "$@"; do one "$size" "$batch" "$words"; done
}
rm -f "$OUT/lines.txt"
left=0 SECONDS=0
# the first question of each idea: on and off
each 262144 256 "" "resident 5" "wave 0"
each 16384 4096 "" "stream 512" "stream 512 powers 4096" "powers 4096"
each 16777216 4 "" "tail 4096"
each 131072 512 "no_cluster 1" "no_cluster 1 resident 3"
each 4194304 16 "" "stream 512" "tail 4096 segment 128"
each 1048576 64 "" "segment 128 wave 4096"
each 46656 1439 "no_cluster 1" ""
each 8192x8192 1 "" "tail 4096"
each 6561 10228 "" "stream 512"
each 2097152 32 "" "stream 512"
each 4096x4096 4 "" "stream 512" "tail 4096 columns 64"
each 177147 379 "no_cluster 1" "no_cluster 1 resident 1"
each 524288 128 ""
each 512x512 256 ""
each 28561 2350 "no_cluster 1"
# then their choices
each 131072 512 "no_cluster 1 resident 5" "no_cluster 1 wave 4096 items 512" "no_cluster 1 lag 4" "no_cluster 1 wave 1024"
each 262144 256 "wave 4096 items 512" "first_large 1" "lag 4"
each 8388608 8 "" "tail 4096"
each 67108864 1 "" "tail 8192 head 1024"
each 16777216 4 "tail 8192" "tail 4096 head 512"
each 65536 1024 "" "no_cluster 1"
each 1024x1024 64 ""
each 46656 1439 "no_cluster 1 resident 5" "no_cluster 1 items 432" "no_cluster 1 wave 0"
each 177147 379 "no_cluster 1 resident 3" "no_cluster 1 items 128"
each 1048576 64 "wave 8192" "lag 5"
each 8192x8192 1 "tail 2048"
each 4194304 16 "tail 8192 segment 128"
each 2097152 32 "stream 512 segment 128"
each 8192 8192 "" "stream 512" "powers 2048"
each 10000 6711 "" "stream 512"
each 2048x2048 16 "" "stream 512"
each 28561 2350 "no_cluster 1 resident 5" ""
echo "lines: $left cases left out for time"
