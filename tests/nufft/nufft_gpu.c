/* SPDX-License-Identifier: BSD-3-Clause */
/* The NUFFT of devices against exact sums in double, and what is peculiar to it: crowded cells, batches of
 * vectors, the same bits every time, positions that are no numbers. The host's own is asked the same. */
#include "truth.h"

#include "nufft/gpu/gpu.h"

static bool has_double(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return info.has_double;
}

/* Each takes its own kernels, which CPUs under OpenCL compile for long. Rank, n */
static const int64_t shapes[][4] = {{1, 200, 0, 0}, {2, 31, 24, 0}, {3, 9, 18, 7}, {2, 1, 33, 0}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static problem shaped(int shape, argand_type type, double tolerance, point_kind kind, int64_t vectors)
{
    return problem_of(shapes[shape], type, tolerance, kind, 300, vectors);
}

static void check(const problem *p)
{
    if (!is_double(p) || has_double()) check_reached(p);
}

static void every_kind_of_points(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPES; shape++)
        for (int kind = 0; kind < KINDS; kind++) {
            const problem p = shaped(shape, ARGAND_C32, 1e-4, (point_kind)kind, 1 + kind % 2);
            check(&p);
        }
}

static void every_tolerance(void **state)
{
    (void)state;
    for (int shape = 0; shape < 3; shape++) {
        const problem p = shaped(shape, ARGAND_C32, 1e-6, UNIFORM, 1),
                      q = shaped(shape, ARGAND_C64, 1e-12, EDGE, 1);
        check(&p);
        check(&q);
    }
}

/* Lanes of every width, with some idle, and more vectors than go at a time */
static void every_count_of_vectors(void **state)
{
    (void)state;
    static const int64_t counts[] = {1, 3, 5, 12, 33};
    for (int i = 0; i < 5; i++) {
        const problem p = shaped(1, ARGAND_C32, 1e-4, RADIAL, counts[i]);
        check(&p);
    }
    for (int shape = 0; shape < 3; shape++) {
        const problem p = shaped(shape, ARGAND_C32, 1e-4, SPIRAL, 17);
        check(&p);
    }
}

/* Vectors written side by side and dealt afterwards, as where samples are many; several points of each cell,
 * which are seen together. */
static void many_samples(void **state)
{
    (void)state;
    argand_test_nufft_scattered_bytes(1);
    for (int shape = 0; shape < 3; shape++)
        for (int64_t vectors = 11; vectors <= 32; vectors += 21) {
            problem p = shaped(shape, ARGAND_C32, 1e-4, shape == 1 ? UNIFORM : SPIRAL, vectors);
            p.count = shape == 0 ? 611 : 9001;
            check(&p);
        }
    argand_test_nufft_scattered_bytes(0);
}

/* Thousands of points in one cell are added in parts. */
static void crowded_cells(void **state)
{
    (void)state;
    for (int rank = 1; rank <= 3; rank++)
        for (int64_t vectors = 1; vectors <= 2; vectors++) {
            problem p = shaped(rank - 1, ARGAND_C32, 1e-4, MIDDLE, vectors);
            p.count = 9000;
            check(&p);
        }
}

/* So many samples of one vector in 3-D that they are seen from tiles in shared memory, cells one by one or in
 * pairs */
static void full_tiles(void **state)
{
    (void)state;
    static const double tolerances[] = {1e-4, 1e-6};
    for (int kind = 0; kind < KINDS; kind++) {
        problem p = shaped(2, ARGAND_C32, tolerances[kind % 2], (point_kind)kind, 1);
        p.count = 7001;
        check(&p);
    }
}

/* The last of nine vectors is 10^-32 of the first, and as exact. */
static void vectors_of_any_size(void **state)
{
    (void)state;
    for (int shape = 1; shape < 3; shape++) {
        problem p = shaped(shape, ARGAND_C32, shape == 1 ? 1e-4 : 1e-6, UNIFORM, 9);
        p.fall = 1e-4;
        check(&p);
    }
}

/* All kinds of points, few of them in each tile, by matrix products where there are matrix units; windows
 * that reach farther than 16 cells with their tile */
static void few_points_of_many_vectors(void **state)
{
    (void)state;
    argand_test_nufft_tensor_points(1);
    for (int shape = 1; shape < 3; shape++)
        for (int kind = 0; kind < KINDS; kind++) {
            problem p =
                shaped(shape, ARGAND_C32, kind % 2 ? 1e-4 : 1e-6, (point_kind)kind, 5 + 8 * (kind % 3));
            if (kind % 4 == 2) p.oversampling = 1.25;
            check(&p);
        }
    argand_test_nufft_tensor_points(0);
}

/* More points than a part holds, and a last batch that is not full */
static void crowded_cells_of_many_vectors(void **state)
{
    (void)state;
    for (int shape = 1; shape < 3; shape++) {
        problem p = shaped(shape, ARGAND_C32, shape == 1 ? 1e-4 : 1e-6, MIDDLE, 11);
        p.count = 2341;
        check(&p);
    }
}

/* Several rounds of vectors in each launch, and a last one that is smaller: spread and interpolated as few
 * and as many points are, with crowded cells, and dealt afterwards. Round by round the FFT may have another
 * plan, which rounds otherwise. */
static void rounds_of_many_vectors(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        problem p = shaped(i % 3, ARGAND_C32, i < 3 ? 1e-4 : 1e-6, i < 3 ? SPIRAL : MIDDLE, i % 3 ? 65 : 66);
        if (i > 3) p.count = 2341;
        argand_test_nufft_tensor_points(i < 3);
        argand_test_nufft_scattered_bytes(i == 5);
        made m = make(&p);
        const errors e = measure(&p, &m, 13);
        CHECK_BELOW(e.forward, p.tolerance);
        CHECK_BELOW(e.adjoint, p.tolerance);
        double *together = as_doubles(m.image);
        if (m.plan->gpu) {
            assert_true(m.info.batch >= 66);
            m.plan->gpu->batch = 32;
        }
        OK(argand_nufft_adjoint(m.plan, m.image, m.samples));
        double *alone = as_doubles(m.image);
        CHECK_BELOW(relative_error(together, alone, 2 * (size_t)argand_array_count(m.image)), 1e-5);
        free(alone);
        free(together);
        unmake(&m);
    }
    argand_test_nufft_tensor_points(0);
    argand_test_nufft_scattered_bytes(0);
}

/* Equal numbers at one place, whose sum has rounding errors of one sign unless it is made of short ones: of
 * few vectors and, on matrix units where there are some, of many */
static void equal_numbers_at_one_place(void **state)
{
    (void)state;
    static const int64_t few[][4] = {{1, 7, 0, 0}, {2, 8, 5, 0}};
    for (int i = 0; i < 5; i++) {
        const int shape = i / 2 % 2 + (i == 4);
        problem p = problem_of(few[shape], ARGAND_C32, 1e-5, UNIFORM, i % 2 ? 3000 : 300000, i < 4 ? 3 : 9);
        p.oversampling = 2;
        made m = make(&p);
        float *k = malloc((size_t)p.count * sizeof *k);
        assert_non_null(k);
        for (int64_t j = 0; j < p.count; j++) k[j] = 0.37F;
        for (int axis = 0; axis < p.rank; axis++) {
            OK(argand_array_upload(m.k[axis], k));
            for (int64_t j = 0; j < p.count; j++) m.at[axis][j] = (double)0.37F;
        }
        free(k);
        OK(argand_nufft_set_points(m.plan, m.k));
        argand_nufft_describe(m.plan, &m.info);
        OK(argand_array_fill(m.samples, (argand_scalar){0.7, 0.3}));
        OK(argand_nufft_adjoint(m.plan, m.image, m.samples));
        double *got = as_doubles(m.image), *one = as_doubles(m.samples);
        double complex truth[40] = {0};
        one[0] *= (double)p.count, one[1] *= (double)p.count;
        p.count = 1;
        exact(&p, &m, truth, (double complex *)one, 0);
        CHECK_BELOW(relative_error(got, (double *)truth, 2 * (size_t)(shape ? 40 : 7)),
                    m.info.expected_error);
        free(one);
        free(got);
        unmake(&m);
    }
}

/* The memory that is announced has the parts of crowded tiles. */
static void parts_are_announced(void **state)
{
    (void)state;
    problem p = shaped(1, ARGAND_C32, 1e-4, MIDDLE, 1);
    made few = make(&p);
    p.count = 9000;
    made m = make(&p);
    const nufft_gpu *g = m.plan->gpu;
    if (g) {
        const int64_t more = m.info.width - 1,
                      tile = ((1 << NUFFT_TILE_X) + more) * ((1 << NUFFT_TILE_Y(2)) + more);
        OK(argand_nufft_adjoint(m.plan, m.image, m.samples));
        assert_true(g->tile_parts.parts > 1);
        assert_true(m.info.scratch_bytes >=
                    few.info.scratch_bytes + (size_t)(8 * tile * g->tile_parts.parts));
    }
    unmake(&m);
    unmake(&few);
}

static void same_bits_every_time(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        const int rank = i / 2 + 1;
        problem p = shaped(rank - 1, ARGAND_C32, 1e-4, rank == 1 ? MIDDLE : CLUSTERED, 1 + i % 2);
        p.count = 5000;
        double *first = NULL;
        for (int round = 0; round < 3; round++) {
            made m = make(&p);
            randomise(m.samples, 6, 0, 0);
            OK(argand_nufft_adjoint(m.plan, m.image, m.samples));
            if (round == 1) OK(argand_nufft_adjoint(m.plan, m.image, m.samples));
            double *image = as_doubles(m.image);
            const size_t bytes = 2 * sizeof *image * (size_t)argand_array_count(m.image);
            if (first) assert_memory_equal(first, image, bytes);
            if (first) free(image);
            if (!first) first = image;
            unmake(&m);
        }
        free(first);
    }
}

static void adjoint_to_rounding(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPES; shape++)
        for (int twice = 0; twice < 2; twice++) {
            const problem p =
                shaped(shape, twice ? ARGAND_C64 : ARGAND_C32, twice ? 1e-12 : 1e-4, CLUSTERED, 1 + twice);
            if (!twice || has_double()) check_adjoint(&p);
        }
}

/* Little memory means fewer vectors at a time, which the plan says, and the same numbers. */
static void batches_fit_the_memory(void **state)
{
    (void)state;
    const problem p = shaped(1, ARGAND_C32, 1e-4, SPIRAL, 7);
    made m = make(&p);
    char text[256];
    if (!m.plan->gpu) {
        unmake(&m);
        return;
    }
    assert_true(m.info.batch >= 32 && m.info.batch % 32 == 0);
    argand_test_nufft_batch_bytes(3 * gpu_describe(m.plan->gpu).batch_bytes);
    OK(argand_nufft_set_points(m.plan, m.k));
    argand_test_nufft_batch_bytes(0);
    argand_nufft_describe(m.plan, &m.info);
    assert_int_equal(m.info.batch, 3);
    argand_nufft_print(m.plan, text, sizeof text);
    assert_non_null(strstr(text, "batch 3"));
    const errors e = measure(&p, &m, 1);
    CHECK_BELOW(e.forward, 1e-4);
    CHECK_BELOW(e.adjoint, 1e-4);
    unmake(&m);
}

/* Tiles of few layers at a time, where memory is little, give the same bits: on a grid of many layers, whose
 * first ones the last reaches, with crowded tiles and empty ones. */
static void layers_follow_each_other(void **state)
{
    (void)state;
    for (int kind = UNIFORM; kind <= MIDDLE; kind += MIDDLE) {
        const int64_t shape[4] = {2, 24, 90, 0};
        const problem p = problem_of(shape, ARGAND_C32, 1e-4, (point_kind)kind, kind ? 3000 : 900, 1);
        made m = make(&p);
        double *image[2];
        for (int is_little = 0; is_little < 2; is_little++) {
            argand_test_nufft_batch_bytes((size_t)is_little);
            OK(argand_nufft_set_points(m.plan, m.k));
            argand_test_nufft_batch_bytes(0);
            const errors e = measure(&p, &m, 1);
            CHECK_BELOW(e.adjoint, 1e-4);
            image[is_little] = as_doubles(m.image);
        }
        assert_memory_equal(image[0], image[1], 2 * sizeof **image * 24 * 90);
        free(image[1]);
        free(image[0]);
        unmake(&m);
    }
}

/* Neither images nor samples, nor anything in between, go to the host. */
static void stays_on_the_device(void **state)
{
    (void)state;
    const problem p = shaped(1, ARGAND_C32, 1e-4, UNIFORM, 2);
    made m = make(&p);
    const argand_transfers before = argand_device_transfers(device);
    if (m.plan->gpu)
        setenv("ARGAND_FFT_ENGINE", "fused", 1); /* which processors under OpenCL do not choose */
    for (int round = 0; round < 2 && m.plan->gpu; round++) {
        OK(argand_nufft_apply(m.plan, m.samples, m.image));
        OK(argand_nufft_adjoint(m.plan, m.image, m.samples));
    }
    unsetenv("ARGAND_FFT_ENGINE");
    const argand_transfers after = argand_device_transfers(device);
    assert_true(after.upload_bytes - before.upload_bytes < 4096); /* tables of the transforms' */
    assert_true(after.download_bytes - before.download_bytes < 4096);
    unmake(&m);
}

static void positions_that_are_no_numbers(void **state)
{
    (void)state;
    const problem p = shaped(1, ARGAND_C32, 1e-4, UNIFORM, 1);
    made m = make(&p);
    const errors before = measure(&p, &m, 1);
    float *k = calloc((size_t)p.count, sizeof *k);
    assert_non_null(k);
    k[17] = NAN;
    OK(argand_array_upload(m.k[1], k));
    FAILS(argand_nufft_set_points(m.plan, m.k), ARGAND_NUMERIC, "position 17 of 300 is not finite");
    const errors after = measure(&p, &m, 1); /* by the points that the plan has still */
    assert_true(before.forward == after.forward && before.adjoint == after.adjoint);
    free(k);
    unmake(&m);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(every_kind_of_points),
                                          cmocka_unit_test(every_tolerance),
                                          cmocka_unit_test(every_count_of_vectors),
                                          cmocka_unit_test(many_samples),
                                          cmocka_unit_test(crowded_cells),
                                          cmocka_unit_test(full_tiles),
                                          cmocka_unit_test(vectors_of_any_size),
                                          cmocka_unit_test(few_points_of_many_vectors),
                                          cmocka_unit_test(crowded_cells_of_many_vectors),
                                          cmocka_unit_test(equal_numbers_at_one_place),
                                          cmocka_unit_test(parts_are_announced),
                                          cmocka_unit_test(same_bits_every_time),
                                          cmocka_unit_test(adjoint_to_rounding),
                                          cmocka_unit_test(rounds_of_many_vectors),
                                          cmocka_unit_test(batches_fit_the_memory),
                                          cmocka_unit_test(layers_follow_each_other),
                                          cmocka_unit_test(stays_on_the_device),
                                          cmocka_unit_test(positions_that_are_no_numbers)};
RUN_TESTS(tests)
