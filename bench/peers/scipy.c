/* SPDX-License-Identifier: BSD-3-Clause */
#include "peers/scipy.h"

#include <stdio.h>

/* Python script. Arguments: nx ny kx ky channels threads repeat. It stands between double quotes in a
 * shell command, so it must not contain double quotes or dollars. Each method runs `repeat` times, or for
 * 5 s if this is shorter. */
static const char script[] =
    "import sys, time, numpy as np\n"
    "nx, ny, kx, ky, channels, threads, repeat = map(int, sys.argv[1:8])\n"
    "rng = np.random.default_rng(1)\n"
    "x, h = rng.random((channels, ny, nx), 'f4'), rng.random((ky, kx), 'f4')\n"
    "h /= h.sum()\n"
    "at = [((i * 7919 + 13) % ny, (i * 104729 + 7) % nx) for i in range(16)]\n"
    "def wanted(v, u):\n"
    "    top, left = v + (ky - 1) // 2, u + (kx - 1) // 2\n"
    "    part = x[0, max(0, top - ky + 1):top + 1, max(0, left - kx + 1):left + 1].astype('f8')[::-1, ::-1]\n"
    "    j, i = max(0, top - ny + 1), max(0, left - nx + 1)\n"
    "    return np.sum(part * h[j:j + part.shape[0], i:i + part.shape[1]].astype('f8'))\n"
    "truth = np.array([wanted(*p) for p in at])\n"
    "def measure(name, version, call):\n"
    "    y, start, best = call(), time.perf_counter(), 1e99\n"
    "    for _ in range(repeat):\n"
    "        t = time.perf_counter(); y = call(); now = time.perf_counter(); best = min(best, now - t)\n"
    "        if now - start > 5: break\n"
    "    got = np.array([y.reshape(-1, nx, channels)[v, u, 0] if name == 'filter2D' else y[0, v, u]\n"
    "                    for v, u in at])\n"
    "    print(name, version, best, np.linalg.norm(got - truth) / np.linalg.norm(truth))\n"
    "try:\n"
    "    import scipy.signal, scipy.fft\n"
    "    with scipy.fft.set_workers(threads):\n"
    "        for f in (scipy.signal.fftconvolve, scipy.signal.oaconvolve):\n"
    "            measure(f.__name__, scipy.__version__, lambda: f(x, h[None], mode='same', axes=(1, 2)))\n"
    "except ImportError: print('SciPy - 0 0\\nSciPy - 0 0')\n"
    "try:\n"
    "    import cv2\n"
    "    cv2.setNumThreads(threads)\n"
    "    z, w = np.ascontiguousarray(x.transpose(1, 2, 0)), np.ascontiguousarray(h[::-1, ::-1])\n"
    "    measure('filter2D', cv2.__version__, lambda: cv2.filter2D(z, -1, w, "
    "borderType=cv2.BORDER_CONSTANT))\n"
    "except ImportError: print('OpenCV - 0 0')\n";

bool scipy_measure(const scipy_job *job, scipy_result result[SCIPY_PEERS])
{
    char command[8192];
    const int length =
        snprintf(command, sizeof command, "python3 -c \"%s\" %lld %lld %lld %lld %d %d %d 2>/dev/null",
                 script, (long long)job->n[0], (long long)job->n[1], (long long)job->kernel[0],
                 (long long)job->kernel[1], job->channels, job->threads, job->repeat);
    if (length < 0 || (size_t)length >= sizeof command) return false;
    FILE *pipe = popen(command, "r");
    if (!pipe) return false;
    int found = 0;
    for (int i = 0; i < SCIPY_PEERS; i++) {
        scipy_result *r = &result[i];
        found += fscanf(pipe, "%31s %31s %lf %lf", r->name, r->version, &r->seconds, &r->error);
    }
    return pclose(pipe) == 0 && found == 4 * SCIPY_PEERS;
}
