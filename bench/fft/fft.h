/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of `argand bench fft`: its cases, the memory that Argand's and the peer's transforms share, the
 * peers, the reference, the clock, the output. */
#ifndef CLI_BENCH_FFT_H
#define CLI_BENCH_FFT_H

#include "peers/cuda.h"
#include "common/report.h"

/* ---- list.c: cases ---- */

typedef struct fft_case {
    const char *family;
    argand_type type; /* R32 and R64: real to complex */
    int rank;
    int64_t n[3], batch, points; /* points: of one transform */
    bool back;                   /* complex to real */
} fft_case;

/* Return true if the input or output of a case is a half spectrum; is real. */
static inline bool fft_case_has_half(const fft_case *c, bool output)
{
    return c->type < ARGAND_C32 && output != c->back;
}
static inline bool fft_case_has_reals(const fft_case *c, bool output)
{
    return c->type < ARGAND_C32 && output == c->back;
}

/* Returns the cases of all families whose names begin with an entry of `list`, separated by commas. "all"
 * are those of the table of peers, "short" are a few. Cases have about `points` points, half as many in
 * double precision, and more if `large` is set. NULL if no family has such a name. The caller frees the
 * cases. */
fft_case *fft_cases(const char *list, int64_t points, bool large, int *count);
const char *fft_family_names(void);
/* Draws `count` sizes of `like->rank` axes with prime factors up to 7: planes of 20 to 700 points an axis,
 * volumes of 20 to 200, lines of 20 to 16384, in batches of 1 to 64 MB of input; the larger, if one has
 * more. Type and direction are those of `like`. */
fft_case *fft_random_cases(const fft_case *like, int count, int seed);
/* Prints the size: "256x256". */
const char *fft_case_size(char *text, size_t size, const fft_case *c);
int64_t fft_case_bytes(const fft_case *c, bool output);

/* ---- buffers.c: memory ---- */

typedef struct fft_buffers {
    argand_device *device;
    argand_device_info info;
    argand_timer *timer;
    cuda_peer *cuda; /* stream and memory for the peer on CUDA devices, else NULL */
    void *memory[2]; /* input and output for Argand and the peer; NULL if the device has no addresses */
    int64_t bytes[2];
    int64_t filled;          /* elements of the input that hold fft_input */
    bool filled_double;      /* their precision */
    double bytes_per_second; /* of a copy; bytes read plus written */
    bool is_gpu;
} fft_buffers;

argand_status fft_buffers_open(fft_buffers *g, const common_options *common);
/* Allocates memory for the largest case. Removes cases that do not fit from the list, with a note. */
argand_status fft_buffers_reserve(fft_buffers *g, report *r, fft_case *cases, int *count);
/* Makes the input or output of a case: a view of the shared memory, or a new array if the device has no
 * addresses. */
argand_status fft_buffers_array(argand_array **array, const fft_buffers *g, const fft_case *c, bool output);
/* Writes random values in [-0.5, 0.5) to the input, if it does not hold them. For an inverse, writes them
 * to the output, from which the input is then computed. */
argand_status fft_buffers_fill(fft_buffers *g, const fft_case *c, argand_array *array);
argand_status fft_buffers_measure_copy(fft_buffers *g);
void fft_buffers_close(fft_buffers *g);
/* Returns element i of the input; real and imaginary parts count separately. */
double fft_input(int64_t i, bool is_double);

/* ---- peer.c: libraries to compare with ---- */

typedef struct fft_peer {
    char name[64]; /* "cuFFT 12.0"; empty: no peer */
    char missing[256];
    void *self;
    bool (*plan)(void *self, const fft_case *c, const fft_buffers *g);
    bool (*execute)(void *self);
    void (*release)(void *self); /* frees the plan */
    void (*close)(void *self);
} fft_peer;

void fft_peer_open(fft_peer *peer, const fft_buffers *g, bool is_double);
void fft_peer_close(fft_peer *peer);
bool cufft_peer_open(fft_peer *peer, void *stream);

/* ---- check.c, time.c ---- */

/* Computes the relative l2 error at some frequencies of some transforms against direct sums. An inverse is
 * compared at some points with fft_input times the number of points. */
argand_status fft_check(double *error, const fft_case *c, const argand_array *out, const argand_fft *plan,
                        bool centred); /* plan: NULL for a peer's */

typedef struct fft_figures {
    double plan, again; /* seconds of the first plan and of the same plan again */
    double seconds, error;
    double peer_plan, peer_seconds, peer_error; /* 0 without a peer */
    char engine[200];
} fft_figures;

typedef struct fft_settings {
    common_options common;
    const char *list, *accuracy;
    option_sizes size;
    double points;
    int batch, precision, kind, repeat, rounds, random, axes, seed;
    bool measure, centred, scrambled, alone, csv;
} fft_settings;

/* Measures Argand and the peer alternately. On a GPU, returns medians by its events; on a processor, the
 * least times. kept: input to restore before each round of Argand if the peer overwrites it; else NULL. */
argand_status fft_time(fft_figures *f, const fft_buffers *g, const fft_case *c, const argand_fft *plan,
                       argand_array *out, argand_array *in, const argand_array *kept, const fft_peer *peer,
                       int repeat);

/* ---- print.c ---- */

void fft_print_head(const fft_settings *s, const fft_buffers *g, const fft_peer *peer);
void fft_print_line(report *r, const fft_settings *s, const fft_buffers *g, const fft_case *c,
                    const fft_peer *peer, const fft_figures *f);
/* Prints geometric means and worst ratios of each family and of all cases. */
void fft_print_summary(report *r, const fft_settings *s, const fft_case *cases, const fft_figures *figures,
                       int count);

/* accuracy.c: benchFFT's six error metrics for a list of lengths, "2..4096,65536,random:2000". */
argand_status fft_accuracy(const fft_settings *s, argand_device *device, report *r);

#endif
