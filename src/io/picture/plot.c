/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws one curve with axes, such as the residual of each iteration. */
#include <argand/io.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "io/picture/text.h"
#include "io/picture/ticks.h"

enum { WIDTH = 640, HEIGHT = 400, MARGIN = 12, TICK = 6 };
enum { WHITE = 0xFFFFFF, INK = 0x303030, GRID = 0xE4E4E4, FRAME = 0x909090, CURVE = 0x1F5FA8 };

typedef struct plot {
    canvas picture;
    int left, right, top, bottom; /* of the frame, within the picture */
    double text;                  /* font size */
    axis x, y;
    const double *numbers;
    int64_t count;
} plot;

/* Returns true if the point can be drawn: its value is finite and small enough for sums, and above zero on a
 * logarithmic axis. */
static bool drawable(const plot *p, int64_t i)
{
    const double y = p->numbers[i];
    return fabs(y) < 1e300 && (!p->y.logarithmic || y > 1e-300);
}

/* Finds the range of both axes. Returns false if no point can be drawn. */
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

/* Leaves as much space around the frame as the labels take. */
static void place_frame(plot *p)
{
    double widest = 0;
    for (int i = 0; i < p->y.count; i++) widest = fmax(widest, text_width(p->y.label[i], p->text));
    const double last = p->x.count ? text_width(p->x.label[p->x.count - 1], p->text) : 0;
    p->left = 2 * MARGIN + TICK + (int)ceil(widest);
    p->right = WIDTH - MARGIN - (int)ceil(last / 2);
    p->top = 2 * MARGIN + (int)text_row_height(p->text);
    p->bottom = HEIGHT - 2 * MARGIN - (int)text_row_height(p->text);
}

static double across(const plot *p, double x)
{
    return p->left + ticks_place(&p->x, x) * (p->right - p->left);
}

static double down(const plot *p, double y)
{
    return p->bottom - ticks_place(&p->y, y) * (p->bottom - p->top);
}

/* Draws the marks of the x axis. A label that would touch the one before is left out. */
static argand_status draw_x_axis(plot *p)
{
    double free = 0;
    for (int i = 0; i < p->x.count; i++) {
        const int x = (int)lround(across(p, p->x.at[i]));
        const double width = text_width(p->x.label[i], p->text), from = x - width / 2;
        canvas_box(&p->picture, x, p->top, 1, p->bottom - p->top, GRID);
        canvas_box(&p->picture, x, p->bottom, 1, TICK, FRAME);
        if (from < free) continue;
        TRY(text_draw(&p->picture, from, p->bottom + TICK + round(1.2 * p->text), p->text, INK,
                      p->x.label[i]));
        free = from + width + p->text / 2;
    }
    return ARGAND_OK;
}

static argand_status draw_y_axis(plot *p)
{
    for (int i = 0; i < p->y.count; i++) {
        const int y = (int)lround(down(p, p->y.at[i]));
        const double from = p->left - MARGIN - text_width(p->y.label[i], p->text);
        canvas_box(&p->picture, p->left, y, p->right - p->left, 1, GRID);
        canvas_box(&p->picture, p->left - TICK, y, TICK, 1, FRAME);
        TRY(text_draw(&p->picture, from, y + round(0.36 * p->text), p->text, INK, p->y.label[i]));
    }
    return ARGAND_OK;
}

static argand_status draw_axes(plot *p)
{
    TRY(draw_x_axis(p));
    TRY(draw_y_axis(p));
    canvas_box(&p->picture, p->left, p->top, 1, p->bottom - p->top, FRAME);
    canvas_box(&p->picture, p->left, p->bottom, p->right - p->left + 1, 1, FRAME);
    return ARGAND_OK;
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

/* Draws the title over the frame, smaller if it is long, and cut if it is too long at the least size. */
static argand_status draw_title(plot *p, const char *title)
{
    const double space = WIDTH - 2 * MARGIN;
    double size = p->text;
    while (text_width(title, size) > space && size > text_size(0)) size = text_size(size - 1);
    text_block block;
    text_break(&block, title, size, space, 1);
    const double width = text_width(block.row[0], size);
    const double centred = (p->left + p->right - width) / 2.0;
    const double x = fmax(MARGIN, fmin(centred, WIDTH - MARGIN - width));
    return text_draw(&p->picture, x, MARGIN + round(p->text), size, INK, block.row[0]);
}

static argand_status draw(plot *p, const char *title)
{
    TRY(draw_axes(p));
    draw_curve(p);
    return draw_title(p, title);
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
    p.text = text_size(HEIGHT / 26.0);
    place_frame(&p);
    argand_status status = canvas_new(&p.picture, WIDTH, HEIGHT, 3, WHITE);
    if (status == ARGAND_OK) status = draw(&p, title ? title : "");
    if (status == ARGAND_OK) status = argand_png_write(path, WIDTH, HEIGHT, p.picture.pixels, 3);
    canvas_free(&p.picture);
    return status;
}
