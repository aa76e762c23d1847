/* SPDX-License-Identifier: BSD-3-Clause */
/* Accessors inside the passes of our kernels: by MEASURE, by wisdom, and by the tuning that only they
 * have. */
#include "fused.h"
#include "device/source.h"

#include <unistd.h>

static const char *taken_variant(const argand_fft_options *o, const char *reason)
{
    static char parameters[160];
    argand_fft_candidate c;
    argand_fft *plan = new_plan(o);
    check_engine(plan, "fused", reason);
    for (int i = 0; i < argand_fft_candidate_count(plan); i++) {
        OK(argand_fft_candidate_describe(plan, i, &c));
        if (strstr(c.reason, "left out")) fail_msg("%s: %s", c.variant, c.reason);
        if (c.taken) snprintf(parameters, sizeof parameters, "%s", c.variant);
    }
    argand_fft_destroy(plan);
    return parameters;
}

/* Tunings are compared with the accessors in place, whatever they are; results are those of the sums. */
static void compared(void **state)
{
    (void)state;
    enum { N = 12, M = 10, B = 2 };
    if (is_host()) return;
    setenv("ARGAND_FFT_TUNING", "threads 128;threads 64;points_per_thread 10", 1);
    const int64_t dims[3] = {N, M, B};
    argand_array *map = random_array(ARGAND_C32, 2, dims, 5), *in = random_array(ARGAND_C32, 3, dims, 6),
                 *out = new_array(ARGAND_C32, 3, dims);
    argand_fft_options o = {.type = ARGAND_C32,
                            .rank = 2,
                            .n = {N, M},
                            .batch = B,
                            .effort = ARGAND_MEASURE,
                            .scale = ARGAND_SCALE_UNITARY};
    o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = map};
    o.access.store[0] = o.access.load[0];
    taken_variant(&o, "measured as the fastest");
    CHECK_BELOW(access_error(&o, out, in, ARGAND_FORWARD), tolerance(ARGAND_C32, N * M));
    o.access.store[0].kind = ARGAND_ACCESS_NONE;
    o.access.load[0].array = NULL; /* given with each call */
    taken_variant(&o, "measured as the fastest");
    o.access.spectrum[0] = o.access.load[0];
    taken_variant(&o, "measured as the fastest");
    o.access.spectrum[0].kind = o.access.load[0].kind = ARGAND_ACCESS_NONE;
    o.input = (argand_fft_layout){.type = ARGAND_U8, .window = {{7, 2, ARGAND_BORDER_WRAP}}};
    o.output.type = ARGAND_C16;
    taken_variant(&o, "measured as the fastest");
    o.output.type = ARGAND_CB16;
    o.input.type = ARGAND_C16;
    taken_variant(&o, "measured as the fastest");
    argand_fft_options real = {
        .type = ARGAND_R32, .rank = 2, .n = {N, M}, .batch = B, .effort = ARGAND_MEASURE};
    real.access.load[0].kind = ARGAND_ACCESS_MULTIPLY;
    real.access.store[0].kind = ARGAND_ACCESS_MULTIPLY;
    taken_variant(&real, "measured as the fastest");
    unsetenv("ARGAND_FFT_TUNING");
    argand_array_destroy(map);
    argand_array_destroy(in);
    argand_array_destroy(out);
}

/* What wisdom knows of these accessors, of the plain plan, and of nothing. */
static void by_wisdom(void **state)
{
    (void)state;
    if (is_host()) return;
    char chars[400];
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    argand_fft_options o = {.type = ARGAND_C32, .rank = 1, .n = {96}, .batch = 4};
    o.access.load[0].kind = ARGAND_ACCESS_MULTIPLY;
    argand_fft_wisdom_forget();
    snprintf(chars, sizeof chars, "argand wisdom 1\ndevice\t%s\nc32 96 batch 2\tnative\tthreads 64\t1e-6\n",
             info.name);
    OK(argand_fft_wisdom_import(chars));
    assert_string_equal(taken_variant(&o, "with the tuning of similar plans"), "threads 64");
    snprintf(
        chars, sizeof chars,
        "argand wisdom 1\ndevice\t%s\nc32 96 batch 8 access load array\tfused\tpoints_per_thread 10\t1e-6\n",
        info.name);
    OK(argand_fft_wisdom_import(chars));
    assert_string_equal(taken_variant(&o, "similar size"), "points_per_thread 10");
    o.access.store[0].kind = ARGAND_ACCESS_MULTIPLY;
    assert_string_equal(taken_variant(&o, "with the tuning of similar plans"), "threads 64");
    o.input.window[0].count = 40; /* padded: other passes than the plain plan's */
    assert_string_not_equal(taken_variant(&o, "the first engine that supports these accessors"),
                            "threads 64");
    argand_fft_wisdom_forget();
}

/* Tuning that this build does not know, of these accessors, of any text, of the plain plan: as if there were
 * none. */
static void parameters_of_other_builds(void **state)
{
    (void)state;
    static const char twice[] =
        "DEVICE struct pair twice(struct pair v, struct pair m, struct access_point at)\n"
        "{\n    return make_pair(2 * v.re, 2 * v.im);\n}\n";
    char hash[SOURCE_OWN_NAME], named[64];
    if (is_host()) return;
    OK(source_own_keep(hash, twice));
    snprintf(named, sizeof named, "access load own:%.16s", hash);
    const char *const keys[] = {"access load own", named, ""};
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    argand_fft_options o = {.type = ARGAND_C32, .rank = 1, .n = {80}, .batch = 4};
    o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_CALL, .source = twice, .name = "twice"};
    char usual[96];
    argand_fft_wisdom_forget();
    snprintf(usual, sizeof usual, "%s", taken_variant(&o, "taken"));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char name[] = "/tmp/argand-wisdom-XXXXXX";
        FILE *file = fdopen(mkstemp(name), "w");
        assert_non_null(file);
        fprintf(file, "argand wisdom 1\ndevice\t%s\nc32 80 batch 4%s%s\t%s\tflux 7\t1e-6\n", info.name,
                *keys[i] ? " " : "", keys[i], *keys[i] ? "fused" : "native");
        fclose(file);
        setenv("ARGAND_WISDOM", name, 1); /* a text that is imported leaves such entries out */
        argand_fft_wisdom_forget();
        assert_string_equal(taken_variant(&o, "taken"), usual);
        setenv("ARGAND_WISDOM", "off", 1);
        unlink(name);
    }
    source_own_release(hash);
    argand_fft_wisdom_forget();
}

static void check_parameters(const argand_fft_options *o, argand_direction direction, const char *parameters,
                             const char *said)
{
    char chars[1024];
    int64_t dims[ARGAND_MAX_RANK];
    double points = 1;
    layout_dims(dims, o, &o->input);
    for (int d = 0; d < o->rank; d++) points *= (double)o->n[d];
    argand_array *in = random_array(ARGAND_C32, o->rank + 1, dims, 3),
                 *out = new_array(ARGAND_C32, o->rank + 1, dims);
    exact *expected = access_reference(o, out, in, direction);
    setenv("ARGAND_FFT_TUNING", parameters, 1);
    argand_fft *plan = new_plan(o);
    unsetenv("ARGAND_FFT_TUNING");
    check_engine(plan, "fused", "taken");
    argand_fft_print(plan, chars, sizeof chars);
    if (!strstr(chars, said)) fail_msg("%s: %s", parameters, chars);
    OK(argand_fft_apply(plan, out, in, direction));
    CHECK_BELOW(distance(out, expected, 1), tolerance(ARGAND_C32, points));
    argand_fft_destroy(plan);
    free(expected);
    argand_array_destroy(in);
    argand_array_destroy(out);
}

/* A map at load by way of shared memory: one for all transforms, and one for each, at even places and not;
 * planes of two passes, long lines, volumes. And data asked ahead. */
static void parameters_of_accessors(void **state)
{
    (void)state;
    static const struct {
        int rank;
        int64_t n[3], batch;
        const char *parameters, *said;
    } cases[] = {{2, {128, 64}, 4, "shared_factors 1 exchange_mode 2", "factors"},
                 {3, {32, 32, 16}, 2, "shared_factors 1 exchange_mode 2", "factors"},
                 {1, {8192}, 3, "shared_factors 1 exchange_mode 2", "factors"},
                 {1, {64}, 64, "shared_factors 1 exchange_mode 2", "factors"},
                 {2, {80, 72}, 3, "prefetch_access 1 prefetch_distance 1", "threads"}};
    if (is_host()) return;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int own = 0; own < 2; own++) {
            argand_fft_options o = {.type = ARGAND_C32,
                                    .rank = cases[i].rank,
                                    .batch = cases[i].batch,
                                    .scale = ARGAND_SCALE_UNITARY};
            int64_t dims[4] = {1, 1, 1, 1};
            memcpy(o.n, cases[i].n, sizeof cases[i].n);
            memcpy(dims, cases[i].n, (size_t)o.rank * sizeof *dims);
            if (own) dims[o.rank] = o.batch;
            argand_array *map = random_array(ARGAND_C32, o.rank + 1, dims, 31);
            o.access.load[0] =
                (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = map, .conjugate = own && i % 2};
            check_parameters(&o, (i + (size_t)own) % 2 ? ARGAND_INVERSE : ARGAND_FORWARD, cases[i].parameters,
                             cases[i].said);
            argand_array_destroy(map);
        }
}

/* Which begins between two units of 16 bytes is not copied by such. */
static void maps_between_units(void **state)
{
    (void)state;
    if (is_host()) return;
    enum { D0 = 128, D1 = 64 };
    argand_fft_options o = {.type = ARGAND_C32, .rank = 2, .n = {D0, D1}, .batch = 2};
    const int64_t count = D0 * D1 + 1, dims[] = {D0, D1}, strides[] = {1, D0};
    argand_array *all = random_array(ARGAND_C32, 1, &count, 31), *map;
    for (int64_t first = 0; first < 2; first++) {
        char chars[1024];
        OK(argand_array_view(&map, all, 2, dims, strides, first));
        o.access.load[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = map};
        check_parameters(&o, ARGAND_FORWARD, "shared_factors 1 exchange_mode 2",
                         first ? "threads" : "factors");
        setenv("ARGAND_FFT_TUNING", "shared_factors 1 exchange_mode 2", 1);
        argand_fft *plan = new_plan(&o);
        unsetenv("ARGAND_FFT_TUNING");
        argand_fft_print(plan, chars, sizeof chars);
        assert_int_equal(!strstr(chars, "factors"), first);
        argand_fft_destroy(plan);
        argand_array_destroy(map);
    }
    argand_array_destroy(all);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(parameters_of_accessors, set_up),
    cmocka_unit_test_setup(maps_between_units, set_up),
    cmocka_unit_test_setup(compared, set_up),
    cmocka_unit_test_setup(by_wisdom, set_up),
    cmocka_unit_test_setup(parameters_of_other_builds, set_up),
};
RUN_TESTS(tests)
