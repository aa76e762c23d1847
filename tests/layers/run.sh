#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh SOURCE VIEWS CC: each layer compiles against the headers of the layers that it may use, and against no others.
set -euo pipefail
source=$1 views=$2 cc=$3

# What each layer may use at most; its CMakeLists.txt may ask for less.
declare -A allowed=(
    [base]=""
    [kernels]="base"
    [device]="base kernels"
    [array]="base kernels device"
    [segments]="base kernels device array"
    [fft]="base kernels device array"
    [conv]="base kernels device array fft"
    [nufft]="base kernels device array segments fft"
    [toeplitz]="base kernels device array segments fft nufft"
    [field]="base kernels device array fft nufft"
    [op]="base kernels device array segments fft nufft toeplitz field"
    [dist]="base kernels device array segments fft conv nufft toeplitz field op"
    [penalty]="base kernels device array op"
    [denoise]="base kernels device array op penalty"
    [solve]="base kernels device array op penalty"
    [mri]="base kernels device array segments fft nufft toeplitz field op solve"
    [calib]="base kernels device array segments fft nufft toeplitz field op solve mri"
    [maps]="base kernels device array segments fft nufft toeplitz field op solve mri"
    [frames]="base kernels device array segments fft nufft toeplitz field op penalty solve mri calib"
    [io]="base array"
    [report]="base array io"
    [unwarp]="base kernels device array io"
    [recon]="base kernels device array segments fft nufft toeplitz field op dist penalty solve mri calib io"
)
failures=0
complain() { echo "$1"; failures=$((failures + 1)); }

compiles() { # layer header
    echo "#include \"$2\"" | "$cc" -std=c17 -D_GNU_SOURCE -fsyntax-only -x c -I "$views/$1" -I "$source/include" - 2>/dev/null
}

for view in "$views"/*/; do
    layer=$(basename "$view")
    [ -n "${allowed[$layer]+known}" ] || { complain "layer $layer: say in this test what it may use"; continue; }
    # the control: with what is allowed the same command does compile
    compiles "$layer" base/status.h || complain "layer $layer cannot see base/status.h"
    for folder in "$source"/src/*/; do
        other=$(basename "$folder")
        case " $layer ${allowed[$layer]} " in *" $other "*) continue ;; esac
        for header in "$folder"*.h; do
            [ -e "$header" ] || continue
            ! compiles "$layer" "$other/$(basename "$header")" || complain "layer $layer can include $other/$(basename "$header")"
            break
        done
    done
done

# A path that climbs out of its folder would get around the views.
climbing=$(grep -rnE '#include "[^"]*\.\./' "$source"/src "$source"/cli "$source"/examples --include='*.[ch]' --include='*.cc' || true)
[ -z "$climbing" ] || complain "includes that leave their layer:
$climbing"
# The tool and the examples see the public headers, and their own, alone: what they include is in their own folders.
while IFS=: read -r file include; do
    include=${include#*\"}; include=${include%%\"*}
    [ -e "$source/cli/$include" ] || [ -e "$source/bench/$include" ] || [ -e "$source/examples/$include" ] ||
        complain "$file includes $include, which is not of the tool"
done < <(grep -rE '^#include "' "$source"/cli "$source"/examples "$source"/bench/{bench.c,parts,fft,field,nufft,peers,reference} --include='*.[ch]')

[ $failures -eq 0 ] && echo "no wrong include compiles"
