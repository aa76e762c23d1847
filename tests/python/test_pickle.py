# SPDX-License-Identifier: BSD-3-Clause
"""Operators and plans that went through pickle, copy.deepcopy and another process give the same bits."""

import copy
import gc
import multiprocessing
import pickle
import unittest
import weakref

import argand
import numpy as np

RNG = np.random.default_rng(7)
SHAPE, COILS = (6, 5), 2
POINTS = RNG.uniform(-2.4, 2.4, (7, 2))
TIMES, FIELD = np.linspace(0, 0.01, 7), RNG.standard_normal(SHAPE) * 100


def noise(*shape):
    return RNG.standard_normal(shape) + 1j * RNG.standard_normal(shape)


MAPS = noise(COILS, *SHAPE)


def operators():
    A, B = argand.NUFFT(POINTS, SHAPE, (COILS,), tolerance=1e-7, sign=1), argand.FFT(SHAPE, centred=True, norm="ortho", dtype=np.complex64)
    T = argand.Toeplitz(POINTS, SHAPE, weights=TIMES + 1)
    return [
        A, B, A.adjoint, A.normal, argand.SENSE(A, MAPS), 2j * B, B @ B, B + B.adjoint, -B, argand.Diagonal(MAPS), T, T.sense(MAPS), T.circulant(),
        T.circulant(MAPS, 0.1), argand.FieldDFT(POINTS, SHAPE, times=TIMES, field_map=FIELD), argand.Gradient(SHAPE), argand.Wavelet((8, 8)),
        argand.SegmentedNUFFT(POINTS, SHAPE, times=TIMES, field_map=FIELD, segment_tolerance=1e-3), argand.NUFFT(POINTS.tolist(), SHAPE),
    ]  # fmt: skip


def plans():
    sharp = argand.Convolution(SHAPE, np.ones((3, 3)), border="wrap")
    sharp.sharpen(0.25)
    return [
        (argand.Convolution(SHAPE, np.ones((3, 2)), mode="full"), SHAPE), (sharp, SHAPE), (argand.NUFFT3(POINTS, 2 * POINTS), (7,)),
        (argand.Transform(SHAPE, load=[2.0, FIELD], spectrum=[FIELD]), SHAPE),
    ]  # fmt: skip


def answer(task):
    held, x = task
    return held(x)


class Pickled(unittest.TestCase):
    def test_operators(self):
        for held in operators():
            x = noise(*held.input_shape)
            other = pickle.loads(pickle.dumps(held))
            self.assertEqual((type(other), other.input_shape, other.output_shape), (type(held), held.input_shape, held.output_shape))
            np.testing.assert_array_equal(other(x), held(x), err_msg=repr(held))
            again = pickle.loads(pickle.dumps(other))  # what was made anew can be sent on
            np.testing.assert_array_equal(again(x), held(x))

    def test_plans(self):
        for held, shape in plans():
            x = RNG.standard_normal(shape)
            for other in (pickle.loads(pickle.dumps(held)), copy.copy(held), copy.deepcopy(held)):
                self.assertIsNot(other, held)
                np.testing.assert_array_equal(other(x), held(x), err_msg=repr(held))
        first = copy.copy(held)
        self.assertIsNot(copy.copy(held), first)

    def test_another_process(self):
        tasks = [(A, noise(*A.input_shape)) for A in operators()[4:6]] + [(plan, RNG.standard_normal(shape)) for plan, shape in plans()[:1]]
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            for (held, x), got in zip(tasks, pool.map(answer, tasks), strict=True):
                np.testing.assert_array_equal(got, held(x))

    def test_arrays_are_those_of_the_creation(self):
        points, maps = POINTS.copy(), MAPS.copy()
        A = argand.SENSE(argand.NUFFT(points, SHAPE, (COILS,)), maps)
        x = noise(*SHAPE)
        wanted = A(x)
        points[:], maps[:] = 0, 0
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(A))(x), wanted)

    def test_parts_are_shared(self):
        A = argand.FFT(SHAPE)
        pair = pickle.loads(pickle.dumps((A, A, A.adjoint @ A)))
        self.assertIs(pair[0], pair[1])
        self.assertEqual(pair[2]._turn._locks, pair[0]._turn._locks)

    def test_nothing_holds_what_is_no_longer_used(self):
        """An operator ends with its last reference, not when the collector of cycles comes."""
        gc.disable()
        self.addCleanup(gc.enable)
        A = argand.NUFFT(POINTS, SHAPE)
        A.adjoint(A(noise(*SHAPE)))
        pickle.dumps(A.normal)
        seen = weakref.ref(A)
        del A
        self.assertIsNone(seen())

    def test_refused(self):
        class Mine(argand.FFT):
            def __init__(self):
                super().__init__(SHAPE)

        call = argand.Call(function=lambda v, place, p: None)
        for held in (Mine(), Mine().adjoint, argand.Transform(SHAPE, load=[call]), argand.Comm(), argand.DistNUFFT(POINTS, SHAPE, argand.Comm())):
            with self.assertRaisesRegex(TypeError, "is not pickled or copied: make it anew there from what this one was made of"):
                pickle.dumps(held)


if __name__ == "__main__":
    unittest.main()
