/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FFT_CPU_LINE_TEAM_H
#define FFT_CPU_LINE_TEAM_H

#include <stddef.h>

/* Threads that share a long line, if its algorithm can; `apart` is the distance between their work memories
 * in bytes. {0}: one thread. */
typedef struct line_team {
    int threads;
    size_t apart;
} line_team;

#endif
