# SPDX-License-Identifier: BSD-3-Clause
"""Trajectories: positions in cycles per field of view, and times in seconds.

Each function takes the image's shape (ny, nx) or (nz, ny, nx) and returns (points, times): points ([partitions,] shots, samples, d) with the
last axis in the order of the image's axes, times without it, counted from the excitation where `echo_s` is given, else from the centre.
np.save writes points as the tool reads them (--trajectory); argand.write_trajectory writes BART's .cfl as well.
"""

from __future__ import annotations

from ._hardware import Gradients, gradients, picture
from ._plane import cartesian, epi, make, propeller, radial, rosette, spiral, spiral_through
from ._pulseq import read_pulseq
from ._volume import cones, radial_3d

__all__ = [
    "Gradients", "cartesian", "cones", "epi", "gradients", "make", "picture", "propeller", "radial", "radial_3d", "read_pulseq", "rosette",
    "spiral", "spiral_through",
]  # fmt: skip
