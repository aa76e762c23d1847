#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh FOLDER_OF_FUZZERS: each of them for SECONDS (60), on inputs that no run before had (FIRST=N: from the N-th on). What ends a
# fuzzer is kept in the folder fuzz-findings.
set -uo pipefail
corpus=$(dirname "$(realpath "$0")")/corpus programs=$(realpath "$1") failures=0
first=${FIRST:-$(date +%s)000000}
mkdir -p fuzz-findings && cd fuzz-findings || exit 1
for pair in npy:npy nifti:nifti cfl:cfl png:png pfm:pfm exr:exr tiff:tiff wisdom:wisdom json:json scan_file:scan scan_structure:structure \
    scan_stream:stream scan_twix:twix scan_two:two scan_bruker:bruker sequence:sequence; do
    [ -x "$programs/fuzzer_${pair%:*}" ] || continue # the build lacks the format
    "$programs/fuzzer_${pair%:*}" "$corpus/${pair#*:}" "${COUNT:-1000000000}" "$first" "${SECONDS_EACH:-60}" || failures=$((failures + 1))
done
cd .. && rmdir --ignore-fail-on-non-empty fuzz-findings
exit $((failures > 0))
