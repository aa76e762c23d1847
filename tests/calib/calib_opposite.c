/* SPDX-License-Identifier: BSD-3-Clause */
/* Field maps from two EPI images with opposite phase encoding. Images are direct sums over an object that is
 * four times finer than the pixels along y. */
#include "harness.h"

enum { FINE = 4, MOST = 64 };
static const double pi = 3.14159265358979323846, spacing = 5e-4; /* s */

typedef struct pair {
    int nx, ny;
    double amplitude; /* Hz */
    double up[MOST * MOST], down[MOST * MOST];
} pair;

/* Hz; u, v in fields of view from the centre. */
static double field_at(const pair *p, double u, double v)
{
    return p->amplitude * (exp(-(pow(u - 0.05, 2) + pow(v - 0.3, 2)) / 0.045) - 0.3 * u + 0.15 * v);
}

static bool is_inside(double u, double v)
{
    return pow(u / 0.36, 2) + pow(v / 0.42, 2) < 1;
}

/* A head with structures of a few pixels. */
static double object_at(double u, double v)
{
    double value = is_inside(u, v) ? 0.6 : 0;
    if (pow(u / 0.32, 2) + pow(v / 0.37, 2) < 1)
        value = 0.8 + 0.25 * cos(40 * v + 9 * u) * cos(30 * u - 7 * v);
    if (pow((u - 0.1) / 0.05, 2) + pow((v + 0.05) / 0.12, 2) < 1) value = 1.4;
    if (pow((u + 0.1) / 0.06, 2) + pow((v + 0.02) / 0.1, 2) < 1) value = 0.3;
    return value;
}

static double place(int i, int n)
{
    return (i - n / 2) / (double)n;
}

/* One column as EPI with ky rising (1) or falling (-1) in time reads it. */
static void read_column(const pair *p, int x, int direction, double *image)
{
    double complex samples[MOST];
    for (int k = 0; k < p->ny; k++) {
        const double ky = k - p->ny / 2;
        samples[k] = 0;
        for (int j = 0; j < FINE * p->ny; j++) {
            const double u = place(x, p->nx), v = (j + 0.5 - FINE / 2. - FINE * (p->ny / 2)) / (FINE * p->ny);
            samples[k] += object_at(u, v) / FINE *
                          cexp(-2 * pi * I * (ky * v + field_at(p, u, v) * direction * ky * spacing));
        }
    }
    for (int y = 0; y < p->ny; y++) {
        double complex sum = 0;
        for (int k = 0; k < p->ny; k++)
            sum += samples[k] * cexp(2 * pi * I * (k - p->ny / 2) * place(y, p->ny)) / p->ny;
        image[x + p->nx * y] = cabs(sum);
    }
}

static pair *make_pair(int nx, int ny, double amplitude)
{
    pair *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->nx = nx, p->ny = ny, p->amplitude = amplitude;
    for (int x = 0; x < nx; x++) read_column(p, x, 1, p->up), read_column(p, x, -1, p->down);
    return p;
}

static argand_array *real_of(const double *values, int rank, const int64_t *dims)
{
    argand_array *array;
    OK(argand_array_create(&array, device, ARGAND_R64, rank, dims));
    OK(argand_array_upload(array, values));
    return array;
}

/* Returns the rms error in Hz inside the object, a pixel from its rim, relative to the mean square of the
 * field there. */
static double error_of(const pair *p, const double *map, double *rms)
{
    double sum = 0, square = 0, count = 0;
    for (int y = 0; y < p->ny; y++)
        for (int x = 0; x < p->nx; x++) {
            const double u = place(x, p->nx), v = place(y, p->ny), want = field_at(p, u, v);
            if (!is_inside(1.06 * u, 1.06 * v)) continue;
            sum += pow(map[x + p->nx * y] / (2 * pi) - want, 2);
            square += want * want;
            count++;
        }
    *rms = sqrt(square / count);
    return sqrt(sum / count);
}

/* noise: standard deviation of the real and the imaginary part. */
static void check_pair(int nx, int ny, double amplitude, double noise, double limit)
{
    pair *p = make_pair(nx, ny, amplitude);
    const int64_t dims[2] = {nx, ny};
    random_state state = {5};
    for (int i = 0; i < nx * ny && noise > 0; i++) {
        p->up[i] = hypot(p->up[i] + noise * random_normal(&state), noise * random_normal(&state));
        p->down[i] = hypot(p->down[i] + noise * random_normal(&state), noise * random_normal(&state));
    }
    argand_array *up = real_of(p->up, 2, dims), *down = real_of(p->down, 2, dims), *map;
    argand_opposite_report report;
    double rms;
    OK(argand_array_create(&map, device, ARGAND_R64, 2, dims));
    OK(argand_fieldmap_opposite(map, up, down, &(argand_opposite_options){.echo_spacing = spacing}, &report));
    double *values = as_doubles(map);
    const double error = error_of(p, values, &rms);
    CHECK_BELOW(error, limit);
    CHECK_BELOW(5, rms / error);
    CHECK_BELOW(3 * report.after, report.before);
    free(values);
    argand_array_destroy(map);
    argand_array_destroy(down);
    argand_array_destroy(up);
    free(p);
}

static void simulated(void **state)
{
    (void)state;
    check_pair(48, 48, 120, 0, 1.2);
    check_pair(37, 45, 120, 0, 1.2);
    check_pair(64, 64, 60, 0, 0.8);
    check_pair(48, 48, -120, 0.03, 4);
}

/* Slices with fields of opposite signs do not blur each other, and images that agree have no field. */
static void slices(void **state)
{
    (void)state;
    pair *p = make_pair(40, 36, 60);
    const int64_t dims[3] = {40, 36, 2}, pixels = 40 * 36;
    double *both = calloc(2 * 2 * 40 * 36, sizeof *both), rms;
    assert_non_null(both);
    for (int64_t i = 0; i < pixels; i++) {
        both[i] = p->up[i], both[i + pixels] = p->down[i];
        both[i + 2 * pixels] = p->down[i], both[i + 3 * pixels] = p->up[i];
    }
    argand_array *up = real_of(both, 3, dims), *down = real_of(both + 2 * pixels, 3, dims), *map;
    OK(argand_array_create(&map, device, ARGAND_R64, 3, dims));
    OK(argand_fieldmap_opposite(map, up, down, &(argand_opposite_options){.echo_spacing = spacing}, NULL));
    double *values = as_doubles(map);
    CHECK_BELOW(error_of(p, values, &rms), 4);
    p->amplitude = -60;
    CHECK_BELOW(error_of(p, values + pixels, &rms), 4);
    free(values);
    OK(argand_fieldmap_opposite(map, up, up, &(argand_opposite_options){.echo_spacing = spacing}, NULL));
    values = as_doubles(map);
    for (int64_t i = 0; i < 2 * pixels; i++) CHECK_BELOW(fabs(values[i]), 1e-6);
    free(values);
    argand_array_destroy(map);
    argand_array_destroy(down);
    argand_array_destroy(up);
    free(both);
    free(p);
}

static void refused(void **state)
{
    (void)state;
    const int64_t dims[2] = {10, 12}, other[2] = {10, 11}, few[2] = {10, 4};
    double ones[120], zeros[120] = {0};
    for (int i = 0; i < 120; i++) ones[i] = 1 + i % 7;
    argand_array *up = real_of(ones, 2, dims), *none = real_of(zeros, 2, dims),
                 *odd = real_of(ones, 2, other), *flat = real_of(ones, 2, few), *map;
    const argand_opposite_options o = {.echo_spacing = spacing};
    OK(argand_array_create(&map, device, ARGAND_R64, 2, dims));
    FAILS(argand_fieldmap_opposite(map, up, up, NULL, NULL), ARGAND_ARGUMENT, "echo spacing");
    FAILS(argand_fieldmap_opposite(map, up, up, &(argand_opposite_options){0}, NULL), ARGAND_ARGUMENT,
          "echo spacing of 0 s");
    FAILS(argand_fieldmap_opposite(map, up, odd, &o, NULL), ARGAND_ARGUMENT, "12 and 11 pixels");
    FAILS(argand_fieldmap_opposite(map, flat, flat, &o, NULL), ARGAND_ARGUMENT, "phase-encode axis");
    FAILS(argand_fieldmap_opposite(map, up, none, &o, NULL), ARGAND_NUMERIC, "no signal");
    for (int i = 0; i < 120; i++) zeros[i] = 10 * ones[i];
    OK(argand_array_upload(none, zeros));
    FAILS(argand_fieldmap_opposite(map, up, none, &o, NULL), ARGAND_ARGUMENT, "factor of 10");
    argand_array_destroy(map);
    argand_array_destroy(flat);
    argand_array_destroy(odd);
    argand_array_destroy(none);
    argand_array_destroy(up);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(simulated), cmocka_unit_test(slices),
                                          cmocka_unit_test(refused)};

RUN_TESTS(tests)
