#!/bin/bash
# Accessors in our kernels: right (waves and clusters have run nowhere yet), and how much they cost beside plain transforms.
# Prints some 60 lines; about 60 s. OUT: the folder for longer things.
OUT=${OUT:-/tmp}
echo "== right? (fft_fused: PASSED wanted; 'large' compares waves and clusters with the staged way)"
timeout 150 test_fft_fused cuda:0 > $OUT/fft_fused.txt 2>&1
echo "rc $?"; grep -E "FAILED|PASSED|ERROR|error:" $OUT/fft_fused.txt | head -8; grep -oE "fused.{0,60}" $OUT/fft_fused.txt | head -9
rows() { # size batch [rows]
  echo "-- $1 batch $2"
  timeout 60 argand bench access --device cuda:0 --size $1 --batch $2 --repeat 7 ${3:+--only "$3"} > $OUT/access_$1.txt 2>&1 || tail -2 $OUT/access_$1.txt
  grep -E "^plain" $OUT/access_$1.txt | cut -c1-110
  awk '/fused$|staged$/ { printf "%s; ", $0 } END { print "" }' $OUT/access_$1.txt | sed 's/   */ /g' | fold -w 240
}
echo "== fused ms, plain ms, ratio (wanted: at most 1.03; 'there and back' has two transforms; 'half the size' is what pruning gives)"
rows 1024 65536
rows 256x256 512
rows 4096 16384 "map at"
rows 65536 512 "map at"
rows 262144 128 "map at"
rows 128x128x128 16 "map at"
rows 256x256x256 2 "half the size"   # 128^3 in 256^3
rows 256x256x256 2 "map at load"
