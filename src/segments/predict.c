/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicts the time of the exact DFT and of segments by measured rates (docs/performance/segments.md) of
 * one core with AVX-512 and of an H200 (docs/performance/field.md). The times of the two usually differ by
 * factors, so an error of a third is acceptable. */
#include <argand/segments.h>

#include <limits.h>
#include <math.h>
#include "base/cpu.h"
#include "base/whole.h"
#include "device/device.h"

/* Seconds for each pair of sample and pixel: once, and for each vector. */
typedef struct pair_cost {
    double phase, vector;
} pair_cost;

typedef enum model { FIELD, DECAY, GRADIENTS } model;

static model model_of(const argand_segments_problem *p)
{
    return p->gradients ? GRADIENTS : p->decay ? DECAY : FIELD;
}

/* [double precision][model], one core with AVX-512 */
static const pair_cost core[2][3] = {{{0.33e-9, 0.08e-9}, {0.63e-9, 0.10e-9}, {0.75e-9, 0.075e-9}},
                                     {{0.94e-9, 0.16e-9}, {1.65e-9, 0.17e-9}, {2.05e-9, 0.15e-9}}};
/* H200; double precision is scaled by the ratio of its units, not measured */
static const pair_cost h200[2][3] = {{{0.54e-12, 0.024e-12}, {0.88e-12, 0.024e-12}, {1.1e-12, 0.03e-12}},
                                     {{5e-12, 0.3e-12}, {10e-12, 0.3e-12}, {12e-12, 0.4e-12}}};

/* Factors relative to AVX-512: phases, multiply-adds, NUFFT. */
static const double slower[CPU_LEVELS][3] = {
    [CPU_BASELINE] = {3.8, 4, 2.5}, [CPU_AVX2] = {1.2, 2, 1.3}, [CPU_AVX512] = {1, 1, 1}};

static bool is_double(const argand_segments_problem *p)
{
    return p->type == ARGAND_C64;
}

static double pixels_of(const argand_segments_problem *p)
{
    double pixels = 1;
    for (int axis = 0; axis < p->rank; axis++) pixels *= (double)p->n[axis];
    return pixels;
}

static double vectors_of(const argand_segments_problem *p)
{
    return p->vectors > 0 ? (double)p->vectors : 1;
}

static double pairs_of(const argand_segments_problem *p)
{
    return (p->inside > 0 ? (double)p->inside : pixels_of(p)) * (double)p->samples;
}

/* Predicts the number of terms from the singular values of band-limited exponentials: one per turn, plus
 * some for each digit, more for a longer range. Within one of the table in docs/performance/segments.md. */
static int terms_for(const argand_segments_problem *p)
{
    if (p->terms > 0) return p->terms;
    if (!(p->cycles > 0) && !p->decay) return 1;
    const double digits = -log10(p->tolerance > 0 ? p->tolerance : 1e-3);
    return (int)whole(ceil(p->cycles + 0.5 + digits * (0.85 + 0.18 * log2(fmax(1, p->cycles)))), 1, INT_MAX);
}

static double exact_on_cpu(const argand_segments_problem *p, int threads)
{
    const pair_cost c = core[is_double(p)][model_of(p)];
    const double *factor = slower[cpu_best()];
    return pairs_of(p) * (c.phase * factor[0] + c.vector * factor[1] * vectors_of(p)) / threads;
}

/* Predicts the exact DFT on a GPU. Without matrix units, a vector costs its multiply-adds. An OpenCL
 * device counts as a small GPU. */
static double exact_on_gpu(const argand_segments_problem *p, const device_traits *device)
{
    pair_cost c = h200[is_double(p)][model_of(p)];
    if (device->matrix != DEVICE_MATRIX_WAVES) c.vector = fmax(c.vector, 0.2e-12);
    return 50e-6 + pairs_of(p) * (c.phase + c.vector * vectors_of(p)) / device->size;
}

/* Predicts the NUFFT of one vector and term on a CPU: FFT of the grid (slower beyond the cache), window
 * around each sample, two products. */
static double nufft_on_cpu(const argand_segments_problem *p, int threads)
{
    const double digits = -log10((p->tolerance > 0 ? p->tolerance : 1e-3) / 3);
    const double cells = pow(3 + digits, p->rank), grid = pixels_of(p) * pow(1.4, p->rank);
    const double seconds = 5e-9 * grid * (1 + fmin(1, grid / 1e6)) +
                           (double)p->samples * (4e-9 + 0.12e-9 * cells) +
                           2e-9 * (pixels_of(p) + (double)p->samples);
    return seconds * (is_double(p) ? 2 : 1) * slower[cpu_best()][2] / threads;
}

/* Predicts the NUFFT of one vector and term on a GPU from the bytes of grid passes and cells, at the rates
 * of an H100. */
static double nufft_on_gpu(const argand_segments_problem *p, const device_traits *device)
{
    const double digits = -log10((p->tolerance > 0 ? p->tolerance : 1e-3) / 3);
    const double cells = pow(3 + digits, p->rank), grid = pixels_of(p) * pow(1.4, p->rank);
    const double seconds = 20e-12 * grid + (double)p->samples * (15e-12 + 0.6e-12 * cells);
    return seconds * (is_double(p) ? 2 : 1) / device->size;
}

static double segmented_on_gpu(const argand_segments_problem *p, const device_traits *device, int terms)
{
    static const double LAUNCHES = 60e-6; /* and waiting for them, once */
    return LAUNCHES + vectors_of(p) * terms * nufft_on_gpu(p, device);
}

static argand_status check(const argand_segments_problem *p)
{
    CHECK(p, ARGAND_ARGUMENT, "argand_segments_predict: no problem given");
    CHECK(p->type == ARGAND_C32 || p->type == ARGAND_C64, ARGAND_ARGUMENT,
          "argand_segments_predict: type must be ARGAND_C32 or ARGAND_C64, not %d", (int)p->type);
    CHECK(p->rank >= 1 && p->rank <= 3, ARGAND_ARGUMENT,
          "argand_segments_predict: rank must be 1, 2 or 3, not %d", p->rank);
    for (int axis = 0; axis < p->rank; axis++)
        CHECK(p->n[axis] >= 1, ARGAND_ARGUMENT, "argand_segments_predict: n[%d] is %lld", axis,
              (long long)p->n[axis]);
    CHECK(p->samples >= 1, ARGAND_ARGUMENT, "argand_segments_predict: %lld samples", (long long)p->samples);
    CHECK(isfinite(p->cycles) && p->cycles >= 0 && p->tolerance >= 0 && p->tolerance < 1, ARGAND_ARGUMENT,
          "argand_segments_predict: %g cycles, tolerance %g", p->cycles, p->tolerance);
    return ARGAND_OK;
}

argand_status argand_segments_predict(argand_segments_times *times, argand_device *device,
                                      const argand_segments_problem *problem)
{
    CHECK(times && device, ARGAND_ARGUMENT, "argand_segments_predict: no %s", device ? "place" : "device");
    TRY(check(problem));
    const device_traits *t = device_traits_of(device);
    const int threads = cpu_threads(argand_device_threads(device));
    times->terms = terms_for(problem);
    times->exact = t->is_host ? exact_on_cpu(problem, threads) : exact_on_gpu(problem, t);
    times->segmented = t->is_host ? vectors_of(problem) * times->terms * nufft_on_cpu(problem, threads)
                                  : segmented_on_gpu(problem, t, times->terms);
    return ARGAND_OK;
}
