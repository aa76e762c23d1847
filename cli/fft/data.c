/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads arrays from files, crops or pads them, transforms and writes them. */
#include "fft/transform.h"
#include "common/path.h"
#include "files/shape.h"

#include <stdio.h>
#include <string.h>
#include "convert/convert.h"

/* Returns the offset of `inner` elements in `outer`: 0, or such that the centres floor(n/2) coincide. */
static int64_t offset_of(int64_t outer, int64_t inner, bool centred)
{
    return centred ? outer / 2 - inner / 2 : 0;
}

/* Creates a view of the part of `array` that `other` also has. */
static argand_status common_part(argand_array **view, const argand_array *array, const argand_array *other,
                                 bool centred)
{
    const int rank = argand_array_rank(array);
    argand_status status = ARGAND_OK;
    argand_array *at = NULL;
    for (int i = 0; i < rank && status == ARGAND_OK; i++) {
        const int64_t mine = argand_array_dim(array, i), theirs = argand_array_dim(other, i);
        argand_array *next = NULL;
        status =
            argand_array_part(&next, at ? at : array, i, mine > theirs ? offset_of(mine, theirs, centred) : 0,
                              mine > theirs ? theirs : mine);
        argand_array_destroy(at);
        at = next;
    }
    *view = at;
    return status;
}

static bool serves_as_it_is(const transform_problem *p, const argand_array *stored)
{
    bool same = argand_array_type(stored) == p->in_type && argand_array_is_contiguous(stored);
    for (int i = 0; i < p->dim_count; i++) same = same && argand_array_dim(stored, i) == p->dims[i];
    return same;
}

/* Copies the input into an array of the transform's type and size, padded with zeros. */
static argand_status prepare(argand_array **in, const transform_problem *p, const transform_settings *s,
                             const argand_array *stored)
{
    if (serves_as_it_is(p, stored)) return argand_array_reshape(in, stored, p->dim_count, p->dims);
    argand_array *to = NULL, *from = NULL, *shaped = NULL;
    argand_status status =
        argand_array_create(in, argand_array_device(stored), p->in_type, p->dim_count, p->dims);
    int64_t dims[ARGAND_MAX_RANK];
    for (int i = 0; i < p->dim_count; i++) dims[i] = argand_array_dim(stored, i);
    if (status == ARGAND_OK) status = argand_array_reshape(&shaped, stored, p->dim_count, dims);
    if (status == ARGAND_OK) status = common_part(&to, *in, shaped, s->centred);
    if (status == ARGAND_OK) status = common_part(&from, shaped, *in, s->centred);
    if (status == ARGAND_OK) status = argand_array_copy(to, from);
    argand_array_destroy(to);
    argand_array_destroy(from);
    argand_array_destroy(shaped);
    return status;
}

/* ---- the transform ---- */

enum { PARTS = 20 };
static const int64_t LARGE = INT64_C(1) << 24; /* points, about a second on one core */

/* Returns the lines of a part: batches of large plain transforms are divided, so that progress shows and
 * Ctrl-C works. */
static int64_t part_of(const transform_problem *p)
{
    int64_t points = 1;
    for (int i = 0; i < p->dim_count; i++) points *= p->dims[i];
    if (p->options.axes_given || p->options.batch <= 1 || points < LARGE || p->rank == ARGAND_MAX_RANK)
        return 0;
    return (p->options.batch + PARTS - 1) / PARTS;
}

/* Creates a view with the lengths of input or output, then the batch. */
static argand_status as_batch(argand_array **view, const argand_array *array, const transform_problem *p)
{
    int64_t dims[ARGAND_MAX_RANK];
    for (int i = 0; i < p->rank; i++) dims[i] = argand_array_dim(array, i);
    dims[p->rank] = p->options.batch;
    return argand_array_reshape(view, array, p->rank + 1, dims);
}

static argand_status apply_part(const argand_fft *plan, const argand_array *out, const argand_array *in,
                                int axis, int64_t first, int64_t count, argand_direction direction)
{
    argand_array *to = NULL, *from = NULL;
    argand_status status = argand_array_part(&to, out, axis, first, count);
    if (status == ARGAND_OK) status = argand_array_part(&from, in, axis, first, count);
    if (status == ARGAND_OK) status = argand_fft_apply(plan, to, from, direction);
    argand_array_destroy(to);
    argand_array_destroy(from);
    return status;
}

static argand_status apply_parts(const transform_problem *p, const argand_array *out, const argand_array *in,
                                 argand_direction direction, argand_device *device, int64_t part, report *r)
{
    argand_status status = ARGAND_OK;
    argand_fft *plan = NULL;
    argand_fft_options o = p->options;
    for (int64_t first = 0; first < p->options.batch && status == ARGAND_OK; first += part) {
        const int64_t count = p->options.batch - first < part ? p->options.batch - first : part;
        if (!plan || count != o.batch) {
            argand_fft_destroy(plan);
            o.batch = count;
            status = argand_fft_create(&plan, device, &o);
        }
        if (status == ARGAND_OK) status = apply_part(plan, out, in, p->rank, first, count, direction);
        if (status == ARGAND_OK) status = argand_device_wait(device);
        report_progress(r, (double)(first + count), (double)p->options.batch);
        if (interrupted()) status = ARGAND_STOPPED;
    }
    argand_fft_destroy(plan);
    return status;
}

static argand_status transform(argand_array **out, const transform_problem *p, const transform_settings *s,
                               argand_array *in, argand_device *device, report *r)
{
    const argand_direction direction = s->inverse ? ARGAND_INVERSE : ARGAND_FORWARD;
    const int64_t part = part_of(p);
    argand_fft *plan = NULL;
    argand_array *outs = NULL, *ins = NULL;
    argand_status status = argand_array_create(out, device, p->out_type, p->dim_count, p->out_dims);
    if (status == ARGAND_OK && (!part || s->explain)) status = argand_fft_create(&plan, device, &p->options);
    if (status == ARGAND_OK && s->explain) status = transform_explain(plan, p, s, device, r);
    if (status == ARGAND_OK && part) status = as_batch(&ins, in, p);
    if (status == ARGAND_OK && part) status = as_batch(&outs, *out, p);
    report_stage(r, "transforming");
    if (status == ARGAND_OK && part) status = apply_parts(p, outs, ins, direction, device, part, r);
    if (status == ARGAND_OK && !part) status = argand_fft_apply(plan, *out, in, direction);
    if (status == ARGAND_OK) status = argand_device_wait(device);
    report_stage_end(r);
    argand_array_destroy(ins);
    argand_array_destroy(outs);
    argand_fft_destroy(plan);
    return status;
}

/* ---- files ---- */

/* Writes the result. The geometry describes voxels, so only arrays of unchanged size keep it. */
static argand_status write(const transform_problem *p, const convert_image *image, const argand_array *out,
                           const char *path)
{
    bool same = true;
    for (int i = 0; i < p->dim_count && i < 3; i++)
        same = same && p->out_dims[i] == argand_array_dim(image->array, i);
    if (!path_is_nifti(path)) return argand_array_write(path, out);
    return argand_nifti_write(path, out, same ? &image->geometry : NULL,
                              same ? image->geometry.time_step : 0);
}

static void print_result(const argand_array *out, const char *path, report *r)
{
    char shape[256], json[600], quoted[4200];
    const char *type = argand_type_name(argand_array_type(out));
    report_note(r, "%s: %s, %s", path, shape_of_array(shape, sizeof shape, path, out), type);
    report_result(r, "\"output\":%s,%s,\"type\":\"%s\"", json_string(quoted, sizeof quoted, path),
                  shape_json(json, sizeof json, path, out), type);
}

/* Explains the plan of a file's array without transforming it. */
static argand_status explain_only(const transform_problem *p, const transform_settings *s,
                                  argand_device *device, report *r)
{
    argand_fft *plan;
    argand_status status = argand_fft_create(&plan, device, &p->options);
    if (status == ARGAND_OK) status = transform_explain(plan, p, s, device, r);
    argand_fft_destroy(plan);
    return status;
}

argand_status transform_file(const transform_settings *s, argand_device *device, report *r)
{
    const char *path = s->name_count > 1 ? s->names[1] : NULL;
    const convert_settings reading = {0};
    convert_image image = {.name = s->names[0]};
    transform_problem p;
    argand_array *in = NULL, *out = NULL;
    argand_status status = path ? array_name_check(path) : ARGAND_OK;
    report_stage(r, "reading");
    if (status == ARGAND_OK) status = convert_read(&image, &reading, device, r);
    if (status == ARGAND_OK) status = transform_of_array(&p, s, image.array, image.name);
    if (status == ARGAND_OK && !path) status = explain_only(&p, s, device, r);
    if (status == ARGAND_OK && path) status = prepare(&in, &p, s, image.array);
    if (status == ARGAND_OK && path) status = transform(&out, &p, s, in, device, r);
    if (status == ARGAND_OK && interrupted()) status = ARGAND_STOPPED;
    report_stage(r, "writing");
    if (status == ARGAND_OK && path) status = write(&p, &image, out, path);
    report_stage_end(r);
    if (status == ARGAND_OK && path) print_result(out, path, r);
    argand_array_destroy(in);
    argand_array_destroy(out);
    argand_array_destroy(image.array);
    return status;
}
