# SPDX-License-Identifier: BSD-3-Clause
"""Fourier imaging on NumPy, CuPy and PyTorch arrays: FFT, nonuniform FFT, the field-corrected DFT, MRI reconstruction.

Axes are in NumPy's order, the slowest first: images (ny, nx) or (nz, ny, nx), coils before them. The C library names them the other way
round, {nx, ny, coils}: the same memory. Points of k-space are (..., d), the last axis in the order of the image's axes, in cycles per field
of view: |k| <= N/2. Signs, units and scalings are those of docs/conventions.md.
"""

import importlib
from typing import TYPE_CHECKING

from . import _errors as errors
from . import tool, trajectory
from ._access import Call, Transform
from ._calib import Compressed, adaptive_maps, compress, density, espirit, field_map, gridding, mix, unwrap, whiten
from ._comm import Comm, CommInfo
from ._conv import Convolution, convolve
from ._device import Device, DeviceInfo, devices
from ._errors import Error
from ._dist import DistNUFFT
from ._fft import fft2, fftn, ifft, ifft2, ifftn, irfft, irfft2, irfftn, rfft, rfft2, rfftn
from ._field import SENSE, FieldDFT, SegmentedNUFFT, SegmentsInfo, Toeplitz, field_dft, field_gradient
from ._io import Geometry, read, read_nifti, read_trajectory, write, write_nifti, write_trajectory
from ._library import get_include, get_prefix
from ._library import version as __version__
from ._mri import birdcage, head_field, phantom
from ._names import fft
from ._nufft import NUFFT, NUFFT3, NUFFTInfo, nufft1, nufft2, nufft3
from ._op import FFT, Diagonal, Operator
from ._progress import Progress
from ._result import Report, Result
from ._show import View, show, write_png, write_report
from ._solve import Gradient, Wavelet, solve
from .tool._front import pcsense, sense
from .tool._scans import Acquisition, Scan, read_scan, write_scan
from .tool import (
    bloom, calibrate_coils, calibrate_compress, calibrate_delays, calibrate_density, calibrate_field_map, calibrate_motion, calibrate_noise, compare, convert,
    deconvolve, gather, grid, info, map_match, map_t2star, map_water_fat, nufft, pack, report, resample, serve, simulate,
)  # fmt: skip

if not TYPE_CHECKING:  # mypy would take every name of the package for such a module

    def __getattr__(name: str) -> object:
        """The modules that need another package, imported when they are first named."""
        if name in ("scipy_backend", "torch", "mrinufft", "sigpy", "deepinv"):
            return importlib.import_module(f"{__name__}.{name}")
        here = _HERE.get(name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}" + (f": {here} is what it has" if here else ""))

    _HERE = {  # names of other packages
        "nufft_adjoint": "nufft1, from samples to an image,", "dft": "field_dft",
        "fftshift": "argand.fft.fftshift", "ifftshift": "argand.fft.ifftshift", "fftfreq": "argand.fft.fftfreq", "fftconvolve": "convolve",
        "shepp_logan": "phantom", "birdcage_maps": "birdcage", "EspiritCalib": "espirit", "get_operator": "argand.mrinufft for mrinufft.get_operator",
        "load": "read", "save": "write", "cg": "solve", "dcf": "density", "toeplitz_psf": "Toeplitz", "set_num_threads": "Device.threads",
    }  # fmt: skip


__all__ = [
    "Acquisition", "Call", "Comm", "CommInfo", "Compressed", "Convolution", "Device", "DeviceInfo", "Diagonal", "DistNUFFT", "Error", "FFT",
    "FieldDFT", "Geometry", "Gradient", "NUFFT", "NUFFT3", "NUFFTInfo", "Operator", "Progress", "Report", "Result", "SENSE", "Scan",
    "SegmentedNUFFT", "SegmentsInfo", "Toeplitz", "Transform", "View", "Wavelet", "__version__", "adaptive_maps", "birdcage", "bloom",
    "calibrate_coils", "calibrate_compress", "calibrate_delays", "calibrate_density", "calibrate_field_map", "calibrate_motion", "calibrate_noise", "compare",
    "compress", "convert", "convolve", "deconvolve", "density", "devices", "errors", "espirit", "fft", "fft2", "fftn", "field_dft",
    "field_gradient", "field_map", "gather", "get_include", "get_prefix", "grid", "gridding", "head_field", "ifft", "ifft2", "ifftn", "info",
    "irfft", "irfft2", "irfftn", "map_match", "map_t2star", "map_water_fat", "mix", "nufft", "nufft1", "nufft2", "nufft3", "pack", "pcsense", "phantom", "read", "read_nifti", "read_scan",
    "read_trajectory", "report", "resample", "rfft", "rfft2", "rfftn", "sense", "serve", "show", "simulate", "solve", "tool", "trajectory",
    "unwrap", "whiten", "write", "write_nifti", "write_png", "write_report", "write_scan", "write_trajectory",
]  # fmt: skip
