/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/live.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { NARROW = 60, WIDEST = 110, SPARKS = 24 };

/* ------------------------------------------------------------------------------------------- the terminal */

/* Returns true if the locale uses UTF-8. The first variable that is set and not empty decides, as in
 * setlocale. */
static bool speaks_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (!value || !*value) continue;
        for (const char *at = value; *at; at++)
            if (tolower((unsigned char)at[0]) == 'u' && tolower((unsigned char)at[1]) == 't' &&
                tolower((unsigned char)at[2]) == 'f')
                return strchr(at, '8') != NULL;
        return false;
    }
    return false;
}

static int count_columns(void)
{
    struct winsize size;
    if (!ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col > 0) return size.ws_col;
    const char *columns = getenv("COLUMNS");
    const int number = columns ? atoi(columns) : 0;
    return number > 0 && number < 10000 ? number : 80;
}

live_terminal live_ask(void)
{
    const char *term = getenv("TERM"), *no_colour = getenv("NO_COLOR");
    live_terminal t = {.utf8 = speaks_utf8(), .columns = count_columns()};
    t.can_draw = isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
    t.colour = t.can_draw && !(no_colour && *no_colour); /* https://no-color.org */
    return t;
}

/* ------------------------------------------------------------------------------- a line that counts its
 * width */

typedef struct line {
    char *text;
    size_t used, size;
    int width, widest; /* columns; text beyond `widest` is left out */
    bool colour;
} line;

/* Appends a text of known width, completely or not at all. */
static bool put_wide(line *l, const char *text, int width)
{
    const size_t length = strlen(text);
    if (l->width + width > l->widest || l->used + length + 1 > l->size) return false;
    memcpy(l->text + l->used, text, length + 1);
    l->used += length;
    l->width += width;
    return true;
}

static bool put(line *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool put(line *l, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return put_wide(l, text, (int)strlen(text)); /* ASCII: one byte for each column */
}

static void paint(line *l, const char *escape)
{
    if (l->colour) put_wide(l, escape, 0);
}

#define ACCENT "\033[36m"
#define SOFT "\033[2m"
#define PLAIN "\033[0m"

/* ---------------------------------------------------------------------------------------------- its pieces
 */

void live_time(char *text, size_t size, double seconds)
{
    const long long whole = (long long)fmin(seconds, 1e15);
    if (seconds < 99.95)
        snprintf(text, size, "%.1f s", seconds);
    else if (seconds < 3600)
        snprintf(text, size, "%lld:%02lld min", whole / 60, whole % 60);
    else
        snprintf(text, size, "%lld:%02lld h", whole / 3600, whole / 60 % 60);
}

static void add_times(line *l, const live_state *s)
{
    char spent[32], rest[32];
    live_time(spent, sizeof spent, s->elapsed);
    live_time(rest, sizeof rest, s->left);
    put(l, "%s", spent);
    if (s->left >= 0) put(l, ", %s left", rest);
}

/* Appends the bar, in eighths of a cell with UTF-8, otherwise in whole cells. */
static void add_bar(line *l, double share, int cells, bool utf8)
{
    static const char *const eighths[] = {" ",
                                          "\xE2\x96\x8F",
                                          "\xE2\x96\x8E",
                                          "\xE2\x96\x8D",
                                          "\xE2\x96\x8C",
                                          "\xE2\x96\x8B",
                                          "\xE2\x96\x8A",
                                          "\xE2\x96\x89",
                                          "\xE2\x96\x88"};
    const int full = (int)(8 * cells * share + 1e-9);
    if (!utf8) put(l, "[");
    paint(l, ACCENT);
    for (int i = 0; i < cells; i++) {
        const int eighth = full - 8 * i < 0 ? 0 : full - 8 * i > 8 ? 8 : full - 8 * i;
        if (utf8)
            put_wide(l, eighth ? eighths[eighth] : "\xE2\x94\x80", 1);
        else
            put(l, eighth == 8 ? "#" : ".");
    }
    paint(l, PLAIN);
    if (!utf8) put(l, "]");
}

static bool drawable(double value)
{
    return value > 1e-300 && value < 1e300;
}

/* Draws a curve. Each cell shows the last value in its range, so that the present value is visible. */
void live_sparkline(char *text, size_t size, const double *values, int count, int cells, bool utf8)
{
    static const char ascii[] = "_.-=^";
    double low = INFINITY, high = -INFINITY;
    int drawn = 0;
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < count; i++) {
        if (!drawable(values[i])) continue;
        low = fmin(low, log(values[i]));
        high = fmax(high, log(values[i]));
        drawn++;
    }
    if (drawn < 2 || cells < 1) return;
    if (cells > count) cells = count;
    for (int cell = 0; cell < cells && used + 4 <= size; cell++) {
        const double value = values[(int)((long long)(cell + 1) * count / cells) - 1];
        const double place = high > low && drawable(value) ? (log(value) - low) / (high - low) : 0;
        if (utf8) { /* U+2581 to U+2588 */
            const char block[4] = {(char)0xE2, (char)0x96, (char)(0x81 + (int)(7 * place + 0.5)), 0};
            memcpy(text + used, block, 4);
            used += 3;
        } else {
            text[used++] = ascii[(int)(4 * place + 0.5)];
        }
    }
    text[used] = 0;
}

static int signs_of(const char *text, bool utf8)
{
    return (int)strlen(text) / (utf8 ? 3 : 1);
}

/* ----------------------------------------------------------------------------------------------- the lines
 */

static double share_of(const live_state *s)
{
    return s->total > 0 ? fmin(1, fmax(0, s->done / s->total)) : 0;
}

/* Writes "reconstructing ━━━━━━──── 62 % volume 3 of 5, slice 4". */
static void first_line(line *l, const live_terminal *t, const live_state *s)
{
    put(l, "%.32s ", s->stage);
    const int where = *s->where ? (int)strlen(s->where) + 2 : 0;
    int cells = l->widest - l->width - 7 - (t->utf8 ? 0 : 2) - where;
    cells = cells > 40 ? 40 : cells < 8 ? 8 : cells;
    add_bar(l, share_of(s), cells, t->utf8);
    put(l, " %3.0f %%", floor(100 * share_of(s)));
    if (*s->where) put(l, "  %s", s->where);
}

/* Writes "iteration 7/10 residual 2.31e-02 ▇▆▄▃▂▁ 1.9 s, 1.2 s left". */
static void second_line(line *l, const live_terminal *t, const live_state *s)
{
    char sparks[4 * SPARKS + 1];
    put(l, "  ");
    if (s->steps > 0) put(l, "iteration %d/%d  ", s->step, s->steps);
    if (!isnan(s->value)) put(l, "residual %.2e  ", s->value);
    live_sparkline(sparks, sizeof sparks, s->history, s->history_count, SPARKS, t->utf8);
    const int wide = signs_of(sparks, t->utf8);
    if (wide && l->width + wide + 24 <= l->widest) {
        paint(l, ACCENT);
        put_wide(l, sparks, wide);
        paint(l, PLAIN);
        put(l, "  ");
    }
    paint(l, SOFT);
    add_times(l, s);
    paint(l, PLAIN);
}

/* Writes "62% 7/10 2.3e-02 1.2 s left", as far as it fits. */
static void only_line(line *l, const live_state *s)
{
    char rest[32];
    put(l, "%.0f%%", floor(100 * share_of(s)));
    if (s->steps > 0) put(l, " %d/%d", s->step, s->steps);
    if (!isnan(s->value)) put(l, " %.1e", s->value);
    live_time(rest, sizeof rest, s->left >= 0 ? s->left : s->elapsed);
    put(l, s->left >= 0 ? " %s left" : " %s", rest);
}

int live_text(char text[LIVE_TEXT], const live_terminal *t, const live_state *s)
{
    /* the last column stays free: terminals differ in what they do after it */
    line l = {.text = text,
              .size = LIVE_TEXT - 1,
              .widest = (t->columns > WIDEST ? WIDEST : t->columns) - 1,
              .colour = t->colour};
    text[0] = 0;
    if (t->columns < NARROW) {
        only_line(&l, s);
        return 1;
    }
    first_line(&l, t, s);
    text[l.used++] = '\n';
    text[l.used] = 0;
    l.width = 0;
    second_line(&l, t, s);
    return 2;
}
