/* SPDX-License-Identifier: BSD-3-Clause */
/* The variant of ESTIMATE: the tuning that was fastest for most problems of a kind
 * (docs/performance/fft-h200.md, "Sizes drawn at random"). MEASURE begins with it. Most planes and volumes
 * of reals have no persistent passes. */
#include "fft/gpu/estimate/estimate.h"
#include "fft/gpu/radix/lengths.h"
#include "fft/gpu/estimate/few.h"

#include <stdio.h>
#include <string.h>

static bool is_power_of_two(int64_t n)
{
    return (n & (n - 1)) == 0;
}

/* Returns true if tiles 32 bytes wide are faster, because they save long lines the third pass. This pays
 * if radices 16 and 25 make both parts (2^23, 2^24, 5 to 10 million points; 6^9 took 1.6 times as long, 3
 * 2^22 2 % longer). */
static bool has_narrow_tiles(int64_t n)
{
    enum { TWO_PASSES = 1 << 22, MOST = 10000000, MOST_OF_TWO = 1 << 24 };
    if (n <= TWO_PASSES) return false;
    if (is_power_of_two(n)) return n <= MOST_OF_TWO;
    const bool short_enough = n <= MOST && n % 32 == 0;
    n /= n % 3 ? 1 : 3;
    while (n % 5 == 0) n /= 5;
    return short_enough && is_power_of_two(n);
}

/* Returns true if bulk copies are faster: they write whole sectors even if lines are not aligned to cache
 * lines, and several small blocks wait less for each other. Lines below 72 points have many blocks in any
 * case; of 15 lengths above 640 nine lost, by up to an eighth. */
static bool likes_bulk(int64_t n, const device_traits *device)
{
    enum { SHORTEST = 72, LONGEST = 640, LINE_OF_MEMORY = 16 };
    return n >= SHORTEST && n <= LONGEST && n % LINE_OF_MEMORY && has_small_radices(n) && device->bulk_copies;
}

/* Returns the tuning of lines. Later tiles are prefetched. Longer lines have fewer stages with larger
 * radices, and compute twiddle factors as products of a few, because table loads would stall the stages.
 * Lines that fill a multiprocessor, several for each, use persistent blocks. */
static const char *of_lines(int64_t n, bool many, const device_traits *device)
{
    enum { SHORT = 2048, FUSED = 131072, TILES = 1 << 18, SECTOR = 4 };
    if (!has_radices(n)) return n <= ONE_PASS ? "convolution_twiddles 7" : "chunk_kib 0";
    if (n == ONE_PASS && many)
        return "persistent_blocks 1 points_per_thread 32 radices 321632 twiddle_products 2 exchange_mode 2";
    if (has_narrow_tiles(n)) return "chunk_kib 0 twiddle_products 3 segment_bytes 32 points_per_thread 32";
    if (likes_bulk(n, device)) return "threads 128 bulk_copy 1";
    if (n > FUSED && n <= TILES && n % SECTOR) return "chunk_kib 0 twiddle_products 3 segment_bytes 128";
    return n <= SHORT      ? "prefetch_distance 1"
           : n <= ONE_PASS ? "large_radices 1 prefetch_distance 1 twiddle_products 1"
           : n < FUSED     ? "chunk_kib 0 prefetch_distance 1 twiddle_products 3"
           : n > FUSED     ? "chunk_kib 0 twiddle_products 3"
                           : "twiddle_products 1";
}

static const char *of_lines_in_double(int64_t n)
{
    enum { SHORT = 1024 };
    if (n > ONE_PASS_DOUBLE || !has_radices(n)) return "chunk_kib 0";
    return n > SHORT && is_power_of_two(n) ? "standard" : "prefetch_distance 1";
}

/* Returns true if persistent passes are faster. Rows and columns must be aligned to cache lines. A chunk
 * must have several volumes, or one volume must otherwise take three passes (512 x 512 x 512 on an H200:
 * 1.67 ms, 2.05 without; 320 to 800 an axis likewise). */
static bool likes_persistent(const fft_problem *p, int64_t points, const call_size *call)
{
    enum { PLANE = 128, VOLUME = 16, CHUNK = 1 << 18, TWO_PASSES = 1 << 24 };
    const int least = p->rank == 2 ? PLANE : VOLUME;
    for (int axis = 0; axis < p->rank; axis++)
        if (p->n[axis] % least) return false;
    return call->bytes >= FEW_FOR_PERSISTENT && (p->rank == 2 || points <= CHUNK || points > TWO_PASSES);
}

/* Returns the tuning of planes and volumes. A plane whose block fills a multiprocessor has no prefetch,
 * which would only fetch too much. */
static const char *of_planes(const fft_problem *p, const call_size *call)
{
    enum { SMALL = 12288 };
    int64_t points = 1;
    for (int axis = 0; axis < p->rank && points <= INT64_MAX >> 32; axis++) points *= p->n[axis];
    return likes_persistent(p, points, call) ? "twiddle_products 3"
           : p->rank > 2 || points <= SMALL  ? "chunk_kib 0 prefetch_distance 1 twiddle_products 3"
                                             : "chunk_kib 0 twiddle_products 3";
}

/* 512 x 512 with persistent passes took 0.260 instead of 0.335 ms; 512 x 1024 took 43 instead of 37 us,
 * 1024 x 1024 the same. */
static const char *of_planes_in_double(const fft_problem *p, const call_size *call)
{
    enum { FUSED = 512 };
    if (p->rank > 2) return "chunk_kib 0";
    return p->n[0] == FUSED && p->n[1] == FUSED && call->bytes >= FEW_FOR_PERSISTENT
               ? "standard"
               : "chunk_kib 0 prefetch_distance 1";
}

/* Returns true if wide tiles are faster. Rows of half a spectrum have n/2 + 1 elements, so that tiles of
 * columns are not aligned to sectors. Wider tiles touch fewer sectors of which they use half, if the tiles
 * are not too large (to reals on an H200: 480 x 480 0.375 instead of 0.433 ms, 1024 x 1024 0.338 instead
 * of 0.400; 1000 x 1000 0.429 instead of 0.402). */
static bool likes_wide_tiles(const fft_problem *p)
{
    enum { SHORT = 128, MIDDLE = 512, LONG = 1024, EVEN = 256, SECTOR = 4 };
    if ((p->n[0] / 2 + 1) % SECTOR == 0) return false; /* rows are aligned to sectors (175 x 416) */
    for (int axis = 1; axis < p->rank; axis++) {
        const int64_t n = p->n[axis];
        if (n < SHORT || n > LONG || (n > MIDDLE && n % EVEN)) return false;
    }
    return p->rank == 2 || p->n[1] > EVEN;
}

/* Planes of 256 or 512 points an axis gain by persistent passes, as those of complex elements do: to reals
 * 0.297 instead of 0.367 and 0.313 instead of 0.347 ms, from reals 0.305 instead of 0.285 and 0.290
 * instead of 0.290. */
static bool are_short_powers(const fft_problem *p)
{
    enum { LEAST = 256, MOST = 512 };
    for (int axis = 0; axis < p->rank; axis++)
        if (p->n[axis] < LEAST || p->n[axis] > MOST || !is_power_of_two(p->n[axis])) return false;
    return p->rank == 2;
}

static const char *of_reals(const fft_problem *p, const call_size *call)
{
    if (p->rank < 2 || p->axes_given) return "chunk_kib 0";
    if (p->type != ARGAND_R32) return p->rank == 2 ? "chunk_kib 0 prefetch_distance 1" : "chunk_kib 0";
    return are_short_powers(p) && call->bytes >= FEW_FOR_PERSISTENT ? "twiddle_products 3 segment_bytes 128"
           : likes_wide_tiles(p) && call->bytes >= FEW_FOR_WIDE_TILES
               ? "chunk_kib 0 twiddle_products 3 segment_bytes 128"
               : "chunk_kib 0 twiddle_products 3";
}

static const char *of_complex(const fft_problem *p, const call_size *call, const device_traits *device)
{
    const bool many = p->batch >= 2 * (int64_t)device->units;
    if (p->axes_given) return "chunk_kib 0";
    const char *few = few_lines(p, call, device);
    if (few) return few;
    if (p->rank > 1) return p->type == ARGAND_C32 ? of_planes(p, call) : of_planes_in_double(p, call);
    return p->type == ARGAND_C32 ? of_lines(p->n[0], many, device) : of_lines_in_double(p->n[0]);
}

void guess_variant(char name[FFT_VARIANT_CHARS], const fft_problem *p, const device_traits *device)
{
    const call_size call = few_size(p, device);
    name[0] = 0;
    if (!tuning_is_given() && device->fft_tuned)
        snprintf(name, FFT_VARIANT_CHARS, "%s%s%s",
                 problem_is_real(p) ? of_reals(p, &call) : of_complex(p, &call, device),
                 few_axes(p, &call, device), few_threads(p, &call));
}
