# SPDX-License-Identifier: BSD-3-Clause
"""Pictures: in notebooks by sliders (ipywidgets) or Matplotlib, PNG files and HTML reports by the library."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from . import _arrays, _html
from ._device import get_device
from ._io import Geometry, Path, _given_geometry, _path
from ._library import call, encoded, ffi, lib, make, struct
from ._html import window
from ._progress import in_notebook
from ._types import Array, ArrayLike, Part

if TYPE_CHECKING:
    from ipywidgets import VBox
    from matplotlib.figure import Figure


PARTS = get_args(Part)
FEWEST_PIXELS = 256  # along the longer edge of what a widget shows


class View(_html.Described):
    """An image [..., ny, nx] as a notebook shows it: slices, coils, part and window by sliders where ipywidgets is installed, else as one
    picture. `argand.show` makes it.

    png(index, part, low, high)  one slice as the bytes of a PNG file
    figure                       the same as a Matplotlib figure, whose attributes (savefig, axes) are also the view's
    """

    def __init__(
        self, image: Array, titles: Sequence[str], low: float | None, high: float | None, axes: Sequence[str], draw: Callable[[], Any]
    ) -> None:  # fmt: skip
        self.image, self.titles, self._draw, self._figure = image, titles, draw, None
        lead = image.ndim - 2
        usual = [*(f"axis {i}" for i in range(lead - 2)), *["coil", "slice"][max(0, 2 - lead) :]]
        if axes and len(axes) != lead:
            raise ValueError(f"axes: {len(axes)} names are given, and there are {lead} axes before y and x")
        self.names = list(axes) or usual
        self.parts = PARTS if image.dtype.kind == "c" else ("real",)
        least, most = _html.window(_html.magnitude(image))
        self.low, self.high = least if low is None else low, most if high is None else high

    def part(self, slice_: Array, part: Part) -> Array:
        """The numbers of a slice_ (ny, nx) that are shown for a part: "magnitude", "phase" (rad), "real" or "imaginary"."""
        if part not in PARTS:
            raise ValueError(f"part is one of {', '.join(map(repr, PARTS))}, not {part!r}")
        if part == "phase":
            return np.angle(slice_)
        return np.abs(slice_) if part == "magnitude" else slice_.real if part == "real" else slice_.imag

    def png(self, index: Sequence[int] = (), part: Part = "magnitude", low: float | None = None, high: float | None = None) -> bytes:
        """One slice as the bytes of a PNG file.

        index      along the axes before y and x (default ())
        part       "magnitude", "phase" (in colours), "real" or "imaginary" (default "magnitude")
        low, high  values shown black and white (default None: those of the whole image)
        """
        if len(index) != self.image.ndim - 2:
            raise ValueError(f"index: {len(index)} numbers are given, and there are {self.image.ndim - 2} axes before y and x")
        shown = self.part(self.image[tuple(index)], part)
        pixels = _coloured(shown) if part == "phase" else _html.grey(shown, self.low if low is None else low, self.high if high is None else high)
        zoom = max(1, FEWEST_PIXELS // max(shown.shape))
        return _html.png(pixels.repeat(zoom, axis=0).repeat(zoom, axis=1))

    def widget(self) -> VBox:
        """The sliders and the picture, a widget of ipywidgets."""
        import ipywidgets

        sliders = [
            ipywidgets.IntSlider(n // 2 if name == "slice" else 0, 0, n - 1, description=name, continuous_update=True)
            for name, n in zip(self.names, self.image.shape, strict=False)
        ]
        part = ipywidgets.Dropdown(options=list(self.parts), description="part")
        span = (min(self.low, -self.high) if len(self.parts) > 1 or self.low < 0 else self.low, 2 * self.high)
        window = ipywidgets.FloatRangeSlider(
            value=(self.low, self.high), min=span[0], max=span[1], step=(span[1] - span[0]) / 200, description="window", readout_format=".3g"
        )
        picture = ipywidgets.Image(format="png")

        def draw(change: Any = None) -> None:
            index = [slider.value for slider in sliders]
            picture.value = self.png(index, part.value, *window.value)

        controls = [*(s for s in sliders if s.max > 0), *([part] if len(self.parts) > 1 else []), window]
        for control in controls:
            control.observe(draw, names="value")
        draw()
        return ipywidgets.VBox([*controls, picture])

    def _ipython_display_(self) -> None:
        """What Jupyter calls to show it."""
        shown = importlib.import_module("IPython.display")
        try:
            shown.display(self.widget())
        except ImportError:
            shown.display(shown.HTML(self._repr_html_()))

    def _repr_html_(self) -> str:
        titles = _html.escape(", ".join(self.titles))
        return (f"<b>{titles}</b>" if titles else "") + _html.picture(self.image, "the image", (self.low, self.high))

    def _describe(self) -> list[tuple[str, str]]:
        shape = "x".join(map(str, self.image.shape))
        return [("image", f"{shape} {self.image.dtype}"), ("axes", ", ".join([*self.names, "y", "x"])), ("window", f"{self.low:.4g} to {self.high:.4g}")]

    @property
    def figure(self) -> Any:
        """A Matplotlib figure of all slices."""
        if self._figure is None:
            self._figure = self._draw()
        return self._figure

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.figure, name)


def _coloured(phase: Array) -> Array:
    """Phases in rad as colours of a circle, bytes (ny, nx, 3)."""
    shift = np.array([0.0, -2 * np.pi / 3, 2 * np.pi / 3])
    wave = 0.5 + 0.5 * np.cos(np.nan_to_num(phase)[..., None] + shift)
    pixels: Array = (255 * wave).astype(np.uint8)
    return pixels


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
