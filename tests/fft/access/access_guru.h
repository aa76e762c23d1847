/* SPDX-License-Identifier: BSD-3-Clause */
/* A random problem with accessors in the general form: axes and loops with any strides, spans, borders, types
 * of storage, split parts, chains, sums, in place or not; arrays in buffers whose every other byte is a
 * canary. */
#ifndef TESTS_FFT_ACCESS_GURU_H
#define TESTS_FFT_ACCESS_GURU_H

#include "access_reference.h"
#include "fft/guru.h"

enum { LOAD, SPECTRUM, STORE, CHAINS };

/* An array of the call: what a buffer is, and where elements lie in it. */
typedef struct port {
    guru_layout at; /* type, size, lengths, strides */
    int64_t imaginary;
    unsigned char *bytes; /* as they are before the call */
    argand_array *whole, *view;
} port;

typedef struct draw {
    guru g;
    port in, out, array[CHAINS][ARGAND_MAX_ACCESSORS];
    bool others; /* the plan is made with other scalars, arrays and parameters */
} draw;

static inline bool draw_is_real(const draw *d)
{
    return d->g.options.type < ARGAND_C32;
}

static inline bool draw_is_double(const draw *d)
{
    return d->g.options.type == ARGAND_R64 || d->g.options.type == ARGAND_C64;
}

static inline bool has_spectrum(const draw *d)
{
    return d->g.options.access.spectrum[0].kind != ARGAND_ACCESS_NONE;
}

/* Whether the numbers on that side of the call are real, or half a spectrum. */
static inline bool layout_is_real(const draw *d, bool output)
{
    return draw_is_real(d) && (has_spectrum(d) || output == (d->g.direction == ARGAND_INVERSE));
}

static inline bool layout_is_half(const draw *d, bool output)
{
    return draw_is_real(d) && !layout_is_real(d, output);
}

/* The options' side: of real transforms they are the same in both directions. */
static inline argand_fft_layout *layout_of(draw *d, bool output)
{
    const bool swapped = draw_is_real(d) && !has_spectrum(d) && d->g.direction == ARGAND_INVERSE;
    return output != swapped ? &d->g.options.output : &d->g.options.input;
}

/* Points of dimension i where numbers lie whole. */
static inline int64_t points_along(draw *d, int i, bool half)
{
    const int64_t n = guru_dim(&d->g, i)->n;
    return i == 0 && half ? n / 2 + 1 : n;
}

/* The span as it is meant: counted, and from where. */
static inline argand_window span_of(draw *d, bool output, int axis)
{
    const bool half = layout_is_half(d, output);
    argand_window s = layout_of(d, output)->window[axis];
    if (!s.count) s.count = points_along(d, axis, half);
    if (d->g.options.centred && !(half && axis == 0)) s.first -= s.count / 2;
    return s;
}

/* ---- sides ---- */

static inline void draw_windows(random_state *r, draw *d, bool output)
{
    argand_fft_layout *layout = layout_of(d, output);
    const bool half = layout_is_half(d, output), swapped = layout_of(d, true) == &d->g.options.input,
               constant = !output && !swapped && chance(r, 0.1);
    for (int axis = 0; axis < d->g.options.rank; axis++) {
        argand_window *s = &layout->window[axis];
        const int64_t n = points_along(d, axis, half);
        if (chance(r, 0.5)) s->count = pick(r, 1, n);
        if (half && axis == 0) continue;
        if (chance(r, 0.5)) s->first = pick(r, -n, 2 * n);
        if (constant)
            s->border = ARGAND_BORDER_CONSTANT;
        else if (chance(r, 0.4))
            s->border = (argand_border)pick(r, ARGAND_BORDER_WRAP, ARGAND_BORDER_MIRROR);
    }
    if (constant && !half)
        layout->constant = (argand_scalar){0.75, draw_is_real(d) ? 0 : -0.5};
    else
        for (int axis = 0; axis < d->g.options.rank && constant; axis++) layout->window[axis].border = 0;
}

static inline void draw_type(random_state *r, draw *d, bool output)
{
    argand_fft_layout *layout = layout_of(d, output);
    const argand_type whole = draw_is_double(d) ? ARGAND_R64 : ARGAND_R32,
                      reals[] = {whole, ARGAND_R16, ARGAND_RB16, ARGAND_U8},
                      pairs[] = {whole + 2, ARGAND_C16, ARGAND_CB16};
    if (chance(r, 0.6)) return;
    layout->type = layout_is_real(d, output) || chance(r, 0.5) ? reals[pick(r, 0, 3)] : pairs[pick(r, 0, 2)];
}

/* Strides of one side; several loops' worth of elements may be one element of the input, or of a sum. */
static inline void draw_strides(random_state *r, draw *d, bool output)
{
    argand_fft_options *o = &d->g.options;
    port *p = output ? &d->out : &d->in;
    const argand_fft_layout *layout = layout_of(d, output);
    const int dims = o->rank + o->loops;
    const bool shuffled = chance(r, 0.5), gaps = chance(r, 0.6), backwards = chance(r, 0.3),
               apart = layout->type && layout->type != ARGAND_C32 && layout->type != ARGAND_C64 &&
                       layout->type != ARGAND_C16 && layout->type != ARGAND_CB16 &&
                       !layout_is_real(d, output) && chance(r, 0.8),
               woven = apart && chance(r, 0.5);
    const int64_t unit = woven ? 2 : 1;
    /* what plans write must be distinct, and what those of real numbers without accessors read */
    const bool plain = !o->access.load[0].kind && !o->access.spectrum[0].kind && !o->access.store[0].kind;
    const double repeats = layout == &o->input && !(plain && draw_is_real(d)) ? 0.15 : 0;
    int order[GURU_DIMS];
    int64_t reach = 1;
    for (int i = 0; i < dims; i++) order[i] = i;
    for (int i = dims - 1; i > 0 && shuffled; i--) {
        const int other = (int)pick(r, 0, i), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
    p->at.dims = dims;
    for (int j = 0; j < dims; j++) {
        const int i = order[j];
        const bool one = i >= o->rank && (output ? o->sum >> (i - o->rank) & 1 : chance(r, repeats));
        p->at.n[i] = i < o->rank ? span_of(d, output, i).count : one ? 1 : guru_dim(&d->g, i)->n;
        p->at.stride[i] = unit * (reach + (gaps && chance(r, 0.5) ? pick(r, 0, 5) : 0));
        reach = p->at.stride[i] / unit * (p->at.n[i] - 1) + reach;
        if (one) p->at.stride[i] = 0;
        if (backwards && chance(r, 0.5)) p->at.stride[i] = -p->at.stride[i];
    }
    if (apart) p->imaginary = woven ? 1 : (chance(r, 0.5) ? 1 : -1) * (2 * reach + pick(r, 0, 9));
}

/* ---- chains ---- */

static inline argand_accessor draw_accessor(random_state *r, bool reals, bool mirrored)
{
    argand_accessor a = {.kind = (argand_access_kind)pick(r, ARGAND_ACCESS_SCALE, ARGAND_ACCESS_CALL)};
    if (a.kind == ARGAND_ACCESS_CALL)
        a.mirror = mirrored && chance(r, 0.5);
    else
        a.conjugate = chance(r, 0.3);
    a.scalar = (argand_scalar){chance(r, 0.5) ? 0.75 : -1.25, reals || chance(r, 0.3) ? 0 : 0.5};
    return a;
}

static inline void draw_chain(random_state *r, argand_accessor *chain, double some, bool reals, bool mirrored)
{
    int count = chance(r, some) ? 1 : 0;
    while (count && count < ARGAND_MAX_ACCESSORS && chance(r, 0.4)) count++;
    for (int i = 0; i < count; i++) chain[i] = draw_accessor(r, reals, mirrored);
}

/* ---- the problem ---- */

static inline void finish_port(draw *d, port *p, bool output)
{
    const argand_type whole = draw_is_double(d) ? ARGAND_R64 : ARGAND_R32;
    int64_t low = 0, high = 0;
    p->at.type = layout_of(d, output)->type;
    if (!p->at.type) p->at.type = layout_is_real(d, output) ? whole : whole + 2;
    p->at.size = argand_type_size(p->at.type);
    p->at.count = 1;
    for (int i = 0; i < p->at.dims; i++) {
        p->at.count *= p->at.n[i];
        *(p->at.stride[i] < 0 ? &low : &high) += (p->at.n[i] - 1) * p->at.stride[i];
    }
    *(p->imaginary < 0 ? &low : &high) += p->imaginary;
    p->at.offset = guru_margin() - low;
    p->at.total = high - low + 1 + 2 * guru_margin();
}

static inline void draw_lengths(random_state *r, draw *d, int64_t most)
{
    guru *g = &d->g;
    g->points = g->lines = 1;
    for (int i = 0; i < g->options.rank + g->options.loops; i++) {
        const int64_t n = guru_length(r, most / (g->points * g->lines));
        guru_dim(g, i)->n = n;
        *(i < g->options.rank ? &g->points : &g->lines) *= n;
    }
}

/* Where both sides can have the same elements: all loops on both, numbers of one kind. */
static inline void make_in_place(draw *d)
{
    argand_fft_options *o = &d->g.options;
    if (o->sum || layout_is_real(d, true) != layout_is_real(d, false)) return;
    for (int i = o->rank; i < d->in.at.dims; i++)
        if (d->in.at.n[i] != guru_dim(&d->g, i)->n) return;
    d->g.in_place = true;
    layout_of(d, true)->type = layout_of(d, false)->type;
    for (int axis = 0; axis < o->rank; axis++)
        layout_of(d, true)->window[axis].count = layout_of(d, false)->window[axis].count;
    d->out = d->in;
}

static inline void give_strides(draw *d)
{
    layout_of(d, false)->imaginary = d->in.imaginary;
    layout_of(d, true)->imaginary = d->out.imaginary;
    for (int i = 0; i < d->in.at.dims; i++) {
        argand_axis *axis = guru_dim(&d->g, i);
        const bool swapped = layout_of(d, true) == &d->g.options.input;
        axis->in_stride = swapped ? d->out.at.stride[i] : d->in.at.stride[i];
        axis->out_stride = swapped ? d->in.at.stride[i] : d->out.at.stride[i];
    }
}

static inline draw draw_random(uint64_t seed, int64_t most)
{
    random_state random = {seed * 6007 + 5}, *r = &random;
    draw d = {0};
    argand_fft_options *o = &d.g.options;
    for (int i = 0; i < 8; i++) (void)random_uniform(r);
    const bool real = chance(r, 0.35);
    o->type = (argand_type)((real ? 1 : 3) + pick(r, 0, 1));
    o->rank = (int)pick(r, 1, 3);
    o->loops = (int)pick(r, 0, 2);
    o->axes_given = true;
    o->centred = !real && chance(r, 0.3);
    o->scale = (argand_fft_scale)pick(r, 0, 2);
    draw_lengths(r, &d, most);
    draw_chain(r, o->access.spectrum, 0.35, false, !real);
    d.g.direction = chance(r, 0.5) || (real && has_spectrum(&d)) ? ARGAND_FORWARD : ARGAND_INVERSE;
    draw_chain(r, o->access.load, 0.5, layout_is_real(&d, false), false);
    draw_chain(r, o->access.store, 0.5, layout_is_real(&d, true), false);
    for (int output = 0; output < 2; output++) {
        if (chance(r, 0.6)) draw_windows(r, &d, output);
        draw_type(r, &d, output);
    }
    for (int loop = 0; loop < o->loops; loop++) o->sum |= chance(r, 0.15) ? 1u << loop : 0;
    draw_strides(r, &d, false);
    draw_strides(r, &d, true);
    o->signal_order = !real && chance(r, 0.2) ? ARGAND_ORDER_SCRAMBLED : ARGAND_ORDER_NATURAL;
    o->spectrum_order = !real && chance(r, 0.2) ? ARGAND_ORDER_SCRAMBLED : ARGAND_ORDER_NATURAL;
    d.others =
        chance(r, 0.3) && (has_spectrum(&d) || o->access.load[0].kind != 0 || o->access.store[0].kind != 0);
    o->preserve_input = chance(r, 0.5);
    finish_port(&d, &d.in, false);
    if (chance(r, 0.3)) make_in_place(&d);
    finish_port(&d, &d.out, true);
    give_strides(&d);
    return d;
}

#endif
