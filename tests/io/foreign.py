# SPDX-License-Identifier: BSD-3-Clause
"""Other people's readers and writers against ours: nibabel and NumPy. usage: foreign.py REWRITE (the test program)."""
import os
import shutil
import struct
import subprocess
import sys
import tempfile

try:
    import nibabel
    import numpy as np
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)

rewrite = sys.argv[1]
random = np.random.default_rng(1)


def run(*arguments):
    done = subprocess.run([rewrite, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stdout, (arguments, done.returncode, done.stdout, done.stderr)


def rotation():
    q, _ = np.linalg.qr(random.standard_normal((3, 3)))
    return q  # proper or with a reflection: both must work


def sample(dtype, shape):
    kind = np.dtype(dtype).kind
    if kind in "iu":
        limits = np.iinfo(dtype)
        return random.integers(max(limits.min, -2**30), min(limits.max, 2**30), shape).astype(dtype)
    if kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    numbers = random.standard_normal(shape)
    return (numbers + 1j * random.standard_normal(shape) if kind == "c" else numbers).astype(dtype)


def expected(numbers):
    return numbers.astype(np.complex64 if np.iscomplexobj(numbers) else np.float32)


def test_nifti_types(folder):
    """Every numeric type, both byte orders, NIfTI-1 and -2, packed or not, with slope and intercept."""
    names = ["uint8", "int8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64", "complex64", "complex128"]
    for name in names:
        for order in "<>":
            for kind, ending in ((nibabel.Nifti1Image, "nii"), (nibabel.Nifti1Image, "nii.gz"), (nibabel.Nifti2Image, "nii")):
                numbers = sample(name, (5, 4, 3, 2))
                affine = np.eye(4)
                affine[:3, :3] = rotation() * [1.5, 2.0, 0.7]
                affine[:3, 3] = random.uniform(-50, 50, 3)
                image = kind(numbers, affine, dtype=name)
                image = kind(numbers, affine, image.header.as_byteswapped(order))
                image.header.set_data_dtype(np.dtype(name).newbyteorder(order))
                nibabel.save(image, f"{folder}/in.{ending}")
                run(f"{folder}/in.{ending}", f"{folder}/out.nii.gz", 1.25)
                back = nibabel.load(f"{folder}/out.nii.gz")
                got = np.asanyarray(back.dataobj)
                assert got.dtype == expected(numbers).dtype, (name, got.dtype)
                assert np.array_equal(got, expected(numbers)), (name, order, ending)
                check_header(back, affine, 1.25)


def check_header(image, affine, time):
    header = image.header
    assert np.allclose(image.affine, affine, atol=2e-5), (image.affine, affine)
    assert np.allclose(image.get_qform(), affine, atol=2e-5)
    assert np.allclose(image.get_sform(), affine, atol=2e-5)
    assert header["qform_code"] == 1 and header["sform_code"] == 1
    assert header.get_xyzt_units() == ("mm", "sec")
    assert abs(header.get_zooms()[3] - time) < 1e-6
    assert np.allclose(header.get_zooms()[:3], np.linalg.norm(affine[:3, :3], axis=0), rtol=1e-6)
    assert header["scl_slope"] == 1 or np.isnan(header["scl_slope"])


def test_nifti_scaling(folder):
    numbers = sample("int16", (6, 5, 4))
    image = nibabel.Nifti1Image(numbers, np.eye(4))
    image.header.set_slope_inter(0.25, -3)
    nibabel.save(image, f"{folder}/scaled.nii")
    run(f"{folder}/scaled.nii", f"{folder}/scaled.npy")
    true = nibabel.load(f"{folder}/scaled.nii").get_fdata()
    assert true.ptp() > 1e4 if hasattr(true, "ptp") else np.ptp(true) > 1e4
    assert np.allclose(np.load(f"{folder}/scaled.npy").T, true, rtol=1e-6)


def test_nifti_tool(folder):
    """The NIfTI project's own checker has nothing to say."""
    if not shutil.which("nifti_tool"):
        return print("nifti_tool is not installed: not asked")
    for name, shape in (("f4", (3, 4, 5)), ("c8", (2, 3, 4, 5)), ("f8", (6,))):
        np.save(f"{folder}/in.npy", sample(name, shape))
        for path in (f"{folder}/out.nii", f"{folder}/out.nii.gz"):
            run(f"{folder}/in.npy", path, 2)
            for check in ("-check_hdr", "-check_nim"):
                said = subprocess.run(["nifti_tool", check, "-infiles", path], capture_output=True, text=True)
                assert said.returncode == 0 and "GOOD" in said.stdout + said.stderr, (path, said)


def test_nifti_units(folder):
    """A file in metres comes back in millimetres."""
    image = nibabel.Nifti1Image(np.zeros((4, 4, 4), np.float32), np.diag([0.002, 0.002, 0.003, 1]))
    image.header.set_xyzt_units("meter", "sec")
    nibabel.save(image, f"{folder}/metres.nii")
    run(f"{folder}/metres.nii", f"{folder}/mm.nii")
    assert np.allclose(nibabel.load(f"{folder}/mm.nii").affine, np.diag([2, 2, 3, 1]), atol=1e-6)


def set_floats(image, at, values):
    image[at : at + 4 * len(values)] = struct.pack(f"<{len(values)}f", *values)


def test_nifti_orientations(folder):
    """Every pair of codes with forms that place the voxels or do not: nibabel's affine where it gives one that spans
    space, and otherwise the qform; unknown where neither places them."""
    affine = np.eye(4)
    affine[:3, :3] = [[-1.5, 0, 0], [0, 1.2, -1.6], [0, 0.9, 2.133]]
    affine[:3, 3] = [12, -7, 4]
    image = nibabel.Nifti1Image(np.zeros((5, 6, 7), "f4"), affine)
    image.set_qform(affine, 1)
    image.set_sform(affine, 1)
    nibabel.save(image, f"{folder}/whole.nii")
    whole = open(f"{folder}/whole.nii", "rb").read()
    sforms = {"whole": None, "zero": [0] * 12, "nan": [np.nan] * 12, "flat": [1, 0, 1, 3, 0, 2, 0, 3, 1, 0, 1, 3],
              "other": [2, 0, 0, 1, 0, 2, 0, 2, 0, 0, 2, 3], "far": [1.5, 0, 0, np.inf, 0, 2, 0, 0, 0, 0, 3, 0]}  # fmt: skip
    qforms = {"whole": None, "zero": [0] * 6, "nan": [np.nan] * 6, "long": [0.9, 0.9, 0.9, 1, 2, 3]}
    for s, sform in sforms.items():
        for q, qform in qforms.items():
            for sform_code in (0, 1, 4):
                for qform_code in (0, 1):
                    changed = bytearray(whole)
                    changed[252:256] = struct.pack("<2h", qform_code, sform_code)
                    if sform:
                        set_floats(changed, 280, sform)
                    if qform:
                        set_floats(changed, 256, qform)
                    open(f"{folder}/in.nii", "wb").write(changed)
                    check_orientation(folder, sform_code > 0 and s in ("whole", "other"), qform_code > 0 and q in ("whole", "zero"), (s, q, sform_code, qform_code))


def check_orientation(folder, sform, qform, case):
    run(f"{folder}/in.nii", f"{folder}/out.nii", 0)
    got, given = nibabel.load(f"{folder}/out.nii"), nibabel.load(f"{folder}/in.nii", mmap=False) if sform or qform else None
    assert bool(got.header["sform_code"]) == bool(got.header["qform_code"]) == (sform or qform), case
    if sform:
        assert np.allclose(got.affine, given.header.get_sform(), atol=2e-5), case
    elif qform:
        assert np.allclose(got.affine, given.header.get_qform(), atol=2e-5), case


def test_npy(folder):
    names = ["bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "c8", "c16"]
    for name in names:
        for order in "<>":
            for shape in ((), (1,), (7,), (3, 4), (2, 1, 5), (2,) * 8):
                for version in ((1, 0), (2, 0), (3, 0)):
                    for fortran in (False, True):
                        numbers = sample(name, shape).astype(np.dtype(name).newbyteorder(order))
                        if version != (1, 0) and shape != (3, 4):
                            continue
                        stored = np.asfortranarray(numbers) if fortran and shape else numbers
                        with open(f"{folder}/in.npy", "wb") as file:
                            np.lib.format.write_array(file, np.asanyarray(stored), version)
                        run(f"{folder}/in.npy", f"{folder}/out.npy")
                        got = np.load(f"{folder}/out.npy")
                        double = name in ("f8", "c16")
                        wanted = numbers.astype(name) if double else expected(numbers)
                        # an index means the same element in C's and in Fortran's order of memory
                        assert got.dtype == wanted.dtype and got.shape == wanted.shape, (name, shape, got.shape)
                        assert np.array_equal(got, wanted), (name, order, shape, version, fortran)


def test_cfl(folder):
    numbers = sample("complex64", (5, 4, 3))
    with open(f"{folder}/a.hdr", "w") as file:
        file.write("# Dimensions\n5 4 3 1 1 1 1 1 1 1 1 1 1 1 1 1\n# Command\nphantom a\n")
    numbers.T.tofile(f"{folder}/a.cfl")
    run(f"{folder}/a.cfl", f"{folder}/a.npy")
    assert np.array_equal(np.load(f"{folder}/a.npy").T, numbers)
    run(f"{folder}/a.npy", f"{folder}/b.cfl")
    assert open(f"{folder}/b.hdr").read().splitlines()[1].split() == "5 4 3".split() + 13 * ["1"]
    assert np.array_equal(np.fromfile(f"{folder}/b.cfl", "<c8").reshape(3, 4, 5).T, numbers)


with tempfile.TemporaryDirectory() as folder:
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test(folder)
            print(name, "passed")
    assert not [name for name in os.listdir(folder) if name.startswith(".")], "a temporary file was left"
