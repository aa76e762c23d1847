/* SPDX-License-Identifier: BSD-3-Clause */
/* X[-k] along with X[k] at the spectrum of fused plans: in one tile, and loaded from memory where several
 * passes share it. */
#include "fused.h"

/* v + (p0 + i p1) conj(mirror) (1 + x) */
static exact fold(exact v, exact mirror, const int64_t *at, const double *p)
{
    return v + ((long double)p[0] + I * (long double)p[1]) * conjl(mirror) * (1 + at[0]);
}

static const char fold_text[] =
    "DEVICE struct pair fold(struct pair v, struct pair mirror, struct access_point at)\n"
    "{\n"
    "    const REAL f = (REAL)(1 + at.i[0]), a = f * at.p[0], b = f * at.p[1];\n"
    "    return make_pair(v.re + a * mirror.re + b * mirror.im, v.im + b * mirror.re - a * mirror.im);\n"
    "}\n";

static const argand_accessor folded = {.kind = ARGAND_ACCESS_CALL,
                                       .mirror = true,
                                       .parameters = {0.7, -0.25},
                                       .source = fold_text,
                                       .name = "fold"};

static bool is_smooth(int64_t n)
{
    for (int p = 2; p < 14; p++)
        while (n % p == 0) n /= p;
    return n == 1;
}

/* The same by the staged way, where each accessor sees what the one before it made of X[-k] too. */
static void check_staged(const argand_fft_options *o, argand_direction direction)
{
    int64_t dims[ARGAND_MAX_RANK];
    layout_dims(dims, o, &o->input);
    argand_array *in = random_array(o->type, o->rank + 1, dims, 3);
    layout_dims(dims, o, &o->output);
    argand_array *out = new_array(o->type, o->rank + 1, dims);
    setenv("ARGAND_FFT_ENGINE", "staged", 1);
    argand_fft *staged = new_plan(o);
    setenv("ARGAND_FFT_ENGINE", "native", 1);
    argand_fft *fused = new_plan(o);
    check_engine(staged, "staged", "taken");
    check_engine(fused, "fused", "taken");
    OK(argand_fft_apply(staged, out, in, direction));
    exact *expected = exact_of(out);
    OK(argand_fft_apply(fused, out, in, direction));
    CHECK_BELOW(distance(out, expected, 1), tolerance(o->type, (double)argand_array_count(in)));
    free(expected);
    argand_fft_destroy(staged);
    argand_fft_destroy(fused);
    argand_array_destroy(in);
    argand_array_destroy(out);
}

/* X[-k] along with X[k] where one group has all of the spectrum: lines, also of one stage, columns,
 * planes. */
static void mirrors(void **state)
{
    (void)state;
    static const struct {
        int64_t n[2];
        int rank, batch;
    } cases[] = {{{48, 1}, 1, 7}, {{45, 1}, 1, 3}, {{8, 1}, 1, 5},
                 {{9, 8}, 2, 3},  {{1, 12}, 2, 4}, {{2000, 1}, 1, 1}};
    if (is_host()) return;
    own_function = fold;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        argand_fft_options o = {.type = i == 1 && types() > 1 ? ARGAND_C64 : ARGAND_C32,
                                .rank = cases[i].rank,
                                .n = {cases[i].n[0], cases[i].n[1]},
                                .batch = cases[i].batch,
                                .scale = ARGAND_SCALE_INVERSE};
        argand_array *kernel = random_array(o.type, 2, o.n, 11);
        o.input.window[0] = (argand_window){(o.n[0] + 1) / 2, 1, ARGAND_BORDER_ZERO};
        o.access.spectrum[0] = folded;
        o.access.spectrum[1] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = kernel};
        check_fused(&o, i % 2 ? ARGAND_INVERSE : ARGAND_FORWARD, 1);
        o.access.spectrum[2] = o.access.spectrum[0];
        check_staged(&o, ARGAND_FORWARD);
        argand_array_destroy(kernel);
    }
}

typedef struct passes_case {
    int64_t n[4];
    int rank, batch, passes;
    bool centred, is_double;
    int padded, moved; /* an axis + 1 */
} passes_case;

/* staged: and once more with accessors before and after, by the staged way; kernels take PoCL long. */
static void check_passes(const passes_case *c, argand_direction direction, bool staged)
{
    argand_fft_options o = {.type = c->is_double && types() > 1 ? ARGAND_C64 : ARGAND_C32,
                            .rank = c->rank,
                            .batch = c->batch,
                            .centred = c->centred,
                            .scale = ARGAND_SCALE_INVERSE};
    for (int d = 0; d < c->rank; d++) o.n[d] = c->n[d];
    argand_array *kernel = random_array(o.type, o.rank, o.n, 11);
    if (c->padded)
        o.input.window[c->padded - 1] = (argand_window){(o.n[c->padded - 1] + 1) / 2, 1, ARGAND_BORDER_ZERO};
    if (c->moved) o.output.window[c->moved - 1] = (argand_window){o.n[c->moved - 1], 1, ARGAND_BORDER_ZERO};
    o.access.spectrum[0] = folded;
    o.access.store[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = kernel};
    check_fused(&o, direction, c->passes);
    o.access.spectrum[1] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = kernel};
    o.access.spectrum[2] = o.access.spectrum[0];
    if (staged) check_staged(&o, direction);
    argand_array_destroy(kernel);
}

/* The same where several passes share the spectrum: tiles of the pass that goes forward and back have lines
 * and their images. Rows, and columns that are not many, of two to four axes. */
static void mirrors_of_lines(void **state)
{
    (void)state;
    static const passes_case cases[] = {
        {{120, 110}, .rank = 2, .batch = 3, .passes = 3},
        {{105, 117}, .rank = 2, .batch = 2, .passes = 3, .centred = true, .is_double = true},
        {{20, 18, 35}, .rank = 3, .batch = 2, .passes = 3, .padded = 2},
        {{33, 20, 128}, .rank = 3, .batch = 2, .passes = 3, .padded = 3},
        {{125, 49, 4}, .rank = 3, .batch = 1, .passes = 5, .centred = true},
        {{96, 3, 64}, .rank = 3, .batch = 3, .passes = 3},
        {{64, 100, 2}, .rank = 3, .batch = 2, .passes = 5},
        {{67, 12}, .rank = 2, .batch = 2, .passes = 3},
        {{8, 67}, .rank = 2, .batch = 3, .passes = 3, .centred = true},
        {{6, 5, 7, 36}, .rank = 4, .batch = 3, .passes = 5, .padded = 4},
        {{6000}, .rank = 1, .batch = 2, .passes = 3},
        {{5040}, .rank = 1, .batch = 1, .passes = 3, .centred = true, .is_double = true},
        {{4608}, .rank = 1, .batch = 3, .passes = 3, .padded = 1},
        {{4725}, .rank = 1, .batch = 2, .passes = 4, .centred = true},
        {{5000}, .rank = 1, .batch = 2, .passes = 4, .moved = 1},
        {{124, 110}, .rank = 2, .batch = 2, .passes = 3, .moved = 2},
        {{3, 4608}, .rank = 2, .batch = 2, .passes = 5}};
    if (is_host()) return;
    own_function = fold;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_passes(&cases[i], i % 2 ? ARGAND_INVERSE : ARGAND_FORWARD, is_cuda() || i % 3 == 0);
}

/* Where they cannot, or are not to, the first pass back loads X[k] and X[-k]. Planes, volumes, long lines;
 * and where the spectrum does not fit. */
static void mirrors_of_passes(void **state)
{
    (void)state;
    static const passes_case cases[] = {
        {{120, 110}, .rank = 2, .batch = 3, .passes = 4},
        {{105, 117}, .rank = 2, .batch = 2, .passes = 4, .centred = true, .is_double = true},
        {{6000}, .rank = 1, .batch = 2, .passes = 4},
        {{20, 18, 35}, .rank = 3, .batch = 2, .passes = 4, .padded = 2},
        {{67, 20}, .rank = 2, .batch = 3, .passes = 4},
        {{8, 67}, .rank = 2, .batch = 3, .passes = 4, .centred = true},
        {{4099}, .rank = 1, .batch = 2, .passes = 6}};
    if (is_host()) return;
    own_function = fold;
    own_parameters = "load_mirror 1";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_passes(&cases[i], i % 2 ? ARGAND_INVERSE : ARGAND_FORWARD, is_cuda() || i % 3 == 0);
    argand_fft_options o = {.type = ARGAND_C32, .rank = 2, .n = {120, 110}};
    o.access.spectrum[0] = folded;
    o.output.window[1].count = 50;
    use_small_groups(true);
    argand_fft *plan = new_plan(&o);
    use_small_groups(false);
    check_engine(plan, "staged", "the output has no space for X[-k]");
    argand_fft_destroy(plan);
}

/* An array that is the output itself, of each chain: nothing may lie there before all of it has been read. */
static void arrays_in_the_output(void **state)
{
    (void)state;
    static const struct {
        int64_t n[2];
        int rank, chain; /* 0 load, 1 spectrum, 2 store */
        bool spectrum;
    } cases[] = {{{5000}, 1, 2, true},
                 {{120, 110}, 2, 2, true},
                 {{120, 110}, 2, 2, false},
                 {{120, 110}, 2, 1, true},
                 {{120, 110}, 2, 0, false}};
    if (is_host()) return;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        argand_fft_options o = {
            .type = ARGAND_C32, .rank = cases[i].rank, .n = {cases[i].n[0], cases[i].n[1]}};
        argand_array *in = random_array(o.type, o.rank, o.n, 3), *map = random_array(o.type, o.rank, o.n, 5),
                     *out = random_array(o.type, o.rank, o.n, 5), *other = new_array(o.type, o.rank, o.n);
        if (cases[i].spectrum) o.access.spectrum[0] = folded;
        argand_accessor *const chains[] = {&o.access.load[0], &o.access.spectrum[1], &o.access.store[0]};
        *chains[cases[i].chain] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = map};
        argand_fft *apart = new_plan(&o);
        chains[cases[i].chain]->array = out;
        argand_fft *same = new_plan(&o);
        OK(argand_fft_apply(apart, other, in, ARGAND_FORWARD));
        OK(argand_fft_apply(same, out, in, ARGAND_FORWARD));
        exact *expected = exact_of(other);
        CHECK_BELOW(distance(out, expected, 1), tolerance(o.type, (double)argand_array_count(in)));
        free(expected);
        argand_fft_destroy(apart);
        argand_fft_destroy(same);
        argand_array_destroy(in);
        argand_array_destroy(map);
        argand_array_destroy(out);
        argand_array_destroy(other);
    }
}

/* Calls whose elements between passes do not fit at a time are done in parts of the batch. */
static void in_parts(void **state)
{
    (void)state;
    enum { PASSES = 3, BATCH = 11 };
    argand_fft_options o = {.type = ARGAND_C32, .rank = 2, .n = {120, 110}, .batch = BATCH};
    if (is_host()) return;
    own_function = fold;
    own_parameters = "work_mib 1"; /* MiB */
    argand_array *maps = random_array(o.type, 3, (int64_t[]){120, 110, BATCH}, 11);
    o.access.spectrum[0] = folded;
    o.access.store[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = maps};
    check_fused(&o, ARGAND_FORWARD, PASSES);
    argand_fft *plan = fused_plan(&o, ARGAND_FORWARD, PASSES, true);
    assert_in_range(argand_fft_workspace(plan, ARGAND_FORWARD), 1, 1 << 20);
    argand_fft_destroy(plan);
    argand_array_destroy(maps);
}

/* Some of a larger array's elements, the fastest axis contiguous. */
static argand_array *part_of(argand_array **whole, const argand_fft_options *o, int64_t more, uint64_t seed)
{
    int64_t dims[ARGAND_MAX_RANK], strides[ARGAND_MAX_RANK], count = 1;
    argand_array *part;
    layout_dims(dims, o, &o->input);
    for (int d = 0; d <= o->rank; d++) {
        strides[d] = count;
        count *= dims[d] + more;
    }
    *whole = random_array(o->type, 1, &count, seed);
    OK(argand_array_view(&part, *whole, o->rank + 1, dims, strides, more));
    return part;
}

/* What of the larger array is not the part's is as it was. */
static void check_rest(argand_array *whole, argand_array *part, uint64_t seed)
{
    const int64_t count = argand_array_count(whole);
    argand_array *before = random_array(argand_array_type(whole), 1, &count, seed);
    OK(argand_array_fill(part, (argand_scalar){0, 0}));
    double *now = as_doubles(whole), *then = as_doubles(before);
    int64_t changed = 0;
    for (int64_t i = 0; i < count; i++)
        changed += now[2 * i] != then[2 * i] || now[2 * i + 1] != then[2 * i + 1];
    assert_int_equal(changed, argand_array_count(part));
    free(now);
    free(then);
    argand_array_destroy(before);
}

/* Arrays whose rows have larger strides than those that the plan was made for. */
static void of_other_strides(void **state)
{
    (void)state;
    static const passes_case cases[] = {{{120, 110}, .rank = 2, .batch = 3, .centred = true},
                                        {{5000}, .rank = 1, .batch = 3}};
    if (is_host()) return;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        argand_fft_options o = {
            .type = ARGAND_C32, .rank = cases[i].rank, .batch = cases[i].batch, .centred = cases[i].centred};
        int64_t dims[ARGAND_MAX_RANK];
        for (int d = 0; d < o.rank; d++) o.n[d] = cases[i].n[d];
        o.access.spectrum[0] = folded;
        layout_dims(dims, &o, &o.input);
        argand_array *whole_in, *whole_out,
            *in = part_of(&whole_in, &o, 3, 4), *out = part_of(&whole_out, &o, 5, 6),
            *close_in = new_array(o.type, o.rank + 1, dims), *close_out = new_array(o.type, o.rank + 1, dims);
        argand_fft *plan = new_plan(&o);
        check_engine(plan, "fused", "taken");
        OK(argand_array_copy(close_in, in));
        OK(argand_fft_apply(plan, close_out, close_in, ARGAND_FORWARD));
        OK(argand_fft_apply(plan, out, in, ARGAND_FORWARD));
        OK(argand_array_copy(close_in, out));
        check_rest(whole_out, out, 6);
        exact *expected = exact_of(close_out);
        CHECK_BELOW(distance(close_in, expected, 1), tolerance(o.type, (double)argand_array_count(close_in)));
        free(expected);
        argand_fft_destroy(plan);
        argand_array *const arrays[] = {in, out, whole_in, whole_out, close_in, close_out};
        for (int k = 0; k < 6; k++) argand_array_destroy(arrays[k]);
    }
}

/* The output may be the input itself: the same bits as elsewhere. */
static void in_place(void **state)
{
    (void)state;
    static const passes_case cases[] = {
        {{120, 110}, .rank = 2}, {{5000}, .rank = 1}, {{20, 18, 35}, .rank = 3, .centred = true}};
    if (is_host()) return;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        argand_fft_options o = {.type = ARGAND_C32, .rank = cases[i].rank, .centred = cases[i].centred};
        for (int d = 0; d < o.rank; d++) o.n[d] = cases[i].n[d];
        argand_array *x = random_array(o.type, o.rank, o.n, 3), *out = new_array(o.type, o.rank, o.n);
        o.access.spectrum[0] = folded;
        argand_fft *plan = new_plan(&o);
        OK(argand_fft_apply(plan, out, x, ARGAND_FORWARD));
        OK(argand_fft_apply(plan, x, x, ARGAND_FORWARD));
        double *apart = as_doubles(out), *same = as_doubles(x);
        assert_memory_equal(apart, same, 2 * sizeof *same * (size_t)argand_array_count(x));
        free(apart);
        free(same);
        argand_fft_destroy(plan);
        argand_array_destroy(x);
        argand_array_destroy(out);
    }
}

static argand_fft_options any_problem(uint64_t seed)
{
    static const int most[] = {9000, 150, 40, 14};
    random_state r = {seed};
    argand_fft_options o = {.type = ARGAND_C32, .scale = ARGAND_SCALE_INVERSE};
    o.rank = 1 + (int)(random_bits(&r) % 4);
    o.batch = 1 + (int64_t)(random_bits(&r) % 3);
    o.centred = random_bits(&r) % 2;
    for (int d = 0; d < o.rank; d++) {
        o.n[d] = 2 + (int64_t)(random_bits(&r) % (uint64_t)most[o.rank - 1]);
        while (random_bits(&r) % 8 && !is_smooth(o.n[d])) o.n[d]++;
    }
    return o;
}

/* Sizes as they come, one to four axes; so many as ARGAND_TEST_FUZZ says, from ARGAND_TEST_SEED on. */
static void mirrors_of_any(void **state)
{
    (void)state;
    const char *given = getenv("ARGAND_TEST_FUZZ"), *first = getenv("ARGAND_TEST_SEED");
    if (is_host()) return;
    own_function = fold;
    for (int i = 0; i < (given ? atoi(given) : 2); i++) {
        argand_fft_options o = any_problem((uint64_t)i + (uint64_t)(first ? strtoull(first, NULL, 10) : 0));
        argand_array *kernel = random_array(o.type, o.rank, o.n, 11);
        o.access.spectrum[0] = o.access.spectrum[2] = folded;
        o.access.spectrum[1] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = kernel};
        if (given)
            printf("%lld x %lld x %lld x %lld, %lld times\n", (long long)o.n[0], (long long)o.n[1],
                   (long long)o.n[2], (long long)o.n[3], (long long)o.batch);
        check_staged(&o, i % 2 ? ARGAND_INVERSE : ARGAND_FORWARD);
        argand_array_destroy(kernel);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(mirrors, set_up),           cmocka_unit_test_setup(mirrors_of_lines, set_up),
    cmocka_unit_test_setup(mirrors_of_passes, set_up), cmocka_unit_test_setup(arrays_in_the_output, set_up),
    cmocka_unit_test_setup(in_parts, set_up),          cmocka_unit_test_setup(of_other_strides, set_up),
    cmocka_unit_test_setup(in_place, set_up),          cmocka_unit_test_setup(mirrors_of_any, set_up),
};
RUN_TESTS(tests)
