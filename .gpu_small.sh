#!/bin/bash
# small: overlapping launches, plan times, variants of double and real transforms. About 60 s.
OUT=${OUT:-/tmp}
export ARGAND_FFT_ENGINE=box
echo "== small: tests"
for t in fft_overlap fft_capture; do
    start=$SECONDS
    ARGAND_WISDOM=off timeout 60 test_$t cuda:0 > $OUT/small_$t.txt 2>&1
    echo "$t rc $? $((SECONDS - start)) s: $(grep -E 'FAILED|ERROR|PASSED' $OUT/small_$t.txt | tail -2 | tr '\n' ' ')"
done
# WORDS then arguments of bench: "words | size: ms, plan ms, again ms, error"
b() {
    local words=$1
    shift
    ARGAND_WISDOM=off ARGAND_FFT_BOX="$words" argand bench fft --device cuda:0 --alone --csv --repeat 7 "$@" 2>>$OUT/small.err |
        tee -a $OUT/small.csv | awk -F, -v w="$words" '/^given/ {printf "%-34s %-14s %s ms  plan %s  again %s  err %s\n", w, $2, $4, $5, $6, $13}'
}
echo "== overlapping launches, off and on"
for size in 32x32x32 64x64x64 96x96x96 128x128x128 192x192x192; do
    for pdl in 0 1; do b "pdl $pdl" --size $size; done
done
for pdl in 0 1; do b "pdl $pdl" --size 64x64x64 --kind real; done
for pdl in 0 1; do b "no_cluster 1 wave 0 pdl $pdl" --size 65536 --batch 64; done
echo "== plans, ms: cold, then warm by another process (with wisdom, any engine)"
for size in "64x64x64" "65536 --batch 64" "512x512 --batch 16" "1000 --batch 9000 --kind real" "4099 --batch 100"; do
    folder=$(mktemp -d)
    for turn in cold warm; do
        ARGAND_CACHE=$folder/a CUDA_CACHE_PATH=$folder/b argand bench fft --device cuda:0 --alone --csv --repeat 1 --size $size 2>>$OUT/small.err |
            awk -F, -v t=$turn '/^given/ {printf "%s %s: plan %s again %s\n", t, $2, $5, $6}'
    done
    rm -rf "$folder"
done
echo "== double: turns from tables or by arithmetic, shapes (a quarter of the usual batch)"
for w in "no_cluster 1 tables 1" "no_cluster 1" "no_cluster 1 values 8" "no_cluster 1 values 8 items 512" "no_cluster 1 values 8 items 128" ""; do
    b "$w" --size 65536 --batch 256 --precision double
done
for w in "tables 1 wave 4096 items 512" "wave 4096 items 512" "values 8 wave 4096 items 512" "values 8 items 512"; do b "$w" --size 1048576 --batch 16 --precision double; done
for w in "" "values 8 items 512" "no_plane 1 values 8 items 512"; do b "$w" --size 256x256x256 --precision double; done
for w in "" "values 8 items 512"; do b "$w" --size 512x512x512 --precision double; done
echo "== real lines (a quarter)"
for w in "values 8 items 128" "values 8 items 64" "values 16 items 64" "values 8 items 128 once 2" "values 8 items 256"; do
    b "$w" --size 1024 --batch 32768 --kind real
done
for w in "values 8" "values 16 items 128" "values 8 once 2"; do b "$w" --size 4096 --batch 8192 --kind real; done
