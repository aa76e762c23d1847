# SPDX-License-Identifier: BSD-3-Clause
"""resample.py make: a plane in mm (which linear interpolation keeps) and a time course of it on one grid, another grid that is turned, and a mask.
resample.py check: the values at the places that nibabel says."""
import sys
import nibabel, numpy as np


def grid(n, voxel, angle, centre):
    c, s = np.cos(angle), np.sin(angle)
    rotation = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ np.array([[1, 0, 0], [0, np.cos(.2), -np.sin(.2)], [0, np.sin(.2), np.cos(.2)]])
    affine = np.eye(4)
    affine[:3, :3] = rotation * voxel
    affine[:3, 3] = centre - affine[:3, :3] @ (np.array(n) // 2)
    return n, affine


def places(n, affine):
    return np.einsum("ij,jxyz->ixyz", affine[:3, :3], np.indices(n)) + affine[:3, 3][:, None, None, None]


def plane(p): return 3 + .2 * p[0] - .3 * p[1] + .1 * p[2]


first, second = grid((20, 24, 12), (4, 3, 5), .3, (5, -4, 3)), grid((15, 13, 9), (2, 3, 2.5), -.5, (7, -2, 1))
if sys.argv[1] == "make":
    values = plane(places(*first))
    for name, data in ("in", np.stack([values, 2 * values], -1)), ("mask", (values > 3) * 1.): nibabel.save(nibabel.Nifti1Image(data.astype("f4"), first[1]), name + ".nii")
    nibabel.save(nibabel.Nifti1Image(np.ones(second[0], "f4"), second[1]), "like.nii")
else:
    out, mask = nibabel.load("out.nii.gz"), nibabel.load("mask_out.nii").get_fdata()
    assert np.allclose(out.affine, second[1], atol=1e-4), out.affine
    p = places(*second)
    inside = np.linalg.inv(first[1])[:3] @ np.concatenate([p.reshape(3, -1), np.ones((1, p[0].size))])
    good = ((inside > 0) & (inside < np.array(first[0])[:, None] - 1)).all(0).reshape(second[0])
    assert good.all(), good.mean()
    data = out.get_fdata()
    assert data.shape == (*second[0], 2) and abs(data[..., 0] - plane(p)).max() < 1e-4 and abs(data[..., 1] - 2 * plane(p)).max() < 1e-4
    assert set(np.unique(mask)) == {0, 1} and ((plane(p) > 3) == mask).mean() > .9
