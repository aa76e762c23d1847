/* SPDX-License-Identifier: BSD-3-Clause */
/* One pass with accessors: all wanted lines along an axis are read, changed, transformed (and inversely
 * again), changed and written, in blocks of neighbouring lines. */
#ifndef FFT_CPU_ACCESS_PASS_H
#define FFT_CPU_ACCESS_PASS_H

#include "fft/access/access.h"
#include "fft/cpu/access/move.h"
#include "fft/cpu/line/line.h"

typedef struct access_moves {
    void (*read)(const access_buffer *to, int64_t at, const access_lines *from, int64_t lines, int64_t count);
    void (*write)(const access_lines *to, const access_buffer *from, int64_t at, int64_t lines, int64_t count,
                  double factor);
    void (*read_times)(void *x, const void *y, int width, const access_product *a, int64_t count);
    void (*multiply)(void *x, int width, const access_product *a, int64_t count);
    void (*scale)(void *x, int width, argand_scalar s, argand_scalar c, int64_t count);
    void (*add)(void *x, const void *y, int width, int64_t count);
    void (*load)(const line_callback *callback, const line_piece *piece); /* callback.h */
    void (*store)(const line_callback *callback, const line_piece *piece);
} access_moves;
const access_moves *access_moves_for(bool is_double);

/* One end of a pass: memory, and where its points stand among the `n` points of the axis. */
typedef struct access_port {
    char *at;
    argand_type type;
    int width;                 /* 1: real numbers */
    int64_t imaginary;         /* bytes */
    int64_t step[ACCESS_DIMS]; /* bytes from element to element, along each dimension */
    int64_t n;
    argand_window window;
} access_port;

typedef struct access_pass {
    const access_moves *moves;
    const fft_line *line;
    bool is_double;
    int axis, dims, rank;
    int inverse;
    bool round_trip;        /* then the opposite transform, after `middle` */
    bool no_transform;      /* chains alone */
    bool far;               /* its data come from memory, not from a cache */
    int64_t n[ACCESS_DIMS]; /* lines: length of each dimension; 1 at the axis and where the caller fixes it */
    unsigned sum;           /* dimensions added up */
    bool store_shared;      /* an array of the store chain may lie where results go */
    access_port in, out;
    const access_chain *load, *middle, *store; /* NULL: none */
    double factor;
    argand_scalar before; /* subtracted from what is read, after the load chain */
    argand_scalar
        after; /* added at point 0 of the line whose other coordinates are `origin`, after the transform */
    bool has_after;
    int64_t origin[ACCESS_DIMS];
} access_pass;

/* Memory that a thread needs for such a pass. */
size_t access_pass_bytes(const access_pass *pass);
/* Lines from these coordinates on (0 in dimensions that n counts). buffers: access_pass_bytes for each
 * thread. */
void access_pass_run(const access_pass *pass, const int64_t *coordinate, int threads, void *buffers);
/* Lines that are transformed, and points read and written, for one run. */
int64_t access_pass_lines(const access_pass *pass);

#endif
