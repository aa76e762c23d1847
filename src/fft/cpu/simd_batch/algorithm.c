/* SPDX-License-Identifier: BSD-3-Clause */
/* Batched SIMD (simd_batch.h) as an algorithm of line.h. */
#include "fft/cpu/simd_batch/simd_batch.h"

#include "base/memory.h"
#include "fft/cpu/line/algorithms.h"

static const char *applicable(const line_request *request)
{
    if (request->kind != LINE_COMPLEX) return "lines of real numbers";
    if (!simd_batch_can(request->n)) return "a prime factor above 13";
    if (request->n > 1 << 24) return "lines that are too long for groups of them";
    return NULL;
}

enum { NEAR = 16384, MIDDLE = 1 << 20 }; /* bytes of cells: in the nearest cache, and in the second one */

/* Returns the cost measured on a processor with AVX-512 (docs/performance/fft.md): nanoseconds for a cell,
 * for its stages and for reading and writing memory. A single line takes as long as a whole group. */
static double cost(const line_request *request)
{
    const int64_t lanes = simd_batch_lanes(request->is_double),
                  lines = request->lines < 1 ? 1 : request->lines, groups = (lines + lanes - 1) / lanes,
                  bytes = request->n * 128;
    const bool rows = request->layout == LINE_ROWS, near = bytes <= NEAR;
    double stages = 1;
    for (int64_t n = request->n; n > 12; n /= 12) stages++;
    const double cell = near ? 3 * stages + (rows ? 8 : 4) : 4 * stages + (rows ? 16 : 3);
    return line_spread(request) + 5 / (double)lines +
           (2 * bytes > MIDDLE ? 2 : 1) * cell * (double)request->n * (double)groups / (double)lines;
}

typedef struct simd_batch_line {
    simd_batch plan;
    int64_t block;
} simd_batch_line;

/* Groups that read and write some 32 KiB, so that short lines make few calls. */
static int64_t block_for(int64_t n, bool is_double)
{
    const int64_t lanes = simd_batch_lanes(is_double), group = n * lanes * (is_double ? 16 : 8);
    const int64_t groups = 32768 / group;
    return lanes * (groups < 1 ? 1 : groups > 32 ? 32 : groups);
}

static void destroy_lines(void *state)
{
    simd_batch_line *line = state;
    simd_batch_release(&line->plan);
    memory_free(line);
}

static argand_status create_lines(void **state, const line_request *request)
{
    simd_batch_line *line;
    TRY(NEW(line, 1));
    const argand_status status = simd_batch_make(&line->plan, request->is_double, request->n);
    line->block = block_for(request->n, request->is_double);
    if (status != ARGAND_OK)
        destroy_lines(line);
    else
        *state = line;
    return status;
}

const simd_batch *simd_batch_of(const line_use *use)
{
    return &((const simd_batch_line *)use->state)->plan;
}

static int64_t block_of(const void *state)
{
    return ((const simd_batch_line *)state)->block;
}

static size_t work_bytes(const void *state)
{
    return simd_batch_work_bytes(&((const simd_batch_line *)state)->plan);
}

static size_t callback_bytes(const void *state)
{
    return simd_batch_callback_bytes(&((const simd_batch_line *)state)->plan);
}

static void apply_job(const void *state, const line_job *job, void *work)
{
    simd_batch_run(&((const simd_batch_line *)state)->plan, job, work);
}

static void print(const void *state, text *t)
{
    const simd_batch_line *line = state;
    text_add(t, "(simd_batch");
    for (int i = 0; i < line->plan.count; i++) text_add(t, "%s%d", i ? "x" : " ", line->plan.radix[i]);
    text_add(t, " by %lld)", (long long)line->block);
}

const line_algorithm simd_batch_algorithm = {.name = "simd_batch",
                                             .applicable = applicable,
                                             .cost = cost,
                                             .create = create_lines,
                                             .block = block_of,
                                             .work_bytes = work_bytes,
                                             .callback_bytes = callback_bytes,
                                             .apply = apply_job,
                                             .print = print,
                                             .destroy = destroy_lines};
