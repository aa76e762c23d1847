/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicts the times of a Toeplitz operator and of a NUFFT with its adjoint, by rates measured on one core
 * with AVX-512 (docs/performance/toeplitz.md). The times of the two usually differ by factors. */
#include <argand/fft.h>
#include <argand/toeplitz.h>

#include <math.h>
#include <string.h>
#include "base/cpu.h"
#include "base/status.h"
#include "device/device.h"
#include "nufft/plan.h"

/* Factors relative to AVX-512 */
static const double slower[CPU_LEVELS] = {[CPU_BASELINE] = 2.5, [CPU_AVX2] = 1.3, [CPU_AVX512] = 1};

static bool is_double(const argand_toeplitz_problem *p)
{
    return p->type == ARGAND_C64;
}

static double either(double value, double otherwise)
{
    return value > 0 ? value : otherwise;
}

static double pixels_of(const argand_toeplitz_problem *p)
{
    double pixels = 1;
    for (int axis = 0; axis < p->rank; axis++) pixels *= (double)p->n[axis];
    return pixels;
}

/* Counts the points of all FFTs of a convolution on the pruned grid, times log2 of their length, forward
 * and inverse: lines along x, then y and z, each axis doubled before its own transform. */
static double butterflies(const argand_toeplitz_problem *p)
{
    double lines = pixels_of(p), sum = 0;
    for (int axis = 0; axis < p->rank; axis++) {
        const double n = (double)p->n[axis];
        if (n > 1) lines *= 2;
        sum += 2 * lines * log2(fmax(2, 2 * n));
    }
    return sum;
}

/* Predicts the convolution of one vector with one kernel on a CPU; grids larger than the caches take
 * longer. */
static double convolution_on_cpu(const argand_toeplitz_problem *p, int threads)
{
    const double grid = pixels_of(p) * pow(2, p->rank - 1), far = 1 + 0.2 * fmin(1, grid / 4e6);
    return (0.10e-9 * butterflies(p) * far + 1.5e-9 * grid) * (is_double(p) ? 2 : 1) * slower[cpu_best()] /
           threads;
}

/* Predicts the NUFFT of one vector and term in one direction, from the grid and window that the plan will
 * choose. */
static double nufft_on_cpu(const argand_toeplitz_problem *p, int threads)
{
    const argand_nufft_options o = {.type = p->type,
                                    .rank = p->rank,
                                    .n = {p->n[0], p->n[1], p->n[2]},
                                    .tolerance = either(p->tolerance, 1e-5)};
    return choice_seconds(&o, (double)p->samples, either((double)p->vectors, 1)) * slower[cpu_best()] /
           threads;
}

/* Predicts the convolution on a GPU: about ten reads and writes of memory over all parities, and the
 * launches. */
static double convolution_on_gpu(const argand_toeplitz_problem *p, const device_traits *device)
{
    return pixels_of(p) * pow(2, p->rank) * 10 * (is_double(p) ? 16 : 8) / (3e12 * device->size);
}

/* Predicts the NUFFT on a GPU: passes over the grid, and the cells of the points. */
static double nufft_on_gpu(const argand_toeplitz_problem *p, const device_traits *device)
{
    const double digits = -log10(either(p->tolerance, 1e-5)), cells = pow(2 + digits, p->rank),
                 grid = pixels_of(p) * pow(1.4, p->rank);
    return (20e-12 * grid + (double)p->samples * (15e-12 + 0.6e-12 * cells)) * (is_double(p) ? 2 : 1) /
           device->size;
}

/* Threads that make the kernels of a GPU, whatever the host has: ranks with different numbers of threads make
 * the same choice, and so the same image. */
enum { HOST_THREADS = 8 };

/* Predicts the time to make the kernels on the host. Once: plans, windows and tables. One thread makes
 * these, but they are divided like the rest, so that the faster operator does not depend on the number of
 * threads. For each shot: sorting the points. For each kernel: an adjoint NUFFT on the doubled image, an
 * FFT, and copies into fresh memory; with a field also the exponentials, and the fit of the node over
 * pixels and samples. */
static double kernels_on_cpu(const argand_toeplitz_problem *shot, bool field, double shots, double kernels,
                             int threads)
{
    const double once = 5e-3, samples = (double)shot->samples, pixels = pixels_of(shot);
    argand_toeplitz_problem doubled = *shot;
    for (int axis = 0; axis < shot->rank; axis++) doubled.n[axis] *= 2;
    doubled.vectors = 1;
    doubled.tolerance = 0.1 * fmin(1e-5, either(shot->tolerance, 1e-5)); /* the tolerance that plan.c uses */
    const double sorted = 60e-9 * samples, moved = 50e-9 * pixels_of(&doubled),
                 fitted = field ? 50e-9 * (samples + pixels) : 0;
    return once / threads + kernels * nufft_on_cpu(&doubled, threads) +
           (shots * sorted + kernels * (moved + fitted) * (is_double(shot) ? 2 : 1)) * slower[cpu_best()] /
               threads;
}

/* Adds, for a GPU, the FFT plans, by the times of whole reconstructions (docs/performance/python.md), and
 * the transfer of the kernels, half of the doubled images. */
static double kernels_for_gpu(const argand_toeplitz_problem *p, double kernels)
{
    return 10e-3 + kernels * pixels_of(p) * pow(2, p->rank) * (is_double(p) ? 8 : 4) / 10e9;
}

static argand_status check(const argand_toeplitz_problem *p)
{
    CHECK(p->type == ARGAND_C32 || p->type == ARGAND_C64, ARGAND_ARGUMENT,
          "argand_toeplitz_predict: type must be ARGAND_C32 or ARGAND_C64, not %d", (int)p->type);
    CHECK(p->rank >= 1 && p->rank <= 3, ARGAND_ARGUMENT,
          "argand_toeplitz_predict: rank must be 1, 2 or 3, not %d", p->rank);
    for (int axis = 0; axis < p->rank; axis++)
        CHECK(p->n[axis] >= 1, ARGAND_ARGUMENT, "argand_toeplitz_predict: n[%d] is %lld", axis,
              (long long)p->n[axis]);
    CHECK(p->samples >= 1 && p->tolerance >= 0 && p->tolerance < 1, ARGAND_ARGUMENT,
          "argand_toeplitz_predict: %lld samples, tolerance %g", (long long)p->samples, p->tolerance);
    return ARGAND_OK;
}

argand_status argand_toeplitz_predict(argand_toeplitz_times *times, argand_device *device,
                                      const argand_toeplitz_problem *problem)
{
    CHECK(times && device && problem, ARGAND_ARGUMENT, "argand_toeplitz_predict: a pointer is NULL");
    TRY(check(problem));
    const device_traits *t = device_traits_of(device);
    const double vectors = either((double)problem->vectors, 1), terms = either(problem->terms, 1),
                 shots = either(problem->shots, 1),
                 kernels = shots * either(problem->segments, terms > 1 ? 2 * terms : 1);
    argand_toeplitz_problem of_shot = *problem;
    of_shot.samples = (int64_t)ceil((double)problem->samples / shots);
    const int threads = argand_device_threads(device);
    if (t->is_host) {
        times->nufft = 2 * vectors * terms * shots * nufft_on_cpu(&of_shot, threads);
        times->toeplitz = vectors * kernels * convolution_on_cpu(problem, threads);
    } else {
        times->nufft = 2 * (60e-6 + vectors * terms * shots * nufft_on_gpu(&of_shot, t));
        times->toeplitz = 50e-6 + vectors * kernels * convolution_on_gpu(problem, t);
    }
    times->kernels = kernels_on_cpu(&of_shot, terms > 1, shots, kernels, t->is_host ? threads : HOST_THREADS);
    if (!t->is_host) times->kernels += kernels_for_gpu(problem, kernels);
    return ARGAND_OK;
}
