/* SPDX-License-Identifier: BSD-3-Clause */
/* Which passes a call with accessors makes, in which order, through which memory. */
#ifndef FFT_CPU_ACCESS_SCHEDULE_H
#define FFT_CPU_ACCESS_SCHEDULE_H

#include "fft/cpu/access/pass.h"

enum { ACCESS_PASSES = 2 * ARGAND_MAX_RANK + 1 };

typedef struct access_schedule {
    int count;
    int tiled;     /* so many leading passes are done for one tile after the other */
    bool whole;    /* all passes, in a thread's own work memory */
    bool mirrored; /* passes[mirror] works on lines k and -k at once */
    int mirror;
    int64_t work_bytes; /* between passes, of one transform and the loops that are added up; 0: none */
    int dims;
    int64_t outer[ACCESS_DIMS]; /* loops outside of all passes */
    int64_t tile[ACCESS_DIMS];  /* and of the tiled passes; 1 elsewhere */
    access_pass pass[ACCESS_PASSES];
} access_schedule;

/* lines[axis]: the transform along each axis. Passes that go through work memory have port.at NULL there. */
void access_schedule_make(access_schedule *s, const fft_problem *problem, const access_call *call,
                          const fft_line *const *lines, argand_direction direction, double factor);

#endif
