/* SPDX-License-Identifier: BSD-3-Clause */
/* What every device must give, on problems that are new in every run: ARGAND_TEST_SEED repeats the one whose
 * seed was printed. Plain sums in long double are the truth; tolerances in problem.h. */
#include "problem.h"
#include "field/device_engine.h"

static void check_with(problem p, int64_t sample_step, int64_t pixel_step, double limit)
{
    static uint64_t problems;
    if (!taken()) return;
    p.seed = seed_of_run() + 1000 * ++problems;
    check_sums(p, sample_step, pixel_step, limit);
}

/* So many outputs that about 8000 pairs are summed in long double, but at least seven. */
static int64_t step_for(int64_t outputs, int64_t terms)
{
    int64_t step = outputs * terms / 8000;
    if (step > outputs / 7) step = outputs / 7;
    return step < 1 ? 1 : step % 2 ? step : step + 1;
}

static void check(problem p)
{
    static const argand_type types[] = {ARGAND_C32, ARGAND_C64};
    int64_t pixels = 1;
    for (int d = 0; d < p.rank; d++) pixels *= p.n[d];
    for (int t = 0; t < precision_count(); t++) {
        p.type = types[t];
        check_with(p, step_for(p.samples, pixels), step_for(pixels, p.samples), limit_of(p.type));
    }
}

static const int features[] = {0, FIELD, FIELD | MASK, DECAY | MASK,
                               FIELD | DECAY | GRADIENTS | MASK | SHUFFLED};
enum { FEATURES = sizeof features / sizeof *features };

static void shapes(void **state)
{
    (void)state;
    static const problem sizes[] = {
        {.rank = 1, .n = {63}, .samples = 65},       {.rank = 1, .n = {257}, .samples = 131},
        {.rank = 2, .n = {16, 16}, .samples = 256},  {.rank = 2, .n = {33, 12}, .samples = 129},
        {.rank = 2, .n = {7, 70}, .samples = 255},   {.rank = 3, .n = {9, 7, 5}, .samples = 150},
        {.rank = 3, .n = {16, 8, 4}, .samples = 128}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int f = 0; f < FEATURES; f++)
            for (int terms = 0; terms < 4; terms += 3) {
                problem p = sizes[i];
                p.coils = 1 + (int64_t)i % 3;
                p.features = features[f];
                p.terms = terms;
                check(p);
            }
}

static void vectors(void **state)
{
    (void)state;
    static const int64_t counts[] = {1, 2, 3, 5, 8, 9, 16, 31, 32, 33, 40};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (int f = 0; f < FEATURES; f++)
            check((problem){.rank = 2,
                            .n = {19, 17},
                            .samples = 300,
                            .coils = counts[i],
                            .features = features[f],
                            .terms = f == 1 ? 2 : 0});
}

/* Fewer outputs than a device has lanes: sums are split, or are not. */
static void few_outputs(void **state)
{
    (void)state;
    static const problem sizes[] = {{.rank = 2, .n = {61, 53}, .samples = 1},
                                    {.rank = 2, .n = {61, 53}, .samples = 7},
                                    {.rank = 1, .n = {1}, .samples = 4001},
                                    {.rank = 1, .n = {5}, .samples = 4001},
                                    {.rank = 3, .n = {1, 1, 1}, .samples = 1}};
    static const int64_t counts[] = {1, 3, 32};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t c = 0; c < 3; c++)
            for (int f = 0; f < FEATURES; f++) {
                problem p = sizes[i];
                p.coils = counts[c];
                p.features = features[f];
                check(p);
            }
}

/* 64 turns of k . r on each axis, 16 of the field, and many terms' sums. */
static void large(void **state)
{
    (void)state;
    static const int64_t counts[] = {1, 8, 32};
    for (size_t c = 0; c < 3; c++)
        for (int f = 0; f < 2; f++)
            check((problem){.rank = 2,
                            .n = {256, 256},
                            .samples = 320,
                            .coils = counts[c],
                            .features = f ? FIELD | SHUFFLED : GRADIENTS,
                            .hertz = 400,
                            .seconds = 0.04});
}

/* Rows of 100 pixels waste 12 slots of 112 in rows of 16, so tiles of 4 x 4 are taken by kernels for matrix
 * units. */
static void tiles(void **state)
{
    (void)state;
    static const int64_t counts[] = {1, 5, 16, 32};
    char text[256];
    problem p = {.type = ARGAND_C32,
                 .rank = 2,
                 .n = {100, 60},
                 .samples = 520,
                 .coils = 1,
                 .features = FIELD,
                 .seed = seed_of_run()};
    made m = make(p);
    argand_field_print(m.plan, text, sizeof text);
    assert_true(on_cpu() || strstr(text, "tiles of 4 x 4"));
    unmake(&m);
    check_sums(p, 11, 101, limit_of(p.type));
    for (int c = 0; c < 4; c++)
        for (int f = 1; f < FEATURES; f += 3) {
            p.coils = counts[c];
            p.features = features[f];
            check_with(p, 11, 101, limit_of(p.type));
        }
}

/* Pixels far from each other: no two share a spot, so that the outputs of a group have as many of them as
 * there can be; and enough pairs for the chip's own sine. */
static void sparse_masks(void **state)
{
    (void)state;
    for (int64_t coils = 1; coils < 6; coils += 2)
        for (int t = 0; t < precision_count(); t++)
            check_with((problem){.type = t ? ARGAND_C64 : ARGAND_C32,
                                 .rank = 2,
                                 .n = {340, 60},
                                 .samples = 1030,
                                 .coils = coils,
                                 .features = FIELD | MASK | SPARSE},
                       101, 1009, limit_of(t ? ARGAND_C64 : ARGAND_C32));
}

/* More outputs than groups that fit at a time: each group computes several of them, whole or in part. */
static void many_outputs(void **state)
{
    (void)state;
    for (int64_t coils = 1; coils < 3; coils++) {
        check_with((problem){.type = ARGAND_C32,
                             .rank = 2,
                             .n = {1024, 512},
                             .samples = 3,
                             .coils = coils,
                             .features = FIELD},
                   1, 70001, limit_of(ARGAND_C32));
        check_with((problem){.type = ARGAND_C32,
                             .rank = 1,
                             .n = {7},
                             .samples = 400000,
                             .coils = coils,
                             .features = FIELD},
                   50001, 1, limit_of(ARGAND_C32));
    }
}

/* Few outputs and many terms: matrix kernels cut sums at any stage of terms, or, with several centres in
 * time, between blocks. */
static void cut_terms(void **state)
{
    (void)state;
    static const int64_t counts[] = {32, 8, 3};
    for (int c = 0; c < 3; c++)
        for (int f = FIELD; f <= (FIELD | DECAY); f += DECAY) {
            const problem p = {.type = ARGAND_C32,
                               .rank = 2,
                               .n = {c == 1 ? 96 : 100, 60},
                               .samples = 1300,
                               .coils = counts[c],
                               .features = f,
                               .hertz = 800,
                               .seconds = 0.04,
                               .seed = seed_of_run() + (uint64_t)c};
            if (c || f != FIELD)
                check_with(p, 131, 1009, limit_of(p.type));
            else
                check_sums(p, 53, 307, limit_of(p.type));
        }
}

static void times(void **state)
{
    (void)state;
    for (int f = SHUFFLED; f <= SAME_TIMES; f *= 2)
        for (int64_t coils = 1; coils <= 16; coils += 15)
            check((problem){.rank = 2,
                            .n = {24, 21},
                            .samples = 777,
                            .coils = coils,
                            .features = FIELD | DECAY | f,
                            .hertz = 500});
}

/* Each count of terms, with each other feature, with up to 50 turns in a term. */
static void terms(void **state)
{
    (void)state;
    static const int counts[] = {1, 4, 16, 32};
    for (size_t i = 0; i < 4; i++)
        for (int f = 0; f < FEATURES; f++)
            for (int64_t coils = 1; coils <= 8; coils += 7)
                check((problem){.rank = 2,
                                .n = {18, 13},
                                .samples = 210,
                                .coils = coils,
                                .features = features[f],
                                .terms = counts[i],
                                .term_turns = f == 1 ? 50 : 3});
}

/* Where less accuracy is asked for, at least that must be there. */
static void tolerance(void **state)
{
    (void)state;
    static const double tolerances[] = {1e-2, 1e-3, 1e-5};
    for (size_t i = 0; i < 3; i++)
        for (int64_t coils = 1; coils <= 32; coils += 31)
            check_with((problem){.type = ARGAND_C32,
                                 .rank = 2,
                                 .n = {40, 31},
                                 .samples = 999,
                                 .coils = coils,
                                 .features = FIELD | MASK,
                                 .tolerance = tolerances[i]},
                       13, 13, tolerances[i]);
}

/* ---- terms that say what another option says ---- */

/* Two plans of the same image and samples must agree: errors of both together. */
static void compare(const made *m, const argand_field_options *other)
{
    argand_field *plan;
    OK(argand_field_create(&plan, device, other));
    argand_array *forward[2] = {like(m->samples), like(m->samples)},
                 *back[2] = {like(m->image), like(m->image)};
    for (int i = 0; i < 2; i++) {
        OK(argand_field_apply(i ? plan : m->plan, forward[i], m->image));
        OK(argand_field_adjoint(i ? plan : m->plan, back[i], m->samples));
    }
    double *a = as_doubles(forward[0]), *b = as_doubles(forward[1]), *c = as_doubles(back[0]),
           *d = as_doubles(back[1]);
    CHECK_BELOW(relative_error(a, b, 2 * (size_t)argand_array_count(forward[0])), 2 * limit_of(m->p.type));
    CHECK_BELOW(relative_error(c, d, 2 * (size_t)argand_array_count(back[0])), 2 * limit_of(m->p.type));
    double *const numbers[] = {a, b, c, d};
    for (int i = 0; i < 4; i++) {
        free(numbers[i]);
        argand_array_destroy(i % 2 ? forward[i / 2] : back[i / 2]);
    }
    argand_field_destroy(plan);
}

/* c = t, b = the field map */
static void term_is_field(void **state)
{
    (void)state;
    for (int t = 0; t < precision_count(); t++) {
        if (!in_round(t, precision_count())) continue;
        made m = make((problem){.type = t ? ARGAND_C64 : ARGAND_C32,
                                .rank = 2,
                                .n = {21, 20},
                                .samples = 400,
                                .coils = 3,
                                .features = FIELD,
                                .seed = seed_of_run()});
        compare(&m, &(argand_field_options){.type = m.p.type,
                                            .rank = 2,
                                            .n = {21, 20},
                                            .k = {m.k[0], m.k[1]},
                                            .terms = 1,
                                            .term_time = {m.t},
                                            .term_space = {m.field}});
        unmake(&m);
    }
}

/* c = 2 pi k_d, b = (n_d - floor(N_d / 2)) / N_d, with k = 0 too; factors in double, so that they are the
 * same numbers. */
static void terms_are_positions(void **state)
{
    (void)state;
    const int64_t n[2] = {21, 16}, samples = 300;
    if (precision_count() < 2) return;
    made m = make((problem){
        .type = ARGAND_C32, .rank = 2, .n = {21, 16}, .samples = samples, .coils = 2, .seed = seed_of_run()});
    argand_array *zero, *time[2], *space[2];
    double places[21 * 16];
    OK(argand_array_create(&zero, device, ARGAND_R32, 1, &samples));
    for (int d = 0; d < 2; d++) {
        double *c = as_doubles(m.k[d]);
        for (int64_t j = 0; j < samples; j++) c[j] *= 6.283185307179586477;
        for (int64_t i = 0; i < n[0] * n[1]; i++)
            places[i] = (double)((d ? i / n[0] : i % n[0]) - n[d] / 2) / (double)n[d];
        OK(argand_array_create(&time[d], device, ARGAND_R64, 1, &samples));
        OK(argand_array_create(&space[d], device, ARGAND_R64, 2, n));
        put_reals(time[d], c);
        put_reals(space[d], places);
        free(c);
    }
    compare(&m, &(argand_field_options){.type = ARGAND_C32,
                                        .rank = 2,
                                        .n = {n[0], n[1]},
                                        .k = {zero, zero},
                                        .terms = 2,
                                        .term_time = {time[0], time[1]},
                                        .term_space = {space[0], space[1]}});
    argand_array *const all[] = {zero, time[0], time[1], space[0], space[1]};
    for (size_t i = 0; i < 5; i++) argand_array_destroy(all[i]);
    unmake(&m);
}

static void is_zero(const argand_array *array)
{
    double *values = as_doubles(array);
    for (size_t i = 0; i < 2 * (size_t)argand_array_count(array); i++) assert_true(values[i] == 0);
    free(values);
}

/* A mask that leaves nothing: launches of no group. */
static void no_pixels(void **state)
{
    (void)state;
    for (int64_t coils = 1; coils < 10; coils += 4) {
        if (!in_round(coils / 4, 3)) continue;
        made m = make((problem){.type = ARGAND_C32,
                                .rank = 2,
                                .n = {20, 11},
                                .samples = 210,
                                .coils = coils,
                                .features = FIELD | MASK});
        argand_field *plan;
        OK(argand_array_fill(m.mask, (argand_scalar){0, 0}));
        OK(argand_field_create(&plan, device,
                               &(argand_field_options){.type = ARGAND_C32,
                                                       .rank = 2,
                                                       .n = {20, 11},
                                                       .k = {m.k[0], m.k[1]},
                                                       .t = m.t,
                                                       .field_map = m.field,
                                                       .mask = m.mask}));
        argand_array *samples = like(m.samples), *image = like(m.image);
        OK(argand_array_fill(samples, (argand_scalar){1, 1}));
        OK(argand_array_fill(image, (argand_scalar){1, 1}));
        OK(argand_field_apply(plan, samples, m.image));
        OK(argand_field_adjoint(plan, image, m.samples));
        is_zero(samples);
        is_zero(image);
        argand_array_destroy(samples);
        argand_array_destroy(image);
        argand_field_destroy(plan);
        unmake(&m);
    }
}

/* Each method of multiplying matrices that the chip has, each width of them, and none: the same sums.
 * Problems large enough for them. */
static void every_kind_of_cores(void **state)
{
    (void)state;
    static const int64_t vectors[] = {3, 8, 12, 16, 24, 33};
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    if (info.capability < 80) skip();
    for (field_cores cores = FIELD_CORES_NONE; cores <= FIELD_CORES_WARPGROUP; cores++) {
        argand_test_field_cores(cores);
        for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
            for (int f = 1; f < FEATURES; f += 3)
                check_with((problem){.type = ARGAND_C32,
                                     .rank = 2,
                                     .n = {64, 60},
                                     .samples = 515,
                                     .coils = vectors[i],
                                     .features = features[f]},
                           101, 501, limit_of(ARGAND_C32));
    }
    argand_test_field_cores(FIELD_CORES_DEFAULT);
}

/* The same with phase terms: one, whole records of four and parts of one, and as many as there may be;
 * of a few turns, and of many, whose factors have two parts. Rows that are not whole spots are tiles. */
static void terms_on_cores(void **state)
{
    (void)state;
    static const int counts[] = {1, 6, 16, ARGAND_FIELD_TERMS};
    static const int64_t vectors[] = {3, 16, 33};
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    if (info.capability < 80) skip();
    for (field_cores cores = FIELD_CORES_NONE; cores <= FIELD_CORES_WARPGROUP; cores++) {
        argand_test_field_cores(cores);
        for (int i = 0; i < 12; i++)
            for (int turns = 3; turns <= 50; turns += 47)
                check_with((problem){.type = ARGAND_C32,
                                     .rank = 2,
                                     .n = {i % 2 ? 64 : 68, 60},
                                     .samples = 515,
                                     .coils = vectors[i % 3],
                                     .features = features[i % FEATURES],
                                     .terms = counts[i / 3],
                                     .term_turns = turns},
                           101, 501, limit_of(ARGAND_C32));
    }
    argand_test_field_cores(FIELD_CORES_DEFAULT);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(shapes),
    cmocka_unit_test(vectors),
    cmocka_unit_test(few_outputs),
    cmocka_unit_test(large),
    cmocka_unit_test(tiles),
    cmocka_unit_test(sparse_masks),
    cmocka_unit_test(many_outputs),
    cmocka_unit_test(cut_terms),
    cmocka_unit_test(times),
    cmocka_unit_test(terms),
    cmocka_unit_test(tolerance),
    cmocka_unit_test(term_is_field),
    cmocka_unit_test(terms_are_positions),
    cmocka_unit_test(no_pixels),
    cmocka_unit_test(every_kind_of_cores),
    cmocka_unit_test(terms_on_cores),
};

RUN_TESTS(tests)
