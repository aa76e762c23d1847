# SPDX-License-Identifier: BSD-3-Clause
"""Trajectories of Pulseq sequences, read by pypulseq (pip install argand[pulseq])."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _arrays
from ._shots import Made


def read_pulseq(
    sequence: Any, shape: Sequence[int], field_of_view_m: float | Sequence[float] | None = None, *, samples: int = 0, dtype: Any = np.float64
) -> Made:
    """Points (readouts, samples, d) and times (s, from the excitation before) of a .seq file, or of a pypulseq.Sequence.

    shape: the image's (ny, nx), or (nz, ny, nx). field_of_view_m: of each axis in that order, or one for all; None: the sequence's
    definition "FOV". samples: only readouts of that length, where a sequence has others, as for noise.
    """
    try:
        import pypulseq
    except ImportError:
        raise ImportError("pulseq files are read by pypulseq, which is not there: pip install argand[pulseq]") from None
    n = _arrays.sizes(shape)
    if len(n) not in (2, 3):
        raise ValueError(f"shape is (ny, nx) or (nz, ny, nx), not {n}")
    if isinstance(sequence, (str, os.PathLike)):
        name, path = os.fspath(sequence), sequence
        sequence = pypulseq.Sequence()
        sequence.read(os.fspath(path))
    else:
        name = "the sequence"
    fov = _field_of_view(sequence, len(n), field_of_view_m, name)
    at_samples, _, excited, _, when = sequence.calculate_kspace()
    k, lengths = np.asarray(at_samples, float), _lengths(sequence)
    kept = _kept(lengths, samples, name)
    if len(n) == 2 and abs(k[2]).max() > 0.5 / fov.max():
        raise ValueError(f"{name} moves along z, to {abs(k[2]).max():.4g} 1/m: shape is of a volume (nz, ny, nx) here")
    points = (k[: len(n)][::-1].T * fov)[kept].reshape(-1, lengths[0] if not samples else samples, len(n))
    reach = abs(points).reshape(-1, len(n)).max(axis=0)
    if (reach > np.array(n) / 2 + 0.5).any():
        raise ValueError(f"{name} reaches {reach.round(2).tolist()} cycles per field of view, beyond half of shape {n}: shape or field_of_view_m is another one")
    return points.astype(_arrays.computed(dtype)), _since(np.asarray(when, float), np.asarray(excited, float), kept, points.shape[:-1], dtype)


def _field_of_view(sequence: Any, rank: int, given: Any, name: str) -> np.ndarray[Any, Any]:
    """In the order of the image's axes."""
    if given is None:
        defined = np.atleast_1d(np.asarray(sequence.definitions.get("FOV", []), float))
        if defined.size < rank:
            raise ValueError(f'{name} has no definition "FOV" of {rank} axes: give field_of_view_m')
        found = defined[:rank][::-1]
    else:
        found = np.broadcast_to(np.asarray(given, float), (rank,))
    if not (found > 0).all() or (found > 10).any():
        raise ValueError(f"field_of_view_m of {name}: lengths in m are needed, not {found.tolist()}")
    return found


def _lengths(sequence: Any) -> list[int]:
    """Samples of each readout."""
    blocks = (sequence.get_block(number) for number in sequence.block_events)
    return [int(block.adc.num_samples) for block in blocks if getattr(block, "adc", None) is not None]


def _kept(lengths: list[int], samples: int, name: str) -> np.ndarray[Any, Any]:
    """Which of all samples are of readouts of the length that is wanted."""
    if not lengths:
        raise ValueError(f"{name} has no readout (ADC)")
    if not samples and len(set(lengths)) > 1:
        raise ValueError(f"{name} has readouts of {sorted(set(lengths))} samples: say which by samples=")
    if samples and samples not in lengths:
        raise ValueError(f"{name} has no readout of {samples} samples, but of {sorted(set(lengths))}")
    return np.concatenate([np.full(m, not samples or m == samples) for m in lengths])


def _since(when: Any, excited: Any, kept: Any, shape: tuple[int, ...], dtype: Any) -> np.ndarray[Any, Any]:
    """Seconds since the last excitation before each readout's first sample."""
    times = when[kept].reshape(shape)
    if excited.size:
        before = np.searchsorted(excited, times[:, 0], side="right") - 1
        times = times - np.where(before >= 0, excited[np.maximum(before, 0)], 0)[:, None]
    return np.asarray(times, _arrays.computed(dtype))
