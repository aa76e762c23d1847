/* SPDX-License-Identifier: BSD-3-Clause */
/* The tolerance that is asked for is reached, against exact sums in double. */
#include "truth.h"

static const int64_t shapes[][4] = {/* rank, n */
                                    {1, 200, 0, 0}, {1, 101, 0, 0}, {2, 32, 32, 0},  {2, 31, 24, 0},
                                    {2, 17, 33, 0}, {2, 24, 60, 0}, {3, 12, 12, 12}, {3, 9, 16, 7},
                                    {2, 70, 90, 0}, {3, 20, 18, 36}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* In the first tier one in four. */
static void over_shapes_and_points(argand_type type, double tolerance, double oversampling, int64_t vectors)
{
    static int64_t asked;
    for (int shape = 0; shape < SHAPES; shape++)
        for (int which = 0; which < KINDS; which++) {
            if (!in_sample(asked++, 4)) continue;
            problem p = problem_of(shapes[shape], type, tolerance, (point_kind)which, 300, vectors);
            p.oversampling = oversampling;
            check_reached(&p);
        }
}

static void single_reaches_its_tolerances(void **state)
{
    (void)state;
    for (double tolerance = 0.1; tolerance > 5e-7; tolerance *= 0.1)
        over_shapes_and_points(ARGAND_C32, tolerance, 0, 1);
}

static void double_reaches_its_tolerances(void **state)
{
    (void)state;
    for (double tolerance = 0.1; tolerance > 5e-14; tolerance *= 0.1)
        over_shapes_and_points(ARGAND_C64, tolerance, 0, 1);
}

static void every_oversampling(void **state)
{
    (void)state;
    static const double oversamplings[] = {1.25, 1.5, 2, 3};
    for (int i = 0; i < 4; i++) {
        over_shapes_and_points(ARGAND_C32, 1e-2, oversamplings[i], 1);
        over_shapes_and_points(ARGAND_C32, 1e-4, oversamplings[i], 1);
        over_shapes_and_points(ARGAND_C32, 1e-6, oversamplings[i], 1);
        over_shapes_and_points(ARGAND_C64, 1e-3, oversamplings[i], 1);
        over_shapes_and_points(ARGAND_C64, 1e-8, oversamplings[i], 1);
        over_shapes_and_points(ARGAND_C64, 1e-13, oversamplings[i], 1);
    }
}

static void every_count_of_vectors(void **state)
{
    (void)state;
    static const int64_t counts[] = {3, 8, 33};
    for (int i = 0; i < 3; i++) {
        over_shapes_and_points(ARGAND_C32, 1e-4, 0, counts[i]);
        over_shapes_and_points(ARGAND_C64, 1e-9, 0, counts[i]);
    }
}

/* Samples that are all alike at one place: in single precision a sum of 1e5 of them, one after the other, has
 * 6e-5 of error. Here a few hundred roundings at most follow one another, some of which cancel. */
static void crowds_add_up(void **state)
{
    (void)state;
    static const int64_t images[][4] = {{1, 291, 0, 0}, {2, 24, 31, 0}, {3, 8, 9, 10}};
    for (int i = 0; i < 18; i++) {
        const int64_t vectors = i % 2 ? 8 : 1, count = i < 6 ? 400 : i < 12 ? 8000 : 100000;
        const problem p = problem_of(images[i / 2 % 3], ARGAND_C32, 1e-6, MIDDLE, count, vectors);
        made m = make(&p);
        problem one_point = p;
        one_point.count = 1;
        for (int axis = 0; axis < p.rank; axis++) {
            float *k = argand_array_data(m.k[axis]);
            for (int64_t j = 0; j < count; j++) k[j] = (float)(m.at[axis][j] = (float)(0.37 + axis));
        }
        OK(argand_nufft_set_points(m.plan, m.k));
        OK(argand_array_fill(m.samples, (argand_scalar){1, 0.7}));
        OK(argand_nufft_adjoint(m.plan, m.image, m.samples));
        const int64_t pixels = argand_array_count(m.image) / vectors;
        double complex *wanted = calloc((size_t)(pixels * vectors), sizeof *wanted),
                       sample[8] = {CMPLX(0, 0)};
        assert_non_null(wanted);
        for (int64_t v = 0; v < vectors; v++) {
            sample[0] = (double)count * CMPLX(1, (double)0.7f);
            exact(&one_point, &m, wanted + v * pixels, sample, false);
        }
        double *got = as_doubles(m.image);
        CHECK_BELOW(relative_error(got, (const double *)wanted, 2 * (size_t)(pixels * vectors)), 2e-6);
        free(got);
        free(wanted);
        unmake(&m);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(single_reaches_its_tolerances),
    cmocka_unit_test(double_reaches_its_tolerances),
    cmocka_unit_test(every_oversampling),
    cmocka_unit_test(every_count_of_vectors),
    cmocka_unit_test(crowds_add_up),
};
RUN_TESTS(tests)
