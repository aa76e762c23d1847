# SPDX-License-Identifier: BSD-3-Clause
"""unwarp.py make: a plane in mm on an oblique grid, a coil whose z gradient has a cubic error, and a sidecar.
unwarp.py check: the plane at the places that nibabel and the polynomial say."""
import sys
import nibabel, numpy as np

n, angle = (24, 20, 16), 0.3
affine = np.eye(4)
affine[:3, :3] = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]]) * (6, 7, 8)
affine[:3, 3] = (5, -4, 3) - affine[:3, :3] @ (np.array(n) // 2)
p = np.einsum("ij,jxyz->ixyz", affine[:3, :3], np.indices(n)) + affine[:3, 3][:, None, None, None]


def plane(x, y, z): return 3 + 0.02 * x - 0.03 * y + 0.1 * z


if sys.argv[1] == "make":
    nibabel.save(nibabel.Nifti1Image(plane(*p).astype("f4"), affine), "in.nii")
    open("in.json", "w").write('{"PatientPosition": "HFS", "Units": "Hz"}')
    open("coil.grad", "w").write(" 0.250 m = R0, lnorm = 4? A(1,0) = B(1,1) = A(1,1) = 0;\n\n 1 A( 3, 0) -0.30000000 z\n")
else:
    for name, feet in ("out.nii.gz", -1), ("prone.nii", -1), ("feet.nii", 1):  # the axis of the gradient points to the feet, or to the head
        out = nibabel.load(name)
        assert np.allclose(out.affine, affine, atol=1e-4), out.affine
        z, square = feet * p[2] / 250, (p**2).sum(0) / 250**2
        shift = feet * -0.3 * 250 * (5 * z**3 - 3 * z * square) / 2
        truth, inner = plane(p[0], p[1], p[2] + shift), (slice(5, -5),) * 3
        assert abs(shift[inner]).max() > 0.3
        assert abs(out.get_fdata() - truth)[inner].max() < 1e-3, (name, abs(out.get_fdata() - truth)[inner].max())
    assert "Hz" in open("out.json").read()
