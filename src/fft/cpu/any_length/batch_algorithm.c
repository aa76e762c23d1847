/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches of complex lines of any length as an algorithm of line.h. */
#include "fft/cpu/any_length/kernel_table.h"

#include "base/memory.h"
#include "fft/cpu/line/algorithms.h"

typedef struct any_length_state {
    const any_length_kernels *kernels;
    any_length_plan *plan;
    int64_t lanes, block;
} any_length_state;

static const char *applicable(const line_request *r)
{
    if (r->kind != LINE_COMPLEX) return "it is for complex lines";
    if (r->n < 2) return "a line of one point needs no transform";
    if (r->n > ANY_LENGTH_LONGEST)
        return "lines of this length do not stay in the cache when several are transformed at once";
    return NULL;
}

static double cost(const line_request *r)
{
    return any_length_time(any_length_cost(r->n), r->n, (double)r->n, r->lines, r->is_double) +
           line_spread(r);
}

static void destroy_lines(void *state)
{
    any_length_state *s = state;
    if (!s) return;
    any_length_release(s->plan);
    memory_free(s);
}

static argand_status create_lines(void **state, const line_request *r)
{
    any_length_state *s;
    *state = NULL;
    TRY(NEW(s, 1));
    s->kernels = any_length_kernels_for(r->is_double);
    s->lanes = any_length_lanes(r->is_double);
    s->block = s->lanes * any_length_groups(r->n);
    const argand_status status = any_length_make(&s->plan, r->n, r->is_double);
    if (status != ARGAND_OK)
        destroy_lines(s);
    else
        *state = s;
    return status;
}

static int64_t block(const void *state)
{
    return ((const any_length_state *)state)->block;
}

static size_t work_bytes(const void *state)
{
    const any_length_state *s = state;
    return memory_product((size_t)(s->plan->n + s->plan->work_cells),
                          any_length_cell_bytes(s->plan->is_double));
}

/* Memory from `rotate` on comes first. */
static void load(const any_length_state *s, void *cells, const any_length_layout *layout, int64_t rotate,
                 bool inverse)
{
    s->kernels->load(cells, s->plan->in, layout, rotate, s->plan->n - rotate, inverse);
    if (rotate) s->kernels->load(cells, s->plan->in + s->plan->n - rotate, layout, 0, rotate, inverse);
}

static void store(const any_length_state *s, const any_length_layout *layout, const void *cells,
                  int64_t rotate, bool inverse, double factor)
{
    s->kernels->store(layout, cells, s->plan->out, rotate, s->plan->n - rotate, inverse, factor);
    if (rotate)
        s->kernels->store(layout, cells, s->plan->out + s->plan->n - rotate, 0, rotate, inverse, factor);
}

static void run_group(const any_length_state *s, const line_job *job, int64_t first, int64_t lines,
                      void *cells)
{
    const any_length_plan *plan = s->plan;
    const line_operations *ops = &job->ops;
    const any_length_layout in = any_length_complex_layout(job, false, plan->is_double, first, lines),
                            out = any_length_complex_layout(job, true, plan->is_double, first, lines);
    load(s, cells, &in, ops->rotate_in, job->inverse);
    s->kernels->run(&plan->tree, cells,
                    (char *)cells + (size_t)plan->n * any_length_cell_bytes(plan->is_double));
    store(s, &out, cells, ops->rotate_out, job->inverse, ops->factor);
}

static void apply_job(const void *state, const line_job *job, void *work)
{
    const any_length_state *s = state;
    for (int64_t first = 0; first < job->lines; first += s->lanes)
        run_group(s, job, first, job->lines - first < s->lanes ? job->lines - first : s->lanes, work);
}

static void print(const void *state, text *t)
{
    const any_length_state *s = state;
    text_add(t, "(any_batch ");
    any_length_print(s->plan, t);
    text_add(t, " by %lld)", (long long)s->lanes);
}

const line_algorithm any_batch_algorithm = {.name = "any_batch",
                                            .applicable = applicable,
                                            .cost = cost,
                                            .create = create_lines,
                                            .block = block,
                                            .work_bytes = work_bytes,
                                            .apply = apply_job,
                                            .print = print,
                                            .destroy = destroy_lines};
