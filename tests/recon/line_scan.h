/* SPDX-License-Identifier: BSD-3-Clause */
/* Cartesian scans that hold more than images, made line by line: data are direct sums over a known image. */
#ifndef TESTS_RECON_LINE_SCAN_H
#define TESTS_RECON_LINE_SCAN_H

#include "few.h"
#include "recon/session/session.h"

enum { NX = 18, NY = 16, COILS = 6, PIXELS = NX * NY, MOST = 400 };

typedef struct made {
    argand_scan scan;
    argand_encoding encodings[2];
    argand_acquisition images[MOST], calibrations[MOST], navigators[MOST];
    argand_scan_array arrays[1];
    void *owned[3 * MOST + 4];
    int owned_count;
} made;

static inline void *own(made *m, size_t bytes)
{
    void *block = calloc(1, bytes);
    assert_non_null(block);
    return m->owned[m->owned_count++] = block;
}

static inline void made_free(made *m)
{
    for (int i = 0; i < m->owned_count; i++) free(m->owned[i]);
    free(m);
}

static inline made *new_scan(void)
{
    made *m = calloc(1, sizeof *m);
    assert_non_null(m);
    for (int e = 0; e < 2; e++)
        m->encodings[e] = (argand_encoding){.matrix = {NX, NY, 1},
                                            .field_of_view = {180, 160, 4},
                                            .recon_matrix = {NX, NY, 1},
                                            .recon_field_of_view = {180, 160, 4},
                                            .trajectory = "cartesian",
                                            .bands = {.calibration_encoding = -1}};
    m->scan = (argand_scan){.path = "made.h5",
                            .encoding_count = 1,
                            .encodings = m->encodings,
                            .acquisitions = m->images,
                            .calibrations = m->calibrations,
                            .navigators = m->navigators,
                            .arrays = m->arrays,
                            .channels = COILS,
                            .header = "",
                            .notes = ""};
    return m;
}

/* An object of each slice: two blocks of it, with a phase that is smooth over the field of view. */
static inline double complex truth_at(int slice, int x, int y)
{
    const double u = (x - NX / 2) / (double)NX, v = (y - NY / 2) / (double)NY;
    const double size = 0.36 + 0.02 * slice;
    double value = u * u + 1.2 * v * v < size * size ? 1 : 0;
    if (fabs(u - 0.1) < 0.1 && fabs(v + 0.08 * slice) < 0.12) value += 0.6;
    return value * cexp(I * (0.5 + 1.5 * u - (0.8 + 0.2 * slice) * v));
}

/* Loops around the head, that differ from slice to slice. */
static inline double complex coil_at(int coil, int slice, int x, int y)
{
    const double angle = 2 * PI * (coil + 0.35 * slice) / COILS;
    const double u = (x - NX / 2) / (double)NX - 0.75 * cos(angle),
                 v = (y - NY / 2) / (double)NY - 0.75 * sin(angle);
    return cexp(I * (angle + 0.8 * u)) / (0.35 + u * u + v * v);
}

static inline double complex coil_norm(int slice, int x, int y)
{
    double sum = 0;
    for (int c = 0; c < COILS; c++) sum += pow(cabs(coil_at(c, slice, x, y)), 2);
    return sqrt(sum);
}

/* What a coil sees of a slice. */
static const double complex *seen_by(int coil, int slice)
{
    static double complex seen[6][COILS][PIXELS];
    static bool known[6];
    for (int c = 0; c < COILS && !known[slice]; c++)
        for (int i = 0; i < PIXELS; i++)
            seen[slice][c][i] = truth_at(slice, i % NX, i / NX) * coil_at(c, slice, i % NX, i / NX) /
                                coil_norm(slice, i % NX, i / NX);
    known[slice] = true;
    return seen[slice][coil];
}

/* The sample at k of one slice; k in cycles per field of view. */
static inline double complex signal(int coil, int slice, double kx, double ky)
{
    const double complex *image = seen_by(coil, slice);
    double complex sum = 0;
    for (int y = 0; y < NY; y++) {
        double complex row = 0;
        for (int x = 0; x < NX; x++) row += image[x + NX * y] * cexp(-2 * PI * I * kx * (x - NX / 2) / NX);
        sum += row * cexp(-2 * PI * I * ky * (y - NY / 2) / NY);
    }
    return sum;
}

/* A line at ky of `slices` (with the phase of each, if more than one), kx from -NX/2 + skip on. */
static inline argand_acquisition make_line(made *m, int ky, double kz, const int *slices, int bands, int skip)
{
    const int samples = NX - skip;
    float *data = own(m, sizeof(float) * (size_t)samples * (2 * COILS + 4));
    float *k[4];
    for (int d = 0; d < 4; d++) k[d] = data + samples * (2 * COILS + d);
    for (int i = 0; i < samples; i++) {
        k[0][i] = (float)(i + skip - NX / 2);
        k[1][i] = (float)ky;
        k[2][i] = (float)kz;
        for (int c = 0; c < COILS; c++) {
            double complex sum = 0;
            for (int b = 0; b < bands; b++)
                sum += signal(c, slices[b], (double)k[0][i], ky) *
                       cexp(-2 * PI * I * kz * (b - bands / 2) / bands);
            data[2 * (i + samples * c)] = (float)creal(sum);
            data[2 * (i + samples * c) + 1] = (float)cimag(sum);
        }
    }
    return (argand_acquisition){.counters = {.shot = (uint16_t)(ky + NY / 2), .slice = (uint16_t)slices[0]},
                                .samples = samples,
                                .channels = COILS,
                                .centre_sample = NX / 2 - skip,
                                .data = data,
                                .k = {k[0], k[1], k[2]},
                                .t = k[3],
                                .read_dir = {1, 0, 0},
                                .phase_dir = {0, 1, 0},
                                .slice_dir = {0, 0, 1},
                                .position = {0, 0, (float)(4 * slices[0])}};
}

static inline void add_coil_maps(made *m, int slices)
{
    float *maps = own(m, sizeof(float) * 2 * PIXELS * COILS * (size_t)slices), *to = maps;
    for (int s = 0; s < slices; s++)
        for (int c = 0; c < COILS; c++)
            for (int i = 0; i < PIXELS; i++, to += 2) {
                const double complex value = coil_at(c, s, i % NX, i / NX) / coil_norm(s, i % NX, i / NX);
                to[0] = (float)creal(value);
                to[1] = (float)cimag(value);
            }
    m->arrays[m->scan.array_count++] = (argand_scan_array){
        .name = "SENSEMap", .type = ARGAND_C32, .rank = 5, .dims = {NX, NY, 1, COILS, slices}, .data = maps};
}

/* Relative error of a volume's image. */
static inline double error_of(argand_sense *session, int volume)
{
    const int slice = argand_sense_counters(session, volume)->slice;
    argand_array *image;
    OK(argand_array_create(&image, device, ARGAND_C32, 3, (int64_t[]){NX, NY, 1}));
    OK(argand_sense_run(session, volume, image, NULL, NULL));
    double *got = as_doubles(image), difference = 0, norm = 0;
    for (int i = 0; i < PIXELS; i++) {
        const double complex want = truth_at(slice, i % NX, i / NX), have = CMPLX(got[2 * i], got[2 * i + 1]);
        difference += pow(cabs(have - want), 2);
        norm += pow(cabs(want), 2);
    }
    free(got);
    argand_array_destroy(image);
    return sqrt(difference / norm);
}

static inline argand_sense *open_session(made *m, const argand_sense_options *options)
{
    argand_sense *session;
    OK(create_session(&session, &m->scan, options));
    return session;
}

static inline double *maps_of(argand_sense *session, int volume)
{
    argand_array *maps;
    OK(argand_sense_coil_maps(session, volume, &maps));
    double *values = as_doubles(maps);
    argand_array_destroy(maps);
    return values;
}

/* A complete scan of one slice, from whose centre maps are estimated too. */
static inline made *complete_scan(int slice)
{
    made *m = new_scan();
    for (int ky = -NY / 2; ky < NY / 2; ky++) {
        m->images[m->scan.acquisition_count] = make_line(m, ky, 0, &slice, 1, 0);
        m->images[m->scan.acquisition_count++].counters.slice = 0;
    }
    return m;
}

/* Where both look at the same part of k-space. */
static const argand_sense_options centre = {
    .iterations = 2, .coils = ARGAND_COILS_ADAPTIVE, .calibration = 0.7};

/* How far the maps of a volume are from those that a complete scan of its slice gives. */
static inline double maps_error(argand_sense *session, int volume)
{
    made *m = complete_scan(argand_sense_counters(session, volume)->slice);
    argand_sense *whole = open_session(m, &centre);
    double *have = maps_of(session, volume), *want = maps_of(whole, 0);
    const double error = relative_error(have, want, 2 * PIXELS * COILS);
    free(want);
    free(have);
    argand_sense_destroy(whole);
    made_free(m);
    return error;
}

/* Two groups of three slices: 0 2 4 and 1 3 5, shifted by thirds from line to line. */
static inline made *simultaneous(bool with_maps, bool with_calibration)
{
    made *m = new_scan();
    m->encodings[0].bands = (argand_bands){.count = 3, .spacing = 8, .calibration_encoding = -1};
    m->encodings[0].matrix[2] = 3;
    for (int group = 0; group < 2; group++)
        for (int line = 0; line < NY; line++)
            m->images[m->scan.acquisition_count++] =
                make_line(m, line - NY / 2, line % 3 - 1, (const int[]){group, group + 2, group + 4}, 3, 0);
    for (int slice = 0; slice < 6 && with_calibration; slice++)
        for (int ky = -6; ky < 6; ky++) {
            argand_acquisition *a = &m->calibrations[m->scan.calibration_count++];
            *a = make_line(m, ky, 0, &slice, 1, 0);
            a->flags = ARGAND_FLAG_CALIBRATION;
        }
    if (with_maps) add_coil_maps(m, 6);
    return m;
}

#endif
