# SPDX-License-Identifier: BSD-3-Clause
"""deepinv's own tests of physics, for argand.deepinv.NonCartesianMRI in place of its own, from its source package
(pip download --no-binary deepinv deepinv; the tests are in deepinv/tests).

    python deepinv_suite.py FOLDER [pytest's arguments]
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

IMPORT = "from deepinv.physics.nufft import NonCartesianMRI"
IN_PLACE = '''
import numpy as np
import mrinufft
import argand.deepinv


class NonCartesianMRI(argand.deepinv.NonCartesianMRI):
    """With the trajectory and the weights of deepinv's."""

    def __init__(self, img_size, num_shots, num_samples_per_shot, coil_maps, backend, normalize, device):
        samples = mrinufft.initialize_2D_radial(Nc=num_shots, Ns=num_samples_per_shot, tilt="uniform", in_out=False)
        weights = mrinufft.density.voronoi(samples)
        points = samples.astype(float) * np.array(img_size[-2:])
        super().__init__(img_size[-2:], points, coil_maps, density=weights, normalize=normalize, device=device)
'''


def run(source, arguments):
    with tempfile.TemporaryDirectory() as folder:
        tests = pathlib.Path(folder) / "tests"
        shutil.copytree(pathlib.Path(source) / "deepinv" / "tests", tests)
        physics = tests / "test_physics.py"
        text = physics.read_text()
        assert text.count(IMPORT) == 1, "the import of NonCartesianMRI has changed"
        physics.write_text(text.replace(IMPORT, IN_PLACE))
        command = [sys.executable, "-B", "-m", "pytest", "-p", "no:cacheprovider", "-q", str(physics), "-k", "NonCartesianMRI", *arguments]
        return subprocess.run(command, cwd=folder).returncode


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], sys.argv[2:]))
