/* SPDX-License-Identifier: BSD-3-Clause */
/* Normal operators over several ranks against A^H W A by exact sums in double, and conjugate gradients on
 * them. */
#include "dist/copies.h"

#include <argand/dist_toeplitz.h>
#include "base/pi.h"
#include "dist/nccl_ranks.h"
#include "dist/values.h"

typedef struct problem {
    argand_type type;
    int rank;
    int64_t n[3];
    double tolerance;
    int samples; /* of each rank; those of odd rank have none if `gaps` */
    bool gaps, weighted;
    int vectors;
} problem;

static int samples_of(const problem *p, int rank)
{
    return p->gaps && rank % 2 ? 0 : p->samples + rank;
}

static double position(const problem *p, int rank, int i, int axis)
{
    return 1.1 * (double)p->n[axis] * noise(i, 7 * rank + axis);
}

static double weight(const problem *p, int rank, int i)
{
    return p->weighted ? 1 + noise(i, 500 + rank) : 1;
}

/* exp(-2 pi i k . r) of a sample and a pixel of the whole image */
static double complex wave_of(const problem *p, int rank, int i, int64_t pixel_number)
{
    double cycles = 0;
    for (int axis = 0; axis < p->rank; axis++) {
        const int64_t n = p->n[axis], at = pixel_number % n - n / 2;
        pixel_number /= n;
        cycles += position(p, rank, i, axis) * (double)at / (double)n;
    }
    return cexp(-2 * PI * I * cycles);
}

/* exact[n] += the part of T x of one rank's samples */
static void add_exact(double complex *exact, const problem *p, int64_t pixels, int rank, int vector)
{
    for (int i = 0; i < samples_of(p, rank); i++) {
        double complex s = 0;
        for (int64_t n = 0; n < pixels; n++) s += pixel(n, vector) * wave_of(p, rank, i, n);
        for (int64_t n = 0; n < pixels; n++)
            exact[n] += weight(p, rank, i) * s * conj(wave_of(p, rank, i, n));
    }
}

static argand_status run(argand_dist_toeplitz *t, argand_array *out, const argand_array *image,
                         argand_device *own)
{
    argand_array *x, *y;
    TRY(copy_to(&x, image, own));
    TRY(copy_to(&y, out, own));
    TRY(argand_dist_toeplitz_apply(t, y, x));
    return copy_back(out, y, x);
}

static argand_status make_operator(argand_dist_toeplitz **t, const problem *p, argand_comm *comm,
                                   argand_device *own)
{
    const int me = argand_comm_rank(comm);
    const int64_t count = samples_of(p, me);
    argand_array *k[3] = {NULL}, *weights = NULL;
    argand_device *host;
    TRY(argand_device_open(&host, "cpu"));
    argand_dist_toeplitz_options o = {
        .type = p->type, .rank = p->rank, .n = {p->n[0], p->n[1], p->n[2]}, .tolerance = p->tolerance};
    for (int axis = 0; axis < p->rank && count; axis++) {
        TRY(argand_array_create(&k[axis], host, ARGAND_R64, 1, &count));
        for (int i = 0; i < count; i++) ((double *)argand_array_data(k[axis]))[i] = position(p, me, i, axis);
        o.k[axis] = k[axis];
    }
    if (count && p->weighted) {
        TRY(argand_array_create(&weights, host, ARGAND_R64, 1, &count));
        for (int i = 0; i < count; i++) ((double *)argand_array_data(weights))[i] = weight(p, me, i);
        o.weights = weights;
    }
    const argand_status status = argand_dist_toeplitz_create(t, comm, own, &o);
    argand_array_destroy(weights);
    for (int axis = 0; axis < 3; axis++) argand_array_destroy(k[axis]);
    argand_device_close(host);
    return status;
}

static argand_status make_images(argand_array *images[], int count, const problem *p,
                                 const argand_dist_toeplitz_info *info)
{
    int64_t dims[4] = {1, 1, 1, 1};
    argand_device *host;
    if (!info->planes) return ARGAND_OK;
    TRY(argand_device_open(&host, "cpu"));
    for (int axis = 0; axis < p->rank; axis++) dims[axis] = axis == p->rank - 1 ? info->planes : p->n[axis];
    dims[p->rank] = p->vectors;
    for (int i = 0; i < count; i++) TRY(argand_array_create(&images[i], host, p->type, p->rank + 1, dims));
    argand_device_close(host);
    return ARGAND_OK;
}

static argand_status one_problem(argand_comm *comm, argand_device *own, void *context)
{
    const problem *p = context;
    argand_dist_toeplitz *t;
    argand_dist_toeplitz_info info;
    argand_array *images[2] = {NULL, NULL};
    double complex *exact;
    double sums[2] = {0};
    int64_t pixels = 1;
    TRY(make_operator(&t, p, comm, own));
    argand_dist_toeplitz_describe(t, &info);
    TRY(make_images(images, 2, p, &info));
    for (int axis = 0; axis < p->rank; axis++) pixels *= p->n[axis];
    const int64_t plane = pixels / p->n[p->rank - 1], part = plane * info.planes, first = plane * info.first;
    for (int v = 0; v < p->vectors; v++)
        for (int64_t i = 0; i < part; i++) put(images[0], i + v * part, pixel(first + i, v));
    TRY(run(t, images[1], images[0], own));
    TRY(NEW(exact, pixels));
    for (int v = 0; v < p->vectors; v++) {
        memset(exact, 0, (size_t)pixels * sizeof *exact);
        for (int r = 0; r < argand_comm_size(comm); r++) add_exact(exact, p, pixels, r, v);
        for (int64_t i = 0; i < part; i++) {
            const double off = cabs(get(images[1], i + v * part) - exact[first + i]),
                         size = cabs(exact[first + i]);
            sums[0] += off * off;
            sums[1] += size * size;
        }
    }
    TRY(argand_comm_sum_doubles(comm, sums, 2));
    const double error = sqrt(sums[0] / sums[1]), allowed = p->tolerance;
    RANK_CHECK(error <= allowed, "%d ranks: error %.3g of %.3g", argand_comm_size(comm), error, allowed);
    memory_free(exact);
    argand_array_destroy(images[1]);
    argand_array_destroy(images[0]);
    argand_dist_toeplitz_destroy(t);
    return ARGAND_OK;
}

/* <a, b>, real, over all ranks */
static argand_status product(double *sum, argand_comm *comm, const argand_array *a, const argand_array *b)
{
    argand_scalar own = {0, 0};
    if (a) TRY(argand_array_dot(&own, a, b));
    *sum = own.re;
    return argand_comm_sum_doubles(comm, sum, 1);
}

static argand_status add(argand_array *y, double a, const argand_array *x, double b)
{
    return y ? argand_array_axpby(y, (argand_scalar){a, 0}, x, (argand_scalar){b, 0}) : ARGAND_OK;
}

/* Conjugate gradients find x from T x, with inner products over the ranks. */
static argand_status gradients(argand_comm *comm, argand_device *own, void *context)
{
    const problem p = {ARGAND_C64, 2, {8, 9}, 1e-11, 400, false, true, 1};
    enum { X, B, R, D, TD, IMAGES };
    argand_dist_toeplitz *t;
    argand_dist_toeplitz_info info;
    argand_array *a[IMAGES] = {NULL};
    double rr, dd, last, off;
    (void)context;
    TRY(make_operator(&t, &p, comm, own));
    argand_dist_toeplitz_describe(t, &info);
    TRY(make_images(a, IMAGES, &p, &info));
    for (int64_t i = 0; i < 8 * info.planes; i++) put(a[B], i, pixel(8 * info.first + i, 0));
    TRY(run(t, a[R], a[B], own));
    TRY(add(a[D], 1, a[R], 0));
    TRY(product(&rr, comm, a[R], a[R]));
    const double begin = rr;
    for (int i = 0; i < 80 && rr > 1e-22 * begin; i++) {
        TRY(run(t, a[TD], a[D], own));
        TRY(product(&dd, comm, a[D], a[TD]));
        TRY(add(a[X], rr / dd, a[D], 1));
        TRY(add(a[R], -rr / dd, a[TD], 1));
        last = rr;
        TRY(product(&rr, comm, a[R], a[R]));
        TRY(add(a[D], 1, a[R], rr / last));
    }
    TRY(add(a[X], -1, a[B], 1));
    TRY(product(&off, comm, a[X], a[X]));
    TRY(product(&last, comm, a[B], a[B]));
    RANK_CHECK(sqrt(off / last) < 1e-8, "the image is off by %.3g", sqrt(off / last));
    for (int i = 0; i < IMAGES; i++) argand_array_destroy(a[i]);
    argand_dist_toeplitz_destroy(t);
    return ARGAND_OK;
}

static const problem problems[] = {
    {ARGAND_C32, 2, {12, 11}, 1e-5, 40, false, true, 1},
    {ARGAND_C64, 2, {7, 5}, 1e-10, 30, true, false, 6},
    {ARGAND_C64, 3, {5, 6, 7}, 1e-8, 30, false, true, 2},
    {ARGAND_C32, 3, {4, 9, 2}, 1e-5, 20, true, false, 1},
};

static void sums(void **state)
{
    (void)state;
    run_problems(one_problem, problems, sizeof problems / sizeof *problems, sizeof *problems);
}

static void over_nccl(void **state)
{
    (void)state;
    if (!on_cuda() || !nccl_is_there()) skip();
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
        run_devices(one_problem, (void *)&problems[i]);
}

static void solved(void **state)
{
    (void)state;
    if (!on_cpu()) skip();
    run_ranks(3, gradients, NULL);
}

static argand_status failures(argand_comm *comm, argand_device *own, void *context)
{
    const bool is_last = argand_comm_rank(comm) == argand_comm_size(comm) - 1;
    const int64_t two = 2;
    argand_dist_toeplitz *t;
    argand_array *k;
    (void)context;
    TRY(argand_array_create(&k, own, ARGAND_R64, 1, &two));
    argand_dist_toeplitz_options o = {.type = ARGAND_C32, .rank = 2, .n = {6, 6}, .k = {k, k}};
    if (is_last) ((double *)argand_array_data(k))[1] = INFINITY;
    RANK_CHECK(argand_dist_toeplitz_create(&t, comm, own, &o) == ARGAND_NUMERIC && !t,
               "an infinite position");
    if (is_last) o.k[1] = NULL;
    RANK_CHECK(argand_dist_toeplitz_create(&t, comm, own, &o) == ARGAND_ARGUMENT, "positions of one axis");
    o.k[0] = o.k[1] = NULL;
    o.tolerance = is_last ? 1 : 0;
    RANK_CHECK(argand_dist_toeplitz_create(&t, comm, own, &o) == ARGAND_ARGUMENT, "tolerance 1");
    argand_array_destroy(k);
    return ARGAND_OK;
}

static argand_status whole_life(argand_comm *comm, argand_device *own, void *context)
{
    argand_array *const *a = context;
    const argand_dist_toeplitz_options o = {.type = ARGAND_C32, .rank = 2, .n = {6, 8}, .k = {a[0], a[0]}};
    argand_dist_toeplitz *t;
    TRY(argand_dist_toeplitz_create(&t, comm, own, &o));
    const argand_status status = argand_dist_toeplitz_apply(t, a[2], a[1]);
    argand_dist_toeplitz_destroy(t);
    return status;
}

static argand_status allocations(argand_comm *comm, argand_device *own, void *context)
{
    const int64_t count = 20, dims[2] = {6, 8 / argand_comm_size(comm)};
    argand_array *a[3];
    (void)context;
    TRY(argand_array_create(&a[0], own, ARGAND_R64, 1, &count));
    for (int i = 0; i < count; i++)
        ((double *)argand_array_data(a[0]))[i] = 5 * noise(i, argand_comm_rank(comm));
    for (int i = 1; i < 3; i++) TRY(argand_array_create(&a[i], own, ARGAND_C32, 2, dims));
    const argand_status status = fail_allocations(comm, own, whole_life, a);
    for (int i = 0; i < 3; i++) argand_array_destroy(a[i]);
    return status;
}

static void failing(void **state)
{
    (void)state;
    run_failures(failures, allocations);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(sums), cmocka_unit_test(over_nccl),
                                          cmocka_unit_test(solved), cmocka_unit_test(failing),
                                          cmocka_unit_test(end_job)};
RUN_TESTS(tests)
