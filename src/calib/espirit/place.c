/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the position of the calibration region, usually the centre of k-space. A linear phase of the object,
 * such as that of an echo in an inhomogeneous field, moves the energy elsewhere. A region at the centre
 * would then contain only noise. */
#include "calib/espirit/espirit.h"

/* The central block is kept if it holds this part of the best block's energy. */
static const double ENOUGH = 0.9;

/* Sums along one axis: out[i] = sum of `size` elements from i on. Elements of out beyond n - size are not
 * written. */
static void slide(const double *in, double *out, const int64_t n[3], int axis, int64_t size)
{
    const int64_t stride = axis == 0 ? 1 : axis == 1 ? n[0] : n[0] * n[1], all = n[0] * n[1] * n[2];
    for (int64_t start = 0; start < all; start++) {
        if (start / stride % n[axis] != 0) continue; /* start at the first element of each line */
        double sum = 0;
        for (int64_t i = 0; i < size; i++) sum += in[start + i * stride];
        for (int64_t i = 0; i + size <= n[axis]; i++) {
            out[start + i * stride] = sum;
            if (i + size < n[axis]) sum += in[start + (i + size) * stride] - in[start + i * stride];
        }
    }
}

/* Sums along all three axes; the result is in b, and a is overwritten. */
static void slide_all(double *a, double *b, const int64_t n[3], const int64_t size[3])
{
    slide(a, b, n, 0, size[0]);
    slide(b, a, n, 1, size[1]);
    slide(a, b, n, 2, size[2]);
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

argand_status espirit_place(const double *kspace, const int64_t n[3], int64_t coils, const int64_t size[3],
                            int64_t origin[3])
{
    const int64_t pixels = n[0] * n[1] * n[2];
    double *scratch;
    TRY(NEW(scratch, 4 * pixels));
    double *energy = scratch, *missing = scratch + pixels, *energies = scratch + 2 * pixels,
           *gaps = scratch + 3 * pixels;
    for (int64_t i = 0; i < pixels; i++) {
        for (int64_t c = 0; c < coils; c++) {
            const double re = kspace[2 * (c * pixels + i)], im = kspace[2 * (c * pixels + i) + 1];
            energy[i] += re * re + im * im;
        }
        missing[i] = energy[i] == 0;
    }
    slide_all(energy, energies, n, size);
    slide_all(missing, gaps, n, size);
    const int64_t at = choose(energies, gaps, n, size);
    origin[0] = at % n[0];
    origin[1] = at / n[0] % n[1];
    origin[2] = at / (n[0] * n[1]);
    memory_free(scratch);
    return ARGAND_OK;
}
