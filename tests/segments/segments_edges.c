/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields and times at the edges: constant, single, far from 0, masked, in any order; and what is refused. */
#include "segments.h"

static const double two_pi = 6.283185307179586;

/* Uniform in middle +- range Hz; times even from `start` on. */
static field_case simple(int64_t pixels, int64_t samples, double middle, double range, double start,
                         double readout)
{
    field_case c = new_case(pixels, samples, false, false);
    random_state state = {11};
    for (int64_t n = 0; n < pixels; n++)
        c.w[n] = two_pi * (middle + range * (2 * random_uniform(&state) - 1));
    for (int64_t j = 0; j < samples; j++) c.t[j] = start + readout * (double)j / (double)samples;
    return c;
}

static argand_segments_info solved(field_case *c, argand_segments_options options, double limit)
{
    argand_segments *s;
    argand_segments_info info;
    OK(create(&s, c, options));
    argand_segments_describe(s, &info);
    CHECK_BELOW(true_error(s, c).rms, limit);
    argand_segments_destroy(s);
    free_case(c);
    return info;
}

/* One exponential is exact, whoever asks for how many. */
static void one_term(void **state)
{
    (void)state;
    for (int kind = ARGAND_INTERPOLATE_AUTO; kind <= ARGAND_INTERPOLATE_SVD; kind++)
        for (int frequency = 0; frequency < 2; frequency++)
            for (int count = 0; count < 7; count += 6) {
                const argand_segments_options o = {.type = ARGAND_C64,
                                                   .interpolator = (argand_interpolator)kind,
                                                   .frequency = frequency,
                                                   .count = count};
                field_case cases[] = {simple(50, 40, 80, 0, 0.03, 0.02),   /* constant */
                                      simple(50, 40, 0, 0, 0.03, 0.02),    /* zero */
                                      simple(50, 40, 20, 100, 0.03, 0),    /* one time */
                                      simple(50, 1, 20, 100, 0.03, 0.02),  /* one sample */
                                      simple(1, 40, 20, 100, 0.03, 0.02)}; /* one pixel */
                for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
                    const argand_segments_info info = solved(&cases[i], o, 1e-13);
                    assert_int_equal(info.terms, 1);
                    assert_int_equal(info.optimum, 1);
                    CHECK_BELOW(info.error, 1e-13);
                    CHECK_BELOW(info.largest, 1e-12);
                    assert_int_equal(info.interpolator, kind ? kind : ARGAND_INTERPOLATE_MINMAX);
                }
            }
}

/* A long echo time and a large mean cost no term: the errors are those of the same ranges about 0. */
static void only_ranges_matter(void **state)
{
    (void)state;
    for (int kind = ARGAND_INTERPOLATE_LINEAR; kind <= ARGAND_INTERPOLATE_SVD; kind++)
        for (int frequency = 0; frequency < 2; frequency++) {
            const argand_segments_options o = {.type = ARGAND_C64,
                                               .interpolator = (argand_interpolator)kind,
                                               .frequency = frequency,
                                               .count = 9};
            field_case near = simple(300, 100, 0, 90, 0, 0.02), far = simple(300, 100, 3000, 90, 0.3, 0.02);
            const double error = solved(&near, o, 1).error, other = solved(&far, o, 1).error;
            CHECK_BELOW(fabs(error / other - 1),
                        1e-3); /* the random field about 3000 Hz is rounded elsewhere */
        }
}

/* The last node is there: linear and Hann are exact at the first and at the last sample, where the ancestor's
 * weights fell to 0, and between nodes their weights add up to one for a constant. */
static void last_node(void **state)
{
    (void)state;
    for (int kind = ARGAND_INTERPOLATE_LINEAR; kind <= ARGAND_INTERPOLATE_HANN; kind++)
        for (int count = 1; count < 8; count++) {
            field_case c = simple(70, 53, 10, 100, 0.01, 0.02);
            argand_segments *s;
            OK(create(&s, &c,
                      (argand_segments_options){
                          .type = ARGAND_C64, .interpolator = (argand_interpolator)kind, .count = count}));
            double *a = as_doubles(argand_segments_time(s)), *b = as_doubles(argand_segments_space(s));
            for (int j = 0; j < 53; j += 52)
                for (int n = 0; n < 70; n++) {
                    double complex sum = -cexp(-I * c.w[n] * c.t[j]);
                    for (int l = 0; l <= count; l++) {
                        const double *at = a + 2 * (l * 53 + j), *bt = b + 2 * (l * 70 + n);
                        sum += CMPLX(at[0], at[1]) * CMPLX(bt[0], bt[1]);
                    }
                    CHECK_BELOW(cabs(sum), 1e-12);
                }
            for (int j = 0; j < 53; j++) {
                double sum = 0;
                for (int l = 0; l <= count; l++) sum += hypot(a[2 * (l * 53 + j)], a[2 * (l * 53 + j) + 1]);
                CHECK_BELOW(fabs(sum - 1), 1e-12);
            }
            free(a);
            free(b);
            free_case(&c);
            argand_segments_destroy(s);
        }
}

static void decay_alone(void **state)
{
    (void)state;
    for (int is_double = 0; is_double < 2; is_double++) {
        field_case c = simple(200, 100, 0, 0, 0.005, 0.05);
        c.decay = calloc(200, sizeof *c.decay);
        for (int n = 0; n < 200; n++) c.decay[n] = 5 + n;
        const argand_segments_info info = solved(
            &c, (argand_segments_options){.type = is_double ? ARGAND_C64 : ARGAND_C32, .tolerance = 1e-4},
            1e-4);
        assert_true(info.terms <= info.optimum + 1 && info.optimum <= 7 && info.cycles == 0);
    }
}

/* Many turns; and a mask that leaves few: what is outside may be anything, and b is 0 there. */
static void many_turns_and_mask(void **state)
{
    (void)state;
    field_case wide = simple(400, 500, 0, 500, 0.01, 0.05), masked = simple(400, 500, 0, 500, 0.01, 0.05);
    const argand_segments_options o = {.type = ARGAND_C64, .tolerance = 1e-6};
    const argand_segments_info all = solved(&wide, o, 1e-6);
    assert_true(all.terms > 50 && all.terms <= 50 + 20);
    CHECK_BELOW(fabs(all.cycles - 50), 0.5);
    masked.mask = calloc(400, sizeof *masked.mask);
    for (int n = 0; n < 400; n++) {
        masked.mask[n] = n % 3 == 0;
        masked.w[n] = n % 3 == 0 ? masked.w[n] / 50 : NAN;
    }
    argand_segments *s;
    argand_segments_info info;
    OK(create(&s, &masked, o));
    argand_segments_describe(s, &info);
    assert_int_equal(info.inside, 134);
    CHECK_BELOW(true_error(s, &masked).rms, 1e-6);
    double *b = as_doubles(argand_segments_space(s));
    for (int n = 0; n < 400; n++)
        for (int l = 0; n % 3 != 0 && l < info.terms; l++)
            assert_true(b[2 * (l * 400 + n)] == 0 && b[2 * (l * 400 + n) + 1] == 0);
    assert_true(info.terms < 9);
    free(b);
    free_case(&masked);
    argand_segments_destroy(s);
}

/* Shots one after the other with times of their own, shuffled: each sample has the a of its time, to the bit.
 */
static void any_order(void **state)
{
    (void)state;
    enum { COUNT = 90 };
    field_case c = simple(300, COUNT, 30, 100, 0.02, 0.02),
               shuffled = simple(300, COUNT, 30, 100, 0.02, 0.02);
    for (int j = 0; j < COUNT; j++) c.t[j] = 0.02 + 0.0007 * (j % 30) + (j / 30 == 2 ? 0.0002 : 0);
    for (int j = 0; j < COUNT; j++) shuffled.t[j] = c.t[j * 37 % COUNT];
    argand_segments *s[2];
    OK(create(&s[0], &c, (argand_segments_options){.type = ARGAND_C32}));
    OK(create(&s[1], &shuffled, (argand_segments_options){.type = ARGAND_C32}));
    double *a = as_doubles(argand_segments_time(s[0])), *other = as_doubles(argand_segments_time(s[1]));
    const int64_t terms = argand_array_dim(argand_segments_time(s[0]), 1);
    assert_int_equal(terms, argand_array_dim(argand_segments_time(s[1]), 1));
    for (int l = 0; l < terms; l++)
        for (int j = 0; j < COUNT; j++) {
            const double *from = a + 2 * (l * COUNT + j * 37 % COUNT), *to = other + 2 * (l * COUNT + j);
            assert_true(from[0] == to[0] && from[1] == to[1]);
            const double *again = a + 2 * (l * COUNT + j % 30); /* shots 0 and 1 have the same times */
            if (j < 60) assert_true(again[0] == a[2 * (l * COUNT + j)]);
        }
    CHECK_BELOW(true_error(s[1], &shuffled).rms, 1e-3);
    free(a);
    free(other);
    free_case(&c);
    free_case(&shuffled);
    argand_segments_destroy(s[0]);
    argand_segments_destroy(s[1]);
}

static void threads(void **state)
{
    (void)state;
    double *numbers[2][2];
    argand_segments_info info[2];
    for (int i = 0; i < 2; i++) {
        field_case c = simple(3001, 700, 30, 100, 0.02, 0.02);
        c.decay = calloc(3001, sizeof *c.decay);
        for (int n = 0; n < 3001; n++) c.decay[n] = 20 + n % 31;
        argand_segments *s;
        setenv("OMP_NUM_THREADS", i ? "3" : "1", 1);
        OK(create(&s, &c, (argand_segments_options){.type = ARGAND_C32}));
        argand_segments_describe(s, &info[i]);
        numbers[i][0] = as_doubles(argand_segments_time(s));
        numbers[i][1] = as_doubles(argand_segments_space(s));
        argand_segments_destroy(s);
        free_case(&c);
    }
    unsetenv("OMP_NUM_THREADS");
    const size_t terms = (size_t)info[0].terms;
    assert_memory_equal(&info[0], &info[1], sizeof info[0]);
    assert_memory_equal(numbers[0][0], numbers[1][0], 2 * terms * 700 * sizeof(double));
    assert_memory_equal(numbers[0][1], numbers[1][1], 2 * terms * 3001 * sizeof(double));
    for (int i = 0; i < 4; i++) free(numbers[i / 2][i % 2]);
}

#define REFUSED(change, status, message)                   \
    do {                                                   \
        field_case c = simple(50, 40, 0, 100, 0.01, 0.02); \
        argand_segments_options o = {.type = ARGAND_C32};  \
        argand_segments *none = (argand_segments *)&c;     \
        change;                                            \
        FAILS(create(&none, &c, o), status, message);      \
        assert_null(none);                                 \
        free_case(&c);                                     \
    } while (0)

static void refuses(void **state)
{
    (void)state;
    argand_segments *s;
    REFUSED(o.type = ARGAND_R32, ARGAND_ARGUMENT, "type must be ARGAND_C32 or ARGAND_C64");
    REFUSED(o.interpolator = (argand_interpolator)9, ARGAND_ARGUMENT, "no interpolator 9");
    REFUSED(o.count = -1, ARGAND_ARGUMENT, "a count of -1");
    REFUSED(o.count = 256, ARGAND_ARGUMENT, "1 to 255");
    REFUSED(o.tolerance = 1e-7, ARGAND_ARGUMENT, "from 1e-06");
    REFUSED(o.tolerance = 1, ARGAND_ARGUMENT, "a tolerance of 1");
    REFUSED(o.tolerance = NAN, ARGAND_ARGUMENT, "a tolerance of nan");
    REFUSED(c.w[7] = NAN, ARGAND_NUMERIC, "field map of pixel 7 is nan");
    REFUSED(c.t[3] = INFINITY, ARGAND_NUMERIC, "t of sample 3 is inf");
    REFUSED((c.mask = calloc(50, 8)), ARGAND_ARGUMENT, "the mask is 0 everywhere");
    REFUSED(c.w[1] = 1e9, ARGAND_ARGUMENT, "are the units right");
    REFUSED(c.w[1] = 1e5, ARGAND_UNSUPPORTED, "use the exact DFT");
    REFUSED((c.decay = calloc(50, 8), c.decay[0] = -5000), ARGAND_ARGUMENT, "is a sign wrong");
    REFUSED((o.interpolator = ARGAND_INTERPOLATE_LINEAR, o.tolerance = 1e-6), ARGAND_UNSUPPORTED,
            "linear interpolation in time does not reach an error of 1e-06 with 256 terms");
    REFUSED((o.interpolator = ARGAND_INTERPOLATE_HANN, o.frequency = true, o.tolerance = 1e-3,
             c.decay = calloc(50, 8), c.decay[0] = 90),
            ARGAND_UNSUPPORTED, "time segments, which hold R2*");
    FAILS(argand_segments_create(&s, device, NULL), ARGAND_ARGUMENT, "no options");
    FAILS(argand_segments_create(NULL, device, NULL), ARGAND_ARGUMENT, "no place");
    FAILS(argand_segments_create(&s, NULL, NULL), ARGAND_ARGUMENT, "no device");
}

static void refuses_arrays(void **state)
{
    (void)state;
    argand_segments *s;
    double numbers[20] = {0};
    argand_array *t = reals(ARGAND_R64, 20, numbers), *w = reals(ARGAND_R32, 12, numbers), *complex_map;
    OK(argand_array_create(&complex_map, device, ARGAND_C32, 1, (const int64_t[1]){12}));
    argand_segments_options o = {.type = ARGAND_C32, .field_map = w};
    FAILS(argand_segments_create(&s, device, &o), ARGAND_ARGUMENT, "t is missing");
    o = (argand_segments_options){.type = ARGAND_C32, .t = t};
    FAILS(argand_segments_create(&s, device, &o), ARGAND_ARGUMENT, "neither a field map nor R2*");
    o = (argand_segments_options){.type = ARGAND_C32, .t = t, .field_map = w, .r2star = t};
    FAILS(argand_segments_create(&s, device, &o), ARGAND_ARGUMENT,
          "R2* has 20 pixels, but the field map has 12");
    o = (argand_segments_options){.type = ARGAND_C32, .t = t, .r2star = w, .mask = t};
    FAILS(argand_segments_create(&s, device, &o), ARGAND_ARGUMENT, "the mask has 20 pixels, but R2* has 12");
    o = (argand_segments_options){.type = ARGAND_C32, .t = t, .field_map = complex_map};
    FAILS(argand_segments_create(&s, device, &o), ARGAND_ARGUMENT, "it must be a real array");
    argand_array_destroy(t);
    argand_array_destroy(w);
    argand_array_destroy(complex_map);
}

/* Allocation n fails, for n = 1, 2, ... until the whole works. */
static void out_of_memory(void **state)
{
    (void)state;
    for (int kind = ARGAND_INTERPOLATE_AUTO; kind <= ARGAND_INTERPOLATE_SVD; kind++) {
        int failures = 0;
        for (long n = 1; n < 2000; n++) {
            field_case c = simple(60, 30, 0, 100, 0.01, 0.02);
            argand_segments *s = NULL;
            argand_test_fail_allocation(0);
            c.mask = calloc(60, sizeof *c.mask);
            for (int i = 0; i < 60; i++) c.mask[i] = 1;
            argand_array *t = reals(ARGAND_R32, 30, c.t), *w = reals(ARGAND_R32, 60, c.w),
                         *mask = reals(ARGAND_R32, 60, c.mask);
            argand_test_fail_allocation(n);
            const argand_status status =
                argand_segments_create(&s, device,
                                       &(argand_segments_options){.type = ARGAND_C32,
                                                                  .interpolator = (argand_interpolator)kind,
                                                                  .tolerance = 1e-2,
                                                                  .t = t,
                                                                  .field_map = w,
                                                                  .mask = mask});
            argand_test_fail_allocation(0);
            argand_segments_destroy(s);
            argand_array_destroy(t);
            argand_array_destroy(w);
            argand_array_destroy(mask);
            free_case(&c);
            if (!status) break;
            assert_int_equal(status, ARGAND_MEMORY);
            assert_null(s);
            failures++;
        }
        assert_in_range(failures, 15, 1500);
    }
}

static void message(void **state)
{
    (void)state;
    field_case c = simple(60, 30, 0, 100, 0.01, 0.02);
    argand_segments *s;
    argand_segments_info info;
    char text[100], start[100];
    OK(create(&s, &c, (argand_segments_options){.type = ARGAND_C32}));
    argand_segments_describe(s, &info);
    argand_segments_print(s, text, sizeof text);
    snprintf(start, sizeof start, "(segments %d %s", info.terms,
             info.interpolator == ARGAND_INTERPOLATE_SVD ? "by SVD, error " : "of time by min-max, error ");
    assert_int_equal(strncmp(text, start, strlen(start)), 0);
    assert_string_equal(argand_interpolator_name(ARGAND_INTERPOLATE_HANN), "Hann");
    assert_string_equal(argand_interpolator_name((argand_interpolator)7), "unknown");
    assert_int_equal(info.bytes, (60 + 30) * info.terms * 8);
    assert_true(info.tolerance == 1e-3);
    argand_segments_describe(NULL, &info);
    argand_segments_print(NULL, text, sizeof text);
    assert_true(info.terms == 0 && !*text);
    argand_segments_destroy(NULL);
    argand_segments_destroy(s);
    free_case(&c);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(one_term),
                                          cmocka_unit_test(only_ranges_matter),
                                          cmocka_unit_test(last_node),
                                          cmocka_unit_test(decay_alone),
                                          cmocka_unit_test(many_turns_and_mask),
                                          cmocka_unit_test(any_order),
                                          cmocka_unit_test(threads),
                                          cmocka_unit_test(refuses),
                                          cmocka_unit_test(refuses_arrays),
                                          cmocka_unit_test(out_of_memory),
                                          cmocka_unit_test(message)};
RUN_TESTS(tests)
