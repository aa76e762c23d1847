# SPDX-License-Identifier: BSD-3-Clause
"""An image that is looked at: by sliders in notebooks with ipywidgets, else as one picture."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from . import _html
from ._types import Array, Part

if TYPE_CHECKING:
    from ipywidgets import VBox

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
