/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of lines go through one buffer in cache, where accessors and borders are applied between memory and
 * the line transform; plain transforms do not come here. Blocks follow from the shape alone. */
#include "fft/cpu/access/pass.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "fft/cpu/access/block.h"
#include "fft/cpu/access/callback.h"
#include "fft/cpu/access/fused.h"
#include "fft/cpu/passes/pass.h"

#define MOVES_AT(bits, level)                                                                             \
    {                                                                                                     \
        access_read_##bits##_##level, access_write_##bits##_##level, access_read_times_##bits##_##level,  \
            access_multiply_##bits##_##level, access_scale_##bits##_##level, access_add_##bits##_##level, \
            access_callback_load_##bits##_##level, access_callback_store_##bits##_##level                 \
    }

const access_moves *access_moves_for(bool is_double)
{
    static const access_moves all[2][CPU_LEVELS] = {CPU_EACH(MOVES_AT, f32), CPU_EACH(MOVES_AT, f64)};
    return &all[is_double][cpu_best()];
}

/* ---- blocks and buffers ---- */

/* The dimension whose lines make blocks: the one with the closest lines. */
static int block_dimension(const access_pass *p)
{
    int best = -1;
    int64_t least = 0;
    for (int d = 0; d < p->dims; d++) {
        const int64_t distance = llabs(p->in.step[d]) + llabs(p->out.step[d]);
        if (d == p->axis || p->n[d] == 1 || p->sum >> d & 1) continue;
        if (best < 0 || distance < least) {
            best = d;
            least = distance;
        }
    }
    return best;
}

/* Lines of the buffer lie side by side where they do so in memory, so that nothing is transposed on the way.
 */
static bool is_columns(const access_pass *p, int line_dim)
{
    if (line_dim < 0 || p->n[line_dim] < 4 || p->in.width == 1 || p->out.width == 1) return false;
    return llabs(p->in.step[line_dim]) + llabs(p->out.step[line_dim]) <
           llabs(p->in.step[p->axis]) + llabs(p->out.step[p->axis]);
}

enum { NEAR_BYTES = 32768 }; /* of lines that algorithms compute one by one */

/* Returns the lines of a block: about 64 KiB, and no more than the transform takes at once. An algorithm
 * that takes only a few lines gets as many as fit the nearest cache, as the fixed cost of a block matters
 * for short lines. */
static int64_t block_of(const access_pass *p)
{
    const int64_t fitting = 65536 / (access_most_points(p) * 2 * (int64_t)access_real_size(p)),
                  n = p->line->n;
    const int64_t block = n > 262144     ? 1
                          : n > 32768    ? 4
                          : fitting < 8  ? 8
                          : fitting > 64 ? 64
                                         : fitting / 8 * 8;
    const int64_t rows = line_use_for(p->line, 1, 1)->block, others = line_use_for(p->line, 2, 2)->block;
    const int64_t most = rows < others ? rows : others,
                  near = NEAR_BYTES / (access_most_points(p) * 2 * (int64_t)access_real_size(p)),
                  least = most < 8 && near > most ? near : most;
    return block < least ? block : least;
}

/* Complex points; from line to line no power of two, so that they do not fall on the same cache sets. */
static size_t buffer_bytes(const access_pass *p, int64_t block)
{
    return memory_product((size_t)block, memory_product((size_t)((access_most_points(p) + 7) / 8 * 8 + 8),
                                                        2 * access_real_size(p)));
}

static size_t work_bytes(const access_pass *p)
{
    const size_t rows = line_use_for(p->line, 1, 1)->buffer_bytes,
                 columns = line_use_for(p->line, 2, 2)->buffer_bytes;
    return ((rows > columns ? rows : columns) + 63) / 64 * 64;
}

enum { BUFFERS = 5 }; /* lines; real ones transformed; sums; arrays of accessors and mirrored lines (two) */

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

size_t access_pass_bytes(const access_pass *p)
{
    const size_t blocks = memory_product(buffer_bytes(p, block_of(p)), BUFFERS) + work_bytes(p);
    return larger(blocks, larger(access_fused_bytes(p), pass_buffer_bytes(p->line)));
}

/* Goes on to the next set of coordinates of the summed dimensions; false after the last. */
static bool next_term(const access_pass *p, int64_t *coordinate)
{
    for (int d = 0; d < p->dims; d++)
        if (p->sum >> d & 1 && p->n[d] > 1) {
            if (++coordinate[d] < p->n[d]) return true;
            coordinate[d] = 0;
        }
    return false;
}

/* How a pass goes through its lines. */
typedef struct walk {
    const access_pass *pass;
    int line_dim; /* dimension whose lines make blocks; -1: there is one line */
    bool columns, fused;
    int64_t lines; /* of a block */
} walk;

static walk choose_walk(const access_pass *p)
{
    walk w = {.pass = p, .line_dim = block_dimension(p)};
    w.columns = is_columns(p, w.line_dim);
    w.fused = access_fused_can(p, w.line_dim, w.columns, &w.lines);
    if (!w.fused) w.lines = block_of(p);
    return w;
}

static int64_t blocks_in_row(const walk *w)
{
    return w->line_dim < 0 ? 1 : (w->pass->n[w->line_dim] + w->lines - 1) / w->lines;
}

static int64_t count_blocks(const walk *w)
{
    const access_pass *p = w->pass;
    int64_t rows = 1;
    for (int d = 0; d < p->dims; d++)
        if (d != w->line_dim && d != p->axis && !(p->sum >> d & 1)) rows *= p->n[d];
    return rows * blocks_in_row(w);
}

static void run_buffered(block_state *b, char *memory)
{
    const access_pass *p = b->pass;
    const int64_t most = block_of(p);
    const size_t bytes = buffer_bytes(p, most);
    b->pitch = b->columns ? 2 * most : 2 * ((access_most_points(p) + 7) / 8 * 8 + 8);
    b->buffer = memory;
    b->other = memory + bytes;
    b->sum = memory + 2 * bytes;
    b->scratch = memory + 3 * bytes;
    b->work = memory + BUFFERS * bytes;
    bool sums = false, more = true;
    for (int64_t term = 0; more; term++) {
        access_block_compute(b);
        more = next_term(p, b->coordinate);
        sums = sums || more;
        if (sums) access_block_add_to_sum(b, term == 0);
    }
    if (!access_writes_direct(p) && !access_changes_in_place(b))
        access_block_store(b, sums ? b->sum : b->buffer);
}

static void run_block(const walk *w, const int64_t *base, int64_t block, char *memory)
{
    const access_pass *p = w->pass;
    const int64_t blocks = blocks_in_row(w), first = block % blocks * w->lines,
                  left = (w->line_dim < 0 ? 1 : p->n[w->line_dim]) - first;
    int64_t row = block / blocks;
    block_state b = {.pass = p,
                     .line_dim = w->line_dim,
                     .columns = w->columns,
                     .lines = left < w->lines ? left : w->lines,
                     .work = memory};
    memcpy(b.coordinate, base, sizeof b.coordinate);
    for (int d = 0; d < p->dims; d++)
        if (d != w->line_dim && d != p->axis && !(p->sum >> d & 1)) {
            b.coordinate[d] += row % p->n[d];
            row /= p->n[d];
        }
    if (w->line_dim >= 0) b.coordinate[w->line_dim] += first;
    if (w->fused)
        access_fused_run(&b);
    else
        run_buffered(&b, memory);
}

/* ---- passes without any accessor, which are those of pass.c ---- */

static bool is_plain(const access_pass *p)
{
    return access_reads_direct(p) && access_writes_direct(p) && !p->round_trip;
}

static pass_layout plain_layout(const access_pass *p, const access_port *port, pass_place place)
{
    const int64_t size = (int64_t)argand_type_size(port->type);
    pass_layout scratch = {
        .place = place, .real = port->width == 1, .size = (size_t)size, .stride = port->step[p->axis] / size};
    for (int d = 0, loop = 0; d < p->dims; d++)
        if (d != p->axis) scratch.loop[loop++] = port->step[d] / size;
    return scratch;
}

static char *plain_memory(const access_pass *p, const access_port *port, const int64_t *base)
{
    char *at = port->at;
    for (int d = 0; d < p->dims; d++) at += base[d] * port->step[d];
    return at;
}

static void run_plain(const access_pass *p, const int64_t *base, int threads, void *buffers)
{
    const pass_memory memory = {{plain_memory(p, &p->in, base), plain_memory(p, &p->out, base)}};
    fft_pass pass = {.line = p->line,
                     .inverse = p->inverse,
                     .far = p->far,
                     .ops = {.rotate_in = (p->in.n - p->in.window.first) % p->in.n,
                             .rotate_out = (p->out.n - p->out.window.first) % p->out.n,
                             .factor = p->factor},
                     .out = plain_layout(p, &p->out, PASS_OUT),
                     .in = plain_layout(p, &p->in, PASS_IN)};
    for (int d = 0; d < p->dims; d++)
        if (d != p->axis) pass.n[pass.loops++] = p->n[d];
    pass_order_loops(&pass);
    pass_run(&pass, &memory, threads, buffers, access_pass_bytes(p));
}

void access_pass_run(const access_pass *p, const int64_t *base, int threads, void *buffers)
{
    if (is_plain(p)) {
        run_plain(p, base, threads, buffers);
        return;
    }
    const walk w = choose_walk(p);
    const int64_t blocks = count_blocks(&w);
    const size_t bytes = access_pass_bytes(p);
    if (threads > blocks) threads = (int)blocks;
    if (threads <= 1) {
        for (int64_t block = 0; block < blocks; block++) run_block(&w, base, block, buffers);
        return;
    }
#pragma omp parallel num_threads(threads)
    {
        char *memory = (char *)buffers + (size_t)omp_get_thread_num() * bytes;
#pragma omp for schedule(static)
        for (int64_t block = 0; block < blocks; block++) run_block(&w, base, block, memory);
    }
}

int64_t access_pass_lines(const access_pass *p)
{
    int64_t lines = 1;
    for (int d = 0; d < p->dims; d++) lines *= d == p->axis ? 1 : p->n[d];
    return lines;
}
