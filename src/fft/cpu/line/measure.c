/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures an algorithm's time for one line. */
#include "fft/cpu/line/measure.h"

#include <math.h>
#include <time.h>
#include "base/memory.h"
#include "base/memory_available.h"

enum { ROUNDS = 7, TRIAL_BYTES = 1 << 19 };
static const double ENOUGH = 20e3; /* nanoseconds a round */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* All lines of a trial, block by block. */
static void run_trial(const fft_line *line, const line_use *use, const line_job *all, void *work)
{
    const int64_t in_size = (line->is_double ? 8 : 4) * (all->in.real ? 1 : 2),
                  out_size = (line->is_double ? 8 : 4) * (all->out.real ? 1 : 2);
    for (int64_t first = 0; first < all->lines; first += use->block) {
        line_job job = *all;
        job.lines = all->lines - first < use->block ? all->lines - first : use->block;
        job.in.at += first * job.in.line_stride * in_size;
        job.out.at += first * job.out.line_stride * out_size;
        line_run(line, use, &job, work);
    }
}

static double best_of(const fft_line *line, const line_use *use, const line_job *all, void *work)
{
    double least = INFINITY;
    int64_t times = 1;
    for (int round = 0; round < ROUNDS; round++) {
        const double start = now();
        for (int64_t i = 0; i < times; i++) run_trial(line, use, all, work);
        const double took = now() - start;
        if (took < ENOUGH && round == 0) {
            times = (int64_t)fmin(ENOUGH / fmax(took, 1) * (double)times + 1, 1e6);
            continue;
        }
        least = fmin(least, took / (double)times);
    }
    return least / (double)all->lines;
}

/* Returns the number of lines to measure with: those of the request, or fewer if they take too much
 * memory. */
static int64_t trial_lines(const fft_line *line, const line_request *request)
{
    const int64_t fitting = TRIAL_BYTES / (line->n * (line->is_double ? 16 : 8)) + 1;
    const int64_t most = fitting > 16 ? fitting : 16;
    return request->lines < 1 ? 1 : request->lines < most ? request->lines : most;
}

argand_status line_measure(double *time, const fft_line *line, const line_use *use,
                           const line_request *request)
{
    const int64_t lines = trial_lines(line, request), count = line->n + 2;
    const bool rows = request->layout == LINE_ROWS, real = line->kind == LINE_REAL;
    const size_t bytes = memory_product((size_t)(lines * count), line->is_double ? 16 : 8);
    void *in = NULL, *out = NULL, *work = NULL;
    argand_status status;
    TRY_OR_DONE(memory_check_left(memory_product(bytes, 2), "fft"));
    TRY_OR_DONE(memory_new(&in, bytes, 1));
    TRY_OR_DONE(memory_new(&out, bytes, 1));
    TRY_OR_DONE(memory_take(&work, use->buffer_bytes));
    const line_memory a = {in, rows ? line_count(line, real) : 1, rows ? 1 : lines, real},
                      b = {out, rows ? line_count(line, false) : 1, rows ? 1 : lines, false};
    *time = best_of(line, use, &(line_job){.out = b, .in = a, .lines = lines, .ops = {.factor = 1}}, work);
done:
    memory_free(work);
    memory_free(out);
    memory_free(in);
    return status;
}
