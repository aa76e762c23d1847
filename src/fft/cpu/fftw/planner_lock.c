/* SPDX-License-Identifier: BSD-3-Clause */
/* The lock around FFTW's planner. */
#include "fft/cpu/fftw/planner_lock.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void planner_lock(void)
{
    pthread_mutex_lock(&mutex);
}

void planner_unlock(void)
{
    pthread_mutex_unlock(&mutex);
}
