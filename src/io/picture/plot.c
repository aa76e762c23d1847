/* SPDX-License-Identifier: BSD-3-Clause */
/* One curve with axes: how a reconstruction converged. */
#include <argand/io.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "io/picture/canvas.h"
#include "io/picture/ticks.h"

enum { WIDTH = 640, HEIGHT = 400, LEFT = 92, RIGHT = 24, TOP = 44, BOTTOM = 40, TEXT = 2 };
enum { WHITE = 0xFFFFFF, INK = 0x303030, GRID = 0xE4E4E4, FRAME = 0x909090, CURVE = 0x1F5FA8 };

typedef struct plot {
    canvas picture;
    axis x, y;
    const double *numbers;
    int64_t count;
} plot;

/* Only what can be drawn: finite, of a size that the sums for the axes can bear, above zero on a logarithmic
 * axis. */
static bool drawable(const plot *p, int64_t i)
{
    const double y = p->numbers[i];
    return fabs(y) < 1e300 && (!p->y.logarithmic || y > 1e-300);
}

/* false: there is nothing to draw */
static bool find_range(plot *p)
{
    p->y.low = INFINITY;
    p->y.high = -INFINITY;
    for (int64_t i = 0; i < p->count; i++) {
        if (!drawable(p, i)) continue;
        p->y.low = fmin(p->y.low, p->numbers[i]);
        p->y.high = fmax(p->y.high, p->numbers[i]);
    }
    p->x.high = p->count > 1 ? (double)(p->count - 1) : 1;
    return p->y.low <= p->y.high;
}

static double across(const plot *p, double x)
{
    return LEFT + ticks_place(&p->x, x) * (WIDTH - LEFT - RIGHT);
}

static double down(const plot *p, double y)
{
    return HEIGHT - BOTTOM - ticks_place(&p->y, y) * (HEIGHT - TOP - BOTTOM);
}

static void draw_axes(plot *p)
{
    canvas *on = &p->picture;
    for (int i = 0; i < p->x.count; i++) {
        const int x = (int)lround(across(p, p->x.at[i])), half = canvas_text_width(p->x.label[i], TEXT) / 2;
        canvas_box(on, x, TOP, 1, HEIGHT - TOP - BOTTOM, GRID);
        canvas_box(on, x, HEIGHT - BOTTOM, 1, 6, FRAME);
        canvas_text(on, x - half, HEIGHT - BOTTOM + 12, TEXT, INK, p->x.label[i]);
    }
    for (int i = 0; i < p->y.count; i++) {
        const int y = (int)lround(down(p, p->y.at[i])), width = canvas_text_width(p->y.label[i], TEXT);
        canvas_box(on, LEFT, y, WIDTH - LEFT - RIGHT, 1, GRID);
        canvas_box(on, LEFT - 6, y, 6, 1, FRAME);
        canvas_text(on, LEFT - 12 - width, y - FONT_CAPITAL * TEXT / 2, TEXT, INK, p->y.label[i]);
    }
    canvas_box(on, LEFT, TOP, 1, HEIGHT - TOP - BOTTOM, FRAME);
    canvas_box(on, LEFT, HEIGHT - BOTTOM, WIDTH - LEFT - RIGHT + 1, 1, FRAME);
}

static void draw_curve(plot *p)
{
    const bool dots = p->count <= 40;
    for (int64_t i = 0; i < p->count; i++) {
        if (!drawable(p, i)) continue;
        const double here[2] = {across(p, (double)i), down(p, p->numbers[i])};
        if (dots || p->count == 1) canvas_stroke(&p->picture, here, here, 7, CURVE);
        if (i + 1 >= p->count || !drawable(p, i + 1)) continue;
        const double next[2] = {across(p, (double)(i + 1)), down(p, p->numbers[i + 1])};
        canvas_stroke(&p->picture, here, next, 2, CURVE);
    }
}

static void draw_title(plot *p, const char *title)
{
    const int middle = LEFT + (WIDTH - LEFT - RIGHT) / 2, width = canvas_text_width(title, TEXT);
    const int scale = width <= WIDTH - 16 ? TEXT : 1;
    const int x = middle - canvas_text_width(title, scale) / 2;
    const int last = WIDTH - 8 - canvas_text_width(title, scale);
    canvas_text(&p->picture, x > last ? (last > 8 ? last : 8) : x, 14, scale, INK, title);
}

argand_status argand_plot_write(const char *path, const char *title, int64_t count, const double *y,
                                bool logarithmic)
{
    CHECK(path && count >= 0 && (y || !count), ARGAND_ARGUMENT, "plot: %s",
          !path ? "no file name to write to" : "no numbers to draw");
    plot p = {.numbers = y, .count = count, .y.logarithmic = logarithmic};
    CHECK(find_range(&p), ARGAND_ARGUMENT, "%s: there is no number to draw: none is finite%s", path,
          logarithmic ? " and above zero" : "");
    ticks_fit(&p.x, 8, true, false);
    ticks_fit(&p.y, 6, false, true);
    argand_status status = canvas_new(&p.picture, WIDTH, HEIGHT, 3, WHITE);
    if (status == ARGAND_OK) {
        draw_axes(&p);
        draw_curve(&p);
        draw_title(&p, title ? title : "");
        status = argand_png_write(path, WIDTH, HEIGHT, p.picture.pixels, 3);
    }
    canvas_free(&p.picture);
    return status;
}
