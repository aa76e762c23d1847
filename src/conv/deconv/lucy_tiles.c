/* SPDX-License-Identifier: BSD-3-Clause */
/* Richardson-Lucy with a limit of memory. The arrays x, image, ratio and 1 / w stay on the host; both
 * convolutions of an iteration go tile by tile (overlap-save) and give the result of one large
 * convolution. The ratio and the update of x are computed when a tile's results are stored. x may be
 * overwritten there, unless total variation still reads it: then a fifth array holds the next x. */
#include <string.h>
#include "base/memory.h"
#include "base/observe.h"
#include "conv/deconv/lucy.h"

struct lucy_tiles {
    argand_conv *blur, *adjoint;
    argand_device *host;
};

/* ---- life ---- */

static argand_status make_conv(argand_conv **conv, const argand_deconv *d, bool is_adjoint)
{
    argand_conv_options o = d->options.conv;
    o.method = ARGAND_CONV_AUTO;
    o.memory /= 2;
    o.interleaved = o.centre_given = false;
    o.batch = 1;
    o.mode = is_adjoint ? ARGAND_CONV_FULL : ARGAND_CONV_VALID;
    o.correlate = o.correlate != is_adjoint;
    for (int i = 0; i < 3; i++) {
        o.border[i] = (argand_conv_border){ARGAND_BORDER_ZERO, ARGAND_BORDER_ZERO};
        if (i < o.rank) o.n[i] = is_adjoint ? d->lucy->n[i] : d->lucy->estimate[i];
    }
    return argand_conv_create(conv, d->conv->device, &o);
}

argand_status lucy_tiles_make(argand_deconv *d)
{
    lucy_tiles *t;
    TRY(NEW(t, 1));
    d->lucy->tiles = t;
    TRY(device_host(&t->host, d->conv->device));
    TRY(make_conv(&t->blur, d, false));
    TRY(make_conv(&t->adjoint, d, true));
    return lucy_array(&d->lucy->weights, d, t->host, d->lucy->estimate, false);
}

void lucy_tiles_release(lucy_tiles *t)
{
    if (!t) return;
    argand_conv_destroy(t->blur);
    argand_conv_destroy(t->adjoint);
    memory_free(t);
}

/* ---- boxes ---- */

/* One convolution: reads `from` (NULL: ones), applies f to the results, writes `to`. */
typedef struct step {
    const argand_deconv *d;
    const argand_array *from;
    argand_array *to;
    argand_access_function f; /* NULL: store the results unchanged */
    argand_accessor accessor; /* parameters of f */
    const argand_array *of;   /* array of f */
    const argand_array *times;
} step;

/* Makes a view of the part of an array {n..., channels} that a box covers. */
static argand_status part(argand_array **view, const argand_array *x, const argand_array *box,
                          const int64_t *first)
{
    int64_t offset = 0;
    for (int i = 0; i < x->rank - 1; i++) offset += first[i] * x->strides[i];
    return argand_array_view(view, x, x->rank, box->dims, x->strides, offset);
}

static argand_status read_box(void *context, argand_array *box, const int64_t first[3], int64_t image)
{
    const step *s = context;
    argand_array *view;
    (void)image;
    if (!s->from) return argand_array_fill(box, (argand_scalar){1, 0});
    TRY(part(&view, s->from, box, first));
    const argand_status status = argand_array_copy(box, view);
    argand_array_destroy(view);
    return status;
}

/* Applies f to row r of a box, in place. */
static void do_row(const step *s, char *numbers, const argand_array *box, const int64_t *first, int64_t r)
{
    const int rank = s->d->conv->options.rank;
    argand_access_run run = {
        .count = box->dims[0], .parameters = s->accessor.parameters, .data = argand_array_data(s->of)};
    run.coordinate[0] = first[0];
    for (int64_t d = 1, rest = r; d <= rank; rest /= box->dims[d++])
        run.coordinate[d] = rest % box->dims[d] + (d < rank ? first[d] : 0);
    s->f(numbers + r * box->dims[0] * (int64_t)argand_type_size(box->type), NULL, &run);
}

static argand_status write_box(void *context, const argand_array *box, const int64_t first[3], int64_t image)
{
    const step *s = context;
    argand_array *to, *times = NULL, numbers = *box;
    (void)image;
    const int64_t rows = argand_array_count(box) / box->dims[0];
    for (int64_t r = 0; r < rows && s->f; r++) do_row(s, argand_array_data(box), box, first, r);
    argand_status status = s->times ? part(&times, s->times, box, first) : ARGAND_OK;
    if (status == ARGAND_OK && times) status = argand_array_multiply(&numbers, times, box, ARGAND_PRODUCT);
    argand_array_destroy(times);
    if (status != ARGAND_OK) return status;
    TRY(part(&to, s->to, box, first));
    status = argand_array_copy(to, box);
    if (status == ARGAND_OK) status = argand_device_wait(s->d->lucy->tiles->host);
    argand_array_destroy(to);
    return status;
}

static argand_status run(const argand_conv *conv, step *s)
{
    return argand_conv_apply_boxes(conv, write_box, read_box, s);
}

/* ---- the kernel ---- */

argand_status lucy_tiles_kernel(argand_deconv *d, const argand_array *kernel)
{
    const lucy_tiles *t = d->lucy->tiles;
    argand_array view;
    conv_order_dims(&view, kernel, &d->conv->options);
    TRY(argand_conv_set_kernel(t->blur, &view));
    TRY(argand_conv_set_kernel(t->adjoint, &view));
    step s = {.d = d, .to = d->lucy->weights};
    TRY(run(t->adjoint, &s));
    return lucy_invert_weights(d->lucy->weights);
}

/* ---- a call ---- */

typedef struct work {
    argand_array *y, *x, *next, *ratio;
} work;

static argand_status iterate(const argand_deconv *d, work *w, double largest)
{
    const lucy *l = d->lucy;
    const int rank = d->conv->options.rank;
    const bool is_double = type_is_double(d->conv->options.type);
    const double least = 1e-7 * (largest > 0 ? largest : 1);
    char text[LUCY_TEXT];
    step forward = {.d = d, .to = w->ratio, .of = w->y, .accessor = lucy_ratio(rank, is_double, text)};
    step adjoint = {.d = d, .from = w->ratio, .times = l->weights};
    adjoint.accessor = lucy_update(rank, is_double, text);
    lucy_parameters(&forward.accessor, l->n, d->options.background, least);
    lucy_parameters(&adjoint.accessor, l->estimate, d->options.total_variation, least * least);
    forward.f = forward.accessor.function;
    adjoint.f = adjoint.accessor.function;
    for (int i = 0; i < d->options.iterations; i++) {
        TRY(observe("iterations", (double)i / d->options.iterations));
        forward.from = adjoint.of = w->x;
        adjoint.to = w->next ? w->next : w->x;
        TRY(run(l->tiles->blur, &forward));
        TRY(run(l->tiles->adjoint, &adjoint));
        argand_array *const x = w->x;
        if (w->next) w->x = w->next;
        if (w->next) w->next = x;
    }
    return ARGAND_OK;
}

static argand_status make_work(work *w, const argand_deconv *d, const argand_array *in)
{
    const lucy *l = d->lucy;
    argand_device *host = l->tiles->host;
    TRY(lucy_array(&w->y, d, host, l->n, true));
    TRY(argand_array_copy(w->y, in));
    TRY(lucy_array(&w->x, d, host, l->estimate, true));
    if (d->options.total_variation > 0) TRY(lucy_array(&w->next, d, host, l->estimate, true));
    return lucy_array(&w->ratio, d, host, l->n, true);
}

argand_status lucy_tiles_image(const argand_deconv *d, argand_array *out, const argand_array *in)
{
    work w = {0};
    double largest;
    argand_status status = make_work(&w, d, in);
    if (status == ARGAND_OK) status = lucy_begin(w.x, w.y, d->options.background, &largest);
    if (status == ARGAND_OK) status = iterate(d, &w, largest);
    if (status == ARGAND_OK) status = lucy_store(d, out, w.x);
    argand_array_destroy(w.ratio);
    argand_array_destroy(w.next);
    argand_array_destroy(w.x);
    argand_array_destroy(w.y);
    return status;
}
