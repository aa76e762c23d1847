/* SPDX-License-Identifier: BSD-3-Clause */
/* One contiguous complex line of any length as an algorithm of line.h: Rader for primes, Bluestein for other
 * lengths, over transforms of smooth lengths that run along the line (simd_single/simd_single.h). For few
 * lines; many are faster in batches. */
#include "fft/cpu/any_length/single.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "fft/cpu/any_length/any_length.h"
#include "fft/cpu/line/algorithms.h"
#include "fft/cpu/simd_single/simd_single.h"

typedef struct single_state {
    const single_kernels *kernels;
    any_length_plan *plan; /* one big, no tree */
    simd_single *smooth;   /* of the convolutions' length */
    size_t size;           /* of a complex number */
} single_state;

static const char *applicable(const line_request *r)
{
    if (r->kind != LINE_COMPLEX) return "it is for complex lines";
    if (simd_single_can(r->n))
        return "the length has no prime factor above 13, so that no convolution is needed";
    if (r->n > INT32_MAX / 16) return "so long a line has no convolution that fits 31 bits";
    return NULL;
}

static bool is_prime(int64_t n)
{
    for (int64_t f = 2; f * f <= n; f++)
        if (n % f == 0) return false;
    return true;
}

static double cost(const line_request *r)
{
    const bool cyclic = simd_single_can(r->n - 1) && is_prime(r->n);
    const double n = (double)r->n, transforms = cyclic ? 2 : 4.2,
                 scale = (r->is_double ? 2 : 1) * (r->n > 16384 ? 1.8 : 1);
    return 100 + (transforms * 0.08 * n * log2(n) + 3 * n) * scale;
}

static void destroy_lines(void *state)
{
    single_state *s = state;
    if (!s) return;
    simd_single_release(s->smooth);
    any_length_release(s->plan);
    memory_free(s);
}

static argand_status fill(single_state *s, const line_request *r)
{
    TRY(NEW(s->plan, 1));
    any_length_plan *plan = s->plan;
    plan->n = r->n;
    plan->is_double = r->is_double;
    any_length_big *big = &plan->big[plan->bigs++];
    TRY(is_prime(r->n) ? rader_make(plan, big, r->n, !simd_single_can(r->n - 1), true)
                       : bluestein_make(plan, big, r->n, true));
    return simd_single_make(&s->smooth, r->is_double, big->half[0].tree.n);
}

static argand_status create_lines(void **state, const line_request *r)
{
    single_state *s;
    *state = NULL;
    TRY(NEW(s, 1));
    s->kernels = single_kernels_for(r->is_double);
    s->size = r->is_double ? 16 : 8;
    const argand_status status = fill(s, r);
    if (status != ARGAND_OK)
        destroy_lines(s);
    else
        *state = s;
    return status;
}

static int64_t block(const void *state)
{
    (void)state;
    return 1;
}

static size_t rounded(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static size_t half_bytes(const single_state *s)
{
    return rounded((size_t)s->plan->big[0].half[0].tree.n * s->size);
}

static size_t work_bytes(const void *state)
{
    const single_state *s = state;
    return 2 * half_bytes(s) + rounded(simd_single_work_bytes(s->smooth));
}

static void get_point(double *re_im, const void *from, bool is_double)
{
    float f[2];
    if (is_double) {
        memcpy(re_im, from, 16);
        return;
    }
    memcpy(f, from, 8);
    re_im[0] = (double)f[0];
    re_im[1] = (double)f[1];
}

static void put_point(void *to, double re, double im, bool is_double)
{
    const double d[2] = {re, im};
    const float f[2] = {(float)re, (float)im};
    memcpy(to, is_double ? (const void *)d : (const void *)f, is_double ? 16 : 8);
}

/* In place. apart: what is added to every output; sum of all inputs on return. */
static void convolve(const single_state *s, int half, void *data, void *work, double *point_zero)
{
    const any_length_convolution *c = &s->plan->big[0].half[half];
    const bool is_double = s->plan->is_double;
    double total[2], first[2];
    simd_single_run(s->smooth, data, data, work, 0, 1);
    get_point(total, data, is_double);
    s->kernels->times(data, data, c->spectrum, c->tree.n, 0);
    if (point_zero) {
        get_point(first, data, is_double);
        put_point(data, first[0] + point_zero[0], first[1] + point_zero[1], is_double);
        memcpy(point_zero, total, sizeof total);
    }
    simd_single_run(s->smooth, data, data, work, 1, 1);
}

static void clear(const single_state *s, char *data)
{
    const any_length_big *b = &s->plan->big[0];
    memset(data + (size_t)b->count * s->size, 0, (size_t)(b->half[0].tree.n - b->count) * s->size);
}

static void run_rader(const single_state *s, void *out, const void *in, char *even, char *odd, void *work,
                      int inverse, double factor)
{
    const any_length_big *b = &s->plan->big[0];
    const bool is_double = s->plan->is_double;
    double zero[2], first[2];
    get_point(first, in, is_double);
    zero[0] = first[inverse];
    zero[1] = first[1 - inverse];
    memcpy(first, zero, sizeof first);
    s->kernels->gather(even, in, b->from + 1, b->count, inverse);
    if (b->halves == 2) {
        s->kernels->times(odd, even, b->in[1], b->count, 0);
        clear(s, even);
        clear(s, odd);
        convolve(s, 1, odd, work, NULL);
    }
    convolve(s, 0, even, work, zero);
    if (b->halves == 2) s->kernels->join(even, even, odd, NULL, b->out[1], b->count, 0, 1);
    s->kernels->scatter(out, even, b->to + 1, b->count, inverse, factor);
    const double re = factor * (first[0] + zero[0]), im = factor * (first[1] + zero[1]);
    put_point(out, inverse ? im : re, inverse ? re : im, is_double);
}

static void run_bluestein(const single_state *s, void *out, const void *in, char *even, char *odd, void *work,
                          int inverse, double factor)
{
    const any_length_big *b = &s->plan->big[0];
    s->kernels->times(even, in, b->in[0], b->n, inverse);
    s->kernels->times(odd, in, b->in[1], b->n, inverse);
    clear(s, even);
    clear(s, odd);
    convolve(s, 0, even, work, NULL);
    convolve(s, 1, odd, work, NULL);
    s->kernels->join(out, even, odd, b->out[0], b->out[1], b->n, inverse, factor);
}

static void apply_job(const void *state, const line_job *job, void *work)
{
    const single_state *s = state;
    char *even = work, *odd = even + half_bytes(s), *rest = odd + half_bytes(s);
    for (int64_t l = 0; l < job->lines; l++) {
        char *out = job->out.at + l * job->out.line_stride * (int64_t)s->size;
        const char *in = job->in.at + l * job->in.line_stride * (int64_t)s->size;
        if (s->plan->big[0].first)
            run_rader(s, out, in, even, odd, rest, job->inverse, job->ops.factor);
        else
            run_bluestein(s, out, in, even, odd, rest, job->inverse, job->ops.factor);
    }
}

static void print(const void *state, text *t)
{
    const single_state *s = state;
    const any_length_big *b = &s->plan->big[0];
    text_add(t, "(any_single %s %lld: %s", b->first ? "rader" : "bluestein", (long long)b->n,
             b->halves == 2 ? "2 x " : "");
    simd_single_print(s->smooth, t);
    text_add(t, ")");
}

const line_algorithm any_single_algorithm = {.name = "any_single",
                                             .plain = true,
                                             .applicable = applicable,
                                             .cost = cost,
                                             .create = create_lines,
                                             .block = block,
                                             .work_bytes = work_bytes,
                                             .apply = apply_job,
                                             .print = print,
                                             .destroy = destroy_lines};
