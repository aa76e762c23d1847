# SPDX-License-Identifier: BSD-3-Clause
"""A plugin of pytest: argand.scipy_backend set globally, SciPy's own behind it, how often it answered, and what it declined."""

import collections

import argand.scipy_backend as backend
import scipy.fft

answered: collections.Counter[str] = collections.Counter()
declined: collections.Counter[str] = collections.Counter()
answer = backend.__ua_function__


def counted(method, args, kwargs):
    result = answer(method, args, kwargs)
    (declined if result is NotImplemented else answered)[method.__name__] += 1
    return result


backend.__ua_function__ = counted
scipy.fft.register_backend("scipy")
scipy.fft.set_global_backend(backend)


def pytest_terminal_summary(terminalreporter):
    words = ", ".join(f"{name} {count}" for name, count in sorted(declined.items()))
    terminalreporter.write_line(f"answered {answered.total()}, declined {declined.total()}: {words}")
