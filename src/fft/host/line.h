/* SPDX-License-Identifier: BSD-3-Clause */
/* One-dimensional transforms of one length, many lines at a time, in a buffer or straight from memory to
 * memory. FFTW computes them; its planner is not thread safe, so all planning goes through one lock. */
#ifndef FFT_LINE_H
#define FFT_LINE_H

#include <argand/fft.h>
#include "base/status.h"

typedef enum line_kind { LINE_COMPLEX, LINE_REAL } line_kind; /* real: R2C forward, C2R inverse */

typedef struct line_calls line_calls;
typedef struct line_moves line_moves;

/* FFTW plans. `block` lines of a buffer lie `pitch` complex numbers apart, those in memory n apart. */
typedef struct fft_line {
    const line_calls *calls; /* FFTW's, of that precision */
    const line_moves *moves; /* for the processor at hand */
    line_kind kind;
    bool is_double;
    int64_t n;
    int64_t block; /* lines at a time */
    int64_t pitch;
    size_t buffer_bytes;
    void *buffered[2];  /* [inverse]: a whole block, in place */
    void *single[2];    /* one line, in place */
    void *direct[2][2]; /* [inverse][in place]: a whole block in memory, complex or R2C */
    void *direct_single[2];
} fft_line;

argand_status line_make(fft_line *line, line_kind kind, bool is_double, int64_t n, argand_effort effort);
void line_release(fft_line *line);

/* Elements of one side of a line: reals or complex numbers. */
int64_t line_count(const fft_line *line, bool real_side);

/* A block of lines in memory. Strides count elements of that side. Where `real` is set they are real numbers.
 */
typedef struct line_memory {
    char *at;
    int64_t line_stride; /* from one line to the next */
    int64_t stride;      /* along the line */
    bool real;
} line_memory;

/* What is done to lines besides the transform. rotate: element i of memory stands for element i - rotate (mod
 * n) of the transform. twiddles: a row of `line_count` complex numbers for each line, multiplied after the
 * transform; their conjugates after an inverse one. */
typedef struct line_touch {
    int64_t rotate_in, rotate_out;
    double factor;
    const void *twiddles; /* NULL: none */
} line_touch;

/* Transforms `lines` <= block lines through the buffer. */
void line_run_buffered(const fft_line *line, const line_memory *out, const line_memory *in, int64_t lines,
                       int inverse, const line_touch *touch, void *buffer);
/* The same without the buffer; false, and nothing done, where rotation, twiddles, alignment or strides forbid
 * it. */
bool line_run_direct(const fft_line *line, const line_memory *out, const line_memory *in, int64_t lines,
                     int inverse, const line_touch *touch);

/* What is compiled once for each precision. */
struct line_calls {
    /* howmany lines, in_pitch and out_pitch elements apart */
    void *(*plan)(line_kind kind, int64_t n, int64_t howmany, int64_t in_pitch, int64_t out_pitch, void *in,
                  void *out, int inverse, unsigned flags);
    void (*execute)(void *plan, line_kind kind, void *in, void *out, int inverse);
    void (*destroy)(void *plan);
};
extern const line_calls line_calls_f32, line_calls_f64;

#endif
