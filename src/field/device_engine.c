/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine of GPUs: makes a plan's tables on the device, and runs both directions by general or by
 * matrix kernels. */
#include "field/device_engine.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "field/device_table.h"
#include "field/engine.h"

/* Rows longer than this lose digits with 32-bit fractions of a turn. */
enum { LONGEST_ROW = 1 << 14 };

static field_cores wanted_cores = FIELD_CORES_DEFAULT;

void argand_test_field_cores(field_cores wanted)
{
    wanted_cores = wanted;
}

static bool applies(const argand_field *plan, const char **reason)
{
    if (plan->on_host) return false;
    if (field_is_double(plan) && !device_has_double(plan->device)) {
        *reason = "the device has no double precision";
        return false;
    }
    return true;
}

/* ---- what is known of the plan and the device ---- */

static bool any_field(const field_pixels *p)
{
    for (int64_t c = 0; p->turns && c < p->columns; c++)
        if (p->turns[c] != 0) return true;
    return false;
}

static double largest(const void *values, int64_t count, bool is_double)
{
    double most = 0;
    for (int64_t i = 0; values && i < count; i++)
        most = fmax(most, fabs(is_double ? ((const double *)values)[i] : (double)((const float *)values)[i]));
    return most;
}

/* Returns the degree of the polynomial that an axis's sinc needs; 0 without a gradient. */
static int sinc_degree(const argand_field *plan, int axis)
{
    const field_samples *s = &plan->samples;
    double rate = 0, time = 0;
    if (!plan->pixels.gradient[axis]) return 0;
    for (int64_t b = 0; b < s->blocks; b++) {
        time = fmax(time, s->time_max[b]);
        rate = fmax(rate, s->rate_max[axis][b]);
    }
    const double most =
        rate + time * largest(plan->pixels.gradient[axis], plan->pixels.columns, field_is_double(plan));
    if (field_is_double(plan)) return most <= 1 ? 5 : 9;
    return most <= 0.48 ? 3 : most <= 0.8 ? 4 : most <= 1 ? 5 : 9;
}

static double largest_of(const double *values, int64_t count)
{
    double most = 0;
    for (int64_t i = 0; i < count; i++) most = fmax(most, fabs(values[i]));
    return most;
}

/* Returns true if a term's product loses digits in single precision. */
static bool has_large_terms(const argand_field *plan)
{
    const field_samples *s = &plan->samples;
    const field_pixels *p = &plan->pixels;
    for (int i = 0; i < plan->terms && !field_is_double(plan); i++)
        if (largest_of(s->term + i * s->padded, s->count) * largest_of(p->term + i * p->columns, p->columns) >
            4)
            return true;
    return false;
}

/* Small problems take little time anyway, and have few errors to average. */
static int native_of(const argand_field *plan, const device_traits *device)
{
    const double few = 1 << 20;
    if (!device->native_sine || field_is_double(plan)) return 0;
    if ((double)plan->samples.count * (double)plan->pixels.unmasked < few) return 0;
    return plan->terms ? 2 : 1;
}

static field_cores cores_of(const device_traits *device)
{
    const field_cores there = device->matrix == DEVICE_MATRIX_WAVES  ? FIELD_CORES_WARPGROUP
                              : device->matrix == DEVICE_MATRIX_WAVE ? FIELD_CORES_WARP
                                                                     : FIELD_CORES_NONE;
    if (wanted_cores == FIELD_CORES_DEFAULT) return there;
    return wanted_cores < there ? wanted_cores : there;
}

/* A kernel keeps up to four stages in shared memory: of 32 vectors 35 KiB each, of 16 vectors 19. */
static int most_vectors_of(const device_traits *device)
{
    enum { OF_32 = 4 * 35 << 10 };
    return device->matrix != DEVICE_MATRIX_NONE && device->group_memory < OF_32 ? 16 : 32;
}

static argand_status look_at(field_device *d, const argand_field *plan)
{
    const device_traits *t = device_traits_of(plan->device);
    d->units = t->units > 0 ? t->units : 1;
    d->native = native_of(plan, t);
    d->cores = cores_of(t);
    d->most_vectors = most_vectors_of(t);
    d->group_memory = t->group_memory;
    d->field = any_field(&plan->pixels);
    d->decay = plan->pixels.decay != NULL;
    d->gradients = plan->pixels.gradient[0] || plan->pixels.gradient[1] || plan->pixels.gradient[2];
    for (int axis = 0; axis < 3; axis++) d->sinc[axis] = sinc_degree(plan, axis);
    d->careful = has_large_terms(plan);
    d->wide = field_is_double(plan);
    for (int axis = 0; axis < 3; axis++) d->wide = d->wide || plan->n[axis] > LONGEST_ROW;
    CHECK(
        plan->samples.count < INT_MAX - FIELD_BLOCK && plan->n[0] * plan->n[1] * plan->n[2] < INT_MAX / 4,
        ARGAND_UNSUPPORTED, "field: %lld samples of %lldx%lldx%lld pixels are too many for one plan on a GPU",
        (long long)plan->samples.count, (long long)plan->n[0], (long long)plan->n[1], (long long)plan->n[2]);
    return ARGAND_OK;
}

/* Where atomic additions order memory, the last group of each output adds the parts up
 * (kernels/field/last.krn). */
static argand_status make_counters(field_device *d, const argand_field *plan)
{
    enum { SETS = 16 }; /* of vectors at once */
    int32_t *zeros;
    if (!device_traits_of(plan->device)->orders_atomics) return ARGAND_OK;
    d->arrived_count = SETS * (d->blocks > d->pairs.blocks ? d->blocks : d->pairs.blocks);
    TRY(NEW(zeros, d->arrived_count));
    return upload_table(&d->arrived, plan->device, &zeros, (size_t)d->arrived_count * sizeof *zeros);
}

static argand_status create(argand_field *plan)
{
    field_device *d;
    TRY(NEW(d, 1));
    plan->engine_state = d;
    TRY(field_replays_new(&d->replays));
    TRY(look_at(d, plan));
    TRY(field_device_samples(d, plan));
    TRY(field_device_pixels(d, plan));
    return make_counters(d, plan);
}

static void release_layout(const field_layout *l)
{
    storage *const tables[] = {l->pixels,     l->slopes,       l->pixel_source,
                               l->term_space, l->term_records, l->places};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) storage_release(tables[i]);
}

static void destroy(argand_field *plan)
{
    field_device *d = plan->engine_state;
    if (!d) return;
    storage *const tables[] = {d->samples,      d->courses,           d->shapes,       d->sample_source,
                               d->weights,      d->term_time,         d->term_records, d->block_centres,
                               d->block_centre, d->different_centres, d->pairs.slot,   d->pairs.pixel_source,
                               d->arrived};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) storage_release(tables[i]);
    release_layout(&d->direct);
    release_layout(&d->tensor);
    field_replays_free(d->replays);
    memory_free(d);
}

/* ---- runs ---- */

/* Pixels that no slot holds are masked: 0. */
static argand_status clear_masked(const field_run *run, argand_array *image)
{
    const argand_field *plan = run->plan;
    if (plan->pixels.unmasked == plan->n[0] * plan->n[1] * plan->n[2]) return ARGAND_OK;
    return argand_array_fill(image, (argand_scalar){0, 0});
}

static argand_status run_contiguous(const argand_field *plan, argand_array *out, const argand_array *in,
                                    bool forward)
{
    const int64_t of_image = plan->n[0] * plan->n[1] * plan->n[2], of_samples = plan->samples.count;
    const field_device *d = plan->engine_state;
    field_run run = {.plan = plan, .device = d, .forward = forward, .in = in, .out = out};
    run.vectors = (int)(argand_array_count(in) / (forward ? of_image : of_samples));
    run.params = (struct field_params){.in_offset = in->offset,
                                       .in_stride = forward ? of_image : of_samples,
                                       .out_offset = out->offset,
                                       .out_stride = forward ? of_samples : of_image,
                                       .vectors = run.vectors,
                                       .blocks = d->blocks,
                                       .parts = 1,
                                       .weighted = d->weights != NULL,
                                       .centres = d->centres};
    if (!forward) TRY(clear_masked(&run, out));
    return field_tensor_applies(&run) ? field_run_tensor(&run) : field_run_direct(&run);
}

static argand_status packed_like(argand_array **packed, const argand_array *array)
{
    return argand_array_create(packed, argand_array_device(array), array->type, array->rank, array->dims);
}

/* Kernels take contiguous arrays. */
static argand_status run(const argand_field *plan, argand_array *out, const argand_array *in, bool forward)
{
    argand_array *packed_in = NULL, *packed_out = NULL;
    argand_status status;
    if (!argand_array_is_contiguous(in)) {
        TRY_OR_DONE(packed_like(&packed_in, in));
        TRY_OR_DONE(argand_array_copy(packed_in, in));
    }
    if (!argand_array_is_contiguous(out)) TRY_OR_DONE(packed_like(&packed_out, out));
    TRY_OR_DONE(run_contiguous(plan, packed_out ? packed_out : out, packed_in ? packed_in : in, forward));
    if (packed_out) status = argand_array_copy(out, packed_out);
done:
    argand_array_destroy(packed_out);
    argand_array_destroy(packed_in);
    return status;
}

static argand_status apply(const argand_field *plan, argand_array *samples, const argand_array *image)
{
    return run(plan, samples, image, true);
}

static argand_status adjoint(const argand_field *plan, argand_array *image, const argand_array *samples)
{
    return run(plan, image, samples, false);
}

static void print(const argand_field *plan, char *text, size_t size)
{
    static const char *const names[] = {"", ", matrix units by warps", ", matrix units by warpgroups"};
    const field_device *d = plan->engine_state;
    snprintf(text, size, ", %d segments, %s, %d centres%s", d->tensor.segments,
             d->tensor.tiled ? "tiles of 4 x 4" : "rows of 16", d->centres,
             field_is_double(plan) ? "" : names[d->cores]);
}

const field_engine field_engine_device = {
    .name = "device",
    .applies = applies,
    .create = create,
    .apply = apply,
    .adjoint = adjoint,
    .destroy = destroy,
    .print = print,
};
