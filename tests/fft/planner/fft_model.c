/* SPDX-License-Identifier: BSD-3-Clause */
/* What plans promise: bytes, passes, orders of axes, sizes to pad to. Times are the model's; none is measured
 * here. */
#include "fft/direct.h"
#include "fft/engine/facts.h"
#include "fft/planner/model.h"
#include "sample.h"

static void segments(void **state)
{
    (void)state;
    const fft_model gpu = {.sector = 32}, cpu = {.sector = 64};
    double last = 0;
    for (int64_t segment = 4; segment <= 128; segment += 4) {
        const double part = model_efficiency(&gpu, segment);
        assert_true(segment >= 64 ? part == 1 : part <= 0.8);
        if (segment % 32 == 0) assert_true(part >= last);
        if (segment % 32 == 0) last = part;
    }
    assert_true(model_efficiency(&gpu, 0) == 1);
    CHECK_BELOW(fabs(model_efficiency(&gpu, 8) - 0.2), 1e-15); /* a quarter of a sector */
    CHECK_BELOW(fabs(model_efficiency(&cpu, 8) - 0.1), 1e-15); /* an eighth of a line */
}

/* Twice the bytes are twice the time beyond the launch; arithmetic counts where it takes longer. */
static void seconds(void **state)
{
    (void)state;
    const fft_model m = {.far_rate = 1e9,
                         .near_rate = 1e10,
                         .near_bytes = 1e6,
                         .launch = 1e-6,
                         .operations = 1e9,
                         .doubles = 5e8,
                         .sector = 32};
    argand_fft_pass pass = {.read_bytes = 1000000, .write_bytes = 1000000};
    CHECK_BELOW(fabs(model_seconds(&m, &pass, false) - 2.001e-3), 1e-9);
    pass.write_segment = 32;
    CHECK_BELOW(fabs(model_seconds(&m, &pass, false) - 2.251e-3), 1e-9);
    pass.operations = 4e6;
    CHECK_BELOW(fabs(model_seconds(&m, &pass, false) - 4.001e-3), 1e-9);
    CHECK_BELOW(fabs(model_seconds(&m, &pass, true) - 8.001e-3), 1e-9);
    pass = (argand_fft_pass){.read_bytes = 100000, .launches = 3};
    CHECK_BELOW(fabs(model_seconds(&m, &pass, false) - 13e-6), 1e-9); /* stays in cache */
}

/* ---- which axis first ---- */

/* By trying all orders. */
static double cheapest(const fft_extent *axes, int rank, unsigned done, int *first)
{
    double least = done == (1u << rank) - 1 ? 0 : INFINITY;
    for (int axis = 0; axis < rank; axis++) {
        if (done >> axis & 1) continue;
        double lines = 1;
        for (int i = 0; i < rank; i++)
            if (i != axis) lines *= (double)(done >> i & 1 ? axes[i].wanted : axes[i].known);
        int next;
        const double all = lines * (double)(axes[axis].known + axes[axis].wanted) +
                           cheapest(axes, rank, done | 1u << axis, &next);
        if (all < least) {
            least = all;
            *first = axis;
        }
    }
    return least;
}

static void axis_orders(void **state)
{
    (void)state;
    random_state random = {5};
    for (int round = 0; round < 200; round++) {
        fft_extent axes[5];
        int order[5], first = 0;
        const int rank = 1 + round % 5;
        for (int i = 0; i < rank; i++) {
            axes[i].n = 1 + (int64_t)(100 * random_uniform(&random));
            axes[i].known = 1 + (int64_t)((double)axes[i].n * random_uniform(&random));
            axes[i].wanted =
                round % 2 ? axes[i].n : 1 + (int64_t)((double)axes[i].n * random_uniform(&random));
        }
        assert_true(model_axis_order(axes, rank, order) == cheapest(axes, rank, 0, &first));
        assert_int_equal(order[0], first);
        unsigned seen = 0;
        for (int i = 0; i < rank; i++) seen |= 1u << order[i];
        assert_int_equal(seen, (1u << rank) - 1);
    }
}

/* Images in zeros: the order that was found to be faster for them (bloom at 1280 x 720 with kernels of 256
 * and 512), and the bytes. Padded rows that are zero cost nothing before their own pass. */
static void images_in_zeros(void **state)
{
    (void)state;
    const struct {
        fft_extent axes[2];
        int first;
        double elements;
    } cases[] = {
        {{{2048, 1280, 2048}, {1024, 720, 1024}}, 1, 1280. * (720 + 1024) + 1024. * (1280 + 2048)},
        {{{2048, 1280, 2048}, {2048, 720, 2048}}, 0, 720. * (1280 + 2048) + 2048. * (720 + 2048)},
        {{{64, 64, 64}, {32, 32, 32}}, 0, 4. * 64 * 32},         /* nothing to choose: as they come */
        {{{64, 64, 32}, {64, 64, 64}}, 0, 64. * 96 + 32. * 128}, /* what is not wanted goes first */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int order[2];
        assert_true(model_axis_order(cases[i].axes, 2, order) == cases[i].elements);
        assert_int_equal(order[0], cases[i].first);
    }
    /* an image in the middle of a grid of twice its size: 7/12 of the forward transform's traffic in elements
     * written, 21/48 of it read and written in all */
    const fft_extent doubled[3] = {{2, 1, 2}, {2, 1, 2}, {2, 1, 2}};
    int order[3];
    assert_true(model_axis_order(doubled, 3, order) == 21);
    const fft_extent full[3] = {{2, 2, 2}, {2, 2, 2}, {2, 2, 2}};
    assert_true(model_axis_order(full, 3, order) == 48);
}

/* ---- sizes to pad to ---- */

static bool is_smooth(int64_t n)
{
    for (int p = 2; p <= 13; p++)
        while (n % p == 0) n /= p;
    return n == 1;
}

/* Grows with n, by no more than is promised. */
static void fast_sizes(void **state)
{
    (void)state;
    for (int even = 0; even < 2; even++) {
        int64_t last = 0;
        for (int64_t n = 1; n < 5000; n += n < 600 ? 1 : 13) {
            if (!in_sample(n, 4)) continue;
            const int64_t size = argand_fft_fast_size(device, n, even);
            assert_true(size >= n && size >= last && is_smooth(size) && !(even && size % 2));
            if (n >= 256)
                assert_true(100 * size <= 107 * n);
            else
                CHECK_BELOW((double)size, even && n < 16 ? (double)n + 1 : 1.15 * (double)n + 1);
            last = size;
        }
    }
    assert_int_equal(argand_fft_fast_size(device, 1, false), 1);
    assert_int_equal(argand_fft_fast_size(device, 1, true), 2);
    for (int64_t n = 100003; n < INT64_C(1) << 40; n = 3 * n + 1) {
        const int64_t size = argand_fft_fast_size(device, n, true);
        assert_true(size >= n && (double)size <= 1.07 * (double)n && is_smooth(size) && size % 2 == 0);
    }
}

/* Up to the largest number there is: a length that serves and never shrinks, or 0 where there is none. */
static void check_largest_sizes(argand_device *on)
{
    for (int even = 0; even < 2; even++) {
        int64_t last = 0;
        bool ended = false;
        for (int64_t n = (INT64_C(1) << 48) - 1; n > 0; n = n < INT64_C(1) << 48 ? n + 1 : n / 16 * 17 + 5) {
            if (n <= INT64_MAX / 17 * 16 && !in_sample(n, 4)) continue;
            const int64_t size = argand_fft_fast_size(on, n, even);
            ended = ended || size == 0;
            if (ended)
                assert_int_equal(size, 0);
            else
                assert_true(size >= n && size >= last && is_smooth(size) && !(even && size % 2));
            last = size;
            if (n > INT64_MAX / 17 * 16) break;
        }
        assert_int_equal(argand_fft_fast_size(on, INT64_MAX, even), 0);
        assert_int_equal(argand_fft_fast_size(on, INT64_C(1) << 62, even), INT64_C(1) << 62);
    }
}

static void largest_sizes(void **state)
{
    (void)state;
    check_largest_sizes(device);
    assert_int_equal(argand_fft_next_size(INT64_MAX), 0);
}

/* The kernels of a GPU that is not there are looked for in the same way as on one that is. */
static void largest_sizes_of_an_absent_gpu(void **state)
{
    (void)state;
    argand_device *absent;
    if (!can_compile_offline("offline:h200")) skip();
    OK(argand_device_open(&absent, "offline:h200"));
    check_largest_sizes(absent);
    argand_device_close(absent);
}

/* So are its lengths of columns, which are chosen by what they compute. */
static void sizes_of_columns_of_an_absent_gpu(void **state)
{
    (void)state;
    argand_device *absent;
    int64_t last = 0;
    if (!can_compile_offline("offline:h200")) skip();
    OK(argand_device_open(&absent, "offline:h200"));
    for (int64_t n = 256; n < 5000; n += n < 1400 ? 16 : 120) {
        if (!in_sample(n, 4)) continue;
        const int64_t size = argand_fft_fast_size(absent, n, false);
        assert_true(size >= n && size >= last && is_smooth(size) && 100 * size <= 107 * n);
        last = size;
    }
    argand_device_close(absent);
}

/* ---- passes ---- */

/* Every pass has bytes and a time; between first and last all data go through at least once. */
static void passes_of(const argand_fft_options *o, argand_direction direction, int64_t in_bytes,
                      int64_t out_bytes)
{
    argand_fft *plan = new_plan(o);
    const int count = argand_fft_pass_count(plan, direction);
    argand_fft_pass pass, first = {0}, last = {0};
    assert_true(count >= 1);
    for (int i = 0; i < count; i++) {
        OK(argand_fft_pass_describe(plan, direction, i, &pass));
        assert_true(pass.what[0] && pass.seconds > 0 && pass.seconds < 10 && pass.read_bytes >= 0 &&
                    pass.write_bytes >= 0);
        if (i == 0) first = pass;
        last = pass;
    }
    assert_true(first.read_bytes >= in_bytes);
    assert_true(last.write_bytes >= out_bytes);
    assert_true(argand_fft_workspace(plan, direction) >= 0);
    FAILS(argand_fft_pass_describe(plan, direction, count, &pass), ARGAND_ARGUMENT, "pass");
    FAILS(argand_fft_pass_describe(plan, direction, -1, &pass), ARGAND_ARGUMENT, "pass -1");
    FAILS(argand_fft_pass_describe(plan, direction, 0, NULL), ARGAND_ARGUMENT, "no place");
    argand_fft_candidate c;
    FAILS(argand_fft_candidate_describe(plan, argand_fft_candidate_count(plan), &c), ARGAND_ARGUMENT,
          "candidate");
    int taken = 0;
    for (int i = 0; i < argand_fft_candidate_count(plan); i++) {
        OK(argand_fft_candidate_describe(plan, i, &c));
        taken += c.taken;
        assert_true(c.reason[0] && c.engine[0] && (c.possible || !c.taken));
    }
    assert_int_equal(taken, 1);
    argand_fft_destroy(plan);
}

/* On chips where our kernels were measured, cuFFT waits for wisdom or a measurement, whatever is predicted.
 */
static void our_kernels_go_first(void **state)
{
    (void)state;
    static const struct {
        argand_type type;
        int64_t n[3];
        int rank;
    } cases[] = {{ARGAND_R32, {768, 768}, 2},
                 {ARGAND_R64, {140, 1386}, 2},
                 {ARGAND_R32, {3750}, 1},
                 {ARGAND_R32, {270, 174, 256}, 3},
                 {ARGAND_C32, {771750}, 1}};
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    if (strcmp(info.backend, "cuda") || info.capability != 90) skip();
    setenv("ARGAND_WISDOM", "off", 1);
    argand_fft_wisdom_forget(); /* what plans before have read */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        argand_fft_options o = {.type = cases[i].type, .rank = cases[i].rank, .batch = 8};
        for (int d = 0; d < o.rank; d++) o.n[d] = cases[i].n[d];
        argand_fft *plan = new_plan(&o);
        for (int k = 0; k < argand_fft_candidate_count(plan); k++) {
            argand_fft_candidate c;
            OK(argand_fft_candidate_describe(plan, k, &c));
            if (c.taken) assert_string_equal(c.engine, "native");
            if (!strcmp(c.engine, "cufft") && c.possible)
                assert_non_null(strstr(c.reason, "Argand's own kernels are preferred"));
        }
        argand_fft_destroy(plan);
    }
}

static void passes(void **state)
{
    (void)state;
    for (argand_direction d = ARGAND_FORWARD; d <= ARGAND_INVERSE; d += 2) {
        const bool forward = d == ARGAND_FORWARD;
        passes_of(&(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {1000}, .batch = 7}, d, 56000,
                  56000);
        passes_of(&(argand_fft_options){.type = ARGAND_C64, .rank = 1, .n = {65536}, .centred = true}, d,
                  1 << 20, 1 << 20);
        passes_of(&(argand_fft_options){.type = ARGAND_C32, .rank = 3, .n = {64, 48, 40}}, d, 983040, 983040);
        passes_of(&(argand_fft_options){.type = ARGAND_C32, .rank = 2, .n = {64, 1}, .batch = 100}, d, 51200,
                  51200);
        passes_of(&(argand_fft_options){.type = ARGAND_R32, .rank = 2, .n = {100, 30}}, d,
                  forward ? 12000 : 12240, forward ? 12240 : 12000);
        passes_of(
            &(argand_fft_options){
                .type = ARGAND_C32, .rank = 2, .axes_given = true, .axes = {{8, 16, 1}, {16, 1, 8}}},
            d, 1024, 1024);
        passes_of(&(argand_fft_options){.type = ARGAND_C32, .rank = 4, .n = {8, 4, 2, 3}}, d, 1536, 1536);
    }
}

/* One axis after the other: read and written once each; a strided axis by pieces of lines that lie together.
 */
static void facts(void **state)
{
    (void)state;
    const fft_problem p = {.type = ARGAND_C32, .rank = 2, .n = {100, 20}, .points = 2000, .batch = 3};
    argand_fft_pass pass = {0};
    facts_axis(&pass, &p, 1, ARGAND_FORWARD, 8, true, true);
    assert_int_equal(pass.lines, 300);
    assert_int_equal(pass.length, 20);
    assert_int_equal(pass.read_bytes, 48000);
    assert_int_equal(pass.write_bytes, 48000);
    assert_int_equal(pass.read_segment, 64);
    facts_axis(&pass, &p, 0, ARGAND_FORWARD, 8, true, true);
    assert_int_equal(pass.lines, 60);
    assert_int_equal(pass.read_segment, 0);
    const fft_problem real = {.type = ARGAND_R64, .rank = 2, .n = {101, 20}, .points = 2020, .batch = 1};
    facts_axis(&pass, &real, 0, ARGAND_INVERSE, 8, true, true);
    assert_int_equal(pass.read_bytes, 51 * 20 * 16);
    assert_int_equal(pass.write_bytes, 101 * 20 * 8);
    facts_axis(&pass, &real, 1, ARGAND_INVERSE, 2, true, true);
    assert_int_equal(pass.lines, 51);
    assert_int_equal(pass.write_bytes, 51 * 20 * 16);
    assert_int_equal(facts_bytes(&real, true, ARGAND_FORWARD), 51 * 20 * 16);
    assert_int_equal(facts_bytes(&real, true, ARGAND_INVERSE), 101 * 20 * 8);
    CHECK_BELOW(fabs(facts_operations(1024) - 51200), 1e-9);
    assert_true(facts_operations(1009) > facts_operations(1024));
    fft_passes list = {0};
    for (int i = 0; i < FFT_MOST_PASSES + 3; i++) facts_add(&list, "pass %d", i);
    assert_int_equal(list.count, FFT_MOST_PASSES);
    facts_radices(&pass, (const int[]){4, 16, 16}, 3);
    assert_string_equal(pass.radices, "4x16x16");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(segments),
    cmocka_unit_test(seconds),
    cmocka_unit_test(axis_orders),
    cmocka_unit_test(images_in_zeros),
    cmocka_unit_test(fast_sizes),
    cmocka_unit_test(largest_sizes),
    cmocka_unit_test(largest_sizes_of_an_absent_gpu),
    cmocka_unit_test(sizes_of_columns_of_an_absent_gpu),
    cmocka_unit_test(passes),
    cmocka_unit_test(facts),
    cmocka_unit_test(our_kernels_go_first),
};
RUN_TESTS(tests)
