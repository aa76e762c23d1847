/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine of our own kernels against the sum in long double: rows, columns, planes, long lines in two and
 * three parts, odd numbers of lines, centred, real both ways, in place, other strides than the plan's. On a
 * CUDA device all lengths besides; OpenCL on a processor compiles each kernel for a second, so it takes one
 * of each kind. */
#include "tile_check.h"
#include "fft/plan/options.h"

static void each_kind(void **state)
{
    (void)state;
    static const shape few[] = {{1, {16}, 7, ARGAND_C32, false},    {2, {15, 20}, 3, ARGAND_C64, true},
                                {1, {4800}, 1, ARGAND_C32, true},   {2, {60, 14}, 1, ARGAND_R64, false},
                                {1, {17}, 3, ARGAND_C32, true},     {1, {53}, 9, ARGAND_R32, false},
                                {1, {106}, 3, ARGAND_R32, false},   {1, {38}, 3, ARGAND_R32, false},
                                {2, {41, 6}, 3, ARGAND_C32, true},  {1, {512}, 5, ARGAND_R32, false},
                                {1, {1000}, 3, ARGAND_R32, false},  {1, {10}, 77, ARGAND_C32, true},
                                {1, {15}, 41, ARGAND_C64, true},    {2, {17, 6}, 3, ARGAND_C32, true},
                                {1, {243}, 5, ARGAND_C32, true},    {1, {521}, 9, ARGAND_C32, true},
                                {2, {3, 127}, 2, ARGAND_C32, true}, {1, {2053}, 1, ARGAND_C64, true},
                                {1, {13176}, 2, ARGAND_C32, false}, {2, {3, 19703}, 1, ARGAND_C64, false}};
    if (!is_here()) skip();
    for (size_t i = 0; i < sizeof few / sizeof *few; i++) one(&few[i]);
}

/* Every length that has radices, and large ones; on devices that compile quickly. */
static void many_lengths(void **state)
{
    (void)state;
    static const shape large[] = {
        {1, {1}, 5, ARGAND_C32, false},          {2, {3, 35}, 2, ARGAND_C32, false},
        {3, {10, 6, 9}, 1, ARGAND_C32, false},   {1, {10007}, 3, ARGAND_C32, false},
        {2, {5, 65537}, 2, ARGAND_C32, false},   {1, {16384}, 3, ARGAND_C32, false},
        {1, {15360}, 2, ARGAND_C32, true},       {1, {8192}, 3, ARGAND_C64, false},
        {1, {13013}, 2, ARGAND_C32, false},      {2, {128, 128}, 3, ARGAND_C32, false},
        {2, {100, 150}, 2, ARGAND_C32, true},    {3, {64, 48, 36}, 1, ARGAND_C32, false},
        {2, {7, 4096}, 1, ARGAND_C32, false},    {2, {300, 2200}, 1, ARGAND_C32, false},
        {1, {30030}, 2, ARGAND_C32, false},      {1, {46656}, 1, ARGAND_C32, true},
        {1, {32768}, 1, ARGAND_C64, false},      {1, {1009}, 5, ARGAND_C32, true},
        {1, {4099}, 3, ARGAND_C64, false},       {1, {2018}, 3, ARGAND_R32, false},
        {2, {3, 521}, 3, ARGAND_C32, false},     {1, {8190}, 3, ARGAND_R32, false},
        {3, {30, 20, 44}, 2, ARGAND_R32, false}, {1, {65536}, 5, ARGAND_C32, true},
        {1, {59049}, 3, ARGAND_C32, false},      {1, {131072}, 2, ARGAND_C32, true},
        {1, {13176}, 60, ARGAND_C32, false},     {1, {99997}, 3, ARGAND_C64, false},
        {1, {13176}, 3, ARGAND_C32, true},       {2, {44485, 2}, 2, ARGAND_C32, false},
        {1, {271001}, 2, ARGAND_C32, false},     {2, {256, 256}, 3, ARGAND_C32, false},
        {2, {225, 243}, 3, ARGAND_C32, true},    {2, {128, 128}, 3, ARGAND_C64, true},
        {3, {240, 256, 3}, 2, ARGAND_C32, true},
    };
    if (!is_here() || !is_fast()) skip();
    for (int64_t n = 1; n <= 400; n += few() ? 97 : 1) {
        const int64_t primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47};
        int64_t rest = n;
        for (int i = 0; i < 15; i++)
            while (rest % primes[i] == 0) rest /= primes[i];
        if (rest > 1 && n % 4 == 1) continue;
        one(&(shape){1, {n}, 1 + n % 19, n % 5 ? ARGAND_C32 : ARGAND_C64, n % 3 == 0});
        if (n % 2) one(&(shape){2, {9, n}, 2, n % 5 ? ARGAND_C32 : ARGAND_C64, n % 3 == 0});
        one(&(shape){1, {n}, 1 + n % 7, n % 5 ? ARGAND_R32 : ARGAND_R64, false});
    }
    for (size_t i = 0; i < sizeof large / sizeof *large; i += few() ? 8 : 1) one(&large[i]);
}

/* Plans that are given a tuning, and what they have then. fast: for devices that are. */
typedef struct way {
    const char *parameters, *found;
    shape s;
    bool fast;
} way;

static void check_ways(const way *ways, size_t count)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    if (!is_here()) skip();
    for (size_t i = 0; i < count; i++) {
        const bool clusters = info.capability >= 90 && info.capability < 120;
        char parameters[1024];
        if (!in_part((int64_t)i) || (ways[i].fast && !is_fast()) ||
            (strstr(ways[i].found, "cluster") && !clusters))
            continue;
        setenv("ARGAND_FFT_TUNING", ways[i].parameters, 1);
        argand_fft *plan = plan_for(&ways[i].s);
        argand_fft_print(plan, parameters, sizeof parameters);
        if (!strstr(parameters, ways[i].found)) fail_msg("%s: %s", ways[i].parameters, parameters);
        argand_fft_destroy(plan);
        complex_one(&ways[i].s);
        unsetenv("ARGAND_FFT_TUNING");
    }
}

/* Volumes in two passes that share the middle axis, one of which is not for calls in place, and planes that
 * share the second one; volumes by clusters, on devices that have them: the shape of the first pass, or of
 * the cluster. */
static void volumes(void **state)
{
    (void)state;
    static const way ways[] = {
        {"split_second 4 tile_lines 8", "(16x4x", {3, {16, 12, 10}, 2, ARGAND_C32, false}, false},
        {"split_second 6 tile_lines 4", "(10x6x", {3, {10, 12, 15}, 1, ARGAND_C32, true}, false},
        {"split_second 10", "(12x10x", {3, {12, 20, 14}, 3, ARGAND_C64, true}, true},
        {"split_second 32 chunk_kib 0", "(96x32x", {3, {96, 64, 50}, 2, ARGAND_C32, false}, true},
        {"split_second 20", "(100x20x", {3, {100, 100, 100}, 1, ARGAND_C32, false}, true},
        {"split_second 16 chunk_kib 0", "(96x16x", {3, {96, 64, 50}, 2, ARGAND_C32, true}, true},
        {"split_second 4 split_last 2 tile_lines 4",
         "(16x4x",
         {3, {16, 12, 10}, 2, ARGAND_C32, false},
         false},
        {"split_second 3 split_last 5 tile_lines 4", "(10x3x", {3, {10, 12, 15}, 2, ARGAND_C32, true}, false},
        {"split_second 5 tile_lines 4", "(8x5x", {3, {8, 15, 6}, 2, ARGAND_C64, true}, false},
        {"split_second 5 split_last 4 points_per_thread 32 prefetch_next 1 streaming 2",
         "(64x5x",
         {3, {64, 40, 32}, 1, ARGAND_C32, true},
         true},
        {"split_second 4 split_last 2 tile_lines 4", "(16x4x", {3, {16, 12, 10}, 2, ARGAND_C64, true}, true},
        {"split_second 5 split_last 3", "(96x5x", {3, {96, 45, 27}, 1, ARGAND_C32, true}, true},
        {"split_second 2 split_last 5 tile_lines 8", "(30x2x", {3, {30, 12, 15}, 1, ARGAND_C64, false}, true},
        {"split_second 8 split_last 4 chunk_kib 0", "(96x8x", {3, {96, 64, 48}, 2, ARGAND_C32, false}, true},
        {"split_second 4", "(12x4x", {2, {12, 20}, 3, ARGAND_C32, false}, false},
        {"split_second 2 tile_lines 4", "(15x2x", {2, {15, 12}, 2, ARGAND_C32, true}, false},
        {"split_second 10", "(33x10x", {2, {33, 60}, 2, ARGAND_C64, true}, true},
        {"split_second 4 radices 3208", "(256x4x", {2, {256, 12}, 3, ARGAND_C32, false}, false},
        {"split_second 8 chunk_kib 0", "(256x8x", {2, {256, 256}, 2, ARGAND_C32, false}, true},
        {"split_second 4 chunk_kib 0 points_per_thread 32 tile_lines 16",
         "(2048x4x",
         {2, {2048, 16}, 2, ARGAND_C32, true},
         true}};
    check_ways(ways, sizeof ways / sizeof *ways);
}

/* The twiddles of an item's first butterfly serve the others, in stages and between parts of long lines:
 * by tables, by arithmetic, all stages, several lines in a tile, along columns, convolutions. */
static void twiddles_shared(void **state)
{
    (void)state;
    static const way ways[] = {
        {"points_per_thread 32 radices 3216 twiddle_products 7",
         "(512x1x1",
         {1, {512}, 1, ARGAND_C32, false},
         false},
        {"points_per_thread 32 radices 3216 twiddle_products 7",
         "(512x",
         {1, {512}, 37, ARGAND_C32, true},
         false},
        {"points_per_thread 32 radices 3208 twiddle_products 7",
         "(256x",
         {1, {256}, 9, ARGAND_C32, false},
         false},
        {"points_per_thread 32 twiddle_products 7 chunk_kib 0",
         "x512x1 by 32' 16'",
         {2, {64, 512}, 2, ARGAND_C32, false},
         false},
        {"chunk_kib 0 no_cluster 1 points_per_thread 32 twiddle_products 7 first_part 512 falling_radices 1",
         "x512x1 by 32' 16'",
         {1, {65536}, 1, ARGAND_C32, false},
         false},
        {"points_per_thread 32 radices 321608 twiddle_products 5",
         "(4096x",
         {1, {4096}, 1, ARGAND_C32, true},
         false},
        {"points_per_thread 32 radices 321608 twiddle_products 6",
         "(4096x",
         {1, {4096}, 1, ARGAND_C32, false},
         false},
        {"points_per_thread 32 radices 323216 twiddle_products 6",
         "(16384x1x1",
         {1, {16384}, 1, ARGAND_C32, false},
         true},
        {"convolution_twiddles 7", "(native", {1, {1042}, 3, ARGAND_C32, false}, false},
        {"convolution_twiddles 7", "(native", {1, {1042}, 3, ARGAND_C64, true}, false}};
    check_ways(ways, sizeof ways / sizeof *ways);
}

/* Bluestein's lines whose forward and inverse stages are a loop. */
static void convolutions(void **state)
{
    (void)state;
    static const way ways[] = {
        {"stage_loop 2 convolution_points 2160 radices 121512",
         "(2160x",
         {1, {1042}, 2, ARGAND_C32, false},
         false},
        {"stage_loop 2 convolution_points 2160 radices 121512",
         "(2160x",
         {1, {1042}, 3, ARGAND_C32, true},
         false},
        {"stage_loop 2", "(native", {1, {1999}, 2, ARGAND_C64, false}, true},
        {"stage_loop 2", "(native", {1, {1999}, 2, ARGAND_C64, true}, true},
        {"stage_loop 2 convolution_points 8400 radices 202120",
         "(8400x",
         {1, {4099}, 3, ARGAND_C32, true},
         true},
        {"stage_loop 1 convolution_points 8400 radices 212020",
         "(8400x",
         {1, {4099}, 1, ARGAND_C32, false},
         true},
        {"stage_loop 1 convolution_points 20412 radices 272827",
         "(20412x",
         {1, {10007}, 2, ARGAND_C32, false},
         true},
        {"convolution_points 20736 radices 12121212 convolution_twiddles 3 points_per_thread 24",
         "(20736x",
         {1, {10007}, 2, ARGAND_C32, false},
         true},
        {"stage_loop 0 convolution_points 20412 radices 282727",
         "(20412x",
         {1, {10007}, 2, ARGAND_C32, false},
         true}};
    check_ways(ways, sizeof ways / sizeof *ways);
}

/* Centred lines in parts of any length: on both sides of what is between them both parts are rotated. */
static void centred_parts(void **state)
{
    (void)state;
    static const way ways[] = {
        {"no_cluster 1 chunk_kib 0 max_points 128 first_part 15",
         ") (",
         {1, {15 * 15}, 3, ARGAND_C32, true},
         false},
        {"no_cluster 1 chunk_kib 0 max_points 256 first_part 27",
         ") (",
         {1, {27 * 25}, 3, ARGAND_C32, true},
         false},
        {"no_cluster 1 chunk_kib 0 max_points 512 first_part 22",
         ") (",
         {1, {22 * 35}, 5, ARGAND_C64, true},
         false},
        {"no_cluster 1 chunk_kib 0 max_points 512 first_part 21",
         ") (",
         {1, {21 * 26}, 2, ARGAND_C64, true},
         false},
        {"no_cluster 1 chunk_kib 0 max_points 512 first_part 27",
         ") (",
         {2, {5, 27 * 21}, 2, ARGAND_C32, true},
         false},
        {"no_cluster 1 chunk_kib 0 max_points 256 first_part 13",
         ") (",
         {1, {13 * 15 * 9}, 2, ARGAND_C32, true},
         false},
        {"tail_kib 64 no_cluster 1", "persistent", {1, {25 * 49 * 27}, 20, ARGAND_C32, true}, true},
        {"any_cluster 1 cluster_blocks 16 first_part 729 send_order 1",
         "cluster 16",
         {1, {177147}, 3, ARGAND_C32, true},
         true},
        {"any_cluster 1 cluster_blocks 16 first_part 192 twiddle_products 7",
         "cluster 16",
         {1, {46656}, 3, ARGAND_C32, true},
         true},
        {"twiddle_products 3", "cluster 8", {1, {30030}, 3, ARGAND_C32, true}, true},
        {"twiddle_products 2 points_per_thread 12 send_order 3",
         "cluster 8",
         {1, {28561}, 3, ARGAND_C32, true},
         true}};
    check_ways(ways, sizeof ways / sizeof *ways);
}

/* Lines without radices that do not fit a tile, in three passes: chirps by arithmetic and by tables, rows
 * and columns. */
static void convolutions_in_passes(void **state)
{
    (void)state;
    static const way ways[] = {
        {"max_convolution 16 no_cluster 1", ") (", {1, {254}, 3, ARGAND_C32, false}, false},
        {"max_convolution 16 no_cluster 1", ") (", {1, {254}, 3, ARGAND_C32, true}, false},
        {"max_convolution 16 no_cluster 1", ") (", {1, {127}, 5, ARGAND_C64, true}, false},
        {"max_convolution 16 no_cluster 1", ") (", {2, {6, 127}, 2, ARGAND_C32, true}, false},
        {"", ") (", {1, {1000003}, 2, ARGAND_C32, true}, true},
        {"streaming 3 prefetch_next 1 cluster_threads 512 convolution_twiddles 7 twiddle_products 7",
         ") (",
         {1, {1000003}, 2, ARGAND_C32, true},
         true}};
    check_ways(ways, sizeof ways / sizeof *ways);
}

/* Lines without radices in clusters: stages that are once in the kernel for several ways. */
static void convolutions_in_clusters(void **state)
{
    (void)state;
    static const way ways[] = {
        {"max_convolution 16 max_cluster 2", "cluster 2", {1, {257}, 5, ARGAND_C32, false}, false},
        {"max_convolution 16 max_cluster 2", "cluster 2", {1, {127}, 4, ARGAND_C32, false}, false},
        {"max_convolution 16 max_cluster 2", "cluster 2", {1, {1153}, 3, ARGAND_C32, false}, false},
        {"max_convolution 16 max_cluster 2", "cluster 2", {1, {1033}, 3, ARGAND_C32, false}, false},
        {"chunk_kib 0", "cluster 8", {1, {65537}, 2, ARGAND_C32, false}, true},
        {"streaming 2 convolution_twiddles 3 twiddle_products 3",
         "cluster 8",
         {1, {65537}, 1, ARGAND_C32, false},
         true},
        {"chunk_kib 0", "cluster 8", {1, {20011}, 3, ARGAND_C32, false}, true},
        {"chunk_kib 0 twiddle_products 3", "cluster 8", {1, {32003}, 2, ARGAND_C32, false}, true},
        {"chunk_kib 0", "cluster 8", {1, {10007}, 2, ARGAND_C64, false}, true},
        {"max_convolution 16 max_cluster 2", "cluster 2", {1, {257}, 5, ARGAND_C32, true}, false},
        {"max_convolution 16 max_cluster 2", "cluster 2", {1, {1033}, 3, ARGAND_C64, true}, false},
        {"streaming 2 twiddle_products 3 cluster_loop 0",
         "cluster 8",
         {1, {65537}, 2, ARGAND_C32, true},
         true},
        {"chunk_kib 0", "cluster 8", {1, {65537}, 2, ARGAND_C32, true}, true},
        {"chunk_kib 0", "cluster 8", {1, {20011}, 3, ARGAND_C32, true}, true},
        {"chunk_kib 0", "cluster 4", {1, {16901}, 3, ARGAND_C32, true}, true},
        {"chunk_kib 0",
         "cluster 4",
         {1, {17011}, 3, ARGAND_C32, true},
         true}, /* number 0 is in a group's run */
        {"cluster_threads 224 cluster_loop 0", "cluster 8", {1, {10007}, 2, ARGAND_C64, true}, true}};
    check_ways(ways, sizeof ways / sizeof *ways);
}

/* A view with gaps, columns first; what lies in the gaps stays. */
static void other_strides(void **state)
{
    (void)state;
    if (!is_here()) skip();
    const shape s = {2, {12, 10}, 3, ARGAND_C32, false};
    argand_fft *plan = plan_for(&s);
    argand_array *all = new_array(ARGAND_C32, 1, (int64_t[]){1000}), *x = array_for(&s, ARGAND_C32, 12),
                 *view;
    randomise(all, 3, 0, 0);
    randomise(x, 4, 0, 0);
    double *before = as_doubles(all);
    OK(argand_array_view(&view, all, 3, (int64_t[]){12, 10, 3}, (int64_t[]){22, 2, 301}, 5));
    exact *wanted = exact_of(x);
    exact_fft(wanted, &s, -1);
    OK(argand_fft_apply(plan, view, x, ARGAND_FORWARD));
    check("transform into a view", &s, distance(view, wanted, 1));
    OK(argand_fft_apply(plan, view, view, ARGAND_INVERSE));
    double *after = as_doubles(all);
    for (int i = 0; i < 1000; i++) {
        const int at = i - 5, inside = at >= 0 && at % 301 < 263 && at % 301 % 2 == 0 && at / 301 < 3 &&
                                       at % 301 % 22 < 20;
        if (!inside && (before[2 * i] != after[2 * i] || before[2 * i + 1] != after[2 * i + 1]))
            fail_msg("element %d in a gap was written", i);
    }
    free(before);
    free(after);
    free(wanted);
    argand_array_destroy(view);
    argand_array_destroy(x);
    argand_array_destroy(all);
    argand_fft_destroy(plan);
}

/* Bluestein's, of as many points as it takes and of a few less: rows, columns, planes of two such axes, lines
 * that a group has several of, all twiddle modes. */
static void short_convolutions(void **state)
{
    (void)state;
    static const way ways[] = {
        {"convolution_points 1280", "(1280x", {1, {643}, 7, ARGAND_C32, false}, false},
        {"convolution_points 1280 stage_loop 2", "(1280x", {1, {643}, 7, ARGAND_C64, false}, false},
        {"convolution_points 1280", "1280x", {2, {3, 643}, 2, ARGAND_C32, false}, false},
        {"convolution_points 1280 convolution_twiddles 3",
         "1280x",
         {2, {643, 643}, 1, ARGAND_C32, true},
         true},
        {"convolution_points 8192 radices 321616", "(8192x", {1, {4099}, 3, ARGAND_C32, false}, true},
        {"convolution_points 8192", "(8192x", {1, {4099}, 3, ARGAND_C64, false}, true},
        {"convolution_points 8190 radices 262115", "(8190x", {1, {4099}, 3, ARGAND_C32, true}, true},
        {"convolution_points 8400", "(8400x", {1, {4099}, 3, ARGAND_C32, false}, true},
    };
    check_ways(ways, sizeof ways / sizeof *ways);
}

/* Passes, bytes and work memory as the planner learns them. */
static void passes_are_told(void **state)
{
    (void)state;
    if (!is_here()) skip();
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    fft_problem problem;
    fft_passes list = {0};
    OK(problem_make(&problem,
                    &(argand_fft_options){.type = ARGAND_C32, .rank = 2, .n = {64, 32}, .batch = 9}));
    fft_engine_native.passes(&problem, device, "", ARGAND_FORWARD, &list);
    assert_int_equal(list.count, 1); /* a plane at a time */
    assert_int_equal(list.pass[0].read_bytes, 64 * 32 * 9 * 8);
    OK(problem_make(&problem,
                    &(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {1 << 18}, .batch = 2}));
    list = (fft_passes){0};
    fft_engine_native.passes(&problem, device, "", ARGAND_FORWARD, &list);
    assert_int_equal(list.count, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(list.pass[i].read_bytes, (1 << 18) * 2 * 8);
        assert_true(list.pass[i].read_segment >= 64 && list.pass[i].write_segment >= 64);
    }
}

/* Any variant that tuning describes can be made, of which a few are listed; wisdom may name all of them, and
 * what is shipped does. */
static void wisdom_of_variants_not_listed(void **state)
{
    (void)state;
    if (!is_here()) skip();
    char chars[300];
    argand_fft *plan;
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    snprintf(chars, sizeof chars,
             "argand wisdom 1\ndevice\t%s\nc32 48\tnative\teven_blocks 0 radices 60402\t1e-6\n", info.name);
    OK(argand_fft_wisdom_import(chars));
    OK(argand_fft_create(&plan, device, &(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {48}}));
    argand_fft_print(plan, chars, sizeof chars);
    if (!strstr(chars, " 6 4 2 ")) fail_msg("%s", chars);
    argand_fft_destroy(plan);
    argand_fft_wisdom_forget();
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(each_kind),
                                          cmocka_unit_test(volumes),
                                          cmocka_unit_test(short_convolutions),
                                          cmocka_unit_test(twiddles_shared),
                                          cmocka_unit_test(convolutions),
                                          cmocka_unit_test(convolutions_in_clusters),
                                          cmocka_unit_test(convolutions_in_passes),
                                          cmocka_unit_test(centred_parts),
                                          cmocka_unit_test(many_lengths),
                                          cmocka_unit_test(other_strides),
                                          cmocka_unit_test(passes_are_told),
                                          cmocka_unit_test(wisdom_of_variants_not_listed)};
RUN_TESTS(tests)
