# SPDX-License-Identifier: BSD-3-Clause
"""empty_slice.py make SCAN.h5: the samples of slice 0 become 0. empty_slice.py check IMAGE.npy: one of two slices is 0, the other is not."""
import sys

import h5py
import numpy as np

if sys.argv[1] == 'make':
    with h5py.File(sys.argv[2], 'r+') as file:
        rows = file['dataset/data'][()]
        for row in rows:
            if row['head']['idx']['slice'] == 0:
                row['data'][:] = 0
        file['dataset/data'][...] = rows
else:
    image = np.squeeze(np.load(sys.argv[2]))
    norms = sorted(np.linalg.norm(part) for part in image)
    assert len(norms) == 2 and norms[0] == 0 < norms[1] and np.isfinite(norms[1]), norms
