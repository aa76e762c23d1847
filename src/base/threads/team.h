/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams of threads, which run the parallel regions of this library: what GCC makes of `#pragma omp` calls
 * omp.c, and that calls these. They stand in the place of libgomp, whose threads spin for milliseconds after
 * each region and at each barrier (on shared cores a reconstruction took 4 to 9 times as long as it need),
 * whose settings a library cannot choose because they are read before it is loaded, which ends the process
 * where a thread cannot be created, and which hangs in a process that was forked.
 *
 * A team has as many threads as could be had, at most as many as were asked for. Threads are kept for later
 * teams; while they wait they spin for some microseconds, then they sleep. */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

#include <stdbool.h>

/* Runs work(data) in `size` threads (0: cpu_threads(0)), the calling one among them, and returns when all
 * have ended. Within a team, or within a parallel region of an OpenMP runtime of the calling program, it is
 * the calling thread alone. */
void team_run(void (*work)(void *), void *data, unsigned size);

int team_number(void); /* of the calling thread, 0 to team_size() - 1 */
int team_size(void);   /* 1 outside of teams */
bool team_within(void);

/* All threads of the team must come here before one goes on. */
void team_barrier(void);

/* A loop from `start` to before `end`, of which each thread takes `step` numbers at a time as it is ready for
 * them. All threads of a team call begin and leave for the same loops in the same order; next: false when
 * there are no more. */
void team_loop_begin(long start, long end, long step);
bool team_loop_next(long *from, long *to);
void team_loop_leave(void);

/* One thread of all at a time. */
void team_lock(void);
void team_unlock(void);

#endif
