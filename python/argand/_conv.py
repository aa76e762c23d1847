# SPDX-License-Identifier: BSD-3-Clause
"""Convolution and correlation of signals, images and volumes with a kernel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from . import _again, _arrays, _html
from ._device import Device
from ._library import Held, call, ffi, lib, make, numpy_axes, printed, watch
from ._options import conv_options
from ._recipe import Recipe, once, recipe_of, remembered
from ._types import Array, ArrayLike, ConvolutionMethod, ConvolutionMode, DTypeLike, DynamicRange, GPUArray, ImageBorder, Normalise, same_kind

if TYPE_CHECKING:
    from ._comm import Comm

class Convolution(Held, _html.Described):
    """A plan for repeated convolutions: y[i] = sum_j h[j] x[i + c - j]. The kernel h is set once; plan(x) convolves images.

    shape          of an image: 1, 2 or 3 axes, as (ny, nx)
    kernel         h, with as many axes, real or complex, as (ky, kx)
    batch          images of one call, (batch, *shape) (default 1)
    mode           "same": one result for each element; "full": all that the kernel reaches; "valid": those that no border reaches
                   (default "same")
    border         how the image continues beyond its edge, for all axes or one for each: "zero", "constant", "wrap", "clamp", "mirror"
                   (default "zero")
    constant       the value beyond the edge with border "constant" (default 0.0)
    centre         c, an index for each axis of the kernel (default None: floor(n/2))
    correlate      sum_j conj(h[j]) x[i - c + j] instead (default False)
    normalise      divide the kernel by its sum ("channel" or "luminance") (default None: as it is)
    method         "direct" sums, "fft", or "auto": the faster one as predicted (default "auto")
    dynamic_range  "auto" computes in double precision where dark regions need it, "narrow" never, "wide" always (default "auto")
    dtype          of the computation: float32, float64, complex64 or complex128 (default None: the kernel's)
    device         where to compute, as "cpu" or "cuda:0" (default None: where the kernel is)

    >>> blur = argand.Convolution((1, 4), np.array([[1.0, 1.0]]), mode="full")
    >>> blur(np.array([[1.0, 2.0, 3.0, 4.0]]))
    array([[1., 3., 5., 7., 4.]])
    """

    @remembered
    def __init__(
        self, shape: Sequence[int], kernel: ArrayLike, *, batch: int = 1, mode: ConvolutionMode = "same",
        border: ImageBorder | Sequence[ImageBorder] = "zero", constant: complex = 0.0, centre: Sequence[int] | None = None,
        correlate: bool = False, normalise: Normalise | None = None, method: ConvolutionMethod = "auto",
        dynamic_range: DynamicRange = "auto", dtype: DTypeLike | None = None, device: Device | str | None = None,
    ) -> None:  # fmt: skip
        h, shape = _arrays.operand(kernel), _arrays.sizes(shape)
        rank = len(shape)
        if rank not in (1, 2, 3) or len(h.shape) != rank:
            raise ValueError(f"images and kernels have the same 1, 2 or 3 axes, not shapes {tuple(shape)} and {h.shape}")
        if 0 in h.shape or 0 in shape:
            raise ValueError(f"images and kernels are not empty: shapes {tuple(shape)} and {h.shape}")
        self.dtype = h.dtype if dtype is None else _arrays.computed(dtype)
        self.shape, self.batch, self.device = tuple(shape), batch, _arrays.home(h, device)
        given = conv_options(
            shape, h, batch, self.dtype, mode=mode, border=border, constant=constant, centre=centre, correlate=correlate,
            normalise=normalise, method=method, dynamic_range=dynamic_range,
        )  # fmt: skip
        with self.device.turn, numpy_axes(rank):
            self._handle = make(lib.argand_conv_create, "argand_conv", lib.argand_conv_destroy, self.device._handle, given)
            call(lib.argand_conv_set_kernel, self._handle, _arrays.to_device(_arrays.contiguous(h), self.device))
        info = ffi.new("argand_conv_info *")
        lib.argand_conv_describe(self._handle, info)
        self.output_shape = tuple(list(info.out)[:rank][::-1])
        self.method = ffi.string(info.method).decode()
        self._bytes, self._kernel, self._mode = int(info.bytes), h.shape, mode

    def sharpen(self, s: float) -> None:
        """Computes (1 - s) (h * x) + s x from now on: s = 0 is the kernel alone, 1 the image itself."""
        call(lib.argand_conv_set_sharpness, self._handle, s)
        self._blunt = getattr(self, "_blunt", None) or recipe_of(self)
        self._recipe = Recipe(_sharpened, (self._blunt, s))

    @overload
    def __call__(self, image: GPUArray) -> GPUArray: ...
    @overload
    def __call__(self, image: npt.ArrayLike) -> Array: ...
    def __call__(self, image: Any) -> Any:
        """The convolution of image (*shape) or, of a batch, (batch, *shape)."""
        x = _arrays.operand(image)
        wanted = self.shape if self.batch == 1 and len(x.shape) == len(self.shape) else (self.batch, *self.shape)
        if x.shape != wanted:
            raise ValueError(f"the convolution takes an image of shape {wanted}, not {x.shape}")
        x = _arrays.contiguous(_arrays.convert(x, self.dtype))
        lead = wanted[: len(wanted) - len(self.shape)]
        where = _Batched(x, self.device, lead, self.shape)
        return where.compute(lib.argand_conv_apply, self._handle, self.output_shape, self.dtype)

    def _describe(self) -> list[tuple[str, str]]:
        return [
            ("shape", f"{self.shape} to {self.output_shape}"), ("batch", str(self.batch)), ("type", str(self.dtype)),
            ("device", self.device.name), ("kernel", str(self._kernel)), ("mode", self._mode), ("method", self.method),
            ("memory", _html.size(self._bytes)), ("made of", printed(lib.argand_conv_print, self._handle)),
        ]  # fmt: skip


def _sharpened(plan: Convolution, s: float) -> Convolution:
    plan.sharpen(s)
    return plan


class _Batched:
    """{n..., channels (1), batch} of the library."""

    def __init__(self, x: _arrays.Operand, device: Device, lead: tuple[int, ...], shape: tuple[int, ...]) -> None:
        self.x, self.device, self.lead, self.shape = x, device, lead, shape

    def compute(self, function: Any, plan: Any, result: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
        x, device = self.x, self.device
        inner = (_arrays.count(self.lead), 1, *self.shape)
        out = (_arrays.count(self.lead), 1, *result)
        to = x.space.operand(x.space.empty((*self.lead, *result), dtype))
        with device.turn:
            if _arrays.reached(x, device):
                source = _arrays.wrap(device, x.pointer, x.dtype, inner, None)
                call(function, plan, _arrays.wrap(device, to.pointer, dtype, out, None), source)
                return to.array
            source, target = _arrays.create(device, x.dtype, inner), _arrays.create(device, dtype, out)
            call(lib.argand_array_upload, source, ffi.cast("void *", x.pointer))
            call(function, plan, target, source)
            call(lib.argand_array_download, target, ffi.cast("void *", to.pointer))
            return to.array


# ---- Convolutions like earlier ones: small plans are kept. If the kernel has other values, the plan takes them. ----

_MOST, _MOST_BYTES = 32, 1 << 20
_ARRAYS, _SIZES = ffi.typeof("argand_array *[3]"), ffi.typeof("int64_t[]")


class _Kept:
    """A plan with the sizes of its arrays. Only one thread at a time uses it: convolve() takes it out of _kept for the call."""

    def __init__(self, plan: Convolution, lead: tuple[int, ...], kernel: tuple[int, ...]) -> None:
        self.plan, self._rank, self._kind = plan, len(plan.shape), _arrays.TYPES[plan.dtype]
        self._kernel, self._result = b"", (*lead, *plan.output_shape)
        after = (1, plan.batch)
        self._in, self._out = ffi.new(_SIZES, (*plan.shape[::-1], *after)), ffi.new(_SIZES, (*plan.output_shape[::-1], *after))
        self._of_kernel = ffi.new(_SIZES, kernel[::-1])

    def run(self, x: np.ndarray[Any, Any], kernel: np.ndarray[Any, Any]) -> Array | None:
        """Returns None if a call of the library failed: convolve() then makes a plan, which raises the error."""
        wrap, apply, rank, kind, device = lib.argand_array_wrap, lib.argand_conv_apply, self._rank, self._kind, self.plan.device._handle
        result, arrays, values = np.empty(self._result, self.plan.dtype), ffi.new(_ARRAYS), kernel.tobytes()
        try:
            status = wrap(arrays, device, kind, rank + 2, self._in, ffi.NULL, ffi.from_buffer(x))
            status = status or wrap(arrays + 1, device, kind, rank + 2, self._out, ffi.NULL, ffi.from_buffer(result))
            if values != self._kernel:
                status = status or wrap(arrays + 2, device, kind, rank, self._of_kernel, ffi.NULL, ffi.from_buffer(kernel))
                status = status or lib.argand_conv_set_kernel(self.plan._handle, arrays[2])
                self._kernel = values
            status = status or apply(self.plan._handle, arrays[1], arrays[0])
        finally:
            for i in (0, 1, 2):
                lib.argand_array_destroy(arrays[i])
        return None if status or watch.raised is not None else result


_kept: dict[Any, _Kept] = {}


def _at_once(x: Any, kernel: Any, key: tuple[Any, ...], options: dict[str, Any]) -> Array | None:
    """Returns the convolution of arrays in C order on the host, or None for other arrays and if a call fails."""
    if not _again.is_plain(x, _arrays.TYPES) or not _again.is_plain(kernel, _arrays.TYPES) or not 1 <= kernel.ndim <= min(3, x.ndim):
        return None
    dtype = x.dtype if x.dtype == kernel.dtype else np.result_type(x.dtype, kernel.dtype)
    key = (x.shape, kernel.shape, dtype, *key)
    try:
        kept = _kept.pop(key, None)
    except TypeError:  # a list
        return None
    x, kernel = x.astype(dtype, copy=False), kernel.astype(dtype, copy=False)
    if kept is None:
        at = x.ndim - kernel.ndim
        lead, shape = x.shape[:at], x.shape[at:]
        plan = once(Convolution, shape, kernel, batch=_arrays.count(lead), dtype=dtype, **options)
        kept = _Kept(plan, lead, kernel.shape)
    result = kept.run(x, kernel)
    if result is not None and kept.plan._bytes <= _MOST_BYTES:
        for oldest in list(_kept)[: 1 - _MOST]:  # a copy: other threads change the dictionary
            _kept.pop(oldest, None)
        _kept[key] = kept
    return result


@same_kind
def convolve(
    x: ArrayLike, kernel: ArrayLike, mode: ConvolutionMode = "full", *, border: ImageBorder | Sequence[ImageBorder] = "zero",
    constant: complex = 0.0, centre: Sequence[int] | None = None, method: ConvolutionMethod = "auto",
    dynamic_range: DynamicRange = "auto", device: Device | str | None = None, comm: Comm | None = None,
) -> Array:  # fmt: skip
    """The convolution y[i] = sum_j h[j] x[i + c - j], as scipy.signal.convolve, over the last axes of x, as many as the kernel has.
    Returns (..., *shape of the mode).

    x              (..., [nz,] [ny,] nx), real or complex
    kernel         h, of 1, 2 or 3 axes, as (ky, kx), real or complex
    mode           "full": all that the kernel reaches; "same": one result for each element; "valid": those that no border reaches
                   (default "full")
    border         how x continues beyond its edge, for all axes or one for each: "zero", "constant", "wrap", "clamp", "mirror"; in
                   scipy.ndimage "constant" with 0, "constant", "wrap", "nearest", "reflect" (default "zero")
    constant       the value beyond the edge with border "constant" (default 0.0)
    centre         c, an index for each axis of the kernel (default None: floor(n/2), for even n one further than SciPy's "same")
    method         "direct" sums, "fft", or "auto": the faster one as predicted (default "auto")
    dynamic_range  "auto" computes in double precision where dark regions of x need it (2 to 3 times as long), "narrow" never, "wide"
                   always (default "auto")
    device         where to compute, as "cpu" or "cuda:0" (default None: where x is)
    comm           an argand.Comm: x is this rank's part, its planes along the first of the kernel's axes (Comm.slab), and so is the
                   result; mode "same" only

    Errors are relative to the elements within the kernel's reach. NaN and infinity spread only as far as the kernel reaches, by every
    method.

    >>> argand.convolve([1.0, 2.0, 3.0], [1.0, 1.0])
    array([1., 3., 5., 3.])
    """
    if comm is not None:
        from . import _dist

        return _dist.convolve(
            x, kernel, mode, comm, device, border=border, constant=constant, centre=centre, method=method, dynamic_range=dynamic_range
        )
    if device is None or device == "cpu":
        done = _at_once(
            x, kernel, (mode, border, constant, centre, method, dynamic_range),
            {"mode": mode, "border": border, "constant": constant, "centre": centre, "method": method, "dynamic_range": dynamic_range},
        )  # fmt: skip
        if done is not None:
            return done
    given, h = _arrays.operand(x), _arrays.operand(kernel)
    dtype = np.result_type(given.dtype, h.dtype)
    rank = len(h.shape)
    if rank < 1 or len(given.shape) < rank:
        raise ValueError(f"a kernel of shape {h.shape} and an image of shape {given.shape} do not go together")
    lead, shape = given.shape[: len(given.shape) - rank], given.shape[len(given.shape) - rank :]
    plan = once(
        Convolution, shape, _arrays.convert(h, dtype).array, batch=max(1, _arrays.count(lead)), mode=mode, border=border, constant=constant,
        centre=centre, method=method, dynamic_range=dynamic_range, dtype=dtype, device=device if given.space.is_host else _arrays.place(given, device),
    )  # fmt: skip
    result = (*lead, *plan.output_shape)
    if 0 in lead:
        nothing: Array = given.space.empty(result, dtype)
        return nothing
    flat = _arrays.contiguous(_arrays.convert(given, dtype)).array.reshape((plan.batch, *shape))
    found: Array = plan(flat).reshape(result)
    return found
