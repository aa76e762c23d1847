/* SPDX-License-Identifier: BSD-3-Clause */
/* A plan's inside, for the files that make it and those that answer questions about it. */
#ifndef FFT_PLAN_H
#define FFT_PLAN_H

#include "fft/candidate.h"

struct argand_fft {
    argand_device *device;
    argand_device *worker; /* which computes: the device, or the host's in its place */
    fft_problem problem;
    const fft_engine *engine;
    void *state;
    fft_candidates candidates; /* all that were considered */
};

/* choose.c: fills engine, state and candidates of a plan that has problem, device and worker. */
argand_status plan_choose(argand_fft *plan);

#endif
