/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts of the user's own: their errors have their own lines and change nothing; helpers, parameters and
 * arrays reach them; on the cpu, which takes functions, a text alone is refused. */
#include "access_truth.h"

enum { N = 8 };

static int is_host(void)
{
    return precisions() == 2;
}

static argand_fft_options with_text(const char *source, const char *name)
{
    argand_fft_options o = {.type = ARGAND_C32, .rank = 1, .n = {N}};
    o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_CALL, .source = source, .name = name};
    return o;
}

static const char broken[] =
    "/* two lines that are right */\n"
    "DEVICE struct pair bend(struct pair v, struct pair mirror, struct access_point at)\n"
    "{ return nowhere; }\n";

static void an_error_has_its_own_line(void **state)
{
    (void)state;
    argand_fft *plan = NULL;
    const argand_fft_options o = with_text(broken, "bend");
    if (is_host()) {
        FAILS(argand_fft_create(&plan, device, &o), ARGAND_UNSUPPORTED, "set .function");
        return;
    }
    FAILS(argand_fft_create(&plan, device, &o), ARGAND_BUILD, "bend");
    assert_null(plan);
    /* PoCL says bend:3:10, NVRTC bend(3) */
    const char *at = strstr(argand_message(), "bend:3:"), *nvrtc = strstr(argand_message(), "bend(3)");
    if (!at && !nvrtc) fail_msg("%s", argand_message());
    assert_non_null(strstr(argand_message(), "nowhere"));
}

/* A helper, a parameter, a table by index: v = table[i] p0 v; after a text that failed, and again with
 * another one of the same name. */
static void texts(void **state)
{
    (void)state;
    if (is_host()) return;
    static const char *const sources[2] = {
        "DEVICE REAL twice(REAL x) { return 2 * x; }\n"
        "DEVICE struct pair bend(struct pair v, struct pair mirror, struct access_point at)\n"
        "{ const REAL f = twice(at.data[at.i[0]]) * at.p[0] / 2; return make_pair(f * v.re, f * v.im); }\n",
        "DEVICE struct pair bend(struct pair v, struct pair mirror, struct access_point at)\n"
        "{ const REAL f = -at.data[at.i[0]] * at.p[0]; return make_pair(f * v.re, f * v.im); }\n"};
    argand_array *x = new_array(ARGAND_C32, 1, (int64_t[]){N}), *y = new_array(ARGAND_C32, 1, (int64_t[]){N}),
                 *table = new_array(ARGAND_R32, 1, (int64_t[]){N});
    randomise(x, 1, 0, 0);
    randomise(table, 2, 0, 0);
    for (int i = 0; i < 2; i++) {
        exact *truth = exact_of(x), *f = exact_of(table);
        argand_fft_options o = with_text(sources[i], "bend");
        o.access.load[0].array = table;
        o.access.load[0].parameters[0] = 0.5;
        for (int k = 0; k < N; k++) truth[k] *= f[k] * (i ? -1.25L : 1.25L);
        direct_fft(truth, 1, o.n, 1, -1, false);
        argand_fft *plan = new_plan(&o);
        o.access.load[0].parameters[0] = 1.25; /* parameters are those of the call */
        OK(argand_fft_apply_access(plan, y, x, ARGAND_FORWARD, &o.access));
        CHECK_BELOW(distance(y, truth, 1), 4 * fft_tolerance(ARGAND_C32, N));
        argand_fft_destroy(plan);
        free(truth);
        free(f);
    }
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_array_destroy(table);
}

static void names(void **state)
{
    (void)state;
    argand_fft *plan;
    argand_fft_options o = with_text(broken, "not a name");
    FAILS(argand_fft_create(&plan, device, &o), ARGAND_ARGUMENT, "name of the function");
    o = with_text(broken, "2bend");
    FAILS(argand_fft_create(&plan, device, &o), ARGAND_ARGUMENT, "name of the function");
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(an_error_has_its_own_line),
                                          cmocka_unit_test(texts), cmocka_unit_test(names)};
RUN_TESTS(tests)
