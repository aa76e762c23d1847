/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts of the user's own: their errors have their own lines and change nothing; helpers, parameters and
 * arrays reach them; on the cpu, which takes functions, a text alone is refused. On "offline:h200" too, where
 * texts compile and nothing is computed. */
#include "access_reference.h"

enum { N = 8 };

static argand_device_info info(void)
{
    argand_device_info found;
    OK(argand_device_describe(device, &found));
    return found;
}

static int is_host(void)
{
    return info().host_addressable;
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

#define HEAD "DEVICE struct pair bend(struct pair v, struct pair mirror, struct access_point at)\n"

/* What compilers would report elsewhere, or not at all, is said with the accessor and the text's own line. */
static void far_errors_have_their_lines(void **state)
{
    (void)state;
    static const struct {
        const char *source, *message;
    } cases[] = {
        {HEAD "{ if (v.re > 0) { return v;\n return mirror; }\n", "the { of line 2 is not closed"},
        {HEAD "{ return make_pair(v.re, v.im; }\n", "line 2: } closes the ( of line 2"},
        {HEAD "{ return v; }\n}\n", "line 3: } closes nothing"},
        {"/* no end\n" HEAD "{ return v; }\n", "the comment of line 1 has no end"},
        {"", "has no function bend"},
        {"/* bend */ DEVICE struct pair bends(struct pair v, struct pair m, struct access_point at)\n{ "
         "return v; }",
         "has no function bend"},
        {"\nDEVICE struct pair bend(struct pair v)\n{ return v; }\n", "access.store[1] bend"},
        {"\nDEVICE REAL bend(struct pair v, struct pair mirror, struct access_point at)\n{ return v.re; }\n",
         "access.store[1] bend"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases && !is_host(); i++) {
        argand_fft *plan = NULL;
        argand_fft_options o = {.type = ARGAND_C32, .rank = 1, .n = {N}};
        o.access.store[0] = (argand_accessor){.kind = ARGAND_ACCESS_SCALE, .scalar = {2, 0}};
        o.access.store[1] =
            (argand_accessor){.kind = ARGAND_ACCESS_CALL, .source = cases[i].source, .name = "bend"};
        FAILS(argand_fft_create(&plan, device, &o), ARGAND_BUILD, cases[i].message);
        if (!strstr(argand_message(), "access.store[1]") || strstr(argand_message(), "access/chain.h"))
            fail_msg("case %d: %s", (int)i, argand_message());
    }
}

/* Brackets that are none, and functions in other dress. */
static void what_is_right_is_taken(void **state)
{
    (void)state;
    static const char *const sources[] = {
        "/* { ( */ // [ don't\n" HEAD "{ return v; } // }",
        "#ifdef NEVER\n" HEAD "{ {\n#else\n" HEAD "{\n#endif\n return v; }\n",
        "#define bend(v, mirror, at) (v)\n",
        "#  ifdef NEVER\n" HEAD "{ {\n#\telse\n" HEAD "{\n#endif\n return v; }\n",
        "#define NAME(x) x##end\nDEVICE struct pair NAME(b)(struct pair v, struct "
        "pair m, struct access_point at)\n{ return v; }\n"};
    for (size_t i = 0; i < sizeof sources / sizeof *sources && !is_host(); i++) {
        argand_fft_options o = with_text(sources[i], "bend");
        o.access.store[0] = o.access.load[0]; /* the same twice */
        argand_fft_destroy(new_plan(&o));
    }
    if (is_host()) return;
    const char both[] = HEAD "{ return v; }\n" /* two functions of one text */
                             "DEVICE struct pair back(struct pair v, struct pair m, struct access_point at)\n"
                             "{ return make_pair(v.im, v.re); }\n";
    argand_fft_options o = with_text(both, "bend");
    o.access.load[1] = o.access.load[0];
    o.access.load[1].name = "back";
    argand_fft_destroy(new_plan(&o));
}

/* A helper, a parameter, a table by index: v = table[i] p0 v; after a text that failed, and again with
 * another one of the same name. */
static void texts(void **state)
{
    (void)state;
    if (is_host() || info().is_absent) return;
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
        exact *expected = exact_of(x), *f = exact_of(table);
        argand_fft_options o = with_text(sources[i], "bend");
        o.access.load[0].array = table;
        o.access.load[0].parameters[0] = 0.5;
        for (int k = 0; k < N; k++) expected[k] *= f[k] * (i ? -1.25L : 1.25L);
        direct_fft(expected, 1, o.n, 1, -1, false);
        argand_fft *plan = new_plan(&o);
        o.access.load[0].parameters[0] = 1.25; /* parameters are those of the call */
        OK(argand_fft_apply_access(plan, y, x, ARGAND_FORWARD, &o.access));
        CHECK_BELOW(distance(y, expected, 1), 4 * fft_tolerance(ARGAND_C32, N));
        argand_fft_destroy(plan);
        free(expected);
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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_error_has_its_own_line), cmocka_unit_test(far_errors_have_their_lines),
    cmocka_unit_test(what_is_right_is_taken), cmocka_unit_test(texts), cmocka_unit_test(names)};
RUN_TESTS(tests)
