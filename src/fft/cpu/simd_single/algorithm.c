/* SPDX-License-Identifier: BSD-3-Clause */
/* Single-transform SIMD (simd_single.h) as an algorithm of line.h: one line after another. */
#include "fft/cpu/simd_single/simd_single.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "fft/cpu/line/algorithms.h"
#include "fft/cpu/simd_single/factors.h"
#include "fft/cpu/simd_single/kernels.h"
#include "fft/cpu/simd_single/paired.h"

typedef struct simd_single_line {
    simd_single *plan;
    int64_t block, size; /* lines at a time; bytes of a point */
} simd_single_line;

static const char *applicable(const line_request *request)
{
    if (request->kind != LINE_COMPLEX) return "lines of real numbers";
    if (!simd_single_can(request->n)) return "a prime factor above 13";
    return NULL;
}

/* A line that is one function. Where rows are not whole vectors some are done again, or lanes are empty. */
static double small_cost(int64_t n, int64_t lanes, bool is_double)
{
    const int64_t rows = n / lanes, done = (rows + lanes - 1) / lanes * lanes,
                  bytes = lanes * (is_double ? 8 : 4);
    if (rows < lanes) return 60 + 0.48 * (double)n;
    const bool widest = cpu_best() == CPU_AVX512, two = (n & (n - 1)) == 0;
    const double by_width = bytes == 64 && is_double              ? 0.6
                            : bytes == 32 && widest && !is_double ? 1.5
                            : bytes == 16 && !two                 ? 1.2
                                                                  : 1,
                 each = two ? 0.65 : 0.4 + 0.4 * (double)done / (double)rows;
    return 3 + by_width * each * (double)n * (is_double ? 2 : 1);
}

/* Returns true if lines of 16 bytes are packed into vectors. */
static bool packs(const line_request *request)
{
    const int64_t lines = simd_single_packed_lines(request->is_double, request->n);
    return lines > 1 && request->lines >= lines;
}

enum { MATRIX_MOST = 5000 }; /* points up to which cycles were compared */

/* One line in double precision for which what goes before and behind the vectors counts little. */
static bool is_long_alone(const line_request *request)
{
    return request->is_double && request->lines == 1 && request->n >= 700;
}

/* A line whose matrix is in the nearest cache: cycles by radices and by vectors that are partly
 * empty (factors.c), against those of any_batch as both were measured on a Sapphire Rapids. */
static double matrix_cost(const line_request *request)
{
    const int64_t lanes = cpu_vector_bytes() / (request->is_double ? 8 : 4);
    int64_t rows, columns;
    return 10 + (request->is_double ? 0.6 : 0.66) * simd_single_split(request->n, lanes, &rows, &columns);
}

/* The other algorithms' costs are so many times the nanoseconds that they take where those of paired_plan.c
 * were measured; nanoseconds of a call. */
static const double PAIRED_SLOWER = 2.7, PAIRED_CALL = 5;

/* Measured on processors with AVX-512: some 3 passes over the line for every 10 bits, and what a line costs
 * before its first point; on one with AVX2 powers of two lost less than others. Columns go through a buffer.
 */
static double cost(const line_request *request)
{
    static const float whole[SIMD_SINGLE_MOST_RADIX + 1] = {0, 1, 1,  2,  2,  3,  4,  6, 5,
                                                            8, 9, 12, 11, 15, 13, 15, 12};
    double bits = 1;
    for (int64_t n = request->n; n > 1; n /= 2) bits++;
    const bool widest = cpu_best() == CPU_AVX512, two = (request->n & (request->n - 1)) == 0;
    const double vectors = (widest ? 1 : two ? 1.35 : 1.8) * (request->is_double ? 2 : 1);
    const double columns = request->layout == LINE_COLUMNS ? 0.7 * vectors * (double)request->n : 0;
    const double far = (double)request->n * (request->is_double ? 16 : 8) > 5e5 ? 1.6 : 1;
    const int64_t small = simd_single_small_lanes(request->is_double, request->n);
    const double packing = packs(request) ? 0.6 : 1,
                 paired = simd_single_paired_cost(request->is_double, request->n);
    if (paired > 0 && !packs(request)) return PAIRED_SLOWER * (paired + PAIRED_CALL) + columns;
    if (small) return packing * small_cost(request->n, small, request->is_double) + columns;
    if (request->n <= SIMD_SINGLE_MOST_RADIX) return whole[request->n] + columns;
    if (widest && request->n <= MATRIX_MOST) return matrix_cost(request) * far + columns * far;
    const double alone = is_long_alone(request) && !widest && !two ? 0.86 : 1;
    return 80 + (double)request->n * far * 0.1 * bits * vectors * alone + columns * far;
}

static void destroy_lines(void *state)
{
    simd_single_line *line = state;
    simd_single_release(line->plan);
    memory_free(line);
}

static argand_status create_lines(void **state, const line_request *request)
{
    simd_single_line *line;
    TRY(NEW(line, 1));
    line->size = request->is_double ? 16 : 8;
    const int64_t fitting = 65536 / (request->n * line->size);
    const bool alone = request->n > 262144 || (request->layout == LINE_ROWS && fitting < 2);
    line->block = alone ? 1 : fitting < 8 ? 8 : fitting > 64 ? 64 : fitting;
    const argand_status status = simd_single_make(&line->plan, request->is_double, request->n);
    if (status != ARGAND_OK) {
        destroy_lines(line);
        return status;
    }
    if (packs(request)) simd_single_pack(line->plan);
    *state = line;
    return ARGAND_OK;
}

static int64_t block_of(const void *state)
{
    return ((const simd_single_line *)state)->block;
}

static size_t work_bytes(const void *state)
{
    return simd_single_work_bytes(((const simd_single_line *)state)->plan);
}

static bool rotates_half(const void *state)
{
    return simd_single_rotates_half(((const simd_single_line *)state)->plan);
}

static bool rotates(const void *state)
{
    return simd_single_rotates(((const simd_single_line *)state)->plan);
}

static size_t callback_bytes(const void *state)
{
    return simd_single_callback_bytes(((const simd_single_line *)state)->plan);
}

static void apply_job(const void *state, const line_job *job, void *work)
{
    const simd_single_line *line = state;
    const simd_single_lines lines = {.count = job->lines,
                                     .out_step = job->out.line_stride * line->size,
                                     .in_step = job->in.line_stride * line->size,
                                     .prefetch = job->prefetch,
                                     .rotate_in = job->ops.rotate_in,
                                     .rotate_out = job->ops.rotate_out,
                                     .from = job->load_callback,
                                     .to = job->store_callback,
                                     .buffer = job->buffer,
                                     .team = job->team};
    simd_single_run_lines(line->plan, job->out.at, job->in.at, work, job->inverse, job->ops.factor, &lines);
}

static void run_one(const void *state, void *out, const void *in, void *work, int inverse, double factor)
{
    simd_single_run(((const simd_single_line *)state)->plan, out, in, work, inverse, factor);
}

static void print(const void *state, text *t)
{
    text_add(t, "(simd_single ");
    simd_single_print(((const simd_single_line *)state)->plan, t);
    text_add(t, ")");
}

const line_algorithm simd_single_algorithm = {.name = "simd_single",
                                              .plain = true,
                                              .applicable = applicable,
                                              .cost = cost,
                                              .create = create_lines,
                                              .block = block_of,
                                              .work_bytes = work_bytes,
                                              .callback_bytes = callback_bytes,
                                              .rotates_half = rotates_half,
                                              .rotates = rotates,
                                              .apply = apply_job,
                                              .single = run_one,
                                              .print = print,
                                              .destroy = destroy_lines};
