/* SPDX-License-Identifier: BSD-3-Clause */
/* One-dimensional transforms of one length, a block of lines at a time, from memory to memory. How they are
 * computed is an *algorithm*; line.c has the table of them, picks one for lines that are contiguous (rows)
 * and one for lines that lie side by side (columns), and moves lines through a buffer for algorithms that
 * want them plain.
 */
#ifndef FFT_CPU_LINE_LINE_H
#define FFT_CPU_LINE_LINE_H

#include <argand/fft_info.h>
#include "base/status.h"
#include "base/text.h"
#include "fft/cpu/line/callback.h"
#include "fft/cpu/line/team.h"

typedef enum line_kind { LINE_COMPLEX, LINE_REAL } line_kind; /* real: R2C forward, C2R inverse */

/* Rows: contiguous along the line in input and output. Columns: anything else, mostly with neighbours side by
 * side.
 */
typedef enum line_layout { LINE_ROWS, LINE_COLUMNS, LINE_LAYOUTS } line_layout;

/* A request for an algorithm. */
typedef struct line_request {
    line_kind kind;
    bool is_double;
    int64_t n;
    line_layout layout;
    int64_t lines; /* about how many a call has; 1: one at a time */
    argand_effort effort;
    bool plans_often; /* plans serve a few calls each: a planner that takes 0.1 ms is too slow */
    /* An algorithm's name, or names for several lines (wisdom), taken where applicable; NULL: any (wanted.c).
     */
    const char *wanted;
} line_request;

/* A block of lines in memory. Strides count elements: reals if `real` is set, otherwise complex numbers.
 * Addresses are aligned as one REAL is. */
typedef struct line_memory {
    char *at;
    int64_t line_stride; /* from one line to the next */
    int64_t stride;      /* along the line */
    bool real;
} line_memory;

struct simd_batch_twiddles;

/* Operations on lines besides the transform. rotate: element i of memory is element i - rotate (mod n) of
 * the transform. */
typedef struct line_operations {
    int64_t rotate_in, rotate_out;
    double factor;
    /* After the transform element k of line `first` + l is multiplied by w^((first + l) k): of passes of
     * split.c, which ask for simd_batch; other algorithms never see them. NULL: none. */
    const struct simd_batch_twiddles *twiddles;
    int64_t first;
} line_operations;

typedef struct line_job {
    line_memory out, in; /* out.at may be in.at: then the strides are the same, and both complex */
    int64_t lines;       /* at most the algorithm's block */
    int inverse;
    bool prefetch; /* data come from memory: lines that follow behind these are to be fetched meanwhile
                    * (prefetch.h)
                    */
    line_operations ops;
    /* In place of that layout's memory, rotation and factor, where the algorithm takes them: line_stride 1
     * then says that neighbours are lines; buffer: callback_bytes of the use, aligned to 64 bytes. */
    const line_callback *load_callback, *store_callback;
    void *buffer;
    line_team team;
} line_job;

/* One algorithm for lines. Several threads may run one state at once, each with work memory of its own
 * (aligned to 64 bytes). */
typedef struct line_algorithm {
    const char *name; /* a name without spaces */
    /* Gets plain jobs only: contiguous along the line, not rotated; line.c sees to the rest. */
    bool plain;
    const char *(*applicable)(const line_request *request); /* NULL, or why it cannot */
    /* Estimated time for one line of the request, in nanoseconds on a processor with AVX-512: with
     * ARGAND_ESTIMATE the least is taken; with ARGAND_MEASURE all that are applicable are timed. */
    double (*cost)(const line_request *request);
    argand_status (*create)(void **state, const line_request *request);
    int64_t (*block)(const void *state);     /* lines at a time */
    size_t (*work_bytes)(const void *state); /* work memory of one run */
    bool (*rotates_half)(
        const void *state); /* plain jobs may be rotated by n/2, n even; NULL: they may not */
    /* The same by any amount, but of ends with factors; NULL: they may not. */
    bool (*rotates)(const void *state);
    size_t (*callback_bytes)(const void *state); /* memory for callbacks; NULL: it takes none */
    void (*apply)(const void *state, const line_job *job, void *work);
    /* Transforms one line that lies at stride 1 on both sides and is not rotated, without callbacks. NULL:
     * only apply does it. */
    void (*single)(const void *state, void *out, const void *in, void *work, int inverse, double factor);
    void (*print)(const void *state, text *t); /* what it is made of, "(simd_batch 16x16 by 64)" */
    void (*destroy)(void *state);              /* NULL is allowed */
} line_algorithm;

/* Algorithms in the table (algorithms.h), with the NULL at its end */
enum { LINE_MOST_ALGORITHMS = 10 };

/* The algorithm for one layout. */
typedef struct line_use {
    const line_algorithm *algorithm;
    void *state;
    int64_t block;
    size_t algorithm_bytes, buffer_bytes; /* the algorithm's work memory, and all that a run needs */
    bool rotates_half, rotates; /* its plain jobs may be rotated by half a line, and by any amount */
    size_t callback_bytes;      /* memory for callbacks besides; 0: the algorithm takes none */
    line_request request;       /* as which the algorithm was taken; its `wanted` is NULL */
    enum { LINE_ESTIMATED, LINE_NAMED, LINE_MEASURED } chosen;
    double times[LINE_MOST_ALGORITHMS]; /* measured, nanoseconds of a line */
} line_use;

typedef struct fft_line {
    line_kind kind;
    bool is_double;
    int64_t n;
    int64_t pitch;              /* from line to line of a buffer, complex numbers */
    line_use use[LINE_LAYOUTS]; /* the second without an algorithm where it was not asked for */
} fft_line;

/* request->layout is not looked at: a use is made for each layout of `layouts` (1 << LINE_ROWS and so on). */
argand_status line_make(fft_line *line, const line_request *request, unsigned layouts);
void line_release(fft_line *line);
/* Returns the extra cost of rows for an algorithm that reads a vector's lanes of rows at a time. If rows
 * come from memory (prefetch.h), reading from many places at once is slower than from one. */
double line_spread(const line_request *request);
/* Returns the cost of the cheapest algorithm for the request, for algorithms that are made of other lines. */
double line_cost(const line_request *request);

/* Elements of a line in one layout: reals or complex numbers. */
int64_t line_count(const fft_line *line, bool reals);

/* The use that a job of these strides takes; where it was not made, the other. */
const line_use *line_use_for(const fft_line *line, int64_t out_stride, int64_t in_stride);
/* Returns how much of use->buffer_bytes this job needs. */
size_t line_work_bytes(const fft_line *line, const line_use *use, const line_job *job);
/* work: so much, aligned to 64 bytes. */
void line_run(const fft_line *line, const line_use *use, const line_job *job, void *work);

/* wanted.c: whether the request wants the algorithm of that name: that is all that `wanted` says, or it says
 * so among others for lines of this kind, length and layout. */
bool line_wants(const line_request *request, const char *name);
/* Adds the choice to such a list: "256:simd_single/simd_batch" (rows, columns), "r256:..." for real lines. */
void line_chosen(const fft_line *line, text *t);

/* Returns such a list from the first entry on that is none, or names no algorithm; NULL: there is none. */
const char *line_unknown(const char *list);

/* Adds what was considered: "estimated: simd_batch 229 ns; > simd_single 12 ns". */
void line_explain(const line_use *use, text *t);
/* Prints the algorithms of both layouts. */
void line_print(const fft_line *line, text *t);

#endif
