/* SPDX-License-Identifier: BSD-3-Clause */
#include "peers/fftw.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Looks up a function. POSIX's dlsym returns functions as data pointers; C allows the conversion only by
 * copying the bits. */
static bool find(void *library, const char *prefix, const char *name, void *function)
{
    char symbol[64];
    snprintf(symbol, sizeof symbol, "%s_%s", prefix, name);
    void *address = dlsym(library, symbol);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

static void open_threads(fftw_peer *peer, bool is_double, const char *prefix)
{
    void *library = dlopen(is_double ? "libfftw3_omp.so.3" : "libfftw3f_omp.so.3", RTLD_NOW | RTLD_LOCAL);
    int (*init)(void);
    if (!library || !find(library, prefix, "init_threads", &init) || !init()) return;
    find(library, prefix, "plan_with_nthreads", &peer->set_threads);
}

bool fftw_peer_open(fftw_peer *peer, bool is_double)
{
    const char *prefix = is_double ? "fftw" : "fftwf";
    void *library = dlopen(is_double ? "libfftw3.so.3" : "libfftw3f.so.3", RTLD_NOW | RTLD_LOCAL);
    *peer = (fftw_peer){0};
    if (!library || !find(library, prefix, "execute", &peer->execute) ||
        !find(library, prefix, "destroy_plan", &peer->destroy) ||
        !find(library, prefix, "plan_many_dft", &peer->plan_complex) ||
        !find(library, prefix, "plan_many_dft_r2c", &peer->plan_real) ||
        !find(library, prefix, "plan_many_dft_c2r", &peer->plan_back))
        return false;
    open_threads(peer, is_double, prefix);
    (void)find(library, prefix, "forget_wisdom", &peer->forget);
    (void)find(library, prefix, "set_timelimit", &peer->limit_seconds);
    peer->version = dlsym(library, is_double ? "fftw_version" : "fftwf_version");
    return true;
}

bool fftw_peer_plan(fftw_peer *peer, const fftw_job *job, int threads)
{
    enum { FORWARD = -1, MEASURE = 0 };
    static const double MOST_SECONDS = 60;
    int n[8];
    int64_t in = 1, out = 1;
    for (int axis = 0; axis < job->rank; axis++) {
        n[job->rank - 1 - axis] = (int)job->n[axis]; /* FFTW's last axis is the fastest */
        const int64_t half = job->real && axis == 0 ? job->n[0] / 2 + 1 : job->n[axis];
        in *= job->back ? half : job->n[axis];
        out *= job->back ? job->n[axis] : half;
    }
    if (in > INT_MAX || out > INT_MAX || job->batch > INT_MAX) return false;
    if (peer->set_threads) peer->set_threads(threads);
    if (peer->limit_seconds) peer->limit_seconds(MOST_SECONDS);
    const int howmany = (int)job->batch;
    peer->plan = job->real ? (job->back ? peer->plan_back : peer->plan_real)(job->rank, n, howmany, job->in,
                                                                             NULL, 1, (int)in, job->out, NULL,
                                                                             1, (int)out, MEASURE)
                           : peer->plan_complex(job->rank, n, howmany, job->in, NULL, 1, (int)in, job->out,
                                                NULL, 1, (int)out, FORWARD, MEASURE);
    return peer->plan != NULL;
}

void fftw_peer_release(fftw_peer *peer)
{
    if (peer->plan) peer->destroy(peer->plan);
    if (peer->plan && peer->forget) peer->forget();
    peer->plan = NULL;
}
