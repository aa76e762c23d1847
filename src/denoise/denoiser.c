/* SPDX-License-Identifier: BSD-3-Clause */
/* The public functions: complex arrays become batches of real images in the model's brightness, and back. */
#include "denoise/onnx.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/text.h"

struct argand_denoiser {
    onnx_model model;
    argand_denoiser_options options;
    char *path;
    text notes;
};

/* How an array is divided into images. A unit is one image of the model's input: of both parts, if these
 * are channels, otherwise of one part. */
typedef struct pixels {
    void *data; /* numbers of the array */
    bool is_double;
    int parts;                      /* numbers of an element */
    int64_t n[3], padded[3], units; /* sizes; sizes as the model takes them */
    double factor;
} pixels;

static argand_status find_pixels(const argand_denoiser *d, const argand_array *x, int space, pixels *p)
{
    const onnx_model *m = &d->model;
    const argand_type type = argand_array_type(x);
    const int rank = argand_array_rank(x);
    *p = (pixels){.data = argand_array_data(x),
                  .is_double = type == ARGAND_C64 || type == ARGAND_R64,
                  .parts = type == ARGAND_C32 || type == ARGAND_C64 ? 2 : 1,
                  .n = {1, 1, 1},
                  .padded = {1, 1, 1}};
    CHECK(p->data, ARGAND_ARGUMENT, "argand_denoiser_run: the arrays must be on the host");
    CHECK(space >= m->axes && space <= rank, ARGAND_ARGUMENT,
          "%s: the model takes images of %d axes, but the image has %d", m->path, m->axes, space);
    p->units = m->channels == 1 ? p->parts : 1;
    for (int axis = 0; axis < rank; axis++) {
        if (axis < m->axes)
            p->n[axis] = argand_array_dim(x, axis);
        else
            p->units *= argand_array_dim(x, axis);
    }
    for (int axis = 0; axis < m->axes; axis++)
        p->padded[axis] = (p->n[axis] + m->multiple - 1) / m->multiple * m->multiple;
    CHECK(m->batch < 2 || p->units % m->batch == 0, ARGAND_ARGUMENT,
          "%s: the model takes %lld images at once, but there are %lld", m->path, (long long)m->batch,
          (long long)p->units);
    return ARGAND_OK;
}

static int64_t reflect(int64_t i, int64_t n)
{
    i %= 2 * n;
    return i < n ? i : 2 * n - 1 - i;
}

/* Copies a channel of a unit to or from the model's image, which is larger if it is padded. */
static void copy_channel(const pixels *p, int64_t unit, int part, float *image, bool from_image)
{
    const int64_t *n = p->n, *to = p->padded, pixels_of = n[0] * n[1] * n[2];
    const int64_t *size = from_image ? n : to;
    for (int64_t z = 0; z < size[2]; z++)
        for (int64_t y = 0; y < size[1]; y++)
            for (int64_t x = 0; x < size[0]; x++) {
                const int64_t row = reflect(z, n[2]) * n[1] + reflect(y, n[1]);
                const int64_t at = (unit * pixels_of + row * n[0] + reflect(x, n[0])) * p->parts + part;
                float *pixel = &image[(z * to[1] + y) * to[0] + x];
                if (!from_image)
                    *pixel = (float)(p->factor * (p->is_double ? ((const double *)p->data)[at]
                                                               : (double)((const float *)p->data)[at]));
                else if (p->is_double)
                    ((double *)p->data)[at] = p->factor * (double)*pixel;
                else
                    ((float *)p->data)[at] = (float)(p->factor * (double)*pixel);
            }
}

/* Copies the channels of units first ... first + count - 1; the input has `spare` more channels. */
static void copy_units(const onnx_model *m, const pixels *p, int64_t first, int64_t count, int spare,
                       float *images, bool from_images)
{
    const int64_t size = p->padded[0] * p->padded[1] * p->padded[2];
    for (int64_t u = 0; u < count; u++)
        for (int channel = 0; channel < m->channels; channel++) {
            float *image = images + (u * (m->channels + spare) + channel) * size;
            const int64_t unit = m->channels == 1 ? (first + u) / p->parts : first + u;
            const int part = m->channels == 1 ? (int)((first + u) % p->parts) : channel;
            if (part < p->parts)
                copy_channel(p, unit, part, image, from_images);
            else if (!from_images)
                memset(image, 0, (size_t)size * sizeof *image);
        }
}

static void fill_map(const onnx_model *m, const onnx_batch *b, int64_t size)
{
    for (int64_t u = 0; u < b->count; u++)
        for (int64_t i = 0; i < size; i++)
            b->images[(u * (m->channels + 1) + m->channels) * size + i] = b->level;
}

static argand_status run_all(const argand_denoiser *d, pixels *to, pixels *from, float level)
{
    enum { MOST = 8 }; /* images of a run: memory of networks grows with it */
    const onnx_model *m = &d->model;
    const int64_t size = from->padded[0] * from->padded[1] * from->padded[2];
    const int64_t step = m->batch ? m->batch : from->units < MOST ? from->units : MOST;
    onnx_batch b = {.level = level};
    argand_status status = ARGAND_OK;
    memcpy(b.sizes, from->padded, sizeof b.sizes);
    TRY(memory_new(&b.images, memory_product((size_t)size, (size_t)step * 3), sizeof *b.images));
    for (int64_t first = 0; first < from->units && !status; first += step) {
        b.count = from->units - first < step ? from->units - first : step;
        copy_units(m, from, first, b.count, m->has_map, b.images, false);
        if (m->has_map) fill_map(m, &b, size);
        status = model_run(m, &b);
        if (!status) copy_units(m, to, first, b.count, 0, b.images, true);
    }
    memory_free(b.images);
    return status;
}

argand_status argand_denoiser_run(void *denoiser, argand_array *y, const argand_array *x, int space,
                                  double level)
{
    const argand_denoiser *d = denoiser;
    pixels from, to;
    CHECK(d && y && x, ARGAND_ARGUMENT, "argand_denoiser_run: a pointer is NULL");
    TRY(find_pixels(d, x, space, &from));
    TRY(find_pixels(d, y, space, &to));
    CHECK(to.units == from.units && to.is_double == from.is_double && !memcmp(to.n, from.n, sizeof to.n),
          ARGAND_ARGUMENT, "argand_denoiser_run: y has another shape or type than x");
    from.factor = d->options.brightness;
    to.factor = 1 / d->options.brightness;
    return run_all(d, &to, &from, (float)(level * d->options.brightness));
}

static void describe(argand_denoiser *d)
{
    const onnx_model *m = &d->model;
    text_add(&d->notes, "The denoiser %s (ONNX Runtime %s) gets the real and the imaginary part as two %s",
             m->path, m->library->version, m->channels == 2 ? "channels" : "images");
    text_add(&d->notes, ", with bright parts at %g", d->options.brightness);
    if (m->level.name || m->has_map)
        text_add(&d->notes, ", and the level of noise %s: %g of bright parts.\n",
                 m->has_map ? "as one more channel" : "as a second input", d->options.level);
    else
        text_add(&d->notes, ". It has no input for the level of noise, and is used as it is.\n");
    if (m->multiple > 1)
        text_add(&d->notes,
                 "The denoiser takes sizes that %lld divides: images are continued by reflection.\n",
                 (long long)m->multiple);
}

static argand_status check_options(const argand_denoiser_options *o)
{
    CHECK(o->level >= 0 && isfinite(o->level), ARGAND_ARGUMENT,
          "denoiser: level of noise %g; give more than 0, or 0 for 0.05", o->level);
    CHECK(o->weight >= 0 && isfinite(o->weight), ARGAND_ARGUMENT,
          "denoiser: weight %g; give more than 0, or 0 for 1", o->weight);
    CHECK(o->brightness >= 0 && isfinite(o->brightness), ARGAND_ARGUMENT,
          "denoiser: brightness %g; give more than 0, or 0 for 0.5", o->brightness);
    CHECK(o->threads >= 0, ARGAND_ARGUMENT, "denoiser: %d threads; give 1 or more, or 0", o->threads);
    return ARGAND_OK;
}

static argand_status open_denoiser(argand_denoiser *d, const char *path)
{
    const size_t length = strlen(path) + 1;
    TRY(memory_new(&d->path, length, 1));
    memcpy(d->path, path, length);
    TRY(model_open(&d->model, d->path, d->options.threads));
    describe(d);
    return d->notes.status;
}

argand_status argand_denoiser_open(argand_denoiser **denoiser, const char *path,
                                   const argand_denoiser_options *options)
{
    static const argand_denoiser_options defaults;
    argand_denoiser *d;
    CHECK(denoiser, ARGAND_ARGUMENT, "argand_denoiser_open: denoiser is NULL");
    *denoiser = NULL;
    CHECK(path, ARGAND_ARGUMENT, "argand_denoiser_open: path is NULL");
    if (!options) options = &defaults;
    TRY(check_options(options));
    TRY(NEW(d, 1));
    d->options = *options;
    if (d->options.level == 0) d->options.level = 0.05;
    if (d->options.weight == 0) d->options.weight = 1;
    if (d->options.brightness == 0) d->options.brightness = 0.5;
    const argand_status status = open_denoiser(d, path);
    if (status == ARGAND_OK)
        *denoiser = d;
    else
        argand_denoiser_destroy(d);
    return status;
}

const char *argand_denoiser_notes(const argand_denoiser *d)
{
    return d ? text_chars(&d->notes) : "";
}

argand_status argand_denoiser_regularizer(argand_denoiser *d, argand_regularizer *regularizer)
{
    CHECK(d && regularizer, ARGAND_ARGUMENT, "argand_denoiser_regularizer: a pointer is NULL");
    *regularizer = (argand_regularizer){.kind = ARGAND_DENOISER,
                                        .weight = d->options.weight,
                                        .denoise = argand_denoiser_run,
                                        .denoise_context = d,
                                        .level = d->options.level};
    return ARGAND_OK;
}

void argand_denoiser_destroy(argand_denoiser *d)
{
    if (!d) return;
    model_close(&d->model);
    text_free(&d->notes);
    memory_free(d->path);
    memory_free(d);
}
