/* SPDX-License-Identifier: BSD-3-Clause */
/* Signs, shifts, centres and the gradient's scale and axes, against what the textbook says. */
#include "problem.h"

static argand_array *reals(int rank, const int64_t *dims, const double *values)
{
    argand_array *array;
    OK(argand_array_create(&array, device, ARGAND_R64, rank, dims));
    put_reals(array, values);
    return array;
}

/* An image of zeros but for one pixel, which is 1. */
static argand_array *point(int rank, const int64_t *n, int64_t at)
{
    argand_array *image;
    OK(argand_array_create(&image, device, ARGAND_C64, rank, n));
    double *values = calloc((size_t)argand_array_count(image) * 2, sizeof *values);
    values[2 * at] = 1;
    OK(argand_array_upload(image, values));
    free(values);
    return image;
}

/* The samples of one vector that the plan makes of the image. */
static double complex *samples_of(const argand_field_options *options, const argand_array *image)
{
    argand_field *plan;
    argand_array *data;
    const int64_t samples = argand_array_count(options->k[0]);
    OK(argand_array_create(&data, device, ARGAND_C64, 1, &samples));
    OK(argand_field_create(&plan, device, options));
    OK(argand_field_apply(plan, data, image));
    double complex *s = malloc((size_t)samples * sizeof *s);
    OK(argand_array_download(data, s));
    argand_field_destroy(plan);
    argand_array_destroy(data);
    return s;
}

/* Cartesian samples of an n[0] x n[1] image: k from -floor(n/2) on, lines of x read at `dwell` seconds a
 * sample. */
static void cartesian(double *k[2], double *t, const int64_t n[2], double dwell)
{
    for (int64_t j = 0; j < n[0] * n[1]; j++) {
        k[0][j] = (double)(j % n[0] - n[0] / 2);
        k[1][j] = (double)(j / n[0] - n[1] / 2);
        t[j] = dwell * (double)(j % n[0] - n[0] / 2);
    }
}

/* The centred inverse DFT, written out: m_n = 1/N sum_j s_j exp(+2 pi i k_j . r_n) */
static double complex reconstruct(const double complex *s, double *const k[2], const int64_t n[2],
                                  int64_t pixel)
{
    double complex sum = 0;
    for (int64_t j = 0; j < n[0] * n[1]; j++) {
        const double turns = k[0][j] * (double)(pixel % n[0] - n[0] / 2) / (double)n[0] +
                             k[1][j] * (double)(pixel / n[0] - n[1] / 2) / (double)n[1];
        sum += s[j] * cexp(I * 6.283185307179586 * turns);
    }
    return sum / (double)(n[0] * n[1]);
}

/* A constant field of f Hz turns each sample by exp(-2 pi i f t); with t = dwell k_x that is exp(-2 pi i k_x
 * shift / N_x), shift = f dwell N_x: what lies at x appears at x + shift. Odd, even and non-square images. */
static void constant_field_shifts(const int64_t n[2], int64_t shift)
{
    const int64_t samples = n[0] * n[1], at = n[0] / 2 - 2 + n[0] * (n[1] / 2 + 1);
    const double dwell = 1e-5, hertz = (double)shift / (dwell * (double)n[0]);
    double *numbers = malloc((size_t)samples * 4 * sizeof *numbers),
           *places[2] = {numbers, numbers + samples}, *times = numbers + 2 * samples,
           *constant = numbers + 3 * samples;
    cartesian(places, times, n, dwell);
    for (int64_t i = 0; i < samples; i++) constant[i] = 6.283185307179586 * hertz;
    argand_array *k[2] = {reals(1, &samples, places[0]), reals(1, &samples, places[1])},
                 *t = reals(1, &samples, times), *map = reals(2, n, constant), *image = point(2, n, at);
    double complex *s = samples_of(
        &(argand_field_options){
            .type = ARGAND_C64, .rank = 2, .n = {n[0], n[1]}, .k = {k[0], k[1]}, .t = t, .field_map = map},
        image);
    for (int64_t i = 0; i < samples; i++)
        CHECK_BELOW(cabs(reconstruct(s, places, n, i) - (i == at + shift ? 1 : 0)), 1e-11);
    free(s);
    free(numbers);
    argand_array *const all[] = {k[0], k[1], t, map, image};
    for (size_t i = 0; i < 5; i++) argand_array_destroy(all[i]);
}

static void shifts(void **state)
{
    (void)state;
    constant_field_shifts((int64_t[]){12, 8}, 3);
    constant_field_shifts((int64_t[]){9, 11}, 2);
    constant_field_shifts((int64_t[]){10, 5}, -2);
}

/* The pixel floor(N/2) is the centre: its samples have no phase, whatever k. */
static void centre_pixel(void **state)
{
    (void)state;
    static const int64_t sizes[][3] = {{7, 1, 1}, {8, 5, 1}, {65, 4, 3}, {130, 3, 2}};
    for (size_t i = 0; i < 4; i++) {
        const int64_t *n = sizes[i], samples = 40;
        argand_array *k[3], *image = point(3, n, n[0] / 2 + n[0] * (n[1] / 2 + n[1] * (n[2] / 2)));
        for (int d = 0; d < 3; d++) {
            OK(argand_array_create(&k[d], device, ARGAND_R64, 1, &samples));
            randomise(k[d], 5 + (uint64_t)d, -(double)n[d], (double)n[d]);
        }
        double complex *s = samples_of(
            &(argand_field_options){
                .type = ARGAND_C64, .rank = 3, .n = {n[0], n[1], n[2]}, .k = {k[0], k[1], k[2]}},
            image);
        for (int64_t j = 0; j < samples; j++) CHECK_BELOW(cabs(s[j] - 1), 1e-12);
        free(s);
        for (int d = 0; d < 3; d++) argand_array_destroy(k[d]);
        argand_array_destroy(image);
    }
}

/* A field of `hertz` per voxel along one axis has that gradient there and none along the others: at every
 * pixel, so also at the row ends, where a difference that ran into the next row would jump by a whole row. */
static void ramp(const int64_t n[3], int along, argand_type type)
{
    const double hertz = 7;
    int64_t stride = 1;
    for (int d = 0; d < along; d++) stride *= n[d];
    double field[128];
    assert_true(n[0] * n[1] * n[2] <= 128);
    for (int64_t i = 0; i < n[0] * n[1] * n[2]; i++)
        field[i] = 6.283185307179586 * hertz * (double)(i / stride % n[along]);
    argand_array *map = reals(3, n, field), *gradient;
    OK(argand_array_create(&gradient, device, type, 3, n));
    for (int axis = 0; axis < 3; axis++) {
        OK(argand_field_gradient(gradient, map, NULL, axis));
        double *got = as_doubles(gradient);
        for (int64_t i = 0; i < n[0] * n[1] * n[2]; i++)
            CHECK_BELOW(fabs(got[i] - (axis == along && n[axis] > 1 ? hertz : 0)),
                        type == ARGAND_R64 ? 1e-12 : 1e-5);
        free(got);
    }
    argand_array_destroy(gradient);
    argand_array_destroy(map);
}

static void gradient_of_ramps(void **state)
{
    (void)state;
    for (int along = 0; along < 3; along++) {
        ramp((int64_t[]){5, 4, 3}, along, ARGAND_R64);
        ramp((int64_t[]){3, 8, 1}, along, ARGAND_R32);
    }
}

/* Inside: over two voxels. Next to masked pixels and image edges: to the one neighbour. Alone: 0. */
static void gradient_at_edges(void **state)
{
    (void)state;
    const int64_t n = 9;
    static const double field[] = {1, 4, 9, 16, 1e6, 36, NAN, 64, 81}, inside[] = {1, 1, 1, 1, 0, 1, 0, 1, 1};
    static const double result[] = {3, 4, 6, 7, 0, 0, 0, 17, 17};
    argand_array *map = reals(1, &n, field), *mask = reals(1, &n, inside), *gradient = reals(1, &n, field);
    OK(argand_field_gradient(gradient, map, mask, 0));
    double *got = as_doubles(gradient);
    for (int i = 0; i < n; i++) CHECK_BELOW(fabs(got[i] * 6.283185307179586 - result[i]), 1e-12);
    free(got);
    argand_array_destroy(gradient);
    argand_array_destroy(mask);
    argand_array_destroy(map);
}

/* The voxel factor is the mean over a voxel in which the field is linear: against finer and finer pixels
 * without it. */
static void voxel_average(void **state)
{
    (void)state;
    enum { FINE = 40000 };
    const double k = 2.7, t = 0.013, slope = 23, voxels = 8, place = 2 - 4; /* pixel 2 of 8 */
    const int64_t n = 8, one = 1;
    argand_array *ks = reals(1, &one, &k), *ts = reals(1, &one, &t), *gradient, *image = point(1, &n, 2);
    OK(argand_array_create(&gradient, device, ARGAND_R64, 1, &n));
    OK(argand_array_fill(gradient, (argand_scalar){slope, 0}));
    double complex *s = samples_of(
        &(argand_field_options){
            .type = ARGAND_C64, .rank = 1, .n = {n}, .k = {ks}, .t = ts, .gradient = {gradient}},
        image);
    double complex mean = 0;
    for (int i = 0; i < FINE; i++) {
        const double x = (i + 0.5) / FINE - 0.5;
        mean += cexp(-I * 6.283185307179586 * (k * (place + x) / voxels + slope * x * t)) / FINE;
    }
    /* the midpoint rule is off by (2 pi u)^2 / 24 / FINE^2 with u = 0.64 */
    CHECK_BELOW(cabs(s[0] - mean), 1e-9);
    free(s);
    argand_array *const all[] = {ks, ts, gradient, image};
    for (size_t i = 0; i < 4; i++) argand_array_destroy(all[i]);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(shifts),
    cmocka_unit_test(centre_pixel),
    cmocka_unit_test(gradient_of_ramps),
    cmocka_unit_test(gradient_at_edges),
    cmocka_unit_test(voxel_average),
};

RUN_TESTS(tests)
