/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the algorithm that was chosen for a line, through a buffer if it wants plain lines. */
#include "fft/cpu/line/run.h"

#include "base/memory.h"
#include "fft/cpu/line/move.h"

int64_t line_count(const fft_line *line, bool reals)
{
    return line->kind == LINE_REAL && !reals ? line->n / 2 + 1 : line->n;
}

static size_t complex_size(const fft_line *line)
{
    return line->is_double ? 16 : 8;
}

size_t line_plain_bytes(const fft_line *line, int64_t block)
{
    return memory_product((size_t)block * (line->kind == LINE_REAL ? 2 : 1),
                          memory_product((size_t)line->pitch, complex_size(line)));
}

const line_use *line_use_for(const fft_line *line, int64_t out_stride, int64_t in_stride)
{
    const line_use *use = &line->use[out_stride == 1 && in_stride == 1 ? LINE_ROWS : LINE_COLUMNS];
    return use->algorithm ? use : &line->use[use == &line->use[LINE_ROWS] ? LINE_COLUMNS : LINE_ROWS];
}

/* Returns the bytes from one line of memory to the next. */
static int64_t line_bytes(const fft_line *line, const line_memory *m)
{
    return m->line_stride * (line->is_double ? 8 : 4) * (m->real ? 1 : 2);
}

/* The job's lines in a buffer, as one layout of a plain job. */
static line_memory in_buffer(const fft_line *line, void *buffer, bool real)
{
    return (line_memory){
        .at = buffer, .line_stride = line->pitch * (real ? 2 : 1), .stride = 1, .real = real};
}

/* Returns true if lines of memory so rotated are what a plain algorithm takes. */
static bool is_straight(const line_use *use, int64_t n, int64_t rotate)
{
    return rotate == 0 || use->rotates || (use->rotates_half && 2 * rotate == n);
}

/* Returns true if the algorithm takes that layout as it is. */
static bool takes(const fft_line *line, const line_use *use, const line_memory *m, int64_t rotate)
{
    return m->stride == 1 && is_straight(use, line->n, rotate);
}

static bool is_plain(const fft_line *line, const line_use *use, const line_job *job)
{
    return (job->load_callback || takes(line, use, &job->in, job->ops.rotate_in)) &&
           (job->store_callback || takes(line, use, &job->out, job->ops.rotate_out));
}

static void run_through_buffer(const fft_line *line, const line_use *use, const line_job *job, char *work)
{
    const line_moves *moves = moves_for(line->is_double);
    const move_shape shape = {line->n, line->pitch};
    const bool whole = line->kind == LINE_COMPLEX,
               in = whole && takes(line, use, &job->in, job->ops.rotate_in),
               out = whole && takes(line, use, &job->out, job->ops.rotate_out);
    char *const from = work, *const algorithm_work = work + line_plain_bytes(line, use->block),
                *const to = line->kind == LINE_REAL ? work + (algorithm_work - work) / 2 : work;
    line_job plain = {.out = out ? job->out : in_buffer(line, to, job->out.real),
                      .in = in ? job->in : in_buffer(line, from, job->in.real),
                      .lines = job->lines,
                      .inverse = job->inverse,
                      .prefetch = job->prefetch && (in || out),
                      .ops = {.rotate_in = in ? job->ops.rotate_in : 0,
                              .rotate_out = out ? job->ops.rotate_out : 0,
                              .factor = out ? job->ops.factor : 1}};
    if (!in)
        moves->gather(&shape, from, &job->in, line_count(line, job->in.real), job->lines, job->ops.rotate_in);
    use->algorithm->apply(use->state, &plain, algorithm_work);
    if (!out)
        moves->scatter(&shape, &job->out, to, line_count(line, job->out.real), job->lines,
                       job->ops.rotate_out, job->ops.factor);
}

size_t line_work_bytes(const fft_line *line, const line_use *use, const line_job *job)
{
    return use->algorithm->plain && !is_plain(line, use, job) ? use->buffer_bytes : use->algorithm_bytes;
}

enum { BUFFER_NEAR = 16384 }; /* bytes that fit the nearest cache */

/* Returns how many lines a buffer holds at a time: for algorithms that compute lines one by one and are
 * rotated this way, as many as fit. */
static int64_t lines_near(const fft_line *line, const line_use *use, int64_t lines, bool prefetch)
{
    const int64_t near = BUFFER_NEAR / (line->pitch * (line->is_double ? 16 : 8));
    return prefetch || !use->rotates || near > lines ? lines : near < 1 ? 1 : near;
}

void line_run(const fft_line *line, const line_use *use, const line_job *job, void *work)
{
    if (!use->algorithm->plain || is_plain(line, use, job)) {
        use->algorithm->apply(use->state, job, work);
        return;
    }
    line_job part = *job; /* not before: that would take as long as a short line */
    const int64_t in = line_bytes(line, &job->in), out = line_bytes(line, &job->out);
    for (int64_t first = 0; first < job->lines; first += part.lines) {
        part.lines = lines_near(line, use, job->lines - first, job->prefetch);
        run_through_buffer(line, use, &part, work);
        part.in.at += part.lines * in;
        part.out.at += part.lines * out;
    }
}
