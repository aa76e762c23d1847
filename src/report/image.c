/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes an image of the report: a description as JSON, and its values as packed codes. */
#include <math.h>
#include <stdio.h>
#include "base/memory.h"
#include "base/pi.h"
#include "io/arrays/transfer.h"
#include "io/picture/window.h"
#include "report/inside.h"
#include "report/quantise.h"
#include "report/reduce.h"

/* Codes cover 16 times the window, so that 12 of 16 bits are left within the window; values beyond are cut
 * off. */
enum { WINDOWS = 16 };

typedef struct picture {
    const argand_report_view *view;
    reduction size;
    int parts;      /* 1: real, 2: complex */
    float *numbers; /* complex values as magnitude and phase */
    int64_t count;  /* number of pixels */
} picture;

static argand_status load(picture *p, const argand_report *r, const argand_array *image)
{
    void *numbers = NULL;
    int64_t from[4] = {1, 1, 1, 1};
    for (int axis = 0; axis < argand_array_rank(image); axis++)
        from[axis < 3 ? axis : 3] *= argand_array_dim(image, axis);
    p->parts = transfer_is_complex(image) ? 2 : 1;
    reduction_choose(&p->size, from, r->numbers_left / (2 * p->parts));
    p->count = p->size.n[0] * p->size.n[1] * p->size.n[2] * p->size.n[3];
    TRY(transfer_out(&numbers, image));
    const reduction_pixels whole = {numbers, transfer_is_double(image), p->parts};
    const argand_status status = reduction_apply(&p->size, &whole, &p->numbers);
    memory_free(numbers);
    return status;
}

static void to_polar(picture *p)
{
    for (int64_t i = 0; i < p->count; i++) {
        float *z = p->numbers + 2 * i;
        const double re = (double)z[0], im = (double)z[1];
        z[0] = (float)hypot(re, im);
        z[1] = (float)atan2(im, re);
    }
}

static code_range range_of(const picture *p, const double window[2])
{
    code_range range = {INFINITY, -INFINITY};
    const double width = window[1] - window[0];
    for (int64_t i = 0; i < p->count; i++) {
        const double number = (double)p->numbers[i * p->parts];
        if (!isfinite(number)) continue;
        range.low = fmin(range.low, number);
        range.high = fmax(range.high, number);
    }
    if (range.low > range.high) return (code_range){0, 1};
    if (width > 0) {
        range.low = fmax(range.low, window[0] - WINDOWS * width);
        range.high = fmin(range.high, window[1] + WINDOWS * width);
    }
    return range;
}

static const char *colours_of(const picture *p, const double window[2])
{
    static const char *const names[] = {"grey", "grey", "signed", "heat", "circle"};
    const argand_report_colours asked = p->view->colours;
    if (asked == ARGAND_COLOURS_AUTO && p->view->map && window[0] < 0) return "signed";
    return names[asked];
}

static argand_status add_part(argand_report *r, const picture *p, int part, const char *name,
                              const double window[2], code_range range, const char *colours)
{
    text *t = &r->images;
    text_add(t, "{\"name\":\"%s\",\"colours\":\"%s\",\"data\":\"pixels-%d\",\"low\":", name, colours,
             r->part_count);
    add_number(t, range.low);
    text_add(t, ",\"high\":");
    add_number(t, range.high);
    text_add(t, ",\"window\":[");
    add_number(t, window[0]);
    text_add(t, ",");
    add_number(t, window[1]);
    text_add(t, "]}");
    text_add(&r->pixels, "<script type=\"application/octet-stream\" id=\"pixels-%d\">", r->part_count++);
    TRY(add_codes(&r->pixels, p->numbers + part, p->count, p->parts, range));
    text_add(&r->pixels, "</script>\n");
    return r->pixels.status;
}

static argand_status choose_window(const picture *p, double window[2])
{
    window[0] = p->view->low;
    window[1] = p->view->high;
    if (window[0] != 0 || window[1] != 0) return ARGAND_OK;
    TRY(window_choose(&window[0], &window[1], p->numbers, (size_t)p->count, (size_t)p->parts));
    if (!(window[1] > window[0])) window[1] = window[0] + 1;
    return ARGAND_OK;
}

static argand_status add_parts(argand_report *r, picture *p)
{
    double window[2];
    if (p->parts == 2) to_polar(p);
    TRY(choose_window(p, window));
    text_add(&r->images, ",\"parts\":[");
    TRY(add_part(r, p, 0, p->parts == 2 ? "magnitude" : "value", window, range_of(p, window),
                 colours_of(p, window)));
    if (p->parts == 2) {
        text_add(&r->images, ",");
        TRY(add_part(r, p, 1, "phase", (double[2]){-PI, PI}, (code_range){-PI, PI}, "circle"));
    }
    text_add(&r->images, "]}");
    return r->images.status;
}

/* Returns the letters of a direction, "L", or "LP" if oblique. LPS: positive towards left, posterior,
 * head. */
static void letters_of(char letters[4], const double direction[3], double sign)
{
    static const char names[3][2] = {{'R', 'L'}, {'A', 'P'}, {'I', 'S'}};
    int used = 0;
    for (int round = 0; round < 3 && used < 2; round++) {
        int best = -1;
        for (int i = 0; i < 3; i++) {
            const bool taken = used && (letters[0] == names[i][0] || letters[0] == names[i][1]);
            if (!taken && (best < 0 || fabs(direction[i]) > fabs(direction[best]))) best = i;
        }
        if (fabs(direction[best]) < 0.3) break;
        letters[used++] = names[best][sign * direction[best] > 0];
    }
    letters[used] = 0;
}

static void add_geometry(text *t, const picture *p)
{
    static const argand_geometry cubes = {.voxel = {1, 1, 1}};
    const argand_geometry *g = p->view->geometry ? p->view->geometry : &cubes;
    const double *directions[3] = {g->read, g->phase, g->slice};
    for (int axis = 0; axis < 3; axis++) {
        const bool good = g->voxel[axis] > 0 && isfinite(g->voxel[axis]);
        text_add(t, axis ? "," : ",\"voxel\":[");
        add_number(t, (good ? g->voxel[axis] : 1) * (double)p->size.step[axis]);
    }
    text_add(t, "],\"ends\":");
    if (!g->valid) text_add(t, "null");
    for (int axis = 0; axis < 3 && g->valid; axis++) {
        char low[4], high[4];
        letters_of(low, directions[axis], -1);
        letters_of(high, directions[axis], 1);
        text_add(t, "%s\"%s\",\"%s\"%s", axis ? "," : "[", low, high, axis == 2 ? "]" : "");
    }
}

static void add_four(text *t, const char *name, const int64_t n[4])
{
    text_add(t, ",\"%s\":[%lld,%lld,%lld,%lld]", name, (long long)n[0], (long long)n[1], (long long)n[2],
             (long long)n[3]);
}

/* Writes the names of the volumes that are shown. */
static void add_volumes(text *t, const picture *p)
{
    const argand_report_view *view = p->view;
    text_add(t, ",\"volumeName\":");
    add_json(t, view->volume_name ? view->volume_name : "volume");
    text_add(t, ",\"volumes\":[");
    for (int64_t i = 0; i < p->size.n[3]; i++) {
        char number[40];
        const int64_t volume = i * p->size.step[3];
        const char *name = view->volumes && volume < view->volume_count ? view->volumes[volume] : NULL;
        snprintf(number, sizeof number, "%lld", (long long)volume + 1);
        if (i) text_add(t, ",");
        add_json(t, name ? name : number);
    }
    text_add(t, "]");
}

static void describe(argand_report *r, const picture *p)
{
    text *t = &r->images;
    text_add(t, "%s{\"title\":", r->image_count ? ",\n" : "");
    add_json(t, p->view->title ? p->view->title : "Image");
    text_add(t, ",\"map\":%s,\"unit\":", p->view->map ? "true" : "false");
    add_json(t, p->view->unit);
    add_four(t, "n", p->size.n);
    add_four(t, "step", p->size.step);
    add_four(t, "from", p->size.from);
    add_geometry(t, p);
    add_volumes(t, p);
}

argand_status argand_report_image(argand_report *r, const argand_array *image, const argand_report_view *view)
{
    static const argand_report_view plain;
    CHECK(r && image, ARGAND_ARGUMENT, "argand_report_image: no %s", r ? "image" : "report");
    picture p = {.view = view ? view : &plain};
    CHECK(p.view->colours >= ARGAND_COLOURS_AUTO && p.view->colours <= ARGAND_COLOURS_CIRCLE, ARGAND_ARGUMENT,
          "argand_report_image: colours %d are not known", (int)p.view->colours);
    CHECK(p.view->volume_count >= 0, ARGAND_ARGUMENT, "argand_report_image: volume_count is %lld",
          (long long)p.view->volume_count);
    const text images = r->images, pixels = r->pixels;
    const int part_count = r->part_count;
    argand_status status = load(&p, r, image);
    if (status == ARGAND_OK) {
        describe(r, &p);
        status = add_parts(r, &p);
    }
    if (status == ARGAND_OK) {
        r->image_count++;
        r->numbers_left -= p.count * p.parts;
    } else { /* undo all that was added for this image */
        r->images.length = images.length;
        r->pixels.length = pixels.length;
        r->images.status = r->pixels.status = ARGAND_OK;
        if (r->images.chars) r->images.chars[images.length] = 0;
        if (r->pixels.chars) r->pixels.chars[pixels.length] = 0;
        r->part_count = part_count;
    }
    memory_free(p.numbers);
    return status;
}
