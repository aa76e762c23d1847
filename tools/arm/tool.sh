#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# tools/arm/tool.sh ARGAND SYSROOT [NATIVE]: the tool for 64-bit Arm under QEMU, on a small scan. Its image must be the scan's truth within
# the error that this few samples have; its FFT must be NumPy's, if python3 has NumPy here, and lead back. NATIVE is this machine's own tool:
# its image of the same scan must be the same.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '3,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
argand=$(realpath "$1") sysroot=$(realpath "$2") native=${3:+$(realpath "$3")}
qemu=$(command -v qemu-aarch64 || command -v qemu-aarch64-static) || { echo "tool: there is no qemu-aarch64 (Debian: qemu-user)" >&2; exit 77; }
export OMP_WAIT_POLICY=passive ARGAND_WISDOM=off ARGAND_DEVICE=cpu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
arm() { "$qemu" -L "$sysroot" "$argand" "$@"; }

echo "tool: $(arm --version) runs under $("$qemu" --version | head -n 1)"
arm devices | grep "^cpu"
arm simulate scan.h5 --matrix 32 --readout 5 -q
arm sense scan.h5 image.nii.gz --iterations 10 -q
arm convert scan.h5:Truth truth.nii.gz -q
arm compare image.nii.gz truth.nii.gz --limit 0.25
if [ -n "$native" ]; then
    "$native" sense scan.h5 native.nii.gz --iterations 10 -q
    "$native" compare image.nii.gz native.nii.gz --limit 1e-5
fi

arm fft truth.nii.gz kspace.npy --centred -q
arm fft kspace.npy back.npy --centred --inverse --scale inverse -q
arm compare back.npy truth.nii.gz --limit 1e-6
arm convert truth.nii.gz truth.npy -q
if python3 -c 'import numpy' 2>/dev/null; then
    python3 - <<'END'
import numpy as np
image, ours = np.load("truth.npy").squeeze().astype(complex), np.load("kspace.npy").squeeze()
theirs = np.fft.fftshift(np.fft.fftn(np.fft.ifftshift(image)))
error = np.linalg.norm(ours - theirs) / np.linalg.norm(theirs)
print(f"kspace.npy: {error:.1e} from numpy.fft")
assert ours.shape == theirs.shape and error < 1e-6, (ours.shape, theirs.shape, error)
END
fi
