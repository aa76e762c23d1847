/* SPDX-License-Identifier: BSD-3-Clause */
/* Ctrl-C: the first asks the running command to stop and clean up, one that comes later ends the program.
 * Signals that follow at once are the same wish: timeout(1) and batch systems signal the process and then its
 * whole group. */
#include "command.h"

#include <signal.h>
#include <time.h>

static const double same_wish = 0.5; /* seconds */

static volatile sig_atomic_t seen;
static struct timespec first; /* used by the handler alone, which the mask keeps from interrupting itself */

static void note(int number)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!seen) {
        first = now;
        seen = 1;
    } else if ((double)(now.tv_sec - first.tv_sec) + 1e-9 * (double)(now.tv_nsec - first.tv_nsec) >
               same_wish) {
        signal(number, SIG_DFL);
        raise(number); /* takes effect when the handler returns */
    }
}

void interrupt_watch(void)
{
    struct sigaction action = {.sa_handler = note};
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool interrupted(void)
{
    return seen != 0;
}
