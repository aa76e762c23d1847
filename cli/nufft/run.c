/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the shapes of both sides from those of the files, and computes the transforms in groups of
 * vectors. */
#include "nufft/nufft.h"
#include "common/path.h"
#include "files/shape.h"

#include <stdlib.h>
#include <string.h>

enum { GROUP = 8 }; /* vectors in one call of the library */

/* Both sides as {inner dimensions..., vectors}. */
typedef struct nufft_job {
    const nufft_settings *s;
    int type;
    argand_device *device;
    report *out;
    argand_type number;
    bool real; /* images are real */
    point_file points, targets;
    int rank;
    int64_t n[3];
    int64_t vectors;
    int vector_rank;
    int64_t vector_dims[ARGAND_MAX_RANK];
    argand_nufft *plan;
    argand_nufft3 *plan3;
    double expected_error;
} nufft_job;

/* Counts the dimensions of the input from `first` on as vectors. */
static void set_vectors(nufft_job *j, const argand_array *in, int first)
{
    j->vectors = 1;
    for (int i = first; i < argand_array_rank(in); i++)
        j->vectors *= j->vector_dims[j->vector_rank++] = argand_array_dim(in, i);
    while (j->vector_rank && j->vector_dims[j->vector_rank - 1] == 1) j->vector_rank--;
}

/* Finds the dimensions of `in` that are the points of the file: as many as give their number, after an
 * optional first dimension of 1, as in BART's samples. */
static argand_status find_points(nufft_job *j, const argand_array *in, const point_file *p)
{
    char shape[256], points[256];
    int64_t dims[ARGAND_MAX_RANK], count = 1;
    const int rank = argand_array_rank(in);
    int used = 0;
    for (int i = 0; i < rank; i++) dims[i] = argand_array_dim(in, i);
    if (p->count > 1 && rank > 1 && dims[0] == 1) used++;
    while (used < rank && count < p->count) count *= dims[used++];
    if (count == p->count) {
        if (!used) used = rank > 0;
        set_vectors(j, in, used);
        return ARGAND_OK;
    }
    return report_error(ARGAND_ARGUMENT,
                        "%s: %s does not go with %s %s of %s points: its first axes (NumPy's last) are those "
                        "of the points, further ones count vectors",
                        j->s->input, shape_text(shape, sizeof shape, j->s->input, rank, dims), p->named,
                        p->path, shape_text(points, sizeof points, p->path, p->rank, p->dims));
}

/* Type 2: the image has an axis for each component. */
static argand_status find_image(nufft_job *j, const argand_array *in)
{
    if (j->s->size.rank)
        return report_error(
            ARGAND_ARGUMENT,
            "--size is for type 1 only; type 2 takes the size of the image %s: leave --size out",
            j->s->input);
    for (int axis = 0; axis < j->points.components; axis++) j->n[axis] = argand_array_dim(in, axis);
    set_vectors(j, in, j->points.components);
    return ARGAND_OK;
}

static argand_status find_size(nufft_job *j)
{
    const int wanted = j->points.components, given = j->s->size.rank;
    if (!given)
        return report_error(ARGAND_ARGUMENT, "--type 1: give the size of the image, like --size %s",
                            wanted == 1   ? "256"
                            : wanted == 2 ? "256x256"
                                          : "128x128x128");
    if (given > wanted || (given < wanted && !(wanted == 3 && given == 2)))
        return report_error(ARGAND_ARGUMENT,
                            "--size has %d axes, but --points %s has %d components; both must agree", given,
                            j->points.path, wanted);
    for (int axis = 0; axis < 3; axis++) j->n[axis] = axis < given ? j->s->size.n[axis] : 1;
    return ARGAND_OK;
}

static argand_status find_shapes(nufft_job *j, const argand_array *in)
{
    if (j->type == 1) TRY(find_size(j));
    TRY(j->type == 2 ? find_image(j, in) : find_points(j, in, &j->points));
    if (j->type == 3 && j->targets.components != j->points.components)
        return report_error(ARGAND_ARGUMENT,
                            "--targets %s has %d components, but --points %s has %d; both must agree",
                            j->targets.path, j->targets.components, j->points.path, j->points.components);
    j->rank = j->points.components;
    /* on an axis of one pixel r is 0, whatever k is, as in BART's flat images */
    while (j->type != 3 && j->rank > 1 && j->n[j->rank - 1] == 1) j->rank--;
    return ARGAND_OK;
}

static void note_cartesian(const nufft_job *j, int axes)
{
    for (int axis = 0; axis < j->rank; axis++)
        if (axes >> axis & 1)
            report_note(j->out, "All points lie on the grid along %c: that axis is an FFT without a window.",
                        "xyz"[axis]);
}

static argand_nufft_units units_of(const nufft_settings *s)
{
    return s->units ? ARGAND_NUFFT_RADIANS : ARGAND_NUFFT_CYCLES;
}

static argand_status make_plan_to_points(nufft_job *j, int sign)
{
    const nufft_settings *s = j->s;
    const argand_nufft3_options o = {.type = j->number,
                                     .rank = j->rank,
                                     .tolerance = s->tolerance,
                                     .oversampling = s->oversampling,
                                     .sign = sign,
                                     .units = units_of(s),
                                     .wait_for_kernels = true};
    argand_nufft3_info info;
    TRY(argand_nufft3_create(&j->plan3, j->device, &o));
    TRY(argand_nufft3_set_points(j->plan3, j->points.at, j->targets.at));
    argand_nufft3_describe(j->plan3, &info);
    j->expected_error = info.expected_error;
    return ARGAND_OK;
}

static argand_status make_plan_of_image(nufft_job *j, int sign)
{
    const nufft_settings *s = j->s;
    const argand_nufft_options o = {.type = j->number,
                                    .rank = j->rank,
                                    .n = {j->n[0], j->n[1], j->n[2]},
                                    .tolerance = s->tolerance,
                                    .oversampling = s->oversampling,
                                    .sign = sign,
                                    .units = units_of(s),
                                    .order = s->order ? ARGAND_NUFFT_FFT_ORDER : ARGAND_NUFFT_CENTRED,
                                    .real_image = j->real,
                                    .every_pixel = s->every_pixel,
                                    .wait_for_kernels = true};
    argand_nufft_info info;
    TRY(argand_nufft_create(&j->plan, j->device, &o));
    TRY(argand_nufft_set_points(j->plan, j->points.at));
    argand_nufft_describe(j->plan, &info);
    note_cartesian(j, info.cartesian);
    j->expected_error = info.expected_error;
    return ARGAND_OK;
}

/* Makes the plan. Its sign is that of apply; type 1 calls the adjoint, which has the other one. */
static argand_status make_plan(nufft_job *j)
{
    const int wanted = j->s->sign == 0 ? 0 : j->s->sign == 1 ? -1 : 1, sign = j->type == 1 ? -wanted : wanted;
    return j->type == 3 ? make_plan_to_points(j, sign) : make_plan_of_image(j, sign);
}

/* ---- transforms ---- */

static argand_status apply_group(const nufft_job *j, argand_array *to, const argand_array *from)
{
    if (j->type == 3) return argand_nufft3_apply(j->plan3, to, from);
    return j->type == 1 ? argand_nufft_adjoint(j->plan, to, from) : argand_nufft_apply(j->plan, to, from);
}

/* Transforms all vectors; out and in are {inner..., vectors}. */
static argand_status apply_all(const nufft_job *j, const argand_array *out, const argand_array *in)
{
    argand_status status = ARGAND_OK;
    const int last_out = argand_array_rank(out) - 1, last_in = argand_array_rank(in) - 1;
    for (int64_t first = 0; first < j->vectors && !status; first += GROUP) {
        const int64_t count = j->vectors - first < GROUP ? j->vectors - first : GROUP;
        argand_array *to = NULL, *from = NULL;
        status = argand_array_part(&to, out, last_out, first, count);
        if (!status) status = argand_array_part(&from, in, last_in, first, count);
        if (!status) status = apply_group(j, to, from);
        if (!status) status = argand_device_wait(j->device);
        argand_array_destroy(from);
        argand_array_destroy(to);
        report_progress(j->out, (double)(first + count), (double)j->vectors);
        if (!status && interrupted()) status = ARGAND_STOPPED;
    }
    return status;
}

/* Returns the rank and dims that the plan needs: {n..., vectors} for images, {points, vectors} otherwise. */
static int plan_dims(const nufft_job *j, bool output, int64_t dims[4])
{
    const bool image = output == (j->type == 1) && j->type != 3;
    int rank = 0;
    if (image)
        for (; rank < j->rank; rank++) dims[rank] = j->n[rank];
    else
        dims[rank++] = output && j->type == 3 ? j->targets.count : j->points.count;
    dims[rank++] = j->vectors;
    return rank;
}

/* Finds the dimensions of the file: the image's axes or those of the points, then those of the vectors. */
static argand_status file_dims(const nufft_job *j, int *rank, int64_t dims[ARGAND_MAX_RANK])
{
    int64_t all[3 * ARGAND_MAX_RANK];
    int count = 0;
    const point_file *p = j->type == 3 ? &j->targets : &j->points;
    if (j->type == 1)
        for (int axis = 0; axis < j->points.components; axis++) all[count++] = j->n[axis];
    if (j->type != 1 && has_ending(j->s->output, ".cfl"))
        all[count++] = 1; /* BART's samples have a first dimension of 1 */
    if (j->type != 1)
        for (int i = 0; i < p->rank; i++) all[count++] = p->dims[i];
    while (count > 1 && all[count - 1] == 1 && !j->vector_rank) count--;
    for (int i = 0; i < j->vector_rank; i++) all[count++] = j->vector_dims[i];
    if (count > ARGAND_MAX_RANK)
        return report_error(ARGAND_ARGUMENT, "%s would have %d axes, and there are at most %d", j->s->output,
                            count, ARGAND_MAX_RANK);
    memcpy(dims, all, (size_t)count * sizeof *dims);
    *rank = count;
    return ARGAND_OK;
}

/* Returns the number type of IN or OUT in the plan; images may be real. */
static argand_type number_at(const nufft_job *j, bool output)
{
    const bool image = j->type != 3 && output == (j->type == 1);
    if (!image || !j->real) return j->number;
    return j->number == ARGAND_C64 ? ARGAND_R64 : ARGAND_R32;
}

static argand_status transform(argand_array **out, const nufft_job *j, const argand_array *stored)
{
    argand_array *in = NULL, *shaped = NULL, *result = NULL;
    int64_t dims[4];
    int rank = plan_dims(j, false, dims);
    argand_status status = argand_array_create(&in, j->device, number_at(j, false), rank, dims);
    if (!status) status = argand_array_reshape(&shaped, stored, rank, dims);
    if (!status) status = argand_array_copy(in, shaped);
    rank = plan_dims(j, true, dims);
    if (!status) status = argand_array_create(&result, j->device, number_at(j, true), rank, dims);
    report_stage(j->out, "transforming");
    if (!status) status = apply_all(j, result, in);
    report_stage_end(j->out);
    int64_t shape[ARGAND_MAX_RANK];
    int shape_rank = 0;
    if (!status) status = file_dims(j, &shape_rank, shape);
    if (!status) status = argand_array_reshape(out, result, shape_rank, shape);
    argand_array_destroy(result);
    argand_array_destroy(shaped);
    argand_array_destroy(in);
    return status;
}

/* ---- files ---- */

static void print_result(const nufft_job *j, const argand_array *out)
{
    char shape[256], json[600], quoted[4200];
    report_note(j->out, "%s: %s, %s; type %d, %lld point%s, relative error up to %.1e expected", j->s->output,
                shape_of_array(shape, sizeof shape, j->s->output, out), argand_type_name(number_at(j, true)),
                j->type, (long long)j->points.count, plural_s(j->points.count), j->expected_error);
    report_result(j->out,
                  "\"output\":%s,%s,\"type\":\"%s\",\"nufft_type\":%d,\"points\":%lld,"
                  "\"targets\":%lld,\"vectors\":%lld,\"expected_error\":%.3g",
                  json_string(quoted, sizeof quoted, j->s->output),
                  shape_json(json, sizeof json, j->s->output, out), argand_type_name(number_at(j, true)),
                  j->type, (long long)j->points.count, (long long)(j->type == 3 ? j->targets.count : 0),
                  (long long)j->vectors, j->expected_error);
}

static argand_type number_of(const nufft_settings *s, const argand_array *in)
{
    const argand_type type = argand_array_type(in);
    const bool twice = s->precision ? s->precision == 2 : type == ARGAND_C64 || type == ARGAND_R64;
    return twice ? ARGAND_C64 : ARGAND_C32;
}

static bool is_real(const argand_array *in)
{
    const argand_type type = argand_array_type(in);
    return type == ARGAND_R32 || type == ARGAND_R64;
}

/* Notes the order that was taken for the components of a .npy, and that an image of several axes is
 * transformed along one. */
static void note_order(const nufft_job *j, const point_file *p, const argand_array *in)
{
    int axes = 0;
    for (int i = 0; i < argand_array_rank(in); i++) axes += argand_array_dim(in, i) > 1;
    if (j->type == 2 && p->components == 1 && axes > 1)
        report_note(j->out,
                    "%s: its positions have one component: %s is transformed along its fastest axis, x.",
                    p->path, j->s->input);
    if (j->s->k_order || p->components < 2 || !has_ending(p->path, ".npy")) return;
    report_note(j->out, "%s: its components are %s, the order of NumPy's axes (--k-order xyz: x first).",
                p->path, p->components == 2 ? "y, x" : "z, y, x");
}

argand_status nufft_files(const nufft_settings *s, int type, argand_device *device, report *out)
{
    nufft_job j = {.s = s, .type = type, .device = device, .out = out, .n = {1, 1, 1}};
    const argand_k_order k_order = (argand_k_order)s->k_order;
    argand_array *in = NULL, *result = NULL;
    report_stage(out, "reading");
    argand_status status = argand_array_read(&in, s->input, device);
    if (!status) status = points_read(&j.points, "--points", s->points, k_order);
    if (!status && type == 3) status = points_read(&j.targets, "--targets", s->targets, k_order);
    if (!status) note_order(&j, &j.points, in);
    if (!status) status = find_shapes(&j, in);
    if (!status) j.number = number_of(s, in);
    if (!status) j.real = type == 2 ? is_real(in) : s->real;
    report_stage(out, "sorting the points");
    if (!status) status = make_plan(&j);
    if (!status && interrupted()) status = ARGAND_STOPPED;
    if (!status) status = transform(&result, &j, in);
    report_stage(out, "writing");
    if (!status) status = argand_array_write(s->output, result);
    report_stage_end(out);
    if (!status) print_result(&j, result);
    argand_nufft3_destroy(j.plan3);
    argand_nufft_destroy(j.plan);
    points_free(&j.targets);
    points_free(&j.points);
    argand_array_destroy(result);
    argand_array_destroy(in);
    return status;
}
