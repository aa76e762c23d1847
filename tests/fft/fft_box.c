/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine of our own kernels against the sum in long double: rows, columns, planes, long lines in two and
 * three parts, odd numbers of lines, centred, real both ways, in place, other strides than the plan's. On a
 * CUDA device all lengths besides; OpenCL on a processor compiles each kernel for a second, so it takes one
 * of each kind. */
#include "direct.h"
#include "fft/engine.h"
#include "../../cli/fft_truth.h"

typedef struct shape {
    int rank;
    int64_t n[4];
    int64_t batch;
    argand_type type;
    bool centred;
} shape;

static bool is_here(void)
{
    setenv("ARGAND_FFT_ENGINE", "box", 1);
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    if (info.host_addressable) print_message("skipped: the host has no use for kernels of GPUs\n");
    return !info.host_addressable;
}

static bool is_fast(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return !info.is_processor;
}

static int64_t points_of(const shape *s)
{
    int64_t points = 1;
    for (int axis = 0; axis < s->rank; axis++) points *= s->n[axis];
    return points;
}

/* A long line by the truth that fft_six.c compares with sums and with FFTW. */
static void long_line(exact *x, int64_t n, int64_t stride, int sign, bool centred)
{
    const int64_t c = centred ? n / 2 : 0;
    truth *t = truth_create(n);
    exact *y = malloc((size_t)n * sizeof *y);
    assert_non_null(t);
    for (int64_t i = 0; i < n; i++) y[(i + n - c) % n] = x[i * stride];
    truth_apply(t, y, sign);
    for (int64_t k = 0; k < n; k++) x[k * stride] = y[(k + n - c) % n];
    free(y);
    truth_destroy(t);
}

/* As direct_fft, by sums where they do not take minutes. */
static void exact_fft(exact *x, const shape *s, int sign)
{
    const int64_t all = s->batch * points_of(s);
    for (int64_t axis = 0, stride = 1; axis < s->rank; stride *= s->n[axis++])
        for (int64_t i = 0; i < all; i++) {
            if (i / stride % s->n[axis]) continue;
            if (s->n[axis] > 256)
                long_line(x + i, s->n[axis], stride, sign, s->centred);
            else
                direct_line(x + i, s->n[axis], stride, sign, s->centred);
        }
}

static argand_array *array_for(const shape *s, argand_type type, int64_t n_0)
{
    int64_t dims[5] = {n_0};
    for (int axis = 1; axis < s->rank; axis++) dims[axis] = s->n[axis];
    dims[s->rank] = s->batch;
    return new_array(type, s->rank + 1, dims);
}

static argand_fft *plan_for(const shape *s)
{
    char words[1024];
    argand_fft_options options = {.type = s->type, .rank = s->rank, .batch = s->batch, .centred = s->centred};
    memcpy(options.n, s->n, sizeof s->n);
    argand_fft *plan = new_plan(&options);
    argand_fft_print(plan, words, sizeof words);
    if (!strstr(words, "(box")) fail_msg("not by our kernels: %s", words);
    return plan;
}

static bool is_smooth(int64_t n)
{
    for (int64_t d = 2; d <= 13; d++)
        while (n % d == 0) n /= d;
    return n == 1;
}

/* u is 2^-24 or 2^-53: a bound on the relative l2 error that good twiddles keep, and one for convolutions of
 * up to four times the length. */
static double bound(const shape *s)
{
    const double u = argand_type_size(s->type) == 4 || s->type == ARGAND_C32 ? 0x1p-24 : 0x1p-53;
    const double points = (double)points_of(s);
    for (int axis = 0; axis < s->rank; axis++)
        if (!is_smooth(s->n[axis])) return 2 * u * sqrt(log2(4 * points));
    return 0.8 * u * sqrt(log2(points < 4 ? 4 : points));
}

static void check(const char *what, const shape *s, double error)
{
    if (!(error <= bound(s)))
        fail_msg("%s of %lldx%lldx%lldx%lld batch %lld type %d: %g > %g", what, (long long)s->n[0],
                 (long long)s->n[1], (long long)s->n[2], (long long)s->n[3], (long long)s->batch, s->type,
                 error, bound(s));
}

static void complex_one(const shape *s)
{
    argand_fft *plan = plan_for(s);
    argand_array *x = array_for(s, s->type, s->n[0]), *y = array_for(s, s->type, s->n[0]);
    for (int sign = -1; sign <= 1; sign += 2) {
        randomise(x, 7 + (uint64_t)s->n[0], 0, 0);
        exact *wanted = exact_of(x), *before = exact_of(x);
        exact_fft(wanted, s, sign);
        OK(argand_fft_apply(plan, y, x, (argand_direction)sign));
        check("transform", s, distance(y, wanted, 1));
        assert_true(distance(x, before, 1) == 0);
        OK(argand_fft_apply(plan, x, x, (argand_direction)sign));
        check("transform in place", s, distance(x, wanted, 1));
        free(wanted);
        free(before);
    }
    argand_array_destroy(x);
    argand_array_destroy(y);
    argand_fft_destroy(plan);
}

static argand_type complex_of(argand_type type)
{
    return type == ARGAND_R64 || type == ARGAND_C64 ? ARGAND_C64 : ARGAND_C32;
}

/* Forward against the sum; back again, which must give N x. */
static void real_one(const shape *s)
{
    argand_fft *plan = plan_for(s);
    const int64_t half = s->n[0] / 2 + 1, lines = points_of(s) / s->n[0] * s->batch;
    argand_array *x = array_for(s, s->type, s->n[0]), *y = array_for(s, complex_of(s->type), half),
                 *z = array_for(s, s->type, s->n[0]);
    randomise(x, 5, 0, 0);
    exact *all = exact_of(x), *before = exact_of(x);
    exact_fft(all, s, -1);
    exact *wanted = malloc((size_t)(half * lines) * sizeof *wanted);
    for (int64_t i = 0; i < half * lines; i++) wanted[i] = all[i / half * s->n[0] + i % half];
    OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
    check("real transform", s, distance(y, wanted, 1));
    OK(argand_fft_apply(plan, z, y, ARGAND_INVERSE));
    check("half of the way there and back", s, distance(z, before, (long double)points_of(s)) / 2);
    check("a spectrum that was read", s, distance(y, wanted, 1));
    free(wanted);
    free(before);
    free(all);
    argand_array_destroy(z);
    argand_array_destroy(y);
    argand_array_destroy(x);
    argand_fft_destroy(plan);
}

static void one(const shape *s)
{
    static int asked;
    if (!in_part(asked++)) return;
    if (s->type == ARGAND_R32 || s->type == ARGAND_R64)
        real_one(s);
    else
        complex_one(s);
}

static void each_kind(void **state)
{
    (void)state;
    static const shape few[] = {
        {1, {16}, 7, ARGAND_C32, false},   {2, {15, 20}, 3, ARGAND_C64, true},
        {1, {4800}, 1, ARGAND_C32, true},  {2, {60, 14}, 1, ARGAND_R64, false},
        {1, {17}, 3, ARGAND_C32, true},    {1, {53}, 9, ARGAND_R32, false},
        {1, {106}, 3, ARGAND_R32, false},  {1, {38}, 3, ARGAND_R32, false},
        {2, {41, 6}, 3, ARGAND_C32, true}, {1, {512}, 5, ARGAND_R32, false},
        {1, {1000}, 3, ARGAND_R32, false},
    };
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
        {2, {256, 256}, 3, ARGAND_C32, false},   {2, {225, 243}, 3, ARGAND_C32, true},
        {2, {128, 128}, 3, ARGAND_C64, true},    {3, {240, 256, 3}, 2, ARGAND_C32, true},
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

/* Plans that are told how, and what their words have then. fast: for devices that are. */
typedef struct way {
    const char *words, *found;
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
        char words[1024];
        if (!in_part((int64_t)i) || (ways[i].fast && !is_fast()) ||
            (strstr(ways[i].found, "cluster") && !clusters))
            continue;
        setenv("ARGAND_FFT_BOX", ways[i].words, 1);
        argand_fft *plan = plan_for(&ways[i].s);
        argand_fft_print(plan, words, sizeof words);
        if (!strstr(words, ways[i].found)) fail_msg("%s: %s", ways[i].words, words);
        argand_fft_destroy(plan);
        complex_one(&ways[i].s);
        unsetenv("ARGAND_FFT_BOX");
    }
}

/* Volumes in two passes that share the middle axis, one of which is not for calls in place, and planes that
 * share the second one; volumes by clusters, on devices that have them: the shape of the first pass, or of
 * the cluster. */
static void volumes(void **state)
{
    (void)state;
    static const way ways[] = {
        {"share 4 tile 8", "(16x4x", {3, {16, 12, 10}, 2, ARGAND_C32, false}, false},
        {"share 6 tile 4", "(10x6x", {3, {10, 12, 15}, 1, ARGAND_C32, true}, false},
        {"share 10", "(12x10x", {3, {12, 20, 14}, 3, ARGAND_C64, true}, true},
        {"share 32 wave 0", "(96x32x", {3, {96, 64, 50}, 2, ARGAND_C32, false}, true},
        {"share 20", "(100x20x", {3, {100, 100, 100}, 1, ARGAND_C32, false}, true},
        {"share 16 wave 0", "(96x16x", {3, {96, 64, 50}, 2, ARGAND_C32, true}, true},
        {"share 4 deep 2 tile 4", "(16x4x", {3, {16, 12, 10}, 2, ARGAND_C32, false}, false},
        {"share 2 deep 5 tile 8", "(30x2x", {3, {30, 12, 15}, 1, ARGAND_C64, false}, true},
        {"share 8 deep 4 wave 0", "(96x8x", {3, {96, 64, 48}, 2, ARGAND_C32, false}, true},
        {"share 4", "(12x4x", {2, {12, 20}, 3, ARGAND_C32, false}, false},
        {"share 2 tile 4", "(15x2x", {2, {15, 12}, 2, ARGAND_C32, true}, false},
        {"share 10", "(33x10x", {2, {33, 60}, 2, ARGAND_C64, true}, true},
        {"share 4 radices 3208", "(256x4x", {2, {256, 12}, 3, ARGAND_C32, false}, false},
        {"share 8 wave 0", "(256x8x", {2, {256, 256}, 2, ARGAND_C32, false}, true},
        {"share 4 wave 0 values 32 tile 16", "(2048x4x", {2, {2048, 16}, 2, ARGAND_C32, true}, true},
        {"whole 8", "cluster 8", {3, {32, 32, 32}, 1, ARGAND_C32, false}, true},
        {"whole 4", "cluster 4", {3, {24, 30, 16}, 3, ARGAND_C32, true}, true},
        {"whole 16 cluster 16", "cluster 16", {3, {32, 32, 32}, 2, ARGAND_C32, true}, true},
        {"whole 8 way 1", "cluster 8", {3, {16, 32, 40}, 2, ARGAND_C32, true}, true},
        {"whole 8", "cluster 8", {3, {16, 32, 24}, 1, ARGAND_C64, false}, true}};
    check_ways(ways, sizeof ways / sizeof *ways);
}

/* What an item's first butterfly is turned by serves the others, in stages and between parts of long lines:
 * by tables, by arithmetic, all stages, several lines in a box, along columns, convolutions. */
static void turns_shared(void **state)
{
    (void)state;
    static const way ways[] = {
        {"values 32 radices 3216 products 7", "(512x1x1", {1, {512}, 1, ARGAND_C32, false}, false},
        {"values 32 radices 3216 products 7", "(512x", {1, {512}, 37, ARGAND_C32, true}, false},
        {"values 32 radices 3208 products 7", "(256x", {1, {256}, 9, ARGAND_C32, false}, false},
        {"values 32 products 7 wave 0", "x512x1 by 32' 16'", {2, {64, 512}, 2, ARGAND_C32, false}, false},
        {"wave 0 no_cluster 1 values 32 products 7 head 512 first_large 1",
         "x512x1 by 32' 16'",
         {1, {65536}, 1, ARGAND_C32, false},
         false},
        {"values 32 radices 321608 products 5", "(4096x", {1, {4096}, 1, ARGAND_C32, true}, false},
        {"values 32 radices 321608 products 6", "(4096x", {1, {4096}, 1, ARGAND_C32, false}, false},
        {"values 32 radices 323216 products 6", "(16384x1x1", {1, {16384}, 1, ARGAND_C32, false}, true},
        {"turning 7", "(box", {1, {1042}, 3, ARGAND_C32, false}, false},
        {"turning 7", "(box", {1, {1042}, 3, ARGAND_C64, true}, false}};
    check_ways(ways, sizeof ways / sizeof *ways);
}

/* Bluestein's lines whose stages there and back are a loop. */
static void convolutions(void **state)
{
    (void)state;
    static const way ways[] = {
        {"looped 2 convolution 2160 radices 121512", "(2160x", {1, {1042}, 2, ARGAND_C32, false}, false},
        {"looped 2 convolution 2160 radices 121512", "(2160x", {1, {1042}, 3, ARGAND_C32, true}, false},
        {"looped 2", "(box", {1, {1999}, 2, ARGAND_C64, false}, true},
        {"looped 2 convolution 8400 radices 202120", "(8400x", {1, {4099}, 3, ARGAND_C32, true}, true},
        {"looped 1 convolution 8400 radices 212020", "(8400x", {1, {4099}, 1, ARGAND_C32, false}, true},
        {"looped 1 convolution 20412 radices 272827", "(20412x", {1, {10007}, 2, ARGAND_C32, false}, true},
        {"convolution 20736 radices 12121212 turning 3 values 24",
         "(20736x",
         {1, {10007}, 2, ARGAND_C32, false},
         true},
        {"looped 0 convolution 20412 radices 282727", "(20412x", {1, {10007}, 2, ARGAND_C32, false}, true}};
    check_ways(ways, sizeof ways / sizeof *ways);
}

/* Lines without radices in clusters: stages that are once in the kernel for several ways. */
static void convolutions_in_clusters(void **state)
{
    (void)state;
    static const way ways[] = {
        {"fused 16 cluster 2", "cluster 2", {1, {257}, 5, ARGAND_C32, false}, false},
        {"fused 16 cluster 2", "cluster 2", {1, {127}, 4, ARGAND_C32, false}, false},
        {"fused 16 cluster 2", "cluster 2", {1, {1153}, 3, ARGAND_C32, false}, false},
        {"fused 16 cluster 2", "cluster 2", {1, {1033}, 3, ARGAND_C32, false}, false},
        {"wave 0", "cluster 8", {1, {65537}, 2, ARGAND_C32, false}, true},
        {"once 2 turning 3 products 3", "cluster 8", {1, {65537}, 1, ARGAND_C32, false}, true},
        {"wave 0", "cluster 8", {1, {20011}, 3, ARGAND_C32, false}, true},
        {"wave 0 products 3", "cluster 8", {1, {32003}, 2, ARGAND_C32, false}, true},
        {"wave 0", "cluster 8", {1, {10007}, 2, ARGAND_C64, false}, true}};
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
 * that a group has several of, all ways to turn. */
static void short_convolutions(void **state)
{
    (void)state;
    static const way ways[] = {
        {"convolution 1280", "(1280x", {1, {643}, 7, ARGAND_C32, false}, false},
        {"convolution 1280 chirp 0", "(1280x", {1, {643}, 7, ARGAND_C32, true}, false},
        {"convolution 1280 looped 2", "(1280x", {1, {643}, 7, ARGAND_C64, false}, false},
        {"convolution 1280", "1280x", {2, {3, 643}, 2, ARGAND_C32, false}, false},
        {"convolution 1280 turning 3", "1280x", {2, {643, 643}, 1, ARGAND_C32, true}, true},
        {"convolution 8192 radices 321616", "(8192x", {1, {4099}, 3, ARGAND_C32, false}, true},
        {"convolution 8192", "(8192x", {1, {4099}, 3, ARGAND_C64, false}, true},
        {"convolution 8190 radices 262115", "(8190x", {1, {4099}, 3, ARGAND_C32, true}, true},
        {"convolution 8400", "(8400x", {1, {4099}, 3, ARGAND_C32, false}, true},
    };
    check_ways(ways, sizeof ways / sizeof *ways);
}

/* Real lines longer than a box: as pairs in two passes, as complex lines where half the length has no two
 * even parts, as a convolution. */
static void long_real_lines(void **state)
{
    (void)state;
    static const shape few[] = {
        {1, {8400}, 5, ARGAND_R32, false},    {2, {8448, 3}, 1, ARGAND_R64, false},
        {1, {8450}, 3, ARGAND_R32, false},    {1, {5005}, 2, ARGAND_R32, false},
        {2, {4375, 2}, 2, ARGAND_R64, false}, {1, {4099}, 2, ARGAND_R32, false},
    };
    static const shape large[] = {
        {1, {32768}, 3, ARGAND_R32, false}, {1, {65536}, 2, ARGAND_R32, false},
        {1, {30030}, 3, ARGAND_R32, false}, {1, {16385}, 3, ARGAND_R32, false},
        {1, {40040}, 2, ARGAND_R64, false}, {1, {33075}, 2, ARGAND_R64, false},
        {1, {65537}, 1, ARGAND_R32, false}, {2, {46080, 3}, 2, ARGAND_R32, false},
    };
    if (!is_here()) skip();
    for (size_t i = 0; i < sizeof few / sizeof *few; i++) one(&few[i]);
    if (!is_fast()) return;
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) one(&large[i]);
}

/* Half the spectrum of one line, by the host in double precision. */
static exact *half_by_host(const exact *line, int64_t n)
{
    argand_device *host;
    argand_fft *plan;
    argand_array *x, *y;
    const int64_t half = n / 2 + 1;
    double *reals = malloc((size_t)n * sizeof *reals);
    for (int64_t i = 0; i < n; i++) reals[i] = (double)creall(line[i]);
    unsetenv("ARGAND_FFT_ENGINE");
    OK(argand_device_open(&host, "cpu"));
    OK(argand_array_create(&x, host, ARGAND_R64, 1, &n));
    OK(argand_array_create(&y, host, ARGAND_C64, 1, &half));
    OK(argand_array_upload(x, reals));
    OK(argand_fft_create(&plan, host, &(argand_fft_options){.type = ARGAND_R64, .rank = 1, .n = {n}}));
    OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
    exact *wanted = exact_of(y);
    argand_fft_destroy(plan);
    argand_array_destroy(y);
    argand_array_destroy(x);
    argand_device_close(host);
    free(reals);
    return wanted;
}

/* Three passes, where sums take too long. */
static void real_in_three(void **state)
{
    (void)state;
    if (!is_here()) skip();
    const shape s = {1, {531441}, 1, ARGAND_R32, false};
    const int64_t half = s.n[0] / 2 + 1;
    argand_fft *plan = plan_for(&s);
    argand_array *x = array_for(&s, s.type, s.n[0]), *y = array_for(&s, ARGAND_C32, half);
    randomise(x, 9, 0, 0);
    exact *before = exact_of(x), *wanted = half_by_host(before, s.n[0]);
    OK(argand_fft_apply(plan, y, x, ARGAND_FORWARD));
    check("a long real line", &s, distance(y, wanted, 1));
    OK(argand_fft_apply(plan, x, y, ARGAND_INVERSE));
    check("a long real line there and back", &s, distance(x, before, (long double)s.n[0]) / 2);
    free(before);
    free(wanted);
    argand_array_destroy(y);
    argand_array_destroy(x);
    argand_fft_destroy(plan);
}

/* The first numbers of the spectrum of each line. */
static exact *half_of(const exact *lines, const shape *s)
{
    const int64_t half = s->n[0] / 2 + 1;
    exact *all = malloc((size_t)(s->n[0] * s->batch) * sizeof *all),
          *wanted = malloc((size_t)(half * s->batch) * sizeof *wanted);
    memcpy(all, lines, (size_t)(s->n[0] * s->batch) * sizeof *all);
    exact_fft(all, s, -1);
    for (int64_t i = 0; i < half * s->batch; i++) wanted[i] = all[i / half * s->n[0] + i % half];
    free(all);
    return wanted;
}

/* Forward from one view to the other and back again. */
static void there_and_back(const shape *s, argand_array *reals, argand_array *half, uint64_t seed)
{
    argand_fft *plan = plan_for(s);
    argand_array *x = array_for(s, s->type, s->n[0]);
    randomise(x, seed, 0, 0);
    exact *before = exact_of(x), *wanted = half_of(before, s);
    OK(argand_array_copy(reals, x));
    OK(argand_fft_apply(plan, half, reals, ARGAND_FORWARD));
    check("real transform of a view", s, distance(half, wanted, 1));
    OK(argand_fft_apply(plan, reals, half, ARGAND_INVERSE));
    check("a view there and back", s, distance(reals, before, (long double)s->n[0]) / 2);
    free(before);
    free(wanted);
    argand_array_destroy(x);
    argand_fft_destroy(plan);
}

/* Reals in the memory of their half spectra, rows padded. */
static void real_in_place(const shape *s)
{
    const int64_t row = s->n[0] / 2 + 3;
    argand_array *all = new_array(complex_of(s->type), 2, (int64_t[]){row, s->batch}), *half, reals;
    OK(argand_array_view(&half, all, 2, (int64_t[]){s->n[0] / 2 + 1, s->batch}, (int64_t[]){1, row}, 0));
    reals = *all;
    reals.type = s->type;
    reals.dims[0] = s->n[0];
    reals.strides[1] = 2 * row;
    reals.count = s->n[0] * s->batch;
    there_and_back(s, &reals, half, 21);
    argand_array_destroy(half);
    argand_array_destroy(all);
}

/* Elements of a line apart by `stride`, lines by `row`, from element `start` on. */
static void real_apart(const shape *s, int64_t stride, int64_t row, int64_t start)
{
    const int64_t room = start + stride * s->n[0] + row * s->batch;
    argand_array *x = new_array(s->type, 1, &room), *y = new_array(complex_of(s->type), 1, &room), *reals,
                 *half;
    OK(argand_array_view(&reals, x, 2, (int64_t[]){s->n[0], s->batch}, (int64_t[]){stride, row}, start));
    OK(argand_array_view(&half, y, 2, (int64_t[]){s->n[0] / 2 + 1, s->batch}, (int64_t[]){stride, row},
                         start));
    there_and_back(s, reals, half, 22);
    argand_array_destroy(half);
    argand_array_destroy(reals);
    argand_array_destroy(y);
    argand_array_destroy(x);
}

static void real_views(void **state)
{
    (void)state;
    static const shape lines[] = {{1, {120}, 3, ARGAND_R32, false}, {1, {8400}, 3, ARGAND_R32, false}};
    if (!is_here()) skip();
    for (int i = 0; i < 2; i++) {
        const int64_t n = lines[i].n[0];
        real_in_place(&lines[i]);
        real_apart(&lines[i], 1, n + 2, 1); /* pairs at odd places */
        real_apart(&lines[i], 1, n + 3, 0); /* and in every second line */
        real_apart(&lines[i], 3, 1, 0);     /* across */
    }
}

/* Passes, bytes and work memory as the planner is told. */
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
    fft_engine_box.passes(&problem, device, "", ARGAND_FORWARD, &list);
    assert_int_equal(list.count, 1); /* a plane at a time */
    assert_int_equal(list.pass[0].read_bytes, 64 * 32 * 9 * 8);
    OK(problem_make(&problem,
                    &(argand_fft_options){.type = ARGAND_C32, .rank = 1, .n = {1 << 18}, .batch = 2}));
    list = (fft_passes){0};
    fft_engine_box.passes(&problem, device, "", ARGAND_FORWARD, &list);
    assert_int_equal(list.count, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(list.pass[i].read_bytes, (1 << 18) * 2 * 8);
        assert_true(list.pass[i].read_segment >= 64 && list.pass[i].write_segment >= 64);
    }
}

/* Any variant that words describe can be made, of which a few are listed; wisdom may name all of them, and
 * what is shipped does. */
static void wisdom_of_variants_not_listed(void **state)
{
    (void)state;
    if (!is_here()) skip();
    char chars[300];
    argand_fft *plan;
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    snprintf(chars, sizeof chars, "argand wisdom 1\ndevice\t%s\nc32 48\tbox\tspread 0 radices 60402\t1e-6\n",
             info.name);
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
                                          cmocka_unit_test(turns_shared),
                                          cmocka_unit_test(convolutions),
                                          cmocka_unit_test(convolutions_in_clusters),
                                          cmocka_unit_test(many_lengths),
                                          cmocka_unit_test(other_strides),
                                          cmocka_unit_test(long_real_lines),
                                          cmocka_unit_test(real_in_three),
                                          cmocka_unit_test(real_views),
                                          cmocka_unit_test(passes_are_told),
                                          cmocka_unit_test(wisdom_of_variants_not_listed)};
RUN_TESTS(tests)
