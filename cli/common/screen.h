/* SPDX-License-Identifier: BSD-3-Clause */
/* The live view on standard error. Its clock goes on while nothing is reported, as in a long first
 * iteration: a thread draws the same state again, with the time that has passed since. */
#ifndef CLI_SCREEN_H
#define CLI_SCREEN_H

#include "common/live.h"

/* In place of what was drawn before; nothing where all is done. The state is copied. */
void screen_draw(const live_state *state);
/* What was drawn goes away. */
void screen_clear(void);

#endif
