/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the peer: cuFFT on CUDA devices, FFTW if the host can access the memory. */
#include "fft/fft.h"

#include <stdio.h>
#include <stdlib.h>
#include "peers/fftw.h"

static bool fftw_plan(void *self, const fft_case *c, const fft_buffers *g)
{
    const fftw_job job = {c->rank, c->n, c->batch, c->type < ARGAND_C32, c->back, g->memory[0], g->memory[1]};
    return fftw_peer_plan(self, &job, argand_device_threads(g->device));
}

static bool fftw_execute(void *self)
{
    fftw_peer *fftw = self;
    fftw->execute(fftw->plan);
    return true;
}

static void fftw_release(void *self)
{
    fftw_peer_release(self);
}

static void open_fftw(fft_peer *peer, bool is_double)
{
    fftw_peer *fftw = calloc(1, sizeof *fftw);
    if (!fftw || !fftw_peer_open(fftw, is_double)) {
        snprintf(peer->missing, sizeof peer->missing, "FFTW is not installed%s",
                 is_double ? " in double precision" : "");
        free(fftw);
        return;
    }
    peer->self = fftw;
    peer->plan = fftw_plan;
    peer->execute = fftw_execute;
    peer->release = fftw_release;
    peer->close = free;
    snprintf(peer->name, sizeof peer->name, "FFTW, measured");
    if (fftw->version) snprintf(peer->name, sizeof peer->name, "%.48s, measured", fftw->version);
}

void fft_peer_open(fft_peer *peer, const fft_buffers *g, bool is_double)
{
    *peer = (fft_peer){0};
    if (g->cuda)
        (void)cufft_peer_open(peer, cuda_peer_stream(g->cuda));
    else if (g->info.host_addressable)
        open_fftw(peer, is_double);
    else
        snprintf(peer->missing, sizeof peer->missing, "no peer on this device");
}

void fft_peer_close(fft_peer *peer)
{
    if (!peer->self) return;
    peer->release(peer->self);
    peer->close(peer->self);
    *peer = (fft_peer){0};
}
