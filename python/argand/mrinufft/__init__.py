# SPDX-License-Identifier: BSD-3-Clause
"""An operator of mri-nufft: `import argand.mrinufft`, then `mrinufft.get_operator("argand")(samples, shape, n_coils=8, smaps=maps)`.

All coils go through the library in one call. `with_off_resonance_correction` is the library's own (segments by SVD for both directions,
chosen by tolerance) instead of a loop of transforms; `gram_op` is a Toeplitz convolution.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from mrinufft._array_compat import _array_to_numpy, with_numpy  # type: ignore[import-untyped, unused-ignore]
from mrinufft._utils import proper_trajectory  # type: ignore[import-untyped, unused-ignore]
from mrinufft.operators.base import FourierOperatorCPU, _ToggleGradPlanMixin  # type: ignore[import-untyped, unused-ignore]

from .. import _arrays
from .._device import Device
from .._field import SegmentedNUFFT, Toeplitz
from .._library import call, ffi, lib
from .._nufft import make_plan
from .._options import Points
from .._op import Operator

Array = np.ndarray[Any, Any]


class RawArgand:
    """What mri-nufft calls for the transforms themselves: any number of images at once, into arrays that are there. Samples are in
    [-pi, pi), [..., i] along axis i of the image."""

    def __init__(self, samples: Array, shape: tuple[int, ...], eps: float, device: Device | str | None) -> None:
        self.shape, self.eps = tuple(shape), eps
        self.dtype = np.dtype(np.complex64 if samples.dtype == np.float32 else np.complex128)
        self._asked = device
        self.set_samples(samples)

    def set_samples(self, samples: Array) -> None:
        self._samples = samples
        self._points = Points(samples, len(self.shape))
        self.device = _arrays.home(self._points.operand, self._asked)
        self._plans: dict[int, Any] = {}
        self._sign = -1
        self._plan()

    def _plan(self) -> Any:
        plan = self._plans.get(self._sign)
        if plan is None:
            plan = self._plans[self._sign] = make_plan(
                self._points, self.shape, self.dtype, self.device, self.eps, None, sign=self._sign, units="radians"
            )
        return plan

    def toggle_grad_traj(self) -> None:
        """Between exp(-i x r) and exp(+i x r), for gradients by the samples."""
        self._sign = -self._sign

    def _run(self, function: Any, target: Array, target_shape: tuple[int, ...], source: Array, source_shape: tuple[int, ...]) -> Array:
        given = _arrays.contiguous(_arrays.convert(_arrays.operand(source), self.dtype))
        vectors = _arrays.count(given.shape) // _arrays.count(source_shape)
        into = target if target.flags.c_contiguous and target.dtype == self.dtype else np.empty(target.shape, self.dtype)
        to = _arrays.operand(into)
        with self.device.turn:
            if _arrays.reached(given, self.device):
                call(
                    function, self._plan(),
                    _arrays.wrap(self.device, to.pointer, self.dtype, (vectors, *target_shape), None),
                    _arrays.wrap(self.device, given.pointer, self.dtype, (vectors, *source_shape), None),
                )  # fmt: skip
            else:
                self._staged(function, to, (vectors, *target_shape), given, (vectors, *source_shape))
        if into is not target:
            target[...] = into
        return target

    def _staged(self, function: Any, to: Any, target_shape: tuple[int, ...], given: Any, source_shape: tuple[int, ...]) -> None:
        """On a device that does not reach the host's memory."""
        source, target = (_arrays.create(self.device, self.dtype, shape) for shape in (source_shape, target_shape))
        call(lib.argand_array_upload, source, _pointer(given))
        call(function, self._plan(), target, source)
        call(lib.argand_array_download, target, _pointer(to))

    def op(self, coeffs: Array, image: Array) -> Array:
        return self._run(lib.argand_nufft_apply, coeffs, (self._points.count,), image, self.shape)

    def adj_op(self, coeffs: Array, image: Array) -> Array:
        return self._run(lib.argand_nufft_adjoint, image, self.shape, coeffs, (self._points.count,))


def _pointer(x: Any) -> Any:
    return ffi.cast("void *", x.pointer)


def _within(values: Array, inside: Array | None) -> Array:
    """What lies outside of the mask limited to what occurs inside: it costs no segments."""
    if inside is None or not inside.any():
        return values
    low, high = values[inside].min(), values[inside].max()
    return np.where(inside, values, np.clip(np.nan_to_num(values), low, high))


class RawSegmented(RawArgand):
    """The same with a field: operators for so many images at once as are asked for."""

    def __init__(self, raw: RawArgand, segments: dict[str, Any]) -> None:
        self._segments = segments
        self._operators: dict[int, Operator] = {}
        super().__init__(raw._samples, raw.shape, raw.eps, raw._asked)

    def set_samples(self, samples: Array) -> None:
        self._operators = {}
        super().set_samples(samples)

    def toggle_grad_traj(self) -> None:
        raise NotImplementedError("gradients by the samples with a field: use argand.torch")

    def _operator(self, vectors: int) -> Operator:
        op = self._operators.get(vectors)
        if op is None:
            cycles = self._points.operand.array * (np.array(self.shape) / (2 * np.pi))
            op = self._operators[vectors] = SegmentedNUFFT(
                cycles, self.shape, (vectors,), tolerance=self.eps, dtype=self.dtype, device=self.device, **self._segments
            )
        return op

    def op(self, coeffs: Array, image: Array) -> Array:
        given = np.reshape(image, (-1, *self.shape))
        coeffs[...] = self._operator(len(given))(given).reshape(coeffs.shape)
        return coeffs

    def adj_op(self, coeffs: Array, image: Array) -> Array:
        given = np.reshape(coeffs, (-1, self._points.count))
        image[...] = self._operator(len(given)).adjoint(given).reshape(image.shape)
        return image


class MRIArgand(FourierOperatorCPU, _ToggleGradPlanMixin):  # type: ignore[misc, unused-ignore]
    """mri-nufft's operator by Argand; arguments as MRIfinufft's, and `device` ("cuda:0") to compute elsewhere."""

    backend = "argand"
    available = True
    autograd_available = True

    def __init__(
        self, samples: Any, shape: tuple[int, ...], density: Any = False, n_coils: int = 1, n_batchs: int = 1, n_trans: int = 1,
        smaps: Any = None, squeeze_dims: bool = True, eps: float = 1e-6, device: Device | str | None = None,
    ) -> None:  # fmt: skip
        proper = np.ascontiguousarray(_array_to_numpy(proper_trajectory(samples, normalize="pi")))
        if proper.dtype not in (np.float32, np.float64):
            proper = proper.astype(np.float32)
        raw = RawArgand(proper, tuple(shape), eps, device)
        super().__init__(
            proper, tuple(shape), density, n_coils=n_coils, n_batchs=n_batchs, smaps=smaps, raw_op=raw, squeeze_dims=squeeze_dims
        )
        setattr(self, "gram_op", with_numpy(self.gram_op))  # noqa: B010
        self._toeplitz: dict[int, Toeplitz] = {}

    @property
    def n_trans(self) -> int:
        """All coils at once, whatever is asked for."""
        return int(self.n_coils)

    @n_trans.setter
    def n_trans(self, asked: int) -> None:
        pass

    def update_samples(self, new_samples: Any, *, unsafe: bool = False) -> None:
        """Other samples of the same number of dimensions; see mri-nufft."""
        proper = new_samples if unsafe else _array_to_numpy(proper_trajectory(new_samples, normalize="pi"))
        self._samples = np.ascontiguousarray(proper, self.dtype)
        self._toeplitz = {}
        self.raw_op.set_samples(self._samples)
        self.compute_density(self._density_method)

    def gram_op(self, image: Any) -> Any:
        """adj_op(op(image)), density weights included, by convolutions: (n_batchs, n_coils or 1, *shape) as adj_op."""
        batches, coils = self.n_batchs, self.n_coils
        maps = None if self.smaps is None else np.asarray(self.smaps)
        given = np.asarray(image, self.cpx_dtype).reshape(batches, -1, *self.shape)
        each = given * maps if maps is not None else given
        result = np.stack([self._kernels(coils)(x) for x in each]) / np.asarray(self.norm_factor**2, self.dtype)
        if maps is not None:
            result = (maps.conj() * result).sum(axis=1, keepdims=True)
        return self._safe_squeeze(result.astype(self.cpx_dtype, copy=False))

    def _kernels(self, coils: int) -> Toeplitz:
        if coils not in self._toeplitz:
            cycles = np.asarray(self.samples, np.float64) * (np.array(self.shape) / (2 * np.pi))
            weights = None if self.density is None else np.real(np.asarray(self.density)).ravel()
            maps = getattr(self.raw_op, "_segments", {})
            kept = {name: maps[name] for name in ("times", "field_map", "r2star") if maps.get(name) is not None}
            self._toeplitz[coils] = Toeplitz(
                cycles, self.shape, (coils,), weights=weights, dtype=self.cpx_dtype, device=self.raw_op.device,
                tolerance=maps["segment_tolerance"] if kept else max(self.raw_op.eps, 1e-6), **kept,
            )  # fmt: skip
        return self._toeplitz[coils]

    def get_lipschitz_cst(self, max_iter: int = 10, **kwargs: Any) -> Any:
        """The largest eigenvalue of adj_op(op), density included, of one coil: by so many Toeplitz convolutions."""
        normal, x = self._kernels(1), np.random.default_rng(0).standard_normal((1, *self.shape)).astype(self.cpx_dtype)
        size = 1.0
        for _ in range(max_iter):
            x = normal(x / np.linalg.norm(x))
            size = float(np.linalg.norm(x))
        return size / float(self.norm_factor) ** 2

    def with_off_resonance_correction(
        self, readout_time: Any = None, b0_map: Any = None, r2star_map: Any = None, mask: Any = None, interpolator: Any = "svd",
        sign: int = 1, tolerance: float = 1e-4,
    ) -> Any:  # fmt: skip
        """This operator with exp(sign 2 pi i b0 t - R2* t): b0_map in Hz, readout_time in s, r2star_map in 1/s, of any signs.

        mask says where the maps are measured, as in mri-nufft: pixels outside are transformed, too, with values in the range of those inside.
        sign=1 is mri-nufft's (1.5), sign=-1 the physics' (the phase falls where the frequency is higher). Other interpolators than "svd"
        and "mti" go to mri-nufft's own loop.
        """
        if interpolator not in ("svd", "mti") or np.iscomplexobj(b0_map):
            return super().with_off_resonance_correction(readout_time, b0_map, r2star_map, mask, interpolator)
        if sign not in (1, -1):
            raise ValueError(f"sign is 1 or -1, not {sign}")
        times = np.asarray(_array_to_numpy(readout_time), np.float64).ravel()
        if times.size == 0 or self.n_samples % times.size:
            raise ValueError("readout_time should divide or equal the size of the samples.")
        maps: dict[str, Any] = {"times": np.tile(times, self.n_samples // times.size)}
        inside = None if mask is None else np.asarray(_array_to_numpy(mask)) != 0
        for name, given, factor in [("field_map", b0_map, -sign * 2 * np.pi), ("r2star", r2star_map, 1.0)]:
            if given is not None:
                maps[name] = _within(factor * np.asarray(_array_to_numpy(given), np.float64), inside)
        maps.update(segment_tolerance=tolerance, interpolator="svd" if interpolator == "svd" else "min-max")
        other = MRIArgand(
            self.samples, self.shape, False, n_coils=self.n_coils, n_batchs=self.n_batchs, smaps=self.smaps,
            squeeze_dims=self.squeeze_dims, eps=self.raw_op.eps, device=self.raw_op._asked,
        )  # fmt: skip
        other._density = self._density
        other.raw_op = RawSegmented(self.raw_op, maps)
        return other

    @classmethod
    def pipe(cls, kspace_loc: Any, volume_shape: Any, max_iter: int = 10, osf: float = 2, normalize: bool = True, **kwargs: Any) -> Any:
        """Density weights by Pipe and Menon's iteration; normalize: so that adj_op(density op(1)) is 1 on average."""
        points = np.asarray(_array_to_numpy(proper_trajectory(kspace_loc, normalize="pi")), np.float64)
        shape = tuple(int(n) for n in volume_shape)
        from .._calib import density

        weights = density(points * (np.array(shape) / (2 * np.pi)), shape, iterations=max_iter)
        if normalize:
            op = cls(kspace_loc, shape, **kwargs)
            image = np.ones(shape, op.cpx_dtype)
            weights = weights / np.mean(np.abs(op.adj_op(weights.astype(op.dtype) * op.op(image))))
        return weights.astype(np.asarray(kspace_loc).dtype, copy=False)


__all__ = ["MRIArgand"]
