/* SPDX-License-Identifier: BSD-3-Clause */
/* A field map beyond its mask: the discrete Laplace equation with the values inside given, so that the map
 * leaves the mask without a step and never exceeds its values there. Solved by conjugate gradients, from a
 * start that spreads the values outwards ring by ring. */
#include "calib/field.h"

#include <math.h>
#include <string.h>

enum { STEPS = 2000 };

static int64_t stride_of(const int64_t n[3], int axis)
{
    return axis == 0 ? 1 : axis == 1 ? n[0] : n[0] * n[1];
}

/* The mean of the neighbours that are known; false where there is none. */
static bool mean_of_known(const double *values, const char *known, const int64_t n[3], int64_t i,
                          double *mean)
{
    double sum = 0;
    int count = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t stride = stride_of(n, axis), place = i / stride % n[axis];
        if (place > 0 && known[i - stride]) sum += values[i - stride], count++;
        if (place + 1 < n[axis] && known[i + stride]) sum += values[i + stride], count++;
    }
    *mean = count ? sum / count : 0;
    return count > 0;
}

/* known: 1 inside, then 2 for what a pass found. */
static void spread(double *values, char *known, const int64_t n[3])
{
    const int64_t pixels = n[0] * n[1] * n[2];
    for (bool found = true; found;) {
        found = false;
        for (int64_t i = 0; i < pixels; i++)
            if (!known[i] && mean_of_known(values, known, n, i, &values[i])) found = true, known[i] = 4;
        for (int64_t i = 0; i < pixels; i++)
            if (known[i] == 4) known[i] = 2;
    }
}

/* out = Laplacian of x at free pixels: sum over neighbours of x_i - x_j, free or not. */
static void laplace(const double *x, const char *mask, const int64_t n[3], double *out)
{
    const int64_t pixels = n[0] * n[1] * n[2];
    for (int64_t i = 0; i < pixels; i++) {
        double sum = 0;
        for (int axis = 0; axis < 3 && !mask[i]; axis++) {
            const int64_t stride = stride_of(n, axis), place = i / stride % n[axis];
            if (place > 0) sum += x[i] - x[i - stride];
            if (place + 1 < n[axis]) sum += x[i] - x[i + stride];
        }
        out[i] = sum;
    }
}

argand_status field_continue(double *values, const char *mask, const int64_t n[3])
{
    const int64_t pixels = n[0] * n[1] * n[2];
    double *room = NULL;
    char *known = NULL;
    argand_status status;
    TRY_OR_DONE(NEW(room, 3 * pixels));
    TRY_OR_DONE(NEW(known, pixels));
    double *residual = room, *direction = room + pixels, *image = room + 2 * pixels, energy = 0;
    memcpy(known, mask, (size_t)pixels);
    spread(values, known, n);
    laplace(values, mask, n, residual);
    for (int64_t i = 0; i < pixels; i++) {
        direction[i] = residual[i] = -residual[i];
        energy += residual[i] * residual[i];
    }
    const double first = energy;
    for (int k = 0; k < STEPS && energy > 1e-8 * first && energy > 0; k++) {
        double bend = 0;
        laplace(direction, mask, n, image);
        for (int64_t i = 0; i < pixels; i++) bend += direction[i] * image[i];
        if (!(bend > 0)) break;
        const double alpha = energy / bend, before = energy;
        energy = 0;
        for (int64_t i = 0; i < pixels; i++) {
            values[i] += alpha * direction[i];
            residual[i] -= alpha * image[i];
            energy += residual[i] * residual[i];
        }
        for (int64_t i = 0; i < pixels; i++) direction[i] = residual[i] + energy / before * direction[i];
    }
done:
    memory_free(known);
    memory_free(room);
    return status;
}
