/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws the live view on standard error. A thread draws the last state again with the elapsed time, so
 * that the clock runs while nothing is reported, as in a long first iteration. */
#ifndef CLI_SCREEN_H
#define CLI_SCREEN_H

#include "common/live.h"

/* Replaces the last view; draws nothing if all is done. The state is copied. */
void screen_draw(const live_state *state);
/* Removes the view. */
void screen_clear(void);

#endif
