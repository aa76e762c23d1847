/* SPDX-License-Identifier: BSD-3-Clause */
/* X[-k] beside X[k] at the spectrum of fused plans: in one box, and loaded from memory where several passes
 * share it. */
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

/* The same by the staged way, where each accessor sees what the one before it made of X[-k] too. */
static void check_staged(const argand_fft_options *o)
{
    int64_t dims[ARGAND_MAX_RANK];
    side_dims(dims, o, &o->input);
    argand_array *in = random_array(o->type, o->rank + 1, dims, 3);
    side_dims(dims, o, &o->output);
    argand_array *out = new_array(o->type, o->rank + 1, dims);
    setenv("ARGAND_FFT_ENGINE", "staged", 1);
    argand_fft *staged = new_plan(o);
    setenv("ARGAND_FFT_ENGINE", "box", 1);
    argand_fft *fused = new_plan(o);
    check_engine(staged, "staged", "taken");
    check_engine(fused, "fused", "taken");
    OK(argand_fft_apply(staged, out, in, ARGAND_FORWARD));
    exact *truth = exact_of(out);
    OK(argand_fft_apply(fused, out, in, ARGAND_FORWARD));
    CHECK_BELOW(distance(out, truth, 1), tolerance(o->type, (double)argand_array_count(in)));
    free(truth);
    argand_fft_destroy(staged);
    argand_fft_destroy(fused);
    argand_array_destroy(in);
    argand_array_destroy(out);
}

/* X[-k] beside X[k] where one group has all of the spectrum: lines, also of one stage, columns, planes. */
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
        o.input.span[0] = (argand_span){(o.n[0] + 1) / 2, 1, ARGAND_BORDER_ZERO};
        o.access.spectrum[0] = folded;
        o.access.spectrum[1] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = kernel};
        check_fused(&o, i % 2 ? ARGAND_INVERSE : ARGAND_FORWARD, 1);
        o.access.spectrum[2] = o.access.spectrum[0];
        check_staged(&o);
        argand_array_destroy(kernel);
    }
}

/* The same where several passes share the spectrum: the first one back loads X[k] and X[-k]. Planes, volumes,
 * long lines; and what has no room for the spectrum. */
static void mirrors_of_passes(void **state)
{
    (void)state;
    static const struct {
        int64_t n[3];
        int rank, batch, passes;
        bool centred;
    } cases[] = {{{120, 110}, 2, 3, 4, false},   {{105, 117}, 2, 2, 4, true}, {{6000}, 1, 2, 4, false},
                 {{20, 18, 35}, 3, 2, 4, false}, {{67, 20}, 2, 3, 4, false},  {{8, 67}, 2, 3, 4, true},
                 {{4099}, 1, 2, 6, false}};
    if (is_host()) return;
    own_function = fold;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        argand_fft_options o = {.type = i == 1 && types() > 1 ? ARGAND_C64 : ARGAND_C32,
                                .rank = cases[i].rank,
                                .n = {cases[i].n[0], cases[i].n[1], cases[i].n[2]},
                                .batch = cases[i].batch,
                                .centred = cases[i].centred,
                                .scale = ARGAND_SCALE_INVERSE};
        argand_array *kernel = random_array(o.type, o.rank, o.n, 11);
        if (i == 3) o.input.span[1] = (argand_span){(o.n[1] + 1) / 2, 1, ARGAND_BORDER_ZERO};
        o.access.spectrum[0] = folded;
        o.access.store[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = kernel};
        check_fused(&o, i % 2 ? ARGAND_INVERSE : ARGAND_FORWARD, cases[i].passes);
        o.access.spectrum[1] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = kernel};
        o.access.spectrum[2] = o.access.spectrum[0];
        check_staged(&o);
        argand_array_destroy(kernel);
    }
    argand_fft_options o = {.type = ARGAND_C32, .rank = 2, .n = {120, 110}};
    o.access.spectrum[0] = folded;
    o.output.span[1].count = 50;
    use_small_groups(true);
    argand_fft *plan = new_plan(&o);
    use_small_groups(false);
    check_engine(plan, "staged", "no room in the output for X[-k]");
    argand_fft_destroy(plan);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(mirrors, set_up),
    cmocka_unit_test_setup(mirrors_of_passes, set_up),
};
RUN_TESTS(tests)
