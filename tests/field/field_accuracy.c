/* SPDX-License-Identifier: BSD-3-Clause */
/* Both directions against the plain sum in long double, adjointness, each instruction set, threads and
 * repeats. Tolerances: problem.h. */
#include "problem.h"

static void check_steps(problem p, int64_t sample_step, int64_t pixel_step)
{
    if (taken()) check_sums(p, sample_step, pixel_step, limit_of(p.type));
}

/* All outputs of small problems, one in seven of the others: long double is slow. */
static void check(problem p)
{
    int64_t pairs = p.samples;
    for (int d = 0; d < p.rank; d++) pairs *= p.n[d];
    const int64_t step = pairs > 5000 ? 7 : 1;
    check_steps(p, step, step);
}

static const argand_type types[] = {ARGAND_C32, ARGAND_C64};
#define EACH_TYPE(t) for (int t = 0; t < precision_count(); t++)

static void shapes(void **state)
{
    (void)state;
    static const problem sizes[] = {
        {.rank = 1, .n = {1}, .samples = 1},          {.rank = 1, .n = {7}, .samples = 5},
        {.rank = 1, .n = {64}, .samples = 300},       {.rank = 1, .n = {65}, .samples = 129},
        {.rank = 1, .n = {300}, .samples = 131},      {.rank = 2, .n = {16, 16}, .samples = 257},
        {.rank = 2, .n = {17, 12}, .samples = 200},   {.rank = 2, .n = {12, 33}, .samples = 64},
        {.rank = 2, .n = {130, 3}, .samples = 140},   {.rank = 2, .n = {1, 40}, .samples = 100},
        {.rank = 3, .n = {8, 6, 4}, .samples = 200},  {.rank = 3, .n = {5, 7, 9}, .samples = 100},
        {.rank = 3, .n = {10, 11, 1}, .samples = 140}};
    static const int features[] = {0, FIELD, GRADIENTS, FIELD | DECAY | GRADIENTS | MASK};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t f = 0; f < sizeof features / sizeof *features; f++) EACH_TYPE(t)
            {
                problem p = sizes[i];
                p.coils = 1;
                if (p.n[0] == 1 && p.rank == 1 && (features[f] & MASK)) continue;
                p.features = features[f];
                p.type = types[t];
                check(p);
            }
}

static void every_feature(void **state)
{
    (void)state;
    for (int features = 0; features < 64; features++) EACH_TYPE(t)
    check((problem){
        .type = types[t], .rank = 2, .n = {11, 6}, .samples = 150, .coils = 2, .features = features});
}

static void coils(void **state)
{
    (void)state;
    static const int64_t counts[] = {1, 2, 3, 4, 5, 8, 33};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (int features = 0; features <= FIELD; features++) EACH_TYPE(t)
    check((problem){.type = types[t],
                    .rank = 2,
                    .n = {18, 15},
                    .samples = 140,
                    .coils = counts[i],
                    .features = features | MASK});
}

/* 256 x 256, +-400 Hz, 40 ms, k to the edge: 64 turns per axis and 16 of the field. With one in 31 samples
 * checked. */
static void large_phases(void **state)
{
    (void)state;
    for (int features = 0; features <= (FIELD | SHUFFLED); features += FIELD | SHUFFLED) EACH_TYPE(t)
    check_steps((problem){.type = types[t],
                          .rank = 2,
                          .n = {256, 256},
                          .samples = 1024,
                          .coils = 1,
                          .features = features,
                          .hertz = 400,
                          .seconds = 0.04},
                61, 4001);
}

/* A gradient so steep that the sinc runs through many side lobes, and a decay that kills pixels altogether.
 */
static void wide_ranges(void **state)
{
    (void)state;
    EACH_TYPE(t)
    check((problem){.type = types[t],
                    .rank = 2,
                    .n = {24, 20},
                    .samples = 333,
                    .coils = 2,
                    .features = FIELD | GRADIENTS | DECAY,
                    .slope = 300,
                    .decay = 20000});
    EACH_TYPE(t)
    check((problem){.type = types[t],
                    .rank = 2,
                    .n = {24, 20},
                    .samples = 333,
                    .coils = 2,
                    .features = FIELD | SHUFFLED,
                    .k_scale = 3,
                    .hertz = 2000});
}

/* All pixels equal: sums add up instead of cancelling, the worst case for sums in single precision. */
static void coherent(void **state)
{
    (void)state;
    made m = make((problem){
        .type = ARGAND_C32, .rank = 3, .n = {128, 96, 64}, .samples = 64, .coils = 1, .k_scale = 0.01});
    argand_array *forward = like(m.samples);
    OK(argand_array_fill(m.image, (argand_scalar){1, 0.3}));
    OK(argand_field_apply(m.plan, forward, m.image));
    CHECK_BELOW(forward_error(&m, forward, 21), on_cpu() ? 5e-7 : limit_of(ARGAND_C32));
    argand_array_destroy(forward);
    unmake(&m);
}

/* Samples enough for several panels of tables, and coherent: k = 0 throughout. */
static void many_samples(void **state)
{
    (void)state;
    for (int features = 0; features <= FIELD; features++) {
        made m = make((problem){.type = ARGAND_C32,
                                .rank = 2,
                                .n = {64, 66},
                                .samples = 30000,
                                .coils = 1,
                                .features = features,
                                .hertz = 1,
                                .k_scale = 0.002});
        argand_array *adjoint = like(m.image);
        OK(argand_array_fill(m.samples, (argand_scalar){1, 0.3}));
        OK(argand_field_adjoint(m.plan, adjoint, m.samples));
        CHECK_BELOW(adjoint_error(&m, adjoint, 523), on_cpu() ? 5e-7 : limit_of(ARGAND_C32));
        argand_array_destroy(adjoint);
        unmake(&m);
    }
}

/* ARGAND_CPU is read when a plan is made and applied. */
static void instruction_sets(void **state)
{
    (void)state;
    static const char *const levels[] = {"baseline", "avx2", "avx512"};
    for (size_t i = 0; i < 3; i++) {
        setenv("ARGAND_CPU", levels[i], 1);
        for (int features = 0; features < 16; features++) EACH_TYPE(t)
        for (int64_t c = 1; c <= 7; c += 3)
            check((problem){.type = types[t],
                            .rank = 2,
                            .n = {9, 4},
                            .samples = 150,
                            .coils = c,
                            .features = features,
                            .slope = c > 3 ? 200 : 10});
    }
    unsetenv("ARGAND_CPU");
}

static void same_bits(const argand_array *a, const argand_array *b)
{
    double *x = as_doubles(a), *y = as_doubles(b);
    assert_memory_equal(x, y, (size_t)argand_array_count(a) * 2 * sizeof *x);
    free(y);
    free(x);
}

static void repeatable(void **state)
{
    (void)state;
    static const problem problems[] = {
        {.rank = 1, .n = {30}, .samples = 3000},
        {.rank = 2, .n = {40, 30}, .samples = 100, .features = FIELD},
        {.rank = 2, .n = {20, 30}, .samples = 500, .features = FIELD | GRADIENTS},
        {.rank = 2, .n = {20, 30}, .samples = 500}};
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) EACH_TYPE(t)
        {
            problem p = problems[i];
            p.type = types[t];
            p.coils = 3;
            made m = make(p);
            argand_array *forward = like(m.samples), *adjoint = like(m.image);
            OK(argand_field_apply(m.plan, forward, m.image));
            OK(argand_field_adjoint(m.plan, adjoint, m.samples));
            for (int threads = 1; threads <= 5;
                 threads += 2) { /* the first results are kept while others are made */
                argand_array *again = like(m.samples), *back = like(m.image);
                OK(argand_device_set_threads(device, threads));
                OK(argand_field_apply(m.plan, again, m.image));
                OK(argand_field_adjoint(m.plan, back, m.samples));
                same_bits(again, forward);
                same_bits(back, adjoint);
                argand_array_destroy(back);
                argand_array_destroy(again);
            }
            OK(argand_device_set_threads(device, 0));
            CHECK_BELOW(forward_error(&m, forward, 17), limit_of(p.type));
            CHECK_BELOW(adjoint_error(&m, adjoint, 17), limit_of(p.type));
            argand_array_destroy(adjoint);
            argand_array_destroy(forward);
            unmake(&m);
        }
}

/* Views with any strides, of input and output. */
static void strided(void **state)
{
    (void)state;
    made m = make((problem){
        .type = ARGAND_C32, .rank = 2, .n = {9, 8}, .samples = 70, .coils = 2, .features = FIELD | MASK});
    argand_array *memory, *image, *plain = like(m.samples), *samples, *back = like(m.image);
    OK(argand_array_create(&memory, device, ARGAND_C32, 1, (int64_t[]){1000}));
    OK(argand_array_view(&image, memory, 3, (int64_t[]){9, 8, 2}, (int64_t[]){24, 3, 1}, 5));
    OK(argand_array_copy(image, m.image));
    OK(argand_array_view(&samples, memory, 2, (int64_t[]){70, 2}, (int64_t[]){3, 1}, 600));
    OK(argand_field_apply(m.plan, plain, m.image));
    OK(argand_field_apply(m.plan, samples, image));
    same_bits(samples, plain);
    OK(argand_array_copy(samples, m.samples));
    OK(argand_field_adjoint(m.plan, back, m.samples));
    OK(argand_field_adjoint(m.plan, image, samples));
    same_bits(image, back);
    argand_array *const all[] = {memory, image, plain, samples, back};
    for (size_t i = 0; i < 5; i++) argand_array_destroy(all[i]);
    unmake(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(shapes),       cmocka_unit_test(every_feature),    cmocka_unit_test(coils),
    cmocka_unit_test(large_phases), cmocka_unit_test(wide_ranges),      cmocka_unit_test(coherent),
    cmocka_unit_test(many_samples), cmocka_unit_test(instruction_sets), cmocka_unit_test(repeatable),
    cmocka_unit_test(strided),
};

RUN_TESTS(tests)
