# SPDX-License-Identifier: BSD-3-Clause
"""map_places.py make IMAGE: a field map, an R2* map and coil maps that are linear in the place (mm), which linear interpolation
keeps; each on IMAGE's own grid (own_*) and on a coarser, turned grid around it (other_*). A mask: half of the coarse grid, and the nearest of its voxels.
map_places.py same A B: images that agree. map_places.py move IN OUT MM: the same voxels, moved along x."""
import sys

import nibabel
import numpy as np


def places(shape, affine):
    return np.einsum('ij,jxyz->ixyz', affine[:3, :3], np.indices(shape)) + affine[:3, 3][:, None, None, None]


def around(image):
    """A turned grid that covers the image and a little more."""
    corners = places((2, 2, 2), image.affine @ np.diag([*(np.array(image.shape[:3]) - 1), 1]))
    c, s = np.cos(.3), np.sin(.3)
    affine, shape = np.eye(4), (29, 31, 15)
    affine[:3, :3] = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) * (13, 12, 16)
    affine[:3, 3] = corners.reshape(3, -1).mean(1) - affine[:3, :3] @ (np.array(shape) // 2)
    return shape, affine


def maps(p, coils):
    x, y, z = p / 100
    field = 2 * np.pi * (8 + 30 * x - 25 * y + 10 * z)
    decay = 12 + 3 * x + 2 * y
    coil = np.stack([(1 + .3 * np.cos(i) * x + .3 * np.sin(i) * y) * np.exp(1j * i) + .2j * x * i for i in range(coils)], -1)
    return field.astype('f4'), decay.astype('f4'), coil.astype('c8')


def make(image, coils):
    for name, (shape, affine) in ('own', (image.shape[:3], image.affine)), ('other', around(image)):
        p = places(shape, affine)
        for part, data in zip(('field', 'decay', 'coils'), maps(p, coils)):
            nibabel.save(nibabel.Nifti1Image(data, affine), f'{name}_{part}.nii')
    shape, affine = around(image)
    half = (places(shape, affine)[0] > 0).astype('f4')
    nibabel.save(nibabel.Nifti1Image(half, affine), 'other_mask.nii')
    at = np.tensordot(np.linalg.inv(affine)[:3, :3], places(image.shape[:3], image.affine) - affine[:3, 3][:, None, None, None], 1)
    nibabel.save(nibabel.Nifti1Image(half[tuple(np.rint(at).astype(int))], image.affine), 'own_mask.nii')


if sys.argv[1] == 'make':
    make(nibabel.load(sys.argv[2]), int(sys.argv[3]))
elif sys.argv[1] == 'move':
    image = nibabel.load(sys.argv[2])
    affine = image.affine.copy()
    affine[0, 3] += float(sys.argv[4])
    nibabel.save(nibabel.Nifti1Image(image.get_fdata().astype('f4'), affine), sys.argv[3])
else:
    a, b = (nibabel.load(name).get_fdata() for name in sys.argv[2:4])
    assert a.shape == b.shape and np.linalg.norm(a - b) < 1e-4 * np.linalg.norm(a), np.linalg.norm(a - b) / np.linalg.norm(a)
