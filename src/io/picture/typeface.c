/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the embedded TrueType file: the glyph of a character (cmap), its width (hmtx) and its outline
 * (glyf). Numbers in the file are big-endian. The file is part of the program and is not checked. */
#include "io/picture/typeface.h"

#include <math.h>
#include <string.h>

enum { MOST_POINTS = 128 }; /* most points of an outline in this file, which has 0 to 3 contours */
enum { ON_OUTLINE = 1, X_BYTE = 2, Y_BYTE = 4, REPEATED = 8, X_SAME = 16, Y_SAME = 32 };
enum { OFFSETS_OF_16_BITS = 1, MORE_PARTS = 32 };

typedef struct point {
    double at[2];
    bool on; /* true: on the outline; false: control point of a parabola */
} point;

/* Converts file units to pixels and adds outlines to a coverage. */
typedef struct pen {
    coverage *onto;
    double scale, x, baseline;
} pen;

static unsigned read16(const uint8_t *bytes)
{
    return (unsigned)bytes[0] << 8 | bytes[1];
}

static int read16_signed(const uint8_t *bytes)
{
    return (int16_t)read16(bytes);
}

static uint32_t read32(const uint8_t *bytes)
{
    return (uint32_t)read16(bytes) << 16 | read16(bytes + 2);
}

static const uint8_t *find_table(const char *tag)
{
    const uint8_t *file = (const uint8_t *)typeface_files[0].bytes, *entry = file + 12;
    while (memcmp(entry, tag, 4)) entry += 16;
    return file + read32(entry + 8);
}

unsigned typeface_glyph(uint32_t code)
{
    const uint8_t *cmap = find_table("cmap"), *format4 = cmap + read32(cmap + 8);
    const unsigned bytes =
        read16(format4 + 6); /* size of each array below, which has one entry per range of characters */
    const uint8_t *ends = format4 + 14, *starts = ends + bytes + 2;
    unsigned range = 0;
    while (range + 2 < bytes && read16(ends + range) < code) range += 2;
    const unsigned start = read16(starts + range);
    if (code < start || code > read16(ends + range)) return 0;
    const unsigned delta = read16(starts + bytes + range);
    const uint8_t *offset = starts + 2 * bytes + range;
    if (!read16(offset)) return (code + delta) & 0xFFFF;
    const unsigned glyph = read16(offset + read16(offset) + 2 * (code - start));
    return glyph ? (glyph + delta) & 0xFFFF : 0;
}

static double units_per_size(void)
{
    return read16(find_table("head") + 18);
}

double typeface_advance(uint32_t code)
{
    const unsigned glyph = typeface_glyph(code), widths = read16(find_table("hhea") + 34);
    return read16(find_table("hmtx") + 4 * (glyph < widths ? glyph : widths - 1)) / units_per_size();
}

static void draw_line(const pen *p, const double from[2], const double to[2])
{
    const double start[2] = {p->x + p->scale * from[0], p->baseline - p->scale * from[1]};
    const double end[2] = {p->x + p->scale * to[0], p->baseline - p->scale * to[1]};
    coverage_edge(p->onto, start, end);
}

/* Draws a parabola as straight lines that deviate from it by less than 1/20 pixel. */
static void draw_curve(const pen *p, const double from[2], const double control[2], const double to[2])
{
    const double bend = p->scale * hypot(from[0] - 2 * control[0] + to[0], from[1] - 2 * control[1] + to[1]);
    const int pieces = 1 + (int)sqrt(bend / (4 * 0.05));
    double here[2] = {from[0], from[1]};
    for (int i = 1; i <= pieces; i++) {
        const double t = (double)i / pieces;
        double next[2];
        for (int d = 0; d < 2; d++)
            next[d] = (1 - t) * (1 - t) * from[d] + 2 * t * (1 - t) * control[d] + t * t * to[d];
        draw_line(p, here, next);
        memcpy(here, next, sizeof here);
    }
}

static point middle(point a, point b)
{
    return (point){{(a.at[0] + b.at[0]) / 2, (a.at[1] + b.at[1]) / 2}, true};
}

/* Draws one contour. Between two consecutive control points, it passes through the point halfway. */
static void draw_contour(const pen *p, const point *points, int count)
{
    const point first = points[0], last = points[count - 1];
    const point start = first.on ? first : last.on ? last : middle(first, last);
    point here = start, control = {.on = true}; /* control.on = true: no control point is pending */
    for (int i = 0; i <= count; i++) {
        const point next = i < count ? points[i] : start;
        const point target = next.on ? next : middle(control, next);
        if (!control.on) draw_curve(p, here.at, control.at, target.at);
        if (control.on && next.on) draw_line(p, here.at, next.at);
        if (next.on || !control.on) here = target;
        control = next;
    }
}

/* Reads the x (d = 0) or y (d = 1) of all points, stored as differences of 0, 8 or 16 bits. */
static const uint8_t *read_positions(point *points, const uint8_t *flags, int count, int d,
                                     const uint8_t *from)
{
    int value = 0;
    for (int i = 0; i < count; i++) {
        const bool same = flags[i] & (d ? Y_SAME : X_SAME);
        if (flags[i] & (d ? Y_BYTE : X_BYTE)) {
            value += same ? *from : -*from; /* here the flag is the sign */
            from++;
        } else if (!same) {
            value += read16_signed(from);
            from += 2;
        }
        points[i].at[d] = value;
    }
    return from;
}

static void draw_simple(const pen *p, const uint8_t *glyph, int contours)
{
    const uint8_t *ends = glyph + 10, *from = ends + 2 * contours;
    const int count = (int)read16(from - 2) + 1;
    from += 2 + read16(from); /* skip the hints; this file has none */
    uint8_t flags[MOST_POINTS];
    point points[MOST_POINTS];
    for (int i = 0; i < count;) {
        const uint8_t flag = *from++;
        for (int times = flag & REPEATED ? 1 + *from++ : 1; times > 0; times--) flags[i++] = flag;
    }
    for (int i = 0; i < count; i++) points[i].on = flags[i] & ON_OUTLINE;
    from = read_positions(points, flags, count, 0, from);
    read_positions(points, flags, count, 1, from);
    for (int contour = 0, first = 0; contour < contours; contour++) {
        const int next = (int)read16(ends + 2 * contour) + 1;
        draw_contour(p, points + first, next - first);
        first = next;
    }
}

static void draw_glyph(const pen *p, unsigned number)
{
    const uint8_t *place = find_table("loca") + 2 * number, *glyph = find_table("glyf") + 2 * read16(place);
    if (read16(place) == read16(place + 2)) return; /* a blank */
    const int contours = read16_signed(glyph);
    if (contours >= 0) {
        draw_simple(p, glyph, contours);
        return;
    }
    unsigned flags = MORE_PARTS;
    for (const uint8_t *part = glyph + 10; flags & MORE_PARTS; part += flags & OFFSETS_OF_16_BITS ? 8 : 6) {
        flags = read16(part);
        const bool wide = flags & OFFSETS_OF_16_BITS;
        const int x = wide ? read16_signed(part + 4) : (int8_t)part[4],
                  y = wide ? read16_signed(part + 6) : (int8_t)part[5];
        const pen shifted = {p->onto, p->scale, p->x + p->scale * x, p->baseline - p->scale * y};
        draw_glyph(&shifted, read16(part + 2));
    }
}

void typeface_trace(coverage *onto, uint32_t code, double size, double x, double baseline)
{
    const pen p = {onto, size / units_per_size(), x, baseline};
    draw_glyph(&p, typeface_glyph(code));
}
