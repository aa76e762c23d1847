/* SPDX-License-Identifier: BSD-3-Clause */
/* A library with cuFFT's functions, over host memory and by the definition of the transform, so that the
 * engine's use of them can be tested without a GPU. It is as strict as the real one is careless:
 * complex-to-real transforms overwrite their input, plans are for one kind, layouts are followed as they are
 * given. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLANS = 64 };

typedef struct layout {
    long long embed[3], stride, distance;
} layout;

static struct plan {
    int used, made, rank, kind, stream_set;
    long long n[3], batch;
    layout in, out;
} plans[PLANS];

int cufftGetVersion(int *version)
{
    *version = 11300;
    return 0;
}

int cufftCreate(int *handle)
{
    for (int i = 1; i < PLANS; i++)
        if (!plans[i].used) {
            plans[i] = (struct plan){.used = 1};
            *handle = i;
            return 0;
        }
    return 2;
}

int cufftDestroy(int handle)
{
    if (!plans[handle].used) return 1;
    plans[handle].used = 0;
    return 0;
}

int cufftSetAutoAllocation(int handle, int yes)
{
    return plans[handle].used && !yes ? 0 : 4;
}

int cufftSetWorkArea(int handle, void *work)
{
    (void)work;
    return plans[handle].used ? 0 : 1;
}

int cufftSetStream(int handle, void *stream)
{
    (void)stream;
    plans[handle].stream_set = 1;
    return plans[handle].used ? 0 : 1;
}

int cufftMakePlanMany64(int handle, int rank, long long *n, long long *in_embed, long long in_stride,
                        long long in_distance, long long *out_embed, long long out_stride,
                        long long out_distance, int kind, long long batch, size_t *work)
{
    struct plan *p = &plans[handle];
    if (!p->used || p->made || rank > 3) return 4;
    p->made = 1;
    p->rank = rank;
    p->kind = kind;
    p->batch = batch;
    memcpy(p->n, n, (size_t)rank * sizeof *n);
    p->in = (layout){.stride = in_stride, .distance = in_distance};
    p->out = (layout){.stride = out_stride, .distance = out_distance};
    memcpy(p->in.embed, in_embed, (size_t)rank * sizeof *n);
    memcpy(p->out.embed, out_embed, (size_t)rank * sizeof *n);
    *work = 0;
    return 0;
}

static long long place(const struct plan *p, const layout *l, long long batch, const long long *index)
{
    long long at = 0;
    for (int axis = 0; axis < p->rank; axis++) at = at * l->embed[axis] + index[axis];
    return batch * l->distance + at * l->stride;
}

/* index of the at-th element of dims n, the last the fastest */
static void unfold(long long at, int rank, const long long *n, long long *index)
{
    for (int axis = rank - 1; axis >= 0; axis--) {
        index[axis] = at % n[axis];
        at /= n[axis];
    }
}

static double complex number(const void *x, long long at, int is_double, int is_real)
{
    if (is_real) return is_double ? ((const double *)x)[at] : (double)((const float *)x)[at];
    return is_double ? ((const double complex *)x)[at] : (double complex)((const float complex *)x)[at];
}

static void set(void *x, long long at, double complex value, int is_double, int is_real)
{
    if (is_real && is_double)
        ((double *)x)[at] = creal(value);
    else if (is_real)
        ((float *)x)[at] = (float)creal(value);
    else if (is_double)
        ((double complex *)x)[at] = value;
    else
        ((float complex *)x)[at] = (float complex)value;
}

/* Element `index` of one batch's input, where a half spectrum stands for the whole. */
static double complex element(const struct plan *p, const void *in, long long batch, const long long *index,
                              int is_double, int from_real, int to_real)
{
    long long other[3];
    const int last = p->rank - 1;
    if (!to_real || index[last] <= p->n[last] / 2)
        return number(in, place(p, &p->in, batch, index), is_double, from_real);
    for (int axis = 0; axis < p->rank; axis++) other[axis] = (p->n[axis] - index[axis]) % p->n[axis];
    return conj(number(in, place(p, &p->in, batch, other), is_double, 0));
}

static double complex sum(const struct plan *p, const double complex *x, long long count, const long long *k,
                          int sign)
{
    double complex total = 0;
    for (long long at = 0; at < count; at++) {
        long long index[3];
        double turns = 0;
        unfold(at, p->rank, p->n, index);
        for (int axis = 0; axis < p->rank; axis++)
            turns += (double)(index[axis] * k[axis] % p->n[axis]) / (double)p->n[axis];
        total += x[at] * cexp(sign * 6.283185307179586 * turns * I);
    }
    return total;
}

static int run(int handle, void *in, void *out, int sign, int kind)
{
    const struct plan *p = &plans[handle];
    const int is_double = kind >= 0x69, from_real = kind == 0x2a || kind == 0x6a,
              to_real = kind == 0x2c || kind == 0x6c;
    long long count = 1;
    if (!p->used || !p->made || p->kind != kind || !p->stream_set) return 1;
    for (int axis = 0; axis < p->rank; axis++) count *= p->n[axis];
    double complex *x = malloc((size_t)count * sizeof *x);
    if (!x) return 2;
    for (long long batch = 0; batch < p->batch; batch++) {
        long long index[3];
        for (long long at = 0; at < count; at++) {
            unfold(at, p->rank, p->n, index);
            x[at] = element(p, in, batch, index, is_double, from_real, to_real);
        }
        for (long long at = 0; at < count; at++) {
            unfold(at, p->rank, p->n, index);
            if (from_real && index[p->rank - 1] > p->n[p->rank - 1] / 2) continue;
            set(out, place(p, &p->out, batch, index), sum(p, x, count, index, sign), is_double, to_real);
        }
        if (to_real) set(in, batch * p->in.distance, NAN, is_double, 0);
    }
    free(x);
    return 0;
}

int cufftExecC2C(int handle, void *in, void *out, int direction)
{
    return run(handle, in, out, direction, 0x29);
}

int cufftExecZ2Z(int handle, void *in, void *out, int direction)
{
    return run(handle, in, out, direction, 0x69);
}

int cufftExecR2C(int handle, void *in, void *out)
{
    return run(handle, in, out, -1, 0x2a);
}

int cufftExecD2Z(int handle, void *in, void *out)
{
    return run(handle, in, out, -1, 0x6a);
}

int cufftExecC2R(int handle, void *in, void *out)
{
    return run(handle, in, out, 1, 0x2c);
}

int cufftExecZ2D(int handle, void *in, void *out)
{
    return run(handle, in, out, 1, 0x6c);
}
