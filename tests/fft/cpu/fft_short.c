/* SPDX-License-Identifier: BSD-3-Clause */
/* Short calls go by a way of their own (fft/cpu/passes/short_call.h), unless memory is guarded: the same bits
 * by both. */
#include "harness.h"

enum { MOST = 3 * 130 };

typedef struct short_case {
    argand_type type;
    int64_t n, batch;
    bool centred, in_place;
} short_case;

static argand_array *array_of(argand_type type, int64_t n, int64_t batch, uint64_t seed)
{
    argand_array *array;
    OK(argand_array_create(&array, device, type, batch > 1 ? 2 : 1, (const int64_t[2]){n, batch}));
    randomise(array, seed, 0, 0);
    return array;
}

/* The result's bytes. */
static void run(const argand_fft *plan, const short_case *c, argand_direction direction,
                argand_test_guard guard, char *bytes)
{
    const bool reals = c->type == ARGAND_R32 || c->type == ARGAND_R64, back = direction == ARGAND_INVERSE;
    const argand_type whole = c->type == ARGAND_R32   ? ARGAND_C32
                              : c->type == ARGAND_R64 ? ARGAND_C64
                                                      : c->type;
    const int64_t half = reals ? c->n / 2 + 1 : c->n;
    argand_array *in = array_of(back ? whole : c->type, back ? half : c->n, c->batch, 1), *out = in;
    if (!c->in_place) out = array_of(back ? c->type : whole, back ? c->n : half, c->batch, 2);
    argand_test_guard_memory(guard);
    OK(argand_fft_apply(plan, out, in, direction));
    argand_test_guard_memory(guard_wanted());
    memset(bytes, 0, MOST * 16);
    OK(argand_array_download(out, bytes));
    if (out != in) argand_array_destroy(out);
    argand_array_destroy(in);
}

static void check(const short_case *c)
{
    static char by_short[MOST * 16], by_long[MOST * 16];
    argand_fft *plan;
    const argand_fft_options options = {.type = c->type,
                                        .rank = 1,
                                        .n = {c->n},
                                        .batch = c->batch,
                                        .centred = c->centred,
                                        .scale = ARGAND_SCALE_INVERSE};
    OK(argand_fft_create(&plan, device, &options));
    for (argand_direction direction = ARGAND_FORWARD; direction <= ARGAND_INVERSE; direction += 2) {
        run(plan, c, direction, ARGAND_TEST_GUARD_NONE, by_short);
        run(plan, c, direction, ARGAND_TEST_GUARD_BEHIND, by_long);
        if (memcmp(by_short, by_long, sizeof by_short))
            fail_msg("type %d, %d points, %d lines%s%s, direction %d", (int)c->type, (int)c->n, (int)c->batch,
                     c->centred ? ", centred" : "", c->in_place ? ", in place" : "", (int)direction);
    }
    argand_fft_destroy(plan);
}

static void both_ways(void **state)
{
    (void)state;
    static const int64_t more[] = {48, 60, 64, 97, 100, 128, 130};
    for (argand_type type = ARGAND_R32; type <= ARGAND_C64; type++)
        for (int64_t i = 1; i < 40 + (int64_t)(sizeof more / sizeof *more); i++)
            for (int kind = 0; kind < 8; kind++) {
                const short_case c = {.type = type,
                                      .n = i < 40 ? i : more[i - 40],
                                      .batch = kind & 1 ? 3 : 1,
                                      .centred = kind & 2,
                                      .in_place = kind & 4};
                if ((type == ARGAND_C32 || type == ARGAND_C64) || kind < 2) check(&c);
            }
}

typedef struct plane_case {
    argand_type type;
    int rank;
    int64_t n[3], batch;
    bool centred;
} plane_case;

/* Transforms memory; guarded memory goes the long way. */
static void run_planes(const argand_fft *plan, argand_direction direction, argand_test_guard guard,
                       argand_array *in, argand_array *out)
{
    argand_test_guard_memory(guard);
    OK(argand_fft_apply_memory(plan, argand_array_data(out), argand_array_data(in), direction));
    argand_test_guard_memory(guard_wanted());
}

/* The relative distance of two arrays of so many reals */
static double distance(const argand_array *a, const argand_array *b, int64_t reals)
{
    const bool is_double = argand_array_type(a) == ARGAND_R64 || argand_array_type(a) == ARGAND_C64;
    double square = 0, whole = 0;
    for (int64_t i = 0; i < reals; i++) {
        const double x = is_double ? ((double *)argand_array_data(a))[i]
                                   : (double)((float *)argand_array_data(a))[i],
                     y = is_double ? ((double *)argand_array_data(b))[i]
                                   : (double)((float *)argand_array_data(b))[i];
        square += (x - y) * (x - y);
        whole += y * y;
    }
    return sqrt(square / whole);
}

/* Both ways, and both directions, of which the second takes what the first gives. */
static void check_planes(const plane_case *c)
{
    argand_fft *plan;
    argand_fft_options options = {.type = c->type,
                                  .rank = c->rank,
                                  .batch = c->batch,
                                  .centred = c->centred,
                                  .preserve_input = true,
                                  .scale = ARGAND_SCALE_INVERSE};
    const bool real = c->type == ARGAND_R32 || c->type == ARGAND_R64,
               is_double = c->type == ARGAND_R64 || c->type == ARGAND_C64;
    const argand_type whole = c->type == ARGAND_R32   ? ARGAND_C32
                              : c->type == ARGAND_R64 ? ARGAND_C64
                                                      : c->type;
    int64_t signal = c->batch, rows = c->batch;
    for (int i = 0; i < c->rank; i++) signal *= options.n[i] = c->n[i], rows *= i ? c->n[i] : 1;
    const int64_t spectrum = real ? rows * (c->n[0] / 2 + 1) : signal;
    argand_array *x = array_of(c->type, signal, 1, 1), *back[2], *y[2];
    OK(argand_fft_create(&plan, device, &options));
    for (int i = 0; i < 2; i++) {
        const argand_test_guard guard = i ? ARGAND_TEST_GUARD_BEHIND : ARGAND_TEST_GUARD_NONE;
        y[i] = array_of(whole, spectrum, 1, 2);
        back[i] = array_of(c->type, signal, 1, 3);
        run_planes(plan, ARGAND_FORWARD, guard, x, y[i]);
        run_planes(plan, ARGAND_INVERSE, guard, y[i], back[i]);
    }
    const size_t bytes = (size_t)spectrum * argand_type_size(whole),
                 bytes_back = (size_t)signal * argand_type_size(c->type);
    if (memcmp(argand_array_data(y[0]), argand_array_data(y[1]), bytes) ||
        memcmp(argand_array_data(back[0]), argand_array_data(back[1]), bytes_back))
        fail_msg("type %d, %d x %d x %d, batch %d%s", (int)c->type, (int)c->n[0], (int)c->n[1], (int)c->n[2],
                 (int)c->batch, c->centred ? ", centred" : "");
    assert_true(distance(back[0], x, signal * (real ? 1 : 2)) < (is_double ? 1e-14 : 2e-6));
    for (int i = 0; i < 2; i++) {
        argand_array_destroy(y[i]);
        argand_array_destroy(back[i]);
    }
    argand_array_destroy(x);
    argand_fft_destroy(plan);
}

static void planes_both_ways(void **state)
{
    (void)state;
    static const plane_case cases[] = {
        {0, 1, {64, 1, 1}, 6, false},  {0, 1, {2, 1, 1}, 808, false}, {0, 1, {97, 1, 1}, 70, true},
        {0, 2, {8, 8, 1}, 1, false},   {0, 2, {16, 7, 1}, 1, false},  {0, 2, {8, 8, 1}, 40, false},
        {0, 2, {32, 32, 1}, 1, true},  {0, 2, {64, 60, 1}, 1, false}, {0, 3, {4, 4, 10}, 1, false},
        {0, 3, {5, 6, 7}, 17, true},   {0, 3, {9, 1, 8}, 3, false},   {0, 2, {1, 12, 1}, 2, false},
        {0, 2, {97, 16, 1}, 3, false}, {0, 2, {12, 101, 1}, 1, true}, {0, 3, {16, 16, 16}, 1, false}};
    for (argand_type type = ARGAND_R32; type <= ARGAND_C64; type++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            plane_case c = cases[i];
            c.type = type;
            c.centred = c.centred && (type == ARGAND_C32 || type == ARGAND_C64);
            check_planes(&c);
        }
}

/* What is not such a call is still looked at. */
static void others_are_refused(void **state)
{
    (void)state;
    argand_fft *plan;
    argand_array *a = array_of(ARGAND_C32, 16, 1, 1), *b = array_of(ARGAND_C32, 17, 1, 2),
                 *c = array_of(ARGAND_C64, 16, 1, 3), *part;
    OK(argand_fft_create(&plan, device, &(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {16}}));
    FAILS(argand_fft_apply(plan, b, a, ARGAND_FORWARD), ARGAND_ARGUMENT, "dimension 0 of the output is 17");
    FAILS(argand_fft_apply(plan, a, c, ARGAND_FORWARD), ARGAND_ARGUMENT, "the input is complex double");
    FAILS(argand_fft_apply(plan, a, a, (argand_direction)0), ARGAND_ARGUMENT, "direction 0");
    OK(argand_array_part(&part, b, 0, 1, 16));
    FAILS(argand_fft_apply(plan, b, part, ARGAND_FORWARD), ARGAND_ARGUMENT,
          "dimension 0 of the output is 17");
    argand_array *first;
    OK(argand_array_part(&first, b, 0, 0, 16));
    FAILS(argand_fft_apply(plan, first, part, ARGAND_FORWARD), ARGAND_ARGUMENT, "share memory");
    argand_array_destroy(first);
    argand_array_destroy(part);
    argand_array_destroy(c);
    argand_array_destroy(b);
    argand_array_destroy(a);
    argand_fft_destroy(plan);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(both_ways), cmocka_unit_test(planes_both_ways),
                                          cmocka_unit_test(others_are_refused)};
RUN_TESTS(tests)
