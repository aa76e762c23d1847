#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# tools/demo.sh [SCAN.h5 [OPTION...]]: reconstructs a scan without and with its field map and leaves both pictures side by
# side in out/demo. Without a scan it simulates one: a head, 8 coils, spirals of 20 ms, a field that is wrong above the sinus and at
# the ears. The options go to `argand sense` for the corrected picture. ARGAND names the tool (build/release/argand), OUT the folder.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
tool=${ARGAND:-$root/build/release/argand}
out=${OUT:-$root/out/demo}
scan=${1:-}
options=("${@:2}")
[ -x "$tool" ] || { echo "demo: $tool is not there; run make first" >&2; exit 1; }
if [ -n "$scan" ] && [ ! -r "$scan" ]; then echo "demo: $scan cannot be read" >&2; exit 1; fi

mkdir -p "$out"
# only what earlier runs have written
rm -f "$out"/{truth.nii.gz,mask.nii.gz,head.h5,demo.png,demo.html,corrected.html,{uncorrected,corrected}{.nii.gz,.png,.csv,.json,-convergence.png}}

step() { printf '\n== %s\n' "$*"; }
start=$SECONDS
if [ -z "$scan" ]; then
    scan=$out/head.h5
    simulated=yes
    step "a simulated scan: $scan"
    "$tool" simulate "$scan" --matrix 128 --coils 8 --readout 20 --field-range 150
fi
step "what it holds"
"$tool" info "$scan"
step "without the field map"
"$tool" sense "$scan" "$out/uncorrected.nii.gz" --field-map none
step "with the field map"
"$tool" sense "$scan" "$out/corrected.nii.gz" --report ${options[@]+"${options[@]}"}

step "side by side"
images=("$out/uncorrected.nii.gz" "$out/corrected.nii.gz")
captions='without field map|with field map' shown=()
if [ -n "${simulated:-}" ]; then
    "$tool" convert --quiet "$scan:Truth" "$out/truth.nii.gz"
    images+=("$out/truth.nii.gz")
    captions="$captions|truth"
    shown=(--zoom 3 --high 0.5) # the bone, at 1, would make the brain dark
fi
"$tool" convert --quiet "${images[@]}" "$out/demo.png" --captions "$captions" "${shown[@]}"
"$tool" report --quiet "${images[@]}" "$out/demo.html" --captions "$captions" --title "With and without the field map"
if [ -n "${simulated:-}" ]; then echo "against the truth:"; else echo "against the corrected image:"; fi
"$tool" compare "${images[@]}"
if grep -q '"Transform": "nufft"' "$out/corrected.json"; then
    echo "The scan has no field map that could correct anything: both pictures are the same. argand sense --field-map takes one."
fi

cat <<TEXT

Done in $((SECONDS - start)) s. In $out:
  demo.png                       the pictures side by side: without and with correction${simulated:+, and the truth}
  uncorrected.nii.gz, .png       without the field map
  corrected.nii.gz, .png         with the field map
  corrected.html                 report of the corrected image: open it in a browser (no network needed)
  demo.html                      the images side by side in a browser, with a window to set by mouse
  *.csv, *-convergence.png       residual of each iteration, as table and as plot
  *.json                         parameters of the scan and of the reconstruction
TEXT
