/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting between threads of a team: they spin for some microseconds, then sleep in the kernel (futex(2)). */
#ifndef BASE_TEAM_WAIT_H
#define BASE_TEAM_WAIT_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* False if the user asks for threads that sleep at once (OMP_WAIT_POLICY=passive). */
bool may_spin(void);

typedef _Atomic uint32_t team_word;

/* Sleeps while the variable has the value. May return early: callers check again. */
void word_wait(team_word *word, uint32_t value);
void word_wake(team_word *word); /* wakes all that sleep on it */

/* A gate: one thread passes after another has opened it, then it is shut again. All zero: shut. */
typedef struct team_gate {
    team_word state;
    int patience; /* spinning time in nanoseconds; shorter after each unsuccessful wait */
} team_gate;
void gate_open(team_gate *g);
void gate_pass(team_gate *g, bool patient);

/* A barrier for `size` threads, reusable. All zero: no thread waits. */
typedef struct team_meeting {
    team_word here, round, asleep;
} team_meeting;
void meeting_wait(team_meeting *m, uint32_t size, bool patient);

/* In a forked process, unlocks the lock that other threads held by team_lock. */
void team_lock_forget(void);

#endif
