# SPDX-License-Identifier: BSD-3-Clause
"""Parts of what notebooks show: pictures as PNG, curves as SVG, tables. All of it is text of this package's own, without Matplotlib."""

from __future__ import annotations

import binascii
import math
import struct
import zlib
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
MOST_SLICES = 12  # of a volume in one picture
MOST_PIXELS = 512  # along an edge of a slice: larger ones are thinned out


def escape(text: str) -> str:
    """Text as HTML shows it; html.escape without its module, which takes a while to import."""
    for plain, safe in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(plain, safe)
    return text


def magnitude(image: Array) -> Array:
    """(slices, ny, nx), real: complex images as magnitudes."""
    real = np.abs(image) if image.dtype.kind == "c" else image.astype(np.float64, copy=False)
    return real.reshape(-1, *image.shape[-2:])


def window(slices: Array) -> tuple[float, float]:
    """Lowest and highest shown value: from 0, or symmetric if there are negative values, to the 99.7th percentile."""
    finite = slices[np.isfinite(slices)]
    top = float(np.percentile(np.abs(finite), 99.7)) if finite.size else 0.0
    if top == 0 and finite.size:
        top = float(np.abs(finite).max())
    top = top or 1.0
    return (-top if finite.size and finite.min() < 0 else 0.0), top


def grey(slices: Array, low: float, high: float) -> Array:
    """Bytes from 0 (low) to 255 (high); elements that are not finite are black."""
    scaled = (slices - low) * (255 / (high - low)) if high > low else np.zeros(slices.shape)
    return np.clip(np.nan_to_num(scaled, nan=0.0, posinf=255.0, neginf=0.0), 0, 255).astype(np.uint8)


def png(pixels: Array) -> bytes:
    """A PNG file of bytes (ny, nx) in greys, or (ny, nx, 3) in colours."""
    height, width = pixels.shape[:2]
    colour = 2 if pixels.ndim == 3 else 0
    rows = np.ascontiguousarray(pixels).reshape(height, -1)
    raw = np.concatenate([np.zeros((height, 1), np.uint8), rows], axis=1).tobytes()  # a filter byte begins each row

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw, 6)) + chunk(b"IEND", b"")


def montage(slices: Array) -> Array:
    """Slices (n, ny, nx) side by side in rows, one pixel apart."""
    n, ny, nx = slices.shape
    across = math.ceil(math.sqrt(n))
    down = -(-n // across)
    whole = np.zeros((down * (ny + 1) - 1, across * (nx + 1) - 1), slices.dtype)
    for i, one in enumerate(slices):
        y, x = i // across * (ny + 1), i % across * (nx + 1)
        whole[y : y + ny, x : x + nx] = one
    return whole


def picture(image: Array, text: str = "image", limits: tuple[float, float] | None = None) -> str:
    """An <img> of an image [..., ny, nx] by magnitude, with a line that says which slices it shows and in which window."""
    if image.ndim < 2 or image.size == 0:
        return ""
    shape = image.shape[-2:]
    step = max(1, -(-max(shape) // MOST_PIXELS))
    whole = image.reshape(-1, *shape)
    shown = sorted({round(i) for i in np.linspace(0, len(whole) - 1, MOST_SLICES)}) if len(whole) > MOST_SLICES else range(len(whole))
    slices = magnitude(whole[list(shown)])
    low, high = limits or window(slices)
    data = binascii.b2a_base64(png(montage(grey(slices[:, ::step, ::step], low, high))), newline=False).decode()
    said = [f"magnitude, {low:.4g} to {high:.4g}" if image.dtype.kind == "c" else f"{low:.4g} to {high:.4g}"]
    if len(whole) > 1:
        said.append(f"slices {', '.join(map(str, shown))} of {len(whole)}" if len(shown) < len(whole) else f"{len(whole)} slices")
    if step > 1:
        said.append(f"one of {step} pixels along each axis")
    style = "width:22em;max-width:100%;image-rendering:pixelated"
    return (
        f'<figure style="margin:0"><img alt="{escape(text)}" style="{style}" src="data:image/png;base64,{data}">'
        f"<figcaption>{'; '.join(said)}</figcaption></figure>"
    )


def curve(values: Sequence[float], title: str, along: str = "iteration", width: int = 320, height: int = 180) -> str:
    """An <svg> of positive values over 0, 1, 2, ..., on a logarithmic axis; values that are 0 or not finite are left out."""
    points = [(i, math.log10(v)) for i, v in enumerate(values) if v > 0 and math.isfinite(v)]
    if len(points) < 2:
        return ""
    left, top, right, bottom = 52, 22, width - 10, height - 34
    lowest, highest = min(v for _, v in points), max(v for _, v in points)
    decades = max(highest - lowest, 1e-12)
    last = max(i for i, _ in points)

    def place(i: float, v: float) -> str:
        return f"{left + (right - left) * i / last:.1f},{bottom - (bottom - top) * (v - lowest) / decades:.1f}"

    line = " ".join(place(i, v) for i, v in points)
    words = 'font-size="11" fill="currentColor"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img" aria-label="{escape(title)}">'
        f'<path d="M{left},{top}V{bottom}H{right}" fill="none" stroke="currentColor" stroke-opacity="0.4"/>'
        f'<polyline points="{line}" fill="none" stroke="currentColor" stroke-width="1.5"/>'
        f'<text x="{left}" y="14" {words}>{escape(title)}</text>'
        f'<text x="{left - 4}" y="{top + 4}" text-anchor="end" {words}>{10**highest:.2g}</text>'
        f'<text x="{left - 4}" y="{bottom + 4}" text-anchor="end" {words}>{10**lowest:.2g}</text>'
        f'<text x="{left}" y="{bottom + 15}" text-anchor="middle" {words}>0</text>'
        f'<text x="{right}" y="{bottom + 15}" text-anchor="end" {words}>{last}</text>'
        f'<text x="{(left + right) / 2}" y="{height - 5}" text-anchor="middle" {words}>{escape(along)}</text></svg>'
    )


def table(rows: Iterable[tuple[str, str]]) -> str:
    """A <table> of names and what they are."""
    cells = "".join(
        f'<tr><th style="text-align:left">{escape(name)}</th><td style="text-align:left">{escape(value)}</td></tr>'
        for name, value in rows
    )
    return f"<table>{cells}</table>"


def notes(text: str) -> str:
    """A list of sentences, one a line, that opens on a click."""
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines:
        return ""
    return f"<details><summary>Notes ({len(lines)})</summary><ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul></details>"


def aligned(rows: Iterable[tuple[str, str]]) -> str:
    """Names and what they are as lines of text, the second column aligned."""
    listed = list(rows)
    wide = max((len(name) for name, _ in listed), default=0)
    return "\n".join(f"  {name:<{wide}}  {value}" for name, value in listed)


class Described:
    """What tells its type, shapes, units, device and memory: in one line as text, in a table in notebooks."""

    def _describe(self) -> list[tuple[str, str]]:
        """Names and what they are."""
        return []

    def __repr__(self) -> str:
        return f"<argand.{type(self).__name__}: {'; '.join(f'{name} {value}' for name, value in self._describe() if value)}>"

    def _repr_html_(self) -> str:
        """What notebooks show."""
        return f"<b>argand.{type(self).__name__}</b>{table((name, value) for name, value in self._describe() if value)}"


def number_of(count: int, noun: str) -> str:
    """"1 coil", "8 coils"."""
    return f"{count} {noun}{'s' * (count != 1)}"


def size(count: float) -> str:
    """A number of bytes for people."""
    for unit in ("bytes", "KiB", "MiB", "GiB", "TiB"):
        if count < 1024 or unit == "TiB":
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.3g} {unit}"
        count /= 1024
    return ""
