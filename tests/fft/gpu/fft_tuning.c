/* SPDX-License-Identifier: BSD-3-Clause */
/* Variants of the engine of our own kernels: those that MEASURE compares, a list of one's own, and what some
 * of their tuning plan for a large chip. */
#include "fft/large_chip.h"

#include <string.h>
#include "fft/gpu/native.h"
#include "fft/gpu/tuning/candidates.h"

/* All names can be read, none stands twice, and the first is what ESTIMATE takes. */
static void names_are_known(void **state)
{
    (void)state;
    char name[FFT_VARIANT_CHARS], other[FFT_VARIANT_CHARS];
    gpu_tuning t, usual;
    unsetenv("ARGAND_FFT_TUNING");
    assert_true(tuning_parse(&usual, ""));
    for (int i = 0; candidate_text(i, name, sizeof name); i++) {
        if (!tuning_parse(&t, name)) fail_msg("variant \"%s\" has a word that is not known", name);
        if (!memcmp(&t, &usual, sizeof t) != !i) fail_msg("variant %d, \"%s\", and the usual one", i, name);
        for (int k = 0; k < i; k++)
            if (candidate_text(k, other, sizeof other) && !strcmp(name, other))
                fail_msg("\"%s\" twice", name);
    }
    assert_false(tuning_parse(&t, "no_such_word 1"));
    assert_false(tuning_parse(&t, "max_cluster 17"));
}

/* Nobody's list is filtered by what stands at the same places of ours. */
static void own_lists_are_whole(void **state)
{
    (void)state;
    char name[FFT_VARIANT_CHARS];
    gpu_tuning t;
    setenv("ARGAND_FFT_TUNING", "threads 128; chunk_kib 0 points_per_thread 32;standard", 1);
    assert_true(candidate_text(0, name, sizeof name) && !strcmp(name, "threads 128"));
    assert_true(candidate_text(1, name, sizeof name) && !strcmp(name, "chunk_kib 0 points_per_thread 32"));
    assert_true(candidate_text(2, name, sizeof name) && !strcmp(name, "standard"));
    assert_false(candidate_text(3, name, sizeof name));
    for (int i = 0; i < 100; i++) assert_int_equal(candidate_scope_of(i), FOR_ALL);
    assert_true(tuning_parse(&t, "") && t.threads == 128); /* ESTIMATE takes the first */
    assert_true(tuning_parse(&t, "chunk_kib 0 points_per_thread 32") && t.points_per_thread == 32 &&
                t.threads == 256);
    assert_true(tuning_parse(&t, "standard") && t.threads == 256); /* as wisdom will read it */
    unsetenv("ARGAND_FFT_TUNING");
}

/* A key that is there already has its place. What is nearby can be read, and differs in one key. */
static void changes_are_of_one_parameter(void **state)
{
    (void)state;
    char name[FFT_VARIANT_CHARS], names[40][FFT_VARIANT_CHARS];
    const fft_problem problem = {.type = ARGAND_C32, .rank = 1, .n = {100000}, .batch = 10, .points = 100000};
    gpu_tuning t;
    assert_true(tuning_changed("standard", "points_per_thread 32", name, sizeof name) &&
                !strcmp(name, "points_per_thread 32"));
    assert_true(tuning_changed("chunk_kib 0 points_per_thread 16 prefetch_next 1", "points_per_thread 32",
                               name, sizeof name));
    assert_string_equal(name, "chunk_kib 0 prefetch_next 1 points_per_thread 32");
    assert_false(tuning_changed("chunk_kib 0 points_per_thread 16", "points_per_thread 32", name, 16));
    const int count = nearby_variants(&problem, device, "chunk_kib 0", names, 40);
    assert_in_range(count, 10, 40);
    assert_string_equal(names[0], "chunk_kib 0 first_part 250");
    for (int i = 0; i < count; i++)
        if (!tuning_parse(&t, names[i])) fail_msg("variant \"%s\" has a word that is not known", names[i]);
    assert_int_equal(nearby_variants(&problem, device, "chunk_kib 0", names, 3), 3);
    setenv("ARGAND_FFT_TUNING", "points_per_thread 32", 1);
    assert_int_equal(nearby_variants(&problem, device, "chunk_kib 0", names, 40), 0);
    unsetenv("ARGAND_FFT_TUNING");
}

/* A stage of a radix that kernels do not have would do nothing. */
static void radices_are_known(void **state)
{
    (void)state;
    radix_list r;
    block_limits l = limits_of("radices 3336", false, 16);
    assert_true(radices_choose(&r, 33 * 36, &l, 1));
    for (int i = 0; i < r.count; i++) assert_true(r.radix[i] != 33 && radix_operations(r.radix[i]) > 0);
    l = limits_of("radices 361103", false, 16);
    assert_true(radices_choose(&r, 33 * 36, &l, 1));
    assert_true(r.count == 3 && r.radix[0] == 36 && r.radix[1] == 11 && r.radix[2] == 3);
}

/* One prime from 37 on, in lines that have enough besides. */
static void large_primes(void **state)
{
    (void)state;
    static const int64_t with[] = {2072, 3996, 1880}, without[] = {37, 74, 148, 1763, 2209, 18500, 53 * 40};
    for (size_t i = 0; i < sizeof with / sizeof *with; i++)
        assert_true(has_radices(with[i]) && !has_small_radices(with[i]));
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) assert_false(has_radices(without[i]));
}

static void plan(pass_program *p, int64_t n, int64_t batch, const block_limits *l)
{
    fft_problem problem = {.type = ARGAND_C32, .rank = 1, .n = {n}, .batch = batch, .points = n};
    fft_geometry g;
    problem_contiguous(&g, &problem, ARGAND_FORWARD);
    OK(program_make(p, &problem, &g, ARGAND_FORWARD, l, true));
}

/* Tuning comes from files, and may be such as nobody would choose: no neighbours at all are one. */
static void segments_below_an_element(void **state)
{
    (void)state;
    for (int bytes = 0; bytes <= 8; bytes++) {
        char parameters[32];
        pass_program p;
        snprintf(parameters, sizeof parameters, "segment_bytes %d", bytes);
        const block_limits l = limits_of(parameters, false, 0);
        plan(&p, 1 << 20, 1, &l);
        assert_true(p.count > 1);
        program_release(&p);
    }
}

/* One for each multiprocessor, where there are tiles for two rounds; space for all that they hold. */
static void groups_stay_where_told(void **state)
{
    (void)state;
    pass_program p;
    block_limits l = limits_of("", false, 16);
    l.units = 132;
    l.keyed = true; /* dry programs are outlines else */
    assert_true(tuning_parse(&l.tuning, "no_cluster 1 chunk_kib 0 points_per_thread 32"));
    plan(&p, 16384, 1000, &l);
    assert_int_equal(p.pass[0].shape.persistent_blocks, 0);
    program_release(&p);
    assert_true(tuning_parse(&l.tuning, "no_cluster 1 chunk_kib 0 points_per_thread 32 persistent_blocks 1"));
    plan(&p, 16384, 1000, &l);
    const tile_shape *s = &p.pass[0].shape;
    assert_int_equal(p.count, 1);
    assert_int_equal(s->persistent_blocks, l.units);
    assert_true(s->split % 2 == 0 && s->split >= 8192 && s->split <= 16384);
    assert_true((int64_t)p.pass[0].shared_bytes <= l.shared_bytes + SHARED_LEFT - SHARED_OF_EACH);
    program_release(&p);
    plan(&p, 16384, l.units, &l);
    assert_int_equal(p.pass[0].shape.persistent_blocks, 0);
    program_release(&p);
}

/* Rows of both parts begin where sectors of memory do, where the length has such parts. */
static void parts_of_long_lines_are_aligned(void **state)
{
    (void)state;
    static const int64_t lengths[] = {18000, 60000, 100000, 120000, 160000, 1000000};
    block_limits l = limits_of("no_cluster 1 chunk_kib 0", false, 16);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        pass_program p;
        plan(&p, lengths[i], 10, &l);
        assert_int_equal(p.count, 2);
        for (int k = 0; k < 2; k++)
            if (p.pass[k].shape.size[1] % 4)
                fail_msg("%lld has a part of %d", (long long)lengths[i], p.pass[k].shape.size[1]);
        program_release(&p);
    }
}

/* A batch whose work memory is too much goes in parts, and the workspace is that of a part. */
static void work_memory_is_bounded(void **state)
{
    (void)state;
    enum { N = 1 << 20, BATCH = 10 };
    pass_program p;
    block_limits l = limits_of("", false, 16);
    const fft_problem problem = {.type = ARGAND_C32, .rank = 1, .n = {N}, .batch = BATCH, .points = N};
    fft_geometry g;
    problem_contiguous(&g, &problem, ARGAND_FORWARD);
    assert_true(tuning_parse(&l.tuning, "chunk_kib 0"));
    plan(&p, N, BATCH, &l);
    assert_int_equal(p.work, (int64_t)N * BATCH);
    l.work_bytes = 8 * p.work;
    assert_int_equal(program_at_a_time(&g, &p, &l), 0);
    assert_int_equal(program_workspace(&g, &p, &l), 8 * p.work);
    l.work_bytes = 8 * (int64_t)N * 4 + 1000;
    assert_int_equal(program_at_a_time(&g, &p, &l), 4);
    assert_int_equal(program_workspace(&g, &p, &l), 8 * (int64_t)N * 4);
    l.work_bytes = 1024;
    assert_int_equal(program_at_a_time(&g, &p, &l), 1);
    program_release(&p);
}

/* A batch whose elements lie side by side goes in parts of whole lines of memory, 16 of 8 bytes, or as many
 * as the device has memory for; other batches do not. */
static void parts_have_whole_lines(void **state)
{
    (void)state;
    enum { N = 1 << 20, BATCH = 40 };
    static const struct {
        int64_t bytes, most, count; /* in transforms */
    } cases[] = {{2, 40, 16}, {2, 9, 8},    {2, 7, 4},    {2, 3, 2},
                 {5, 40, 16}, {20, 40, 16}, {33, 40, 32}, {40, 40, 0}};
    const pass_program p = {.work = (int64_t)N * BATCH};
    block_limits l = limits_of("", false, 16);
    fft_geometry g = {.rank = 1, .loops = 1, .axes = {{N, 1, BATCH}}, .loop = {{BATCH, N, 1}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        l.work_bytes = cases[i].bytes * 8 * N;
        l.work_most = cases[i].most * 8 * N;
        g.loop[0].out_stride = 1;
        assert_int_equal(program_at_a_time(&g, &p, &l), cases[i].count);
        g.loop[0].out_stride = N;
        assert_int_equal(program_at_a_time(&g, &p, &l), cases[i].bytes < BATCH ? cases[i].bytes : 0);
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(names_are_known),
                                          cmocka_unit_test(own_lists_are_whole),
                                          cmocka_unit_test(changes_are_of_one_parameter),
                                          cmocka_unit_test(segments_below_an_element),
                                          cmocka_unit_test(groups_stay_where_told),
                                          cmocka_unit_test(work_memory_is_bounded),
                                          cmocka_unit_test(parts_have_whole_lines),
                                          cmocka_unit_test(radices_are_known),
                                          cmocka_unit_test(large_primes),
                                          cmocka_unit_test(parts_of_long_lines_are_aligned)};
RUN_TESTS(tests)
