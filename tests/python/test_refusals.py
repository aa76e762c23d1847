# SPDX-License-Identifier: BSD-3-Clause
"""What cannot be computed is refused with the name of the argument; kinds of memory that can be are computed."""

import copy
import pickle
import tempfile
import unittest

import argand
import numpy as np
from argand._scan import refuse_unshifted

N = 8
IMAGE = argand.phantom((N, N))
MAPS = argand.birdcage((2, N, N))
POINTS = argand.trajectory.radial((N, N), spokes=4)[0]
TIMES = np.zeros(POINTS.shape[:-1])
SAMPLES = argand.nufft2(IMAGE * MAPS, POINTS)
OP = argand.FFT((N, N))


def sense(**changed):
    given = {"kspace": SAMPLES, "trajectory": POINTS, "maps": MAPS, "iterations": 1, **changed}
    return argand.sense(**given)


class Named(unittest.TestCase):
    def refused(self, kind, pattern, call):
        with self.assertRaisesRegex(kind, pattern):
            call()

    def test_shapes(self):
        for call in [
            lambda shape: argand.nufft1(SAMPLES, POINTS, shape), lambda shape: argand.NUFFT(POINTS, shape),
            lambda shape: argand.FieldDFT(POINTS, shape), lambda shape: argand.Toeplitz(POINTS, shape), argand.FFT, argand.phantom,
            lambda shape: argand.Convolution(shape, np.ones((3, 3))), argand.birdcage, argand.Wavelet, argand.Gradient,
            argand.trajectory.radial, argand.trajectory.spiral, argand.trajectory.cartesian, lambda shape: argand.density(POINTS, shape),
            lambda shape: argand.gridding(SAMPLES, POINTS, TIMES, shape), lambda shape: argand.Transform(shape),
            lambda shape: argand.head_field(shape, field_range_hz=1.0), lambda shape: sense(maps=None, shape=shape),
        ]:  # fmt: skip
            for shape in [(8.5, 8), "ab", 1j]:
                self.refused(TypeError, r"^shape: whole numbers are needed, as \(ny, nx\), not", lambda: call(shape))
            self.refused(ValueError, "^shape: .* is more than any memory holds", lambda: call((2**70, 8)))
            self.refused((ValueError, argand.errors.UnsupportedError, argand.errors.OutOfMemoryError), "", lambda: call((-1, 8)))

    def test_numbers(self):
        for pattern, call in [
            ("^iterations must be a whole number of at most 32 bits; got 1.5", lambda: sense(iterations=1.5)),
            ("^compress must be a whole number of at most 32 bits; got 'x'", lambda: sense(compress="x")),
            ("^segments must be a whole number of at most 32 bits; got 1.5", lambda: argand.SegmentedNUFFT(POINTS, (N, N), times=TIMES, field_map=IMAGE, segments=1.5)),
            ("^iterations must be a whole number .*; got None", lambda: argand.solve(OP, IMAGE, iterations=None)),
            ("^coils must be a whole number .*; got 1.5", lambda: argand.compress(SAMPLES, 1.5)),
            ("^calibration: whole numbers", lambda: argand.espirit(MAPS, calibration=1.5)),
            ("^s: whole numbers", lambda: argand.fftn(IMAGE, (1.5, 2))),
            ("^axes: whole numbers", lambda: argand.fftn(IMAGE, axes=(0.5,))),
            ("^axis: whole numbers", lambda: argand.field_gradient(IMAGE, 0.5)),
            ("^n: whole numbers", lambda: argand.fft.fftfreq(np.nan)),
            ("^batch: whole numbers", lambda: argand.NUFFT(POINTS, (N, N), batch="3")),
            ("^batch: whole numbers", lambda: argand.FieldDFT(POINTS, (N, N), batch=1.5)),
            ("unexpected keyword argument .tol.|no argument tol=", lambda: argand.nufft2(IMAGE, POINTS, tol=1e-3)),
            ("^an array is needed, not 'x.npy': argand.read", lambda: argand.fftn("x.npy")),
            (r"^tolerance is a number, not an array of shape \(2,\)", lambda: argand.nufft2(IMAGE, POINTS, np.ones(2))),
            ("accessor is a number, an array or a Call", lambda: argand.Transform((N, N), load=[None])),
        ]:
            self.refused(TypeError, pattern, call)
        self.refused(ValueError, "^iterations must be a whole number .*; got 1099511627776", lambda: sense(iterations=2**40))
        self.refused(ValueError, "^iterations: a number above 0, or 0 for the weighted adjoint", lambda: sense(iterations=-3))
        self.refused(FileNotFoundError, "^times: abc: no such file", lambda: sense(times="abc", field_map=IMAGE))
        self.refused(FileNotFoundError, "^maps: sens: no such file, nor sens.cfl", lambda: sense(maps="sens"))
        self.refused(ValueError, "^maps have the shape .*coils", lambda: sense(maps=MAPS[:-1]))
        deep = np.concatenate([np.zeros((*np.shape(POINTS)[:-1], 1)), POINTS], axis=-1)
        self.refused(ValueError, "leave out kz, or give maps", lambda: sense(trajectory=deep))
        self.refused(ValueError, r"^points have the shape \(..., 1, 2 or 3\), not \(2, 32\): give their transpose, \(32, 2\)", lambda: argand.nufft2(IMAGE, POINTS.reshape(-1, 2)[:32].T))

    def test_unshifted(self):
        """k-space as numpy.fft.fft2 leaves it would give a wrong image without a word; complete, undersampled, and as repetitions."""
        n = 32
        image, maps = argand.phantom((n, n)), argand.birdcage((2, n, n))
        images = image * maps
        for kspace in [np.fft.fft2(images), np.fft.fft2(images) * (np.arange(n) % 2 == 0), np.fft.fft2(images[None])]:
            for call in [lambda: argand.sense(kspace, maps=maps), lambda: argand.espirit(kspace.reshape(2, n, n))]:
                self.refused(ValueError, "^k-space: its energy lies at the ends of its axes", call)
        centred = argand.sense(argand.fftn(images, axes=(1, 2), centred=True), maps=maps)
        self.assertLess(np.abs(centred - image).max(), 1e-4)
        listed = np.fft.fft2(images[None]).tolist()
        self.refused(ValueError, "^k-space: its energy lies at the ends of its axes", lambda: argand.sense(listed, maps=maps))

    def test_centred_is_taken(self):
        """Right k-space with little in its middle: noise, derivatives, one line, no middle; a volume; single coils."""
        n, rng = 32, np.random.default_rng(5)
        disk = np.add.outer(*[(np.arange(n) - n // 2) ** 2] * 2)[None] < n * n / 10
        lines, rows = argand.fftn(disk.astype(complex), axes=(1, 2), centred=True), np.arange(n)[:, None]
        volume = argand.fftn(np.ones((1, 8, 1, 1)) * disk[:, None] + 0j, axes=(1, 2, 3), centred=True)
        edges = lines * (rows - n // 2) * (rows.T - n // 2)
        outer = lines * (np.abs(rows - n // 2) > n // 4)
        noise = rng.standard_normal((1, n, n, 2)) @ [1, 1j]
        for kspace in [lines, volume, edges, outer, noise, 0 * lines, *[lines * (rows == row) for row in (0, n // 2, n - 1)]]:
            refuse_unshifted(kspace)

    def test_axes(self):
        """Axes are counted as NumPy counts them."""
        image = np.zeros((5, 6, 7))
        for axis in range(3):
            kernel = np.zeros([9 if a == axis else 2 for a in range(3)])
            self.refused(ValueError, f"no result along axis {axis}: ", lambda: argand.convolve(image, kernel, "valid"))
            self.refused(ValueError, f"centre is 4 along axis {axis}", lambda: argand.convolve(image, np.zeros((2, 2, 2)), centre=[4 * (a == axis) for a in range(3)]))

        kspace = argand.fftn(argand.birdcage((2, N, N + 2)), axes=(1, 2), centred=True)
        self.refused(ValueError, "region of 20 along axis 0, .* over 8 ", lambda: argand.espirit(kspace, calibration=(20, 3)))

    def test_shape_order(self):
        """Shapes in errors of the library are those of NumPy."""
        phases = np.zeros((4, 5, 7))
        self.refused(ValueError, r"phase maps have the shape \(4, 1, 5, 7\), but the image is \(8, 8\)", lambda: argand.pcsense(SAMPLES, POINTS, MAPS, phases))
        maps = np.ones((2, 5, 7), complex)
        call = lambda: argand.tool.sense(kspace=SAMPLES, trajectory=POINTS, coil_maps=maps, k_unit="cycles", iterations=1)
        self.refused(ValueError, r"coil_maps is \(2, 5, 7\), but the image with its coils is \(2, 8, 8\)", call)

    def test_arrays(self):
        for pattern, call in [
            ("^trajectory: numbers are needed, not object", lambda: sense(trajectory=POINTS.astype(object))),
            ("^maps: numbers", lambda: sense(maps=MAPS.astype(object))),
            ("^times: numbers", lambda: sense(times=TIMES.astype(object), field_map=IMAGE)),
            ("^weights: numbers", lambda: sense(weights={})),
            ("^noise: numbers", lambda: sense(noise={})),
            ("^matrix: numbers", lambda: argand.mix({}, SAMPLES)),
            ("^echo_times: numbers", lambda: argand.field_map(MAPS[:, None], None)),
            ("^echo_times: real numbers are needed, not complex128", lambda: argand.field_map(MAPS[:, None], [1j, 2j])),
            ("argand computes", lambda: argand.fft.hfft(None)),
            ("^trajectory: real numbers", lambda: sense(trajectory=POINTS + 1j)),
            ("^times: real numbers", lambda: sense(times=TIMES + 1j, field_map=IMAGE)),
            ("^weights: real numbers", lambda: sense(weights=TIMES + 1j)),
            ("^phase_maps: real numbers", lambda: argand.pcsense(SAMPLES, POINTS, MAPS, np.ones((4, N, N)) * 1j)),
        ]:
            self.refused(TypeError, pattern, call)
        for pattern, call in [
            ("^an array \\(coils, ...\\) is needed", lambda: argand.whiten(3.0)),
            ("^an array \\(coils, ...\\) is needed", lambda: argand.mix(np.eye(2), 3.0)),
            ("^a field map of shape \\(\\) has no axis 0", lambda: argand.field_gradient(3.0, 0)),
            ("^field_map has the shape \\(8, 8\\)", lambda: argand.field_dft(IMAGE, POINTS, TIMES, np.ones((7, 8)))),
            ("^times has the shape", lambda: argand.field_dft(IMAGE, POINTS, TIMES[0, :3], IMAGE)),
            (r"^coil maps have the shape \(coils, ny, nx\)", lambda: argand.birdcage((8, 8))),
            ("^weights has the shape", lambda: argand.solve(OP, IMAGE, weights=np.ones(3))),
            ("^there are no points", lambda: argand.density(POINTS[:0], (N, N))),
            ("^points of 2 dimensions and an image of shape", lambda: argand.density(POINTS, (N,), method="deconvolve")),
            ("^points of 2 dimensions and an image of shape", lambda: argand.density(POINTS, (N, N, N), method="deconvolve")),
            ("^centre has an index for each of the kernel's 2 axes, not", lambda: argand.convolve(IMAGE, np.ones((3, 3)), centre=(1,))),
            ("^centre has an index", lambda: argand.convolve(IMAGE, np.ones((3, 3)), centre=(1, 1, 1))),
            ("^border is one of", lambda: argand.convolve(IMAGE, np.ones((3, 3)), border=[["wrap"], "zero"])),
            ("^sets: -1 sets", lambda: argand.espirit(MAPS, sets=-1)),
            ("^batch: .* is more than any memory holds", lambda: argand.NUFFT(POINTS, (N, N), batch=(2**40, 2**40))),
            ("^shape(:| must be) ", lambda: argand.FFT((2,) * 9)),
        ]:
            self.refused(ValueError, pattern, call)
        self.assertEqual(argand.fft.fftshift(3.0), 3.0)

    def test_types(self):
        """What is not computed with is refused by name, wherever a dtype can be given."""
        for call in [
            lambda t: argand.phantom((N, N), t), lambda t: argand.birdcage((2, N, N), t), lambda t: argand.head_field((N, N), field_range_hz=1.0, dtype=t),
            lambda t: argand.trajectory.radial((N, N), dtype=t), lambda t: argand.density(POINTS, (N, N), dtype=t),
            lambda t: argand.Gradient((N, N), dtype=t), lambda t: argand.Wavelet((N, N), dtype=t),
            lambda t: argand.Convolution((N, N), np.ones((3, 3)), dtype=t),
        ]:  # fmt: skip
            for dtype in (int, np.float16, np.longdouble, "U3"):
                self.refused(TypeError, "^dtype is float32, float64, complex64 or complex128, not", lambda: call(dtype))
        self.refused(TypeError, "^operators are of complex64 or complex128, not", lambda: argand.NUFFT3(POINTS, POINTS, dtype=int))

    def test_types_name_the_remedy(self):
        """What NumPy's own FFT takes in another way, or not at all."""
        record = np.zeros(4, [("re", "f8"), ("im", "f8")])
        for call, pattern in [
            (lambda: argand.fft(record), r"give one of its fields, x\['re'\]"), (lambda: argand.fft(x for x in (1, 2)), "give an array or a list"),
            (lambda: argand.fft({1, 2}), "of set: give an array or a list"), (lambda: argand.fft(None), "of NoneType: give an array"),
            (lambda: argand.convolve(np.ones(3, object), [1.0]), "of int: np.asarray"), (lambda: argand.fft([1, 2], n=2.0), "n: a whole number is needed, not 2.0"),
            (lambda: argand.irfft([1, 2], "2"), "n: a whole number is needed, not '2'"),
        ]:  # fmt: skip
            self.refused(TypeError, pattern, call)
        if np.dtype(np.longdouble) != np.float64:
            self.refused(TypeError, r"x\.astype\(np\.float64\)", lambda: argand.fft(np.ones(3, np.longdouble)))
            self.refused(TypeError, r"x\.astype\(np\.complex128\)", lambda: argand.nufft2(np.ones((3, 3), np.clongdouble), [[0.0, 0.0]]))

    def test_text(self):
        """The library's strings end at a null character, which no text and no path may have."""
        for pattern, call in [
            ("^regularize: .* null character", lambda: sense(regularize="tv:0.1\0")),
            ("^device: .* null character", lambda: argand.Device("cpu\0x")),
            ("^path: .* null character", lambda: argand.write("a.npy\0.nii", IMAGE)),
        ]:
            self.refused(ValueError, pattern, call)
        self.refused(TypeError, "^device: text is needed, not 5", lambda: argand.Device(5))

    def test_solves(self):
        for kind, pattern, call in [
            (TypeError, "^op: an argand operator is needed, not ndarray", lambda: argand.solve(np.eye(N), IMAGE)),
            (TypeError, "^normal: an argand operator is needed, not str", lambda: argand.solve(OP, IMAGE, normal="toeplitz")),
            (TypeError, "^callback: a function is needed, not 'tell'", lambda: sense(callback="tell")),
            (ValueError, "^regularize is text such as", lambda: sense(regularize=-1)),
            (ValueError, "^regularize is text such as", lambda: argand.solve(OP, IMAGE, regularize=np.nan)),
            (ValueError, r"no axis of length 0, not shape \(0, 8, 8\)", lambda: argand.write_png("a.png", np.ones((0, N, N)))),
        ]:
            self.refused(kind, pattern, call)

    def test_operators_together(self):
        wide, other = argand.FFT((N, 3), (2,)), argand.FFT((N, N))
        self.refused(ValueError, r"^A @ B: A takes arrays of shape \(2, 8, 3\), and B gives \(8, 8\)", lambda: wide @ other)
        self.refused(TypeError, "^an operator is applied to an array: A @ B is the product", lambda: other(other))
        np.testing.assert_array_equal((other / 2)(IMAGE), other(IMAGE) / 2)
        self.refused(ValueError, r"^A \+ B: A takes arrays of shape \(2, 8, 3\), and B of \(8, 8\)", lambda: wide + other)

    def test_names_of_others(self):
        self.refused(AttributeError, "module 'argand' has no attribute 'dft': field_dft is what it has", lambda: argand.dft)
        self.refused(AttributeError, "module 'argand' has no attribute 'gronk'$", lambda: argand.gronk)

    def test_copies(self):
        """Operators are their own copies; devices go by their names."""
        self.assertIs(copy.deepcopy({"A": OP})["A"], OP)
        self.assertIs(copy.copy(OP), OP)
        self.assertEqual(pickle.loads(pickle.dumps(argand.Device("cpu"))).name, "cpu")
        self.assertTrue(repr(OP).startswith("<argand.FFT: shape (8, 8) to (8, 8); "))

    def test_memory_of_any_kind(self):
        """Read-only, of the other byte order, strided, unaligned, repeated: as the plain array."""
        read_only = IMAGE.copy()
        read_only.flags.writeable = False
        unaligned = np.frombuffer(b"x" + IMAGE.tobytes(), np.uint8)[1:].view(np.float64).reshape(IMAGE.shape)
        wide = np.zeros((N, 2 * N))
        wide[:, ::2] = IMAGE
        kinds = [read_only, unaligned, wide[:, ::2], np.asfortranarray(IMAGE), IMAGE.astype(">f8"), IMAGE[::-1].copy()[::-1], IMAGE.view(np.memmap)]
        for call in [argand.fftn, argand.rfftn, lambda x: argand.nufft2(x, POINTS), OP, lambda x: argand.convolve(x, np.ones((3, 3))),
                     lambda x: argand.field_dft(x, POINTS, TIMES, x), lambda x: sense(mask=x), lambda x: argand.Diagonal(x)(x)]:  # fmt: skip
            wanted = call(IMAGE)
            for kind in kinds:
                np.testing.assert_allclose(call(kind), wanted, rtol=0, atol=1e-12 * abs(wanted).max())

    def test_halves_of_the_other_byte_order(self):
        np.testing.assert_array_equal(argand.fftn(IMAGE.astype(">f2")), argand.fftn(IMAGE.astype(np.float16)))

    def test_output_in_a_file(self):
        """A memory map is where a result goes as well as any other array."""
        with tempfile.TemporaryDirectory() as folder:
            out = np.memmap(f"{folder}/out", np.complex128, "w+", shape=(N, N))
            for call in (OP, lambda x, out: argand.fftn(x, out=out)):
                out[...] = 0
                self.assertIs(call(IMAGE, out=out), out)
                np.testing.assert_array_equal(out, argand.fftn(IMAGE))

    def test_samples_of_the_other_byte_order(self):
        image = sense(kspace=SAMPLES.astype(">c16"))
        self.assertEqual(image.dtype, np.complex128)
        np.testing.assert_array_equal(image, sense())
        with self.assertRaisesRegex(ValueError, "kept in single precision"):
            sense(kspace=(1e39 * SAMPLES).astype(">c16"))


if __name__ == "__main__":
    unittest.main()
