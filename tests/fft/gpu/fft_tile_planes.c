/* SPDX-License-Identifier: BSD-3-Clause */
/* Real planes in one pass and rows of odd length two by two, by the engine of our own kernels: against the
 * sum in long double, with spectra that are not those of reals, in place, and next to a NaN. */
#include "tile_check.h"

/* A shape, and the passes that it should have. */
typedef struct plane_case {
    shape s;
    int passes;
} plane_case;

static const plane_case cases[] = {
    {{2, {24, 14}, 5, ARGAND_R32, false}, 1},     /* pairs along rows */
    {{2, {21, 10}, 4, ARGAND_R64, false}, 1},     /* along columns */
    {{3, {9, 15, 4}, 3, ARGAND_R32, false}, 2},   /* of planes */
    {{3, {15, 7, 9}, 2, ARGAND_R64, false}, 2},   /* of planes, the last alone */
    {{3, {10, 7, 6}, 3, ARGAND_R64, false}, 2},   /* a volume */
    {{2, {243, 136}, 1, ARGAND_R32, false}, 2},   /* rows two by two; too large for one pass with double */
    {{4, {5, 3, 3, 4}, 2, ARGAND_R32, false}, 3}, /* the only even axis is not next to the plane */
    {{2, {9, 15}, 4, ARGAND_R32, false}, 1},      /* both odd */
    {{2, {2, 6}, 3, ARGAND_R32, false}, 2},       /* too narrow */
};
enum { CASES = sizeof cases / sizeof *cases };

/* Passes of a plan, each of which prints its threads. */
static int passes_of(const argand_fft *plan)
{
    char parameters[1024];
    int count = 0;
    argand_fft_print(plan, parameters, sizeof parameters);
    for (const char *at = parameters; (at = strstr(at, " threads ")) != NULL; at++) count++;
    return count;
}

static void planes(void **state)
{
    (void)state;
    if (!is_here()) skip();
    for (int i = 0; i < CASES; i++) {
        argand_fft *plan = plan_for(&cases[i].s);
        const int passes = passes_of(plan);
        argand_fft_destroy(plan);
        if (i != 5 && passes != cases[i].passes) fail_msg("case %d in %d passes", i, passes);
        real_one(&cases[i].s);
    }
}

/* Sizes of all kinds, on devices that compile quickly. */
static void many_planes(void **state)
{
    (void)state;
    if (!is_here() || !is_fast()) skip();
    for (int64_t i = 0; i < (few() ? 8 : 200); i++) {
        const int64_t a = 2 + i * 37 % 60, b = 2 + i * 53 % 90;
        const argand_type type = i % 3 ? ARGAND_R32 : ARGAND_R64;
        if (is_smooth(a) && is_smooth(b)) one(&(shape){2, {a, b}, 1 + i % 11, type, false});
        if (is_smooth(a) && is_smooth(b)) one(&(shape){3, {b, a, 2 + i % 9}, 1 + i % 3, type, false});
    }
    static const shape large[] = {
        {2, {128, 128}, 9, ARGAND_R32, false},   {2, {181 - 1, 180}, 3, ARGAND_R32, false},
        {2, {63, 90}, 40, ARGAND_R32, false},    {2, {126, 120}, 5, ARGAND_R64, false},
        {2, {175, 416}, 3, ARGAND_R32, false},   {2, {343, 100}, 3, ARGAND_R64, false},
        {2, {64, 525}, 7, ARGAND_R32, false},    {3, {35, 27, 28}, 5, ARGAND_R32, false},
        {3, {50, 72, 40}, 2, ARGAND_R64, false},
    };
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) one(&large[i]);
}

/* Extends half spectra to whole ones. Where an element and its mirror image are both given, their symmetric
 * part counts. */
static exact *whole_of(const exact *half, const shape *s)
{
    const int64_t n0 = s->n[0], row = n0 / 2 + 1, n1 = s->n[1], n2 = s->rank > 2 ? s->n[2] : 1;
    exact *all = malloc((size_t)(points_of(s) * s->batch) * sizeof *all);
    for (int64_t i = 0; i < points_of(s) * s->batch; i++) {
        const int64_t k0 = i % n0, k1 = i / n0 % n1, k2 = i / (n0 * n1) % n2, t = i / points_of(s),
                      mirror = (n1 - k1) % n1 + n1 * ((n2 - k2) % n2 + n2 * t),
                      here = k1 + n1 * (k2 + n2 * t);
        const bool own = k0 == 0 || 2 * k0 == n0, stored = k0 < row;
        const exact a = stored ? half[k0 + row * here] : conjl(half[n0 - k0 + row * mirror]);
        all[i] = own ? (a + conjl(half[k0 + row * mirror])) / 2 : a;
    }
    return all;
}

/* To reals, from spectra that no reals have. */
static void not_symmetric(void **state)
{
    (void)state;
    if (!is_here()) skip();
    for (int i = 0; i < CASES; i++) {
        const shape *s = &cases[i].s;
        if (s->rank > 3) continue;
        argand_fft *plan = plan_for(s);
        argand_array *y = array_for(s, complex_of(s->type), s->n[0] / 2 + 1),
                     *x = array_for(s, s->type, s->n[0]);
        randomise(y, 31, 0, 0);
        exact *half = exact_of(y), *wanted = whole_of(half, s);
        exact_fft(wanted, s, 1);
        for (int64_t k = 0; k < points_of(s) * s->batch; k++) wanted[k] = creall(wanted[k]);
        OK(argand_fft_apply(plan, x, y, ARGAND_INVERSE));
        check("to reals", s, distance(x, wanted, 1));
        free(wanted);
        free(half);
        argand_array_destroy(x);
        argand_array_destroy(y);
        argand_fft_destroy(plan);
    }
}

/* A NaN in one transform leaves the others alone. */
static void next_to_a_nan(void **state)
{
    (void)state;
    if (!is_here()) skip();
    for (int i = 0; i < 3; i++) {
        const shape *s = &cases[i].s;
        argand_fft *plan = plan_for(s);
        argand_array *x = array_for(s, s->type, s->n[0]),
                     *y = array_for(s, complex_of(s->type), s->n[0] / 2 + 1), *one;
        const int64_t single = 1, all = argand_array_count(y), each = all / s->batch;
        randomise(x, 3, 0, 0);
        OK(argand_array_view(&one, x, 1, &single, NULL, points_of(s) + 7));
        OK(argand_array_fill(one, (argand_scalar){NAN, 0}));
        OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
        exact *found = exact_of(y);
        for (int64_t k = 0; k < all; k++) assert_int_equal(isnan((double)creall(found[k])), k / each == 1);
        free(found);
        argand_array_destroy(one);
        argand_array_destroy(y);
        argand_array_destroy(x);
        argand_fft_destroy(plan);
    }
}

/* Planes of reals in the memory of their half spectra, with padded rows. */
static void in_place(void **state)
{
    (void)state;
    if (!is_here()) skip();
    for (int i = 0; i < 2; i++) {
        const shape *s = &cases[i].s;
        const int64_t row = s->n[0] / 2 + 2, half = s->n[0] / 2 + 1;
        argand_array *all = new_array(complex_of(s->type), 3, (int64_t[]){row, s->n[1], s->batch}), *spectrum,
                     *both, *reals, *x = array_for(s, s->type, s->n[0]);
        OK(argand_array_part(&spectrum, all, 0, 0, half));
        OK(argand_array_view_as(&both, all, s->type));
        OK(argand_array_part(&reals, both, 0, 0, s->n[0]));
        randomise(x, 8, 0, 0);
        OK(argand_array_copy(reals, x));
        exact *before = exact_of(x), *whole = exact_of(x);
        exact_fft(whole, s, -1);
        argand_fft *plan = plan_for(s);
        OK(argand_fft_apply(plan, spectrum, reals, ARGAND_FORWARD));
        exact *wanted = malloc((size_t)argand_array_count(spectrum) * sizeof *wanted);
        for (int64_t k = 0; k < argand_array_count(spectrum); k++)
            wanted[k] = whole[k / half * s->n[0] + k % half];
        check("in place", s, distance(spectrum, wanted, 1));
        OK(argand_fft_apply(plan, reals, spectrum, ARGAND_INVERSE));
        check("in place and back", s, distance(reals, before, (long double)points_of(s)) / 2);
        free(wanted);
        free(whole);
        free(before);
        argand_array *const arrays[] = {x, reals, both, spectrum, all};
        for (int k = 0; k < 5; k++) argand_array_destroy(arrays[k]);
        argand_fft_destroy(plan);
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(planes), cmocka_unit_test(many_planes),
                                          cmocka_unit_test(not_symmetric), cmocka_unit_test(next_to_a_nan),
                                          cmocka_unit_test(in_place)};
RUN_TESTS(tests)
