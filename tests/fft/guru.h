/* SPDX-License-Identifier: BSD-3-Clause */
/* A random problem in the general form: axes and loops with any strides, in buffers whose every other byte is
 * a canary. */
#ifndef TESTS_FFT_GURU_H
#define TESTS_FFT_GURU_H

#include "guarded.h"
#include "reference/fft.h"

enum { GURU_DIMS = 2 * ARGAND_MAX_RANK };

/* Elements from which on processors take lines together whose points have such strides, and what a layout may
 * span because of that. */
enum { GURU_FAR = 600, GURU_FAR_MOST = 400000 };

/* Canaries before and behind the elements of a buffer: none where pages stand there (guarded.h). */
static inline int64_t guru_margin(void)
{
    return memory_guards() ? 0 : 37;
}

typedef struct guru {
    argand_fft_options options;
    argand_direction direction;
    bool in_place;
    bool rows;             /* in place, of reals: rows in the same bytes on both sides */
    bool views;            /* the plan knows lengths alone, the strides are those of its arrays */
    int64_t points, lines; /* points of one transform; transforms */
} guru;

/* One side of it: what a buffer is, and where elements lie in it. */
typedef struct guru_layout {
    argand_type type;
    size_t size; /* bytes of an element */
    int dims;
    int64_t n[GURU_DIMS], stride[GURU_DIMS], count; /* elements that are touched */
    int64_t offset, total;                          /* of the first; elements in the buffer */
} guru_layout;

/* low to high, both included */
static inline int64_t pick(random_state *r, int64_t low, int64_t high)
{
    return low + (int64_t)(random_uniform(r) * (double)(high - low + 1));
}

static inline bool chance(random_state *r, double probability)
{
    return random_uniform(r) < probability;
}

/* ---- the problem ---- */

static inline argand_axis *guru_dim(guru *g, int i)
{
    return i < g->options.rank ? &g->options.axes[i] : &g->options.loop[i - g->options.rank];
}

static inline int64_t guru_length(random_state *r, int64_t most)
{
    static const int64_t odd[] = {17, 31, 37, 61, 67, 97, 101, 127, 131, 257, 263, 1009, 2053};
    static const int64_t smooth[] = {100, 128,  143,  169,  243,  256,  343,  512,
                                     625, 1000, 1001, 1024, 2048, 2187, 4096, 8192};
    const double kind = random_uniform(r);
    const int64_t n = kind < 0.55   ? pick(r, 1, 12)
                      : kind < 0.8  ? pick(r, 2, 70)
                      : kind < 0.88 ? odd[pick(r, 0, 12)]
                                    : smooth[pick(r, 0, 15)];
    return n <= most ? n : pick(r, 1, most);
}

/* Strides of one side: dimensions in a random order (or as they come), each beyond all before it, with gaps,
 * some backwards. */
static inline void guru_strides(random_state *r, guru *g, bool is_output, bool real_layout)
{
    const int dims = g->options.rank + g->options.loops;
    const bool shuffled = chance(r, 0.5), gaps = chance(r, 0.6), backwards = chance(r, 0.3);
    int order[GURU_DIMS];
    int64_t reach = 1;
    for (int i = 0; i < dims; i++) order[i] = i;
    for (int i = dims - 1; i > 0 && shuffled; i--) {
        const int other = (int)pick(r, 0, i), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
    int64_t rest = g->points * g->lines;
    const int far = chance(r, 0.3) ? (int)pick(r, 0, dims - 1) : dims;
    for (int i = 0; i < dims; i++) {
        argand_axis *axis = guru_dim(g, order[i]);
        const int64_t n = order[i] == 0 && !real_layout ? axis->n / 2 + 1 : axis->n;
        int64_t stride = reach + (gaps && chance(r, 0.5) ? pick(r, 0, 5) : 0);
        if (i >= far && stride < GURU_FAR && GURU_FAR * rest < GURU_FAR_MOST)
            stride = GURU_FAR + pick(r, 0, 2);
        rest /= axis->n;
        reach = stride * (n - 1) + reach;
        if (backwards && chance(r, 0.5)) stride = -stride;
        *(is_output ? &axis->out_stride : &axis->in_stride) = stride;
    }
}

/* p x q elements at strides q and p: all distinct where p and q have no common factor, and none beyond the
 * others. */
static inline void guru_woven(guru *g)
{
    g->options.rank = 2;
    g->options.loops = 0;
    g->options.axes[0] = (argand_axis){5, 8, 8};
    g->options.axes[1] = (argand_axis){8, 5, 5};
    g->points = 40;
    g->lines = 1;
}

/* A real transform in place: rows along axis 0 that hold either layout, each next to the others; strides
 * of the complex layout, twice those of the reals. */
static inline void guru_rows(random_state *r, guru *g)
{
    const int dims = g->options.rank + g->options.loops;
    const bool gaps = chance(r, 0.5), backwards = chance(r, 0.3);
    argand_axis *row = &g->options.axes[0];
    row->in_stride = chance(r, 0.7) ? 1 : pick(r, 1, 3);
    row->out_stride = chance(r, 0.8) ? 1 : 2;
    const int64_t reals = (row->n - 1) * row->in_stride + 1, pairs = row->n / 2 * row->out_stride + 1;
    int64_t reach = pairs > (reals + 1) / 2 ? pairs : (reals + 1) / 2;
    for (int i = 1; i < dims; i++) {
        argand_axis *axis = guru_dim(g, i);
        int64_t stride = reach + (gaps ? pick(r, 0, 3) : 0);
        reach += stride * (axis->n - 1);
        if (backwards && chance(r, 0.5)) stride = -stride;
        axis->out_stride = stride;
        axis->in_stride = 2 * stride;
    }
    g->rows = g->in_place = true;
}

/* Orders given up, on one side or both; where lines are long enough for that to matter. */
static inline void guru_orders(random_state *r, guru *g, int64_t most)
{
    static const int64_t lengths[] = {4096, 16384, 20000, 32768, 65536, 131072, 150000, 200000};
    argand_fft_options *o = &g->options;
    o->signal_order = (argand_fft_order)pick(r, 0, 1);
    o->spectrum_order = (argand_fft_order)pick(r, 0, 1);
    if (most < 32768 || chance(r, 0.3)) return;
    o->rank = 1;
    o->loops = 1;
    o->axes[0] = (argand_axis){lengths[pick(r, chance(r, 0.5) ? 0 : 5, 7)], 1, 1};
    o->loop[0] = (argand_axis){pick(r, 1, 3), 0, 0};
    o->loop[0].in_stride = o->loop[0].out_stride = o->axes[0].n + pick(r, 0, 5);
    g->points = o->axes[0].n;
    g->lines = o->loop[0].n;
}

/* The same problem as a plan without axes sees it. */
static inline void guru_by_views(guru *g)
{
    argand_fft_options *o = &g->options;
    o->axes_given = false;
    o->batch = g->lines;
    for (int axis = 0; axis < o->rank; axis++) o->n[axis] = o->axes[axis].n;
    g->views = true;
}

static inline guru guru_random(uint64_t seed, int64_t most)
{
    random_state random = {seed * 7919 + 1}, *r = &random;
    guru g = {.points = 1, .lines = 1};
    argand_fft_options *o = &g.options;
    const bool real = chance(r, 0.3);
    for (int i = 0; i < 8; i++) (void)random_uniform(r);
    o->type = (argand_type)((real ? 1 : 3) + pick(r, 0, 1));
    o->rank = (int)(chance(r, 0.8) ? pick(r, 1, 3) : pick(r, 4, 6));
    o->loops = (int)pick(r, 0, 3);
    o->axes_given = true;
    o->centred = !real && chance(r, 0.4);
    o->scale = (argand_fft_scale)pick(r, 0, 2);
    g.direction = chance(r, 0.5) ? ARGAND_FORWARD : ARGAND_INVERSE;
    g.in_place = !real && chance(r, 0.3);
    for (int i = 0; i < o->rank + o->loops; i++) {
        const int64_t n = guru_length(r, most / (g.points * g.lines));
        guru_dim(&g, i)->n = n;
        *(i < o->rank ? &g.points : &g.lines) *= n;
    }
    guru_strides(r, &g, false, true);
    if (!real && chance(r, 0.05)) {
        guru_woven(&g);
        return g;
    }
    guru_strides(r, &g, true, !real);
    for (int i = 0; i < o->rank + o->loops && g.in_place; i++)
        guru_dim(&g, i)->out_stride = guru_dim(&g, i)->in_stride;
    if (!real && !g.in_place && o->loops && chance(r, 0.2)) o->loop[0].in_stride = 0; /* one input for all */
    if (real && chance(r, 0.3)) guru_rows(r, &g);
    if (!real && chance(r, 0.2)) guru_orders(r, &g, most);
    if (o->rank + o->loops <= ARGAND_MAX_RANK && chance(r, 0.4)) guru_by_views(&g);
    return g;
}

/* What the plan is made with: loops of views are the batch, and their strides those of the arrays. */
static inline argand_fft_options guru_plan_options(const guru *g)
{
    argand_fft_options o = g->options;
    if (g->views) o.loops = 0;
    return o;
}

static inline const char *guru_text(guru *g)
{
    static char description[1000];
    const argand_fft_options *o = &g->options;
    int used = snprintf(description, sizeof description, "%s, %s%s%s%s, scale %d:", argand_type_name(o->type),
                        g->direction == ARGAND_FORWARD ? "forward" : "inverse", o->centred ? ", centred" : "",
                        g->in_place ? ", in place" : "", g->views ? ", views" : "", (int)o->scale);
    if (o->signal_order || o->spectrum_order)
        used += snprintf(description + used, sizeof description - (size_t)used,
                         " orders %d %d:", (int)o->signal_order, (int)o->spectrum_order);
    for (int i = 0; i < o->rank + o->loops; i++) {
        const argand_axis *axis = guru_dim(g, i);
        used += snprintf(description + used, sizeof description - (size_t)used, " %s{%lld, %lld, %lld}",
                         i < o->rank ? "" : "loop ", (long long)axis->n, (long long)axis->in_stride,
                         (long long)axis->out_stride);
    }
    return description;
}

/* ---- a side of it ---- */

static inline guru_layout guru_layout_of(guru *g, bool is_output)
{
    const argand_fft_options *o = &g->options;
    const bool real = o->type < ARGAND_C32, reals = real && is_output == (g->direction == ARGAND_INVERSE),
               out_strides = real ? !reals : is_output;
    const bool twice = o->type == ARGAND_R64 || o->type == ARGAND_C64;
    guru_layout s = {.type = reals   ? o->type
                             : twice ? ARGAND_C64
                                     : ARGAND_C32,
                     .dims = o->rank + o->loops,
                     .count = 1};
    int64_t low = 0, high = 0;
    s.size = argand_type_size(s.type);
    for (int i = 0; i < s.dims; i++) {
        const argand_axis *axis = guru_dim(g, i);
        s.n[i] = i == 0 && real && !reals ? axis->n / 2 + 1 : axis->n;
        s.stride[i] = out_strides ? axis->out_stride : axis->in_stride;
        s.count *= s.n[i];
        *(s.stride[i] < 0 ? &low : &high) += (s.n[i] - 1) * s.stride[i];
    }
    s.offset = guru_margin() - low;
    s.total = high - low + 1 + 2 * guru_margin();
    return s;
}

/* Where the i-th element is, counted along dimension 0 first. */
static inline int64_t guru_at(const guru_layout *s, int64_t i)
{
    int64_t at = s->offset;
    for (int d = 0; d < s->dims; i /= s->n[d++]) at += i % s->n[d] * s->stride[d];
    return at;
}

/* Whatever is read from a canary is not a number. */
static inline unsigned char *guru_canaries(const guru_layout *s)
{
    const size_t bytes = s->size * (size_t)s->total;
    unsigned char *memory = malloc(bytes);
    assert_non_null(memory);
    memset(memory, 0xff, bytes);
    return memory;
}

static inline exact guru_get(const guru_layout *s, const unsigned char *memory, int64_t i)
{
    const void *at = memory + (size_t)guru_at(s, i) * s->size;
    double x[2] = {0, 0};
    float y[2];
    const bool single = s->type == ARGAND_R32 || s->type == ARGAND_C32;
    memcpy(single ? (void *)y : (void *)x, at, s->size);
    for (int part = 0; part < 2 && single; part++) x[part] = (double)y[part];
    return s->type < ARGAND_C32 ? (exact)x[0] : (exact)CMPLX(x[0], x[1]);
}

static inline void guru_set(const guru_layout *s, unsigned char *memory, int64_t i, exact value)
{
    void *at = memory + (size_t)guru_at(s, i) * s->size;
    const double x[2] = {(double)creall(value), (double)cimagl(value)};
    const float y[2] = {(float)x[0], (float)x[1]};
    memcpy(at, s->type == ARGAND_R32 || s->type == ARGAND_C32 ? (const void *)y : (const void *)x, s->size);
}

/* ---- the reference ---- */

/* All lines along one dimension, in place in contiguous memory. */
static inline void guru_axis(exact *x, int64_t all, int64_t n, int64_t stride, int sign, bool centred)
{
    const int64_t c = centred ? n / 2 : 0;
    exact *line = malloc((size_t)n * sizeof *line);
    reference_fft *t = reference_fft_create(n);
    assert_true(line && t);
    for (int64_t start = 0; start < all; start++) {
        if (start / stride % n) continue;
        for (int64_t i = 0; i < n; i++) line[i] = x[start + (i + c) % n * stride];
        reference_fft_apply(t, line, sign);
        for (int64_t k = 0; k < n; k++) x[start + (k + c) % n * stride] = line[k];
    }
    reference_fft_destroy(t);
    free(line);
}

/* Transforms x, all lengths of the real layout, along the transformed axes; without a scale. */
static inline void guru_transform(const guru *g, exact *x, int sign)
{
    int64_t stride = 1;
    for (int axis = 0; axis < g->options.rank; axis++) {
        const int64_t n = g->options.axes[axis].n;
        guru_axis(x, g->points * g->lines, n, stride, sign, g->options.centred);
        stride *= n;
    }
}

static inline long double guru_factor(const guru *g)
{
    const long double n = (long double)g->points;
    if (g->options.scale == ARGAND_SCALE_UNITARY) return 1 / sqrtl(n);
    return g->options.scale == ARGAND_SCALE_INVERSE && g->direction == ARGAND_INVERSE ? 1 / n : 1;
}

#endif
