# SPDX-License-Identifier: BSD-3-Clause
"""A plugin of pytest: argand.scipy_backend set globally, SciPy's own behind it, and how often it answered."""

import argand.scipy_backend as backend
import scipy.fft

answers = {True: 0, False: 0}
answer = backend.__ua_function__


def counted(method, args, kwargs):
    result = answer(method, args, kwargs)
    answers[result is not NotImplemented] += 1
    return result


backend.__ua_function__ = counted
scipy.fft.register_backend("scipy")
scipy.fft.set_global_backend(backend)


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"answered {answers[True]}, declined {answers[False]}")
