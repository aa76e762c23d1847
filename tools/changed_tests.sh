#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# tools/changed_tests.sh [BASE]: which tests of the second tier (label `more`) look at what has changed since commit BASE, as a
# regular expression for ctest -R; nothing, where none does. Without BASE: since the merge base with origin's main branch, or where HEAD
# is that itself, since its first parent. Where the history does not tell (a shallow clone), what a change everywhere would need.
# Of tests of which the first tier takes a sample (in_sample in tests/sample.h) these are the whole. What lies below everything (src/base,
# src/device, cmake) is looked at through one test of each device and two chips more. What needs hours, a network or other programs is
# in no row: all of the second tier is `make test-all`.
set -euo pipefail
cd "$(dirname "$0")/.."

base=${1:-}
known() { git rev-parse --verify --quiet "$1^{commit}" >/dev/null; }
if [ -z "$base" ]; then
    for main in origin/HEAD origin/main origin/master; do
        known $main && base=$(git merge-base HEAD $main 2>/dev/null) && break
    done
    head=$(git rev-parse HEAD 2>/dev/null) || head=
    if [ -z "$base" ] || [ "$base" = "$head" ]; then base=HEAD~1; fi
fi
if known "$base"; then
    files=$(git diff --name-only "$base" HEAD)
else
    files=$(git ls-files 2>/dev/null || find . -type f)
    echo "changed_tests: the history does not go back to $base: taken as a change everywhere" >&2
fi

# path (a bash pattern)            tests
table='
@(src|tests)/array/*               opencl/array_
src/fft/cpu/*                      opencl/fft_(accuracy|tile|access_types|fused|scaled|half|order)|cpu/fft_error_metrics_whole|arm/cross
src/fft/*                          opencl/fft_(accuracy|tile|access_types|fused|scaled|half|order)|cpu/fft_error_metrics_whole
tests/fft/*                        opencl/fft_(accuracy|access_types|scaled|half)|cpu/fft_error_metrics_whole
bench/reference/*                  cpu/fft_error_metrics_whole
src/kernels/portable_metal.h       metal/
src/kernels/fft/*                  opencl/fft_(accuracy|tile|fused|scaled|half)|nvrtc/(75|90|120)_kinds|device/kernel_keys|hip/gfx90a_clang_all|metal/texts_all
src/kernels/access/*               opencl/fft_(access|fused)|nvrtc/(75|90)_kinds|device/kernel_keys|hip/gfx90a_clang_all|metal/texts_all
src/kernels/field/*                opencl/field_|nvrtc/(75|90|120)_kinds|device/kernel_keys|hip/gfx90a_clang_all|metal/texts_all
src/kernels/nufft/*                opencl/(nufft|toeplitz)_|nvrtc/(75|90|120)_kinds|device/kernel_keys|hip/gfx90a_clang_all|metal/texts_all
src/kernels/conv/*                 opencl/conv_|nvrtc/(75|90|120)_kinds|device/kernel_keys|hip/gfx90a_clang_all|metal/texts_all
src/kernels/operator/*             opencl/(op_|toeplitz_|segments_|mri_)|nvrtc/(75|90|120)_kinds|device/kernel_keys|hip/gfx90a_clang_all|metal/texts_all
src/kernels/tensor/*               opencl/(field|nufft)_|nvrtc/(75|90|120)_kinds|device/kernel_keys|hip/gfx90a_clang_all|metal/texts_all
src/kernels/*                      opencl/(array_|penalty_|segments_|mri_coils)|nvrtc/(75|90|120)_kinds|device/kernel_keys|hip/gfx90a_clang_all|metal/texts_all
@(src|tests)/field/*               opencl/field_|cpu/recon_(brain_2d|brain_3d|b0_phantom)_whole
@(src|tests)/conv/*                opencl/conv_|cpu/conv_large_whole
src/nufft/cpu/*                    opencl/(nufft|toeplitz)_|cpu/nufft_(accuracy|type3)_whole|cpu/recon_brain_2d_whole|cli/sense_device_single|arm/cross
@(src|tests)/nufft/*               opencl/(nufft|toeplitz)_|cpu/nufft_(accuracy|type3)_whole|cpu/recon_brain_2d_whole|cli/sense_device_single
@(src|tests)/toeplitz/*            opencl/toeplitz_|cpu/recon_(cancel|brain_2d)_whole
@(src|tests)/segments/*            opencl/segments_|cpu/recon_b0_phantom_whole
@(src|tests)/op/*                  opencl/op_
@(src|tests)/penalty/*             opencl/penalty_
@(src|tests)/solve/*               opencl/solve_|cpu/recon_(brain_2d|precision)_whole
@(src|tests)/mri/*                 opencl/mri_
@(src|tests)/calib/*               opencl/calib_|cpu/recon_cancel_whole|cli/sense_joint_device
src/recon/*                        opencl/recon_|cpu/recon_(brain_2d|brain_3d|b0_phantom|cancel|precision)_whole|cli/random_scans|cli/sense_joint_device|site/(own-arrays|diffusion)
tests/recon/*                      opencl/recon_|cpu/recon_(brain_2d|brain_3d|b0_phantom|cancel|precision)_whole
src/io/isolated/*                  fuzz/scan_file_whole|cli/faults_(sense|pcsense)_every|arm/cross
@(src|tests)/io/*                  fuzz/scan_file_whole|cli/faults_(sense|pcsense)_every
tests/fuzz/*                       fuzz/scan_file_whole
src/base/files/*                   opencl/device_|cli/faults_(sense|pcsense)_every
src/base/*                         opencl/(device_|array_)|arm/cross
src/device/@(cuda|gpu)/*           nvrtc/(75|90|120)_kinds
src/device/@(hip|gpu)/*            hip/
src/device/metal/*                 metal/
tests/device/@(fake_objc|metal|msl)* metal/
@(src|tests)/device/*              opencl/device_|cli/sense_(device_single|joint_device)
@(src|cli)/*/system*               macos/arm64
@(cmake/macos-zig.cmake|tools/cross_macos.sh) macos/
src/io/isolated/jail_macos.c       macos/arm64
share/wisdom/*                     nvrtc/wisdom
share/workflows/*                  cli/workflows_whole
bench/ladder/*                     opencl/(ladder|tiles)|nvrtc/ladder
tests/bench/*                      opencl/(ladder|tiles)
cli/kept/*                         site/(html|own-arrays|diffusion)|cli/workflows_whole
cli/sense/*                        site/(html|own-arrays|diffusion)|cli/random_scans
cli/output/*                       site/(html|own-arrays|diffusion)|cli/faults_(sense|pcsense)_every
tests/cli/faults*                  cli/faults_(sense|pcsense)_every
@(python|tests/python)/*           python/(access_whole|arrays_whole|leaks_whole|parity_whole|types|types_examples)|site/(html|own-arrays|diffusion|notebooks_all)|wheel/installed
examples/python/*                  python/types_examples|site/(html|own-arrays|diffusion)
docs/@(tutorials|notebooks)/*      python/types_examples|site/(html|own-arrays|diffusion|notebooks_all)
@(cli|docs|examples)/*             site/(html|own-arrays|diffusion)
@(tools|tests)/site/*              site/(html|own-arrays|diffusion)
README.md                          site/html
include/*                          opencl/device_|site/html
cmake/Install.cmake                install/|wheel/
cmake/Python.cmake                 wheel/
tools/wheel/*                      wheel/
tests/wheel/*                      wheel/
pyproject.toml                     wheel/|python/(install|types)
cmake/*.in                         install/|wheel/
cmake/*                            arm/cross
tools/@(arm/*|cross_arm.sh)        arm/cross
src/CMakeLists.txt                 install/|wheel/
tests/install/*                    install/
tests/@(sample|harness|parts).h    _whole
tools/compare_random.py            cli/random_scans
'

shopt -s extglob
found=
while read -r file; do
    while read -r pattern tests; do
        # shellcheck disable=SC2053
        if [ -n "$pattern" ] && [[ $file == $pattern ]]; then
            found+="$tests"$'\n'
            break
        fi
    done <<<"$table"
done <<<"$files"
# ctest knows nine pairs of parentheses at most: a(b|c) becomes ab|ac.
printf '%s' "$found" | sed 's/|\([a-z]*\/\)/\n\1/g' | awk -F'[()]' 'NF < 3 { print; next }
    { n = split($2, names, "|"); for (i = 1; i <= n; i++) print $1 names[i] $3 }' | sort -u | paste -sd'|'
