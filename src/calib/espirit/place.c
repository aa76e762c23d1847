/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the position of the calibration region, usually the centre of k-space. A linear phase of the object,
 * such as that of an echo in an inhomogeneous field, moves the energy elsewhere. A region at the centre
 * would then contain only noise. */
#include "calib/espirit/espirit.h"

/* The central block is kept if it holds this part of the best block's energy. */
static const double ENOUGH = 0.9;

enum { LANES = 16 };

/* Sums along one axis for `lanes` neighbours: out[i] = sum of `size` elements from i on. Elements of out
 * beyond n - size are not written. */
static void slide_lanes(const double *in, double *out, int64_t n, int64_t stride, int64_t size, int64_t lanes)
{
    double sum[LANES] = {0};
    for (int64_t i = 0; i < size; i++)
        for (int64_t l = 0; l < lanes; l++) sum[l] += in[i * stride + l];
    for (int64_t i = 0; i + size <= n; i++)
        for (int64_t l = 0; l < lanes; l++) {
            out[i * stride + l] = sum[l];
            if (i + size < n) sum[l] += in[(i + size) * stride + l] - in[i * stride + l];
        }
}

static void slide(const double *in, double *out, const int64_t n[3], int axis, int64_t size, int threads)
{
    const int64_t stride = axis == 0 ? 1 : axis == 1 ? n[0] : n[0] * n[1];
    const int64_t outer = n[0] * n[1] * n[2] / (stride * n[axis]), parts = (stride + LANES - 1) / LANES;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t job = 0; job < outer * parts; job++) {
        const int64_t lane = job % parts * LANES, at = job / parts * stride * n[axis] + lane;
        slide_lanes(in + at, out + at, n[axis], stride, size, stride - lane < LANES ? stride - lane : LANES);
    }
}

/* Sums along all three axes; the result is in b, and a is overwritten. */
static void slide_all(double *a, double *b, const int64_t n[3], const int64_t size[3], int threads)
{
    slide(a, b, n, 0, size[0], threads);
    slide(b, a, n, 1, size[1], threads);
    slide(a, b, n, 2, size[2], threads);
}

#define ADD_ENERGY(REAL)                                                           \
    static void add_energy_##REAL(double *energy, const REAL *line, int64_t count) \
    {                                                                              \
        for (int64_t x = 0; x < count; x++) {                                      \
            const double re = (double)line[2 * x], im = (double)line[2 * x + 1];   \
            energy[x] += re * re + im * im;                                        \
        }                                                                          \
    }
ADD_ENERGY(float)
ADD_ENERGY(double)

/* Sums squares over coils, and marks where all coils are 0. */
static void find_energy(const void *kspace, bool is_double, const int64_t n[3], int64_t coils, int threads,
                        double *energy, double *missing)
{
    const int64_t lines = n[1] * n[2];
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t line = 0; line < lines; line++) {
        for (int64_t c = 0; c < coils; c++) {
            const int64_t from = 2 * (c * lines + line) * n[0];
            if (is_double)
                add_energy_double(energy + line * n[0], (const double *)kspace + from, n[0]);
            else
                add_energy_float(energy + line * n[0], (const float *)kspace + from, n[0]);
        }
        for (int64_t x = 0; x < n[0]; x++) missing[line * n[0] + x] = energy[line * n[0] + x] == 0;
    }
}

static int64_t centre_of(const int64_t n[3], const int64_t size[3])
{
    return ((n[2] / 2 - size[2] / 2) * n[1] + n[1] / 2 - size[1] / 2) * n[0] + n[0] / 2 - size[0] / 2;
}

/* Returns the first element of the chosen block. energy and missing: sums for the block that begins at
 * each element. */
static int64_t choose(const double *energy, const double *missing, const int64_t n[3], const int64_t size[3])
{
    const int64_t centre = centre_of(n, size);
    int64_t best = centre;
    for (int64_t z = 0; z + size[2] <= n[2]; z++)
        for (int64_t y = 0; y + size[1] <= n[1]; y++)
            for (int64_t x = 0; x + size[0] <= n[0]; x++) {
                const int64_t i = (z * n[1] + y) * n[0] + x;
                if (missing[i] == 0 && energy[i] > energy[best]) best = i;
            }
    return energy[centre] >= ENOUGH * energy[best] ? centre : best;
}

argand_status espirit_place(const void *kspace, bool is_double, const int64_t n[3], int64_t coils,
                            const int64_t size[3], int threads, int64_t origin[3])
{
    const int64_t pixels = n[0] * n[1] * n[2];
    double *scratch;
    TRY(NEW(scratch, 4 * pixels));
    double *energy = scratch, *missing = scratch + pixels, *energies = scratch + 2 * pixels,
           *gaps = scratch + 3 * pixels;
    find_energy(kspace, is_double, n, coils, threads, energy, missing);
    slide_all(energy, energies, n, size, threads);
    slide_all(missing, gaps, n, size, threads);
    const int64_t at = choose(energies, gaps, n, size);
    origin[0] = at % n[0];
    origin[1] = at / n[0] % n[1];
    origin[2] = at / (n[0] * n[1]);
    memory_free(scratch);
    return ARGAND_OK;
}
