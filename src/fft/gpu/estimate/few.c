/* SPDX-License-Identifier: BSD-3-Clause */
/* Tuning of calls with few points. With large blocks most multiprocessors would be idle, and a block takes
 * its time however few blocks there are. Two launches of many small blocks are therefore faster than one
 * of a few large ones. All limits are where times crossed on an H200 (docs/performance/fft-few.md). */
#include "fft/gpu/estimate/few.h"
#include "fft/gpu/radix/lengths.h"

/* Points for each multiprocessor up to which blocks are smaller. */
enum { FEW = 1024, SOME = 2048, ENOUGH = 4096 };

call_size few_size(const fft_problem *p, const device_traits *device)
{
    const double points = (double)p->points * (double)p->batch / (problem_is_real(p) ? 2 : 1);
    return (call_size){points * (type_is_double(p->type) ? 16 : 8),
                       points / (device->units ? device->units : 1)};
}

static int one_group(const fft_problem *p)
{
    return type_is_double(p->type) ? ONE_PASS_DOUBLE : ONE_PASS;
}

/* Returns the tuning for convolutions that would fill a multiprocessor, or a cluster: three passes of
 * tiles. */
static const char *few_convolved(const fft_problem *p, const call_size *call)
{
    enum { SHORT = 2048 };
    if (2 * p->n[0] > one_group(p))
        return call->each <= ENOUGH ? "no_cluster 1 chunk_kib 0 max_convolution 1024 threads 64" : NULL;
    if (type_is_double(p->type) || call->each > FEW) return NULL;
    return p->n[0] <= SHORT ? "convolution_twiddles 7 points_per_thread 8 threads 64"
                            : "convolution_twiddles 7 threads 64";
}

/* Returns true if a line is a product of two parts of at most that many points. */
static bool has_parts(int64_t n, int64_t most)
{
    for (int64_t part = (n + most - 1) / most; part <= most; part++)
        if (n % part == 0) return true;
    return false;
}

/* Returns the tuning for two passes of tiles of `points`, with 8 neighbours each. n is short; for long
 * lines the search would be slow. */
static const char *few_divided(const fft_problem *p)
{
    enum { TILE = 8, POINTS = 2048, POINTS_DOUBLE = 1024 };
    if (type_is_double(p->type))
        return has_parts(p->n[0], POINTS_DOUBLE / TILE)
                   ? "no_cluster 1 chunk_kib 0 twiddle_products 3 max_points 1024"
                   : NULL;
    return has_parts(p->n[0], POINTS / TILE) ? "no_cluster 1 chunk_kib 0 twiddle_products 3 max_points 2048"
                                             : NULL;
}

const char *few_lines(const fft_problem *p, const call_size *call, const device_traits *device)
{
    enum { SHORT = 2048, MIDDLE = 4096, SMALL = 13000000 };
    const int64_t n = p->n[0];
    /* a scrambled order must not depend on the number of transforms */
    if (p->rank > 1 || p->scrambled_signal || p->scrambled_spectrum) return NULL;
    if (!has_radices(n)) return few_convolved(p, call);
    if (n > one_group(p)) return call->bytes < SMALL ? "no_cluster 1 chunk_kib 0 twiddle_products 3" : NULL;
    if (n > MIDDLE && 4 * p->batch <= device->units) return few_divided(p);
    if (n <= SHORT && call->each <= ENOUGH)
        return call->each <= FEW ? "points_per_thread 8 threads 64" : "threads 64";
    return n <= MIDDLE && call->each <= FEW ? "threads 64" : NULL;
}

/* Returns the complex points of a plane in a block. Planes of reals are pairs, or, if all sides are odd and
 * there is no third one, have imaginary parts of zero. */
static int64_t plane_points(const fft_problem *p)
{
    const bool pairs = p->n[0] % 2 == 0 || p->n[1] % 2 == 0 || p->rank > 2;
    return p->n[0] * p->n[1] / (problem_is_real(p) && pairs ? 2 : 1);
}

/* Returns true if planes are faster axis by axis: planes that fit in a block, if there are fewer than half
 * as many as multiprocessors; planes that need a cluster, if all of them fit in the cache. */
static bool likes_axes(const fft_problem *p, const call_size *call, const device_traits *device)
{
    /* points with which two launches take longer: 50 x 144 doubles 34 times took 9.4 us in one launch */
    enum { QUICK = 4096, QUICK_DOUBLE = 2048, SMALL = 16000000 };
    const int64_t plane = plane_points(p), quick = p->type == ARGAND_R64 ? QUICK_DOUBLE : QUICK;
    const double planes = (double)p->points * (double)p->batch / (double)(p->n[0] * p->n[1]);
    if (plane <= one_group(p)) return plane > quick && 2 * planes < device->units;
    if (problem_is_real(p)) return false; /* axis by axis in any case */
    /* powers of two fill any cluster evenly */
    return call->bytes < ((plane & (plane - 1)) == 0 ? SMALL : FEW_FOR_CLUSTERS);
}

const char *few_axes(const fft_problem *p, const call_size *call, const device_traits *device)
{
    return p->rank > 1 && likes_axes(p, call, device) ? " separate_axes 1" : "";
}

const char *few_threads(const fft_problem *p, const call_size *call)
{
    if (problem_is_real(p))
        return call->each <= SOME                    ? " points_per_thread 8 threads 64"
               : p->rank > 1 && call->each <= ENOUGH ? " threads 128"
                                                     : "";
    if (p->rank == 1 && !p->axes_given) return ""; /* few_lines covers these */
    if (type_is_double(p->type))
        return call->each <= SOME ? " threads 64" : call->each <= ENOUGH ? " threads 128" : "";
    return call->each > SOME ? "" : p->rank == 2 ? " threads 32" : " threads 64";
}
