/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams of threads that run the parallel regions of this library: `#pragma omp` is compiled to calls of
 * omp.c, which calls these functions. They replace libgomp for four reasons. Its threads spin for
 * milliseconds after each region and at each barrier (on shared cores a reconstruction took 4 to 9 times
 * as long). A library cannot choose its settings, which are read before the library is loaded. It ends the
 * process if a thread cannot be created. It hangs in forked processes.
 *
 * A team has at most the requested number of threads, and fewer if the system has no more. Threads are
 * kept for later teams; while they wait they spin for some microseconds, then sleep.
 * OMP_WAIT_POLICY=passive: they sleep at once. */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

#include <stdbool.h>

/* Runs work(data) in `size` threads (0: cpu_threads(0)), including the calling one; returns when all have
 * finished. Inside a team, or inside a parallel region of the calling program's OpenMP, the calling thread
 * runs alone. */
void team_run(void (*work)(void *), void *data, unsigned size);

int team_number(void); /* number of the calling thread, 0 to team_size() - 1 */
int team_size(void);   /* 1 outside a team */
bool team_within(void);

/* Waits until all threads of the team have arrived. */
void team_barrier(void);

/* A loop from `start` to below `end`; each thread takes `step` numbers at a time. All threads of a team
 * call begin and leave for the same loops in the same order. team_loop_next returns false at the end. */
void team_loop_begin(long start, long end, long step);
bool team_loop_next(long *from, long *to);
void team_loop_leave(void);

/* One lock for all threads. */
void team_lock(void);
void team_unlock(void);

#endif
