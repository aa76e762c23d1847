/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines by FFTW's one-dimensional plans: blocks in a buffer, or straight in memory where they lie as they
 * were planned. */
#include "fft/cpu/line/algorithms.h"

#include <fftw3.h>
#include <math.h>
#include "base/cpu.h"
#include "base/memory.h"
#include "fft/cpu/fftw/calls.h"
#include "fft/cpu/line/move.h"
#include "fft/cpu/fftw/planner_lock.h"
#include "fft/cpu/simd_single/simd_single.h"

/* `block` lines of a buffer have stride `pitch` (complex elements), those in memory n. */
typedef struct fftw_line {
    const fftw_calls *calls; /* of that precision */
    line_kind kind;
    bool is_double;
    int64_t n, block, pitch;
    void *buffered[2];  /* [inverse]: a whole block, in place */
    void *single[2];    /* one line, in place */
    void *direct[2][2]; /* [inverse][in place]: a whole block in memory, complex or R2C */
    void *direct_single[2];
} fftw_line;

/* FFTW ends the program if it gets no memory. So it is used only for lengths that take little memory
 * besides the data, never for prime factors that take work memory at each call, and its planner is called
 * only if that memory is there (memory_is_there). */
enum { LONGEST = 1 << 20, PLANNER_BYTES = 16 << 20, PLANNER_NUMBERS = 4 };

static const char *applicable(const line_request *request)
{
    if (request->plans_often) return "FFTW's planner takes longer than the transform";
    if (!simd_single_can(request->n))
        return "a prime factor above 13, for which FFTW wants memory in each call";
    return request->n > LONGEST ? "lines of more than 2^20 points, for which FFTW may want much memory"
                                : NULL;
}

/* FFTW has no SIMD for an odd number of reals: from 33 on, they took 2 to 6 times what even ones take. Blocks
 * of complex lines whose length is no multiple of 8 took 1.4 to 2.5 times what others take, one such line 1.3
 * to 1.4. */
static double without_simd(const line_request *request)
{
    if (request->n <= 32) return 1;
    if (request->kind == LINE_REAL) return request->n % 2 ? 3.5 : 1;
    return request->n % 8 == 0 ? 1 : request->lines >= 8 ? 1.6 : request->is_double ? 1.3 : 1.4;
}

/* Lines of a block share what a call takes. */
static double call_cost(const line_request *request)
{
    const int64_t lines = request->lines < 1 ? 1 : request->lines;
    return 25 / (double)(lines < 8 ? lines : 8);
}

/* Estimated plans, as measured for 16 to 4096 points with AVX2, where they are between 0.6 and 1.3 of this,
 * and with AVX-512 relative to the other algorithms, whose vectors are then wider than those of a
 * distribution's FFTW. Columns go through a buffer. Rows from memory are not prefetched by FFTW. */
static double cost(const line_request *request)
{
    static const double by_width[2][2][2] = {{{0.21, 0.36}, {0.16, 0.17}},
                                             {{0.21, 0.36}, {0.22, 0.30}}}; /* [AVX-512][real][double] */
    const double(*each)[2] = by_width[cpu_best() == CPU_AVX512];
    const double size = request->is_double ? 2 : 1,
                 far = (double)request->n * size * 8 > 5e5 || line_spread(request) > 0 ? 1.6 : 1,
                 n = (double)request->n * far, columns = request->layout == LINE_COLUMNS ? 1.2 * size * n : 0;
    return call_cost(request) +
           without_simd(request) * each[request->kind == LINE_REAL][request->is_double] * n * log2(n + 1) +
           columns;
}

static size_t complex_size(const fftw_line *line)
{
    return line->is_double ? 16 : 8;
}

static int64_t count_of(const fftw_line *line, bool reals)
{
    return line->kind == LINE_REAL && !reals ? line->n / 2 + 1 : line->n;
}

/* Returns the lines of a block: about 64 KiB, so that the block and its sources fit the second-level
 * cache, and at least a cache line wide, as columns are gathered side by side. Very long lines go one by
 * one. Fewer lines are one block: a part of one would go line by line, and its work memory would not fit the
 * stack. */
static int64_t block_for(const line_request *request, size_t size)
{
    const int64_t n = request->n, fitting = 65536 / (n * (int64_t)size), lines = request->lines,
                  block = n > 262144     ? 1
                          : n > 32768    ? 4
                          : fitting < 8  ? 8
                          : fitting > 64 ? 64
                                         : fitting / 8 * 8;
    return lines >= block ? block : lines < 1 ? 1 : lines;
}

/* Half spectra that FFTW leaves as they are cost it a copy, and less than ours only where they are short. */
enum { KEPT_MOST = 64 };

/* Under the lock. Memory is scratch, as measuring overwrites it. */
static argand_status make_plans(fftw_line *line, unsigned flags, void *a, void *b)
{
    const line_kind kind = line->kind;
    const int64_t w = line->block, n = line->n, pitch = line->pitch, half = n / 2 + 1;
    for (int inverse = 0; inverse < 2; inverse++) {
        const int64_t buffer_in = kind == LINE_REAL && !inverse ? 2 * pitch : pitch;
        const int64_t buffer_out = kind == LINE_REAL && inverse ? 2 * pitch : pitch;
        line->buffered[inverse] = line->calls->plan(kind, n, w, buffer_in, buffer_out, a, a, inverse, flags);
        line->single[inverse] = line->calls->plan(kind, n, 1, buffer_in, buffer_out, a, a, inverse, flags);
        CHECK(line->buffered[inverse] && line->single[inverse], ARGAND_INTERNAL,
              "FFTW made no plan for length %lld", (long long)n);
        const bool back = kind == LINE_REAL && inverse; /* of which FFTW would overwrite the input */
        if (back && n > KEPT_MOST) continue;
        const unsigned kept = flags | (back ? FFTW_PRESERVE_INPUT : 0);
        line->direct[inverse][0] = line->calls->plan(
            kind, n, w, back ? half : n, kind == LINE_REAL && !back ? half : n, a, b, inverse, kept);
        line->direct_single[inverse] = line->calls->plan(kind, n, 1, n, n, a, b, inverse, kept);
        if (kind == LINE_COMPLEX)
            line->direct[inverse][1] = line->calls->plan(kind, n, w, n, n, a, a, inverse, flags);
    }
    return ARGAND_OK;
}

static void destroy_lines(void *state)
{
    fftw_line *line = state;
    void **plans[] = {&line->buffered[0],     &line->buffered[1],  &line->single[0],
                      &line->single[1],       &line->direct[0][0], &line->direct[0][1],
                      &line->direct[1][0],    &line->direct[1][1], &line->direct_single[0],
                      &line->direct_single[1]};
    planner_lock();
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        if (*plans[i]) line->calls->destroy(*plans[i]);
    planner_unlock();
    memory_free(line);
}

static size_t work_bytes(const void *state)
{
    const fftw_line *line = state;
    return memory_product((size_t)(line->block * line->pitch), complex_size(line));
}

/* Several times what all plans of a line took at their most, measured for 100 to 2^20 points: 0.4 MB and up
 * to 3.5 complex numbers a point. Untouched, as it is only to be seen that it can be had. */
static argand_status memory_is_there(const fftw_line *line)
{
    void *buffer;
    TRY(memory_take(&buffer, PLANNER_BYTES + PLANNER_NUMBERS * (size_t)line->n * complex_size(line)));
    memory_free(buffer);
    return ARGAND_OK;
}

static argand_status create_lines(void **state, const line_request *request)
{
    fftw_line *line;
    void *a = NULL, *b = NULL;
    argand_status status;
    TRY(NEW(line, 1));
    *line = (fftw_line){.calls = request->is_double ? &fftw_calls_f64 : &fftw_calls_f32,
                        .kind = request->kind,
                        .is_double = request->is_double,
                        .n = request->n};
    line->block = block_for(request, complex_size(line));
    line->pitch = (count_of(line, false) + 7) / 8 * 8 + 8; /* as in line.c */
    TRY_OR_DONE(memory_new(&a, work_bytes(line), 1));
    TRY_OR_DONE(memory_new(&b, work_bytes(line), 1));
    TRY_OR_DONE(memory_is_there(line));
    planner_lock();
    status = make_plans(line, request->effort == ARGAND_MEASURE ? FFTW_MEASURE : FFTW_ESTIMATE, a, b);
    planner_unlock();
done:
    memory_free(b);
    memory_free(a);
    if (status != ARGAND_OK)
        destroy_lines(line);
    else
        *state = line;
    return status;
}

static int64_t block_of(const void *state)
{
    return ((const fftw_line *)state)->block;
}

static void transform_buffer(const fftw_line *line, void *buffer, int64_t lines, int inverse)
{
    if (lines == line->block) {
        line->calls->execute(line->buffered[inverse], line->kind, buffer, buffer, inverse);
        return;
    }
    for (int64_t i = 0; i < lines; i++) {
        char *at = (char *)buffer + (size_t)(i * line->pitch) * complex_size(line);
        line->calls->execute(line->single[inverse], line->kind, at, at, inverse);
    }
}

static void run_buffered(const fftw_line *line, const line_job *job, void *buffer)
{
    const line_moves *moves = moves_for(line->is_double);
    const move_shape shape = {line->n, line->pitch};
    const line_operations *ops = &job->ops;
    moves->gather(&shape, buffer, &job->in, count_of(line, job->in.real), job->lines, ops->rotate_in);
    transform_buffer(line, buffer, job->lines, job->inverse);
    moves->scatter(&shape, &job->out, buffer, count_of(line, job->out.real), job->lines, ops->rotate_out,
                   ops->factor);
}

/* Plans are made for memory as FFTW aligns its own: 16 bytes. */
static bool aligned(const void *a, const void *b)
{
    return (((uintptr_t)a | (uintptr_t)b) & 15) == 0;
}

/* Lines in a buffer like its own. */
static bool run_like_buffered(const fftw_line *line, const line_job *job)
{
    const line_memory *in = &job->in, *out = &job->out;
    const line_operations *ops = &job->ops;
    if (ops->rotate_in || ops->rotate_out || line->kind != LINE_COMPLEX || out->at != in->at) return false;
    if (in->stride != 1 || in->line_stride != line->pitch || !aligned(in->at, in->at)) return false;
    transform_buffer(line, in->at, job->lines, job->inverse);
    if (ops->factor != 1)
        moves_for(line->is_double)
            ->scale(in->at, 2 * ((job->lines - 1) * line->pitch + line->n), ops->factor);
    return true;
}

/* Transforms lines without the buffer. Returns false, and does nothing, if rotation, twiddles, alignment
 * or strides forbid it. */
static bool run_direct(const fftw_line *line, const line_job *job)
{
    const line_memory *in = &job->in, *out = &job->out;
    const line_operations *ops = &job->ops;
    if (ops->rotate_in || ops->rotate_out) return false;
    const bool in_place = out->at == in->at;
    const int64_t lines = job->lines;
    void *plan = lines == 1 && in_place ? line->single[job->inverse]
                 : lines == 1           ? line->direct_single[job->inverse]
                 : lines == line->block ? line->direct[job->inverse][in_place]
                                        : NULL;
    const int64_t out_count = count_of(line, out->real);
    if (!plan || !aligned(out->at, in->at) || in->stride != 1 || out->stride != 1 ||
        (line->kind == LINE_REAL && in_place))
        return false;
    if (lines > 1 && (in->line_stride != count_of(line, in->real) || out->line_stride != out_count))
        return false;
    line->calls->execute(plan, line->kind, in->at, out->at, job->inverse);
    if (ops->factor != 1)
        moves_for(line->is_double)->scale(out->at, lines * out_count * (out->real ? 1 : 2), ops->factor);
    return true;
}

static void apply_job(const void *state, const line_job *job, void *work)
{
    if (!run_direct(state, job) && !run_like_buffered(state, job)) run_buffered(state, job, work);
}

static void run_one_buffered(const fftw_line *line, void *out, const void *in, void *work, int inverse,
                             double factor)
{
    const bool reals = line->kind == LINE_REAL;
    const line_job job = {.out = {out, 0, 1, reals && inverse},
                          .in = {(char *)(uintptr_t)in, 0, 1, reals && !inverse},
                          .lines = 1,
                          .inverse = inverse,
                          .ops = {.factor = factor}};
    run_buffered(line, &job, work);
}

static void run_one(const void *state, void *out, const void *in, void *work, int inverse, double factor)
{
    const fftw_line *line = state;
    void *plan = out != in                    ? line->direct_single[inverse]
                 : line->kind == LINE_COMPLEX ? line->single[inverse]
                                              : NULL;
    if (!plan || !aligned(out, in)) {
        run_one_buffered(line, out, in, work, inverse, factor);
        return;
    }
    line->calls->execute(plan, line->kind, (void *)(uintptr_t)in, out, inverse);
    const int64_t reals = line->kind == LINE_REAL && inverse ? line->n : 2 * count_of(line, false);
    if (factor != 1) moves_for(line->is_double)->scale(out, reals, factor);
}

static void print(const void *state, text *t)
{
    const fftw_line *line = state;
    text_add(t, "(fftw %lld by %lld)", (long long)line->n, (long long)line->block);
}

const line_algorithm fftw_algorithm = {.name = "fftw",
                                       .applicable = applicable,
                                       .cost = cost,
                                       .create = create_lines,
                                       .block = block_of,
                                       .work_bytes = work_bytes,
                                       .apply = apply_job,
                                       .single = run_one,
                                       .print = print,
                                       .destroy = destroy_lines};
