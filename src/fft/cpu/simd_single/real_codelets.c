/* SPDX-License-Identifier: BSD-3-Clause */
/* Real lines that are one function each, as an algorithm of line.h: up to 15 points, or an even number up to
 * 32. */
#include "fft/cpu/simd_single/kernels.h"

#include "base/memory.h"
#include "fft/cpu/line/algorithms.h"
#include "fft/engine/roots.h"

enum { BLOCK = 64 }; /* lines at a time */

typedef struct real_codelets {
    const simd_single_codelets *one, *many;
    int64_t n, size; /* size: bytes of a real */
    void *roots;
} real_codelets;

static const char *applicable(const line_request *r)
{
    if (r->kind != LINE_REAL) return "it is for real lines";
    const bool has = r->n > 1 && r->n <= (r->n % 2 ? SIMD_SINGLE_MOST_RADIX : SIMD_SINGLE_MOST_REALS);
    return has ? NULL : "it is for up to 15 points, or an even number of up to 32";
}

/* Measured with AVX-512, relative to the other algorithms */
static double cost(const line_request *r)
{
    const double n = (double)r->n, odd = r->n % 2 ? 1.4 : 1, size = r->is_double ? 2 : 1,
                 columns = r->layout == LINE_COLUMNS ? 1.2 * size * n : 0;
    return columns + (r->lines < 4 ? 8 + 1.2 * odd * n : 2 + 0.45 * odd * size * n);
}

static void destroy_lines(void *state)
{
    real_codelets *c = state;
    if (c) memory_free(c->roots);
    memory_free(c);
}

/* cos and sin of 2 pi k / n + pi / 2, k from 1 on */
static argand_status make_roots(real_codelets *c, bool is_double)
{
    roots r;
    TRY(memory_new(&c->roots, (size_t)(c->n / 2 + 2), (size_t)c->size));
    TRY(roots_make(&r, c->n));
    for (int64_t k = 1; 4 * k < c->n; k++) {
        double cosine, sine;
        roots_at(&r, k, &cosine, &sine);
        roots_put(c->roots, is_double, 2 * k - 2, -sine);
        roots_put(c->roots, is_double, 2 * k - 1, cosine);
    }
    roots_release(&r);
    return ARGAND_OK;
}

static argand_status create_lines(void **state, const line_request *r)
{
    typedef const simd_single_codelets *codelets_of(void);
    static codelets_of *const one[2][CPU_LEVELS] = CPU_VARIANTS(simd_single_codelets_of_one),
                              *const many[2][CPU_LEVELS] = CPU_VARIANTS(simd_single_codelets_of_many);
    real_codelets *c;
    TRY(NEW(c, 1));
    *c = (real_codelets){.one = one[r->is_double][cpu_best()](),
                         .many = many[r->is_double][cpu_best()](),
                         .n = r->n,
                         .size = r->is_double ? 8 : 4};
    const argand_status status = make_roots(c, r->is_double);
    if (status != ARGAND_OK)
        destroy_lines(c);
    else
        *state = c;
    return status;
}

static int64_t block_of(const void *state)
{
    (void)state;
    return BLOCK;
}

static size_t work_bytes(const void *state)
{
    (void)state;
    return 0;
}

static int64_t step_of(const line_memory *m, int64_t real)
{
    return m->line_stride * real * (m->real ? 1 : 2);
}

static void apply_job(const void *state, const line_job *job, void *work)
{
    (void)work;
    const real_codelets *c = state;
    const int64_t done = job->lines / c->many->together * c->many->together;
    simd_single_lines lines;
    lines.count = job->lines;
    lines.out_step = step_of(&job->out, c->size);
    lines.in_step = step_of(&job->in, c->size);
    if (done) c->many->reals[c->n](job->out.at, job->in.at, c->roots, job->inverse, job->ops.factor, &lines);
    lines.count -= done;
    if (lines.count)
        c->one->reals[c->n](job->out.at + done * lines.out_step, job->in.at + done * lines.in_step, c->roots,
                            job->inverse, job->ops.factor, &lines);
}

static void run_one(const void *state, void *out, const void *in, void *work, int inverse, double factor)
{
    static const simd_single_lines line = {.count = 1};
    (void)work;
    const real_codelets *c = state;
    c->one->reals[c->n](out, in, c->roots, inverse, factor, &line);
}

static void print(const void *state, text *t)
{
    text_add(t, "(real_codelet %lld)", (long long)((const real_codelets *)state)->n);
}

const line_algorithm real_codelet_algorithm = {.name = "real_codelet",
                                               .plain = true,
                                               .applicable = applicable,
                                               .cost = cost,
                                               .create = create_lines,
                                               .block = block_of,
                                               .work_bytes = work_bytes,
                                               .apply = apply_job,
                                               .single = run_one,
                                               .print = print,
                                               .destroy = destroy_lines};
