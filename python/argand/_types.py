# SPDX-License-Identifier: BSD-3-Clause
"""The types of public functions: arrays that they take and give, and the names of their choices."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, Protocol, TypeVar, overload

import numpy as np
import numpy.typing as npt

from numpy.typing import DTypeLike as DTypeLike


class OnGPU(Protocol):
    """An array of CuPy or PyTorch, which may lie in a GPU's memory."""

    @property
    def __cuda_array_interface__(self) -> Any: ...


class Exported(Protocol):
    """An array that DLPack hands over."""

    def __dlpack__(self) -> Any: ...

    def __dlpack_device__(self) -> Any: ...


Array = np.ndarray[Any, Any]
ArrayLike = npt.ArrayLike | OnGPU | Exported  # what functions take: NumPy's arrays and lists, CuPy's, PyTorch's, DLPack's
GPUArray = TypeVar("GPUArray", bound=OnGPU)
P = ParamSpec("P")

Norm = Literal["backward", "ortho", "forward"]
OperatorNorm = Literal["backward", "ortho"]
Units = Literal["cycles", "radians"]
Order = Literal["centred", "fft"]
Sign = Literal[-1, 1]
Border = Literal["zero", "wrap", "clamp", "mirror"]
ImageBorder = Literal["zero", "constant", "wrap", "clamp", "mirror"]
ConvolutionMode = Literal["same", "full", "valid"]
ConvolutionMethod = Literal["auto", "direct", "fft"]
DynamicRange = Literal["auto", "narrow", "wide"]
Normalise = Literal["channel", "luminance"]
Interpolator = Literal["auto", "linear", "hann", "min-max", "svd"]
Solver = Literal["auto", "cg", "half-quadratic", "fista", "pogm", "admm"]
DensityMethod = Literal["pipe", "deconvolve", "voronoi"]
Part = Literal["magnitude", "phase", "real", "imaginary"]
WaveletName = Literal["daubechies4", "haar"]
KUnit = Literal["auto", "cycles", "normalised", "rad/pixel", "1/mm", "1/m", "rad/mm", "rad/m"]


class SameKind(Protocol[P]):
    """A function whose result is of the kind of its first argument: CuPy's and PyTorch's arrays give such, all others NumPy's."""

    @overload
    def __call__(self, x: GPUArray, /, *args: P.args, **kwargs: P.kwargs) -> GPUArray: ...
    @overload
    def __call__(self, x: npt.ArrayLike | Exported, /, *args: P.args, **kwargs: P.kwargs) -> Array: ...


class SameKindAsSecond(Protocol[P]):
    """The same for the second argument; the first one is an operator."""

    @overload
    def __call__(self, op: Operator, y: GPUArray, /, *args: P.args, **kwargs: P.kwargs) -> GPUArray: ...
    @overload
    def __call__(self, op: Operator, y: npt.ArrayLike | Exported, /, *args: P.args, **kwargs: P.kwargs) -> Array: ...


if TYPE_CHECKING:
    from ._op import Operator

    def same_kind_as_second(function: Callable[Concatenate[Operator, ArrayLike, P], Array]) -> SameKindAsSecond[P]: ...

    def same_kind(function: Callable[Concatenate[ArrayLike, P], Array]) -> SameKind[P]: ...

else:

    def same_kind(function):
        """The function itself: what it returns is said to type checkers alone."""
        return function

    same_kind_as_second = same_kind
