/* SPDX-License-Identifier: BSD-3-Clause */
/* A pass takes blocks of neighbouring lines into a buffer that fits a cache, transforms them there and puts
 * them back; contiguous lines skip the buffer. So columns are read and written whole cache lines at a time,
 * whatever the stride, and moving, rotating and scaling cost no pass of their own. Blocks do not depend on
 * the number of threads, hence neither do the results. (FFTW's own plans without measuring take columns one
 * by one: 10 times slower at 256 x 256.) */
#include "fft/cpu/passes/pass.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "fft/cpu/line/prefetch.h"

static void drop_loop(fft_pass *p, int i)
{
    p->loops--;
    for (; i < p->loops; i++) {
        p->n[i] = p->n[i + 1];
        p->out.loop[i] = p->out.loop[i + 1];
        p->in.loop[i] = p->in.loop[i + 1];
    }
}

static void swap_loops(fft_pass *p, int i, int j)
{
    int64_t *const lists[3] = {p->n, p->out.loop, p->in.loop};
    for (int k = 0; k < 3; k++) {
        const int64_t t = lists[k][i];
        lists[k][i] = lists[k][j];
        lists[k][j] = t;
    }
}

/* Loop j continues loop i in input and output. */
static bool continues(const fft_pass *p, int i, int j)
{
    return p->out.loop[j] == p->n[i] * p->out.loop[i] && p->in.loop[j] == p->n[i] * p->in.loop[i];
}

static bool join_two(fft_pass *p)
{
    for (int i = 0; i < p->loops; i++)
        for (int j = 0; j < p->loops; j++)
            if (i != j && continues(p, i, j)) {
                p->n[i] *= p->n[j];
                drop_loop(p, j);
                return true;
            }
    return false;
}

static int64_t distance(const fft_pass *p, int i)
{
    return llabs(p->out.loop[i]) + llabs(p->in.loop[i]);
}

void pass_order_loops(fft_pass *p)
{
    for (int i = p->loops; i-- > 0;)
        if (p->n[i] == 1) drop_loop(p, i);
    while (join_two(p)) continue;
    if (p->loops == 0) {
        p->loops = 1;
        p->n[0] = 1;
        p->out.loop[0] = p->in.loop[0] = 0;
    }
    for (int i = 1; i < p->loops; i++)
        if (distance(p, i) < distance(p, 0)) swap_loops(p, 0, i);
    p->use = line_use_for(p->line, p->out.stride, p->in.stride);
}

/* ---- slabs ---- */

enum {
    SLAB_RUN = 512,        /* bytes of neighbouring lines that are moved together */
    SLAB_MOST = 320 << 10, /* a slab, its source and the cells of its lines fit the second-level cache */
    SLAB_FROM = 4096,      /* bytes from point to point of a line from which on slabs are faster, */
    SLAB_FROM_FAR = 2048   /* and where the lines do not fit the second-level cache */
};

static size_t slab_bytes(const fft_line *line)
{
    const size_t bytes = memory_product((size_t)line->n, PASS_SLAB_PITCH);
    return line->kind == LINE_COMPLEX && bytes <= SLAB_MOST ? bytes : 0;
}

int64_t pass_slab_lines(const fft_line *line, int64_t bytes_apart, bool far)
{
    const bool wanted = slab_bytes(line) && bytes_apart >= (far ? SLAB_FROM_FAR : SLAB_FROM);
    return wanted ? SLAB_RUN / (line->is_double ? 16 : 8) : 0;
}

/* Neighbouring lines with a large stride: pages and cache sets are met again and again when a block's
 * few cache lines of each are read, and once more when they are written. A slab of more of them is copied to
 * where all is near, transformed there in place, and copied back. */
static bool in_slabs(const fft_pass *p)
{
    const int64_t lines = pass_slab_lines(p->line, llabs(p->out.stride) * (int64_t)p->out.size, p->far);
    return lines && p->in.loop[0] == 1 && p->out.loop[0] == 1 && !p->in.real && !p->out.real &&
           p->in.stride == p->out.stride && p->n[0] >= lines;
}

/* A thread's work memory: that of the lines' algorithm, and a slab behind it. The functions that allocate
 * it and that use it both call this one. Either use may get columns, as one that was not made is replaced
 * by the other. */
typedef struct thread_work {
    size_t slab_at, bytes;
} thread_work;

static thread_work thread_work_of(const fft_line *line, const line_use *use)
{
    const size_t slab = slab_bytes(line), algorithms = use->buffer_bytes;
    return (thread_work){.slab_at = algorithms,
                         .bytes = algorithms > SIZE_MAX - slab ? SIZE_MAX : algorithms + slab};
}

size_t pass_buffer_bytes(const fft_line *line)
{
    size_t most = 0;
    for (int layout = 0; layout < LINE_LAYOUTS; layout++) {
        const line_use *use = &line->use[layout];
        const size_t bytes = use->algorithm ? thread_work_of(line, use).bytes : 0;
        if (bytes > most) most = bytes;
    }
    return most;
}

/* Copies `count` runs of so many bytes, and prefetches the input or output, whichever is far from the
 * cache. */
static void copy_runs(char *to, int64_t to_step, const char *from, int64_t from_step, int64_t count,
                      int64_t bytes, bool from_far)
{
    for (int64_t i = 0; i < count; i++, to += to_step, from += from_step) {
        if (from_far)
            prefetch_range(from, PASS_SLAB_PREFETCH * from_step, PASS_SLAB_PREFETCH * from_step + bytes);
        else
            prefetch_range(to, PASS_SLAB_PREFETCH * to_step, PASS_SLAB_PREFETCH * to_step + bytes);
        memcpy(to, from, (size_t)bytes);
    }
}

/* ---- blocks ---- */

/* How a pass is cut: rows of blocks of that many neighbouring lines. */
typedef struct cut {
    const fft_pass *pass;
    char *out, *in;
    bool slabs;
    int64_t lines, in_row, blocks;
} cut;

static cut cut_of(const fft_pass *p, const pass_memory *memory)
{
    const bool slabs = in_slabs(p);
    const int64_t lines = slabs ? pass_slab_lines(p->line, INT64_MAX, p->far) : p->use->block;
    int64_t rows = 1;
    for (int i = 1; i < p->loops; i++) rows *= p->n[i];
    const int64_t in_row = p->n[0] <= lines ? 1 : (p->n[0] + lines - 1) / lines;
    return (cut){p, memory->at[p->out.place], memory->at[p->in.place], slabs, lines, in_row, rows * in_row};
}

/* Sets all of a job but where its lines are, member by member: to clear it first takes as long as a short
 * line. */
static void begin_job(line_job *job, const fft_pass *p)
{
    job->out.line_stride = p->out.loop[0];
    job->out.stride = p->out.stride;
    job->out.real = p->out.real;
    job->in.line_stride = p->in.loop[0];
    job->in.stride = p->in.stride;
    job->in.real = p->in.real;
    job->inverse = p->inverse;
    job->prefetch = p->far;
    job->ops.rotate_in = p->ops.rotate_in;
    job->ops.rotate_out = p->ops.rotate_out;
    job->ops.factor = p->ops.factor;
    job->ops.twiddles = p->ops.twiddles;
    job->load_callback = job->store_callback = NULL;
    job->buffer = NULL;
    job->team.threads = 0;
    job->team.apart = 0;
}

static char *locate(const fft_pass *p, const pass_layout *layout, char *at, int64_t row, int64_t first)
{
    int64_t offset = first * layout->loop[0];
    for (int i = 1; i < p->loops; row /= p->n[i++]) offset += row % p->n[i] * layout->loop[i];
    return at + offset * (int64_t)layout->size;
}

static void run_slab(const fft_pass *p, const line_job *job, char *buffer)
{
    const int64_t size = (int64_t)p->out.size, n = p->line->n, pitch = PASS_SLAB_PITCH,
                  bytes = job->lines * size, block = p->use->block;
    char *slab = buffer + thread_work_of(p->line, p->use).slab_at;
    copy_runs(slab, pitch, job->in.at, job->in.stride * size, n, bytes, true);
    for (int64_t first = 0; first < job->lines; first += block) {
        line_job part = *job;
        part.in = part.out = (line_memory){slab + first * size, 1, pitch / size, false};
        part.lines = job->lines - first < block ? job->lines - first : block;
        part.ops.first += first;
        line_run(p->line, p->use, &part, buffer);
    }
    copy_runs(job->out.at, job->out.stride * size, slab, pitch, n, bytes, false);
}

/* The lines that begin at loop index `first` of row `row` */
static void run_block(const cut *c, line_job *job, int64_t row, int64_t first, void *buffer)
{
    const fft_pass *p = c->pass;
    const int64_t left = p->n[0] - first;
    job->out.at = locate(p, &p->out, c->out, row, first);
    job->in.at = locate(p, &p->in, c->in, row, first);
    job->lines = left < c->lines ? left : c->lines;
    job->ops.first = first;
    if (c->slabs)
        run_slab(p, job, buffer);
    else
        line_run(p->line, p->use, job, buffer);
}

size_t pass_work_bytes(const fft_pass *p)
{
    line_job job = {.lines = p->n[0]};
    begin_job(&job, p);
    return in_slabs(p) ? thread_work_of(p->line, p->use).bytes : line_work_bytes(p->line, p->use, &job);
}

/* Even a team of one takes longer than a short transform, and so do divisions for each block. */
static void run_alone(const cut *c, void *buffer)
{
    line_job job;
    begin_job(&job, c->pass);
    for (int64_t row = 0, left = c->blocks; left > 0; row++, left -= c->in_row)
        for (int64_t first = 0; first < c->pass->n[0]; first += c->lines)
            run_block(c, &job, row, first, buffer);
}

void pass_run(const fft_pass *p, const pass_memory *memory, int threads, void *buffers, size_t buffer_bytes)
{
    const cut c = cut_of(p, memory);
    if (threads > c.blocks) threads = (int)c.blocks;
    if (threads <= 1) {
        run_alone(&c, buffers);
        return;
    }
#pragma omp parallel num_threads(threads)
    {
        void *buffer = (char *)buffers + (size_t)omp_get_thread_num() * buffer_bytes;
        line_job job;
        begin_job(&job, p);
#pragma omp for schedule(static)
        for (int64_t block = 0; block < c.blocks; block++)
            run_block(&c, &job, block / c.in_row, block % c.in_row * c.lines, buffer);
    }
}
