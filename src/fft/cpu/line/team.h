/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FFT_CPU_LINE_TEAM_H
#define FFT_CPU_LINE_TEAM_H

#include <stddef.h>

/* Threads that share a line, where its algorithm can and the line is long; their work memories lie so many
 * bytes apart. {0}: one thread. */
typedef struct line_team {
    int threads;
    size_t apart;
} line_team;

#endif
