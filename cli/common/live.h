/* SPDX-License-Identifier: BSD-3-Clause */
/* The live view of a long computation: what a terminal shows, as text. It asks nothing of the system itself,
 * so that tests can see what any terminal would show. */
#ifndef CLI_LIVE_H
#define CLI_LIVE_H

#include <stdbool.h>
#include <stddef.h>

enum { LIVE_HISTORY = 4096, LIVE_TEXT = 4096 };

/* What is known of the terminal. */
typedef struct live_terminal {
    bool can_draw; /* a terminal whose cursor can be moved */
    bool colour, utf8;
    int columns;
} live_terminal;

typedef struct live_state {
    const char *stage;     /* "reconstructing" */
    const char *where;     /* "volume 2 of 12, slice 4"; "" for none */
    double done, total;    /* of everything */
    int step, steps;       /* of this volume: iterations; 0 steps: none are counted */
    double elapsed, left;  /* s; left < 0: not known */
    double value;          /* worth watching, say the residual; NaN: none */
    const double *history; /* the values of this volume so far */
    int history_count;
} live_state;

/* Asks the system about standard error, and the environment: TERM, NO_COLOR, COLUMNS, LC_ALL, LC_CTYPE, LANG.
 */
live_terminal live_ask(void);
/* The lines to show, each no wider than the terminal, with '\n' between them and none at the end. Returns
 * their number: two, or one where the terminal has fewer than 60 columns. */
int live_text(char text[LIVE_TEXT], const live_terminal *terminal, const live_state *state);
/* "1.5 s", "2:05 min", "3:10 h" */
void live_time(char *text, size_t size, double seconds);
/* The curve in `cells` signs, logarithmic; "" where fewer than two numbers can be drawn. */
void live_sparkline(char *text, size_t size, const double *values, int count, int cells, bool utf8);

#endif
