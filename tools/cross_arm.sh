#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# tools/cross_arm.sh [build|test|sysroot]: compiles Argand for 64-bit Arm Linux on another machine, into build/aarch64, and (test, the
# default) runs tests and the tool under QEMU's user emulation. TESTS='cpu/fft_.*' are other tests, as a regular expression; OPTIONS are
# more of CMake's; NATIVE is this machine's own argand, whose image must be the same (tools/arm/tool.sh). It needs Debian's
# gcc-aarch64-linux-gnu, g++-aarch64-linux-gnu and, for tests, qemu-user; no root (docs/internals/arm.md).
# Returns 77 if a program or the network is missing.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
what=${1:-test} build=${BUILD:-$root/build/aarch64} sysroot=${ARGAND_SYSROOT:-$root/build/sysroot-aarch64} jobs=${JOBS:-$(nproc)}
case $what in build | test | sysroot) ;; *) sed -n '3,7s/^# \{0,1\}//p' "$0" >&2; exit 2 ;; esac

missing() { echo "cross_arm: $1" >&2; exit 77; }
command -v aarch64-linux-gnu-gcc >/dev/null || missing "there is no aarch64-linux-gnu-gcc (Debian: gcc-aarch64-linux-gnu g++-aarch64-linux-gnu)"
qemu=$(command -v qemu-aarch64 || command -v qemu-aarch64-static) || [ "$what" != test ] || missing "there is no qemu-aarch64 (Debian: qemu-user)"

"$root/tools/arm/sysroot.sh" "$sysroot" || missing "the libraries for arm64 could not be fetched (messages above)"
[ "$what" != sysroot ] || exit 0

# A few short tests of each part (docs/internals/arm.md has their processor time): half precision, SIMD of FFTs, positions of NUFFTs,
# phasors of the field, weights and whole reconstructions. QEMU takes 20 to 40 times the time of this machine.
first='base_(hash|cpu_model)|fft_(half_convert|short)|nufft_position|field_phasor|recon_(numbers|density)'
tests=${TESTS:-^cpu/($first)\$}

ninja=()
if [ ! -f "$build/CMakeCache.txt" ] && command -v ninja >/dev/null; then ninja=(-G Ninja); fi
# shellcheck disable=SC2086
cmake -S "$root" -B "$build" "${ninja[@]}" --toolchain "$root/cmake/aarch64-linux-gnu.cmake" -DARGAND_SYSROOT="$sysroot" \
    -DCMAKE_BUILD_TYPE=Release -DARGAND_BUILD_TESTS=ON ${OPTIONS:-} >"$build.log" 2>&1 || { cat "$build.log" >&2; exit 1; }
targets=(argand_cli)
if [ "$what" = test ]; then
    while read -r name; do targets+=("test_$name"); done < <(
        ctest --test-dir "$build" -N -LE more -R "$tests" | sed -n 's/^ *Test *#[0-9]*: cpu\///p')
fi
cmake --build "$build" -j "$jobs" --target "${targets[@]}"
[ "$what" = test ] || exit 0
"$root/tools/arm/tool.sh" "$build/argand" "$sysroot" "${NATIVE:-}"
OMP_WAIT_POLICY=passive ctest --test-dir "$build" -LE more -R "$tests" -j "$jobs" --output-on-failure --no-tests=error
