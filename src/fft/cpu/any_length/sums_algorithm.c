/* SPDX-License-Identifier: BSD-3-Clause */
/* One contiguous complex line of an odd number of points, 17 to 127, or of twice as many, as an algorithm of
 * line.h: sums of cosines and sines (sums_kernels.c). So short, they take less time than Rader's convolutions
 * and often than small factors, whose vectors are partly empty. */
#include "fft/cpu/any_length/any_length.h"
#include "fft/cpu/any_length/kernel_table.h"
#include "fft/cpu/any_length/sums.h"

#include "base/memory.h"
#include "fft/cpu/line/algorithms.h"

typedef struct sums {
    void (*run)(void *out, const void *in, const void *table, int64_t n, int inverse, double factor);
    void *table;
    int64_t n, size, block; /* size: bytes of a point */
} sums;

/* The points of the sums */
static int64_t odd_of(int64_t n)
{
    return n % 2 ? n : n / 2;
}

static const char *applicable(const line_request *r)
{
    if (r->kind != LINE_COMPLEX) return "it is for complex lines";
    const int64_t odd = odd_of(r->n);
    return odd % 2 == 0 || odd < SUMS_LEAST || odd > SUMS_MOST
               ? "the length is neither an odd one of 17 to 127 nor twice one"
               : NULL;
}

static int64_t vectors_of(int64_t n, int64_t lanes)
{
    return (n / 2 + lanes - 1) / lanes;
}

/* Measured with AVX-512: nanoseconds for one line's folding, and for each vector of products; for two lines
 * also for separating their points and joining their results. */
static double cost(const line_request *r)
{
    const int64_t odd = odd_of(r->n);
    const double size = r->is_double ? 2 : 1,
                 products = (double)(odd / 2 * vectors_of(odd, any_length_lanes(r->is_double))),
                 each = 10 + 5 * size + 1.4 * products,
                 columns = r->layout == LINE_COLUMNS ? 0.7 * (double)r->n * size : 0;
    return (odd < r->n ? 2 * each + 40 + 10 * size : each) + columns;
}

static void destroy_lines(void *state)
{
    sums *s = state;
    if (!s) return;
    memory_free(s->table);
    memory_free(s);
}

/* cos and sin of 2 pi k / n for k < n */
typedef struct circle {
    double cos[SUMS_MOST], sin[SUMS_MOST];
} circle;

static void compute(circle *r, int64_t n, bool is_double)
{
    for (int64_t k = 0; k < n; k++) {
        long double re, im;
        any_length_root(&re, &im, k, n, is_double);
        r->cos[k] = (double)re;
        r->sin[k] = (double)im;
    }
}

static void put(const sums *s, int64_t at, double value)
{
    if (s->size == 16)
        ((double *)s->table)[at] = value;
    else
        ((float *)s->table)[at] = (float)value;
}

/* Vectors of outputs from 1 on; for each j from 1 to m / 2 their cosines, then their sines */
static argand_status fill(sums *s, int64_t lanes)
{
    const int64_t m = odd_of(s->n), h = m / 2, vectors = vectors_of(m, lanes);
    int64_t at = 0;
    circle r;
    TRY(memory_new(&s->table, (size_t)(2 * vectors * h * lanes), (size_t)s->size / 2));
    compute(&r, m, s->size == 16);
    for (int64_t first = 1; first <= h; first += lanes)
        for (int64_t j = 1; j <= h; j++, at += 2 * lanes)
            for (int64_t lane = 0; lane < lanes; lane++) {
                const int64_t k = j * (first + lane) % m;
                put(s, at + lane, r.cos[k]);
                put(s, at + lanes + lane, r.sin[k]);
            }
    return ARGAND_OK;
}

/* Lines of a block: many, so that the functions around them are called rarely, but no more than there are, as
 * each has space in the buffer of rotated lines. */
static int64_t block_for(int64_t lines)
{
    enum { MOST = 64 };
    return lines > MOST ? MOST : lines < 1 ? 1 : lines;
}

static argand_status create_lines(void **state, const line_request *r)
{
    static void (*const lines[2][CPU_LEVELS])(void *, const void *, const void *, int64_t, int, double) =
        CPU_VARIANTS(sums_line);
    sums *s;
    *state = NULL;
    TRY(NEW(s, 1));
    *s = (sums){.run = lines[r->is_double][cpu_best()],
                .n = r->n,
                .size = r->is_double ? 16 : 8,
                .block = block_for(r->lines)};
    const argand_status status = fill(s, any_length_lanes(r->is_double));
    if (status != ARGAND_OK)
        destroy_lines(s);
    else
        *state = s;
    return status;
}

static int64_t block(const void *state)
{
    return ((const sums *)state)->block;
}

static size_t work_bytes(const void *state)
{
    (void)state;
    return 0;
}

static void run_one(const void *state, void *out, const void *in, void *work, int inverse, double factor)
{
    (void)work;
    const sums *s = state;
    s->run(out, in, s->table, s->n, inverse, factor);
}

static void apply_job(const void *state, const line_job *job, void *work)
{
    const int64_t size = ((const sums *)state)->size;
    for (int64_t l = 0; l < job->lines; l++)
        run_one(state, job->out.at + l * job->out.line_stride * size,
                job->in.at + l * job->in.line_stride * size, work, job->inverse, job->ops.factor);
}

static void print(const void *state, text *t)
{
    text_add(t, "(sums_single %lld)", (long long)((const sums *)state)->n);
}

const line_algorithm sums_single_algorithm = {.name = "sums_single",
                                              .plain = true,
                                              .applicable = applicable,
                                              .cost = cost,
                                              .create = create_lines,
                                              .block = block,
                                              .work_bytes = work_bytes,
                                              .apply = apply_job,
                                              .single = run_one,
                                              .print = print,
                                              .destroy = destroy_lines};
