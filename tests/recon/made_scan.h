/* SPDX-License-Identifier: BSD-3-Clause */
/* A small Cartesian scan made of images, with maps as wanted. */
#ifndef TESTS_RECON_MADE_SCAN_H
#define TESTS_RECON_MADE_SCAN_H

#include "owned_scan.h"

enum { NX = 12, NY = 7, COILS = 2, PIXELS = NX * NY };

static inline double complex truth_at(int slice, int repetition, int x, int y)
{
    return (1 + x + 2 * slice) * cexp(I * 0.3 * y) + (repetition + 1) * (x == 4 && y == 2);
}

static inline double complex coil_at(int coil, int x, int y)
{
    return coil ? 0.5 + 0.05 * x - 0.1 * I * y : 1 - 0.03 * y + 0.02 * I * x;
}

/* One fully sampled image: an acquisition for each line, readout `oversampling` times finer in k, dwell in
 * seconds, field in rad/s the same everywhere. */
static inline void add_image(made_scan *m, argand_counters counters, int oversampling, double dwell,
                             double field)
{
    const int samples = NX * oversampling;
    for (int line = 0; line < NY; line++) {
        counters.shot = (uint16_t)line;
        const readout acquired = add_readout(m, counters, samples, COILS);
        acquired.acquisition->sample_time = dwell;
        acquired.acquisition->position[2] = 5.f * counters.slice;
        for (int i = 0; i < samples; i++) {
            /* k in cycles per encoded field of view; the object sees it divided by the oversampling */
            const double kx = i - samples / 2, ky = line - NY / 2, time = 0.005 + kx * dwell;
            acquired.k[0][i] = (float)kx;
            acquired.k[1][i] = (float)ky;
            acquired.t[i] = (float)time;
            for (int coil = 0; coil < COILS; coil++) {
                double complex sum = 0;
                for (int y = 0; y < NY; y++)
                    for (int x = 0; x < NX; x++) {
                        const double r[2] = {(double)(x - NX / 2) / NX, (double)(y - NY / 2) / NY};
                        sum += truth_at(counters.slice, counters.repetition, x, y) * coil_at(coil, x, y) *
                               cexp(-I * (2 * PI * (kx / oversampling * r[0] + ky * r[1]) +
                                          field * (double)acquired.t[i]));
                    }
                put_complex(acquired.data, i + samples * coil, sum);
            }
        }
    }
}

static inline made_scan *new_scan(int oversampling)
{
    return empty_scan(NX, NY, COILS, oversampling);
}

static inline void add_coil_maps(made_scan *m)
{
    double complex maps[PIXELS * COILS];
    for (int i = 0; i < PIXELS * COILS; i++) maps[i] = coil_at(i / PIXELS, i % PIXELS % NX, i % PIXELS / NX);
    add_complex_array(m, (argand_scan_array){.name = "SENSEMap", .rank = 4, .dims = {NX, NY, 1, COILS}},
                      maps);
}

static inline void add_real_map(made_scan *m, const char *name, int rank, const int64_t *dims, double value)
{
    argand_scan_array *a = &m->arrays[m->scan.array_count++];
    int64_t count = 1;
    *a = (argand_scan_array){.type = ARGAND_R32, .rank = rank};
    for (int i = 0; i < rank; i++) count *= a->dims[i] = dims[i];
    snprintf(a->name, sizeof a->name, "%s", name);
    float *numbers = own(m, sizeof(float) * (size_t)count);
    for (int64_t i = 0; i < count; i++) numbers[i] = (float)value;
    a->data = numbers;
}

static inline void truth(double complex *image, int slice, int repetition)
{
    for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++) image[x + NX * y] = truth_at(slice, repetition, x, y);
}

static inline bool keep_iteration(void *context, const argand_progress *p)
{
    *(int *)context = p->iteration;
    return true;
}

static inline double run_error(argand_sense *session, int volume, const double complex *expected)
{
    argand_array *image;
    OK(argand_array_create(&image, device, ARGAND_C64, 3, (int64_t[]){NX, NY, 1}));
    OK(argand_sense_run(session, volume, image, NULL, NULL));
    double *got = as_doubles(image);
    const double error = relative_error(got, (const double *)expected, 2 * PIXELS);
    free(got);
    argand_array_destroy(image);
    return error;
}

/* Data are stored as floats: 6e-8 relative, a few times that in the image of a well-conditioned problem. */
static const double stored_in_single = 2e-6;
static const argand_sense_options exact = {.type = ARGAND_C64, .iterations = 40, .nufft_tolerance = 1e-10};

#endif
