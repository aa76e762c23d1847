# SPDX-License-Identifier: BSD-3-Clause
"""Pictures: in notebooks by Matplotlib, PNG files and HTML reports by the library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _arrays
from ._device import get_device
from ._io import Geometry, Path, _given_geometry, _path
from ._library import call, encoded, ffi, lib, make, struct
from ._html import window
from ._progress import in_notebook
from ._types import ArrayLike
from ._view import View

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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


def show(
    image: ArrayLike, titles: Sequence[str] = (), *, low: float | None = None, high: float | None = None, columns: int = 0,
    cmap: str = "gray", axes: Sequence[str] = (),
) -> Figure | View:  # fmt: skip
    """Shows an image [..., ny, nx], y pointing down. In notebooks: with sliders for slices, coils, part (magnitude, phase) and window if
    ipywidgets is installed, else as one picture. Elsewhere: as a Matplotlib figure if that is installed, with slices side by side.

    image    [..., ny, nx], real or complex (by magnitude)
    titles   a text for each slice (default (): none)
    low      the value shown black (default None: 0, or -high if there are negative values)
    high     the value shown white (default None: the 99.7th percentile)
    columns  slices in a row of the figure (default 0: as many as make it square)
    cmap     the figure's colours, by a name of Matplotlib's (default "gray")
    axes     names of the axes before y and x, for the sliders (default (): "coil" and "slice", the last two)
    """
    from importlib.util import find_spec

    seen, titles = _on_host(image), _texts(titles, "titles")
    slices = _slices(seen)
    view = View(seen, titles, low, high, _texts(axes, "axes"), lambda: _figure(slices, titles, low, high, columns, cmap))
    return view if in_notebook() or find_spec("matplotlib") is None else view.figure


def _figure(slices: np.ndarray[Any, Any], titles: Sequence[str], low: float | None, high: float | None, columns: int, cmap: str) -> Any:
    import matplotlib.pyplot as plt

    least, most = window(slices)
    top = high if high is not None else most
    bottom = low if low is not None else (0.0 if least == 0 else -top)
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


def write_png(
    path: Path, image: ArrayLike, captions: Sequence[str] = (), *, low: float = 0.0, high: float = 0.0, columns: int = 0, zoom: int = 0
) -> None:  # fmt: skip
    """Writes the slices of an image side by side as a picture, without Matplotlib; complex ones by magnitude.

    path      of the file, .png
    image     [..., ny, nx]
    captions  a text above each slice (default (): none)
    low       the value shown black (default 0.0)
    high      the value shown white (default 0.0: the 99.7th percentile)
    columns   slices in a row (default 0: as many as make it square)
    zoom      factor of enlargement (default 0: to about 768 pixels)

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
    path: Path, title: str, images: Mapping[str, ArrayLike], *, maps: Mapping[str, ArrayLike] | None = None,
    figures: Mapping[str, object] | None = None, facts: Mapping[str, object] | None = None, notes: str = "",
    curves: Mapping[str, ArrayLike] | None = None, geometry: Geometry | None = None,
) -> None:  # fmt: skip
    """Writes one HTML file that shows images, paged through and windowed in a browser; it needs no network.

    path      of the file, .html
    title     at the top of the page
    images    [..., ny, nx] by their titles
    maps      the same, shown below the images (default None)
    figures   a few important numbers by their names, at the top (default None)
    facts     more by their names, in a table (default None)
    notes     sentences, one a line (default "")
    curves    (n,) real, such as residuals, by their names, in a chart (default None)
    geometry  an argand.Geometry of the images: voxel sizes in mm (default None)

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
