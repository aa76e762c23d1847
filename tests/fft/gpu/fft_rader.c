/* SPDX-License-Identifier: BSD-3-Clause */
/* Where shared memory has the points of Rader's lines: each has a place of its own that the group has memory
 * for, and no access in either order has two numbers of one bank. And where those of a cluster go. */
#include "fft/large_chip.h"

#include <string.h>

static void make(pass_program *p, int64_t n, bool centred, bool is_double, int cluster)
{
    const block_limits l = limits_of("", is_double, cluster);
    fft_problem problem = {.type = is_double ? ARGAND_C64 : ARGAND_C32,
                           .rank = 1,
                           .n = {n},
                           .batch = 1000,
                           .points = n,
                           .centred = centred};
    fft_geometry g;
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

/* The places of the tile's points are different ones, and the lists in Rader's order are of the same. */
static void is_one_order(const double *box, const double *convolved, const tile_shape *s, bool is_double)
{
    const int p = s->convolution.points, lines = s->size[1], elements = s->shared_elements / 2;
    char *seen = calloc((size_t)elements, 1);
    for (int i = 0; i < lines * p; i++) {
        const int at = place(box, i, is_double);
        assert_true(at >= 0 && at < elements && !seen[at]);
        seen[at] = i % p == s->convolution.origin ? 2 : 1;
    }
    for (int i = 0; i < lines * (p - 1); i++) {
        const int at = place(convolved, i, is_double);
        assert_int_equal(seen[at], 1);
        seen[at] = 3;
    }
    free(seen);
}

static void check(int64_t n, bool centred, bool is_double)
{
    pass_program program;
    make(&program, n, centred, is_double, 0);
    const tile_shape *s = &program.pass[0].shape;
    const int m = s->convolution.convolution, lines = s->size[1], all = lines * (int)n,
              banks = is_double ? 8 : 16, convolved = lines * m;
    assert_int_equal(s->convolution.kind, CONVOLUTION_RADER);
    assert_int_equal(s->convolution.origin, centred ? n / 2 : 0);
    assert_true(s->spread);
    const double *list = program.tables.elements + 2 * (program.pass[0].params.tables + s->convolution_table),
                 *box = list + 3 * convolved;
    for (int end = 0; end < 2; end++) {
        const tile_stage *stage = end ? &s->back[s->stages - 1] : &s->stage[0];
        const int butterflies = lines * m / stage->radix, apart = m / stage->radix;
        is_one_order(box + end * all, list + end * convolved, s, is_double);
        for (int i = 0; i < all; i += s->threads)
            meets_nobody(box + end * all, i, s->threads < all - i ? s->threads : all - i, banks, is_double);
        /* butterfly b of the stage: along a line and then the next one, or along lines */
        double *taken = calloc((size_t)butterflies, sizeof *taken);
        for (int r = 0; r < stage->radix; r++) {
            for (int b = 0; b < butterflies; b++) {
                const int line = s->mid_fast ? b % lines : b / apart,
                          at = s->mid_fast ? b / lines : b % apart;
                taken[b] = list[end * convolved + line * m + at + r * apart];
            }
            for (int b = 0; b < butterflies; b += s->threads)
                meets_nobody(taken, b, s->threads < butterflies - b ? s->threads : butterflies - b, banks,
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
        check(n[i], i % 2, false);
        check(n[i], i % 2, true);
        check(n[i], true, i % 2);
    }
}

enum { M = 65536, GROUPS = 8, RUN = M / GROUPS, COLUMNS = 256, TILE = COLUMNS / GROUPS };

static int told(double x)
{
    return (int)(x - 8388608);
}

/* One number on its way: put in its group, sent to another, and there where it is looked for. */
static void follow(const double *list, int from, int sender, int to, int receiver, char *seen)
{
    const int put = told(list[from]), sent = told(list[M + sender * RUN + put]),
              there = told(list[2 * M + to]);
    assert_true(put >= 0 && put < RUN && there >= 0 && there < RUN);
    assert_int_equal(sent, receiver * 65536 + there);
    assert_false(seen[receiver * RUN + there]);
    seen[receiver * RUN + there] = 1;
}

/* Where memory has a number of the line, number 0 left out. */
static int in_memory(int64_t number, bool centred)
{
    const int64_t at = (number + (centred ? M / 2 : 0)) % (M + 1);
    return (int)(centred && at < M / 2 ? at : at - 1);
}

/* Every number of the line gets to its column of the convolution, and every result back. */
static void arrive(bool centred)
{
    pass_program program;
    make(&program, M + 1, centred, false, GROUPS);
    assert_int_equal(program.count, 3);
    assert_true(program.pass[0].shape.rader);
    const tile_pass *pass = program.pass;
    const double *in = program.tables.elements + 2 * (pass[0].params.tables + pass[0].params.chirp),
                 *out = program.tables.elements + 2 * (pass[2].params.tables + pass[2].params.chirp);
    char *seen[2] = {calloc(M, 1), calloc(M, 1)};
    int64_t power = 1, back = 1; /* 3 is a root of 65537, and 21846 its inverse */
    for (int j = 0; j < M; j++, power = power * 3 % (M + 1), back = back * 21846 % (M + 1)) {
        const int column = j % COLUMNS / TILE, from = in_memory(power, centred),
                  to = in_memory(back, centred);
        follow(in, from, from / RUN, j, column, seen[0]);
        follow(out, j, column, to, to / RUN, seen[1]);
    }
    free(seen[0]);
    free(seen[1]);
    program_release(&program);
}

static void all_arrive_in_a_cluster(void **state)
{
    (void)state;
    arrive(false);
    arrive(true);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(no_conflicts),
                                          cmocka_unit_test(all_arrive_in_a_cluster)};
RUN_TESTS(tests)
