#!/bin/bash
# Field DFT: correctness, then old against new. Nothing here needs the source tree; OUT gets the whole output. About 60 s on an H200.
out=${OUT:-/tmp}/field; mkdir -p "$out"
# ---- correctness: few problems first; every row below checks its error, adjointness and repeat as well ----
tests() { # label, programs
    for t in "${@:2}"; do
        timeout 200 test_$t cuda:0 >"$out/$t$1.txt" 2>&1
        echo "$t $1: $? $(grep -cE '^\[ +OK' "$out/$t$1.txt") ok $(grep -E '^\[  FAILED' "$out/$t$1.txt" | head -3 | tr '\n' ' ')"
    done
}
export ARGAND_TEST_FEW=1
tests few field_devices field_accuracy field_physics
unset ARGAND_TEST_FEW
# ---- times: label, words of ARGAND_FIELD_SHAPE, then arguments ----
row() {
    local label=$1 words=$2; shift 2
    ARGAND_FIELD_SHAPE="$words" argand bench field --device cuda:0 --alone -q --repeat 15 --model field "$@" >"$out/row.txt" 2>&1 || tail -2 "$out/row.txt"
    cat "$out/row.txt" >>"$out/rows.txt"
    grep -E '^[a-z]+ +single' "$out/row.txt" | awk -v l="$label [$words]" '{printf "%-44s %s %-7s %2d %9s ms %7s  %s %s\n", l, $1, $3, $4, $5, $7, $8, ($9 == "yes" || $10 == "yes") ? "same" : "NOT SAME"}'
}
small="--size 100x100 --samples 10000"
for round in 1 2; do # in turn, because the chip's clock falls
    for words in "one_centre 0" "" "chunks 1 overlap 1 masked 1" "chunks 2 overlap 1" "chunks 2 overlap 1 masked 1" "masked 1" "brief 1" "brief 1 chunks 1 overlap 1 masked 1"; do
        row "32 coils $round" "$words" --coils 32
    done
done
for words in "joined 1" "joined 2" "joined 0"; do
    row "joined" "$words" --coils 8; row "joined" "$words" --coils 4
done
row "16 coils" "" --coils 16; row "16 coils" "one_centre 0" --coils 16; row "16 coils" "brief 1" --coils 16
for words in "dealt 0 spot 16" "dealt 1 spot 16" "dealt 0 spot 8" "" "room 6" "room 16"; do row "10^4" "$words" --coils 1 $small; done
for words in "spot 16" "spot 8"; do row "10^4" "$words" --coils 8 $small; row "10^4" "$words" --coils 32 $small; done
for words in "dealt 0" "dealt 1" "dealt 1 spot 8"; do row "65536 x 65536" "$words" --coils 1; done
for words in "dealt 0" ""; do row "3 10^4" "$words" --coils 1 --size 173x173 --samples 30000; done
for words in "dealt 0" ""; do row "3 10^5" "$words" --coils 1 --size 548x548 --samples 300000 --repeat 3; done
for words in "dealt 0" ""; do row "gradients" "$words" --coils 1 --model gradients; done
# ---- all problems of the tests: many kernels to build; FULL=0 leaves it out ----
[ "$FULL" = 0 ] || tests full field_devices
# For compute-sanitizer: ARGAND_TEST_FEW=1 compute-sanitizer --tool racecheck test_NAME cuda:0 with NAME device_arena, device_kernels, mri_pcsense,
# recon_channels, recon_session, recon_shots, recon_joint, recon_beside, field_devices (the last three launch 7000 to 12000 kernels).
