/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats the live view of a long computation as text. It makes no system calls itself, so that tests can
 * check the view on any terminal. */
#ifndef CLI_LIVE_H
#define CLI_LIVE_H

#include <stdbool.h>
#include <stddef.h>

enum { LIVE_HISTORY = 4096, LIVE_TEXT = 4096 };

/* Properties of the terminal. */
typedef struct live_terminal {
    bool can_draw; /* the cursor can be moved */
    bool colour, utf8;
    int columns;
} live_terminal;

typedef struct live_state {
    const char *stage;     /* "reconstructing" */
    const char *where;     /* "volume 2 of 12, slice 4"; "" for none */
    double done, total;    /* of the whole stage */
    int step, steps;       /* iterations of this volume; steps 0: not counted */
    double elapsed, left;  /* s; left < 0: unknown */
    double value;          /* shown value, such as the residual; NaN: none */
    const double *history; /* the values of this volume so far */
    int history_count;
} live_state;

/* Reads the properties of standard error from the system and the environment: TERM, NO_COLOR, COLUMNS,
 * LC_ALL, LC_CTYPE, LANG. */
live_terminal live_ask(void);
/* Writes the lines to show, none wider than the terminal, with '\n' between them and none at the end.
 * Returns their number: two, or one if the terminal has fewer than 60 columns. */
int live_text(char text[LIVE_TEXT], const live_terminal *terminal, const live_state *state);
/* Writes a time as "1.5 s", "2:05 min" or "3:10 h". */
void live_time(char *text, size_t size, double seconds);
/* Draws the curve in `cells` characters on a logarithmic scale; "" with fewer than two valid numbers. */
void live_sparkline(char *text, size_t size, const double *values, int count, int cells, bool utf8);

#endif
