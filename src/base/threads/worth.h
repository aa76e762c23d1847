/* SPDX-License-Identifier: BSD-3-Clause */
/* How many threads a call is worth. Waking and joining a thread takes microseconds in each parallel region,
 * and milliseconds where other programs use the cores. */
#ifndef BASE_THREADS_WORTH_H
#define BASE_THREADS_WORTH_H

/* Returns at most `threads`: one for each 20 us of a call's predicted nanoseconds. */
static inline int threads_worth(int threads, double nanoseconds)
{
    const double worth = 1 + nanoseconds / 20e3;
    return worth > threads ? threads : (int)worth;
}

#endif
