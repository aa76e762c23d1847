/* SPDX-License-Identifier: BSD-3-Clause */
/* Between the files that choose: choose.c (wisdom, prediction, accessors) and trial.c (measurement). */
#ifndef FFT_PLANNER_CHOICE_H
#define FFT_PLANNER_CHOICE_H

#include "fft/planner/plan.h"

/* Makes candidate i the plan's, if it can be made. only: for that direction; 0: for both. */
argand_status choice_take(argand_fft *plan, int i, int only);
/* Why making it failed: ARGAND_OK where another one may be tried. */
argand_status choice_give_up(fft_candidate *c, argand_status status);
/* Whether the plan's two directions may be served by two engines. */
bool choice_has_two_directions(const fft_problem *p);
/* Whether a is promised to be faster. */
bool choice_is_before(const fft_candidate *a, const fft_candidate *b);
argand_status choice_take_predicted(argand_fft *plan);
/* trial.c. Where nothing can be timed, by prediction. */
argand_status choice_take_measured(argand_fft *plan);

#endif
