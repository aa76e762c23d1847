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

static const struct CMUnitTest tests[] = {cmocka_unit_test(both_ways), cmocka_unit_test(others_are_refused)};
RUN_TESTS(tests)
