/* SPDX-License-Identifier: BSD-3-Clause */
/* FFTW's planner is not for several threads at once: whoever makes or destroys plans holds this lock. */
#ifndef FFT_CPU_FFTW_PLANNER_LOCK_H
#define FFT_CPU_FFTW_PLANNER_LOCK_H

void planner_lock(void);
void planner_unlock(void);

#endif
