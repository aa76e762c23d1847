/* SPDX-License-Identifier: BSD-3-Clause */
/* What a random problem with accessors should give: every rule of access.h by its text, in long double. */
#ifndef TESTS_FFT_ACCESS_GURU_TRUTH_H
#define TESTS_FFT_ACCESS_GURU_TRUTH_H

#include "access_guru.h"

/* ---- numbers in memory, decoded by their definitions ---- */

static inline bool port_has_pairs(const port *p)
{
    const argand_type t = p->at.type;
    return t == ARGAND_C32 || t == ARGAND_C64 || t == ARGAND_C16 || t == ARGAND_CB16;
}

static inline argand_type port_part(const port *p)
{
    static const argand_type parts[] = {0,          ARGAND_R32, ARGAND_R64,  ARGAND_R32,  ARGAND_R64,
                                        ARGAND_R16, ARGAND_R16, ARGAND_RB16, ARGAND_RB16, ARGAND_U8};
    return parts[p->at.type];
}

/* Bytes from the buffer's start to the real (0) or imaginary (1) part of element i; -1: there is none. */
static inline int64_t port_byte(const port *p, int64_t i, int part)
{
    const int64_t at = guru_at(&p->at, i), size = (int64_t)p->at.size;
    if (part == 0) return at * size;
    return port_has_pairs(p) ? at * size + size / 2 : p->imaginary ? (at + p->imaginary) * size : -1;
}

static inline double decode_short(unsigned bits, bool bfloat)
{
    const int shift = bfloat ? 7 : 10, bias = bfloat ? 127 : 15;
    const int exponent = (int)(bits >> shift) & (2 * bias + 1), sign = bits >> 15 ? -1 : 1;
    const double fraction = (double)(bits & ((1u << shift) - 1)), one = (double)(1 << shift);
    if (exponent == 2 * bias + 1) return fraction > 0 ? (double)NAN : sign * (double)INFINITY;
    return sign *
           (exponent ? ldexp(one + fraction, exponent - bias - shift) : ldexp(fraction, 1 - bias - shift));
}

static inline double decode_part(argand_type part, const unsigned char *at)
{
    float single;
    double value;
    uint16_t bits;
    switch (part) {
    case ARGAND_R32:
        memcpy(&single, at, sizeof single);
        return (double)single;
    case ARGAND_R64:
        memcpy(&value, at, sizeof value);
        return value;
    case ARGAND_U8:
        return *at;
    default:
        memcpy(&bits, at, sizeof bits);
        return decode_short(bits, part == ARGAND_RB16);
    }
}

/* -0.5 to 0.5; halves are between 1/16 and 1, bytes 1 to 4. */
static inline void random_part(random_state *r, argand_type part, unsigned char *at)
{
    const double value = random_uniform(r) - 0.5;
    const float single = (float)value;
    const bool bfloat = part == ARGAND_RB16;
    const uint16_t bits =
        (uint16_t)((chance(r, 0.5) ? 0x8000 : 0) | (bfloat ? pick(r, 123, 126) << 7 : pick(r, 11, 14) << 10) |
                   pick(r, 0, bfloat ? 127 : 1023));
    if (part == ARGAND_R32)
        memcpy(at, &single, sizeof single);
    else if (part == ARGAND_R64)
        memcpy(at, &value, sizeof value);
    else if (part == ARGAND_U8)
        *at = (unsigned char)pick(r, 1, 4);
    else
        memcpy(at, &bits, sizeof bits);
}

static inline void port_random(port *p, random_state *r)
{
    p->bytes = guru_canaries(&p->at);
    for (int64_t i = 0; i < p->at.count; i++)
        for (int part = 0; part < 2; part++)
            if (port_byte(p, i, part) >= 0) random_part(r, port_part(p), p->bytes + port_byte(p, i, part));
}

static inline exact port_get(const port *p, const unsigned char *bytes, int64_t i)
{
    double x[2] = {0, 0};
    for (int part = 0; part < 2; part++)
        if (port_byte(p, i, part) >= 0) x[part] = decode_part(port_part(p), bytes + port_byte(p, i, part));
    return (exact)CMPLX(x[0], x[1]);
}

/* ---- points, or places in an array, of all loops ---- */

typedef struct grid {
    int rank, dims;
    int64_t n[GURU_DIMS], count;
    exact *x;
} grid;

static inline grid grid_new(draw *d, const int64_t *axes)
{
    grid g = {.rank = d->g.options.rank, .dims = d->g.options.rank + d->g.options.loops, .count = 1};
    for (int i = 0; i < g.dims; i++) {
        g.n[i] = i < g.rank ? axes[i] : guru_dim(&d->g, i)->n;
        g.count *= g.n[i];
    }
    g.x = calloc((size_t)g.count, sizeof *g.x);
    assert_non_null(g.x);
    return g;
}

static inline void grid_place(int64_t *at, const grid *g, int64_t i)
{
    for (int d = 0; d < g->dims; i /= g->n[d++]) at[d] = i % g->n[d];
}

/* The element there, of an array (or another grid) in which dimensions of 1 repeat. */
static inline int64_t index_of(const int64_t *at, const int64_t *n, int dims)
{
    int64_t index = 0;
    for (int d = dims; d-- > 0;) index = index * n[d] + (n[d] == 1 ? 0 : at[d]);
    return index;
}

/* ---- chains ---- */

/* A function of the user's own: v data[x] e^(i p0) (1 + p1 x) + p2 conj(mirror), x the first coordinate. */
static inline exact own_value(exact v, exact mirror, int64_t x, const double *p, long double data)
{
    const exact factor = cosl((long double)p[0]) + I * sinl((long double)p[0]);
    return v * data * factor * (1 + (long double)p[1] * x) + (long double)p[2] * conjl(mirror);
}

/* One accessor, on all numbers before the next one: so each sees what the one before it left of X[-k]. */
static inline void chain_step(grid *g, const argand_accessor *a, const port *array)
{
    exact *old = malloc((size_t)g->count * sizeof *old);
    assert_non_null(old);
    memcpy(old, g->x, (size_t)g->count * sizeof *old);
    for (int64_t i = 0; i < g->count; i++) {
        int64_t at[GURU_DIMS], other[GURU_DIMS];
        exact f = a->scalar.re + I * (long double)a->scalar.im;
        grid_place(at, g, i);
        for (int d = 0; d < g->dims; d++) other[d] = d < g->rank ? (g->n[d] - at[d]) % g->n[d] : at[d];
        if (a->kind == ARGAND_ACCESS_CALL) {
            const long double data = creall(port_get(array, array->bytes, at[0]));
            g->x[i] = own_value(old[i], a->mirror ? old[index_of(other, g->n, g->dims)] : 0, at[0],
                                a->parameters, data);
            continue;
        }
        if (a->kind == ARGAND_ACCESS_MULTIPLY)
            f = port_get(array, array->bytes, index_of(at, array->at.n, array->at.dims));
        g->x[i] = old[i] * (a->conjugate ? conjl(f) : f);
    }
    free(old);
}

static inline void chain_all(draw *d, grid *g, const argand_accessor *chain, int number)
{
    for (int i = 0; i < ARGAND_MAX_ACCESSORS && chain[i].kind; i++)
        chain_step(g, &chain[i], &d->array[number][i]);
}

/* ---- spans ---- */

static inline grid read_array(draw *d)
{
    grid a = grid_new(d, d->in.at.n);
    for (int64_t i = 0; i < a.count; i++) {
        int64_t at[GURU_DIMS];
        grid_place(at, &a, i);
        a.x[i] = port_get(&d->in, d->in.bytes, index_of(at, d->in.at.n, d->in.at.dims));
    }
    return a;
}

/* Of point `at` the place in the array; false where there is none. */
static inline bool place_of(draw *d, bool output, int64_t *place, const int64_t *at, const grid *points)
{
    bool inside = true;
    for (int i = 0; i < points->dims; i++) {
        place[i] = at[i];
        if (i >= points->rank) continue;
        const argand_window s = span_of(d, output, i);
        place[i] = layout_is_half(d, output) && i == 0 ? (at[i] < s.count ? at[i] : -1)
                                                       : reference_source(s, at[i], points->n[i]);
        inside = inside && place[i] >= 0;
    }
    return inside;
}

static inline grid points_of(draw *d, bool half)
{
    int64_t n[ARGAND_MAX_RANK];
    for (int i = 0; i < d->g.options.rank; i++) n[i] = points_along(d, i, half);
    return grid_new(d, n);
}

static inline grid spread(draw *d, const grid *array)
{
    grid p = points_of(d, layout_is_half(d, false));
    const argand_fft_layout *layout = layout_of(d, false);
    for (int64_t i = 0; i < p.count; i++) {
        int64_t at[GURU_DIMS], place[GURU_DIMS];
        grid_place(at, &p, i);
        p.x[i] = place_of(d, false, place, at, &p)
                     ? array->x[index_of(place, array->n, array->dims)]
                     : layout->constant.re + I * (long double)layout->constant.im;
    }
    return p;
}

/* *terms: how many points come into the array. */
static inline grid gather(draw *d, const grid *p, int64_t *terms)
{
    grid a = grid_new(d, d->out.at.n);
    *terms = 0;
    for (int64_t i = 0; i < p->count; i++) {
        int64_t at[GURU_DIMS], place[GURU_DIMS];
        grid_place(at, p, i);
        if (!place_of(d, true, place, at, p)) continue;
        a.x[index_of(place, a.n, a.dims)] += p->x[i];
        ++*terms;
    }
    return a;
}

/* ---- transforms ---- */

static inline void along_axes(grid *p, int first, int sign)
{
    int64_t stride = 1;
    for (int axis = 0; axis < p->rank; stride *= p->n[axis++])
        if (axis >= first) guru_axis(p->x, p->count, p->n[axis], stride, sign, false);
}

static inline void to_half(draw *d, grid *p)
{
    grid half = points_of(d, true);
    along_axes(p, 0, -1);
    for (int64_t i = 0; i < half.count; i++) half.x[i] = p->x[i / half.n[0] * p->n[0] + i % half.n[0]];
    free(p->x);
    *p = half;
}

/* Axis 0 last: of its frequency 0 (and n/2) the real part alone counts there. */
static inline void from_half(draw *d, grid *half)
{
    grid p = points_of(d, false);
    const int64_t n = p.n[0], kept = half->n[0];
    along_axes(half, 1, 1);
    for (int64_t i = 0; i < p.count; i++) {
        const exact *row = half->x + i / n * kept;
        const int64_t k = i % n;
        p.x[i] = k < kept ? row[k] : conjl(row[n - k]);
        if (2 * k % n == 0) p.x[i] = creall(p.x[i]);
    }
    guru_axis(p.x, p.count, n, 1, 1, false);
    free(half->x);
    *half = p;
}

static inline void transform(draw *d, grid *p, int sign)
{
    if (!draw_is_real(d))
        along_axes(p, 0, sign);
    else if (sign < 0)
        to_half(d, p);
    else
        from_half(d, p);
}

static inline long double factor_of(const draw *d)
{
    const long double n = (long double)d->g.points;
    if (!has_spectrum(d)) return guru_factor(&d->g);
    return d->g.options.scale == ARGAND_SCALE_NONE ? 1 : 1 / n;
}

/* What each element of the output should be; *size: the root mean square of the points, times that of their
 * number. */
static inline exact *draw_reference(draw *d, long double *size)
{
    const argand_fft_access *chains = &d->g.options.access;
    int64_t terms;
    long double sum = 0;
    grid array = read_array(d);
    chain_all(d, &array, chains->load, LOAD);
    grid p = spread(d, &array);
    transform(d, &p, (int)d->g.direction);
    if (has_spectrum(d)) {
        chain_all(d, &p, chains->spectrum, SPECTRUM);
        transform(d, &p, -(int)d->g.direction);
    }
    for (int64_t i = 0; i < p.count; i++) {
        p.x[i] *= factor_of(d);
        sum += creall(p.x[i] * conjl(p.x[i]));
    }
    grid out = gather(d, &p, &terms);
    *size = sqrtl(sum / (long double)p.count * (long double)terms);
    chain_all(d, &out, chains->store, STORE);
    exact *y = calloc((size_t)d->out.at.count, sizeof *y);
    assert_non_null(y);
    for (int64_t i = 0; i < out.count; i++) {
        int64_t at[GURU_DIMS];
        grid_place(at, &out, i);
        y[index_of(at, d->out.at.n, d->out.at.dims)] += layout_is_real(d, true) ? creall(out.x[i]) : out.x[i];
    }
    free(array.x);
    free(p.x);
    free(out.x);
    return y;
}

#endif
