/* SPDX-License-Identifier: BSD-3-Clause */
/* NUFFTs over several ranks against exact sums in double. */
#include "dist/copies.h"

#include <argand/dist_nufft.h>
#include "base/pi.h"
#include "dist/nccl_ranks.h"
#include "dist/values.h"

/* Ends a rank's function if the call does not fail so. */
#define FAIL_ON_ALL(call, code, text)                                                                        \
    do {                                                                                                     \
        const argand_status all = (call);                                                                    \
        RANK_CHECK(all == (code) && strstr(argand_message(), text), "%s instead of \"%s\": %s", #call, text, \
                   all ? argand_message() : "no failure");                                                   \
    } while (0)

typedef enum scatter { EVERYWHERE, ONE_PLACE, FAR, ON_CELLS } scatter;

typedef struct problem {
    argand_nufft_options options;
    int points; /* of each rank; those of odd rank have none if `gaps` */
    bool gaps;
    scatter scatter;
    int vectors;
} problem;

static int points_of(const problem *p, int rank)
{
    return p->gaps && rank % 2 ? 0 : p->points + rank;
}

/* In cycles per field of view */
static double position(const problem *p, int rank, int i, int axis)
{
    const double n = (double)p->options.n[axis];
    switch (p->scatter) {
    case ONE_PLACE:
        return 0.3 * n + 1e-3 * noise(i, 7 * rank + axis);
    case FAR:
        return 1e7 * n * rint(8 * noise(i, rank + axis)) + n * noise(i, 100 + 7 * rank + axis);
    case ON_CELLS:
        return rint(n * noise(i, 7 * rank + axis));
    default:
        return 1.2 * n * noise(i, 7 * rank + axis);
    }
}

static double complex sample(int rank, int i, int vector)
{
    return noise(i, 3000 + 7 * rank + 100 * vector) + I * noise(i, 4000 + 7 * rank + 100 * vector);
}

/* k . r of pixel `i` of the whole image, k reduced to what the sum has of it */
static double cycles(const problem *p, const double k[3], int64_t i)
{
    double sum = 0;
    for (int axis = 0; axis < p->options.rank; axis++) {
        const int64_t n = p->options.n[axis], at = i % n - n / 2;
        i /= n;
        sum += fmod(k[axis], (double)n) * (double)at / (double)n;
    }
    return sum;
}

typedef struct part {
    argand_dist_nufft_info info;
    int64_t pixels, first, all;    /* of this rank's image; of the whole */
    argand_array *image, *samples; /* x, A x */
    argand_array *back, *given;    /* A^H y, y */
} part;

static argand_status make_part(part *q, const problem *p, argand_dist_nufft *plan)
{
    argand_device *own;
    int64_t dims[4] = {1, 1, 1, 1};
    const int rank = p->options.rank;
    TRY(argand_device_open(&own, "cpu"));
    argand_dist_nufft_describe(plan, &q->info);
    q->pixels = q->all = 1;
    for (int axis = 0; axis < rank; axis++) dims[axis] = p->options.n[axis], q->all *= dims[axis];
    dims[rank - 1] = q->info.planes;
    dims[rank] = p->vectors;
    for (int axis = 0; axis < rank; axis++) q->pixels *= dims[axis];
    q->first = q->info.first * (q->all / p->options.n[rank - 1]);
    const int64_t series[2] = {q->info.points_given, p->vectors};
    if (q->pixels) TRY(argand_array_create(&q->image, own, p->options.type, rank + 1, dims));
    if (q->pixels) TRY(argand_array_create(&q->back, own, p->options.type, rank + 1, dims));
    if (series[0]) TRY(argand_array_create(&q->samples, own, p->options.type, 2, series));
    if (series[0]) TRY(argand_array_create(&q->given, own, p->options.type, 2, series));
    argand_device_close(own); /* arrays keep it */
    return ARGAND_OK;
}

static argand_status run_apply(argand_dist_nufft *plan, part *q, argand_device *own)
{
    argand_array *in, *out;
    TRY(copy_to(&in, q->image, own));
    TRY(copy_to(&out, q->samples, own));
    TRY(argand_dist_nufft_apply(plan, out, in));
    return copy_back(q->samples, out, in);
}

static argand_status run_adjoint(argand_dist_nufft *plan, part *q, argand_device *own)
{
    argand_array *in, *out;
    TRY(copy_to(&in, q->given, own));
    TRY(copy_to(&out, q->back, own));
    TRY(argand_dist_nufft_adjoint(plan, out, in));
    return copy_back(q->back, out, in);
}

static void free_part(part *q)
{
    argand_array_destroy(q->given);
    argand_array_destroy(q->samples);
    argand_array_destroy(q->back);
    argand_array_destroy(q->image);
}

static void fill_part(part *q, const problem *p, int me)
{
    const int64_t points = q->info.points_given;
    for (int v = 0; v < p->vectors; v++) {
        for (int64_t i = 0; i < q->pixels; i++) put(q->image, i + v * q->pixels, pixel(q->first + i, v));
        for (int i = 0; i < points; i++) put(q->given, i + v * points, sample(me, i, v));
    }
}

/* The relative difference of <A x, y> and <x, A^H y>, over all ranks */
static argand_status compare_products(double *difference, const part *q, argand_comm *comm)
{
    argand_scalar a = {0, 0}, b = {0, 0};
    double out = 0, in = 0;
    if (q->samples) TRY(argand_array_dot(&a, q->samples, q->given));
    if (q->image) TRY(argand_array_dot(&b, q->image, q->back));
    if (q->samples) TRY(argand_array_norm(&out, q->samples));
    if (q->given) TRY(argand_array_norm(&in, q->given));
    double sums[6] = {a.re, a.im, b.re, b.im, out * out, in * in};
    TRY(argand_comm_sum_doubles(comm, sums, 6));
    *difference = hypot(sums[0] - sums[2], sums[1] - sums[3]) / sqrt(sums[4] * sums[5]);
    return ARGAND_OK;
}

static argand_status set_points(argand_dist_nufft *plan, const problem *p, argand_comm *comm)
{
    const int me = argand_comm_rank(comm);
    const int64_t count = points_of(p, me);
    argand_array *k[3] = {NULL};
    argand_status status = ARGAND_OK;
    argand_device *host;
    TRY(argand_device_open(&host, "cpu"));
    for (int axis = 0; axis < p->options.rank && count; axis++) {
        const double unit =
            p->options.units == ARGAND_NUFFT_RADIANS ? 2 * PI / (double)p->options.n[axis] : 1;
        TRY(argand_array_create(&k[axis], host, ARGAND_R64, 1, &count));
        for (int i = 0; i < count; i++)
            ((double *)argand_array_data(k[axis]))[i] = unit * position(p, me, i, axis);
    }
    status = argand_dist_nufft_set_points(plan, count ? k : NULL);
    for (int axis = 0; axis < 3; axis++) argand_array_destroy(k[axis]);
    argand_device_close(host);
    return status;
}

/* errors[0] and [1]: squares of the error and of the exact result on this rank */
static void check_samples(double *errors, const problem *p, const part *q, int me)
{
    const double sign = p->options.sign ? p->options.sign : -1;
    for (int i = 0; i < q->info.points_given; i++) {
        double k[3] = {0};
        for (int axis = 0; axis < p->options.rank; axis++) k[axis] = position(p, me, i, axis);
        for (int v = 0; v < p->vectors; v++) {
            double complex sum = 0;
            for (int64_t n = 0; n < q->all; n++)
                sum += pixel(n, v) * cexp(sign * 2 * PI * I * cycles(p, k, n));
            const double off = cabs(get(q->samples, i + v * q->info.points_given) - sum), size = cabs(sum);
            errors[0] += off * off;
            errors[1] += size * size;
        }
    }
}

static void check_image(double *errors, const problem *p, const part *q, int ranks)
{
    const double sign = p->options.sign ? p->options.sign : -1;
    for (int64_t n = 0; n < q->pixels; n++)
        for (int v = 0; v < p->vectors; v++) {
            double complex sum = 0;
            for (int r = 0; r < ranks; r++)
                for (int i = 0; i < points_of(p, r); i++) {
                    double k[3] = {0};
                    for (int axis = 0; axis < p->options.rank; axis++) k[axis] = position(p, r, i, axis);
                    sum += sample(r, i, v) * cexp(-sign * 2 * PI * I * cycles(p, k, q->first + n));
                }
            const double off = cabs(get(q->back, n + v * q->pixels) - sum), size = cabs(sum);
            errors[2] += off * off;
            errors[3] += size * size;
        }
}

/* Points at one place share their errors, which then do not average: they are allowed three times as much. */
static argand_status one_problem(argand_comm *comm, argand_device *own, void *context)
{
    const problem *p = context;
    const int me = argand_comm_rank(comm), ranks = argand_comm_size(comm);
    argand_dist_nufft *plan;
    part q = {.image = NULL};
    double errors[4] = {0}, difference, held;
    TRY(argand_dist_nufft_create(&plan, comm, own, &p->options));
    TRY(set_points(plan, p, comm));
    TRY(make_part(&q, p, plan));
    fill_part(&q, p, me);
    TRY(run_apply(plan, &q, own));
    TRY(run_adjoint(plan, &q, own));
    check_samples(errors, p, &q, me);
    check_image(errors, p, &q, ranks);
    TRY(argand_comm_sum_doubles(comm, errors, 4));
    const double tolerance = q.info.tolerance, out = sqrt(errors[0] / errors[1]),
                 back = sqrt(errors[2] / errors[3]);
    const double allowed = p->scatter == ONE_PLACE ? 3 * tolerance : tolerance;
    RANK_CHECK(out <= allowed && back <= allowed,
               "rank %d of %d, %dd %lldx%lldx%lld: errors %.3g and %.3g of %.3g", me, ranks, p->options.rank,
               (long long)q.info.n[0], (long long)q.info.n[1], (long long)q.info.n[2], out, back, allowed);
    TRY(compare_products(&difference, &q, comm));
    RANK_CHECK(difference <= (p->options.type == ARGAND_C64 ? 1e-12 : 1e-5), "not the adjoint: %.3g",
               difference);
    held = (double)q.info.points_held;
    TRY(argand_comm_sum_doubles(comm, &held, 1));
    RANK_CHECK(held == (double)q.info.points, "%g points of %lld are held", held, (long long)q.info.points);
    free_part(&q);
    argand_dist_nufft_destroy(plan);
    return ARGAND_OK;
}

static const problem problems[] = {
    {{.type = ARGAND_C32, .rank = 2, .n = {13, 17}, .tolerance = 1e-5}, 60, false, EVERYWHERE, 1},
    {{.type = ARGAND_C64, .rank = 2, .n = {20, 5}, .tolerance = 1e-11, .sign = 1}, 50, true, EVERYWHERE, 3},
    {{.type = ARGAND_C64, .rank = 3, .n = {6, 7, 11}, .tolerance = 1e-9}, 30, false, EVERYWHERE, 1},
    {{.type = ARGAND_C32, .rank = 3, .n = {9, 2, 3}, .tolerance = 1e-3, .units = ARGAND_NUFFT_RADIANS},
     30,
     true,
     EVERYWHERE,
     9},
    {{.type = ARGAND_C64, .rank = 3, .n = {5, 12, 1}, .tolerance = 1e-6, .oversampling = 1.25},
     40,
     false,
     ONE_PLACE,
     2},
    {{.type = ARGAND_C64, .rank = 2, .n = {12, 9}, .tolerance = 1e-7}, 40, false, FAR, 1},
    {{.type = ARGAND_C64, .rank = 2, .n = {16, 16}, .tolerance = 1e-6, .oversampling = 2},
     40,
     false,
     ON_CELLS,
     1},
};

enum { PROBLEMS = sizeof problems / sizeof *problems };

static void sums(void **state)
{
    (void)state;
    run_problems(one_problem, problems, PROBLEMS, sizeof *problems);
}

/* Grids go from device to device. */
static void over_nccl(void **state)
{
    (void)state;
    if (!on_cuda() || !nccl_is_there()) skip();
    for (size_t i = 0; i < PROBLEMS; i++) run_devices(one_problem, (void *)&problems[i]);
}

/* The last rank's failure reaches all ranks, and the plan is as before. */
static argand_status failures(argand_comm *comm, argand_device *own, void *context)
{
    problem p = {{.type = ARGAND_C32, .rank = 2, .n = {12, 10}}, 20, false, EVERYWHERE, 1}, none = p;
    const int last = argand_comm_rank(comm) == argand_comm_size(comm) - 1;
    const int64_t one = 1;
    argand_dist_nufft *plan, *refused;
    part q = {.image = NULL};
    argand_array *bad, *in, *out;
    (void)context;
    none.options.tolerance = last ? 2 : 0;
    FAIL_ON_ALL(argand_dist_nufft_create(&refused, comm, own, &none.options), ARGAND_ARGUMENT, "tolerance 2");
    none.options.tolerance = 0;
    none.options.n[1] += last;
    if (argand_comm_size(comm) > 1)
        FAIL_ON_ALL(argand_dist_nufft_create(&refused, comm, own, &none.options), ARGAND_ARGUMENT,
                    "gave other options");
    TRY(argand_dist_nufft_create(&plan, comm, own, &p.options));
    FAIL_ON_ALL(argand_dist_nufft_apply(plan, NULL, NULL), ARGAND_ARGUMENT, "has no points");
    TRY(set_points(plan, &p, comm));
    TRY(argand_array_create(&bad, own, ARGAND_R64, 1, &one));
    *(double *)argand_array_data(bad) = last ? NAN : 1;
    argand_array *const k[2] = {bad, bad};
    FAIL_ON_ALL(argand_dist_nufft_set_points(plan, k), ARGAND_NUMERIC, "position 0 of axis 0 is not finite");
    TRY(make_part(&q, &p, plan));
    fill_part(&q, &p, argand_comm_rank(comm));
    TRY(copy_to(&in, q.image, own));
    TRY(copy_to(&out, q.samples, own));
    FAIL_ON_ALL(argand_dist_nufft_apply(plan, last ? NULL : out, in), ARGAND_ARGUMENT, "no samples");
    TRY(copy_back(q.samples, out, in));
    TRY(run_apply(plan, &q, own));
    argand_array_destroy(bad);
    free_part(&q);
    argand_dist_nufft_destroy(plan);
    return ARGAND_OK;
}

typedef struct arrays {
    argand_array *k, *samples, *image;
} arrays;

/* All that a plan does, with arrays that are there already */
static argand_status whole_life(argand_comm *comm, argand_device *own, void *context)
{
    const argand_nufft_options o = {.type = ARGAND_C32, .rank = 2, .n = {12, 10}};
    const arrays *a = context;
    argand_array *const k[2] = {a->k, a->k};
    argand_dist_nufft *plan;
    TRY(argand_dist_nufft_create(&plan, comm, own, &o));
    argand_status status = argand_dist_nufft_set_points(plan, k);
    if (!status) status = argand_dist_nufft_apply(plan, a->samples, a->image);
    if (!status) status = argand_dist_nufft_adjoint(plan, a->image, a->samples);
    argand_dist_nufft_destroy(plan);
    return status;
}

static argand_status allocations(argand_comm *comm, argand_device *own, void *context)
{
    const int64_t count = 20, dims[2] = {12, 10 / argand_comm_size(comm)};
    arrays a;
    (void)context;
    TRY(argand_array_create(&a.k, own, ARGAND_R64, 1, &count));
    TRY(argand_array_create(&a.samples, own, ARGAND_C32, 1, &count));
    TRY(argand_array_create(&a.image, own, ARGAND_C32, 2, dims));
    for (int i = 0; i < count; i++)
        ((double *)argand_array_data(a.k))[i] = 5 * noise(i, argand_comm_rank(comm));
    const argand_status status = fail_allocations(comm, own, whole_life, &a);
    argand_array_destroy(a.image);
    argand_array_destroy(a.samples);
    argand_array_destroy(a.k);
    return status;
}

static void failing(void **state)
{
    (void)state;
    run_failures(failures, allocations);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(sums), cmocka_unit_test(over_nccl),
                                          cmocka_unit_test(failing), cmocka_unit_test(end_job)};
RUN_TESTS(tests)
