# SPDX-License-Identifier: BSD-3-Clause
"""Physics of deepinv that Argand computes: multi-coil MRI along any trajectory, in images and volumes, with a field.

    physics = argand.deepinv.NonCartesianMRI((ny, nx), points, coil_maps=maps, field_map=w, times=t)
    y = physics(x);  x_hat = physics.A_dagger(y);  physics.A_adjoint(y)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from deepinv.physics.mri import MultiCoilMRI  # type: ignore[import-untyped, unused-ignore]

from .. import _arrays
from .._calib import density as _density
from .._field import SegmentedNUFFT
from .._nufft import NUFFT
from .._op import Operator
from ..torch import apply

MOST_KNOWN = 4


class NonCartesianMRI(MultiCoilMRI):  # type: ignore[misc, unused-ignore]
    """deepinv's LinearPhysics of coils, y = F (S x), as its own NonCartesianMRI, for any points.

    img_size: (ny, nx) or (nz, ny, nx); points: (..., d) in cycles per field of view, as everywhere in argand. x: (B, 2, *img_size), real and
    imaginary part; y: (B, 2, coils, samples), the transform divided by sqrt(2^d N), which is deepinv's and mri-nufft's scale.
    coil_maps: complex (coils, *img_size), or a number of birdcage coils (by sigpy); None: one coil of ones.
    field_map: rad/s, of img_size, with the `times` of the points in s; to segment_tolerance.
    density: weights of the samples for A_dagger(y, density_compensate=True), or True to compute them. normalize: divided by its norm.
    Gradients reach x, y and the coil maps.
    """

    def __init__(
        self, img_size: Sequence[int], points: Any, coil_maps: Any = None, *, field_map: Any = None, times: Any = None,
        density: Any = None, normalize: bool = False, tolerance: float | None = None, segment_tolerance: float = 1e-4,
        device: Any = "cpu", **options: Any,
    ) -> None:  # fmt: skip
        shape = _arrays.sizes(img_size, "img_size")
        if len(shape) not in (2, 3):
            raise ValueError(f"img_size is (ny, nx) or (nz, ny, nx), not {shape}")
        if (field_map is None) != (times is None):
            raise ValueError("field_map and times go together")
        super().__init__(img_size=(2, *shape), coil_maps=coil_maps, mask=None, three_d=len(shape) == 3, device=device, **options)
        self.shape = shape
        self.points = _real(points, "points").reshape(-1, len(shape))
        self._field = {} if field_map is None else {"field_map": _real(field_map, "field_map"), "times": _real(times, "times").reshape(-1)}
        self._options = {"tolerance": tolerance} if field_map is None else {"tolerance": tolerance, "segment_tolerance": segment_tolerance}
        self._known: dict[Any, Operator] = {}
        if density is not None and density is not False:
            weights = _density(self.points, shape) if density is True else density
            self.register_buffer("density", torch.as_tensor(np.asarray(weights, np.float32)).reshape(1, 1, 1, -1).to(device))
        self.normalize = False
        if normalize:
            start = torch.randn(1, 2, *shape, device=device)
            self.register_buffer("operator_norm", self.compute_norm(start, squared=False))
            self.normalize = True

    def _transform(self, x: torch.Tensor, is_adjoint: bool) -> Any:
        """Of all coils and batches in one call."""
        key = (tuple(x.shape[:2]), x.dtype, x.device)
        if key not in self._known:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            kind: Any = SegmentedNUFFT if self._field else NUFFT
            dtype = np.dtype(str(x.dtype).removeprefix("torch."))
            field = {name: torch.as_tensor(given, device=x.device) for name, given in self._field.items()}
            self._known[key] = kind(torch.as_tensor(self.points, device=x.device), self.shape, key[0], dtype=dtype, **field, **self._options)
        op = self._known[key]
        return apply(op.adjoint if is_adjoint else op, x) / float(np.sqrt(np.prod(self.shape) * 2 ** len(self.shape)))

    def A(self, x: torch.Tensor, **parameters: Any) -> Any:  # noqa: N802
        """Images (B, 2, *img_size) to samples (B, 2, coils, samples)."""
        self.update_parameters(**parameters)
        samples = self._transform(self.coil_maps * self.to_torch_complex(x)[:, None], False)
        return self._scaled(self.from_torch_complex(samples).to(x.dtype))

    def A_adjoint(self, y: torch.Tensor, rss: bool = False, **parameters: Any) -> Any:  # noqa: N802
        """Samples to images; rss: to the root of the coils' sum of squares, (B, 1, *img_size)."""
        self.update_parameters(**parameters)
        images = self._transform(self.to_torch_complex(y), True)
        if rss:
            return self._scaled(self.rss(self.from_torch_complex(images), multicoil=True).to(y.dtype))
        return self._scaled(self.from_torch_complex((self.coil_maps.conj() * images).sum(1)).to(y.dtype))

    def A_dagger(self, y: torch.Tensor, density_compensate: bool = False, rss: bool = False, **options: Any) -> Any:  # noqa: N802
        """The least squares solution by deepinv's solver; density_compensate: A_adjoint of the weighted samples, which is quicker."""
        if not density_compensate:
            return super().A_dagger(y, **options)
        if not hasattr(self, "density"):
            raise ValueError("density_compensate needs the weights of the samples: give density, or density=True, to the physics")
        x = self.A_adjoint(y * self.density, rss=rss, **options) / self.density.abs().max()
        return x * self.operator_norm**2 if self.normalize else x

    def noise(self, x: torch.Tensor, **options: Any) -> Any:
        """Noise at all samples."""
        return self.noise_model(x, **options)

    def _scaled(self, x: torch.Tensor) -> torch.Tensor:
        return x / self.operator_norm if self.normalize else x


def _real(x: Any, name: str) -> np.ndarray[Any, Any]:
    """In double precision on the host, whatever the images become."""
    found = torch.as_tensor(x).detach()
    if found.is_complex():
        raise TypeError(f"{name}: real numbers are needed, not {found.dtype}")
    return np.array(found.cpu(), np.float64)
