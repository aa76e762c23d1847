/* SPDX-License-Identifier: BSD-3-Clause */
/* Stages of lines whose vectors hold POINTS pairs of a real and an imaginary part. The 16 points of a
 * butterfly are 16 registers, where separate parts (kernels.c) are 32 and pass through memory.
 *
 * n = a b c; j = j1 b c + jb c + jc, k = k1 + a (kb + b kc):
 *   first   y[k1][jb][jc] = w_n^((jb c + jc) k1) sum_j1 w_a^(j1 k1) x[j], transposed, so that k1 lies in the
 *           lanes and no later stage shuffles points
 *   middle  z[k1][kb][jc] = w_bc^(jc kb) sum_jb w_b^(jb kb) y[k1][jb][jc], in place
 *   last    X[k] = sum_jc w_c^(jc kc) z[k1][kb][jc]
 *
 * Where POINTS does not divide the columns, or a, the last vector overlaps the one before. */
#include "fft/cpu/simd_single/kernels.h"

#ifdef __AVX2__
#include "fft/cpu/simd_single/pair_vector.h"

/* ---- stages ---- */

/* Of lines that are moved by half: points half a butterfly away, whose radix is even */
INLINE void load_moved(couple *x, const REAL *at, int64_t step, const int radix)
{
    const steps s = steps_from(at, step, radix);
    UNROLL for (int i = 0; i < radix; i++) x[(i + radix / 2) % radix] = load(point_at(&s, i));
}

INLINE void store_moved(REAL *at, int64_t step, const couple *x, const int radix)
{
    const steps s = steps_from(at, step, radix);
    UNROLL for (int i = 0; i < radix; i++) store(point_at(&s, i), x[(i + radix / 2) % radix]);
}

/* few: of a constant number of columns, less than POINTS; 0 for others */
INLINE void first_stage(REAL *cells, const REAL *in, const REAL *twiddles, int64_t columns, int sense,
                        int moved, const int radix, const int few)
{
    for (int64_t i = 0; i < columns; i += POINTS, twiddles += (radix - 1) * COUPLE_REALS) {
        const int64_t column = begin_of(i, columns);
        couple x[SIMD_SINGLE_MOST_RADIX], y[POINTS];
        if (few && moved & SIMD_SINGLE_IN_MOVED)
            UNROLL for (int k = 0; k < radix; k++) x[(k + radix / 2) % radix] =
                load_some(in + 2 * k * few, few);
        else if (few)
            UNROLL for (int k = 0; k < radix; k++) x[k] = load_some(in + 2 * k * few, few);
        else if (radix % 2 == 0 && moved & SIMD_SINGLE_IN_MOVED)
            load_moved(x, in + 2 * column, 2 * columns, radix);
        else
            load_points(x, in + 2 * column, 2 * columns, radix);
        couples(x, radix, sense);
        UNROLL for (int k = 1; k < radix; k++) x[k] =
            rotated_by(x[k], twiddles + (k - 1) * COUPLE_REALS, sense);
        UNROLL for (int k = 0; k < radix; k += POINTS)
        {
            transpose_points(y, x + (k + POINTS > radix ? radix - POINTS : k));
            store_points(cells + (k / POINTS * columns + column) * COUPLE_REALS, COUPLE_REALS, y,
                         few ? few : POINTS);
        }
    }
}

/* Of `rows` transforms */
INLINE void middle_stage(REAL *cells, const REAL *twiddles, int64_t rows, int64_t inner, int sense,
                         const int radix)
{
    const int64_t step = inner * COUPLE_REALS;
    for (; rows > 0; rows--, cells += radix * step)
        for (int64_t i = 0; i < inner; i++) {
            const REAL *w = twiddles + i * 2 * (radix - 1);
            couple x[SIMD_SINGLE_MOST_RADIX];
            load_points(x, cells + i * COUPLE_REALS, step, radix);
            couples(x, radix, sense);
            UNROLL for (int k = 1; k < radix; k++) x[k] = rotated_by_one(x[k], w + 2 * (k - 1), sense);
            store_points(cells + i * COUPLE_REALS, step, x, radix);
        }
}

INLINE void last_stage(REAL *out, const REAL *cells, int64_t rows, int64_t outer, REAL factor, int sense,
                       int moved, const int radix)
{
    for (int64_t i = 0; i < rows; i += POINTS)
        for (int64_t k = 0; k < outer; k++, cells += radix * COUPLE_REALS) {
            couple x[SIMD_SINGLE_MOST_RADIX];
            load_points(x, cells, COUPLE_REALS, radix);
            couples(x, radix, sense);
            if (factor != 1) UNROLL for (int m = 0; m < radix; m++) x[m] *= factor;
            REAL *to = out + 2 * (k * rows + begin_of(i, rows));
            if (radix % 2 == 0 && moved & SIMD_SINGLE_OUT_MOVED)
                store_moved(to, 2 * outer * rows, x, radix);
            else
                store_points(to, 2 * outer * rows, x, radix);
        }
}

#define FIRST(radix)                                                                              \
    static void first_##radix(void *cells, const void *in, const void *twiddles, int64_t columns, \
                              int inverse, int moved)                                             \
    {                                                                                             \
        if (inverse)                                                                              \
            first_stage(cells, in, twiddles, columns, -1, moved, radix, 0);                       \
        else                                                                                      \
            first_stage(cells, in, twiddles, columns, 1, moved, radix, 0);                        \
    }
#define MIDDLE_AND_LAST(radix)                                                                              \
    static void middle_##radix(void *cells, const void *twiddles, int64_t rows, int64_t inner, int inverse) \
    {                                                                                                       \
        if (inverse)                                                                                        \
            middle_stage(cells, twiddles, rows, inner, -1, radix);                                          \
        else                                                                                                \
            middle_stage(cells, twiddles, rows, inner, 1, radix);                                           \
    }                                                                                                       \
    static void last_##radix(void *out, const void *cells, int64_t rows, int64_t outer, double factor,      \
                             int inverse, int moved)                                                        \
    {                                                                                                       \
        if (inverse)                                                                                        \
            last_stage(out, cells, rows, outer, (REAL)factor, -1, moved, radix);                            \
        else                                                                                                \
            last_stage(out, cells, rows, outer, (REAL)factor, 1, moved, radix);                             \
    }
#define FROM_8(f) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15) f(16)
#define FROM_4(f) f(4) f(5) f(6) f(7) FROM_8(f)
#define FROM_2(f) f(2) f(3) FROM_4(f)
#if COUPLE_BYTES * 8 / REAL_BITS == 16
#define FROM_POINTS(f) FROM_8(f)
#elif COUPLE_BYTES * 8 / REAL_BITS == 8
#define FROM_POINTS(f) FROM_4(f)
#else
#define FROM_POINTS(f) FROM_2(f)
#endif
FROM_POINTS(FIRST)
FROM_2(MIDDLE_AND_LAST)

/* Lines of so many columns */
INLINE void whole(REAL *out, const REAL *in, const REAL *twiddles, int sense, REAL factor, int moved,
                  const int radix, const int columns)
{
    REAL cells[SIMD_SINGLE_MOST_RADIX / POINTS * SIMD_SINGLE_MOST_RADIX * COUPLE_REALS]
        __attribute__((aligned(64)));
    first_stage(cells, in, twiddles, columns, sense, moved, radix, columns < POINTS ? columns : 0);
    last_stage(out, cells, radix, 1, factor, sense, moved, columns);
}

#define WHOLE(radix, columns)                                                                           \
    static void whole_##radix##_##columns(void *out, const void *in, const void *twiddles, int inverse, \
                                          double factor, int moved)                                     \
    {                                                                                                   \
        if (inverse)                                                                                    \
            whole(out, in, twiddles, -1, (REAL)factor, moved, radix, columns);                          \
        else                                                                                            \
            whole(out, in, twiddles, 1, (REAL)factor, moved, radix, columns);                           \
    }
#if COUPLE_BYTES * 8 / REAL_BITS < 16
#define WHOLES(f)                                                                                         \
    f(4, 5) f(4, 6) f(8, 4) f(4, 9) f(8, 5) f(12, 4) f(8, 8) f(8, 9) f(8, 10) f(8, 12) f(10, 10) f(16, 8) \
        f(16, 10) f(16, 12) f(16, 16)
#else
#define WHOLES(f)                                                                                            \
    f(8, 4) f(8, 5) f(8, 6) f(8, 7) f(8, 8) f(9, 8) f(10, 8) f(12, 8) f(10, 10) f(12, 10) f(16, 8) f(16, 10) \
        f(16, 12) f(16, 16)
#endif
WHOLES(WHOLE)

#define WHOLE_ENTRY(radix, columns) [radix][columns] = whole_##radix##_##columns,
#define FIRST_ENTRY(radix) [radix] = first_##radix,
#define MIDDLE_ENTRY(radix) [radix] = middle_##radix,
#define LAST_ENTRY(radix) [radix] = last_##radix,
const simd_single_paired_stages *VARIANT(simd_single_paired_stages_for)(void)
{
    static const simd_single_paired_stages stages = {.points = POINTS,
                                                     .first = {FROM_POINTS(FIRST_ENTRY)},
                                                     .middle = {FROM_2(MIDDLE_ENTRY)},
                                                     .last = {FROM_2(LAST_ENTRY)},
                                                     .whole = {WHOLES(WHOLE_ENTRY)}};
    return &stages;
}
#else
const simd_single_paired_stages *VARIANT(simd_single_paired_stages_for)(void)
{
    return NULL;
}
#endif
