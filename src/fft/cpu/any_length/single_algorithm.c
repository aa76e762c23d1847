/* SPDX-License-Identifier: BSD-3-Clause */
/* One contiguous complex line of any length as an algorithm of line.h: by Rader for primes, by Bluestein for
 * other lengths (method.h). For few lines; many are faster in batches. */
#include <math.h>
#include "base/memory.h"
#include "fft/cpu/any_length/method.h"
#include "fft/cpu/line/algorithms.h"
#include "fft/engine/primes.h"

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
    if (r->n > INT32_MAX / 16) return "the convolution for so long a line needs indices of more than 31 bits";
    return NULL;
}

static const any_length_method *method_for(int64_t n)
{
    if (!is_prime(n)) return &bluestein_method;
    return simd_single_can(n - 1) ? &rader_method : &padded_rader_method;
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
    TRY(method_for(r->n)->make(plan, big, r->n, true));
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

static void run_one(const void *state, void *out, const void *in, void *work, int inverse, double factor)
{
    const single_state *s = state;
    const any_length_big *big = &s->plan->big[0];
    char *even = work, *odd = even + half_bytes(s);
    const single_line line = {.kernels = s->kernels,
                              .big = big,
                              .smooth = s->smooth,
                              .is_double = s->plan->is_double,
                              .size = s->size,
                              .even = even,
                              .odd = odd,
                              .work = odd + half_bytes(s)};
    big->method->run_line(&line, out, in, inverse, factor);
}

static void apply_job(const void *state, const line_job *job, void *work)
{
    const int64_t size = (int64_t)((const single_state *)state)->size;
    for (int64_t l = 0; l < job->lines; l++)
        run_one(state, job->out.at + l * job->out.line_stride * size,
                job->in.at + l * job->in.line_stride * size, work, job->inverse, job->ops.factor);
}

static void print(const void *state, text *t)
{
    const single_state *s = state;
    const any_length_big *b = &s->plan->big[0];
    text_add(t, "(any_single ");
    b->method->print(b, t);
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
                                             .single = run_one,
                                             .print = print,
                                             .destroy = destroy_lines};
