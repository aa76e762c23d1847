/* SPDX-License-Identifier: BSD-3-Clause */
/* Bugs of the ancestor that must not return, each with the numbers at which it showed. */
#include "truth.h"

static errors worst_of(const problem *p)
{
    made m = make(p);
    const errors e = measure(p, &m, 1);
    unmake(&m);
    return e;
}

static void check(problem p, double limit)
{
    p.vectors = p.threads = 1;
    const errors e = worst_of(&p);
    CHECK_BELOW(e.forward, limit);
    CHECK_BELOW(e.adjoint, limit);
}

/* The window was clipped at the k-space edge: 31 % error within two cells of it (N = 64, double). */
static void windows_wrap_at_the_edge(void **state)
{
    (void)state;
    check((problem){.type = ARGAND_C64, .rank = 1, .n = {64}, .tolerance = 1e-7, .kind = EDGE, .count = 400},
          1e-7);
    check(
        (problem){
            .type = ARGAND_C64, .rank = 2, .n = {64, 48}, .tolerance = 1e-7, .kind = EDGE, .count = 400},
        1e-7);
}

/* A table of the window without interpolation: 1.2e-4 whatever was asked for. */
static void the_window_is_no_table(void **state)
{
    (void)state;
    for (double tolerance = 1e-5; tolerance > 1e-13; tolerance *= 0.1)
        check((problem){.type = ARGAND_C64,
                        .rank = 1,
                        .n = {64},
                        .tolerance = tolerance,
                        .oversampling = 2,
                        .kind = UNIFORM,
                        .count = 400},
              tolerance);
}

/* The shape parameter fitted oversampling 2 alone: 3e-3 at 1.5 and 3.8e-2 at 1.25. */
static void every_oversampling_has_its_window(void **state)
{
    (void)state;
    static const double oversamplings[] = {1.25, 1.5, 3};
    for (int i = 0; i < 3; i++)
        check((problem){.type = ARGAND_C64,
                        .rank = 1,
                        .n = {64},
                        .tolerance = 1e-6,
                        .oversampling = oversamplings[i],
                        .kind = UNIFORM,
                        .count = 400},
              1e-6);
}

/* Odd sizes were centred differently in the exact sum, the FFT and the NUFFT. On a Cartesian grid of points
 * the NUFFT is the centred FFT. */
static void odd_sizes_are_centred_as_in_the_fft(void **state)
{
    (void)state;
    static const int64_t sizes[][2] = {{15, 21}, {16, 21}, {15, 20}, {16, 20}};
    for (int i = 0; i < 4; i++) {
        const int64_t nx = sizes[i][0], ny = sizes[i][1], count = nx * ny;
        argand_array *k[2], *image, *samples, *spectrum;
        for (int axis = 0; axis < 2; axis++) OK(argand_array_create(&k[axis], device, ARGAND_R64, 1, &count));
        for (int64_t j = 0; j < count; j++) {
            ((double *)argand_array_data(k[0]))[j] = (double)(j % nx - nx / 2);
            ((double *)argand_array_data(k[1]))[j] = (double)(j / nx - ny / 2);
        }
        OK(argand_array_create(&image, device, ARGAND_C64, 2, (int64_t[]){nx, ny}));
        OK(argand_array_create(&spectrum, device, ARGAND_C64, 2, (int64_t[]){nx, ny}));
        OK(argand_array_create(&samples, device, ARGAND_C64, 1, &count));
        randomise(image, 2, 0, 0);
        argand_nufft *plan;
        argand_fft *fft;
        OK(argand_nufft_create(
            &plan, device,
            &(argand_nufft_options){.type = ARGAND_C64, .rank = 2, .n = {nx, ny}, .tolerance = 1e-10}));
        OK(argand_nufft_set_points(plan, k));
        OK(argand_nufft_apply(plan, samples, image));
        OK(argand_fft_create(
            &fft, device,
            &(argand_fft_options){.type = ARGAND_C64, .rank = 2, .n = {nx, ny}, .centred = true}));
        OK(argand_fft_apply(fft, spectrum, image, ARGAND_FORWARD));
        double *a = as_doubles(samples), *b = as_doubles(spectrum);
        CHECK_BELOW(relative_error(a, b, 2 * (size_t)count), 1e-10);
        free(b);
        free(a);
        argand_fft_destroy(fft);
        argand_nufft_destroy(plan);
        argand_array *const all[] = {samples, spectrum, image, k[1], k[0]};
        for (int j = 0; j < 5; j++) argand_array_destroy(all[j]);
    }
}

/* Images that are not square were refused or transposed. */
static void sizes_may_differ(void **state)
{
    (void)state;
    check(
        (problem){
            .type = ARGAND_C32, .rank = 2, .n = {64, 20}, .tolerance = 1e-5, .kind = UNIFORM, .count = 400},
        1e-5);
    check(
        (problem){
            .type = ARGAND_C32, .rank = 2, .n = {1, 50}, .tolerance = 1e-5, .kind = UNIFORM, .count = 400},
        1e-5);
    check((problem){.type = ARGAND_C32,
                    .rank = 3,
                    .n = {5, 40, 11},
                    .tolerance = 1e-5,
                    .kind = UNIFORM,
                    .count = 400},
          1e-5);
}

/* Positions in single precision near a large k lost digits where the grid's period was taken off in single
 * (FINUFFT issue 231): here only the window and the sums are single. */
static void large_one_dimensional_images_keep_their_digits(void **state)
{
    (void)state;
    check(
        (problem){
            .type = ARGAND_C32, .rank = 1, .n = {20000}, .tolerance = 1e-5, .kind = UNIFORM, .count = 200},
        1e-5);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(windows_wrap_at_the_edge),
    cmocka_unit_test(the_window_is_no_table),
    cmocka_unit_test(every_oversampling_has_its_window),
    cmocka_unit_test(odd_sizes_are_centred_as_in_the_fft),
    cmocka_unit_test(sizes_may_differ),
    cmocka_unit_test(large_one_dimensional_images_keep_their_digits),
};
RUN_TESTS(tests)
