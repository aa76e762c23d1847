/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches of real lines as an algorithm of line.h. Even n: pairs of neighbours are the complex points of a
 * transform of n / 2. Odd n: complex lines whose imaginary parts are zero. */
#include "fft/cpu/any_length/kernel_table.h"

#include "base/memory.h"
#include "fft/cpu/line/algorithms.h"

typedef struct real_state {
    const any_length_kernels *kernels;
    any_length_plan *plan; /* its orders have one cell more than points */
    int64_t n, lanes, block;
    const void *twiddles; /* even n: cos, sin of 2 pi k / n for k to n / 4 */
} real_state;

static const char *applicable(const line_request *r)
{
    if (r->kind != LINE_REAL) return "it is for real lines";
    if (r->n > 2 * ANY_LENGTH_LONGEST)
        return "lines of this length do not stay in the cache when several are transformed at once";
    return NULL;
}

static bool is_odd(int64_t n)
{
    return n % 2;
}

/* Odd n: half of each cell is read and half is written, and nothing is unpacked. */
static double cost(const line_request *r)
{
    const bool odd = is_odd(r->n);
    const int64_t cells = odd ? r->n : r->n / 2;
    const double n = (double)cells;
    return any_length_time(any_length_cost(cells) + (odd ? 0 : 6 * n), cells, odd ? 0.4 * n : n, r->lines,
                           r->is_double);
}

static void destroy_lines(void *state)
{
    real_state *s = state;
    if (!s) return;
    any_length_release(s->plan);
    memory_free(s);
}

static void twiddle(const void *context, int64_t k, long double *re, long double *im)
{
    any_length_root(re, im, k, ((const real_state *)context)->n, true);
}

static argand_status fill(real_state *s)
{
    const bool odd = is_odd(s->n);
    TRY(any_length_make(&s->plan, odd ? s->n : s->n / 2, s->kernels == any_length_kernels_for(true)));
    return odd ? ARGAND_OK : any_length_weights(s->plan, &s->twiddles, s->n / 4 + 1, twiddle, s);
}

static argand_status create_lines(void **state, const line_request *r)
{
    real_state *s;
    *state = NULL;
    TRY(NEW(s, 1));
    s->kernels = any_length_kernels_for(r->is_double);
    s->n = r->n;
    s->lanes = any_length_lanes(r->is_double);
    s->block = s->lanes * any_length_groups(r->n);
    const argand_status status = fill(s);
    if (status != ARGAND_OK)
        destroy_lines(s);
    else
        *state = s;
    return status;
}

static int64_t block(const void *state)
{
    return ((const real_state *)state)->block;
}

static size_t work_bytes(const void *state)
{
    const real_state *s = state;
    return memory_product((size_t)(s->plan->n + 1 + s->plan->work_cells),
                          any_length_cell_bytes(s->plan->is_double));
}

/* The real layout: pairs of neighbours, or no imaginary parts. */
static any_length_layout real_layout(const real_state *s, const line_job *job, int64_t first, int64_t lines)
{
    const bool odd = is_odd(s->n);
    const line_memory *m = job->inverse ? &job->out : &job->in;
    return (any_length_layout){.at = m->at + first * m->line_stride * (s->plan->is_double ? 8 : 4),
                               .point = odd ? m->stride : 2 * m->stride,
                               .line = m->line_stride,
                               .imaginary = m->stride,
                               .lines = lines,
                               .imaginary_lines = odd ? 0 : lines,
                               .prefetch = job->prefetch};
}

static void transform(const real_state *s, void *cells)
{
    s->kernels->run(&s->plan->tree, cells,
                    (char *)cells + (size_t)(s->plan->n + 1) * any_length_cell_bytes(s->plan->is_double));
}

static void forward(const real_state *s, const any_length_layout *in, const any_length_layout *out,
                    double factor, void *cells)
{
    const bool odd = is_odd(s->n);
    s->kernels->load(cells, s->plan->in, in, 0, s->plan->n, false);
    transform(s, cells);
    if (!odd) s->kernels->unpack_even(cells, s->plan->out, s->n, s->twiddles);
    s->kernels->store(out, cells, s->plan->out, 0, s->n / 2 + 1, false, odd ? factor : factor / 2);
}

static void inverse(const real_state *s, const any_length_layout *in, const any_length_layout *out,
                    double factor, void *cells)
{
    s->kernels->load(cells, s->plan->in, in, 0, s->n / 2 + 1, false);
    if (is_odd(s->n))
        s->kernels->spread_odd(cells, s->plan->in, s->n);
    else
        s->kernels->pack_even(cells, s->plan->in, s->n, s->twiddles);
    transform(s, cells);
    s->kernels->store(out, cells, s->plan->out, 0, s->plan->n, true, factor);
}

static void apply_job(const void *state, const line_job *job, void *work)
{
    const real_state *s = state;
    for (int64_t first = 0; first < job->lines; first += s->lanes) {
        const int64_t left = job->lines - first, lines = left < s->lanes ? left : s->lanes;
        const any_length_layout layout = real_layout(s, job, first, lines);
        const any_length_layout half =
            any_length_complex_layout(job, !job->inverse, s->plan->is_double, first, lines);
        if (job->inverse)
            inverse(s, &half, &layout, job->ops.factor, work);
        else
            forward(s, &layout, &half, job->ops.factor, work);
    }
}

static void print(const void *state, text *t)
{
    const real_state *s = state;
    text_add(t, "(real_batch ");
    any_length_print(s->plan, t);
    text_add(t, " by %lld)", (long long)s->lanes);
}

const line_algorithm real_batch_algorithm = {.name = "real_batch",
                                             .applicable = applicable,
                                             .cost = cost,
                                             .create = create_lines,
                                             .block = block,
                                             .work_bytes = work_bytes,
                                             .apply = apply_job,
                                             .print = print,
                                             .destroy = destroy_lines};
