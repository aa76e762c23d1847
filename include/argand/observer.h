/* SPDX-License-Identifier: BSD-3-Clause */
/* observer.h: progress and cancellation of long calls. Solvers report their iterations to monitors; an
 * observer also sees reading, planning, the estimation of maps, the continuation of field maps and the choice
 * of weights.
 *
 *     static atomic_bool cancelled; // set by a signal handler, a button's thread
 *
 *     static bool look(void *context, const argand_activity *activity)
 *     {
 *         return !cancelled;
 *     }
 *
 *     argand_observer_set(look, NULL);
 *     if (argand_sense_create(&session, device, scan, &options) == ARGAND_STOPPED) ...
 *
 * Limits: one observer per thread. Threads: each thread sets its own observer, which is called in that thread
 * only. Refused: nothing. NULL: a NULL observer removes the present one; a context may be NULL. */
#ifndef ARGAND_OBSERVER_H
#define ARGAND_OBSERVER_H

#include <stdbool.h>
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The present activity of a call. */
typedef struct argand_activity {
    /* Text for people: "continuing the field map". Valid as long as the program; NULL: the stage before,
     * or one without a name. */
    const char *stage;
    double fraction; /* finished part of the stage, 0 to 1; negative: not known */
} argand_activity;

/* Returns false to cancel. */
typedef bool (*argand_observer)(void *context, const argand_activity *activity);

/* Sets the observer of the calling thread for all later calls of this thread. NULL, the initial state,
 * means no observer.
 *
 * Calls that take more than a moment call the observer repeatedly, in the thread that made the call,
 * usually many times a second. The time between two calls is that of one transform, kernel launch or
 * solver step, which can be longer for very large problems. The observer should take microseconds. It must
 * not call functions of Argand except those for messages and simple queries (argand_message,
 * argand_fft_fast_size).
 *
 * After the observer has returned false, the call ends as soon as it can and returns ARGAND_STOPPED; a
 * function without a status returns without a message. The observer may be called again until then, and
 * should return false again. The object that the call was to create does not exist, and arrays that it was
 * to fill have undefined contents. Sessions, plans and operators that existed before remain usable, and no
 * memory leaks. */
ARGAND_API void argand_observer_set(argand_observer observer, void *context);

#ifdef __cplusplus
}
#endif
#endif
