/* SPDX-License-Identifier: BSD-3-Clause */
/* Real lines abreast as a way of line.h. Even n: pairs of neighbours are the complex points of a transform of
 * n / 2. Odd n: complex lines whose imaginary parts are zero. */
#include "fft/cpu/any_length/kernel_table.h"

#include "base/memory.h"
#include "fft/cpu/line/algorithms.h"

typedef struct real_state {
    const primes_code *code;
    primes_plan *plan; /* its orders have one cell more than points */
    int64_t n, lanes, block;
    const void *turns; /* even n: cos, sin of 2 pi k / n for k to n / 4 */
} real_state;

static const char *applicable(const line_request *r)
{
    if (r->kind != LINE_REAL) return "it is for real lines";
    if (r->n > 2 * PRIMES_LONGEST) return "so many points of several lines at once do not stay in a cache";
    return NULL;
}

static bool is_odd(int64_t n)
{
    return n % 2;
}

static double cost(const line_request *r)
{
    const int64_t cells = is_odd(r->n) ? r->n : r->n / 2;
    return primes_time(primes_cost(cells) + 6 * (double)cells, cells, r->lines, 16, r->is_double);
}

static void release(void *state)
{
    real_state *s = state;
    if (!s) return;
    primes_release(s->plan);
    memory_free(s);
}

static void turn(const void *context, int64_t k, long double *re, long double *im)
{
    primes_root(re, im, k, ((const real_state *)context)->n, true);
}

static argand_status fill(real_state *s)
{
    const bool odd = is_odd(s->n);
    TRY(primes_make(&s->plan, odd ? s->n : s->n / 2, s->code == primes_code_for(true)));
    return odd ? ARGAND_OK : primes_weights(s->plan, &s->turns, s->n / 4 + 1, turn, s);
}

static argand_status make(void **state, const line_request *r)
{
    real_state *s;
    *state = NULL;
    TRY(NEW(s, 1));
    s->code = primes_code_for(r->is_double);
    s->n = r->n;
    s->lanes = primes_lanes(r->is_double);
    s->block = s->lanes * primes_groups(r->n);
    const argand_status status = fill(s);
    if (status != ARGAND_OK)
        release(s);
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
                          primes_cell_bytes(s->plan->is_double));
}

/* The real side: pairs of neighbours, or no imaginary parts. */
static primes_side real_side(const real_state *s, const line_job *job, int64_t first, int64_t lines)
{
    const bool odd = is_odd(s->n);
    const line_memory *m = job->inverse ? &job->out : &job->in;
    return (primes_side){.at = m->at + first * m->line_stride * (s->plan->is_double ? 8 : 4),
                         .point = odd ? m->stride : 2 * m->stride,
                         .line = m->line_stride,
                         .imaginary = m->stride,
                         .lines = lines,
                         .imaginary_lines = odd ? 0 : lines,
                         .ahead = job->ahead};
}

static void transform(const real_state *s, void *cells)
{
    s->code->run(&s->plan->tree, cells,
                 (char *)cells + (size_t)(s->plan->n + 1) * primes_cell_bytes(s->plan->is_double));
}

static void forward(const real_state *s, const primes_side *in, const primes_side *out, double factor,
                    void *cells)
{
    const bool odd = is_odd(s->n);
    s->code->load(cells, s->plan->in, in, 0, s->plan->n, false);
    transform(s, cells);
    if (!odd) s->code->unpack_even(cells, s->plan->out, s->n, s->turns);
    s->code->store(out, cells, s->plan->out, 0, s->n / 2 + 1, false, odd ? factor : factor / 2);
}

static void inverse(const real_state *s, const primes_side *in, const primes_side *out, double factor,
                    void *cells)
{
    s->code->load(cells, s->plan->in, in, 0, s->n / 2 + 1, false);
    if (is_odd(s->n))
        s->code->spread_odd(cells, s->plan->in, s->n);
    else
        s->code->pack_even(cells, s->plan->in, s->n, s->turns);
    transform(s, cells);
    s->code->store(out, cells, s->plan->out, 0, s->plan->n, true, factor);
}

static void run(const void *state, const line_job *job, void *work)
{
    const real_state *s = state;
    for (int64_t first = 0; first < job->lines; first += s->lanes) {
        const int64_t left = job->lines - first, lines = left < s->lanes ? left : s->lanes;
        const primes_side side = real_side(s, job, first, lines);
        const primes_side half = primes_complex_side(job, !job->inverse, s->plan->is_double, first, lines);
        if (job->inverse)
            inverse(s, &half, &side, job->touch.factor, work);
        else
            forward(s, &side, &half, job->touch.factor, work);
    }
}

static void print(const void *state, text *t)
{
    const real_state *s = state;
    text_add(t, "(real abreast ");
    primes_print(s->plan, t);
    text_add(t, " by %lld)", (long long)s->lanes);
}

const line_way line_way_real = {.name = "real-abreast",
                                .applicable = applicable,
                                .cost = cost,
                                .make = make,
                                .block = block,
                                .work_bytes = work_bytes,
                                .run = run,
                                .print = print,
                                .release = release};
