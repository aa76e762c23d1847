/* SPDX-License-Identifier: BSD-3-Clause */
/* What ESTIMATE takes for a kind of problem, on machines without such a device: where there is much to do,
 * and where there is little. */
#include "fft/large_chip.h"

#include <string.h>

static const device_traits hopper = {.units = 132, .fft_tuned = true, .bulk_copies = true};

/* A problem as problem_make has it, `batch` of it or 2^27 points. */
static fft_problem whole(const fft_problem *given)
{
    fft_problem p = *given;
    p.points = 1;
    for (int d = 0; d < p.rank; d++) p.points *= p.n[d];
    if (!p.batch) p.batch = ((int64_t)1 << 27) / p.points;
    if (!p.batch) p.batch = 1;
    return p;
}

/* A problem, and the variant that is taken for it. */
typedef struct guess_case {
    fft_problem problem;
    const char *wanted;
} guess_case;

/* Where there is much to do. */
static const guess_case many_cases[] = {
    {{.type = ARGAND_C32, .rank = 1, .n = {100}}, "threads 128 bulk_copy 1"},
    {{.type = ARGAND_C32, .rank = 1, .n = {625}}, "threads 128 bulk_copy 1"},
    {{.type = ARGAND_C32, .rank = 1, .n = {63}}, "prefetch_distance 1"},
    {{.type = ARGAND_C32, .rank = 1, .n = {650}}, "prefetch_distance 1"},
    {{.type = ARGAND_C32, .rank = 1, .n = {512}}, "prefetch_distance 1"},
    {{.type = ARGAND_C32, .rank = 1, .n = {2187}}, "large_radices 1 prefetch_distance 1 twiddle_products 1"},
    {{.type = ARGAND_C32, .rank = 1, .n = {151875}}, "chunk_kib 0 twiddle_products 3 segment_bytes 128"},
    {{.type = ARGAND_C32, .rank = 1, .n = {275625}}, "chunk_kib 0 twiddle_products 3"},
    {{.type = ARGAND_C32, .rank = 1, .n = {6300}}, "large_radices 1 prefetch_distance 1 twiddle_products 1"},
    {{.type = ARGAND_C32, .rank = 1, .n = {2063}}, "convolution_twiddles 7"},
    {{.type = ARGAND_C32, .rank = 1, .n = {16384}, .batch = 100},
     "large_radices 1 prefetch_distance 1 twiddle_products 1"},
    {{.type = ARGAND_C32, .rank = 1, .n = {16384}, .batch = 300},
     "persistent_blocks 1 points_per_thread 32 radices 321632 twiddle_products 2 exchange_mode 2"},
    {{.type = ARGAND_C32, .rank = 1, .n = {120000}}, "chunk_kib 0 prefetch_distance 1 twiddle_products 3"},
    {{.type = ARGAND_C32, .rank = 1, .n = {131072}}, "twiddle_products 1"},
    {{.type = ARGAND_C32, .rank = 1, .n = {1 << 20}}, "chunk_kib 0 twiddle_products 3"},
    {{.type = ARGAND_C32, .rank = 1, .n = {1 << 22}}, "chunk_kib 0 twiddle_products 3"},
    {{.type = ARGAND_C32, .rank = 1, .n = {1 << 23}},
     "chunk_kib 0 twiddle_products 3 segment_bytes 32 points_per_thread 32"},
    {{.type = ARGAND_C32, .rank = 1, .n = {6000000}},
     "chunk_kib 0 twiddle_products 3 segment_bytes 32 points_per_thread 32"},
    {{.type = ARGAND_C32, .rank = 1, .n = {10077696}}, "chunk_kib 0 twiddle_products 3"},
    {{.type = ARGAND_C32, .rank = 1, .n = {1 << 25}}, "chunk_kib 0 twiddle_products 3"},
    {{.type = ARGAND_C32, .rank = 2, .n = {512, 512}}, "twiddle_products 3"},
    {{.type = ARGAND_C32, .rank = 2, .n = {1050, 392}}, "chunk_kib 0 twiddle_products 3"},
    {{.type = ARGAND_C32, .rank = 3, .n = {64, 64, 64}}, "twiddle_products 3"},
    {{.type = ARGAND_C32, .rank = 3, .n = {96, 96, 96}},
     "chunk_kib 0 prefetch_distance 1 twiddle_products 3"},
    {{.type = ARGAND_C32, .rank = 3, .n = {256, 256, 256}},
     "chunk_kib 0 prefetch_distance 1 twiddle_products 3"},
    {{.type = ARGAND_C32, .rank = 3, .n = {512, 512, 512}}, "twiddle_products 3"},
    {{.type = ARGAND_C32, .rank = 3, .n = {300, 300, 300}},
     "chunk_kib 0 prefetch_distance 1 twiddle_products 3"},
    {{.type = ARGAND_C64, .rank = 1, .n = {5000}}, "prefetch_distance 1"},
    {{.type = ARGAND_C64, .rank = 1, .n = {8192}}, "standard"},
    {{.type = ARGAND_C64, .rank = 2, .n = {512, 512}}, "standard"},
    {{.type = ARGAND_C64, .rank = 2, .n = {512, 1024}}, "chunk_kib 0 prefetch_distance 1"},
    {{.type = ARGAND_C64, .rank = 3, .n = {128, 128, 128}}, "chunk_kib 0"},
    {{.type = ARGAND_R32, .rank = 1, .n = {1000}}, "chunk_kib 0"},
    {{.type = ARGAND_R32, .rank = 2, .n = {512, 512}}, "twiddle_products 3 segment_bytes 128"},
    {{.type = ARGAND_R32, .rank = 2, .n = {512, 128}}, "chunk_kib 0 twiddle_products 3 segment_bytes 128"},
    {{.type = ARGAND_R32, .rank = 2, .n = {640, 480}}, "chunk_kib 0 twiddle_products 3 segment_bytes 128"},
    {{.type = ARGAND_R32, .rank = 2, .n = {1024, 1024}}, "chunk_kib 0 twiddle_products 3 segment_bytes 128"},
    {{.type = ARGAND_R32, .rank = 2, .n = {1000, 1000}}, "chunk_kib 0 twiddle_products 3"},
    {{.type = ARGAND_R32, .rank = 2, .n = {392, 81}}, "chunk_kib 0 twiddle_products 3"},
    {{.type = ARGAND_R32, .rank = 2, .n = {175, 416}}, "chunk_kib 0 twiddle_products 3"},
    {{.type = ARGAND_R32, .rank = 3, .n = {128, 128, 128}}, "chunk_kib 0 twiddle_products 3"},
    {{.type = ARGAND_R32, .rank = 3, .n = {512, 512, 512}},
     "chunk_kib 0 twiddle_products 3 segment_bytes 128"},
    {{.type = ARGAND_R32, .rank = 3, .n = {320, 320, 90}}, "chunk_kib 0 twiddle_products 3"},
    {{.type = ARGAND_R64, .rank = 2, .n = {512, 512}}, "chunk_kib 0 prefetch_distance 1"},
    {{.type = ARGAND_R64, .rank = 3, .n = {64, 64, 64}}, "chunk_kib 0"}};

/* On a CUDA device; others, and own lists, take the first of the list. */
static void many_of_a_kind(void **state)
{
    (void)state;
    char name[FFT_VARIANT_CHARS];
    gpu_tuning t;
    const device_traits older = {.units = 108, .fft_tuned = true}, other = {.units = 132};
    for (size_t i = 0; i < sizeof many_cases / sizeof *many_cases; i++) {
        const fft_problem p = whole(&many_cases[i].problem);
        guess_variant(name, &p, &hopper);
        assert_string_equal(name, many_cases[i].wanted);
        assert_true(tuning_parse(&t, name));
        guess_variant(name, &p, &other);
        assert_string_equal(name, "");
    }
    const fft_problem p = whole(&many_cases[0].problem);
    guess_variant(name, &p, &older); /* no bulk copies there */
    assert_string_equal(name, "prefetch_distance 1");
    setenv("ARGAND_FFT_TUNING", "points_per_thread 32", 1);
    guess_variant(name, &p, &hopper);
    assert_string_equal(name, "");
    unsetenv("ARGAND_FFT_TUNING");
}

/* Where there is little. */
static const guess_case few_cases[] = {
    {{.type = ARGAND_C32, .rank = 1, .n = {256}, .batch = 64}, "points_per_thread 8 threads 64"},
    {{.type = ARGAND_C32, .rank = 1, .n = {216}, .batch = 2048}, "threads 64"},
    {{.type = ARGAND_C32, .rank = 1, .n = {216}, .batch = 4096}, "threads 128 bulk_copy 1"},
    {{.type = ARGAND_C32, .rank = 1, .n = {4096}, .batch = 8}, "threads 64"},
    {{.type = ARGAND_C32, .rank = 1, .n = {4096}, .batch = 64},
     "large_radices 1 prefetch_distance 1 twiddle_products 1"},
    {{.type = ARGAND_C32, .rank = 1, .n = {16384}, .batch = 33},
     "no_cluster 1 chunk_kib 0 twiddle_products 3 max_points 2048"},
    {{.type = ARGAND_C32, .rank = 1, .n = {16384}, .batch = 34},
     "large_radices 1 prefetch_distance 1 twiddle_products 1"},
    {{.type = ARGAND_C64, .rank = 1, .n = {8192}, .batch = 8},
     "no_cluster 1 chunk_kib 0 twiddle_products 3 max_points 1024"},
    {{.type = ARGAND_C32, .rank = 1, .n = {65536}, .batch = 16},
     "no_cluster 1 chunk_kib 0 twiddle_products 3"},
    {{.type = ARGAND_C32, .rank = 1, .n = {65536}, .batch = 32},
     "chunk_kib 0 prefetch_distance 1 twiddle_products 3"},
    {{.type = ARGAND_C32, .rank = 1, .n = {1009}, .batch = 64},
     "convolution_twiddles 7 points_per_thread 8 threads 64"},
    {{.type = ARGAND_C32, .rank = 1, .n = {4099}, .batch = 8}, "convolution_twiddles 7 threads 64"},
    {{.type = ARGAND_C32, .rank = 1, .n = {10007}, .batch = 8},
     "no_cluster 1 chunk_kib 0 max_convolution 1024 threads 64"},
    {{.type = ARGAND_C32, .rank = 1, .n = {10007}, .batch = 64}, "convolution_twiddles 7"},
    {{.type = ARGAND_C64, .rank = 1, .n = {4099}, .batch = 8},
     "no_cluster 1 chunk_kib 0 max_convolution 1024 threads 64"},
    {{.type = ARGAND_C32, .rank = 2, .n = {256, 256}, .batch = 1},
     "chunk_kib 0 twiddle_products 3 separate_axes 1 threads 32"},
    {{.type = ARGAND_C32, .rank = 2, .n = {256, 256}, .batch = 16},
     "chunk_kib 0 twiddle_products 3 separate_axes 1"},
    {{.type = ARGAND_C32, .rank = 2, .n = {256, 256}, .batch = 64}, "chunk_kib 0 twiddle_products 3"},
    {{.type = ARGAND_C32, .rank = 2, .n = {256, 256}, .batch = 200}, "twiddle_products 3"},
    {{.type = ARGAND_C32, .rank = 2, .n = {240, 240}, .batch = 72},
     "chunk_kib 0 twiddle_products 3 separate_axes 1"},
    {{.type = ARGAND_C32, .rank = 2, .n = {64, 64}, .batch = 8},
     "chunk_kib 0 prefetch_distance 1 twiddle_products 3 threads 32"},
    {{.type = ARGAND_C32, .rank = 2, .n = {128, 128}, .batch = 65},
     "chunk_kib 0 twiddle_products 3 separate_axes 1"},
    {{.type = ARGAND_C32, .rank = 2, .n = {128, 128}, .batch = 66}, "chunk_kib 0 twiddle_products 3"},
    {{.type = ARGAND_C32, .rank = 3, .n = {64, 64, 64}, .batch = 1},
     "chunk_kib 0 prefetch_distance 1 twiddle_products 3 threads 64"},
    {{.type = ARGAND_C64, .rank = 2, .n = {256, 256}, .batch = 8},
     "chunk_kib 0 prefetch_distance 1 separate_axes 1 threads 128"},
    {{.type = ARGAND_C64, .rank = 2, .n = {512, 512}, .batch = 8}, "chunk_kib 0 prefetch_distance 1"},
    {{.type = ARGAND_C32, .rank = 1, .n = {256}, .batch = 64, .axes_given = true}, "chunk_kib 0 threads 64"},
    /* both sides of the limits */
    {{.type = ARGAND_C32, .rank = 1, .n = {2048}, .batch = 66}, "points_per_thread 8 threads 64"},
    {{.type = ARGAND_C32, .rank = 1, .n = {2048}, .batch = 67}, "threads 64"},
    {{.type = ARGAND_C32, .rank = 1, .n = {2048}, .batch = 264}, "threads 64"},
    {{.type = ARGAND_C32, .rank = 1, .n = {2048}, .batch = 265}, "prefetch_distance 1"},
    {{.type = ARGAND_C32, .rank = 1, .n = {2058}, .batch = 65}, "threads 64"},
    {{.type = ARGAND_C32, .rank = 1, .n = {2058}, .batch = 66},
     "large_radices 1 prefetch_distance 1 twiddle_products 1"},
    {{.type = ARGAND_C32, .rank = 1, .n = {2039}, .batch = 8},
     "convolution_twiddles 7 points_per_thread 8 threads 64"},
    {{.type = ARGAND_C32, .rank = 1, .n = {2063}, .batch = 60}, "convolution_twiddles 7 threads 64"},
    {{.type = ARGAND_C32, .rank = 1, .n = {2063}, .batch = 70}, "convolution_twiddles 7"},
    {{.type = ARGAND_C64, .rank = 1, .n = {1009}, .batch = 8}, "chunk_kib 0"},
    {{.type = ARGAND_C64, .rank = 1, .n = {1009 * 64}, .batch = 8},
     "no_cluster 1 chunk_kib 0 max_convolution 1024 threads 64"},
    {{.type = ARGAND_C32, .rank = 1, .n = {65536}, .batch = 24},
     "no_cluster 1 chunk_kib 0 twiddle_products 3"},
    {{.type = ARGAND_C32, .rank = 1, .n = {65536}, .batch = 25},
     "chunk_kib 0 prefetch_distance 1 twiddle_products 3"},
    {{.type = ARGAND_C64, .rank = 1, .n = {65536}, .batch = 12},
     "no_cluster 1 chunk_kib 0 twiddle_products 3"},
    {{.type = ARGAND_C64, .rank = 1, .n = {65536}, .batch = 13}, "chunk_kib 0"},
    {{.type = ARGAND_C32, .rank = 1, .n = {4913}, .batch = 4},
     "large_radices 1 prefetch_distance 1 twiddle_products 1"}, /* 17 17 17 */
    {{.type = ARGAND_C32, .rank = 1, .n = {16384}, .batch = 4, .scrambled_spectrum = true},
     "large_radices 1 prefetch_distance 1 twiddle_products 1"},
    {{.type = ARGAND_C32, .rank = 2, .n = {256, 256}, .batch = 30},
     "chunk_kib 0 twiddle_products 3 separate_axes 1"},
    {{.type = ARGAND_C32, .rank = 2, .n = {256, 256}, .batch = 31}, "chunk_kib 0 twiddle_products 3"},
    {{.type = ARGAND_C32, .rank = 2, .n = {240, 240}, .batch = 104},
     "chunk_kib 0 twiddle_products 3 separate_axes 1"},
    {{.type = ARGAND_C32, .rank = 2, .n = {240, 240}, .batch = 105}, "chunk_kib 0 twiddle_products 3"},
    {{.type = ARGAND_C32, .rank = 2, .n = {256, 256}, .batch = 4},
     "chunk_kib 0 twiddle_products 3 separate_axes 1 threads 32"},
    {{.type = ARGAND_C32, .rank = 2, .n = {256, 256}, .batch = 5},
     "chunk_kib 0 twiddle_products 3 separate_axes 1"},
    {{.type = ARGAND_C32, .rank = 2, .n = {64, 65}, .batch = 8},
     "chunk_kib 0 prefetch_distance 1 twiddle_products 3 separate_axes 1 threads 32"},
    {{.type = ARGAND_C32, .rank = 3, .n = {100, 100, 50}, .batch = 1},
     "chunk_kib 0 prefetch_distance 1 twiddle_products 3 separate_axes 1"},
    {{.type = ARGAND_C32, .rank = 3, .n = {100, 100, 50}, .batch = 2},
     "chunk_kib 0 prefetch_distance 1 twiddle_products 3"},
    {{.type = ARGAND_C64, .rank = 2, .n = {256, 256}, .batch = 4},
     "chunk_kib 0 prefetch_distance 1 separate_axes 1 threads 64"},
    {{.type = ARGAND_C64, .rank = 2, .n = {256, 256}, .batch = 9},
     "chunk_kib 0 prefetch_distance 1 separate_axes 1"},
    {{.type = ARGAND_C64, .rank = 2, .n = {256, 256}, .batch = 16}, "chunk_kib 0 prefetch_distance 1"},
    {{.type = ARGAND_R32, .rank = 1, .n = {1024}, .batch = 528},
     "chunk_kib 0 points_per_thread 8 threads 64"},
    {{.type = ARGAND_R32, .rank = 1, .n = {1024}, .batch = 529}, "chunk_kib 0"},
    {{.type = ARGAND_R32, .rank = 1, .n = {1024}, .batch = 512},
     "chunk_kib 0 points_per_thread 8 threads 64"},
    {{.type = ARGAND_R32, .rank = 2, .n = {512, 512}, .batch = 1},
     "chunk_kib 0 twiddle_products 3 points_per_thread 8 threads 64"},
    {{.type = ARGAND_R32, .rank = 2, .n = {512, 512}, .batch = 8}, "chunk_kib 0 twiddle_products 3"}};

/* Calls that leave multiprocessors, or caches, with little to do: smaller groups, and no planes in a group,
 * clusters or persistent passes where few of those would be there. */
static void few_of_a_kind(void **state)
{
    (void)state;
    char name[FFT_VARIANT_CHARS];
    for (size_t i = 0; i < sizeof few_cases / sizeof *few_cases; i++) {
        const fft_problem p = whole(&few_cases[i].problem);
        guess_variant(name, &p, &hopper);
        if (strcmp(name, few_cases[i].wanted))
            fail_msg("%lld x %lld x %lld, %lld times: \"%s\", not \"%s\"", (long long)p.n[0],
                     (long long)p.n[1], (long long)p.n[2], (long long)p.batch, name, few_cases[i].wanted);
    }
}

static block_limits of_parameters(const char *name, const fft_problem *p)
{
    block_limits l = limits_of(name, type_is_double(p->type), 16);
    l.units = hopper.units;
    l.persistent = l.out_of_place = l.keyed = true;
    return l;
}

static int64_t below(random_state *r, int64_t n)
{
    return (int64_t)(random_uniform(r) * (double)n);
}

static void check_planned(const fft_problem *p, const device_traits *on)
{
    char name[FFT_VARIANT_CHARS];
    pass_program program;
    fft_geometry g;
    guess_variant(name, p, on);
    const block_limits l = of_parameters(name, p);
    problem_contiguous(&g, p, ARGAND_FORWARD);
    if (program_make(&program, p, &g, ARGAND_FORWARD, &l, true))
        fail_msg("%lld x %lld x %lld, %lld times, by \"%s\": %s", (long long)p->n[0], (long long)p->n[1],
                 (long long)p->n[2], (long long)p->batch, name, argand_message());
    program_release(&program);
}

/* Plans of what is guessed, whatever the lengths and however many there are. */
static void can_be_planned(void **state)
{
    (void)state;
    const int count = getenv("ARGAND_TEST_FEW") ? 60 : 1000;
    random_state r = {17};
    for (int k = 0; k < count; k++) {
        const bool is_double = below(&r, 3) == 0, reals = below(&r, 4) == 0;
        fft_problem p = {.type = reals       ? is_double ? ARGAND_R64 : ARGAND_R32
                                 : is_double ? ARGAND_C64
                                             : ARGAND_C32,
                         .rank = 1 + (int)below(&r, 3),
                         .batch = (int64_t)1 << below(&r, 9)};
        for (int d = 0; d < p.rank; d++) p.n[d] = 2 + below(&r, p.rank == 1 ? 20000 : 400);
        p = whole(&p);
        check_planned(&p, &hopper);
    }
}

/* Those that are divided where there are few: not all lengths have two short parts. */
static void all_lines_of_one_pass_can(void **state)
{
    (void)state;
    const device_traits no_units = {.fft_tuned = true, .bulk_copies = true};
    for (int64_t n = 2; n <= 16384; n += n < 4096 ? 17 : 1) {
        if (!has_radices(n)) continue;
        for (int is_double = 0; is_double < 2; is_double++) {
            const fft_problem p = {
                .type = is_double ? ARGAND_C64 : ARGAND_C32, .rank = 1, .n = {n}, .points = n, .batch = 4};
            check_planned(&p, &hopper);
            if (n % 64 == 0) check_planned(&p, &no_units);
        }
    }
}

/* Few of a kind are in more groups than many of them would be. */
static void all_have_some(void **state)
{
    (void)state;
    static const fft_problem cases[] = {{.type = ARGAND_C32, .rank = 2, .n = {256, 256}, .batch = 1},
                                        {.type = ARGAND_C32, .rank = 2, .n = {128, 128}, .batch = 2},
                                        {.type = ARGAND_C32, .rank = 1, .n = {256}, .batch = 512},
                                        {.type = ARGAND_C32, .rank = 1, .n = {10007}, .batch = 4},
                                        {.type = ARGAND_C64, .rank = 1, .n = {8192}, .batch = 8}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const fft_problem p = whole(&cases[i]);
        char name[FFT_VARIANT_CHARS];
        pass_program program;
        fft_geometry g;
        guess_variant(name, &p, &hopper);
        const block_limits l = of_parameters(name, &p);
        problem_contiguous(&g, &p, ARGAND_FORWARD);
        OK(program_make(&program, &p, &g, ARGAND_FORWARD, &l, true));
        for (int k = 0; k < program.count; k++)
            if (5 * program.pass[k].blocks < hopper.units)
                fail_msg("case %d, pass %d by \"%s\": %lld groups", (int)i, k, name,
                         (long long)program.pass[k].blocks);
        program_release(&program);
    }
}

/* Planes of reals that fit in a block are one pass, both ways; few of them are rows and columns. */
static void planes_of_reals(void **state)
{
    (void)state;
    static const struct {
        fft_problem problem;
        int passes;
    } cases[] = {{{.type = ARGAND_R32, .rank = 2, .n = {63, 90}, .batch = 1000}, 1},
                 {{.type = ARGAND_R32, .rank = 2, .n = {21, 125}, .batch = 400}, 1},
                 {{.type = ARGAND_R64, .rank = 2, .n = {196, 60}, .batch = 100}, 1},
                 {{.type = ARGAND_R32, .rank = 2, .n = {180, 180}, .batch = 300}, 1},
                 {{.type = ARGAND_R64, .rank = 2, .n = {180, 180}, .batch = 300}, 2},
                 {{.type = ARGAND_R32, .rank = 2, .n = {180, 180}, .batch = 8}, 2},
                 {{.type = ARGAND_R32, .rank = 2, .n = {175, 416}, .batch = 8}, 2},
                 {{.type = ARGAND_R32, .rank = 3, .n = {35, 27, 28}, .batch = 300}, 2},
                 {{.type = ARGAND_R64, .rank = 3, .n = {45, 45, 45}, .batch = 9}, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            const fft_problem p = whole(&cases[i].problem);
            char name[FFT_VARIANT_CHARS];
            pass_program program;
            fft_geometry g;
            guess_variant(name, &p, &hopper);
            const block_limits l = of_parameters(name, &p);
            problem_contiguous(&g, &p, (argand_direction)sign);
            OK(program_make(&program, &p, &g, (argand_direction)sign, &l, true));
            if (program.count != cases[i].passes)
                fail_msg("case %d, sign %d: %d passes, not %d", (int)i, sign, program.count, cases[i].passes);
            program_release(&program);
        }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(many_of_a_kind),
                                          cmocka_unit_test(few_of_a_kind),
                                          cmocka_unit_test(planes_of_reals),
                                          cmocka_unit_test(can_be_planned),
                                          cmocka_unit_test(all_lines_of_one_pass_can),
                                          cmocka_unit_test(all_have_some)};
RUN_TESTS(tests)
