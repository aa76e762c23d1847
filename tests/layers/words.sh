#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# words.sh SOURCE: names that have given way to the field's own do not come back (docs/log may have them).
set -euo pipefail
cd "$1"
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || { echo "not a checkout: skipped"; exit 77; }
gone='ARGAND_FFT_BOX|ARGAND_APART|argand_scan_read_apart|argand_span|argand_fft_side|fft_(six|truth|ground)|field_ways?|way_state'
gone+='|(cpu|device|across|within|along|primes|real)_way|ahead:[a-z0-9]+|(across|within|primes)_[a-z_]+|box_(shape|stage|pass|limits|program|run)'
gone+='|fft_(box|wave|wave_access|stream)(_[a-z0-9]+)?|stands_back|foresee|is_usual|wave_params'
if git grep -nwE "$gone" -- . ':!docs/log' ':!CHANGELOG.md' ':!tests/layers/words.sh'; then
    echo "these names have others now (docs/internals/fft.md, fft-gpu.md, kernels.md)"
    exit 1
fi
# Parts of identifiers whose meaning had a standard name: capacity, scratch, occupancy; layout, end, order; text, message, parameters;
# twiddle, transpose, phase factor, iteration. Kept: turns of a phase, and the right-hand side.
parts='\b(\w+_)?rooms?(_\w+)?\b|\b\w+_words\b|\bwords_\w+|\bchar \*?words\b'
parts+='|\b(?!right_hand_)\w+_sides?\b|\bsides?_\w+|\w+_beside\b|\bbeside_\w+|\[side\]|\bstruct side\b|\bint side\b'
parts+='|\b\w+_turn(ed)?\b|\bturned_\w+|\bturn_(?!phasor)\w+|\b(int|int64_t|bool) turn(ed)?\b'
if git grep -nP "$parts" -- '*.c' '*.h' '*.krn' '*.py' '*.js' ':!docs/log' ':!tests/layers'; then
    echo "a part of these names has a standard word (docs/internals/README.md, glossary)"
    exit 1
fi
echo "none of the old names"
