# SPDX-License-Identifier: BSD-3-Clause
"""Fourier imaging on NumPy, CuPy and PyTorch arrays: FFT, nonuniform FFT, the field-corrected DFT, MRI reconstruction.

Axes are in NumPy's order, the slowest first: images (ny, nx) or (nz, ny, nx), coils before them. The C library names them the other way
round, {nx, ny, coils}: the same memory. Points of k-space are (..., d), the last axis in the order of the image's axes, in cycles per field
of view: |k| <= N/2. Signs, units and scalings are those of docs/conventions.md.
"""

from . import _errors as errors
from . import trajectory
from ._device import Device, DeviceInfo, devices
from ._errors import Error
from ._fft import fft, fft2, fftn, ifft, ifft2, ifftn, irfft, irfft2, irfftn, rfft, rfft2, rfftn
from ._library import version as __version__
from ._mri import birdcage, head_field, phantom
from ._nufft import NUFFT, NUFFTInfo, nufft1, nufft2
from ._op import FFT, Diagonal, Operator
from ._progress import Progress
from ._recon import Reconstructed, pcsense, sense

__all__ = [
    "FFT", "NUFFT", "Device", "DeviceInfo", "Diagonal", "Error", "NUFFTInfo", "Operator", "Progress", "Reconstructed", "__version__",
    "birdcage", "devices", "errors", "fft", "fft2", "fftn", "head_field", "ifft", "ifft2", "ifftn", "irfft", "irfft2", "irfftn",
    "nufft1", "nufft2", "pcsense", "phantom", "rfft", "rfft2", "rfftn", "sense", "trajectory",
]  # fmt: skip
