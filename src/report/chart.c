/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws the curves of a report over their index, on a logarithmic axis, as SVG that needs no script and
 * prints sharply. Colours come from the page's style.css. */
#include <math.h>
#include "io/picture/ticks.h"
#include "report/inside.h"

enum { WIDTH = 720, HEIGHT = 320, LEFT = 74, RIGHT = 16, TOP = 14, BOTTOM = 46 };
enum { MOST_CURVES = 160, LEGEND = 8, MOST_POINTS = 720, DOTS = 60 };

typedef struct chart {
    text *to;
    axis x, y;
    int64_t every, shown; /* one point for every `every` values; number of points */
} chart;

static bool drawable(double y)
{
    return y > 1e-300 && y < 1e300;
}

/* Finds the ranges of both axes; returns false if there is nothing to draw. */
static bool find_range(chart *c, const argand_report *r)
{
    c->y = (axis){.logarithmic = true, .low = INFINITY, .high = -INFINITY};
    c->x = (axis){.high = 1};
    for (int64_t i = 0; i < r->curve_count; i++)
        for (int64_t k = 0; k < r->curves[i].count; k++) {
            const double y = r->curves[i].y[k];
            if (!drawable(y)) continue;
            c->y.low = fmin(c->y.low, y);
            c->y.high = fmax(c->y.high, y);
            c->x.high = fmax(c->x.high, (double)k);
        }
    return c->y.low <= c->y.high;
}

static double across(const chart *c, double x)
{
    return LEFT + ticks_place(&c->x, x) * (WIDTH - LEFT - RIGHT);
}

static double down(const chart *c, double y)
{
    return HEIGHT - BOTTOM - ticks_place(&c->y, y) * (HEIGHT - TOP - BOTTOM);
}

/* Writes an attribute such as x1="12.3"; one digit after the point is finer than the eye sees. */
static void add_place(text *t, const char *name, double place)
{
    text_add(t, " %s=\"", name);
    add_number(t, round(10 * place) / 10);
    text_add(t, "\"");
}

static void add_line(text *t, const char *class, double x1, double y1, double x2, double y2)
{
    text_add(t, "<line class=\"%s\"", class);
    add_place(t, "x1", x1);
    add_place(t, "y1", y1);
    add_place(t, "x2", x2);
    add_place(t, "y2", y2);
    text_add(t, "/>\n");
}

static void add_label(text *t, const char *anchor, double x, double y, const char *label)
{
    text_add(t, "<text text-anchor=\"%s\"", anchor);
    add_place(t, "x", x);
    add_place(t, "y", y);
    text_add(t, ">");
    add_html(t, label);
    text_add(t, "</text>\n");
}

static void add_axes(const chart *c)
{
    for (int i = 0; i < c->y.count; i++) {
        const double y = down(c, c->y.at[i]);
        add_line(c->to, "grid", LEFT, y, WIDTH - RIGHT, y);
        add_label(c->to, "end", LEFT - 8, y + 4, c->y.label[i]);
    }
    for (int i = 0; i < c->x.count; i++) {
        const double x = across(c, c->x.at[i]);
        add_line(c->to, "grid", x, TOP, x, HEIGHT - BOTTOM);
        add_label(c->to, "middle", x, HEIGHT - BOTTOM + 18, c->x.label[i]);
    }
    add_line(c->to, "axis", LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM);
    add_label(c->to, "middle", LEFT + (WIDTH - LEFT - RIGHT) / 2.0, HEIGHT - 8, "iteration");
}

static void add_points(const chart *c, const report_curve *curve)
{
    const int64_t every = curve->count / MOST_POINTS + 1;
    bool pen = false;
    text_add(c->to, "<path d=\"");
    for (int64_t k = 0; k < curve->count; k++) {
        if (k % every && k + 1 < curve->count) continue;
        if (!drawable(curve->y[k])) {
            pen = false;
            continue;
        }
        text_add(c->to, pen ? "L" : "M");
        add_number(c->to, round(10 * across(c, (double)k)) / 10);
        text_add(c->to, " ");
        add_number(c->to, round(10 * down(c, curve->y[k])) / 10);
        pen = true;
    }
    text_add(c->to, "\"/>\n");
}

/* Draws each iteration as a dot that shows its values under the mouse pointer. */
static void add_dots(const chart *c, const report_curve *curve)
{
    for (int64_t k = 0; k < curve->count && curve->count <= DOTS; k++) {
        if (!drawable(curve->y[k])) continue;
        text_add(c->to, "<circle r=\"3\"");
        add_place(c->to, "cx", across(c, (double)k));
        add_place(c->to, "cy", down(c, curve->y[k]));
        text_add(c->to, "><title>");
        add_html(c->to, curve->name);
        text_add(c->to, ", iteration %lld: ", (long long)k);
        add_number(c->to, curve->y[k]);
        text_add(c->to, "</title></circle>\n");
    }
}

static void add_curve(const chart *c, const report_curve *curve, int64_t place)
{
    text_add(c->to, "<g class=\"curve curve-%d%s\"><title>", (int)(place % LEGEND),
             c->shown > LEGEND ? " many" : "");
    add_html(c->to, curve->name);
    text_add(c->to, "</title>\n");
    add_points(c, curve);
    if (c->shown <= LEGEND) add_dots(c, curve);
    text_add(c->to, "</g>\n");
}

static void add_legend(const chart *c, const argand_report *r)
{
    if (c->shown > LEGEND) {
        text_add(c->to, "<p class=\"small\">%lld curves", (long long)c->shown);
        if (c->every > 1)
            text_add(c->to, " of %lld: one of each %lld", (long long)r->curve_count, (long long)c->every);
        text_add(c->to, "; the mouse over one tells its name.</p>\n");
        return;
    }
    text_add(c->to, "<ul class=\"legend\">\n");
    for (int64_t i = 0; i < r->curve_count; i++) {
        text_add(c->to, "<li class=\"curve-%d\">", (int)(i % LEGEND));
        add_html(c->to, r->curves[i].name);
        text_add(c->to, "</li>\n");
    }
    text_add(c->to, "</ul>\n");
}

argand_status add_chart(text *t, const argand_report *r)
{
    chart c = {.to = t, .every = r->curve_count / (MOST_CURVES + 1) + 1};
    if (!find_range(&c, r)) return t->status;
    c.shown = (r->curve_count + c.every - 1) / c.every;
    ticks_fit(&c.x, 10, true, false);
    ticks_fit(&c.y, 6, false, true);
    text_add(t,
             "<section id=\"convergence\"><h2>Convergence</h2>\n<svg class=\"chart\" viewBox=\"0 0 %d %d\" "
             "role=\"img\" "
             "aria-label=\"Relative residual by iteration, logarithmic\">\n",
             WIDTH, HEIGHT);
    add_axes(&c);
    for (int64_t i = 0; i < r->curve_count; i += c.every) add_curve(&c, &r->curves[i], i / c.every);
    text_add(t, "</svg>\n");
    add_legend(&c, r);
    text_add(t, "</section>\n");
    return t->status;
}
