/* SPDX-License-Identifier: BSD-3-Clause */
#include "peers/finufft.h"

#include <stdio.h>

/* Python script. Arguments: rank nx ny nz points vectors tolerance double radial threads repeat. It stands
 * between double quotes in a shell command, so it must not contain double quotes or dollars. It makes the
 * same points as nufft/case.c, in radians. */
static const char script[] =
    "import sys, time, numpy as np, finufft\n"
    "a = sys.argv[1:]\n"
    "rank, m, vectors, threads, repeat = int(a[0]), int(a[4]), int(a[5]), int(a[9]), int(a[10])\n"
    "n = [int(v) for v in a[1:1 + rank]][::-1]\n"
    "real, cplx = ('f8', 'c16') if a[7] == '1' else ('f4', 'c8')\n"
    "rng = np.random.default_rng(1)\n"
    "if a[8] == '1':\n"
    "    angle, r = np.floor(np.arange(m) / 512) * 2.39996322972865, np.pi * (np.arange(m) % 512 / 256 - 1)\n"
    "    z = 1 - 2 * (np.floor(np.arange(m) / 512) * 0.6180339887498949 % 1) if rank == 3 else np.zeros(m)\n"
    "    s = np.sqrt(1 - z * z)\n"
    "    k = [r * z, r * s * np.sin(angle), r * s * np.cos(angle)][-rank:]\n"
    "else:\n"
    "    k = [rng.uniform(-np.pi, np.pi, m) for _ in n]\n"
    "k = [v.astype(real) for v in k]\n"
    "def normal(shape):\n"
    "    return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(cplx)\n"
    "samples, image = normal((vectors, m)), normal([vectors] + n)\n"
    "axes = [np.arange(v) - v // 2 for v in n]\n"
    "def phase(j, sign):\n"
    "    e = [np.exp(sign * 1j * np.float64(k[d][j]) * axes[d]) for d in range(rank)]\n"
    "    out = e[0]\n"
    "    for v in e[1:]: out = np.multiply.outer(out, v)\n"
    "    return out\n"
    "times, errors, setting = [], [], 0\n"
    "for kind in (2, 1):\n"
    "    p = finufft.Plan(kind, tuple(n), n_trans=vectors, eps=float(a[6]), isign=-1 if kind == 2 else 1,\n"
    "                     dtype='complex128' if a[7] == '1' else 'complex64', nthreads=threads)\n"
    "    t = time.perf_counter(); p.setpts(*k); setting = time.perf_counter() - t\n"
    "    x, y = (image, np.empty_like(samples)) if kind == 2 else (samples, np.empty_like(image))\n"
    "    if vectors == 1: x, y = x[0], y[0]\n"
    "    best = 1e99\n"
    "    for _ in range(repeat):\n"
    "        t = time.perf_counter(); p.execute(x, out=y); best = min(best, time.perf_counter() - t)\n"
    "    times.append(best)\n"
    "    y = y.reshape((vectors, -1)); wrong = 0\n"
    "    for i in range(16):\n"
    "        if kind == 2:\n"
    "            j = i * m // 16\n"
    "            want = np.sum(image[0].astype('c16') * phase(j, -1))\n"
    "        else:\n"
    "            j = i * y.shape[1] // 16 + i % 7\n"
    "            at = np.unravel_index(j, n)\n"
    "            phase = sum(np.float64(k[d]) * axes[d][at[d]] for d in range(rank))\n"
    "            want = np.sum(samples[0].astype('c16') * np.exp(1j * phase))\n"
    "        wrong += abs(y[0, j] - want) ** 2\n"
    "    errors.append(np.sqrt(wrong / 16 / np.mean(abs(y[0].astype('c16')) ** 2)))\n"
    "print(finufft.__version__, *times, *errors, setting)\n";

bool finufft_measure(const finufft_job *job, finufft_result *r)
{
    char command[8192];
    const long long ny = job->rank > 1 ? job->n[1] : 1, nz = job->rank > 2 ? job->n[2] : 1;
    const int length =
        snprintf(command, sizeof command,
                 "python3 -c \"%s\" %d %lld %lld %lld %lld %lld %.17g %d %d %d %d 2>/dev/null", script,
                 job->rank, (long long)job->n[0], ny, nz, (long long)job->points, (long long)job->vectors,
                 job->tolerance, job->is_double, job->radial, job->threads, job->repeat);
    if (length < 0 || (size_t)length >= sizeof command) return false;
    FILE *pipe = popen(command, "r");
    if (!pipe) return false;
    const int found = fscanf(pipe, "%31s %lf %lf %lf %lf %lf", r->version, &r->seconds[0], &r->seconds[1],
                             &r->error[0], &r->error[1], &r->points_seconds);
    return pclose(pipe) == 0 && found == 6;
}
