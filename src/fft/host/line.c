/* SPDX-License-Identifier: BSD-3-Clause */
#include "fft/host/line.h"

#include <fftw3.h>
#include "base/memory.h"
#include "fft/host/move.h"
#include "fft/host/planner.h"

#define MOVES_AT(bits, level)                                                                     \
    {                                                                                             \
        line_gather_##bits##_##level, line_scatter_##bits##_##level, line_scale_##bits##_##level, \
            line_twiddle_##bits##_##level                                                         \
    }
#if defined(__x86_64__)
#define MOVES(bits)                                                            \
    {                                                                          \
        MOVES_AT(bits, baseline), MOVES_AT(bits, avx2), MOVES_AT(bits, avx512) \
    }
#else
#define MOVES(bits)                                                                  \
    {                                                                                \
        MOVES_AT(bits, baseline), MOVES_AT(bits, baseline), MOVES_AT(bits, baseline) \
    }
#endif

struct line_moves {
    void (*gather)(const fft_line *line, void *buffer, const line_memory *in, int64_t lines, int64_t rotate);
    void (*scatter)(const fft_line *line, const line_memory *out, const void *buffer, int64_t lines,
                    int64_t rotate, double factor);
    void (*scale)(void *data, int64_t count, double factor);
    void (*twiddle)(const fft_line *line, void *buffer, int64_t lines, const void *twiddles, int conjugate);
};

static const line_moves *moves_for(bool is_double)
{
    static const line_moves all[2][CPU_LEVELS] = {MOVES(f32), MOVES(f64)};
    return &all[is_double][cpu_best()];
}

int64_t line_count(const fft_line *line, bool real_side)
{
    return line->kind == LINE_REAL && !real_side ? line->n / 2 + 1 : line->n;
}

static size_t complex_size(const fft_line *line)
{
    return line->is_double ? 16 : 8;
}

/* As many lines as fit some 64 KiB, so that a block stays in the second-level cache with its sources; never
 * less than a cache line across, as columns are gathered side by side; but lines so long that nothing helps
 * go one by one. */
static int64_t block_for(int64_t n, size_t size)
{
    const int64_t fitting = 65536 / (n * (int64_t)size);
    if (n > 32768) return n > 262144 ? 1 : 4;
    return fitting < 8 ? 8 : fitting > 64 ? 64 : fitting / 8 * 8;
}

/* Not a power of two, so that the lines of a block do not fall on the same cache sets: a factor of 2 to 3 in
 * the gathering of columns at n = 512 and 1024. */
static int64_t pitch_for(int64_t count)
{
    return (count + 7) / 8 * 8 + 8;
}

/* Under the lock. Memory is scratch, as measuring overwrites it. */
static argand_status make_plans(fft_line *line, unsigned flags, void *a, void *b)
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
        if (kind == LINE_REAL && inverse) continue; /* FFTW would overwrite the input */
        line->direct[inverse][0] =
            line->calls->plan(kind, n, w, n, kind == LINE_REAL ? half : n, a, b, inverse, flags);
        line->direct_single[inverse] = line->calls->plan(kind, n, 1, n, n, a, b, inverse, flags);
        if (kind == LINE_COMPLEX)
            line->direct[inverse][1] = line->calls->plan(kind, n, w, n, n, a, a, inverse, flags);
    }
    return ARGAND_OK;
}

argand_status line_make(fft_line *line, line_kind kind, bool is_double, int64_t n, argand_effort effort)
{
    *line = (fft_line){.calls = is_double ? &line_calls_f64 : &line_calls_f32,
                       .moves = moves_for(is_double),
                       .kind = kind,
                       .is_double = is_double,
                       .n = n};
    line->block = block_for(n, complex_size(line));
    line->pitch = pitch_for(line_count(line, false));
    line->buffer_bytes = memory_product((size_t)(line->block * line->pitch), complex_size(line));
    void *a = NULL, *b = NULL;
    argand_status status;
    TRY_OR_DONE(memory_new(&a, line->buffer_bytes, 1));
    TRY_OR_DONE(memory_new(&b, line->buffer_bytes, 1));
    planner_lock();
    status = make_plans(line, effort == ARGAND_MEASURE ? FFTW_MEASURE : FFTW_ESTIMATE, a, b);
    planner_unlock();
done:
    memory_free(b);
    memory_free(a);
    if (status != ARGAND_OK) line_release(line);
    return status;
}

void line_release(fft_line *line)
{
    void **plans[] = {&line->buffered[0],     &line->buffered[1],  &line->single[0],
                      &line->single[1],       &line->direct[0][0], &line->direct[0][1],
                      &line->direct[1][0],    &line->direct[1][1], &line->direct_single[0],
                      &line->direct_single[1]};
    planner_lock();
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        if (*plans[i]) line->calls->destroy(*plans[i]);
        *plans[i] = NULL;
    }
    planner_unlock();
}

static void transform_buffer(const fft_line *line, void *buffer, int64_t lines, int inverse)
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

void line_run_buffered(const fft_line *line, const line_memory *out, const line_memory *in, int64_t lines,
                       int inverse, const line_touch *touch, void *buffer)
{
    line->moves->gather(line, buffer, in, lines, touch->rotate_in);
    transform_buffer(line, buffer, lines, inverse);
    if (touch->twiddles) line->moves->twiddle(line, buffer, lines, touch->twiddles, inverse);
    line->moves->scatter(line, out, buffer, lines, touch->rotate_out, touch->factor);
}

/* Plans are made for memory as FFTW aligns its own: 16 bytes. */
static bool aligned(const void *a, const void *b)
{
    return (((uintptr_t)a | (uintptr_t)b) & 15) == 0;
}

bool line_run_direct(const fft_line *line, const line_memory *out, const line_memory *in, int64_t lines,
                     int inverse, const line_touch *touch)
{
    if (touch->rotate_in || touch->rotate_out || touch->twiddles) return false;
    const bool in_place = out->at == in->at;
    void *plan = lines == 1 && in_place ? line->single[inverse]
                 : lines == 1           ? line->direct_single[inverse]
                 : lines == line->block ? line->direct[inverse][in_place]
                                        : NULL;
    const int64_t out_count = line_count(line, out->real);
    if (!plan || !aligned(out->at, in->at) || in->stride != 1 || out->stride != 1 ||
        (line->kind == LINE_REAL && in_place))
        return false;
    if (lines > 1 && (in->line_stride != line_count(line, in->real) || out->line_stride != out_count))
        return false;
    line->calls->execute(plan, line->kind, in->at, out->at, inverse);
    if (touch->factor != 1) line->moves->scale(out->at, lines * out_count, touch->factor);
    return true;
}
