/* SPDX-License-Identifier: BSD-3-Clause */
/* argand bench dist --nufft: NUFFTs of an image in slabs, and their Toeplitz operator, over the ranks. Errors
 * are those of a few samples and pixels against direct sums over all ranks. */
#include "parts/dist_nufft.h"
#include "median.h"

#include <argand/argand.h>
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double TWO_PI = 6.283185307179586476925286766559;
enum { CHECKED = 4 };

typedef struct bench_case {
    const dist_nufft_settings *s;
    argand_comm *comm;
    argand_device *device;
    argand_dist_nufft *plan;
    argand_dist_toeplitz *toeplitz;
    argand_dist_nufft_info info;
    int64_t first, own, pixels; /* points of this rank; pixels of its image */
    double *k[3];
    argand_array *at[3], *image, *samples, *back;
    double plan_seconds, points_seconds, apply_seconds, adjoint_seconds, toeplitz_seconds;
    double apply_error, adjoint_error;
} bench_case;

/* Between -1 and 1; depends on the place in the whole image or in the list of all points alone. */
static double number(int64_t i)
{
    uint64_t z = (uint64_t)i * UINT64_C(0x9E3779B97F4A7C15) + 12345;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

static double position(const bench_case *c, int64_t point, int axis)
{
    return 0.5 * (double)c->s->n[axis] * number(8 * point + axis + 1000);
}

static double complex value(int64_t i)
{
    return number(2 * i) + I * number(2 * i + 1);
}

/* Sets the elements of all vectors to value(first), value(first + 1) ... */
static argand_status fill(argand_array *array, int64_t first, int64_t each)
{
    const int64_t count = argand_array_count(array);
    const bool is_double = argand_array_type(array) == ARGAND_C64;
    double complex *host = malloc((size_t)count * sizeof *host);
    if (!host) return report_error(ARGAND_MEMORY, "no memory for the numbers");
    for (int64_t i = 0; i < count; i++) {
        const double complex v = value(first + i % each);
        if (is_double)
            host[i] = v;
        else
            ((float complex *)host)[i] = (float complex)v;
    }
    const argand_status status = argand_array_upload(array, host);
    free(host);
    return status;
}

static argand_status element(double complex *out, const argand_array *array, int64_t i)
{
    const int64_t one = 1;
    argand_array *part;
    double complex number_of[1];
    argand_status status = argand_array_view(&part, array, 1, &one, &one, i);
    if (!status) status = argand_array_download(part, number_of);
    argand_array_destroy(part);
    if (status) return status;
    *out = argand_array_type(array) == ARGAND_C64 ? *number_of : *(float complex *)number_of;
    return ARGAND_OK;
}

/* This rank's part of a sample's sum, by phases of each axis. */
static double complex sample_terms(const bench_case *c, const double k[3])
{
    const int64_t *n = c->s->n, planes = c->info.planes, plane = c->pixels / (planes ? planes : 1),
                  rows = plane / n[0];
    double complex sum = 0, *x = malloc((size_t)n[0] * sizeof *x);
    for (int64_t i = 0; x && i < n[0]; i++)
        x[i] = cexp(-I * TWO_PI * k[0] * (double)(i - n[0] / 2) / (double)n[0]);
    for (int64_t row = 0; x && row < rows * planes; row++) {
        double complex of_row = 0;
        const int64_t y = c->s->rank == 3 ? row % rows : c->info.first + row, z = c->info.first + row / rows;
        const int64_t begin = c->info.first * plane + row * n[0];
        for (int64_t i = 0; i < n[0]; i++) of_row += value(begin + i) * x[i];
        double cycles = k[1] * (double)(y - n[1] / 2) / (double)n[1];
        if (c->s->rank == 3) cycles += k[2] * (double)(z - n[2] / 2) / (double)n[2];
        sum += of_row * cexp(-I * TWO_PI * cycles);
    }
    free(x);
    return sum;
}

/* The first points of rank 0, relative to the rms of white data */
static argand_status check_samples(bench_case *c)
{
    double all = 1;
    for (int axis = 0; axis < c->s->rank; axis++) all *= (double)c->s->n[axis];
    for (int64_t i = 0; i < CHECKED && i < c->info.points; i++) {
        double k[3] = {0};
        for (int axis = 0; axis < c->s->rank; axis++) k[axis] = position(c, i, axis);
        double complex got = 0;
        const double complex sum = sample_terms(c, k);
        if (i >= c->first && i < c->first + c->own) TRY(element(&got, c->samples, i - c->first));
        double both[4] = {creal(sum), cimag(sum), creal(got), cimag(got)};
        TRY(argand_comm_sum_doubles(c->comm, both, 4));
        c->apply_error =
            fmax(c->apply_error, hypot(both[0] - both[2], both[1] - both[3]) / sqrt(all * 2 / 3));
    }
    return ARGAND_OK;
}

/* Some pixels of the whole image */
static argand_status check_image(bench_case *c)
{
    const int64_t *n = c->s->n;
    int64_t all = 1;
    for (int axis = 0; axis < c->s->rank; axis++) all *= n[axis];
    for (int64_t i = 0; i < CHECKED; i++) {
        const int64_t pixel = (all / CHECKED * i + 7 * i + n[0] / 2) % all,
                      before = c->info.planes ? c->info.first * (c->pixels / c->info.planes) : 0;
        double complex sum = 0, got = 0;
        for (int64_t j = 0; j < c->own; j++) {
            double cycles = 0;
            int64_t rest = pixel;
            for (int axis = 0; axis < c->s->rank; rest /= n[axis++])
                cycles += c->k[axis][j] * (double)(rest % n[axis] - n[axis] / 2) / (double)n[axis];
            sum += value(c->first + j) * cexp(I * TWO_PI * cycles);
        }
        if (c->info.planes && pixel >= before && pixel < before + c->pixels)
            TRY(element(&got, c->back, pixel - before));
        double both[4] = {creal(sum), cimag(sum), creal(got), cimag(got)};
        TRY(argand_comm_sum_doubles(c->comm, both, 4));
        c->adjoint_error = fmax(c->adjoint_error, hypot(both[0] - both[2], both[1] - both[3]) /
                                                      sqrt((double)c->info.points * 2 / 3));
    }
    return ARGAND_OK;
}

/* ---- times ---- */

typedef argand_status step(const bench_case *c);

static argand_status apply(const bench_case *c)
{
    return argand_dist_nufft_apply(c->plan, c->samples, c->image);
}

static argand_status adjoint(const bench_case *c)
{
    return argand_dist_nufft_adjoint(c->plan, c->back, c->samples);
}

static argand_status normal(const bench_case *c)
{
    return argand_dist_toeplitz_apply(c->toeplitz, c->back, c->image);
}

static argand_status set_points(const bench_case *c)
{
    return argand_dist_nufft_set_points(c->plan, c->own ? c->at : NULL);
}

/* The longest of all ranks */
static argand_status time_once(const bench_case *c, step *s, double *seconds)
{
    const int ranks = argand_comm_size(c->comm);
    TRY(argand_comm_barrier(c->comm));
    const double start = seconds_now();
    TRY(s(c));
    TRY(argand_device_wait(c->device));
    const double mine = seconds_now() - start;
    double *all = malloc((size_t)ranks * sizeof *all);
    if (!all) return report_error(ARGAND_MEMORY, "no memory for the times");
    const argand_status status = argand_comm_gather(c->comm, all, &mine, sizeof mine);
    *seconds = 0;
    for (int r = 0; r < ranks; r++) *seconds = fmax(*seconds, all[r]);
    free(all);
    return status;
}

static argand_status time_step(const bench_case *c, step *s, double *seconds)
{
    double times[DIST_NUFFT_REPEATS];
    for (int i = 0; i < c->s->repeat; i++) TRY(time_once(c, s, &times[i]));
    *seconds = median_of(times, c->s->repeat);
    return ARGAND_OK;
}

static argand_status make_points(bench_case *c)
{
    const int ranks = argand_comm_size(c->comm), me = argand_comm_rank(c->comm);
    double all = 1;
    for (int axis = 0; axis < c->s->rank; axis++) all *= (double)c->s->n[axis];
    const int64_t total = c->s->points ? 1000 * (int64_t)c->s->points : (int64_t)all;
    c->first = total * me / ranks;
    c->own = total * (me + 1) / ranks - c->first;
    for (int axis = 0; axis < c->s->rank && c->own; axis++) {
        c->k[axis] = malloc((size_t)c->own * sizeof(double));
        if (!c->k[axis]) return report_error(ARGAND_MEMORY, "no memory for the positions");
        for (int64_t i = 0; i < c->own; i++) c->k[axis][i] = position(c, c->first + i, axis);
        TRY(argand_array_create(&c->at[axis], c->device, ARGAND_R64, 1, &c->own));
        TRY(argand_array_upload(c->at[axis], c->k[axis]));
    }
    return ARGAND_OK;
}

static argand_status make_arrays(bench_case *c)
{
    const int rank = c->s->rank;
    int64_t dims[4] = {1, 1, 1, 1};
    c->pixels = 1;
    for (int axis = 0; axis < rank; axis++) {
        dims[axis] = axis == rank - 1 ? c->info.planes : c->s->n[axis];
        c->pixels *= dims[axis];
    }
    dims[rank] = c->s->vectors;
    const int64_t series[2] = {c->own, c->s->vectors};
    if (c->own) TRY(argand_array_create(&c->samples, c->device, c->s->type, 2, series));
    if (!c->pixels) return ARGAND_OK;
    TRY(argand_array_create(&c->image, c->device, c->s->type, rank + 1, dims));
    TRY(argand_array_create(&c->back, c->device, c->s->type, rank + 1, dims));
    return fill(c->image, c->info.first * (c->pixels / c->info.planes), c->pixels);
}

static argand_status run_toeplitz(bench_case *c)
{
    argand_dist_toeplitz_options o = {.type = c->s->type,
                                      .rank = c->s->rank,
                                      .n = {c->s->n[0], c->s->n[1], c->s->n[2]},
                                      .k = {c->at[0], c->at[1], c->at[2]},
                                      .tolerance = c->s->tolerance};
    double unused;
    TRY(argand_dist_toeplitz_create(&c->toeplitz, c->comm, c->device, &o));
    TRY(time_once(c, normal, &unused));
    return time_step(c, normal, &c->toeplitz_seconds);
}

static argand_status run(bench_case *c)
{
    argand_nufft_options o = {.type = c->s->type,
                              .rank = c->s->rank,
                              .n = {c->s->n[0], c->s->n[1], c->s->n[2]},
                              .tolerance = c->s->tolerance,
                              .wait_for_kernels = true};
    double unused;
    TRY(argand_dist_nufft_create(&c->plan, c->comm, c->device, &o));
    TRY(make_points(c));
    TRY(time_once(c, set_points, &c->plan_seconds)); /* compiles kernels */
    TRY(time_step(c, set_points, &c->points_seconds));
    argand_dist_nufft_describe(c->plan, &c->info);
    TRY(make_arrays(c));
    TRY(time_once(c, apply, &unused));
    TRY(check_samples(c));
    TRY(time_step(c, apply, &c->apply_seconds));
    if (c->own) TRY(fill(c->samples, c->first, c->own));
    TRY(time_once(c, adjoint, &unused));
    TRY(check_image(c));
    TRY(time_step(c, adjoint, &c->adjoint_seconds));
    return run_toeplitz(c);
}

static void print_case(const bench_case *c, report *out)
{
    const argand_dist_nufft_info *i = &c->info;
    report_result(
        out,
        "\"size\":[%lld,%lld,%lld],\"ranks\":%d,\"points\":%lld,\"vectors\":%d,\"width\":%d,"
        "\"first_points\":%.6g,\"set_points\":%.6g,\"apply\":%.6g,\"adjoint\":%.6g,\"toeplitz\":%.6g,"
        "\"apply_error\":%.3g,\"adjoint_error\":%.3g",
        (long long)i->n[0], (long long)i->n[1], (long long)i->n[2], argand_comm_size(c->comm),
        (long long)i->points, c->s->vectors, i->width, c->plan_seconds, c->points_seconds, c->apply_seconds,
        c->adjoint_seconds, c->toeplitz_seconds, c->apply_error, c->adjoint_error);
    if (c->s->common->json) return;
    printf("nufft %lldx%lldx%lld %s, %d ranks, %lld points, %d vectors, grid %lldx%lldx%lld, width %d\n",
           (long long)i->n[0], (long long)i->n[1], (long long)i->n[2], argand_type_name(c->s->type),
           argand_comm_size(c->comm), (long long)i->points, c->s->vectors, (long long)i->grid[0],
           (long long)i->grid[1], (long long)i->grid[2], i->width);
    printf("set points %.2f ms (first %.0f), type 2 %.2f ms, type 1 %.2f ms, Toeplitz %.2f ms; errors %.1e, "
           "%.1e\n",
           1e3 * c->points_seconds, 1e3 * c->plan_seconds, 1e3 * c->apply_seconds, 1e3 * c->adjoint_seconds,
           1e3 * c->toeplitz_seconds, c->apply_error, c->adjoint_error);
}

argand_status dist_nufft_bench(const dist_nufft_settings *s, argand_comm *comm, argand_device *device,
                               report *out)
{
    bench_case c = {.s = s, .comm = comm, .device = device};
    const argand_status status = run(&c);
    if (!status && !argand_comm_rank(comm)) print_case(&c, out);
    argand_array_destroy(c.back);
    argand_array_destroy(c.samples);
    argand_array_destroy(c.image);
    for (int axis = 0; axis < 3; axis++) {
        argand_array_destroy(c.at[axis]);
        free(c.k[axis]);
    }
    argand_dist_toeplitz_destroy(c.toeplitz);
    argand_dist_nufft_destroy(c.plan);
    return status;
}
