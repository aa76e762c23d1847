/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs an algorithm of src/fft/cpu/line/line.h on lines with any strides, and compares with sums in long
 * double: one line in full, some outputs of the others. What lies between the lines must stay, and so must
 * the input. */
#ifndef TESTS_FFT_LINE_CHECK_H
#define TESTS_FFT_LINE_CHECK_H

#include "harness.h"
#include "fft/cpu/line/algorithms.h"

typedef long double complex line_exact;

typedef struct line_case {
    const line_algorithm *algorithm;
    line_kind kind;
    bool is_double;
    int64_t n, lines;
    int64_t in_stride, in_line, out_stride, out_line; /* elements of each side */
    int64_t rotate_in, rotate_out;
    bool in_place;
    double factor;
    int inverse;
    uint64_t seed;
} line_case;

/* One layout's memory as reals, with padding around and between the lines. */
typedef struct line_buffer {
    bool is_double, real;
    int64_t stride, line, count; /* count: elements along the line */
    int64_t reals;               /* of all */
    char *memory;
} line_buffer;

enum { LINE_MARGIN = 6 };

static inline double line_number(const line_buffer *b, int64_t at)
{
    float f;
    double d;
    if (b->is_double) return memcpy(&d, b->memory + 8 * at, 8), d;
    return memcpy(&f, b->memory + 4 * at, 4), (double)f;
}

static inline void line_set(line_buffer *b, int64_t at, double value)
{
    const float f = (float)value;
    memcpy(b->memory + at * (b->is_double ? 8 : 4), b->is_double ? (const void *)&value : (const void *)&f,
           b->is_double ? 8 : 4);
}

/* The first real of element i of line l. */
static inline int64_t line_at(const line_buffer *b, int64_t l, int64_t i)
{
    return LINE_MARGIN + (l * b->line + i * b->stride) * (b->real ? 1 : 2);
}

static inline line_exact line_element(const line_buffer *b, int64_t l, int64_t i)
{
    const int64_t at = line_at(b, l, i);
    return (long double)line_number(b, at) + (b->real ? 0 : I * (long double)line_number(b, at + 1));
}

static inline line_buffer line_buffer_make(const line_case *c, bool out)
{
    const bool real = c->kind == LINE_REAL && out == (c->inverse != 0);
    line_buffer b = {.is_double = c->is_double,
                     .real = real,
                     .stride = out ? c->out_stride : c->in_stride,
                     .line = out ? c->out_line : c->in_line,
                     .count = c->kind == LINE_REAL && !real ? c->n / 2 + 1 : c->n};
    b.reals = line_at(&b, c->lines - 1, b.count - 1) + 2 + LINE_MARGIN;
    b.memory = malloc((size_t)b.reals * (c->is_double ? 8 : 4));
    assert_non_null(b.memory);
    random_state state = {c->seed + out};
    for (int64_t i = 0; i < b.reals; i++) line_set(&b, i, random_uniform(&state) - 0.5);
    return b;
}

static inline line_memory line_memory_of(const line_buffer *b, int64_t first)
{
    return (line_memory){.at = b->memory + line_at(b, first, 0) * (b->is_double ? 8 : 4),
                         .line_stride = b->line,
                         .stride = b->stride,
                         .real = b->real};
}

static inline void line_run_way(const line_case *c, const line_buffer *out, const line_buffer *in)
{
    const line_request request = {.kind = c->kind,
                                  .is_double = c->is_double,
                                  .n = c->n,
                                  .layout =
                                      c->in_stride == 1 && c->out_stride == 1 ? LINE_ROWS : LINE_COLUMNS,
                                  .lines = c->lines};
    void *state, *work;
    assert_null(c->algorithm->applicable(&request));
    OK(c->algorithm->create(&state, &request));
    OK(memory_take(&work, c->algorithm->work_bytes(state)));
    const int64_t block = c->algorithm->block(state);
    for (int64_t first = 0; first < c->lines; first += block) {
        const line_job job = {
            .out = line_memory_of(out, first),
            .in = line_memory_of(in, first),
            .lines = c->lines - first < block ? c->lines - first : block,
            .inverse = c->inverse,
            .ops = {.rotate_in = c->rotate_in, .rotate_out = c->rotate_out, .factor = c->factor}};
        c->algorithm->apply(state, &job, work);
    }
    memory_free(work);
    c->algorithm->destroy(state);
}

/* Point k of the transform of a line as it was before. */
static inline line_exact line_reference(const line_case *c, const line_buffer *in, const line_exact *roots,
                                        int64_t l, int64_t k)
{
    line_exact sum = 0;
    if (c->kind == LINE_REAL && c->inverse) { /* x[k], from the half spectrum */
        for (int64_t j = 0; j < in->count; j++) {
            const line_exact x = line_element(in, l, j) * conjl(roots[j * k % c->n]);
            sum += j == 0 || 2 * j == c->n ? creall(line_element(in, l, j)) * creall(roots[j * k % c->n])
                                           : 2 * creall(x);
        }
        return sum;
    }
    for (int64_t i = 0; i < c->n; i++) {
        const int64_t j = (i - c->rotate_in + c->n) % c->n;
        const line_exact w = roots[j * k % c->n];
        sum += line_element(in, l, i) * (c->inverse ? conjl(w) : w);
    }
    return sum;
}

/* |difference| / |reference| over what is compared */
static inline double line_difference(const line_case *c, const line_buffer *out, const line_buffer *in)
{
    line_exact *roots = malloc((size_t)c->n * sizeof *roots);
    random_state state = {c->seed + 3};
    long double difference = 0, norm = 0;
    const int64_t whole = (int64_t)(c->seed % (uint64_t)c->lines), some = out->count < 3 ? out->count : 3;
    for (int64_t k = 0; k < c->n; k++) {
        const long double angle =
            -2 * 3.141592653589793238462643383279502884L * (long double)k / (long double)c->n;
        roots[k] = cosl(angle) + I * sinl(angle);
    }
    for (int64_t l = 0; l < c->lines; l++)
        for (int64_t m = 0; m < (l == whole && c->n <= 3000 ? out->count : some); m++) {
            const int64_t o =
                l == whole ? m % out->count : (int64_t)(random_uniform(&state) * (double)out->count);
            const int64_t k = (o - c->rotate_out + c->n) % c->n;
            const line_exact expected = (long double)c->factor * line_reference(c, in, roots, l, k),
                             d = line_element(out, l, o) - expected;
            difference += creall(d) * creall(d) + cimagl(d) * cimagl(d);
            norm += creall(expected) * creall(expected) + cimagl(expected) * cimagl(expected);
        }
    free(roots);
    return (double)sqrtl(difference / norm);
}

/* Reals outside the lines must be as they were. */
static inline void line_check_between(const line_case *c, const line_buffer *after, const line_buffer *before)
{
    char *touched = calloc((size_t)after->reals, 1);
    for (int64_t l = 0; l < c->lines; l++)
        for (int64_t i = 0; i < after->count; i++) {
            touched[line_at(after, l, i)] = 1;
            if (!after->real) touched[line_at(after, l, i) + 1] = 1;
        }
    for (int64_t i = 0; i < after->reals; i++)
        if (!touched[i] && line_number(after, i) != line_number(before, i))
            fail_msg("%s %lld: real %lld outside the lines was written", c->algorithm->name, (long long)c->n,
                     (long long)i);
    free(touched);
}

static inline line_buffer line_copy(const line_buffer *b)
{
    line_buffer copy = *b;
    const size_t bytes = (size_t)b->reals * (b->is_double ? 8 : 4);
    copy.memory = malloc(bytes);
    memcpy(copy.memory, b->memory, bytes);
    return copy;
}

/* The error over u sqrt(log2 m), m the length of a convolution at most. */
static inline double line_case_error(const line_case *c)
{
    line_buffer in = line_buffer_make(c, false), out = c->in_place ? in : line_buffer_make(c, true);
    line_buffer in_before = line_copy(&in), out_before = line_copy(&out);
    line_run_way(c, &out, &in);
    line_check_between(c, &out, &out_before);
    if (!c->in_place)
        assert_memory_equal(in.memory, in_before.memory, (size_t)in.reals * (in.is_double ? 8 : 4));
    const double u = c->is_double ? 0x1p-53 : 0x1p-24,
                 error = line_difference(c, &out, &in_before) / u / sqrt(log2(4.0 * (double)c->n));
    free(out_before.memory);
    free(in_before.memory);
    if (!c->in_place) free(out.memory);
    free(in.memory);
    return error;
}

#endif
