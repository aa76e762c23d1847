/* SPDX-License-Identifier: BSD-3-Clause */
/* observer.h: long calls watched and cancelled by their caller, before and besides what solvers tell their
 * monitors: reading, planning, estimation of maps, continuation of field maps, choice of weights.
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
 * Limits: one observer a thread. Threads: each has its own, set by the thread itself; the observer is called
 * by the thread that it belongs to. Refused: nothing. NULL: an observer that is NULL ends the watching; a
 * context may be NULL. */
#ifndef ARGAND_OBSERVER_H
#define ARGAND_OBSERVER_H

#include <stdbool.h>
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a call is doing. */
typedef struct argand_activity {
    const char *stage; /* for people: "continuing the field map"; valid as long as the program; NULL: what it
                          was before, or nothing that has a name */
    double fraction;   /* of the stage that is done, 0 to 1; negative: not known */
} argand_activity;

/* Returns false to cancel. */
typedef bool (*argand_observer)(void *context, const argand_activity *activity);

/* The observer of the calling thread, for all calls that this thread makes from now on; NULL: none, as every
 * thread has at first.
 *
 * Calls of more than moments ask it again and again, in the thread that has made the call and in no other,
 * mostly many times a second; the rest between two questions is a transform, a launch or a step of an
 * iteration, so that very large ones take longer. It should take microseconds, and must not call functions
 * of Argand but those of messages and plain questions (argand_message, argand_fft_fast_size).
 *
 * Once it has returned false the call ends as soon as it can and returns ARGAND_STOPPED, or without a
 * message where it returns nothing; it may be asked again until then, and should say the same. What the call
 * was to make does not exist, arrays that it was to fill hold anything, sessions, plans and operators that
 * existed before can be used and destroyed as before, nothing is left over. */
ARGAND_API void argand_observer_set(argand_observer observer, void *context);

#ifdef __cplusplus
}
#endif
#endif
