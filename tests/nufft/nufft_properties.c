/* SPDX-License-Identifier: BSD-3-Clause */
/* Adjointness, the same bits for any number of threads, layouts, and the blur of density compensation. */
#include "truth.h"

static const int64_t shapes[][4] = {{1, 300, 0, 0}, {2, 96, 75, 0}, {3, 24, 17, 30}};
enum { SHAPES = sizeof shapes / sizeof *shapes, POINTS = 9000 };

static problem shaped(int shape, argand_type type, point_kind kind, int64_t vectors)
{
    return problem_of(shapes[shape], type, type == ARGAND_C64 ? 1e-7 : 1e-4, kind, POINTS, vectors);
}

static void type_1_is_the_adjoint_of_type_2(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPES; shape++)
        for (int kind = 0; kind < KINDS; kind++)
            for (int64_t vectors = 1; vectors <= 5; vectors += 4) {
                const problem single = shaped(shape, ARGAND_C32, (point_kind)kind, vectors),
                              twice = shaped(shape, ARGAND_C64, (point_kind)kind, vectors);
                check_adjoint(&single);
                check_adjoint(&twice);
            }
}

/* Small grids, where the window covers most of the image, at oversamplings so low that deapodisation raises
 * rounding by thousands: 1e-10 in double before they were raised. */
static void small_grids_are_adjoint(void **state)
{
    (void)state;
    static const double oversamplings[] = {1.05, 1.1, 1.25, 1.6},
                        tolerances[2][3] = {{0, 1e-2, 1e-6}, {0, 1e-6, 1e-12}};
    for (int rank = 1; rank <= 3; rank++)
        for (int64_t n = 4; n <= (rank == 3 ? 12 : 24); n += n < 9 ? 1 : 5)
            for (int i = 0; i < 24; i++) {
                const int twice = i / 12;
                const problem p = {.type = twice ? ARGAND_C64 : ARGAND_C32,
                                   .rank = rank,
                                   .n = {n, rank > 1 ? n + 1 : 0, rank > 2 ? n : 0},
                                   .tolerance = tolerances[twice][i % 3],
                                   .oversampling = oversamplings[i / 3 % 4],
                                   .kind = UNIFORM,
                                   .count = 2 * n * n,
                                   .vectors = 1,
                                   .threads = 1};
                check_adjoint(&p);
            }
}

static void assert_same_bits(const argand_array *a, const argand_array *b)
{
    assert_memory_equal(argand_array_data(a), argand_array_data(b),
                        (size_t)argand_array_count(a) * argand_type_size(argand_array_type(a)));
}

/* Both types with one thread, repeated, and with 2, 3 and 5 threads; points sorted with as many */
static void check_threads(const problem *p)
{
    made m = make(p);
    argand_array *samples = like(m.samples), *image = like(m.image), *first = like(m.image);
    randomise(m.image, 3, 0, 0);
    OK(argand_nufft_apply(m.plan, m.samples, m.image));
    OK(argand_nufft_adjoint(m.plan, m.image, m.samples));
    randomise(first, 3, 0, 0);
    for (int threads = 1; threads <= 5; threads += threads == 3 ? 2 : 1) {
        OK(argand_device_set_threads(device, threads));
        OK(argand_nufft_set_points(m.plan, m.k));
        OK(argand_nufft_apply(m.plan, samples, first));
        OK(argand_nufft_adjoint(m.plan, image, samples));
        assert_same_bits(samples, m.samples);
        assert_same_bits(image, m.image);
    }
    argand_array_destroy(first);
    argand_array_destroy(image);
    argand_array_destroy(samples);
    unmake(&m);
}

/* CLUSTERED has tiles of several tasks, which are the ones that could be added in another order. */
static void results_do_not_depend_on_threads(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPES; shape++)
        for (int64_t vectors = 1; vectors <= 9; vectors += 8) {
            problem p = shaped(shape, vectors > 1 ? ARGAND_C64 : ARGAND_C32, CLUSTERED, vectors);
            p.count = 60000;
            check_threads(&p);
        }
}

/* A line of which all threads transform a part */
static void long_lines_do_not_depend_on_threads(void **state)
{
    (void)state;
    static const int64_t lengths[] = {70001, 131072, 300000};
    for (int i = 0; i < 6; i++) {
        const int64_t shape[4] = {1, lengths[i / 2], 0, 0};
        const problem p =
            problem_of(shape, i % 2 ? ARGAND_C64 : ARGAND_C32, i % 2 ? 1e-9 : 1e-4, UNIFORM, POINTS, 1);
        check_threads(&p);
    }
}

static argand_array *vector_of(const argand_array *a, int64_t vector)
{
    argand_array *view;
    OK(argand_array_part(&view, a, argand_array_rank(a) - 1, vector, 1));
    return view;
}

/* Each vector alone against all of them together: the sums run in another order, nothing else differs. */
static void many_vectors_equal_single_ones(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPES; shape++) {
        const problem p = shaped(shape, shape == 1 ? ARGAND_C64 : ARGAND_C32, RADIAL, 11);
        const double limit = p.type == ARGAND_C64 ? 1e-14 : 3e-6; /* rounding, raised by deapodisation */
        made m = make(&p);
        argand_array *samples = like(m.samples), *image = like(m.image);
        randomise(m.image, 8, 0, 0);
        OK(argand_nufft_apply(m.plan, m.samples, m.image));
        OK(argand_nufft_adjoint(m.plan, image, m.samples));
        for (int64_t v = 0; v < p.vectors; v += 5) {
            argand_array *one_image = vector_of(m.image, v), *one_samples = vector_of(samples, v);
            argand_array *sum = vector_of(image, v), *want = vector_of(m.samples, v);
            OK(argand_nufft_apply(m.plan, one_samples, one_image));
            double *a = as_doubles(one_samples), *b = as_doubles(want);
            CHECK_BELOW(relative_error(a, b, 2 * (size_t)p.count), limit);
            free(b);
            free(a);
            OK(argand_nufft_adjoint(m.plan, one_image, want));
            a = as_doubles(one_image), b = as_doubles(sum);
            CHECK_BELOW(relative_error(a, b, 2 * (size_t)argand_array_count(sum)), limit);
            free(b);
            free(a);
            argand_array_destroy(want);
            argand_array_destroy(sum);
            argand_array_destroy(one_samples);
            argand_array_destroy(one_image);
        }
        argand_array_destroy(image);
        argand_array_destroy(samples);
        unmake(&m);
    }
}

/* Arrays with gaps give the same bits as those without. */
static void strides_are_followed(void **state)
{
    (void)state;
    const problem p = shaped(1, ARGAND_C32, UNIFORM, 9);
    made m = make(&p);
    argand_array *wide, *strided, *loose, *gaps, *samples = like(m.samples), *image = like(m.image);
    OK(argand_array_create(&wide, device, p.type, 1, (int64_t[]){9 * 30000}));
    OK(argand_array_view(&strided, wide, 3, (int64_t[]){96, 75, 9}, (int64_t[]){2, 400, 30000}, 1));
    OK(argand_array_create(&loose, device, p.type, 1, (int64_t[]){3 * 9 * POINTS}));
    OK(argand_array_view(&gaps, loose, 2, (int64_t[]){POINTS, 9}, (int64_t[]){27, 3}, 2));
    randomise(m.image, 8, 0, 0);
    OK(argand_array_copy(strided, m.image));
    OK(argand_nufft_apply(m.plan, m.samples, m.image));
    OK(argand_nufft_apply(m.plan, gaps, strided));
    OK(argand_array_copy(samples, gaps));
    assert_same_bits(samples, m.samples);
    OK(argand_nufft_adjoint(m.plan, m.image, m.samples));
    OK(argand_nufft_adjoint(m.plan, strided, gaps));
    OK(argand_array_copy(image, strided));
    assert_same_bits(image, m.image);
    argand_array *const all[] = {gaps, loose, strided, wide, image, samples};
    for (int i = 0; i < 6; i++) argand_array_destroy(all[i]);
    unmake(&m);
}

/* C C^T is symmetric and, as the window is positive, gives positive numbers for positive weights; it is
 * local: a single weight reaches no point farther than a window's width. */
static void blur_is_symmetric_and_local(void **state)
{
    (void)state;
    const problem p = shaped(1, ARGAND_C64, RADIAL, 1);
    made m = make(&p);
    argand_array *a, *b, *ca, *cb;
    OK(argand_array_create(&a, device, ARGAND_R64, 1, &p.count));
    b = like(a), ca = like(a), cb = like(a);
    randomise(a, 1, 0.1, 1);
    randomise(b, 2, 0.1, 1);
    OK(argand_nufft_blur(m.plan, ca, a));
    OK(argand_nufft_blur(m.plan, cb, b));
    argand_scalar left, right;
    OK(argand_array_dot(&left, ca, b));
    OK(argand_array_dot(&right, a, cb));
    CHECK_BELOW(fabs(left.re - right.re) / left.re, 1e-13);
    for (int64_t j = 0; j < p.count; j++) assert_true(((double *)argand_array_data(ca))[j] > 0);
    OK(argand_array_fill(a, (argand_scalar){0, 0}));
    ((double *)argand_array_data(a))[17] = 1;
    OK(argand_nufft_blur(m.plan, ca, a));
    const double reach = m.info.width / m.info.oversampling;
    double peak = 0;
    for (int64_t j = 0; j < p.count; j++) {
        const double value = ((double *)argand_array_data(ca))[j];
        double dx = fabs(coordinate(&m, 0, j) - coordinate(&m, 0, 17)),
               dy = fabs(coordinate(&m, 1, j) - coordinate(&m, 1, 17));
        dx = fmin(dx, (double)p.n[0] - dx), dy = fmin(dy, (double)p.n[1] - dy);
        if (dx > reach * 1.1 || dy > reach * 1.1) assert_true(fabs(value) < 1e-15);
        peak = fmax(peak, value);
    }
    assert_true(peak > 0.1);
    argand_array *const all[] = {cb, ca, b, a};
    for (int i = 0; i < 4; i++) argand_array_destroy(all[i]);
    unmake(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(type_1_is_the_adjoint_of_type_2),  cmocka_unit_test(small_grids_are_adjoint),
    cmocka_unit_test(results_do_not_depend_on_threads), cmocka_unit_test(long_lines_do_not_depend_on_threads),
    cmocka_unit_test(many_vectors_equal_single_ones),   cmocka_unit_test(strides_are_followed),
    cmocka_unit_test(blur_is_symmetric_and_local),
};
RUN_TESTS(tests)
