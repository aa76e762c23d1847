/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions to the calling thread's observer (argand/observer.h). They stand where a call may go on for long:
 * in loops over slices, shots, candidates and iterations, and before operators and launches; not in what
 * releases, nor where the time between two of them is microseconds. */
#ifndef BASE_OBSERVE_H
#define BASE_OBSERVE_H

#include <argand/observer.h>
#include <stdatomic.h>
#include "base/status.h"

/* ARGAND_STOPPED where the observer cancels. fraction: of the stage, negative where it is not known. */
argand_status observe(const char *stage, double fraction);
/* The same within a stage, or without one. */
argand_status observe_again(void);

/* In the body of a parallel loop whose rounds take milliseconds: true where the rest is to be left out. The
 * thread that made the call asks its observer, the others look at what it found. Behind the loop
 * observe_end(&cancelled). Begins with false. */
bool observe_within(atomic_bool *cancelled);
argand_status observe_end(const atomic_bool *cancelled);

#endif
