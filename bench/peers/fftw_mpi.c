/* SPDX-License-Identifier: BSD-3-Clause */
#include "peers/fftw_mpi.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef void *mpi_comm; /* Open MPI's handles are pointers */

typedef struct calls {
    void (*init)(void);
    ptrdiff_t (*local_size)(int rank, const ptrdiff_t *n, ptrdiff_t howmany, ptrdiff_t block,
                            ptrdiff_t out_block, mpi_comm comm, ptrdiff_t *own, ptrdiff_t *first,
                            ptrdiff_t *out_own, ptrdiff_t *out_first);
    void *(*plan_complex)(int rank, const ptrdiff_t *n, ptrdiff_t howmany, ptrdiff_t block,
                          ptrdiff_t out_block, void *in, void *out, mpi_comm comm, int sign, unsigned flags);
    void *(*plan_real)(int rank, const ptrdiff_t *n, ptrdiff_t howmany, ptrdiff_t block, ptrdiff_t out_block,
                       void *in, void *out, mpi_comm comm, unsigned flags);
    void *(*allocate)(size_t elements);
} calls;

/* dlsym gives functions as data pointers; C converts them only by copying the bits. */
static bool find(void *library, bool is_double, const char *name, void *function)
{
    char symbol[64];
    snprintf(symbol, sizeof symbol, "%s_%s", is_double ? "fftw" : "fftwf", name);
    void *address = dlsym(library, symbol);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

static bool find_all(calls *c, fftw_mpi_peer *peer, void *library, void *serial, bool is_double)
{
    return find(library, is_double, "mpi_init", &c->init) &&
           find(library, is_double, "mpi_local_size_many_transposed", &c->local_size) &&
           find(library, is_double, "mpi_plan_many_dft", &c->plan_complex) &&
           find(library, is_double, "mpi_plan_many_dft_r2c", &c->plan_real) &&
           find(serial, is_double, "alloc_complex", &c->allocate) &&
           find(serial, is_double, "execute", &peer->execute) &&
           find(serial, is_double, "destroy_plan", &peer->destroy) &&
           find(serial, is_double, "free", &peer->free);
}

static void plan(fftw_mpi_peer *peer, const calls *c, const fftw_mpi_job *job, mpi_comm comm)
{
    enum { FORWARD = -1, TRANSPOSED_OUT = 1 << 30 };
    ptrdiff_t n[3], half[3], own, first, out_own, out_first;
    const unsigned flags = job->flags | (job->transposed ? TRANSPOSED_OUT : 0);
    for (int d = 0; d < job->rank; d++)
        n[job->rank - 1 - d] = half[job->rank - 1 - d] = job->n[d]; /* FFTW's last axis is the fastest */
    if (job->real) half[job->rank - 1] = half[job->rank - 1] / 2 + 1;
    peer->elements = c->local_size(job->rank, half, 1, 0, 0, comm, &own, &first, &out_own, &out_first);
    peer->in = c->allocate((size_t)peer->elements);
    peer->out = job->in_place ? peer->in : c->allocate((size_t)peer->elements);
    if (!peer->in || !peer->out) return;
    peer->plan = job->real
                     ? c->plan_real(job->rank, n, 1, 0, 0, peer->in, peer->out, comm, flags)
                     : c->plan_complex(job->rank, n, 1, 0, 0, peer->in, peer->out, comm, FORWARD, flags);
    const size_t bytes = (size_t)peer->elements * (job->is_double ? 16 : 8);
    memset(peer->in, 0, bytes); /* numbers that are no slow ones; planning overwrites them */
    memset(peer->out, 0, bytes);
}

const char *fftw_mpi_open(fftw_mpi_peer *peer, const fftw_mpi_job *job)
{
    calls c;
    void *library =
        dlopen(job->is_double ? "libfftw3_mpi.so.3" : "libfftw3f_mpi.so.3", RTLD_NOW | RTLD_LOCAL);
    void *serial = dlopen(job->is_double ? "libfftw3.so.3" : "libfftw3f.so.3", RTLD_NOW | RTLD_LOCAL);
    mpi_comm comm = dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world");
    *peer = (fftw_mpi_peer){0};
    if (!library || !serial) return "there is no libfftw3_mpi";
    if (!comm) return "the job does not run on Open MPI";
    if (!find_all(&c, peer, library, serial, job->is_double)) return "libfftw3_mpi lacks functions";
    c.init();
    plan(peer, &c, job, comm);
    return peer->plan ? NULL : "FFTW made no plan";
}

void fftw_mpi_close(fftw_mpi_peer *peer)
{
    if (peer->plan) peer->destroy(peer->plan);
    if (peer->out != peer->in && peer->out) peer->free(peer->out);
    if (peer->in) peer->free(peer->in);
    *peer = (fftw_mpi_peer){0};
}
