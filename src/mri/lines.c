/* SPDX-License-Identifier: BSD-3-Clause */
/* The adjoint of simultaneous slices whose samples lie on equal lines, by sums over samples and lines: seven
 * launches for three slices, where NUFFTs of all coils take a hundred. For GPUs and small images: these are
 * limited by launches, not by operations. */
#include "mri/aliased.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "array/array.h"
#include "base/memory.h"
#include "base/pi.h"
#include "device/device.h"
#include "kernels/params.h"
#include "mri/coils_op.h"
#include "mri/host.h"

/* Items of a group. */
enum { LINE_ITEMS = 64 };

typedef struct lines {
    argand_op *whole;      /* for the other direction */
    argand_array *along;   /* factors along the readout {n, samples} */
    argand_array *across;  /* factors across lines, with the phases of the images {lines, rows, images} */
    argand_array *columns; /* work array {n, lines, coils} */
    argand_array *work;    /* coil images {n, rows, coils} */
    argand_op **coils;     /* of each image */
    int images;
    struct lines_params params;
} lines;

static argand_status apply(void *context, argand_array *y, const argand_array *x)
{
    return argand_op_apply(((const lines *)context)->whole, y, x);
}

static argand_status start(const char *kernel, const argand_array *like, int64_t count,
                           storage *const *memory, int memory_count, struct lines_params *p)
{
    char key[64];
    p->chunk = LINE_ITEMS;
    snprintf(key, sizeof key, "%s REAL=%s ITEMS=%d", kernel, type_is_double(like->type) ? "double" : "float",
             LINE_ITEMS);
    const kernel_run launch = {.key = key,
                               .groups = (count + LINE_ITEMS - 1) / LINE_ITEMS,
                               .memory = memory,
                               .memory_count = memory_count,
                               .params = p,
                               .params_bytes = sizeof *p};
    return kernel_start(argand_array_device(like), &launch);
}

static argand_status combine(const lines *s, argand_array *x, int image)
{
    const int64_t pixels = s->params.n * s->params.rows;
    argand_array *own;
    TRY(argand_array_view(&own, x, 1, &pixels, (int64_t[]){1}, image * pixels));
    const argand_status status = argand_op_adjoint(s->coils[image], own, s->work);
    argand_array_destroy(own);
    return status;
}

static argand_status adjoint(void *context, argand_array *x, const argand_array *y)
{
    const lines *s = context;
    struct lines_params p = s->params;
    p.in = 2 * y->offset;
    TRY(start("lines_columns", y, argand_array_count(s->columns),
              (storage *const[]){s->columns->storage, s->along->storage, y->storage}, 3, &p));
    for (int image = 0; image < s->images; image++) {
        p.factors = 2 * image * p.lines * p.rows;
        TRY(start("lines_rows", y, argand_array_count(s->work),
                  (storage *const[]){s->work->storage, s->across->storage, s->columns->storage}, 3, &p));
        TRY(combine(s, x, image));
    }
    return ARGAND_OK;
}

static void destroy(void *context)
{
    lines *s = context;
    if (!s) return;
    for (int i = 0; i < s->images && s->coils; i++) argand_op_destroy(s->coils[i]);
    memory_free(s->coils);
    argand_array_destroy(s->work);
    argand_array_destroy(s->columns);
    argand_array_destroy(s->across);
    argand_array_destroy(s->along);
    argand_op_destroy(s->whole);
    memory_free(s);
}

/* Writes exp(2 pi i turns). */
static void turn(double *to, double turns)
{
    const double angle = TWO_PI * (turns - rint(turns));
    to[0] = cos(angle);
    to[1] = sin(angle);
}

static argand_status upload(argand_array **out, argand_device *device, argand_type type, int64_t count,
                            const double *values)
{
    TRY(argand_array_create(out, device, type, 1, &count));
    return host_write_complex(*out, values);
}

static argand_status make_along(lines *s, argand_device *device, argand_type type, const double *kx)
{
    const int64_t n = s->params.n, samples = s->params.samples;
    double *f;
    TRY(NEW(f, 2 * n * samples));
    for (int64_t k = 0; k < samples; k++)
        for (int64_t x = 0; x < n; x++) turn(f + 2 * (x + n * k), kx[k] * pixel_centre(x, n));
    const argand_status status = upload(&s->along, device, type, n * samples, f);
    memory_free(f);
    return status;
}

static argand_status make_across(lines *s, argand_device *device, argand_type type, double *const k[3])
{
    const int64_t rows = s->params.rows, count = s->params.lines;
    double *w;
    TRY(NEW(w, 2 * rows * count * s->images));
    for (int64_t i = 0; i < rows * count * s->images; i++) {
        const int64_t line = i % count * s->params.samples, y = i / count % rows, image = i / count / rows;
        turn(w + 2 * i, k[1][line] * pixel_centre(y, rows) + k[2][line] * pixel_centre(image, s->images));
    }
    const argand_status status = upload(&s->across, device, type, rows * count * s->images, w);
    memory_free(w);
    return status;
}

/* Returns the number of samples of each line, if all are alike along axis 0 and constant along the others;
 * otherwise 0. */
static int64_t samples_of_lines(double *const k[3], int64_t count)
{
    int64_t length = 1;
    while (length < count && k[1][length] == k[1][0] && k[2][length] == k[2][0] && k[0][length] != k[0][0])
        length++;
    if (count % length) return 0;
    for (int64_t i = length; i < count; i++) {
        const int64_t first = i / length * length;
        if (k[0][i] != k[0][i - first] || k[1][i] != k[1][first] || k[2][i] != k[2][first]) return 0;
    }
    return length;
}

static argand_status fill(lines *s, argand_op *whole, const aliasing *a, double *const k[3],
                          argand_array *const maps[])
{
    argand_device *device = argand_op_device(whole);
    const argand_type type = maps[0]->type;
    const int64_t pixels = a->n[0] * a->n[1];
    TRY(NEW(s->coils, a->images));
    s->images = a->images;
    s->whole = argand_op_keep(whole);
    for (int i = 0; i < a->images; i++) TRY(coils_op(&s->coils[i], maps[i]));
    TRY(make_along(s, device, type, k[0]));
    TRY(make_across(s, device, type, k));
    TRY(argand_array_create(&s->work, device, type, 2, (int64_t[]){pixels, s->params.coils}));
    return argand_array_create(&s->columns, device, type, 3,
                               (int64_t[]){s->params.n, s->params.lines, s->params.coils});
}

argand_status lines_op(argand_op **op, argand_op *whole, const aliasing *a, double *const k[3], int64_t count,
                       argand_array *const maps[])
{
    const int64_t samples = samples_of_lines(k, count);
    lines *s;
    *op = NULL;
    if (!samples || samples > LINES_MOST || count / samples > LINES_MOST) return ARGAND_OK;
    TRY(NEW(s, 1));
    s->params = (struct lines_params){.n = a->n[0],
                                      .rows = a->n[1],
                                      .samples = samples,
                                      .lines = count / samples,
                                      .coils = argand_array_dim(maps[0], 1)};
    argand_status status = fill(s, whole, a, k, maps);
    const argand_op_definition definition = {.name = "lines",
                                             .domain = *argand_op_domain(whole),
                                             .range = *argand_op_range(whole),
                                             .apply = apply,
                                             .adjoint = adjoint,
                                             .destroy = destroy,
                                             .context = s};
    if (!status) status = argand_op_create(op, argand_op_device(whole), &definition);
    if (status) destroy(s);
    return status;
}
