/* SPDX-License-Identifier: BSD-3-Clause */
/* The tolerance that is asked for is reached, against exact sums in double. */
#include "truth.h"

static const int64_t shapes[][4] = {/* rank, n */
                                    {1, 200, 0, 0}, {1, 101, 0, 0}, {2, 32, 32, 0},  {2, 31, 24, 0},
                                    {2, 17, 33, 0}, {2, 24, 60, 0}, {3, 12, 12, 12}, {3, 9, 16, 7},
                                    {2, 70, 90, 0}, {3, 20, 18, 36}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void over_shapes_and_points(argand_type type, double tolerance, double oversampling, int64_t vectors)
{
    for (int shape = 0; shape < SHAPES; shape++)
        for (int which = 0; which < KINDS; which++) {
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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(single_reaches_its_tolerances),
    cmocka_unit_test(double_reaches_its_tolerances),
    cmocka_unit_test(every_oversampling),
    cmocka_unit_test(every_count_of_vectors),
};
RUN_TESTS(tests)
