/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls the calling thread's observer (argand/observer.h). The calls are in code that may run long: in
 * loops over slices, shots, candidates and iterations, and before operators and launches; not in release
 * functions, and not if two calls would be microseconds apart. */
#ifndef BASE_OBSERVE_H
#define BASE_OBSERVE_H

#include <argand/observer.h>
#include <stdatomic.h>
#include "base/status.h"

/* Returns ARGAND_STOPPED if the observer cancels. fraction: completed part of the stage; negative:
 * unknown. */
argand_status observe(const char *stage, double fraction);
/* The same within a stage, or without one. */
argand_status observe_again(void);

/* From observe_pause to observe_resume the thread's observer is not called: for calls of microseconds, of
 * which it would be a large part. Pairs may be nested. */
void observe_pause(void);
void observe_resume(void);

/* For bodies of parallel loops with iterations of milliseconds: returns true if the rest is to be skipped.
 * The calling thread calls its observer; the other threads read the result. Initialise with false, and
 * call observe_end(&cancelled) after the loop. */
bool observe_within(atomic_bool *cancelled);
argand_status observe_end(const atomic_bool *cancelled);

#endif
