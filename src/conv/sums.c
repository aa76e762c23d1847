/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes convolutions as direct sums on the CPU, block by block of results; compiled for each precision
 * and instruction set. */
#include "conv/sums.h"

#include <omp.h>
#include "base/simd.h"

enum { VECTORS = VECTOR_BYTES == 16 ? 8 : 4, AT_ONCE = VECTORS * IN_VECTOR };

/* Position and size of a block of results. */
typedef struct block {
    int64_t image, channel, at[3], count[2];
} block;

static REAL constant_of(const sums_job *job, int64_t element, int part)
{
    return element == -1 ? (REAL)job->constant[part] : (REAL)0;
}

static void fill_row(const sums_job *job, REAL *to, const REAL *row, int64_t t, int64_t count, int part)
{
    const int64_t *element = job->element[0] + t, stride = job->in_stride[0] * job->parts;
    for (int64_t i = 0; i < count; i++)
        to[i] = element[i] >= 0 ? row[element[i] * stride] : constant_of(job, element[i], part);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Gathers `count` positions of a row from position t on; positions from job->inside on are consecutive
 * elements of the image. */
static void gather_row(const sums_job *job, REAL *to, const REAL *row, int64_t t, int64_t count, int part)
{
    const int64_t stride = job->in_stride[0] * job->parts, end = job->inside + job->n;
    const int64_t before = job->inside <= t ? 0 : least(job->inside - t, count);
    const int64_t own = end <= t + before ? 0 : least(end - t - before, count - before);
    const REAL *from = row + (t + before - job->inside) * stride;
    fill_row(job, to, row, t, before, part);
    if (stride == 1)
        memcpy(to + before, from, (size_t)own * sizeof(REAL));
    else
        for (int64_t i = 0; i < own; i++) to[before + i] = from[i * stride];
    fill_row(job, to + before + own, row, t + before + own, count - before - own, part);
}

/* Fills a row that lies outside the image along another axis. */
static void fill_beyond(const sums_job *job, REAL *to, int64_t rule, int64_t t, int64_t count, int part)
{
    const int64_t *element = job->element[0] + t;
    for (int64_t i = 0; i < count; i++)
        to[i] = rule == -2 || element[i] == -2 ? (REAL)0 : constant_of(job, -1, part);
}

/* Clears the row after the last one. Two rows of results are summed together; if their number is odd, the
 * second one reads this row. */
static void clear_last(const sums_job *job, REAL *box, int64_t rows, int64_t width)
{
    for (int64_t z = 0; z < job->k[2]; z++)
        memset(box + z * job->box_plane + rows * job->box_row, 0, (size_t)width * sizeof(REAL));
}

static void gather_part(const sums_job *job, REAL *box, const block *b, int part)
{
    const REAL *image = (const REAL *)job->in + part +
                        job->parts * (b->channel * job->in_stride[3] + b->image * job->in_stride[4]);
    const int64_t width = b->count[0] + job->k[0] - 1, rows = b->count[1] + job->k[1] - 1;
    if (b->count[1] % SUMS_ROWS) clear_last(job, box, rows, width);
    for (int64_t z = 0; z < job->k[2]; z++)
        for (int64_t y = 0; y < rows; y++) {
            const int64_t ey = job->element[1][b->at[1] + y], ez = job->element[2][b->at[2] + z];
            const int64_t rule = ey == -2 || ez == -2 ? -2 : ey == -1 || ez == -1 ? -1 : 0;
            const REAL *row = image + job->parts * (ey * job->in_stride[1] + ez * job->in_stride[2]);
            REAL *to = box + z * job->box_plane + y * job->box_row;
            if (rule)
                fill_beyond(job, to, rule, b->at[0], width, part);
            else
                gather_row(job, to, row, b->at[0], width, part);
        }
}

/* Adds the products of a row of input and a row of taps to a row of results. */
INLINE void add_row(vector sum[VECTORS], const REAL *x, const REAL *taps, int64_t k)
{
    for (int64_t u = 0; u < k; u++)
        UNROLL for (int v = 0; v < VECTORS; v++) sum[v] += taps[u] * load(x + u + v * IN_VECTOR);
}

/* Adds the products of the gathered input and a kernel to two rows of results. A row of input is
 * multiplied by one row of taps for the first result and by the previous row of taps for the second. The
 * first and the last row count for one result alone, so that a NaN stays within the reach of the kernel. */
INLINE void add_products(vector sum[SUMS_ROWS][VECTORS], const sums_job *job, const REAL *box,
                         const REAL *taps)
{
    const int64_t k = job->k[0], rows = job->k[1];
    for (int64_t z = 0; z < job->k[2]; z++) {
        const REAL *plane = box + z * job->box_plane, *of_plane = taps + z * rows * k;
        add_row(sum[0], plane, of_plane, k);
        for (int64_t y = 1; y < rows; y++) {
            const REAL *x = plane + y * job->box_row, *first = of_plane + y * k, *second = first - k;
            for (int64_t u = 0; u < k; u++) {
                UNROLL for (int v = 0; v < VECTORS; v++)
                {
                    const vector at = load(x + u + v * IN_VECTOR);
                    sum[0][v] += first[u] * at;
                    sum[1][v] += second[u] * at;
                }
            }
        }
        add_row(sum[1], plane + rows * job->box_row, of_plane + (rows - 1) * k, k);
    }
}

static void store_row(const sums_job *job, const block *b, int64_t x, int64_t y, int part, const vector *sum)
{
    const int64_t left = b->count[0] - x, stride = job->out_stride[0] * job->parts;
    REAL *to = (REAL *)job->out_data + part +
               job->parts * ((b->at[0] + x) * job->out_stride[0] + (b->at[1] + y) * job->out_stride[1] +
                             b->at[2] * job->out_stride[2] + b->channel * job->out_stride[3] +
                             b->image * job->out_stride[4]);
    const REAL *from = (const REAL *)sum;
    if (stride == 1)
        memcpy(to, from, (size_t)least(left, AT_ONCE) * sizeof(REAL));
    else
        for (int64_t i = 0; i < least(left, AT_ONCE); i++) to[i * stride] = from[i];
}

/* Computes results x to x + AT_ONCE - 1 of two rows, one part (real or imaginary) of them. */
static void sum_rows(const sums_job *job, const REAL *box, const REAL *taps, const block *b, int64_t x,
                     int64_t y, int part)
{
    vector sum[SUMS_ROWS][VECTORS] = {{{0}}};
    const REAL *at = box + y * job->box_row + x, *other = at + (1 - part) * job->box_part;
    at += part * job->box_part;
    add_products(sum, job, at, taps);
    if (job->tap_parts == 2) add_products(sum, job, other, taps + (part ? 1 : 2) * job->kernel_step);
    for (int64_t row = 0; row < SUMS_ROWS && y + row < b->count[1]; row++)
        store_row(job, b, x, y + row, part, sum[row]);
}

static void do_block(const sums_job *job, const block *b)
{
    REAL *box = (REAL *)(void *)(job->scratch + job->scratch_bytes * (size_t)omp_get_thread_num());
    const REAL *taps =
        (const REAL *)job->taps + (job->kernel_channels > 1 ? b->channel : 0) * 3 * job->kernel_step;
    for (int part = 0; part < job->parts; part++) gather_part(job, box + part * job->box_part, b, part);
    for (int part = 0; part < job->parts; part++)
        for (int64_t y = 0; y < b->count[1]; y += SUMS_ROWS)
            for (int64_t x = 0; x < b->count[0]; x += AT_ONCE) sum_rows(job, box, taps, b, x, y, part);
}

void VARIANT(conv_sums)(const sums_job *job)
{
    const int64_t across = (job->out[0] + job->wide - 1) / job->wide,
                  down = (job->out[1] + SUMS_TALL - 1) / SUMS_TALL,
                  blocks = across * down * job->out[2] * job->channels * job->batch;
#pragma omp parallel for num_threads(job->threads) schedule(static)
    for (int64_t i = 0; i < blocks; i++) {
        const int64_t row = i / across, plane = row / down, image = plane / job->out[2];
        block b = {.at = {i % across * job->wide, row % down * SUMS_TALL, plane % job->out[2]},
                   .channel = image % job->channels,
                   .image = image / job->channels};
        b.count[0] = least(job->wide, job->out[0] - b.at[0]);
        b.count[1] = least(SUMS_TALL, job->out[1] - b.at[1]);
        do_block(job, &b);
    }
}
