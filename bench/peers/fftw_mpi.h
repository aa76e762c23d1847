/* SPDX-License-Identifier: BSD-3-Clause */
/* FFTW's transforms over the ranks of an MPI job, as a peer of `argand bench dist`. Opened at run time:
 * Debian's libfftw3-mpi3 is for Open MPI, whose handle of all ranks is the address of a variable. */
#ifndef BENCH_FFTW_MPI_PEER_H
#define BENCH_FFTW_MPI_PEER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct fftw_mpi_job {
    int rank;
    const int64_t *n; /* first axis fastest */
    bool real, is_double, transposed, in_place;
    unsigned flags; /* FFTW_MEASURE is 0, FFTW_ESTIMATE 64, FFTW_PATIENT 32 */
    int threads;
} fftw_mpi_job;

typedef struct fftw_mpi_peer {
    void *plan;
    void *in, *out;
    int64_t elements; /* complex elements of each on this rank */
    void (*execute)(void *plan);
    void (*destroy)(void *plan);
    void (*free)(void *memory);
    double plan_seconds;
} fftw_mpi_peer;

/* Returns NULL, or why there is no such peer. All ranks call it. */
const char *fftw_mpi_open(fftw_mpi_peer *peer, const fftw_mpi_job *job);
void fftw_mpi_close(fftw_mpi_peer *peer);

#endif
