/* SPDX-License-Identifier: BSD-3-Clause */
/* Stages of a transform of cells, decimation in time: the first takes its
 * points from wherever they are and leaves them in digit-reversed order, so
 * that the others work in place (Van Loan, Computational Frameworks for the
 * Fast Fourier Transform, 1992, 1.3). */
#include "fft/cpu/simd_single/kernels.h"

#if defined(__AVX512F__)
#define SIMD_SINGLE_BYTES 64
#elif defined(__AVX2__)
#define SIMD_SINGLE_BYTES 32
#else
#define SIMD_SINGLE_BYTES 16
#endif
#include "fft/cpu/simd_single/butterfly.h"

DEVICE void first_stage(REAL *cells, const REAL *in, const int32_t *places, int64_t length, int64_t row,
                        int64_t count, int exchange, simd_single_group group,
                        const simd_single_weights *weights, const simd_single_weights_kind kind,
                        const int radix)
{
    const int64_t parts = length / radix, real = exchange ? LANES : 0;
    int64_t in_step = 2 * row * parts, out_step = exchange ? -CELL : CELL;
    const int64_t others = exchange ? radix * CELL : 0;
    const some lanes_meant = some_of(count);
    const multiplier w = multiplier_of(weights, kind);
    for (int64_t j = 0; j < parts; j++)
        for (int64_t v = 0; v < group.vectors; v++) {
            REAL *to = cells + (places[j] * radix + v * group.pitch) * CELL;
            OPAQUE(in_step);
            const int64_t first = 2 * (row * j + v * LANES);
            const source s = {.at = in + first,
                              .step = in_step,
                              .half = group.half,
                              .points = true,
                              .count = lanes_meant,
                              .weights = w,
                              .first = first};
            const sink t = {.first = to,
                            .others = to + others,
                            .step = out_step,
                            .real = real,
                            .imaginary = LANES - real};
            butterfly(&t, &s, radix);
        }
}

/* ---- rotated lines ---- */

/* Where a butterfly's points are that stand `rows` rows later than they would: those whose first one then is
 * row `rows` % parts or a later one of the first `parts` rows, and those whose first one has passed them. */
typedef struct moved_points {
    int64_t shift, offset[2][SIMD_SINGLE_MOST_RADIX], seam[SIMD_SINGLE_MOST_RADIX];
} moved_points;

/* Point r of a butterfly is its place r of the matrix' rows, or -r. */
DEVICE int64_t moved_place(int r, int64_t by, bool backwards, const int radix)
{
    return (int64_t)((uint64_t)(backwards ? radix - r : r) + (uint64_t)by) % radix;
}

DEVICE void set_moved(moved_points *m, int64_t rows, int64_t parts, int64_t step, bool backwards,
                      const int radix)
{
    m->shift = rows % parts;
    for (int wrapped = 0; wrapped < 2; wrapped++)
        UNROLL for (int r = 0; r < radix; r++) m->offset[wrapped][r] =
            step * moved_place(r, rows / parts + wrapped, backwards, radix);
}

/* The offsets of a butterfly whose last place is not where its row goes on but `reals` from its first one. */
DEVICE const int64_t *with_seam(moved_points *m, const int64_t *offset, int64_t last, int64_t reals,
                                const int radix)
{
    UNROLL for (int r = 0; r < radix; r++) m->seam[r] = offset[r] == last ? reals : offset[r];
    return m->seam;
}

DEVICE int64_t reals_between(const REAL *from, const REAL *to)
{
    return ((intptr_t)to - (intptr_t)from) / (intptr_t)sizeof(REAL);
}

DEVICE void first_moved(REAL *cells, const REAL *in, const int32_t *places, int64_t length, int64_t row,
                        int64_t count, int exchange, simd_single_group group, const simd_single_shift *shift,
                        const int radix)
{
    const int64_t parts = length / radix, step = 2 * row * parts, width = count < LANES ? count : LANES,
                  before = shift->before_end;
    const some lanes_meant = some_of(count);
    REAL seam[CELL] __attribute__((aligned(64)));
    moved_points m;
    set_moved(&m, shift->rows, parts, step, false, radix);
    if (before) {
        points_copy(seam, in + 2 * row * (length - 1), before);
        points_copy(seam + 2 * before, shift->begin, width - before);
        SHARED(seam);
    }
    for (int64_t j = 0; j < parts; j++)
        for (int64_t v = 0; v < group.vectors; v++) {
            REAL *to = cells + (places[j] * radix + v * group.pitch) * CELL;
            const bool wrapped = j + m.shift >= parts;
            const int64_t place = j + m.shift - (wrapped ? parts : 0);
            const REAL *at = in + 2 * (row * place + v * LANES);
            const int64_t *offset = m.offset[wrapped];
            if (before && place == parts - 1)
                offset = with_seam(&m, offset, step * (radix - 1), reals_between(at, seam), radix);
            const source s = {.at = at, .offset = offset, .points = true, .count = lanes_meant};
            const sink t = {.first = to,
                            .others = to + (exchange ? radix * CELL : 0),
                            .step = exchange ? -CELL : CELL,
                            .real = exchange ? LANES : 0,
                            .imaginary = exchange ? 0 : LANES};
            butterfly(&t, &s, radix);
        }
}

DEVICE void in_place(REAL *at, int64_t step, const REAL *twiddles, const int radix)
{
    const source s = {.at = at, .step = step, .twiddles = twiddles, .imaginary = LANES};
    const sink t = {.first = at, .others = at, .step = step, .imaginary = LANES};
    butterfly(&t, &s, radix);
}

DEVICE void middle_stage(REAL *cells, const REAL *twiddles, int64_t length, int64_t done, const int radix)
{
    int64_t step = done * CELL;
    for (REAL *group = cells; group < cells + length * CELL; group += radix * done * CELL) {
        in_place(group, step, NULL, radix);
        for (int64_t k = 1; k < done; k++) {
            OPAQUE(step);
            in_place(group + k * CELL, step, twiddles + 2 * (radix - 1) * k, radix);
        }
    }
}

/* out + first */
DEVICE void last_butterfly(REAL *out, int64_t first, const REAL *cells, const REAL *twiddles, int64_t length,
                           int64_t row, some count, int exchange, int64_t half, multiplier weights,
                           const int radix)
{
    const int64_t others = first + (exchange ? 2 * row * length : 0);
    const int64_t done = length / radix, real = exchange ? LANES : 0;
    int64_t in_step = done * CELL, out_step = exchange ? -2 * row * done : 2 * row * done;
    OPAQUE(in_step);
    OPAQUE(out_step);
    const source s = {
        .at = cells, .step = in_step, .twiddles = twiddles, .real = real, .imaginary = LANES - real};
    const sink t = {.first = out + first,
                    .others = out + others,
                    .step = out_step,
                    .half = half,
                    .half_between = exchange ? -half : half,
                    .points = true,
                    .count = count,
                    .weights = weights,
                    .from_first = first,
                    .from_others = others};
    butterfly(&t, &s, radix);
}

DEVICE void last_stage(REAL *out, const REAL *cells, const REAL *twiddles, int64_t length, int64_t row,
                       int64_t count, int exchange, simd_single_group group,
                       const simd_single_weights *weights, const simd_single_weights_kind kind,
                       const int radix)
{
    const int64_t done = length / radix;
    const some lanes_meant = some_of(count);
    const multiplier w = multiplier_of(weights, kind);
    for (int64_t v = 0; v < group.vectors; v++)
        last_butterfly(out, 2 * v * LANES, cells + v * group.pitch * CELL, NULL, length, row, lanes_meant,
                       exchange, group.half, w, radix);
    for (int64_t k = 1; k < done; k++)
        for (int64_t v = 0; v < group.vectors; v++)
            last_butterfly(out, 2 * (row * k + v * LANES), cells + (k + v * group.pitch) * CELL,
                           twiddles + 2 * (radix - 1) * k, length, row, lanes_meant, exchange, group.half, w,
                           radix);
}

DEVICE void last_moved_butterfly(REAL *at, const int64_t *offset, const REAL *cells, const REAL *twiddles,
                                 int64_t step, some count, int exchange, const int radix)
{
    const int64_t real = exchange ? LANES : 0;
    OPAQUE(step);
    const source s = {
        .at = cells, .step = step, .twiddles = twiddles, .real = real, .imaginary = LANES - real};
    const sink t = {.first = at, .offset = offset, .points = true, .count = count};
    butterfly(&t, &s, radix);
}

DEVICE void last_moved(REAL *out, const REAL *cells, const REAL *twiddles, int64_t length, int64_t row,
                       int64_t count, int exchange, simd_single_group group, const simd_single_shift *shift,
                       const int radix)
{
    const int64_t done = length / radix, step = 2 * row * done, width = count < LANES ? count : LANES,
                  before = shift->before_end;
    const some lanes_meant = some_of(count);
    REAL seam[CELL] __attribute__((aligned(64)));
    moved_points m;
    set_moved(&m, shift->rows, done, step, exchange, radix);
    for (int64_t k = 0; k < done; k++)
        for (int64_t v = 0; v < group.vectors; v++) {
            const bool wrapped = k + m.shift >= done;
            const int64_t place = k + m.shift - (wrapped ? done : 0);
            REAL *at = out + 2 * (row * place + v * LANES);
            const REAL *from = cells + (k + v * group.pitch) * CELL;
            const int64_t *offset = m.offset[wrapped];
            if (before && place == done - 1)
                offset = with_seam(&m, offset, step * (radix - 1), reals_between(at, seam), radix);
            last_moved_butterfly(at, offset, from, k ? twiddles + 2 * (radix - 1) * k : NULL, done * CELL,
                                 lanes_meant, exchange, radix);
        }
    if (!before) return;
    SHARED(seam);
    points_copy(out + 2 * row * (length - 1), seam, before);
    points_copy(shift->begin, seam + 2 * before, width - before);
}

#define RADICES(f) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15) f(16)

#define FIRST_OF(radix, name, kind)                                                                        \
    static void first_##name##_##radix(void *cells, const void *in, const int32_t *places, int64_t length, \
                                       int64_t row, int64_t count, int exchange, simd_single_group group,  \
                                       const simd_single_weights *weights)                                 \
    {                                                                                                      \
        first_stage(cells, in, places, length, row, count, exchange, group, weights, kind, radix);         \
    }
#define LAST_OF(radix, name, kind)                                                                        \
    static void last_##name##_##radix(void *out, const void *cells, const void *twiddles, int64_t length, \
                                      int64_t row, int64_t count, int exchange, simd_single_group group,  \
                                      const simd_single_weights *weights)                                 \
    {                                                                                                     \
        last_stage(out, cells, twiddles, length, row, count, exchange, group, weights, kind, radix);      \
    }
#define MOVED_OF(radix)                                                                                 \
    static void first_moved_##radix(void *cells, const void *in, const int32_t *places, int64_t length, \
                                    int64_t row, int64_t count, int exchange, simd_single_group group,  \
                                    const simd_single_shift *shift)                                     \
    {                                                                                                   \
        first_moved(cells, in, places, length, row, count, exchange, group, shift, radix);              \
    }                                                                                                   \
    static void last_moved_##radix(void *out, const void *cells, const void *twiddles, int64_t length,  \
                                   int64_t row, int64_t count, int exchange, simd_single_group group,   \
                                   const simd_single_shift *shift)                                      \
    {                                                                                                   \
        last_moved(out, cells, twiddles, length, row, count, exchange, group, shift, radix);            \
    }
#define STAGES(radix)                                                                          \
    MOVED_OF(radix)                                                                            \
    FIRST_OF(radix, plain, WEIGHTS_NONE)                                                       \
    FIRST_OF(radix, real, WEIGHTS_REAL)                                                        \
    FIRST_OF(radix, complex, WEIGHTS_COMPLEX)                                                  \
    LAST_OF(radix, plain, WEIGHTS_NONE)                                                        \
    LAST_OF(radix, all, WEIGHTS_ONE)                                                           \
    LAST_OF(radix, real, WEIGHTS_REAL)                                                         \
    LAST_OF(radix, complex, WEIGHTS_COMPLEX)                                                   \
    static void stage_##radix(void *cells, const void *twiddles, int64_t length, int64_t done) \
    {                                                                                          \
        middle_stage(cells, twiddles, length, done, radix);                                    \
    }
RADICES(STAGES)

/* No branches between the loads and their use: the compiler would hold in registers what it can take from
 * memory. */
static void transpose(void *to, const int32_t *places, const void *from, const void *twiddles)
{
    for (int first = 0; first < LANES; first += TRANSPOSED) {
        lanes re[TRANSPOSED], im[TRANSPOSED];
        columns(re, (const REAL *)from + first);
        columns(im, (const REAL *)from + LANES + first);
        UNROLL for (int i = 0; i < TRANSPOSED; i++) cell_store(
            (REAL *)to + places[first + i] * CELL,
            fft_multiply(fft_make(re[i], im[i]), cell_load((const REAL *)twiddles + (first + i) * CELL)));
    }
}

static void transpose_coarse(void *to, const int32_t *places, const void *from, const void *twiddles,
                             const void *coarse_twiddles, double factor)
{
    const REAL *w = coarse_twiddles, f = (REAL)factor;
    for (int first = 0; first < LANES; first += TRANSPOSED) {
        lanes re[TRANSPOSED], im[TRANSPOSED];
        columns(re, (const REAL *)from + first);
        columns(im, (const REAL *)from + LANES + first);
        UNROLL for (int i = 0; i < TRANSPOSED; i++)
        {
            const REAL cosine = w[2 * (first + i)] * f, sine = w[2 * (first + i) + 1] * f;
            const struct fft_point x = fft_twiddle(fft_make(re[i], im[i]), cosine, sine);
            cell_store((REAL *)to + places[first + i] * CELL,
                       fft_multiply(x, cell_load((const REAL *)twiddles + (first + i) * CELL)));
        }
    }
}

static void scale(void *cells, int64_t count, double factor)
{
    REAL *at = cells;
    for (int64_t i = 0; i < 2 * count; i++, at += LANES) lanes_store(at, lanes_load(at) * (REAL)factor);
}

#define STAGE(radix) [radix] = stage_##radix,
#define FIRST_PLAIN(radix) [radix] = first_plain_##radix,
#define FIRST_REAL(radix) [radix] = first_real_##radix,
#define FIRST_COMPLEX(radix) [radix] = first_complex_##radix,
#define FIRST_MOVED(radix) [radix] = first_moved_##radix,
#define LAST_MOVED(radix) [radix] = last_moved_##radix,
#define LAST_PLAIN(radix) [radix] = last_plain_##radix,
#define LAST_ALL(radix) [radix] = last_all_##radix,
#define LAST_REAL(radix) [radix] = last_real_##radix,
#define LAST_COMPLEX(radix) [radix] = last_complex_##radix,
const simd_single_kernels *VARIANT(simd_single_kernels_for)(void)
{
    static const simd_single_kernels kernels = {.lanes = LANES,
                                                .counts = SIMD_SINGLE_BYTES == 64,
                                                .first = {[WEIGHTS_NONE] = {RADICES(FIRST_PLAIN)},
                                                          [WEIGHTS_REAL] = {RADICES(FIRST_REAL)},
                                                          [WEIGHTS_COMPLEX] = {RADICES(FIRST_COMPLEX)}},
                                                .first_moved = {RADICES(FIRST_MOVED)},
                                                .stage = {RADICES(STAGE)},
                                                .last = {[WEIGHTS_NONE] = {RADICES(LAST_PLAIN)},
                                                         [WEIGHTS_ONE] = {RADICES(LAST_ALL)},
                                                         [WEIGHTS_REAL] = {RADICES(LAST_REAL)},
                                                         [WEIGHTS_COMPLEX] = {RADICES(LAST_COMPLEX)}},
                                                .last_moved = {RADICES(LAST_MOVED)},
                                                .transpose = transpose,
                                                .transpose_coarse = transpose_coarse,
                                                .scale = scale};
    return &kernels;
}
