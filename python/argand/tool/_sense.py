# SPDX-License-Identifier: BSD-3-Clause
"""argand.sense and argand.pcsense: which of arrays, scan and options go to the tool, and which are computed in this process."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _arrays, _scan
from .._library import choose
from .._recon import TOEPLITZ, _is_file, _needs_tool, _of_arrays, _seconds, _sizes, _with_phases
from .._result import Result
from . import pcsense, sense

if TYPE_CHECKING:
    from . import Outcome


def reconstruct(function: Any, given: dict[str, Any]) -> Result:
    """argand.sense and argand.pcsense: a scan by the tool; arrays in this process, or by the tool if an option needs it."""
    command, usual = function.__name__, function.__wrapped__.__kwdefaults__
    options = {name: value for name, value in given.items() if name in usual and not _is_usual(value, usual[name])}
    kspace, trajectory, phases = given["kspace"], given["trajectory"], given.get("phase_maps")
    is_file = isinstance(kspace, (str, os.PathLike)) or hasattr(kspace, "path")
    if is_file:
        options["maps"] = given["maps"]
    else:
        _one_name(options, given["maps"])
        _name_repetitions(options, kspace, trajectory)
    reason = "a scan" if is_file else _needs_tool(options, kspace, trajectory, phases)
    if reason is None:
        if command == "sense":
            return _of_arrays(kspace, trajectory, **options)
        return _with_phases(kspace, trajectory, options.pop("maps"), "shots" if phases is None else phases, options)
    if "comm" in options:
        raise ValueError(f"comm is for arrays that are reconstructed in this process, and {reason} is for the tool: `mpirun argand {command} ...`")
    return _by_tool(command, kspace, trajectory, phases, options, is_file)


def _is_usual(value: Any, usual: Any) -> bool:
    return value is usual or (isinstance(value, (str, int, float)) and value == usual and type(value) is type(usual))


def _one_name(options: dict[str, Any], maps: Any) -> None:
    """Leaves one of two names of an argument: maps for coil_maps, shape for matrix, gradient_delay for delay."""
    options["maps"] = maps
    for name in ("coil_maps", "field_map"):  # as the tool: estimated, and no correction
        if isinstance(options.get(name), str) and options[name] == "none":
            del options[name]
    for old, name in (("maps", "coil_maps"), ("shape", "matrix"), ("gradient_delay", "delay")):
        if name in options:
            if options.get(old) is not None:
                raise TypeError(f"{old} and {name} are one argument: give one of them")
            value = options.pop(name)
            options[old] = _seconds(value) if name == "delay" else _sizes(value) if name == "matrix" else value


def _name_repetitions(options: dict[str, Any], kspace: Any, trajectory: Any) -> None:
    """Names the axes of a grid that has a first axis of repetitions: one more than coils and what maps or shape say of the image, or five."""
    if trajectory is not None or options.get("axes") is not None:
        return
    maps, shape, axes = options.get("maps"), options.get("shape"), np.ndim(kspace)
    rank = 3
    if shape is not None and not isinstance(shape, str):
        rank = len(_arrays.sizes(shape))
    elif maps is not None and not isinstance(maps, (str, os.PathLike)):
        rank = np.ndim(maps) - 1
    if rank in (2, 3) and axes == rank + 2:
        seen = _arrays.operand(kspace)
        if seen.space.is_host:  # the program asks only where no axes are named
            data = seen.space.host(seen.array)
            _scan.refuse_unshifted(data.reshape(-1, *data.shape[2:]))
        options["axes"] = ["repetition", "coil", *["partition", "shot", "sample"][3 - rank :]]


def _by_tool(command: str, kspace: Any, trajectory: Any, phases: Any, options: dict[str, Any], is_file: bool) -> Result:
    """The tool's command; images of arrays without an axis of one slice."""
    for name, own in (("maps", "coil_maps"), ("shape", "matrix")):
        if (value := options.pop(name, None)) is not None:
            if own in options:
                raise TypeError(f"{name} and {own} are one argument: give one of them")
            options[own] = value
    if "gradient_delay" in options:
        options["delay"] = (np.asarray(options.pop("gradient_delay"), np.float64) * 1e6).tolist()
    if "toeplitz" in options:
        options["toeplitz"] = ("auto", "on", "off")[choose(TOEPLITZ, options["toeplitz"], "toeplitz")]
    if command == "pcsense" and phases is not None:
        options["phase_maps"] = phases
    if callable(options.get("denoiser")):
        raise ValueError("denoiser: a function works on arrays that are reconstructed in this process; the tool, which is needed here, takes an ONNX file")
    function = sense if command == "sense" else pcsense
    if is_file:
        if trajectory is not None:
            raise TypeError(f"{command}: a scan has its own trajectory")
        found: Result = function(kspace, **options)
        return found
    if command == "pcsense" and phases is None:
        options["phase_maps"] = "shots"
    if getattr(kspace, "dtype", None) in (np.float64, np.complex128):
        options.setdefault("precision", "double")
    made: Outcome = function(kspace=kspace, trajectory=trajectory, **options)
    return made.of_arrays()
