/* SPDX-License-Identifier: BSD-3-Clause */
/* Ways to choose a candidate; choose.c has wisdom, and decides between them. */
#ifndef FFT_PLANNER_CHOICE_H
#define FFT_PLANNER_CHOICE_H

#include "fft/planner/plan.h"

/* predicted.c: makes candidate i the plan's, if it can be made. only: for that direction; 0: for both. */
argand_status choice_take(argand_fft *plan, int i, int only);
/* Records why making a candidate failed. Returns ARGAND_OK if another candidate may be tried, else the
 * status. */
argand_status choice_give_up(fft_candidate *c, argand_status status);
/* Returns true if two engines may serve the plan's two directions. */
bool choice_has_two_directions(const fft_problem *p);
/* Returns true if a is predicted to be faster. */
bool choice_is_before(const fft_candidate *a, const fft_candidate *b);
/* Takes the possible candidate that is before all others; without any, the plan keeps no engine. */
argand_status choice_take_predicted(argand_fft *plan);
/* trial.c: chooses by measurement; by prediction if nothing can be timed. */
argand_status choice_take_measured(argand_fft *plan);

#endif
