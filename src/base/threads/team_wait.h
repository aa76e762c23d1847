/* SPDX-License-Identifier: BSD-3-Clause */
/* How the threads of teams wait for each other: for some microseconds awake, then asleep in the kernel
 * (futex(2)). */
#ifndef BASE_TEAM_WAIT_H
#define BASE_TEAM_WAIT_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef _Atomic uint32_t team_word;

/* Sleeps while the variable has the value (or less: callers look again). */
void word_wait(team_word *word, uint32_t value);
void word_wake(team_word *word); /* all that sleep there */

/* One thread passes when another has opened; then it is shut again. All zero: shut. */
typedef struct team_gate {
    team_word state;
    int patience; /* nanoseconds; shorter after each time in vain */
} team_gate;
void gate_open(team_gate *g);
void gate_pass(team_gate *g, bool patient);

/* `size` threads wait until all have come, again and again. All zero: nobody has. */
typedef struct team_meeting {
    team_word here, round, asleep;
} team_meeting;
void meeting_wait(team_meeting *m, uint32_t size, bool patient);

/* Unlocks what team_lock of other threads has locked, in a forked process. */
void team_lock_forget(void);

#endif
