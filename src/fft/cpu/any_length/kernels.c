/* SPDX-License-Identifier: BSD-3-Clause */
/* Decimation in frequency, in place (Gentleman and Sande 1966), depth first, so that all levels below the
 * first few work in the nearest cache; and convolutions on the same way down and up again. Each level falls:
 * `radix` parts of the data are combined and multiplied by twiddles; in the inverse from a spectrum it
 * rises: multiplied and combined with real and imaginary parts exchanged, which makes the inverse of a
 * forward butterfly. The last level of a convolution goes forward, through the product and backward in
 * registers. */
#include "fft/cpu/any_length/any_length.h"
#include "base/simd.h"

#define DEVICE INLINE
#define PRIVATE
#define LANE vector
#include "kernels/fft/radix.h"

typedef struct fft_point point;
enum { CELL = 2 * IN_VECTOR };

INLINE point get(const REAL *cell)
{
    return fft_make(load(cell), load(cell + IN_VECTOR));
}

INLINE void put(REAL *cell, point p)
{
    store(cell, p.re);
    store(cell + IN_VECTOR, p.im);
}

INLINE point exchanged(point p)
{
    return fft_make(p.im, p.re);
}

INLINE point point_times(point p, const REAL *w)
{
    return fft_make(p.re * w[0] - p.im * w[1], p.re * w[1] + p.im * w[0]);
}

/* ---- butterflies ---- */

INLINE void fall_by(REAL *x, int64_t parts, const REAL *twiddles, const int radix)
{
    for (int64_t j = 0; j < parts; j++, x += CELL, twiddles += 2 * (radix - 1)) {
        point p[BUTTERFLY_MOST];
        UNROLL for (int k = 0; k < radix; k++) p[k] = get(x + k * parts * CELL);
        fft_radix(p, radix);
        put(x, p[0]);
        UNROLL for (int k = 1; k < radix; k++)
            put(x + k * parts * CELL, fft_twiddle(p[k], twiddles[2 * k - 2], twiddles[2 * k - 1]));
    }
}

INLINE void rise_by(REAL *x, int64_t parts, const REAL *twiddles, const int radix)
{
    for (int64_t j = 0; j < parts; j++, x += CELL, twiddles += 2 * (radix - 1)) {
        point p[BUTTERFLY_MOST];
        p[0] = exchanged(get(x));
        UNROLL for (int k = 1; k < radix; k++) p[k] =
            fft_twiddle(exchanged(get(x + k * parts * CELL)), twiddles[2 * k - 2], twiddles[2 * k - 1]);
        fft_radix(p, radix);
        UNROLL for (int k = 0; k < radix; k++) put(x + k * parts * CELL, exchanged(p[k]));
    }
}

INLINE void leaves_by(REAL *x, int64_t blocks, const int radix)
{
    for (int64_t b = 0; b < blocks; b++, x += radix * CELL) {
        point p[BUTTERFLY_MOST];
        UNROLL for (int k = 0; k < radix; k++) p[k] = get(x + k * CELL);
        fft_radix(p, radix);
        UNROLL for (int k = 0; k < radix; k++) put(x + k * CELL, p[k]);
    }
}

/* Does the last level, the product with the spectrum, and the level's inverse in registers. point_zero: a
 * cell that is added to every output, and becomes its sum with all inputs (Rader's point 0). */
INLINE void round_trip_by(REAL *x, int64_t blocks, const REAL *spectrum, REAL *point_zero, const int radix)
{
    for (int64_t b = 0; b < blocks; b++, x += radix * CELL, spectrum += 2 * radix) {
        point p[BUTTERFLY_MOST];
        UNROLL for (int k = 0; k < radix; k++) p[k] = get(x + k * CELL);
        fft_radix(p, radix);
        const point total = p[0];
        UNROLL for (int k = 0; k < radix; k++) p[k] = exchanged(point_times(p[k], spectrum + 2 * k));
        if (point_zero) {
            const point zero = get(point_zero);
            p[0] = fft_add(p[0], exchanged(zero));
            put(point_zero, fft_add(zero, total));
            point_zero = NULL;
        }
        fft_radix(p, radix);
        UNROLL for (int k = 0; k < radix; k++) put(x + k * CELL, exchanged(p[k]));
    }
}

#define ALL_RADICES(DO) \
    DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15) DO(16)

#define FUNCTIONS(radix)                                                                            \
    static void fall_##radix(REAL *x, int64_t parts, const REAL *twiddles)                          \
    {                                                                                               \
        fall_by(x, parts, twiddles, radix);                                                         \
    }                                                                                               \
    static void rise_##radix(REAL *x, int64_t parts, const REAL *twiddles)                          \
    {                                                                                               \
        rise_by(x, parts, twiddles, radix);                                                         \
    }                                                                                               \
    static void leaves_##radix(REAL *x, int64_t blocks)                                             \
    {                                                                                               \
        leaves_by(x, blocks, radix);                                                                \
    }                                                                                               \
    static void round_trip_##radix(REAL *x, int64_t blocks, const REAL *spectrum, REAL *point_zero) \
    {                                                                                               \
        round_trip_by(x, blocks, spectrum, point_zero, radix);                                      \
    }
ALL_RADICES(FUNCTIONS)

typedef struct butterfly {
    void (*fall)(REAL *x, int64_t parts, const REAL *twiddles);
    void (*rise)(REAL *x, int64_t parts, const REAL *twiddles);
    void (*leaves)(REAL *x, int64_t blocks);
    void (*round_trip)(REAL *x, int64_t blocks, const REAL *spectrum, REAL *point_zero);
} butterfly;

#define ENTRY(radix) [radix] = {fall_##radix, rise_##radix, leaves_##radix, round_trip_##radix},
static const butterfly butterflies[BUTTERFLY_MOST + 1] = {ALL_RADICES(ENTRY)};

/* ---- odd radices by sums of cosines and sines (Singleton 1969), halves in the nearest cache ---- */

enum { HALF_MOST = STRAIGHT_MOST / 2, AT_ONCE = SIMD_REGISTERS == 32 ? 4 : 2 };

typedef struct halves {
    point sum[HALF_MOST], difference[HALF_MOST], first, total;
} halves;

/* Outputs m to m + some - 1 and their mirror images; sums: their rows of the table. */
INLINE void straight_outputs(point *even, point *odd, const halves *h, const REAL *sums, int64_t pairs,
                             const int some)
{
    for (int i = 0; i < some; i++) {
        even[i] = h->first;
        odd[i] = fft_make((vector){0}, (vector){0});
    }
    for (int64_t k = 0; k < pairs; k++, sums += 2) {
        const point s = h->sum[k], d = h->difference[k];
        UNROLL for (int i = 0; i < some; i++)
        {
            const REAL c = sums[2 * pairs * i], t = sums[2 * pairs * i + 1];
            even[i].re += s.re * c;
            even[i].im += s.im * c;
            odd[i].re += d.im * t;
            odd[i].im -= d.re * t;
        }
    }
}

INLINE void straight_store(REAL *x, int64_t step, const REAL *twiddles, int64_t radix, int64_t m, point even,
                           point odd, const bool rising)
{
    point a = fft_add(even, odd), b = fft_subtract(even, odd);
    if (twiddles && !rising) {
        a = fft_twiddle(a, twiddles[2 * m - 2], twiddles[2 * m - 1]);
        b = fft_twiddle(b, twiddles[2 * (radix - m) - 2], twiddles[2 * (radix - m) - 1]);
    }
    put(x + m * step, rising ? exchanged(a) : a);
    put(x + (radix - m) * step, rising ? exchanged(b) : b);
}

INLINE point straight_load(const REAL *x, int64_t step, const REAL *twiddles, int64_t k, const bool rising)
{
    point p = get(x + k * step);
    if (!rising) return p;
    p = exchanged(p);
    return fft_twiddle(p, twiddles[2 * k - 2], twiddles[2 * k - 1]);
}

INLINE void straight_some(REAL *x, int64_t step, const REAL *twiddles, int64_t radix, const REAL *sums,
                          const halves *h, int64_t m, const int some, const bool rising)
{
    point even[AT_ONCE], odd[AT_ONCE];
    const int64_t pairs = radix / 2;
    straight_outputs(even, odd, h, sums + 2 * pairs * (m - 1), pairs, some);
    for (int i = 0; i < some; i++) straight_store(x, step, twiddles, radix, m + i, even[i], odd[i], rising);
}

INLINE void straight_one(REAL *x, int64_t step, const REAL *twiddles, const REAL *sums, int64_t radix,
                         const bool rising)
{
    halves h;
    const int64_t pairs = radix / 2;
    h.first = rising ? exchanged(get(x)) : get(x);
    h.total = h.first;
    for (int64_t k = 1; k <= pairs; k++) {
        const point a = straight_load(x, step, twiddles, k, rising),
                    b = straight_load(x, step, twiddles, radix - k, rising);
        h.sum[k - 1] = fft_add(a, b);
        h.difference[k - 1] = fft_subtract(a, b);
        h.total = fft_add(h.total, h.sum[k - 1]);
    }
    int64_t m = 1;
    for (; m + AT_ONCE - 1 <= pairs; m += AT_ONCE)
        straight_some(x, step, twiddles, radix, sums, &h, m, AT_ONCE, rising);
#if SIMD_REGISTERS == 32
    if (pairs - m >= 1) {
        straight_some(x, step, twiddles, radix, sums, &h, m, 2, rising);
        m += 2;
    }
#endif
    if (m <= pairs) straight_some(x, step, twiddles, radix, sums, &h, m, 1, rising);
    put(x, rising ? exchanged(h.total) : h.total);
}

static void straight_fall(const any_length_level *l, REAL *x)
{
    const REAL *twiddles = l->twiddles;
    for (int64_t j = 0; j < l->parts; j++, x += CELL) {
        straight_one(x, l->parts * CELL, twiddles, l->sums, l->radix, false);
        if (twiddles) twiddles += 2 * (l->radix - 1);
    }
}

static void straight_rise(const any_length_level *l, REAL *x)
{
    const REAL *twiddles = l->twiddles;
    for (int64_t j = 0; j < l->parts; j++, x += CELL, twiddles += 2 * (l->radix - 1))
        straight_one(x, l->parts * CELL, twiddles, l->sums, l->radix, true);
}

/* ---- convolutions ---- */

static void convolve(const any_length_tree *t, int at, REAL *x, int64_t blocks, const REAL *spectrum,
                     REAL *point_zero)
{
    const any_length_level *l = &t->level[at];
    if (at == t->count - 1) {
        butterflies[l->radix].round_trip(x, blocks, spectrum, point_zero);
        return;
    }
    const bool below_is_last = at == t->count - 2, straight = l->radix > BUTTERFLY_MOST;
    for (int64_t b = 0; b < blocks; b++) {
        if (straight)
            straight_fall(l, x);
        else
            butterflies[l->radix].fall(x, l->parts, l->twiddles);
        const int64_t calls = below_is_last ? 1 : l->radix, inner = below_is_last ? l->radix : 1;
        for (int64_t q = 0; q < calls; q++)
            convolve(t, at + 1, x + q * l->parts * CELL, inner, spectrum + q * l->parts * 2,
                     b == 0 && q == 0 ? point_zero : NULL);
        if (straight)
            straight_rise(l, x);
        else
            butterflies[l->radix].rise(x, l->parts, l->twiddles);
        x += l->radix * l->parts * CELL;
        spectrum += l->radix * l->parts * 2;
    }
}

/* Sets the inputs of the cyclic and the negacyclic convolution, with zeros behind. */
static void spread_halves(const any_length_big *b, const REAL *from, REAL *even, REAL *odd)
{
    const REAL *w0 = b->in[0], *w1 = b->in[1];
    for (int64_t i = 0; i < b->count; i++) {
        const point p = get(from + i * CELL);
        put(even + i * CELL, w0 ? point_times(p, w0 + 2 * i) : p);
        put(odd + i * CELL, point_times(p, w1 + 2 * i));
    }
    const size_t rest = (size_t)((b->half[0].tree.n - b->count) * CELL) * sizeof(REAL);
    memset(even + b->count * CELL, 0, rest);
    memset(odd + b->count * CELL, 0, rest);
}

static void join_halves(const any_length_big *b, REAL *to, const REAL *even, const REAL *odd)
{
    const REAL *w0 = b->out[0], *w1 = b->out[1];
    for (int64_t i = 0; i < b->count; i++) {
        const point p = get(even + i * CELL), q = point_times(get(odd + i * CELL), w1 + 2 * i);
        put(to + i * CELL, fft_add(w0 ? point_times(p, w0 + 2 * i) : p, q));
    }
}

/* Transforms n contiguous cells, in the order of the method (method.h), by its convolution: cyclic, or by
 * halves. */
static void run_big(const any_length_big *b, REAL *x, REAL *work)
{
    REAL *point_zero = b->first ? x : NULL, *rest = x + b->first * CELL;
    if (b->halves == 1) {
        convolve(&b->half[0].tree, 0, rest, 1, b->half[0].spectrum, point_zero);
        return;
    }
    REAL *even = work, *odd = work + b->half[0].tree.n * CELL;
    spread_halves(b, rest, even, odd);
    convolve(&b->half[0].tree, 0, even, 1, b->half[0].spectrum, point_zero);
    convolve(&b->half[1].tree, 0, odd, 1, b->half[1].spectrum, NULL);
    join_halves(b, rest, even, odd);
}

/* Does a level whose radix is a convolution: gathers its points in work memory, transforms them, and puts
 * them back with their twiddles. */
static void big_fall(const any_length_level *l, REAL *x, REAL *work)
{
    const any_length_big *b = l->big;
    const REAL *twiddles = l->twiddles;
    if (l->parts == 1) { /* whoever filled the cells has ordered them */
        run_big(b, x, work);
        return;
    }
    for (int64_t j = 0; j < l->parts; j++, x += CELL, twiddles += 2 * (l->radix - 1)) {
        for (int64_t i = 0; i < b->n; i++) put(work + i * CELL, get(x + b->from[i] * l->parts * CELL));
        run_big(b, work, work + b->n * CELL);
        for (int64_t i = 0; i < b->n; i++) {
            const int64_t q = b->to[i];
            const point p = get(work + i * CELL);
            put(x + q * l->parts * CELL, q ? fft_twiddle(p, twiddles[2 * q - 2], twiddles[2 * q - 1]) : p);
        }
    }
}

/* ---- transforms ---- */

static void run_level(const any_length_tree *t, int at, REAL *x, int64_t blocks, REAL *work)
{
    const any_length_level *l = &t->level[at];
    const bool last = at == t->count - 1;
    if (last && !l->big && l->radix <= BUTTERFLY_MOST) {
        butterflies[l->radix].leaves(x, blocks);
        return;
    }
    for (int64_t b = 0; b < blocks; b++, x += l->radix * l->parts * CELL) {
        if (l->big)
            big_fall(l, x, work);
        else if (l->radix > BUTTERFLY_MOST)
            straight_fall(l, x);
        else
            butterflies[l->radix].fall(x, l->parts, l->twiddles);
        if (last) continue;
        const bool below_is_last = at == t->count - 2;
        const int64_t calls = below_is_last ? 1 : l->radix, inner = below_is_last ? l->radix : 1;
        for (int64_t q = 0; q < calls; q++) run_level(t, at + 1, x + q * l->parts * CELL, inner, work);
    }
}

void VARIANT(any_length_run)(const any_length_tree *tree, void *cells, void *work)
{
    if (tree->count) run_level(tree, 0, cells, 1, work);
}
