/* SPDX-License-Identifier: BSD-3-Clause */
/* Richardson-Lucy against the same iteration written out in double by direct sums; that it brings a blurred
 * and noisy volume nearer to the truth, up to its borders. */
#include "reference.h"
#include "array/array.h"
#include "device/device.h"

enum { MOST = 8192 };

/* Sizes of a problem, and the extended domain of the estimate. */
typedef struct lucy_case {
    int rank;
    int64_t n[3], k[3], wide[3]; /* wide: n + k - 1 */
} lucy_case;

static lucy_case case_of(int rank, const int64_t *n, const int64_t *k)
{
    lucy_case c = {.rank = rank, .n = {1, 1, 1}, .k = {1, 1, 1}};
    for (int d = 0; d < 3; d++) {
        if (d < rank) c.n[d] = n[d], c.k[d] = k[d];
        c.wide[d] = c.n[d] + c.k[d] - 1;
    }
    return c;
}

static int64_t volume(const int64_t *n)
{
    return n[0] * n[1] * n[2];
}

/* blurred[i] = sum_j h[j] x[i + k - 1 - j] (x from the first element that the kernel reaches), or its
 * transpose. */
static void blur(double *to, const double *from, const double *h, const lucy_case *c, bool transpose)
{
    memset(to, 0, (size_t)volume(transpose ? c->wide : c->n) * sizeof *to);
    for (int64_t i = 0; i < volume(c->n); i++)
        for (int64_t j = 0; j < volume(c->k); j++) {
            const int64_t y[3] = {i % c->n[0], i / c->n[0] % c->n[1], i / c->n[0] / c->n[1]},
                          u[3] = {j % c->k[0], j / c->k[0] % c->k[1], j / c->k[0] / c->k[1]};
            int64_t s[3];
            for (int d = 0; d < 3; d++) s[d] = y[d] + c->k[d] - 1 - u[d];
            const int64_t at = (s[2] * c->wide[1] + s[1]) * c->wide[0] + s[0];
            if (transpose)
                to[at] += h[j] * from[i];
            else
                to[i] += h[j] * from[at];
        }
}

static double slope(const double *x, const lucy_case *c, const int64_t *i, int64_t at, int64_t step, int d)
{
    return i[d] + 1 < c->wide[d] ? x[at + step] - x[at] : 0;
}

/* Component d of grad x / |grad x| at i. */
static double direction(const double *x, const lucy_case *c, const int64_t *i, int d, double least)
{
    const int64_t step[3] = {1, c->wide[0], c->wide[0] * c->wide[1]};
    const int64_t at = i[0] + step[1] * i[1] + step[2] * i[2];
    double size = least;
    for (int e = 0; e < 3; e++) size += pow(slope(x, c, i, at, step[e], e), 2);
    return slope(x, c, i, at, step[d], d) / sqrt(size);
}

static double divergence(const double *x, const lucy_case *c, int64_t at, double least)
{
    const int64_t i[3] = {at % c->wide[0], at / c->wide[0] % c->wide[1], at / c->wide[0] / c->wide[1]};
    double sum = 0;
    for (int d = 0; d < 3; d++) {
        int64_t before[3] = {i[0], i[1], i[2]};
        sum += direction(x, c, i, d, least);
        before[d]--;
        if (i[d]) sum -= direction(x, c, before, d, least);
    }
    return sum;
}

static void reference_lucy(double *x, const double *y, const double *h, const lucy_case *c, int iterations,
                           double background, double tv)
{
    double blurred[MOST], back[MOST], weight[MOST], ones[MOST], mean = 0, largest = 0, most = 0, next[MOST];
    const int64_t n = volume(c->n), wide = volume(c->wide);
    for (int64_t i = 0; i < n; i++) {
        mean += y[i] / (double)n;
        largest = fmax(largest, fabs(y[i]));
        ones[i] = 1;
    }
    blur(weight, ones, h, c, true);
    for (int64_t i = 0; i < wide; i++) most = fmax(most, weight[i]);
    for (int64_t i = 0; i < wide; i++) x[i] = mean - background;
    for (int it = 0; it < iterations; it++) {
        blur(blurred, x, h, c, false);
        for (int64_t i = 0; i < n; i++)
            blurred[i] = fmax(y[i], 0) / fmax(blurred[i] + background, 1e-7 * largest);
        blur(back, blurred, h, c, true);
        for (int64_t i = 0; i < wide; i++) {
            const double below = tv > 0 ? 1 - tv * divergence(x, c, i, pow(1e-7 * largest, 2)) : 1;
            next[i] = weight[i] > 0.01 * most ? x[i] * back[i] / weight[i] / fmax(below, 0.1) : 0;
        }
        memcpy(x, next, (size_t)wide * sizeof *x);
    }
}

/* Some bright balls on a dim ground. */
static void make_truth(double *truth, const lucy_case *c)
{
    random_state random = {5};
    double at[6][3];
    for (int b = 0; b < 6; b++)
        for (int d = 0; d < 3; d++) at[b][d] = random_uniform(&random) * (double)c->wide[d];
    for (int64_t i = 0; i < volume(c->wide); i++) {
        const double place[3] = {(double)(i % c->wide[0]), (double)(i / c->wide[0] % c->wide[1]),
                                 (double)(i / c->wide[0] / c->wide[1])};
        truth[i] = 5;
        for (int b = 0; b < 6; b++) {
            double r = 0;
            for (int d = 0; d < 3; d++) r += pow(place[d] - at[b][d], 2);
            if (r < 5) truth[i] += 100;
        }
    }
}

static void make_kernel(double *h, const lucy_case *c)
{
    double sum = 0;
    for (int64_t j = 0; j < volume(c->k); j++) {
        const double u[3] = {(double)(j % c->k[0]), (double)(j / c->k[0] % c->k[1]),
                             (double)(j / c->k[0] / c->k[1])};
        double r = 0;
        for (int d = 0; d < 3; d++) r += pow((u[d] - (double)(c->k[d] / 2) + (d == 0 ? 0.3 : 0)) / 1.2, 2);
        sum += h[j] = exp(-0.5 * r);
    }
    for (int64_t j = 0; j < volume(c->k); j++) h[j] /= sum;
}

static argand_array *from_doubles(const double *numbers, int rank, const int64_t *n)
{
    argand_array *array;
    OK(argand_array_create(&array, device, ARGAND_R32, rank, n));
    const int64_t count = argand_array_count(array);
    float *floats = malloc((size_t)count * sizeof *floats);
    for (int64_t i = 0; i < count; i++) floats[i] = (float)numbers[i];
    OK(argand_array_upload(array, floats));
    free(floats);
    return array;
}

/* The image's part of an estimate. */
static void cut_image(double *to, const double *from, const lucy_case *c)
{
    for (int64_t i = 0; i < volume(c->n); i++) {
        const int64_t y[3] = {i % c->n[0], i / c->n[0] % c->n[1], i / c->n[0] / c->n[1]};
        int64_t s[3];
        for (int d = 0; d < 3; d++) s[d] = y[d] + c->k[d] - 1 - c->k[d] / 2;
        to[i] = from[(s[2] * c->wide[1] + s[1]) * c->wide[0] + s[0]];
    }
}

/* Argand's result in `result`; the plain one's in `wanted`, the truth's part in `truth`. */
static void run_lucy(double *result, double *wanted, double *truth, const lucy_case *c, int iterations,
                     double background, double tv, size_t memory)
{
    double whole[MOST], h[MOST], y[MOST], x[MOST];
    random_state random = {9};
    make_truth(whole, c);
    make_kernel(h, c);
    blur(y, whole, h, c, false);
    for (int64_t i = 0; i < volume(c->n); i++)
        y[i] = (double)(float)(y[i] + background + sqrt(y[i]) * random_normal(&random));
    for (int64_t j = 0; j < volume(c->k); j++) h[j] = (double)(float)h[j];
    argand_array *image = from_doubles(y, c->rank, c->n), *kernel = from_doubles(h, c->rank, c->k), *out;
    argand_deconv *deconv;
    argand_deconv_options o = {.conv = {.type = ARGAND_R32, .rank = c->rank},
                               .method = ARGAND_DECONV_RICHARDSON_LUCY,
                               .iterations = iterations,
                               .background = background,
                               .total_variation = tv};
    memcpy(o.conv.n, c->n, sizeof c->n);
    memcpy(o.conv.kernel, c->k, sizeof c->k);
    o.conv.memory = memory;
    OK(argand_array_create(&out, device, ARGAND_R32, c->rank, c->n));
    OK(argand_deconv_create(&deconv, device, &o));
    OK(argand_deconv_set_kernel(deconv, kernel));
    OK(argand_deconv_apply(deconv, out, image));
    double *got = as_doubles(out);
    memcpy(result, got, (size_t)volume(c->n) * sizeof *result);
    free(got);
    reference_lucy(x, y, h, c, iterations, background, tv);
    cut_image(wanted, x, c);
    cut_image(truth, whole, c);
    argand_deconv_destroy(deconv);
    argand_array_destroy(image);
    argand_array_destroy(kernel);
    argand_array_destroy(out);
}

/* A third more than the least that a plan takes: several tiles. */
static size_t tile_memory(const lucy_case *c)
{
    argand_deconv *deconv;
    argand_deconv_options o = {.conv = {.type = ARGAND_R32, .rank = c->rank},
                               .method = ARGAND_DECONV_RICHARDSON_LUCY};
    memcpy(o.conv.n, c->n, sizeof c->n);
    memcpy(o.conv.kernel, c->k, sizeof c->k);
    for (o.conv.memory = 512; argand_deconv_create(&deconv, device, &o);) o.conv.memory += o.conv.memory / 3;
    argand_deconv_destroy(deconv);
    return o.conv.memory;
}

static void as_written_out(void **state)
{
    static const struct {
        int rank;
        int64_t n[3], k[3];
        double background, tv;
    } cases[] = {{1, {97}, {6}, 0, 0},
                 {2, {30, 21}, {7, 4}, 3, 0},
                 {3, {12, 11, 9}, {5, 3, 4}, 0, 0},
                 {2, {25, 24}, {5, 5}, 0, 0.01},
                 {3, {10, 9, 8}, {3, 4, 5}, 1, 0.02},
                 {2, {5, 4}, {9, 7}, 0, 0}};
    double result[MOST], wanted[MOST], truth[MOST];
    (void)state;
    for (int i = 0; i < 6; i++) {
        const lucy_case c = case_of(cases[i].rank, cases[i].n, cases[i].k);
        for (int tiles = 0; tiles < 3; tiles++) {
            const size_t memory = tiles == 2 ? SIZE_MAX : tiles ? tile_memory(&c) : 0;
            run_lucy(result, wanted, truth, &c, 20, cases[i].background, cases[i].tv, memory);
            CHECK_BELOW(relative_error(result, wanted, (size_t)volume(c.n)), 2e-4);
        }
    }
}

/* Error against the truth within 5 % of the plain one's, less than the blurred image's, and in the outermost
 * elements not more than twice what it is inside. */
static void nearer_to_the_truth(void **state)
{
    double result[MOST], wanted[MOST], truth[MOST], edge = 0, inside = 0, edges = 0;
    const lucy_case c = case_of(3, (const int64_t[3]){14, 13, 12}, (const int64_t[3]){5, 5, 5});
    (void)state;
    run_lucy(result, wanted, truth, &c, 30, 0, 0, 0);
    const size_t n = (size_t)volume(c.n);
    CHECK_BELOW(relative_error(result, truth, n), 1.05 * relative_error(wanted, truth, n));
    for (size_t i = 0; i < n; i++) {
        const size_t x = i % 14, y = i / 14 % 13, z = i / 14 / 13;
        const bool at_edge = x == 0 || x == 13 || y == 0 || y == 12 || z == 0 || z == 11;
        *(at_edge ? &edge : &inside) += pow(result[i] - truth[i], 2);
        edges += at_edge;
    }
    CHECK_BELOW(sqrt(edge / edges), 2 * sqrt(inside / ((double)n - edges)));
}

static void refused(void **state)
{
    argand_deconv *deconv;
    argand_array *kernel, *image;
    const int64_t n = 32, k = 5;
    float taps[5] = {1, 2, -1, 2, 1}, numbers[32] = {0};
    (void)state;
    argand_deconv_options o = {.conv = {.type = ARGAND_R32, .rank = 1, .n = {n}, .kernel = {k}},
                               .method = ARGAND_DECONV_RICHARDSON_LUCY};
    OK(argand_array_create(&kernel, device, ARGAND_R32, 1, &k));
    OK(argand_array_create(&image, device, ARGAND_R32, 1, &n));
    OK(argand_array_upload(kernel, taps));
    OK(argand_deconv_create(&deconv, device, &o));
    FAILS(argand_deconv_set_kernel(deconv, kernel), ARGAND_NUMERIC, "without negative elements");
    FAILS(argand_deconv_apply(deconv, image, image), ARGAND_ARGUMENT, "no kernel");
    taps[2] = 1;
    OK(argand_array_upload(kernel, taps));
    OK(argand_deconv_set_kernel(deconv, kernel));
    FAILS(argand_deconv_apply(deconv, image, image), ARGAND_ARGUMENT, "share memory");
    argand_array *out;
    OK(argand_array_create(&out, device, ARGAND_R32, 1, &n));
    numbers[3] = NAN;
    OK(argand_array_upload(image, numbers));
    FAILS(argand_deconv_apply(deconv, out, image), ARGAND_NUMERIC, "holds NaN or infinity");
    argand_deconv_destroy(deconv);
    o.conv.type = ARGAND_C32;
    FAILS(argand_deconv_create(&deconv, device, &o), ARGAND_ARGUMENT, "needs real images");
    o.conv.type = ARGAND_R32;
    o.total_variation = -1;
    FAILS(argand_deconv_create(&deconv, device, &o), ARGAND_ARGUMENT, "total_variation");
    o.total_variation = 0;
    o.conv.mode = ARGAND_CONV_FULL;
    FAILS(argand_deconv_create(&deconv, device, &o), ARGAND_ARGUMENT, "mode");
    argand_array_destroy(kernel);
    argand_array_destroy(image);
    argand_array_destroy(out);
}

static argand_status all_of_it(const argand_deconv_options *o, const argand_array *kernel,
                               const argand_array *image, argand_array *out)
{
    argand_deconv *deconv;
    argand_status status = argand_deconv_create(&deconv, device, o);
    if (status == ARGAND_OK) status = argand_deconv_set_kernel(deconv, kernel);
    if (status == ARGAND_OK) status = argand_deconv_apply(deconv, out, image);
    argand_deconv_destroy(deconv);
    return status;
}

/* Each allocation fails once, which is an error (that all is given back, RUN_TESTS sees). On hosts alone:
 * drivers and compilers allocate as they like. */
static void allocations(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4 && device_is_host(device); kind++) {
        argand_deconv_options o = {.conv = {.type = ARGAND_R32, .rank = 2, .n = {14, 11}, .kernel = {3, 4}},
                                   .method = kind & 1 ? ARGAND_DECONV_RICHARDSON_LUCY : ARGAND_DECONV_WIENER,
                                   .iterations = 2,
                                   .total_variation = kind & 1 ? 0.01 : 0};
        if (kind & 2) o.conv.memory = SIZE_MAX;
        argand_array *image = new_images(&o.conv, ARGAND_R32, false),
                     *out = new_images(&o.conv, ARGAND_R32, true), *kernel = new_kernel(&o.conv, ARGAND_R32);
        randomise(image, 3, 0, 1);
        randomise(kernel, 4, 0, 1);
        argand_status status = ARGAND_MEMORY;
        for (long n = 1; status; n++) {
            argand_test_fail_allocation(n);
            status = all_of_it(&o, kernel, image, out);
            argand_test_fail_allocation(0);
            if (status) assert_int_equal(status, ARGAND_MEMORY);
            assert_true(n < 5000);
        }
        argand_array_destroy(image);
        argand_array_destroy(out);
        argand_array_destroy(kernel);
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(as_written_out),
                                          cmocka_unit_test(nearer_to_the_truth), cmocka_unit_test(refused),
                                          cmocka_unit_test(allocations)};
RUN_TESTS(tests)
