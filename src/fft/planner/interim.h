/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans whose kernels are still to be compiled. They begin with an engine that compiles nothing (the general
 * kernel, or cuFFT), while a background thread compiles the kernels of the chosen candidate. The first call
 * after that makes the candidate's state and takes it. The first engine's state stays until the plan ends,
 * because other threads and captured graphs may use it. */
#ifndef FFT_PLANNER_INTERIM_H
#define FFT_PLANNER_INTERIM_H

#include <pthread.h>
#include <stdatomic.h>
#include "fft/planner/candidate.h"

typedef struct fft_interim {
    int own, first; /* candidates: the chosen one; the one that serves until then */
    kernel_request *request;
    _Atomic(void *) state; /* the chosen candidate's; NULL before the change */
    atomic_bool over;      /* the chosen candidate failed: the first one stays */
    pthread_mutex_t lock;  /* held by the call that makes the state */
    char reason[192];      /* of the failure */
} fft_interim;

/* Makes the plan begin with another engine if candidate `own` would wait for its compiler. Leaves the plan
 * without an engine otherwise. */
argand_status interim_begin(argand_fft *plan, int own);
/* Makes the plan of a problem that is at_once. ARGAND_UNSUPPORTED: every engine would wait. */
argand_status interim_take_at_once(argand_fft *plan);
/* Makes the change if the kernels are ready and no capture is in course. */
void interim_advance(const argand_fft *plan);
/* Writes the reason of a candidate of such a plan at present; does nothing for other candidates. */
void interim_explain(const argand_fft *plan, int candidate, char *reason, size_t size);
void interim_end(argand_fft *plan);

#endif
