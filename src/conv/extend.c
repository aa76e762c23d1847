/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills a box of an image, including what lies beyond its borders, by copies. This serves borders that the
 * FFT engine's windows do not support, and tiles. Along each axis a box consists of a few runs:
 * consecutive elements (forwards, backwards, or one repeated), a constant, or zeros. If several axes lie
 * beyond the image, zero takes precedence over the constant, and the constant over copies. */
#include "conv/extend.h"

typedef struct run {
    int64_t to, from, count, step; /* to: positions in the box; from: elements of the image */
    argand_border rule;            /* ZERO and CONSTANT are filled; the others are copied */
} run;

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Returns the longest run of at most `left` positions that begins at position i. */
static run run_at(const conv_axis *a, int64_t i, int64_t left)
{
    const argand_border rule = i < 0 ? a->before : a->after;
    const int64_t count = i < 0 ? least(left, -i) : left, element = conv_axis_element(a, i);
    if (i >= 0 && i < a->n) return (run){0, i, least(left, a->n - i), 1, ARGAND_BORDER_WRAP};
    if (rule == ARGAND_BORDER_ZERO || rule == ARGAND_BORDER_CONSTANT) return (run){0, 0, count, 0, rule};
    if (rule == ARGAND_BORDER_CLAMP) return (run){0, element, count, 0, rule};
    const bool back = rule == ARGAND_BORDER_MIRROR && (i % (2 * a->n) + 2 * a->n) % (2 * a->n) >= a->n;
    return (run){0, element, least(count, back ? element + 1 : a->n - element), back ? -1 : 1, rule};
}

/* Makes a view of the part of an array that the runs cover: of the image (at `from`, by `step`) or of the
 * box (at `to`). */
static argand_status part(argand_array **view, const argand_array *x, const conv_box *b, const run *runs,
                          bool is_image, const int64_t *origin)
{
    argand_array v = *x;
    int64_t offset = 0;
    for (int d = 0; d < b->c->options.rank; d++) {
        v.dims[d] = runs[d].count;
        offset += ((is_image ? runs[d].from : runs[d].to) - (origin ? origin[d] : 0)) * x->strides[d];
        if (is_image) v.strides[d] = runs[d].step * x->strides[d];
    }
    return argand_array_view(view, x, v.rank, v.dims, v.strides, offset);
}

static argand_status copy_part(const conv_box *b, argand_array *to, const argand_array *image,
                               const run *runs, const int64_t *origin)
{
    argand_array *x;
    TRY(part(&x, image, b, runs, true, origin));
    const argand_status status = argand_array_copy(to, x);
    argand_array_destroy(x);
    return status;
}

argand_status conv_box_array(argand_array **box, const conv_box *b, argand_type type, const int64_t *count)
{
    const argand_conv_options *o = &b->c->options;
    int64_t dims[4];
    int rank = 0;
    if (o->interleaved) dims[rank++] = o->channels;
    for (int d = 0; d < o->rank; d++) dims[rank++] = count[d];
    if (!o->interleaved) dims[rank++] = o->channels;
    return array_scratch(box, b->host, type, rank, dims);
}

/* Reads the elements of the runs through the caller's read function. */
static argand_status read_part(const conv_box *b, argand_array *to, const run *runs)
{
    argand_array *elements, view;
    int64_t first[3] = {0, 0, 0}, count[3] = {1, 1, 1};
    for (int d = 0; d < b->c->options.rank; d++) {
        first[d] = runs[d].step < 0 ? runs[d].from - runs[d].count + 1 : runs[d].from;
        count[d] = runs[d].step ? runs[d].count : 1;
    }
    TRY(conv_box_array(&elements, b, b->c->options.in_type, count));
    argand_status status = argand_device_wait(b->host);
    if (status == ARGAND_OK) status = b->read(b->context, elements, first, b->number);
    conv_order_dims(&view, elements, &b->c->options);
    view.rank = to->rank;
    if (status == ARGAND_OK) status = copy_part(b, to, &view, runs, first);
    argand_array_destroy(elements);
    return status;
}

static argand_status fill_part(const conv_box *b, argand_array *box, const run *runs)
{
    bool zero = false, constant = false;
    argand_array *to;
    argand_status status;
    for (int d = 0; d < 3; d++) {
        zero = zero || runs[d].rule == ARGAND_BORDER_ZERO;
        constant = constant || runs[d].rule == ARGAND_BORDER_CONSTANT;
    }
    TRY(part(&to, box, b, runs, false, NULL));
    if (zero || constant)
        status = argand_array_fill(to, zero ? (argand_scalar){0, 0} : b->c->options.constant);
    else
        status = b->image ? copy_part(b, to, b->image, runs, NULL) : read_part(b, to, runs);
    argand_array_destroy(to);
    return status;
}

/* Returns the run of axis d that begins at position `at` of the box. */
static run run_of(const conv_box *b, const argand_array *box, int d, int64_t at)
{
    if (d >= b->c->options.rank) return (run){0, 0, 1, 1, ARGAND_BORDER_WRAP};
    run r = run_at(&b->c->axis[d], b->first[d] + at, box->dims[d] - at);
    r.to = at;
    return r;
}

argand_status conv_box_fill(const conv_box *b, argand_array *box)
{
    const int rank = b->c->options.rank;
    const int64_t rows = rank > 1 ? box->dims[1] : 1, planes = rank > 2 ? box->dims[2] : 1;
    run r[3];
    for (int64_t z = 0; z < planes; z += r[2].count) {
        r[2] = run_of(b, box, 2, z);
        for (int64_t y = 0; y < rows; y += r[1].count) {
            r[1] = run_of(b, box, 1, y);
            for (int64_t x = 0; x < box->dims[0]; x += r[0].count) {
                r[0] = run_of(b, box, 0, x);
                TRY(fill_part(b, box, r));
            }
        }
    }
    return ARGAND_OK;
}
