# SPDX-License-Identifier: BSD-3-Clause
"""Pictures: in notebooks by Matplotlib, PNG files and HTML reports by the library."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _arrays
from ._device import get_device
from ._io import Geometry, Path, _given_geometry, _path
from ._library import call, encoded, ffi, lib, make, struct


def _on_host(image: Any) -> np.ndarray[Any, Any]:
    """NumPy's, of arrays and tensors anywhere."""
    if hasattr(image, "detach"):
        image = image.detach().cpu().resolve_conj().resolve_neg()
    return _arrays.numbers(image.get() if type(image).__module__.partition(".")[0] == "cupy" else image, "image")


def _slices(image: Any) -> np.ndarray[Any, Any]:
    """(slices, ny, nx), real: complex images as magnitudes."""
    seen = _on_host(image)
    if seen.ndim < 2 or seen.size == 0:
        raise ValueError(f"an image has two axes or more and no axis of length 0, not shape {seen.shape}")
    real = np.abs(seen) if seen.dtype.kind == "c" else seen.astype(np.float64, copy=False)
    return real.reshape(-1, *seen.shape[-2:])


def _texts(given: Sequence[str], name: str) -> Sequence[str]:
    """One for each slice; a single text would be taken for its letters."""
    if isinstance(given, str):
        raise TypeError(f"{name}: a list of texts is needed, one for each slice: [{given!r}]")
    return given


def show(image: Any, titles: Sequence[str] = (), *, low: float | None = None, high: float | None = None, columns: int = 0, cmap: str = "gray") -> Any:
    """A Matplotlib figure of an image [..., ny, nx], slices side by side; complex ones by magnitude, y pointing down. Notebooks show it."""
    import matplotlib.pyplot as plt

    slices, titles = _slices(image), _texts(titles, "titles")
    finite = slices[np.isfinite(slices)]
    top = high if high is not None else float(np.percentile(finite, 99.7)) if finite.size else 1.0
    bottom = low if low is not None else (0.0 if finite.size == 0 or finite.min() >= 0 else -top)
    across = columns or int(np.ceil(np.sqrt(len(slices))))
    down = -(-len(slices) // across)
    figure, axes = plt.subplots(down, across, squeeze=False, figsize=(3 * across, 3 * down))
    for i, place in enumerate(axes.ravel()):
        place.axis("off")
        if i < len(slices):
            place.imshow(slices[i], cmap=cmap, vmin=bottom, vmax=top)
            place.set_title(titles[i] if i < len(titles) else "")
    figure.tight_layout()
    return figure


def write_png(path: Path, image: Any, captions: Sequence[str] = (), *, low: float = 0.0, high: float = 0.0, columns: int = 0, zoom: int = 0) -> None:
    """Slices of an image [..., ny, nx] as a montage, without Matplotlib; from 0 to the 99.7th percentile unless low and high say otherwise.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     argand.write_png(folder + "/a.png", argand.phantom((32, 32)), ["Phantom"])
    """
    slices = np.ascontiguousarray(_slices(image))
    kept = [ffi.new("char[]", encoded(c, "captions")) for c in _texts(captions, "captions")]
    options = struct("argand_montage_options", {"low": low, "high": high, "columns": columns, "zoom": zoom, "caption_count": len(kept)})
    listed = ffi.new("char *[]", kept)
    if kept:
        options.captions = listed
    call(lib.argand_montage_write, _path(path), _arrays.give(slices, get_device("cpu"), slices.dtype), options)


def write_report(
    path: str | os.PathLike[str], title: str, images: Mapping[str, Any], *, maps: Mapping[str, Any] | None = None,
    figures: Mapping[str, object] | None = None, facts: Mapping[str, object] | None = None, notes: str = "",
    curves: Mapping[str, Any] | None = None, geometry: Geometry | None = None,
) -> None:  # fmt: skip
    """One HTML file that shows images [..., ny, nx] by their titles (paged through and windowed in a browser), maps below them, figures at
    the top, facts in a table, curves (say residuals) in a chart.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     argand.write_report(folder + "/a.html", "Phantom", {"Image": argand.phantom((32, 32))}, figures={"Error": 0.1})
    """
    for name, given in [("images", images), ("maps", maps), ("figures", figures), ("facts", facts), ("curves", curves)]:
        if given is not None and not isinstance(given, Mapping):
            raise TypeError(f"{name}: a dict by titles is needed, not {type(given).__name__}")
    report = make(lib.argand_report_create, "argand_report", lib.argand_report_destroy, encoded(title, "title"))
    for name, value in (figures or {}).items():
        call(lib.argand_report_figure, report, encoded(name, "figures"), encoded(str(value), "figures"))
    for name, value in (facts or {}).items():
        call(lib.argand_report_fact, report, b"Facts", encoded(name, "facts"), encoded(str(value), "facts"))
    if notes:
        call(lib.argand_report_notes, report, encoded(notes, "notes"))
    for name, curve in (curves or {}).items():
        y = np.ascontiguousarray(_arrays.numbers(curve, "curves", real=True), np.float64)
        call(lib.argand_report_curve, report, encoded(name, "curves"), y.size, ffi.cast("double *", _arrays.address(y)))
    for is_map, shown in ((False, images), (True, maps or {})):
        for name, image in shown.items():
            _add_image(report, name, image, is_map, geometry)
    call(lib.argand_report_write, report, _path(path))


def _add_image(report: Any, name: str, image: Any, is_map: bool, geometry: Geometry | None) -> None:
    seen = _on_host(image)
    word, place = ffi.new("char[]", encoded(name, "images")), _given_geometry(geometry)
    view = ffi.new("argand_report_view *", {"title": word, "map": is_map, "geometry": place})
    call(lib.argand_report_image, report, _arrays.give(seen, get_device("cpu")), view)
