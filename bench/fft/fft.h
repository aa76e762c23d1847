/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of `argand bench fft`: its cases, the memory that ours and the peer's transforms share, the
 * peers, the truth, the clock, the lines. */
#ifndef CLI_BENCH_FFT_H
#define CLI_BENCH_FFT_H

#include "peers/cuda.h"
#include "common/report.h"

/* ---- bench_fft_list.c: what is measured ---- */

typedef struct fft_case {
    const char *family;
    argand_type type; /* of the plan: R32 and R64 are real to complex */
    int rank;
    int64_t n[3], batch, points; /* points of one transform */
    bool back;                   /* of a real plan: complex to real */
} fft_case;

/* Whether that array of the case is a half spectrum, or whether it is real. */
static inline bool fft_case_has_half(const fft_case *c, bool output)
{
    return c->type < ARGAND_C32 && output != c->back;
}
static inline bool fft_case_has_reals(const fft_case *c, bool output)
{
    return c->type < ARGAND_C32 && output == c->back;
}

/* The cases of all families whose names begin with one of the entries of `list` (divided by commas; "all":
 * those of the peers' table, "short": a few), of about `points` points each (half as many in double
 * precision); larger ones where `large` is set. free() them. NULL where no family has such a name. */
fft_case *fft_cases(const char *list, int64_t points, bool large, int *count);
const char *fft_family_names(void);
/* "256x256" */
const char *fft_case_size(char *text, size_t size, const fft_case *c);
int64_t fft_case_bytes(const fft_case *c, bool output);

/* ---- bench_fft_buffers.c: where it is measured ---- */

typedef struct fft_buffers {
    argand_device *device;
    argand_device_info info;
    argand_timer *timer;
    cuda_peer *cuda; /* its own stream and memory on CUDA devices, else NULL */
    void *memory[2]; /* input and output, for ours and the peer alike; NULL where a device has no addresses */
    int64_t bytes[2];
    int64_t filled;          /* elements in the input that are as fft_input gives them */
    bool filled_double;      /* in that precision */
    double bytes_per_second; /* of a copy, read and written bytes together */
    bool is_gpu;
} fft_buffers;

argand_status fft_buffers_open(fft_buffers *g, const common_options *common);
/* Memory for the largest of the cases; those that do not fit are taken from the list, with a note. */
argand_status fft_buffers_reserve(fft_buffers *g, report *r, fft_case *cases, int *count);
/* The input or output of a case: a view of the shared memory, or memory of its own where that has no
 * addresses. */
argand_status fft_buffers_array(argand_array **array, const fft_buffers *g, const fft_case *c, bool output);
/* Random values in [-0.5, 0.5) into the input, if it does not hold them; or into the output of an inverse,
 * whose input is then made of them. */
argand_status fft_buffers_fill(fft_buffers *g, const fft_case *c, argand_array *array);
argand_status fft_buffers_measure_copy(fft_buffers *g);
void fft_buffers_close(fft_buffers *g);
/* Element i of the input, counting real and imaginary parts. */
double fft_input(int64_t i, bool is_double);

/* ---- bench_fft_peer.c: what it is compared with ---- */

typedef struct fft_peer {
    char name[64]; /* "cuFFT 12.0"; empty where there is none */
    char missing[256];
    void *self;
    bool (*plan)(void *self, const fft_case *c, const fft_buffers *g);
    bool (*execute)(void *self);
    void (*release)(void *self); /* the plan */
    void (*close)(void *self);
} fft_peer;

void fft_peer_open(fft_peer *peer, const fft_buffers *g, bool is_double);
void fft_peer_close(fft_peer *peer);
bool cufft_peer_open(fft_peer *peer, void *stream);

/* ---- bench_fft_check.c, bench_fft_time.c ---- */

/* Relative l2 error at some frequencies of some transforms against their sums; of an inverse at some points
 * against fft_input times the number of points. */
argand_status fft_check(double *error, const fft_case *c, const argand_array *out, const argand_fft *plan,
                        bool centred); /* plan: ours, NULL for a peer's */

typedef struct fft_figures {
    double plan, again; /* seconds: the first plan, and the same once more */
    double seconds, error;
    double peer_plan, peer_seconds, peer_error; /* 0 where there is no peer */
    char engine[200];
} fft_figures;

typedef struct fft_settings {
    common_options common;
    const char *list, *accuracy;
    option_sizes size;
    double points;
    int batch, precision, kind, repeat, rounds;
    bool measure, centred, scrambled, alone, csv;
} fft_settings;

/* Seconds of ours and of the peer's, timed alternately: medians on a GPU, by its events; the least on a
 * processor. kept: what the input is to hold before each round of ours, where the peer overwrites it; NULL
 * where nobody does. */
argand_status fft_time(fft_figures *f, const fft_buffers *g, const fft_case *c, const argand_fft *plan,
                       argand_array *out, argand_array *in, const argand_array *kept, const fft_peer *peer,
                       int repeat);

/* ---- bench_fft_print.c ---- */

void fft_print_head(const fft_settings *s, const fft_buffers *g, const fft_peer *peer);
void fft_print_line(report *r, const fft_settings *s, const fft_buffers *g, const fft_case *c,
                    const fft_peer *peer, const fft_figures *f);
/* Geometric means and worst ratios of each family and of all. */
void fft_print_summary(report *r, const fft_settings *s, const fft_case *cases, const fft_figures *figures,
                       int count);

/* bench_fft_accuracy.c: benchFFT's six error metrics for a list of lengths, "2..4096,65536,random:2000" */
argand_status fft_accuracy(const fft_settings *s, argand_device *device, report *r);

#endif
