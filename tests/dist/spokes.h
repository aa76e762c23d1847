/* SPDX-License-Identifier: BSD-3-Clause */
/* A small radial scan whose volumes ranks share. Its samples are computed from pixels, maps and phases. */
#ifndef TESTS_DIST_SPOKES_H
#define TESTS_DIST_SPOKES_H

#include "dist/coils.h"

#include "recon/owned_scan.h"

enum { SX = 16, SY = 14, PIXEL_COUNT = SX * SY, CHANNELS = 5, SHOTS = 6, SPOKES = 5, READ = 30 };

static inline double complex map_at(int coil, int n)
{
    const double x = (n % SX - 7.5) / SX, y = ((double)n / SX - 6.5) / SY, a = 1.3 * coil;
    return (0.7 + cos(a) * x + sin(a) * y) * cexp(I * (a + x * coil));
}

static inline double complex pixel_at(int n)
{
    const double x = (n % SX - 7.5) / SX, y = ((int)(n / SX) - 6.5) / SY;
    return (x * x + y * y < 0.16) * (1 + 0.5 * x) * cexp(I * y) + 0.7 * (x * x + y * y < 0.02);
}

static inline double phase_at(int shot, int n)
{
    return sin(2. * shot) + 1.5 * cos(3. * shot) * (n % SX - 7.5) / SX;
}

static inline double field_at(int n)
{
    return 250 * sin(3. * (n % SX) / SX) * cos(2. * ((double)n / SX) / SY);
}

/* Spokes over the whole circle, with the field, the shots' phases, and noise. */
static inline void add_spokes(made_scan *m, bool with_field, bool with_phases, int repetition)
{
    random_state random = {9};
    for (int spoke = 0; spoke < SHOTS * SPOKES; spoke++) {
        const double angle = PI * spoke / (SHOTS * SPOKES);
        const argand_counters counters = {.shot = (uint16_t)(spoke % SHOTS),
                                          .repetition = (uint16_t)repetition};
        const readout acquired = add_readout(m, counters, READ, CHANNELS);
        acquired.acquisition->sample_time = 4e-5;
        for (int i = 0; i < READ; i++) {
            const double r = (i - READ / 2) * 0.5;
            acquired.k[0][i] = (float)(r * cos(angle));
            acquired.k[1][i] = (float)(r * sin(angle) * SY / SX);
            acquired.t[i] = (float)(0.001 + 4e-5 * i);
            for (int c = 0; c < CHANNELS; c++) {
                double complex sum = 3 * (random_normal(&random) + I * random_normal(&random));
                for (int n = 0; n < PIXEL_COUNT; n++)
                    sum += (1 + 0.2 * repetition) * pixel_at(n) * map_at(c, n) *
                           cexp(I * ((with_phases ? phase_at(spoke % SHOTS, n) : 0) -
                                     (with_field ? field_at(n) : 0) * (double)acquired.t[i] -
                                     2 * PI *
                                         ((double)acquired.k[0][i] * (n % SX - SX / 2) / SX +
                                          (double)acquired.k[1][i] * ((int)(n / SX) - SY / 2) / SY)));
                put_complex(acquired.data, i + READ * c, sum);
            }
        }
    }
}

static inline void add_maps(made_scan *m, bool coil_maps, bool with_field, bool with_phases)
{
    if (coil_maps) {
        double complex maps[PIXEL_COUNT * CHANNELS];
        for (int i = 0; i < PIXEL_COUNT * CHANNELS; i++) maps[i] = map_at(i / PIXEL_COUNT, i % PIXEL_COUNT);
        add_complex_array(
            m, (argand_scan_array){.name = "SENSEMap", .rank = 4, .dims = {SX, SY, 1, CHANNELS}}, maps);
    }
    if (with_field) {
        float *field = own(m, sizeof(float) * PIXEL_COUNT);
        for (int n = 0; n < PIXEL_COUNT; n++) field[n] = (float)field_at(n);
        m->arrays[m->scan.array_count++] = (argand_scan_array){
            .name = "FieldMap", .type = ARGAND_R32, .rank = 2, .dims = {SX, SY}, .data = field};
    }
    if (with_phases) {
        double *phase = own(m, sizeof(double) * PIXEL_COUNT * SHOTS);
        for (int i = 0; i < PIXEL_COUNT * SHOTS; i++) phase[i] = phase_at(i / PIXEL_COUNT, i % PIXEL_COUNT);
        m->arrays[m->scan.array_count++] = (argand_scan_array){
            .name = "PhaseMaps", .type = ARGAND_R64, .rank = 4, .dims = {SX, SY, 1, SHOTS}, .data = phase};
    }
}

static inline made_scan *make_scan(bool coil_maps, bool with_field, bool with_phases, int repetitions)
{
    made_scan *m = empty_scan(SX, SY, CHANNELS, 1);
    snprintf(m->encoding.trajectory, sizeof m->encoding.trajectory, "radial");
    for (int r = 0; r < repetitions; r++) add_spokes(m, with_field, with_phases, r);
    add_maps(m, coil_maps, with_field, with_phases);
    return m;
}

#define DOUBLE .type = ARGAND_C64, .nufft_tolerance = 1e-9
#define OFF .toeplitz = ARGAND_TOEPLITZ_OFF
#define ON .toeplitz = ARGAND_TOEPLITZ_ON

#endif
