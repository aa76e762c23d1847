/* SPDX-License-Identifier: BSD-3-Clause */
/* The reference for transforms with accessors: the whole padded array point by point, the sum as it is
 * written in fft.h along each axis, and every rule of access.h by its text, in long double. Plans by shape
 * (no axes given). */
#ifndef TESTS_FFT_ACCESS_TRUTH_H
#define TESTS_FFT_ACCESS_TRUTH_H

#include "fft/direct.h"

/* Devices that compile a kernel for every kind of accessor are spared the second precision. */
static inline int precisions(void)
{
    argand_device_info info;
    OK(argand_device_describe(device, &info));
    return info.host_addressable ? 2 : 1;
}

/* What functions of the user's own do: the test's are all this one. */
typedef exact (*truth_function)(exact v, exact mirror, const int64_t *at, const double *parameters);
static truth_function own_function;

typedef struct truth_shape {
    int rank, dims;
    int64_t n[ARGAND_MAX_RANK];
} truth_shape;

static inline int64_t truth_count(const truth_shape *s)
{
    int64_t count = 1;
    for (int d = 0; d < s->dims; d++) count *= s->n[d];
    return count;
}

static inline void truth_place(int64_t *at, const truth_shape *s, int64_t index)
{
    for (int d = 0; d < s->dims; index /= s->n[d++]) at[d] = index % s->n[d];
}

static inline int64_t truth_index(const int64_t *at, const truth_shape *s)
{
    int64_t index = 0;
    for (int d = s->dims; d-- > 0;) index = index * s->n[d] + at[d];
    return index;
}

/* An array's element where dimensions of 1 repeat. */
static inline exact truth_element(const exact *x, const argand_array *a, const int64_t *at)
{
    int64_t index = 0;
    for (int d = argand_array_rank(a); d-- > 0;) {
        const int64_t n = argand_array_dim(a, d);
        index = index * n + (n == 1 ? 0 : at[d]);
    }
    return x[index];
}

/* A chain with its arrays. */
typedef struct truth_links {
    const argand_accessor *chain;
    exact *array[ARGAND_MAX_ACCESSORS];
} truth_links;

static inline truth_links truth_links_of(const argand_accessor *chain)
{
    truth_links l = {.chain = chain};
    for (int i = 0; i < ARGAND_MAX_ACCESSORS && chain[i].kind; i++)
        if (chain[i].kind == ARGAND_ACCESS_MULTIPLY) l.array[i] = exact_of(chain[i].array);
    return l;
}

static inline void truth_links_free(truth_links *l)
{
    for (int i = 0; i < ARGAND_MAX_ACCESSORS; i++) free(l->array[i]);
}

static inline exact truth_chain(exact v, exact mirror, const truth_links *l, const int64_t *at)
{
    const argand_accessor *chain = l->chain;
    for (int i = 0; i < ARGAND_MAX_ACCESSORS && chain[i].kind; i++) {
        exact f = chain[i].scalar.re + I * (long double)chain[i].scalar.im;
        if (chain[i].kind == ARGAND_ACCESS_CALL) {
            v = own_function(v, mirror, at, chain[i].parameters);
            continue;
        }
        if (chain[i].kind == ARGAND_ACCESS_MULTIPLY) f = truth_element(l->array[i], chain[i].array, at);
        v *= chain[i].conjugate ? conjl(f) : f;
    }
    return v;
}

static inline argand_window reference_window(const argand_fft_options *o, const argand_fft_layout *layout,
                                             int axis, int64_t n)
{
    argand_window s = layout->window[axis];
    if (!s.count) s.count = n;
    if (o->centred) s.first -= s.count / 2;
    return s;
}

/* The element of which point p of n is (a copy): -1 where a rule says zero or constant. */
static inline int64_t reference_source(argand_window s, int64_t p, int64_t n)
{
    int64_t i = ((p - s.first) % n + n) % n;
    if (i < s.count) return i;
    if (i - s.count >= (n - s.count + 1) / 2) i -= n;
    switch (s.border) {
    case ARGAND_BORDER_WRAP:
        return (i % s.count + s.count) % s.count;
    case ARGAND_BORDER_CLAMP:
        return i < 0 ? 0 : s.count - 1;
    case ARGAND_BORDER_MIRROR:
        while (i < 0 || i >= s.count) i = i < 0 ? -1 - i : 2 * s.count - 1 - i;
        return i;
    default:
        return -1;
    }
}

static inline void truth_transform(exact *x, const truth_shape *s, int sign)
{
    int64_t batch = 1;
    for (int d = s->rank; d < s->dims; d++) batch *= s->n[d];
    direct_fft(x, s->rank, s->n, batch, sign, false);
}

static inline void truth_spectrum(exact *x, const truth_shape *s, const argand_accessor *chain)
{
    const int64_t count = truth_count(s);
    exact *copy = malloc((size_t)count * sizeof *copy);
    truth_links links = truth_links_of(chain);
    memcpy(copy, x, (size_t)count * sizeof *copy);
    for (int64_t i = 0; i < count; i++) {
        int64_t at[ARGAND_MAX_RANK] = {0}, other[ARGAND_MAX_RANK] = {0};
        truth_place(at, s, i);
        for (int d = 0; d < s->dims; d++) other[d] = d < s->rank ? (s->n[d] - at[d]) % s->n[d] : at[d];
        x[i] = truth_chain(copy[i], copy[truth_index(other, s)], &links, at);
    }
    truth_links_free(&links);
    free(copy);
}

/* Where in the array a point of the transform is, or what stands around the array. */
static inline bool truth_outside(exact *around, int64_t *at, const argand_fft_options *o,
                                 const truth_shape *s)
{
    bool outside = false;
    *around = 0;
    for (int d = 0; d < o->rank; d++) {
        const argand_window window = reference_window(o, &o->input, d, s->n[d]);
        at[d] = reference_source(window, at[d], s->n[d]);
        outside = outside || at[d] < 0;
        if (at[d] < 0 && window.border == ARGAND_BORDER_CONSTANT)
            *around = o->input.constant.re + I * (long double)o->input.constant.im;
    }
    return outside;
}

/* What `out` (whose shape is looked at) should hold. Real transforms: forward, or through a spectrum. */
static inline exact *access_reference(const argand_fft_options *o, const argand_array *out,
                                      const argand_array *in, argand_direction direction)
{
    truth_shape s = {o->rank, o->rank, {0}};
    exact *x = exact_of(in), *y = calloc((size_t)argand_array_count(out), sizeof *y);
    for (int d = 0; d < ARGAND_MAX_RANK; d++) {
        const int64_t a = argand_array_dim(in, d), b = argand_array_dim(out, d);
        s.n[d] = d < o->rank ? o->n[d] : a > b ? a : b;
        if (d >= o->rank && s.n[d] > 1) s.dims = d + 1;
    }
    const int64_t count = truth_count(&s);
    long double points = 1;
    for (int d = 0; d < o->rank; d++) points *= (long double)o->n[d];
    exact *p = malloc((size_t)count * sizeof *p);
    truth_links load = truth_links_of(o->access.load), store = truth_links_of(o->access.store);
    for (int64_t i = 0; i < count; i++) {
        int64_t at[ARGAND_MAX_RANK] = {0};
        exact around;
        truth_place(at, &s, i);
        const bool outside = truth_outside(&around, at, o, &s);
        p[i] = outside ? around : truth_chain(truth_element(x, in, at), 0, &load, at);
    }
    truth_transform(p, &s, (int)direction);
    if (o->access.spectrum[0].kind) {
        truth_spectrum(p, &s, o->access.spectrum);
        truth_transform(p, &s, -(int)direction);
    }
    long double factor = o->scale == ARGAND_SCALE_UNITARY ? 1 / sqrtl(points) : 1;
    if (o->access.spectrum[0].kind) factor *= factor;
    if (o->scale == ARGAND_SCALE_INVERSE && (o->access.spectrum[0].kind || direction == ARGAND_INVERSE))
        factor = 1 / points;
    for (int64_t i = 0; i < count; i++) {
        int64_t at[ARGAND_MAX_RANK] = {0};
        bool outside = false;
        truth_place(at, &s, i);
        for (int d = 0; d < o->rank; d++) {
            const int64_t half = o->n[d] / 2 + 1;
            const bool is_half = d == 0 && o->type < ARGAND_C32 && !o->access.spectrum[0].kind;
            argand_window window = reference_window(o, &o->output, d, is_half ? half : s.n[d]);
            at[d] = is_half ? (at[d] < window.count ? at[d] : -1) : reference_source(window, at[d], s.n[d]);
            outside = outside || at[d] < 0;
        }
        if (outside) continue;
        int64_t index = 0;
        for (int d = argand_array_rank(out); d-- > 0;) {
            const int64_t n = argand_array_dim(out, d);
            index = index * n + (n == 1 ? 0 : at[d]);
        }
        y[index] += factor * truth_chain(p[i], 0, &store, at);
    }
    if (argand_array_type(out) < ARGAND_C32)
        for (int64_t i = 0; i < argand_array_count(out); i++) y[i] = creall(y[i]);
    truth_links_free(&load);
    truth_links_free(&store);
    free(p);
    free(x);
    return y;
}

/* The plan's result and the reference: relative l2. */
static inline double access_error(const argand_fft_options *o, argand_array *out, const argand_array *in,
                                  argand_direction direction)
{
    exact *expected = access_reference(o, out, in, direction);
    argand_fft *plan = new_plan(o);
    OK(argand_fft_apply(plan, out, in, direction));
    const double error = distance(out, expected, 1);
    argand_fft_destroy(plan);
    free(expected);
    return error;
}

#endif
