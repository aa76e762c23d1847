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
echo "none of the old names"
