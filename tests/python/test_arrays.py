# SPDX-License-Identifier: BSD-3-Clause
"""What calls do with memory and threads: no copies, any thread, children of a fork."""

import concurrent.futures
import importlib.util
import os
import types
import unittest
from unittest import mock

import argand
import numpy as np
from argand import _arrays, _spaces, _library
from argand._spaces import CudaSpace
from argand._library import lib
from sample import in_round


class Masks(unittest.TestCase):
    def test_hidden_elements_are_refused(self):
        x = np.ma.masked_greater(np.arange(6.0), 3)
        for call in (argand.fft, lambda x: argand.nufft2(x, [[0.5]]), lambda x: argand.convolve(x, [1, 1])):
            with self.assertRaisesRegex(ValueError, "a masked array hides elements"):
                call(x)
        self.assertTrue(np.allclose(argand.fft(np.ma.masked_array(x.data)), np.fft.fft(x.data)))


class Memory(unittest.TestCase):
    def test_no_copies(self):
        """The library is given the addresses of NumPy's own memory."""
        given = []
        original = _arrays.Operand.__init__
        from argand import _fft

        class Plan(_fft.Plan):
            def wrap(self, device, end, pointer):
                given.append(pointer)
                return super().wrap(device, end, pointer)

        x, out = np.ones((6, 8), complex)[::2, ::-1], np.empty((3, 8), complex)
        _fft.Plan, kept = Plan, _fft.Plan
        try:
            _fft._plans.clear()
            argand.fft(x, out=out)
        finally:
            _fft.Plan = kept
            _fft._plans.clear()
        self.assertEqual(original, _arrays.Operand.__init__)
        self.assertEqual(given, [x.ctypes.data, out.ctypes.data])

    def test_plans_are_kept_in_bounds(self):
        from argand import _fft

        for n in range(2, 2 * _fft.MOST_PLANS):
            argand.fft(np.ones(n))
        self.assertLessEqual(len(_fft._plans), _fft.MOST_PLANS)


class Threads(unittest.TestCase):
    def test_many_at_once(self):
        x = np.random.default_rng(1).standard_normal((40, 64))
        wanted = np.fft.fft(x)

        def one(i):
            return np.abs(argand.fft(x) - wanted).max()

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            self.assertLess(max(pool.map(one, range(200))), 1e-12)

    def test_operators_that_share_parts(self):
        """Threads that apply one operator and others made of it; work memory is the operator's, and was mixed up without turns."""
        rng = np.random.default_rng(2)
        maps = argand.birdcage((3, 24, 24))
        op = argand.SENSE(argand.NUFFT(rng.uniform(-12, 12, (300, 2)), (24, 24), batch=(3,)), maps)
        filter_ = argand.Transform((24, 24), load=[rng.standard_normal((24, 24))])
        functions = [op, op.adjoint @ op, 2 * op, op.normal, filter_, lambda x: argand.solve(op, op(x), iterations=2)]
        images = [rng.standard_normal((24, 24)).astype(complex) for _ in range(3)]
        wanted = [[f(x) for x in images] for f in functions]

        def one(i):
            order = [(i + j) % (len(functions) * len(images)) for j in range(60)]
            pairs = [divmod(k, len(images)) for k in order]
            return all(np.array_equal(functions[f](images[x]), wanted[f][x]) for f, x in pairs)

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            self.assertTrue(all(pool.map(one, range(12))))

    def test_turns_of_both_orders_do_not_wait_for_each_other(self):
        a, b = argand.FFT((16,)), argand.Diagonal(np.arange(16.0))
        chains = [a @ b, b @ a, a + b, b + a]
        x = np.ones(16, complex)
        wanted = [chain(x) for chain in chains]

        def one(i):
            return all(np.array_equal(chains[(i + j) % 4](x), wanted[(i + j) % 4]) for j in range(200))

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            self.assertTrue(all(pool.map(one, range(8), timeout=300)))

    def test_a_message_belongs_to_its_thread(self):
        def one(i):
            try:
                argand.nufft2(np.ones((4, 4)), np.zeros((3, 2)), -1.0 - i)
            except argand.errors.ArgumentError as error:
                return str(-1 - i) in str(error)
            return False

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            self.assertTrue(all(pool.map(one, range(50))))

    def test_ctrl_c_belongs_to_its_call(self):
        """Also where the call came to its end all the same."""
        def ended():
            _library.watch.raised = KeyboardInterrupt()
            return 0

        with self.assertRaises(KeyboardInterrupt):
            _library.call(ended)
        np.testing.assert_allclose(argand.fftn(np.eye(4)), np.fft.fftn(np.eye(4)), atol=1e-14)

    def test_a_child_of_a_fork_computes(self):
        x = np.random.default_rng(1).standard_normal((64, 64))
        wanted = argand.fftn(x)
        child = os.fork()
        if child == 0:
            os._exit(0 if np.array_equal(argand.fftn(x), wanted) else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


class Devices(unittest.TestCase):
    def test_names(self):
        self.assertIn("cpu", argand.devices())
        device = argand.Device("cpu")
        self.assertTrue(device.info.host_addressable)
        device.threads = 1
        self.assertEqual(device.threads, 1)
        with self.assertRaises(argand.errors.ArgumentError):
            argand.Device("abacus")
        with self.assertRaises(TypeError):
            argand.fft(np.ones(4), device=3)

    def test_opencl(self):
        """Arrays go to the device and come back. Kernels take long to compile: the first tier has one of four in a run."""
        try:
            argand.Device("opencl:0")
        except argand.Error as error:
            self.skipTest(str(error))
        x = np.random.default_rng(1).standard_normal((3, 8, 10))[:, ::2]
        points = np.random.default_rng(2).uniform(-2, 2, (7, 2))
        checks = [
            (lambda: argand.fftn(x, axes=(1, 2), device="opencl:0"), lambda: np.fft.fftn(x, axes=(1, 2)), 1e-12),
            (lambda: argand.rfftn(x, axes=(1, 2), device="opencl:0"), lambda: np.fft.rfftn(x, axes=(1, 2)), 1e-12),
            (lambda: argand.FFT((4, 10), batch=(3,), device="opencl:0")(x), lambda: np.fft.fftn(x, axes=(1, 2)), 1e-12),
            (lambda: argand.nufft2(x, points, device="opencl:0"), lambda: argand.nufft2(x, points), 1e-8),
        ]
        for case, (call, wanted, tolerance) in enumerate(checks):
            if in_round(case, 4):
                self.assertLess(np.abs(call() - wanted()).max(), tolerance, case)

    def test_errors_have_the_librarys_message(self):
        with self.assertRaises(argand.errors.DeviceError) as caught:
            argand.Device("cuda:63")
        self.assertEqual(caught.exception.status, lib.ARGAND_DEVICE)
        self.assertGreater(len(str(caught.exception)), 10)


class Elsewhere(unittest.TestCase):
    """Memory of a GPU, told by what stands for a device and a stream: which device computes, in which stream, and what is refused."""

    def setUp(self):
        class Space(CudaSpace):
            captured = False

            def is_captured(self):
                return self.captured

        class Device(argand.Device):
            def __init__(self, name, backend, stream):
                self.name, self.stream, self.info = name, stream, types.SimpleNamespace(backend=backend, host_addressable=False)
                self.went = []

            def follow(self, stream, keep):
                self.stream = stream
                self.went.append((stream, keep))

        self.space, self.device = Space, Device
        self.operand = types.SimpleNamespace(space=Space(1, 7, "kept"))

    def test_one_stream(self):
        there = self.device("cuda:1", "cuda", 7)
        self.assertIs(_arrays.place(self.operand, there), there)
        self.assertIs(_arrays.home(self.operand, there), there)
        self.assertTrue(_arrays.reached(self.operand, there))
        self.assertEqual(there.went, [])

    def test_another_stream(self):
        there = self.device("cuda:1", "cuda", 0)
        for _ in range(2):
            self.assertTrue(_arrays.reached(self.operand, there))
            self.assertEqual(there.went, [(7, "kept")])

    def test_which_device(self):
        """Functions have one for each stream, what lasts has one; in a capture nothing is opened."""
        with mock.patch.object(_spaces, "get_device", lambda *asked: asked), mock.patch.object(_spaces, "is_open", lambda *asked: False):
            for name in (None, "cuda", "cuda:1"):
                self.assertEqual(_arrays.place(self.operand, name), ("cuda:1", 7, "kept"))
                self.assertEqual(_arrays.home(self.operand, name), ("cuda:1",))
            self.space.captured = True
            self.assertEqual(_arrays.place(self.operand, None), ("cuda:1",))
            with self.assertRaisesRegex(ValueError, "^the array is on cuda:1, not on cuda:0: move it there first"):
                _arrays.place(self.operand, "cuda:0")

    def test_another_device(self):
        for there in (argand.Device("cpu"), self.device("opencl:1", "opencl", None), self.device("cuda:0", "cuda", 7), self.device("cuda", "cuda", 7)):
            with self.assertRaisesRegex(ValueError, f"^an array is on cuda:1, and the work on {there.name}: move it there first"):
                _arrays.reached(self.operand, there)

    def test_only_dlpack_says_where(self):
        """Memory of a GPU is not taken for the host's, and is refused where the host's is needed."""

        class Theirs:
            def __dlpack__(self, **how):
                raise BufferError("not the host's")

            def __dlpack_device__(self):
                return 2, 0

        x = Theirs()
        self.assertTrue(_arrays.is_on_gpu(x))
        self.assertFalse(_arrays.is_foreign(x))
        with self.assertRaisesRegex(TypeError, "^an array in the host's memory is needed here"):
            argand.sense(x, x)
        if importlib.util.find_spec("cupy") is None and importlib.util.find_spec("torch") is None:
            with self.assertRaisesRegex(TypeError, "^results of Theirs, which is on a GPU, are CuPy's or PyTorch's: install one of them"):
                argand.fft(x)


if __name__ == "__main__":
    unittest.main()
