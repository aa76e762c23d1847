/* SPDX-License-Identifier: BSD-3-Clause */
/* Where shared memory has the numbers of Rader's lines: each has a place of its own that the group has room
 * for, and no access in either order has two numbers of one bank. And where those of a cluster go. */
#include "harness.h"
#include <string.h>
#include "fft/device/box.h"

static void make(box_program *p, int64_t n, bool is_double, int cluster)
{
    box_limits l = {.device = device,
                    .is_double = is_double,
                    .item_bytes = is_double ? 16 : 8,
                    .items = is_double ? 512 : 1024,
                    .values = 16,
                    .cluster = cluster,
                    .shared_bytes = 224 * 1024};
    fft_problem problem = {
        .type = is_double ? ARGAND_C64 : ARGAND_C32, .rank = 1, .n = {n}, .batch = 1000, .points = n};
    fft_geometry g;
    assert_true(tuning_parse(&l.tuning, ""));
    problem_contiguous(&g, &problem, ARGAND_FORWARD);
    OK(program_make(p, &problem, &g, ARGAND_FORWARD, &l, false));
}

/* A list as the kernel takes it: which complex number of shared memory. */
static int place(const double *list, int i, bool is_double)
{
    return (int)(is_double ? list[i] / 16 : (list[i] - 8388608) / 8);
}

/* No two of the items' numbers are in one bank; items from `first` on, number 0 at `at`. */
static void meets_nobody(const double *list, int at, int items, int banks, bool is_double)
{
    for (int first = 0; first < items; first += banks) {
        unsigned seen = 0;
        for (int i = first; i < items && i < first + banks; i++) {
            const unsigned bank = 1u << place(list, at + i, is_double) % banks;
            assert_false(seen & bank);
            seen |= bank;
        }
    }
}

/* The places of the box's numbers are different ones, and the lists in Rader's order are of the same. */
static void is_one_order(const double *box, const double *convolved, const box_shape *s, bool is_double)
{
    const int p = s->fused.points, lines = s->size[1], room = s->shared_numbers / 2;
    char *seen = calloc((size_t)room, 1);
    for (int i = 0; i < lines * p; i++) {
        const int at = place(box, i, is_double);
        assert_true(at >= 0 && at < room && !seen[at]);
        seen[at] = i % p ? 1 : 2;
    }
    for (int i = 0; i < lines * (p - 1); i++) {
        const int at = place(convolved, i, is_double);
        assert_int_equal(seen[at], 1);
        seen[at] = 3;
    }
    free(seen);
}

static void check(int64_t n, bool is_double)
{
    box_program program;
    make(&program, n, is_double, 0);
    const box_shape *s = &program.pass[0].shape;
    const int m = s->fused.convolution, lines = s->size[1], all = lines * (int)n, banks = is_double ? 8 : 16,
              convolved = lines * m;
    assert_int_equal(s->fused.kind, FUSED_RADER);
    assert_true(s->spread);
    const double *list = program.tables.numbers + 2 * (program.pass[0].params.tables + s->fused_table),
                 *box = list + 3 * convolved;
    for (int side = 0; side < 2; side++) {
        const box_stage *stage = side ? &s->back[s->stages - 1] : &s->stage[0];
        const int butterflies = lines * m / stage->radix, apart = m / stage->radix;
        is_one_order(box + side * all, list + side * convolved, s, is_double);
        for (int i = 0; i < all; i += s->items)
            meets_nobody(box + side * all, i, s->items < all - i ? s->items : all - i, banks, is_double);
        /* items in the order of the stage: butterfly b of a line, then the next line */
        double *taken = calloc((size_t)butterflies, sizeof *taken);
        for (int r = 0; r < stage->radix; r++) {
            for (int b = 0; b < butterflies; b++)
                taken[b] = list[side * convolved + b / apart * m + b % apart + r * apart];
            for (int b = 0; b < butterflies; b += s->items)
                meets_nobody(taken, b, s->items < butterflies - b ? s->items : butterflies - b, banks,
                             is_double);
        }
        free(taken);
    }
    program_release(&program);
}

static void no_conflicts(void **state)
{
    (void)state;
    static const int64_t n[] = {521, 1009, 2053, 4051};
    for (size_t i = 0; i < sizeof n / sizeof *n; i++) {
        check(n[i], false);
        check(n[i], true);
    }
}

/* What the first part of a cluster's convolution sends fills each group's columns, and what the last one
 * returns each group's run. */
static void fills_a_cluster(void **state)
{
    (void)state;
    enum { M = 65536, GROUPS = 8, ROW = 257 };
    box_program program;
    make(&program, M + 1, false, GROUPS);
    assert_int_equal(program.count, 3);
    assert_true(program.pass[0].shape.rader);
    assert_int_equal(program.pass[0].cross.row_back, ROW);
    char *seen = calloc(GROUPS * 65536, 1);
    for (int side = 0; side < 2; side++) {
        const box_pass *pass = &program.pass[side ? 2 : 0];
        const double *list = program.tables.numbers + 2 * (pass->params.tables + pass->params.chirp);
        memset(seen, 0, GROUPS * 65536);
        for (int i = 0; i < M; i++) {
            const int at = (int)(list[i] - 8388608), here = at % 65536;
            assert_true(at >= 0 && at < GROUPS * 65536 && !seen[at]);
            assert_true(side ? here < M / GROUPS : here % ROW < 256 && here / ROW < 32);
            seen[at] = 1;
        }
    }
    free(seen);
    program_release(&program);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(no_conflicts), cmocka_unit_test(fills_a_cluster)};
RUN_TESTS(tests)
