/* SPDX-License-Identifier: BSD-3-Clause */
/* FFTW as the peer of `argand bench fft`, opened at run time and called directly. Planned with
 * FFTW_MEASURE for at most 60 s, after which FFTW uses the best plan so far. */
#ifndef CLI_FFTW_PEER_H
#define CLI_FFTW_PEER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct fftw_peer {
    void *plan;
    void (*execute)(void *plan);
    void (*destroy)(void *plan);
    void *(*plan_complex)(int rank, const int *n, int howmany, void *in, const int *inembed, int istride,
                          int idist, void *out, const int *onembed, int ostride, int odist, int sign,
                          unsigned flags);
    void *(*plan_real)(int rank, const int *n, int howmany, void *in, const int *inembed, int istride,
                       int idist, void *out, const int *onembed, int ostride, int odist, unsigned flags);
    void *(*plan_back)(int rank, const int *n, int howmany, void *in, const int *inembed, int istride,
                       int idist, void *out, const int *onembed, int ostride, int odist, unsigned flags);
    void (*set_threads)(int threads); /* NULL if FFTW's threads are not installed */
    void (*limit_seconds)(double seconds);
    void (*forget)(void); /* forgets FFTW's wisdom, which an Argand plan that calls FFTW would use too */
    const char *version;  /* "fftw-3.3.10-sse2-avx-avx2-avx512"; NULL: unknown */
} fftw_peer;

typedef struct fftw_job {
    int rank;
    const int64_t *n; /* first axis fastest */
    int64_t batch;
    bool real, back; /* back: complex to real, which may overwrite the input */
    void *in, *out;  /* overwritten by planning */
} fftw_job;

/* Returns false if FFTW is not installed with this precision. Call it before the program's first plan. */
bool fftw_peer_open(fftw_peer *peer, bool is_double);
bool fftw_peer_plan(fftw_peer *peer, const fftw_job *job, int threads);
void fftw_peer_release(fftw_peer *peer);

#endif
