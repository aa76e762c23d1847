/* SPDX-License-Identifier: BSD-3-Clause */
/* Where transforms read and write: strided views, given axes, canaries between elements, misaligned memory,
 * folded batches, other numbers of threads, several threads with one plan. */
#include "fft/direct.h"
#include <pthread.h>

static const double canary = -77.25;

/* n x m transforms with odd strides between elements of arrays that hold more: the results, and nothing else,
 * change. */
static void given_axes(void **state)
{
    (void)state;
    enum { NX = 6, NY = 5, B = 3, IN = 700, OUT = 900 };
    const argand_axis x = {NX, 3, 2}, y = {NY, 20, 60}, b = {B, 120, 13};
    for (int t = 0; t < 2; t++)
        for (int centred = 0; centred < 2; centred++) {
            const argand_type type = t ? ARGAND_C64 : ARGAND_C32;
            argand_fft *plan = new_plan(&(argand_fft_options){.type = type,
                                                              .rank = 2,
                                                              .centred = centred,
                                                              .axes_given = true,
                                                              .axes = {x, y},
                                                              .loops = 1,
                                                              .loop = {b}});
            argand_array *in = new_array(type, 1, (int64_t[]){IN}),
                         *out = new_array(type, 1, (int64_t[]){OUT});
            randomise(in, 4, 0, 0);
            OK(argand_array_fill(out, (argand_scalar){canary, canary}));
            exact *all = exact_of(in), expected[NX * NY * B];
            for (int i = 0; i < NX * NY * B; i++)
                expected[i] =
                    all[i % NX * x.in_stride + i / NX % NY * y.in_stride + i / NX / NY * b.in_stride];
            direct_fft(expected, 2, (int64_t[]){NX, NY}, B, -1, centred);
            OK(argand_fft_apply(plan, out, in, ARGAND_FORWARD));
            exact *result = exact_of(out);
            long double worst = 0;
            for (int i = 0; i < NX * NY * B; i++) {
                exact *at =
                    &result[i % NX * x.out_stride + i / NX % NY * y.out_stride + i / NX / NY * b.out_stride];
                worst = fmaxl(worst, cabsl(*at - expected[i]));
                *at = canary * (1 + I);
            }
            CHECK_BELOW((double)worst,
                        30 * fft_tolerance(type, 30)); /* elements of the spectrum are about sqrt(30) */
            for (int i = 0; i < OUT; i++) assert_true(result[i] == canary * (1 + I));
            free(all);
            free(result);
            argand_array_destroy(in);
            argand_array_destroy(out);
            argand_fft_destroy(plan);
        }
}

/* Columns that are more than 4096 bytes from point to point, a number of them that fills no block: on the CPU
 * they go by slabs (pass.c). What lies between them does not change. */
static void far_columns(void **state)
{
    (void)state;
    enum { N = 45, COLUMNS = 531, ROW = 600 };
    for (int t = 0; t < 2; t++)
        for (int centred = 0; centred < 2; centred++) {
            const argand_type type = t ? ARGAND_C64 : ARGAND_C32;
            argand_fft *plan = new_plan(&(argand_fft_options){.type = type,
                                                              .rank = 1,
                                                              .centred = centred,
                                                              .axes_given = true,
                                                              .axes = {{N, ROW, ROW}},
                                                              .loops = 1,
                                                              .loop = {{COLUMNS, 1, 1}}});
            argand_array *in = new_array(type, 1, (int64_t[]){ROW * N}),
                         *out = new_array(type, 1, (int64_t[]){ROW * N});
            randomise(in, 4, 0, 0);
            OK(argand_array_fill(out, (argand_scalar){canary, canary}));
            exact *expected = exact_of(in);
            for (int i = 0; i < COLUMNS; i++) direct_line(expected + i, N, ROW, 1, centred);
            for (int i = 0; i < N * ROW; i++)
                if (i % ROW >= COLUMNS) expected[i] = canary * (1 + I);
            OK(argand_fft_apply(plan, out, in, ARGAND_INVERSE));
            CHECK_BELOW(distance(out, expected, 1), fft_tolerance(type, N));
            exact *result = exact_of(out);
            for (int i = 0; i < N * ROW; i++) assert_true(i % ROW < COLUMNS || result[i] == canary * (1 + I));
            OK(argand_fft_apply(plan, in, in, ARGAND_INVERSE));
            exact *again = exact_of(in);
            for (int i = 0; i < N * ROW; i++) assert_true(i % ROW >= COLUMNS || again[i] == result[i]);
            free(again);
            free(result);
            free(expected);
            argand_array_destroy(in);
            argand_array_destroy(out);
            argand_fft_destroy(plan);
        }
}

/* So many lines that they come from memory (line/prefetch.h) are what a few of them at a time are. */
static void many_lines(void **state)
{
    (void)state;
    enum { PARTS = 8 };
    static const argand_type types[] = {ARGAND_C32, ARGAND_C64, ARGAND_R32};
    static const int64_t lengths[] = {2, 15, 45, 64, 74, 512};
    for (int t = 0; t < 3; t++)
        for (int i = 0; i < 6; i++) {
            const int64_t n = lengths[i], part = ((1 << 17) + 1000) / n, half = n / 2 + 1;
            const bool real = types[t] == ARGAND_R32;
            const argand_type spectra = real ? ARGAND_C32 : types[t];
            const int64_t dims[] = {n, PARTS * part}, out_dims[] = {real ? half : n, PARTS * part};
            argand_fft_options options = {.type = types[t], .rank = 1, .n = {n}, .batch = PARTS * part};
            argand_array *in = new_array(types[t], 2, dims), *out = new_array(spectra, 2, out_dims),
                         *few = new_array(spectra, 2, (int64_t[]){out_dims[0], part});
            argand_fft *all = new_plan(&options);
            options.batch = part;
            argand_fft *some = new_plan(&options);
            randomise(in, 4, 0, 0);
            OK(argand_fft_apply(all, out, in, ARGAND_FORWARD));
            for (int j = 0; j < PARTS; j++) {
                argand_array *from, *to;
                OK(argand_array_view(&from, in, 2, (int64_t[]){n, part}, NULL, j * part * n));
                OK(argand_array_view(&to, out, 2, (int64_t[]){out_dims[0], part}, NULL,
                                     j * part * out_dims[0]));
                OK(argand_fft_apply(some, few, from, ARGAND_FORWARD));
                exact *expected = exact_of(few);
                CHECK_BELOW(distance(to, expected, 1), 2 * fft_tolerance(types[t], (double)n));
                free(expected);
                argand_array_destroy(from);
                argand_array_destroy(to);
            }
            argand_array_destroy(in);
            argand_array_destroy(out);
            argand_array_destroy(few);
            argand_fft_destroy(all);
            argand_fft_destroy(some);
        }
}

/* Whether the CPU's plan says so. */
static void check_tiles(const argand_fft *plan, argand_direction direction, bool tiled)
{
    argand_device_info info;
    argand_fft_pass pass;
    bool found = false;
    OK(argand_device_describe(device, &info));
    if (!info.host_addressable) return;
    for (int i = 0; i < argand_fft_pass_count(plan, direction); i++) {
        OK(argand_fft_pass_describe(plan, direction, i, &pass));
        found |= strstr(pass.what, "tile") != NULL;
    }
    if (found != tiled) fail_msg("%s: tiles %d", pass.what, found);
}

/* Transforms of which the CPU does some axes tile by tile (tile.c), planes of a volume or whole ones of a
 * batch, with gaps between transforms: what the definition says, forward and inverse, and nothing else
 * changes. */
static void many_tiles(void **state)
{
    (void)state;
    static const argand_type types[] = {ARGAND_C32, ARGAND_R32, ARGAND_R64};
    static const struct {
        int rank;
        int64_t n[3], batch;
        bool tiled;
    } cases[] = {{2, {12, 10}, 40, true},     {2, {9, 1}, 33, true},      {3, {8, 6, 5}, 17, true},
                 {3, {10, 30, 31}, 1, false}, {3, {64, 48, 40}, 1, true}, {3, {300, 1, 300}, 2, true}};
    for (int t = 0; t < 3; t++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            const bool real = types[t] != ARGAND_C32;
            const int rank = cases[i].rank;
            const argand_type spectra = !real ? types[t] : types[t] == ARGAND_R32 ? ARGAND_C32 : ARGAND_C64;
            argand_fft_options options = {
                .type = types[t], .rank = rank, .batch = cases[i].batch, .centred = !real};
            int64_t dims[4] = {0}, half[4], in_step[4] = {1}, out_step[4] = {1}, points = 1;
            for (int k = 0; k < rank; points *= dims[k++]) half[k] = dims[k] = options.n[k] = cases[i].n[k];
            if (real) half[0] = dims[0] / 2 + 1;
            dims[rank] = half[rank] = cases[i].batch;
            for (int k = 1; k <= rank; k++) {
                in_step[k] = in_step[k - 1] * dims[k - 1] + (k == rank ? 3 : 0);
                out_step[k] = out_step[k - 1] * half[k - 1] + (k == rank ? 5 : 0);
            }
            argand_array *in = new_array(types[t], 1, (int64_t[]){in_step[rank] * dims[rank]}),
                         *out = new_array(spectra, 1, (int64_t[]){out_step[rank] * dims[rank]}), *from, *to;
            OK(argand_array_view(&from, in, rank + 1, dims, in_step, 0));
            OK(argand_array_view(&to, out, rank + 1, half, out_step, 0));
            OK(argand_array_fill(in, (argand_scalar){canary, 0}));
            OK(argand_array_fill(out, (argand_scalar){canary, 0}));
            randomise(from, 4, 0, 0);
            exact *before = exact_of(from), *expected = exact_of(from);
            direct_fft(expected, rank, dims, dims[rank], -1, !real);
            const int64_t rows = points / dims[0] * dims[rank];
            for (int64_t k = 0; real && k < rows; k++)
                memmove(expected + k * half[0], expected + k * dims[0], (size_t)half[0] * sizeof *expected);
            argand_fft *plan = new_plan(&options);
            check_tiles(plan, ARGAND_FORWARD, cases[i].tiled);
            check_tiles(plan, ARGAND_INVERSE, cases[i].tiled);
            OK(argand_fft_apply(plan, to, from, ARGAND_FORWARD));
            CHECK_BELOW(distance(to, expected, 1), fft_tolerance(types[t], (double)points));
            OK(argand_fft_apply(plan, from, to, ARGAND_INVERSE));
            for (int64_t k = 0; k < points * dims[rank]; k++) before[k] *= (long double)points;
            CHECK_BELOW(distance(from, before, 1), 2 * fft_tolerance(types[t], (double)points));
            CHECK_BELOW(distance(to, expected, 1), fft_tolerance(types[t], (double)points)); /* preserved */
            exact *all = exact_of(in), *spectrum = exact_of(out);
            for (int64_t k = 0; k < in_step[rank] * dims[rank]; k++)
                assert_true(k % in_step[rank] < points || all[k] == canary);
            for (int64_t k = 0; k < out_step[rank] * dims[rank]; k++)
                assert_true(k % out_step[rank] < points / dims[0] * half[0] || spectrum[k] == canary);
            exact *const numbers[] = {before, expected, all, spectrum};
            for (int k = 0; k < 4; k++) free(numbers[k]);
            argand_array *const arrays[] = {from, to, in, out};
            for (int k = 0; k < 4; k++) argand_array_destroy(arrays[k]);
            argand_fft_destroy(plan);
        }
}

/* Negative strides, from an element inside the array: a transform of the reversed line. */
static void negative_strides(void **state)
{
    (void)state;
    argand_array *in = new_array(ARGAND_C64, 1, (int64_t[]){8}),
                 *out = new_array(ARGAND_C64, 1, (int64_t[]){8}), *last;
    argand_fft *plan = new_plan(
        &(argand_fft_options){.type = ARGAND_C64, .rank = 1, .axes_given = true, .axes = {{8, -1, 1}}});
    randomise(in, 5, 0, 0);
    OK(argand_array_part(&last, in, 0, 7, 1));
    exact *expected = exact_of(in);
    for (int i = 0; i < 4; i++) {
        const exact t = expected[i];
        expected[i] = expected[7 - i];
        expected[7 - i] = t;
    }
    direct_fft(expected, 1, (int64_t[]){8}, 1, -1, false);
    OK(argand_fft_apply(plan, out, last, ARGAND_FORWARD));
    CHECK_BELOW(distance(out, expected, 1), fft_tolerance(ARGAND_C64, 8));
    FAILS(argand_fft_apply(plan, out, in, ARGAND_FORWARD), ARGAND_ARGUMENT,
          "reach elements -7 to 0 of the input");
    free(expected);
    argand_array_destroy(last);
    argand_array_destroy(in);
    argand_array_destroy(out);
    argand_fft_destroy(plan);
}

/* Real transforms with strides on both sides, forward and back through the same axes. */
static void given_axes_real(void **state)
{
    (void)state;
    enum { N = 9, B = 4 };
    argand_fft *plan = new_plan(&(argand_fft_options){.type = ARGAND_R64,
                                                      .rank = 1,
                                                      .axes_given = true,
                                                      .axes = {{N, 2, 3}},
                                                      .loops = 1,
                                                      .loop = {{B, 30, 20}}});
    argand_array *x = new_array(ARGAND_R64, 1, (int64_t[]){120}),
                 *y = new_array(ARGAND_C64, 1, (int64_t[]){80}),
                 *z = new_array(ARGAND_R64, 1, (int64_t[]){120});
    randomise(x, 6, 0, 0);
    OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
    OK(argand_fft_apply(plan, z, y, ARGAND_INVERSE));
    exact *in = exact_of(x), *half = exact_of(y), *back = exact_of(z);
    for (int b = 0; b < B; b++) {
        exact expected[N];
        for (int i = 0; i < N; i++) expected[i] = in[30 * b + 2 * i];
        direct_fft(expected, 1, (int64_t[]){N}, 1, -1, false);
        for (int k = 0; k < N / 2 + 1; k++)
            CHECK_BELOW((double)cabsl(half[20 * b + 3 * k] - expected[k]), 1e-14);
        for (int i = 0; i < N; i++)
            CHECK_BELOW((double)cabsl(back[30 * b + 2 * i] - N * in[30 * b + 2 * i]), 1e-13);
        assert_true(half[20 * b + 1] == 0 && back[30 * b + 1] == 0 && back[30 * b + 18] == 0);
    }
    free(in);
    free(half);
    free(back);
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_array_destroy(z);
    argand_fft_destroy(plan);
}

/* A plain plan takes views: a part of a larger image, every other coil, one that begins at an odd address. */
static void views(void **state)
{
    (void)state;
    argand_array *big = new_array(ARGAND_C32, 3, (int64_t[]){20, 15, 6}), *part_x, *part_y, *odd, *out,
                 *contiguous = new_array(ARGAND_C32, 3, (int64_t[]){12, 10, 3}), *folded;
    argand_fft *plan = new_plan(
        &(argand_fft_options){.type = ARGAND_C32, .rank = 2, .n = {12, 10}, .batch = 3, .centred = true});
    randomise(big, 7, 0, 0);
    OK(argand_array_part(&part_x, big, 0, 5, 12));
    OK(argand_array_part(&part_y, part_x, 1, 3, 10));
    OK(argand_array_view(&odd, part_y, 3, (int64_t[]){12, 10, 3}, (int64_t[]){1, 20, 600}, 0));
    exact *expected = exact_of(odd), *all = exact_of(big);
    direct_fft(expected, 2, (int64_t[]){12, 10}, 3, 1, true);
    OK(argand_fft_apply(plan, contiguous, odd, ARGAND_INVERSE));
    CHECK_BELOW(distance(contiguous, expected, 1), fft_tolerance(ARGAND_C32, 120));
    OK(argand_array_reshape(&folded, contiguous, 4, (int64_t[]){12, 10, 1, 3}));
    OK(argand_fft_apply(plan, odd, odd, ARGAND_INVERSE)); /* in place in the middle of the large one */
    CHECK_BELOW(distance(odd, expected, 1), fft_tolerance(ARGAND_C32, 120));
    exact *after = exact_of(big);
    int changed = 0;
    for (int i = 0; i < 20 * 15 * 6; i++) changed += after[i] != all[i];
    assert_int_equal(changed, 12 * 10 * 3);
    OK(argand_array_view(&out, odd, 3, (int64_t[]){12, 10, 3}, (int64_t[]){1, 20, 600}, 1));
    FAILS(argand_fft_apply(plan, out, odd, ARGAND_FORWARD), ARGAND_ARGUMENT, "share memory");
    free(expected);
    free(all);
    free(after);
    argand_array_destroy(out);
    argand_array_destroy(folded);
    argand_array_destroy(odd);
    argand_array_destroy(part_y);
    argand_array_destroy(part_x);
    argand_array_destroy(contiguous);
    argand_array_destroy(big);
    argand_fft_destroy(plan);
}

/* Memory that is aligned to one element only, as a program may bring it. */
static void misaligned_memory(void **state)
{
    (void)state;
    const int64_t dims[2] = {64, 20};
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    if (!info.host_addressable) skip();
    float *memory = malloc((2 * 64 * 20 + 2) * 2 * sizeof *memory);
    argand_array *in, *out;
    OK(argand_array_wrap(&in, device, ARGAND_C32, 2, dims, NULL, memory + 2));
    OK(argand_array_wrap(&out, device, ARGAND_C32, 2, dims, NULL, memory + 2 + 2 * 64 * 20));
    argand_fft *plan = new_plan(&(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {64}, .batch = 20});
    randomise(in, 8, 0, 0);
    exact *expected = exact_of(in);
    direct_fft(expected, 1, (int64_t[]){64}, 20, -1, false);
    OK(argand_fft_apply(plan, out, in, ARGAND_FORWARD));
    CHECK_BELOW(distance(out, expected, 1), fft_tolerance(ARGAND_C32, 64));
    free(expected);
    argand_array_destroy(in);
    argand_array_destroy(out);
    argand_fft_destroy(plan);
    free(memory);
}

/* The same bits for any number of threads. */
static void threads_do_not_matter(void **state)
{
    (void)state;
    const int64_t dims[3] = {96, 80, 30};
    argand_array *x = new_array(ARGAND_C32, 3, dims), *y = new_array(ARGAND_C32, 3, dims);
    argand_fft *plan =
        new_plan(&(argand_fft_options){.type = ARGAND_C32, .rank = 3, .n = {96, 80, 30}, .centred = true});
    double *first = NULL;
    randomise(x, 9, 0, 0);
    for (int threads = 1; threads <= 5; threads += 2) {
        OK(argand_device_set_threads(device, threads));
        OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
        double *numbers = as_doubles(y);
        if (first) assert_memory_equal(numbers, first, 2 * 96 * 80 * 30 * sizeof *first);
        if (first)
            free(numbers);
        else
            first = numbers;
    }
    OK(argand_device_set_threads(device, 0));
    free(first);
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_fft_destroy(plan);
}

typedef struct job {
    const argand_fft *plan;
    argand_array *in, *out;
    argand_status status;
} job;

static void *work(void *argument)
{
    job *j = argument;
    for (int i = 0; i < 20 && !j->status; i++) {
        j->status = argand_fft_apply(j->plan, j->out, j->in, ARGAND_FORWARD);
        argand_fft *other; /* planning meanwhile must not disturb */
        if (!j->status)
            j->status = argand_fft_create(
                &other, device, &(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {30 + i}});
        if (!j->status) argand_fft_destroy(other);
    }
    return NULL;
}

static void several_threads(void **state)
{
    (void)state;
    enum { JOBS = 4 };
    const int64_t dims[2] = {50, 40};
    argand_fft *plan = new_plan(&(argand_fft_options){.type = ARGAND_C32, .rank = 2, .n = {50, 40}});
    job jobs[JOBS];
    pthread_t threads[JOBS];
    for (int i = 0; i < JOBS; i++) {
        jobs[i] = (job){plan, new_array(ARGAND_C32, 2, dims), new_array(ARGAND_C32, 2, dims), ARGAND_OK};
        randomise(jobs[i].in, 10 + (uint64_t)i, 0, 0);
        assert_int_equal(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
    }
    for (int i = 0; i < JOBS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(jobs[i].status, ARGAND_OK);
        exact *expected = exact_of(jobs[i].in);
        direct_fft(expected, 2, dims, 1, -1, false);
        CHECK_BELOW(distance(jobs[i].out, expected, 1), fft_tolerance(ARGAND_C32, 2000));
        free(expected);
        argand_array_destroy(jobs[i].in);
        argand_array_destroy(jobs[i].out);
    }
    argand_fft_destroy(plan);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(given_axes),
                                          cmocka_unit_test(negative_strides),
                                          cmocka_unit_test(far_columns),
                                          cmocka_unit_test(many_lines),
                                          cmocka_unit_test(many_tiles),
                                          cmocka_unit_test(given_axes_real),
                                          cmocka_unit_test(views),
                                          cmocka_unit_test(misaligned_memory),
                                          cmocka_unit_test(threads_do_not_matter),
                                          cmocka_unit_test(several_threads)};
RUN_TESTS(tests)
