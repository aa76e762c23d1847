#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# tools/changed_tests.sh [--draw BUILD] [BASE]: which tests of the second tier (label `more`) look at what has changed since commit BASE, as
# a regular expression for ctest -R; nothing, where none does. With --draw, those of them that CI has time for: all of a changed case or
# fuzzer, and of the others some of each folder, drawn at random, by the build folder's list (three minutes of two cores). Without BASE: since the merge base with origin's main branch, or where HEAD
# is that itself, since its first parent. Where the history does not tell (a shallow clone), what a change everywhere would need.
# Of tests of which the first tier takes a sample (in_sample in tests/sample.h) these are the whole. What lies below everything (src/base,
# src/device, cmake) is looked at through one test of each device and two chips more. What needs hours, a network or other programs is
# in no row: all of the second tier is `make test-all`.
set -euo pipefail
cd "$(dirname "$0")/.."

build=
if [ "${1:-}" = --draw ]; then build=$2; shift 2; fi
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
tests/cli/cases/*                  -
@(src|tests)/array/*               opencl/array_|cli/array_
src/fft/cpu/*                      cpu/fft_|opencl/fft_(accuracy|access_types)|arm/cross
src/fft/*                          cpu/fft_|opencl/fft_(accuracy|tile|access|fused|scaled|half|order|layout)
tests/fft/*                        cpu/fft_|opencl/fft_(accuracy|access|scaled|half)
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
@(src|tests)/field/*               cpu/field_|opencl/field_|cpu/recon_(brain_2d|brain_3d|b0_phantom)_whole
@(src|tests)/conv/*                cpu/conv_|opencl/conv_|cli/(convolve|deconvolve|bloom|bench_bloom)
src/nufft/cpu/*                    cpu/nufft_|cpu/recon_brain_2d_whole|cli/nufft_|arm/cross
@(src|tests)/nufft/*               cpu/nufft_|opencl/(nufft|toeplitz)_|cpu/recon_brain_2d_whole|cli/nufft_
@(src|tests)/toeplitz/*            opencl/toeplitz_|cpu/recon_(cancel|brain_2d)_whole
@(src|tests)/segments/*            opencl/segments_|cpu/recon_b0_phantom_whole
@(src|tests)/op/*                  opencl/op_
@(src|tests)/penalty/*             opencl/penalty_
@(src|tests)/solve/*               opencl/solve_|cpu/recon_(brain_2d|precision)_whole
@(src|tests)/mri/*                 cpu/mri_|opencl/mri_|cli/simulate_
@(src|tests)/calib/*               cpu/calib_|opencl/calib_|cpu/recon_cancel_whole|cli/calibrate_
src/recon/*                        opencl/recon_|cpu/recon_(brain_2d|brain_3d|b0_phantom|cancel|precision)_whole|cli/random_scans|cli/(sense|pcsense|grappa|gfactor)_|site/(own-arrays|diffusion)
tests/recon/*                      opencl/recon_|cpu/recon_(brain_2d|brain_3d|b0_phantom|cancel|precision)_whole
src/io/isolated/*                  fuzz/scan_file_whole|cli/faults_(sense|pcsense)_every|arm/cross
@(src|tests)/io/*                  fuzz/scan_file_whole|cli/faults_(sense|pcsense)_every|cpu/io_|cli/(convert|pack|scan)_
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
@(src|tests)/dist/*                cpu/dist_|opencl/dist_|cli/ranks_
@(src|tests)/frames/*              cpu/frames_|opencl/frames_|cli/serve_
cli/kept/*                         site/(own-arrays|diffusion)|cli/workflows_whole|cli/kept_
cli/sense/*                        site/(own-arrays|diffusion)|cli/random_scans|cli/sense_
cli/serve/*                        cli/serve_
cli/calibrate/*                    cli/calibrate_
cli/output/*                       site/(own-arrays|diffusion)|cli/faults_(sense|pcsense)_every|cli/(convert|sense)_
tests/cli/faults*                  cli/faults_(sense|pcsense)_every
@(python|tests/python)/*           python/(access_whole|arrays_whole|leaks_whole|parity_whole|types|types_examples)|site/(html|own-arrays|diffusion|notebooks_all)|wheel/installed
examples/python/*                  python/types_examples|site/(html|own-arrays|diffusion)
docs/@(tutorials|notebooks)/*      python/types_examples|site/(html|own-arrays|diffusion|notebooks_all)
cli/*                              site/(own-arrays|diffusion)
docs/how-to/*                      site/html|site/how-to_
@(docs|examples)/*                 site/html
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
tests/@(sample|harness|parts).h    cpu/.*_whole
tests/@(CMakeLists.txt|cli/run.sh) cli/.*_whole
tests/layers/*                     layers/
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
wanted=$(printf '%s' "$found" | sed 's/|\([a-z]*\/\)/\n\1/g' | awk -F'[()]' '/^-$/ { next } NF < 3 { print; next }
    { n = split($2, names, "|"); for (i = 1; i <= n; i++) print $1 names[i] $3 }' | sort -u | paste -sd'|')
cases=$(sed -n 's|^tests/cli/cases/.*/\([a-z0-9_]*\)\.case$|^cli/\1_whole$|p' <<<"$files" | sort -u | paste -sd'|')
if [ -z "$build" ]; then
    paste -sd'|' < <(printf '%s\n%s\n' "$wanted" "$cases" | grep .)
    exit
fi
tests() { [ -z "$1" ] || ctest --test-dir "$build" -N -L more -R "$1" | sed -n 's/^ *Test *#[0-9]*: //p'; }
# Most that CI runs of a folder. What takes minutes (devices without doubles, other systems, whole tools) waits for `make test-all`.
{
    tests "$cases"
    tests "$wanted" | shuf | awk -F/ '
        /_single$|^(arm|macos)\/|^(wheel\/whole|opencl\/dist_.*|cli\/(files|serve_soak)|cpu\/calib_motion_cases)$/ { next }
        BEGIN { most["cli"] = 12; most["cpu"] = 6; most["opencl"] = 4; most["fuzz"] = 20 }
        { if (kept[$1]++ < ($1 in most ? most[$1] : 2)) print }'
} | sort -u | sed 's/.*/^&$/' | paste -sd'|'
