# SPDX-License-Identifier: BSD-3-Clause
"""The image of a reconstruction, as an array that knows how it came about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

import numpy as np

from . import _html
from ._device import DeviceInfo
from ._progress import Progress

if TYPE_CHECKING:
    from ._io import Geometry

ENDS = {
    "iterations": "all of them were done", "converged": "the gradient fell below its limit", "noise": "more would add more noise than signal",
    "callback": "the callback ended it",
}  # fmt: skip


class Report(NamedTuple):
    """How an image came about: what was chosen, how the iterations went, and what was assumed.

    solver        "cg", "pogm", "admm", ...; "" if nothing was solved
    iterations    the iteration whose result is the image; limit: how many were allowed
    stop          why they ended: "iterations" (all were done), "converged", "noise" (more would add more noise than signal), "callback"
    progress      an argand.Progress for each iteration, the start first
    transform     "nufft", "dft", "dft-gradients" or "segmented"; segments: terms for the field, with relative error segment_error
    convolutions  of the Toeplitz normal operator; 0: none was used
    density       weights of the samples: "none", "pipe", "file" or "deconvolve", raised to the power density_power
    coil_maps     "given", or the algorithm that estimated them: "espirit", "adaptive", "joint"
    coils         channels of the data; shots: shots with a phase map each, 1 without phase maps
    regularize    the regularizers as they were given; "" for none
    noise         estimated |noise| / |image|; 0: not known
    device        the argand.DeviceInfo of the device that computed; ranks: processes that shared the work
    seconds       wall time of the whole call; solve_seconds: of its iterations
    notes         what was found in the data and assumed, a sentence a line, as the command line tool prints it
    geometry      voxel size and place in the patient, an argand.Geometry; None: not known
    """

    solver: str = ""
    iterations: int = 0
    limit: int = 0
    stop: str = ""
    progress: tuple[Progress, ...] = ()
    transform: str = ""
    segments: int = 0
    segment_error: float = 0.0
    convolutions: int = 0
    density: str = ""
    density_power: float = 1.0
    coil_maps: str = ""
    coils: int = 0
    shots: int = 1
    regularize: str = ""
    noise: float = 0.0
    device: DeviceInfo | None = None
    ranks: int = 1
    seconds: float = 0.0
    solve_seconds: float = 0.0
    notes: str = ""
    geometry: Geometry | None = None

    @property
    def residuals(self) -> np.ndarray[Any, Any]:
        """|W^1/2 (y - A x)| / |W^1/2 y| at the start and after each iteration, float64."""
        return np.array([p.residual for p in self.progress])

    def rows(self) -> list[tuple[str, str]]:
        """Names and values as they are printed."""
        found = [
            ("solver", self._solver()), ("residual", self._residual()), ("transform", self._transform()), ("density", self._density()),
            ("coil maps", f"{self.coil_maps}, {self.coils} coil{'s' * (self.coils != 1)}" if self.coil_maps else ""),
            ("phase maps", f"{self.shots} shots" if self.shots > 1 else ""), ("regularize", self.regularize),
            ("noise", f"about {self.noise:.2g} of the image" if self.noise > 0 else ""), ("voxel", self._voxel()),
            ("device", f"{self.device.backend}: {self.device.name}" if self.device else ""),
            ("ranks", str(self.ranks) if self.ranks > 1 else ""),
            ("time", f"{self.seconds:.3g} s, of which iterations {self.solve_seconds:.3g} s" if self.seconds > 0 else ""),
        ]  # fmt: skip
        return [(name, value) for name, value in found if value]

    def _solver(self) -> str:
        if not self.solver:
            return ""
        ended = f"; stopped because {ENDS.get(self.stop, self.stop)}" if self.stop else ""
        return f"{self.solver}, iteration {self.iterations} of at most {self.limit}{ended}"

    def _residual(self) -> str:
        at = [p for p in self.progress if p.iteration == self.iterations]
        return f"{at[-1].residual:.3g} of the data" if at else ""

    def _transform(self) -> str:
        words = [self.transform] if self.transform else []
        if self.segments:
            words.append(f"{self.segments} terms, error {self.segment_error:.2g}")
        if self.convolutions:
            words.append(f"Toeplitz, {self.convolutions} convolution{'s' * (self.convolutions != 1)}")
        return "; ".join(words)

    def _density(self) -> str:
        return self.density if self.density in ("", "none") else f"{self.density}, to the power {self.density_power:g}"

    def _voxel(self) -> str:
        if self.geometry is None or not self.geometry.valid:
            return ""
        return " x ".join(f"{v:.4g}" for v in self.geometry.voxel) + " mm (x, y, z)"

    def __str__(self) -> str:
        lines = [line for line in self.notes.split("\n") if line.strip()]
        return "\n".join([_html.aligned(self.rows()), *(["  notes"] if lines else []), *(f"    {line}" for line in lines)])


class Result(np.ndarray[Any, Any]):
    """The image of a reconstruction: a NumPy array [([volumes,] [nz,] ny, nx)] that also says how it came about.

    It works wherever an array does, and `print(result)` shows its report: solver, iterations, transform, maps, device, times, notes.
    A notebook shows the image, its residuals and the notes. Slices and what is computed from it are plain arrays. `copy()`
    keeps the report; views such as `.T` have none.

    image       the same memory as a plain array
    report      an argand.Report, whose fields `notes`, `residuals`, `solver`, ... are also attributes of the result
    maps        (coils, [nz,] ny, nx) as used, and phase_maps (shots, [nz,] ny, nx) in rad, None without: kept if `full=True` was given

    >>> maps = argand.birdcage((4, 16, 16))
    >>> kspace = argand.fftn(argand.phantom((16, 16)) * maps, axes=(1, 2), centred=True)
    >>> result = argand.sense(kspace, maps=maps, iterations=3)
    >>> result.iterations, result.solver, len(result.residuals), type(abs(result)).__name__
    (3, 'cg', 4, 'ndarray')
    """

    _report: Report | None
    _maps: tuple[Any, Any] | None

    def __new__(cls, image: np.ndarray[Any, Any], report: Report, maps: tuple[Any, Any] | None = None) -> Result:
        """image as it is, not copied; maps: coil maps and phase maps, if they are kept."""
        made = np.asarray(image).view(cls)
        made._report, made._maps = report, maps
        return made

    def __array_finalize__(self, source: Any) -> None:
        """What NumPy derives from a result is another image, which the report does not describe."""
        self._report, self._maps = None, None

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        plain = array.view(np.ndarray)
        return plain[()] if plain.ndim == 0 else plain

    def __getitem__(self, index: Any) -> Any:
        return self.image[index]

    @property
    def image(self) -> np.ndarray[Any, Any]:
        """The image as a plain array, without a copy."""
        return self.view(np.ndarray)

    @property
    def report(self) -> Report:
        """How the image came about."""
        if self._report is None:
            raise AttributeError("this array was computed from a result of argand and has no report of its own: ask the result")
        return self._report

    @property
    def maps(self) -> Any:
        """Coil maps as they were used, given or estimated: (coils, [nz,] ny, nx)."""
        return self._kept()[0]

    @property
    def phase_maps(self) -> Any:
        """Phase maps of the shots in rad, given or estimated: (shots, [nz,] ny, nx); None without."""
        return self._kept()[1]

    def _kept(self) -> tuple[Any, Any]:
        if self._maps is None:
            raise AttributeError("the maps were not kept: give full=True to the reconstruction")
        return self._maps

    @property
    def residuals(self) -> np.ndarray[Any, Any]:
        """|W^1/2 (y - A x)| / |W^1/2 y| at the start and after each iteration, float64."""
        return self.report.residuals

    @property
    def notes(self) -> str:
        """What was found in the data and assumed, a sentence a line, as the command line tool prints it."""
        return self.report.notes

    @property
    def iterations(self) -> int:
        """The iteration whose result is the image."""
        return self.report.iterations

    @property
    def stop(self) -> str:
        """Why the iterations ended: "iterations", "converged", "noise", "callback"."""
        return self.report.stop

    @property
    def transform(self) -> str:
        """The transform that was used: "nufft", "dft", "dft-gradients" or "segmented"."""
        return self.report.transform

    @property
    def solver(self) -> str:
        """The solver that was used, for example "cg"."""
        return self.report.solver

    @property
    def seconds(self) -> float:
        """Wall time of the whole call."""
        return self.report.seconds

    @property
    def geometry(self) -> Geometry | None:
        """Voxel size and place in the patient; None: not known."""
        return self.report.geometry

    def __reduce__(self) -> Any:
        return (Result, (self.image, self._report, self._maps)) if self._report else self.image.__reduce__()

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.__reduce__() if self._report else self.image.__reduce_ex__(protocol)

    def copy(self, order: Literal["K", "A", "C", "F"] | None = "C") -> Result:
        """The same with its own memory, and with the report. order: that of the memory, as of numpy.ndarray.copy."""
        if not self._report:
            return cast(Result, self.image.copy(order))
        make, parts = self.__reduce__()
        return cast(Result, make(self.image.copy(order), *parts[1:]))

    def __copy__(self) -> Any:
        return self.copy("K")

    def __deepcopy__(self, memo: Any) -> Any:
        return self.copy("K")

    def _title(self) -> str:
        return f"argand.Result: {' x '.join(map(str, self.shape))} {self.dtype}"

    def __repr__(self) -> str:
        return repr(self.image) if self._report is None else f"{self._title()}\n{self._report}"

    def __str__(self) -> str:
        return str(self.image) if self._report is None else repr(self)

    def _repr_html_(self) -> str:
        """What notebooks show: the image by magnitude, the residual of each iteration, what was chosen, the notes."""
        if self._report is None:
            return f"<pre>{_html.escape(repr(self.image))}</pre>"
        shown = _html.picture(self.image, "the image"), _html.curve(self.residuals.tolist(), "relative residual")
        row = "".join(f"<div>{part}</div>" for part in (shown[0], _html.table(self._report.rows()) + shown[1]))
        return (
            f"<div><b>{_html.escape(self._title())}</b>"
            f'<div style="display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start">{row}</div>{_html.notes(self._report.notes)}</div>'
        )
