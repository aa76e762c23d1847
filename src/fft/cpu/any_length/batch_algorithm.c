/* SPDX-License-Identifier: BSD-3-Clause */
/* Complex lines abreast as a way of line.h. */
#include "fft/cpu/any_length/kernel_table.h"

#include "base/memory.h"
#include "fft/cpu/line/algorithms.h"

typedef struct primes_state {
    const primes_code *code;
    primes_plan *plan;
    int64_t lanes, block;
} primes_state;

static const char *applicable(const line_request *r)
{
    if (r->kind != LINE_COMPLEX) return "it is for complex lines";
    if (r->n < 2) return "a line of one point needs no transform";
    if (r->n > PRIMES_LONGEST) return "so many points of several lines at once do not stay in a cache";
    return NULL;
}

static double cost(const line_request *r)
{
    return primes_time(primes_cost(r->n), r->n, r->lines, 16, r->is_double) + line_spread(r);
}

static void release(void *state)
{
    primes_state *s = state;
    if (!s) return;
    primes_release(s->plan);
    memory_free(s);
}

static argand_status make(void **state, const line_request *r)
{
    primes_state *s;
    *state = NULL;
    TRY(NEW(s, 1));
    s->code = primes_code_for(r->is_double);
    s->lanes = primes_lanes(r->is_double);
    s->block = s->lanes * primes_groups(r->n);
    const argand_status status = primes_make(&s->plan, r->n, r->is_double);
    if (status != ARGAND_OK)
        release(s);
    else
        *state = s;
    return status;
}

static int64_t block(const void *state)
{
    return ((const primes_state *)state)->block;
}

static size_t work_bytes(const void *state)
{
    const primes_state *s = state;
    return memory_product((size_t)(s->plan->n + s->plan->work_cells), primes_cell_bytes(s->plan->is_double));
}

/* Memory from `rotate` on comes first. */
static void load(const primes_state *s, void *cells, const primes_side *side, int64_t rotate, bool inverse)
{
    s->code->load(cells, s->plan->in, side, rotate, s->plan->n - rotate, inverse);
    if (rotate) s->code->load(cells, s->plan->in + s->plan->n - rotate, side, 0, rotate, inverse);
}

static void store(const primes_state *s, const primes_side *side, const void *cells, int64_t rotate,
                  bool inverse, double factor)
{
    s->code->store(side, cells, s->plan->out, rotate, s->plan->n - rotate, inverse, factor);
    if (rotate) s->code->store(side, cells, s->plan->out + s->plan->n - rotate, 0, rotate, inverse, factor);
}

static void run_group(const primes_state *s, const line_job *job, int64_t first, int64_t lines, void *cells)
{
    const primes_plan *plan = s->plan;
    const line_touch *touch = &job->touch;
    const primes_side in = primes_complex_side(job, false, plan->is_double, first, lines),
                      out = primes_complex_side(job, true, plan->is_double, first, lines);
    load(s, cells, &in, touch->rotate_in, job->inverse);
    s->code->run(&plan->tree, cells, (char *)cells + (size_t)plan->n * primes_cell_bytes(plan->is_double));
    store(s, &out, cells, touch->rotate_out, job->inverse, touch->factor);
}

static void run(const void *state, const line_job *job, void *work)
{
    const primes_state *s = state;
    for (int64_t first = 0; first < job->lines; first += s->lanes)
        run_group(s, job, first, job->lines - first < s->lanes ? job->lines - first : s->lanes, work);
}

static void print(const void *state, text *t)
{
    const primes_state *s = state;
    text_add(t, "(abreast ");
    primes_print(s->plan, t);
    text_add(t, " by %lld)", (long long)s->lanes);
}

const line_way line_way_primes = {.name = "abreast",
                                  .applicable = applicable,
                                  .cost = cost,
                                  .make = make,
                                  .block = block,
                                  .work_bytes = work_bytes,
                                  .run = run,
                                  .print = print,
                                  .release = release};
