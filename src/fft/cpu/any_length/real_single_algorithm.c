/* SPDX-License-Identifier: BSD-3-Clause */
/* Contiguous real lines one at a time, as an algorithm of line.h: over transforms of the complex line that
 * each makes, or whichever algorithm is best for one of them where its length is not smooth. Even n: n / 2
 * points in place in the output, and the half spectrum from them there; odd n: imaginary parts of zero, in
 * work memory.
 */
#include "fft/cpu/any_length/single.h"

#include <math.h>
#include "base/memory.h"
#include "base/memory_available.h"
#include "fft/cpu/any_length/any_length.h"
#include "fft/cpu/line/algorithms.h"
#include "fft/cpu/simd_single/simd_single.h"

typedef struct real_single {
    const single_kernels *kernels;
    simd_single *smooth;   /* for the complex line, or */
    fft_line complex;      /* where it has none */
    any_length_plan *plan; /* owns the table */
    const void *twiddles;  /* even n: cos, sin of 2 pi k / n for k to n / 4 */
    int64_t n;
    size_t size; /* of a real */
} real_single;

static const char *applicable(const line_request *r)
{
    if (r->kind != LINE_REAL) return "it is for real lines";
    if (r->n < 2) return "a line of one point needs no transform";
    return NULL;
}

static bool is_odd(const real_single *s)
{
    return s->n % 2;
}

static line_request complex_request(const line_request *r)
{
    return (line_request){.kind = LINE_COMPLEX,
                          .is_double = r->is_double,
                          .n = r->n % 2 ? r->n : r->n / 2,
                          .layout = LINE_ROWS,
                          .lines = 1,
                          .effort = r->effort};
}

/* Short odd lines go by sums, though their factors are small. */
static bool is_smooth(int64_t n)
{
    const bool by_sums = n % 2 && n >= 17 && n <= 63;
    return simd_single_can(n) && !by_sums;
}

/* The complex line by simd_single: lines of whole vectors take less than its own estimate, which counts
 * vectors that are partly empty. */
static double smooth_cost(const line_request *c, double scale)
{
    const double n = (double)c->n, whole = scale * 0.08 * n * log2(n + 1);
    return c->n % 16 ? fmax(whole, simd_single_algorithm.cost(c)) : whole;
}

static double cost(const line_request *r)
{
    const line_request c = complex_request(r);
    const double vectors = cpu_best() == CPU_AVX512 ? 1 : 1.65, /* narrower ones, as measured with AVX2 */
        scale = vectors * (r->is_double ? 2 : 1) * (r->n > 16384 ? 1.8 : 1),
                 inner = is_smooth(c.n) ? smooth_cost(&c, scale) : line_cost(&c);
    return 60 + inner + 0.25 * (double)r->n * scale;
}

static void destroy_lines(void *state)
{
    real_single *s = state;
    if (!s) return;
    simd_single_release(s->smooth);
    line_release(&s->complex);
    any_length_release(s->plan);
    memory_free(s);
}

static void twiddle(const void *context, int64_t k, long double *re, long double *im)
{
    const real_single *s = context;
    any_length_root(re, im, k, s->n, s->size == 8);
}

static argand_status fill(real_single *s, const line_request *r)
{
    const line_request c = complex_request(r);
    if (!is_odd(s)) TRY(memory_check_left(memory_product((size_t)r->n / 4 + 1, 2 * s->size), "fft"));
    TRY(is_smooth(c.n) ? simd_single_make(&s->smooth, r->is_double, c.n)
                       : line_make(&s->complex, &c, 1U << LINE_ROWS));
    TRY(NEW(s->plan, 1));
    s->plan->n = r->n;
    s->plan->is_double = r->is_double;
    return is_odd(s) ? ARGAND_OK : any_length_weights(s->plan, &s->twiddles, s->n / 4 + 1, twiddle, s);
}

static argand_status create_lines(void **state, const line_request *r)
{
    real_single *s;
    *state = NULL;
    TRY(NEW(s, 1));
    s->kernels = single_kernels_for(r->is_double);
    s->n = r->n;
    s->size = r->is_double ? 8 : 4;
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

/* Odd n: the complex line. */
static size_t line_bytes(const real_single *s)
{
    return is_odd(s) ? memory_product((size_t)(s->n + 31) / 32 * 32, 2 * s->size) : 0;
}

static size_t work_bytes(const void *state)
{
    const real_single *s = state;
    const size_t line = line_bytes(s), rest = s->smooth ? simd_single_work_bytes(s->smooth)
                                                        : s->complex.use[LINE_ROWS].buffer_bytes;
    return line > SIZE_MAX - rest ? SIZE_MAX : line + rest;
}

static void transform(const real_single *s, void *out, const void *in, int inverse, void *work)
{
    const line_job job = {.out = {out, 0, 1, false},
                          .in = {(char *)in, 0, 1, false},
                          .lines = 1,
                          .inverse = inverse,
                          .ops = {.factor = 1}};
    if (s->smooth)
        simd_single_run(s->smooth, out, in, work, inverse, 1);
    else
        line_run(&s->complex, &s->complex.use[LINE_ROWS], &job, work);
}

/* Line l of a layout, in bytes. */
static char *line_of(const real_single *s, const line_memory *m, int64_t l)
{
    return m->at + l * m->line_stride * (int64_t)(m->real ? s->size : 2 * s->size);
}

static void run_even(const real_single *s, const line_job *job, int64_t l, void *work)
{
    char *in = line_of(s, &job->in, l), *out = line_of(s, &job->out, l);
    if (job->inverse) {
        s->kernels->half(out, in, s->n, s->twiddles, 1, job->ops.factor);
        transform(s, out, out, 1, work);
    } else {
        transform(s, out, in, 0, work);
        s->kernels->half(out, out, s->n, s->twiddles, 0, job->ops.factor / 2);
    }
}

static void run_odd(const real_single *s, const line_job *job, int64_t l, void *work)
{
    const char *in = line_of(s, &job->in, l);
    char *out = line_of(s, &job->out, l);
    void *rest = (char *)work + line_bytes(s);
    if (job->inverse)
        s->kernels->spread(work, in, s->n);
    else
        s->kernels->widen(work, in, s->n);
    transform(s, work, work, job->inverse, rest);
    if (job->inverse)
        s->kernels->narrow(out, work, s->n, job->ops.factor);
    else
        s->kernels->cut(out, work, s->n, job->ops.factor);
}

static void apply_job(const void *state, const line_job *job, void *work)
{
    const real_single *s = state;
    for (int64_t l = 0; l < job->lines; l++)
        if (is_odd(s))
            run_odd(s, job, l, work);
        else
            run_even(s, job, l, work);
}

static void print(const void *state, text *t)
{
    const real_single *s = state;
    text_add(t, is_odd(s) ? "(real_single whole " : "(real_single halves ");
    if (s->smooth)
        simd_single_print(s->smooth, t);
    else
        line_print(&s->complex, t);
    text_add(t, ")");
}

const line_algorithm real_single_algorithm = {.name = "real_single",
                                              .plain = true,
                                              .applicable = applicable,
                                              .cost = cost,
                                              .create = create_lines,
                                              .block = block,
                                              .work_bytes = work_bytes,
                                              .apply = apply_job,
                                              .print = print,
                                              .destroy = destroy_lines};
