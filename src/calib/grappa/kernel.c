/* SPDX-License-Identifier: BSD-3-Clause */
/* The convolution that completes regularly undersampled k-space. The sources of a missing sample are the
 * acquired ones around it. Samples at different places of the lattice of acquired lines have different
 * sources, so that the weights of all of them are one kernel. */
#include "calib/grappa/grappa.h"
#include "calib/undersampling.h"

#include "base/memory.h"

static int64_t modulo(int64_t a, int64_t n)
{
    return (a % n + n) % n;
}

/* Returns true if the line at y, z from an acquired one is acquired. */
static bool is_acquired(const undersampling *u, int64_t y, int64_t z)
{
    return modulo(z, u->factor[1]) == 0 &&
           modulo(y - u->shift * ((z - modulo(z, u->factor[1])) / u->factor[1]), u->factor[0]) == 0;
}

/* Marks the sources of the sample at y, z from an acquired one; returns their number. */
static int64_t find_sources(unsigned char *bits, const argand_grappa *g, const undersampling *u, int64_t y,
                            int64_t z)
{
    const int64_t *half = g->patterns.half, width = 2 * half[0] + 1, height = 2 * half[1] + 1;
    int64_t count = 0;
    for (int64_t tap = 0; tap < g->patterns.taps; tap++) {
        const int64_t dy = tap / width % height - half[1], dz = tap / (width * height) - half[2];
        bits[tap] = is_acquired(u, y + dy, z + dz);
        count += bits[tap];
    }
    return count;
}

/* Adds the weights of a pattern, {source}{re, im}{target}, to the kernel {taps, source coil, target coil}. */
static void add(float *kernel, const argand_grappa *g, const unsigned char *bits, const float *weights)
{
    const int64_t taps = g->patterns.taps, coils = g->coils;
    for (int64_t tap = 0; tap < taps; tap++) {
        if (!bits[tap]) continue;
        for (int64_t s = 0; s < coils; s++, weights += 2 * coils)
            for (int64_t t = 0; t < coils; t++) {
                float *to = kernel + 2 * ((t * coils + s) * taps + tap);
                to[0] = weights[t];
                to[1] = weights[coils + t];
            }
    }
}

/* Adds the patterns of all missing places of the lattice. */
static argand_status add_places(float *kernel, const argand_grappa *g, const undersampling *u)
{
    unsigned char *bits;
    argand_status status = ARGAND_OK;
    TRY(NEW(bits, g->patterns.taps));
    for (int64_t place = 1; place < u->factor[0] * u->factor[1] && !status; place++) {
        float *weights = NULL;
        const int64_t sources = find_sources(bits, g, u, place % u->factor[0], place / u->factor[0]);
        if (sources)
            status = grappa_weights_of(g, bits, sources, &weights);
        else
            status =
                status_set(ARGAND_ARGUMENT,
                           "GRAPPA: in a window of %lld x %lld x %lld there is no acquired sample for "
                           "factors of %d and %d",
                           (long long)(2 * g->patterns.half[0] + 1), (long long)(2 * g->patterns.half[1] + 1),
                           (long long)(2 * g->patterns.half[2] + 1), u->factor[0], u->factor[1]);
        if (!status) add(kernel, g, bits, weights);
        memory_free(weights);
    }
    memory_free(bits);
    return status;
}

argand_status argand_grappa_kernel(argand_array **kernel, const argand_grappa *g,
                                   const argand_undersampling *given)
{
    undersampling u;
    argand_device *host = NULL;
    argand_status status;
    if (kernel) *kernel = NULL;
    CHECK(kernel && g, ARGAND_ARGUMENT, "argand_grappa_kernel: %s is NULL", kernel ? "grappa" : "kernel");
    TRY(undersampling_take(&u, given));
    const int64_t *half = g->patterns.half, coils = g->coils, taps = g->patterns.taps;
    const int64_t dims[5] = {2 * half[0] + 1, 2 * half[1] + 1, 2 * half[2] + 1, coils, coils};
    TRY_OR_DONE(argand_device_open(&host, "cpu"));
    TRY_OR_DONE(argand_array_create(kernel, host, ARGAND_C32, 5, dims));
    TRY_OR_DONE(argand_array_fill(*kernel, (argand_scalar){0, 0}));
    float *values = argand_array_data(*kernel);
    for (int64_t c = 0; c < coils; c++) values[2 * ((c * coils + c) * taps + taps / 2)] = 1;
    status = add_places(values, g, &u);
done:
    argand_device_close(host);
    if (status && *kernel) {
        argand_array_destroy(*kernel);
        *kernel = NULL;
    }
    return status;
}
