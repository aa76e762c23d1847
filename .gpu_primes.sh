#!/bin/bash
# Prime lengths, single precision, 2^27 points: time, plans, error of each variant. Before: 127 0.910, 521 1.265, 1009 1.133, 2053 1.24, 4099 2.267, 10007 5.03, 65537 6.70, 1000003 6.57 ms;
# again_ms is the warm plan (before: 65537 172 ms, 1000003 1.6 s), which is to be below 20.
OUT=${OUT:-/tmp}
export ARGAND_FFT_ENGINE=box
one() # SIZE WORDS
{
    local line
    line=$(ARGAND_FFT_BOX="$2" timeout 60 argand bench fft --size "$1" --batch $(((1 << 27) / $1)) --alone --csv --repeat 5 --device cuda:0 -q 2>&1 | tail -1)
    printf '%s,%s,%s\n' "$1" "$2" "$line" >> "$OUT/primes.csv"
    echo "$line" | awk -F, -v n="$1" -v w="$2" '{ if (NF > 12) printf "%-8s %-28s %8s ms  plan %7s again %7s  error %s\n", n, w, $4, $5, $6, $13; else print n, w, substr($0, 1, 160) }'
}
: > "$OUT/primes.csv"
echo "standard plans"
for n in 127 521 1009 2053 4099 10007 20011 65537 1000003; do one $n ""; done
echo "one pass of one group: registers, turns, length of the convolution"
one 127 "resident 5"; one 127 "items 512"; one 127 "items 128"
one 521 "resident 4"; one 521 "items 128"
one 1009 "resident 5"
one 2053 "resident 4"
for w in "turning 0" "turning 2" "convolution 8640" "convolution 8232" "convolution 9216"; do one 4099 "$w"; done
one 10007 "turning 2"; one 10007 "convolution 20736"
echo "by clusters"
one 4099 "fused 8192"
one 10007 "fused 8192"; one 10007 "fused 8192 order 2"
one 65537 "order 2"
echo "three passes, with no cluster"
one 10007 "fused 8192 no_cluster 1"; one 65537 "no_cluster 1"; one 20011 "no_cluster 1"
echo "1000003: work memory that the passes share, so that it may stay in the cache"
for w in "work 16" "work 32" "work 4096" "items 512" "once 2"; do one 1000003 "$w"; done
echo "errors there and back (part of the bound that is promised)"
argand bench fft --accuracy 127,2053,4099,10007,20011,65537 --rounds 1 --device cuda:0 -q 2>&1 | tail -13
ARGAND_FFT_BOX="fused 2000" argand bench fft --accuracy 1999,4099,10007 --rounds 1 --device cuda:0 -q 2>&1 | tail -7
