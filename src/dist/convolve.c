/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolves images in slabs: gets the neighbours' planes that the results need, and convolves this rank's
 * part with an ordinary plan that has no borders along that axis. */
#include <argand/dist_conv.h>
#include "base/given.h"
#include "base/memory.h"
#include "conv/plan.h"
#include "device/device.h"
#include "device/range.h"
#include "dist/halo.h"
#include "dist/moved.h"

struct argand_dist_conv {
    argand_comm *comm;
    argand_comm *exchanges; /* that of comm_choose; no reference */
    argand_device *device;
    argand_conv_options options; /* of the whole image, with defaults filled in */
    conv_axis axis;              /* the last axis of the whole image */
    int last;                    /* that axis as a dimension of images */
    halo *ghosts;
    argand_conv *local;     /* NULL without planes */
    argand_array *extended; /* this rank's part with ghosts, kept for all calls */
    halo_call call;
    conv_part inside; /* of it: what is no constant border */
};

/* ---- making ---- */

static int64_t border_plane(int64_t plane, int64_t total, const void *context)
{
    (void)total;
    const int64_t element = conv_axis_element(context, plane);
    return element < 0 ? -1 : element;
}

/* Zeros and the constant beyond the last axis are planes of the local image, whose borders along other axes
 * would continue them. This is what conv.h defines, unless zeros meet a constant. */
static argand_status check_borders(const argand_dist_conv *d)
{
    const argand_conv_options *o = &d->options;
    const bool zero = d->axis.before == ARGAND_BORDER_ZERO || d->axis.after == ARGAND_BORDER_ZERO;
    for (int axis = 0; axis < o->rank - 1 && zero && d->axis.k > 1; axis++)
        CHECK(o->border[axis].before != ARGAND_BORDER_CONSTANT &&
                  o->border[axis].after != ARGAND_BORDER_CONSTANT,
              ARGAND_UNSUPPORTED,
              "dist conv: border zero along axis %d and a constant along axis %d: give both the same",
              o->rank - 1, axis);
    return ARGAND_OK;
}

/* The whole image's options are read by a plan without an engine. */
static argand_status read_options(argand_dist_conv *d, const argand_conv_options *options)
{
    argand_conv *whole = NULL;
    CHECK(options->mode == ARGAND_CONV_SAME, ARGAND_UNSUPPORTED, "dist conv: mode %d: give ARGAND_CONV_SAME",
          (int)options->mode);
    const argand_status status = conv_begin(&whole, d->device, options);
    if (!status) {
        d->options = whole->options;
        d->axis = whole->axis[d->options.rank - 1];
        d->last = d->options.rank - 1 + d->options.interleaved;
    }
    argand_conv_destroy(whole);
    return status ? status : check_borders(d);
}

static argand_status make_local(argand_dist_conv *d)
{
    argand_conv_options o = d->options;
    int64_t dims[5];
    int count = 0;
    o.n[o.rank - 1] = d->ghosts->before + d->ghosts->own + d->ghosts->after;
    if (o.interleaved) dims[count++] = o.channels;
    for (int axis = 0; axis < o.rank; axis++) dims[count++] = o.n[axis];
    if (!o.interleaved) dims[count++] = o.channels;
    dims[count++] = o.batch;
    TRY(conv_create_valid(&d->local, d->device, &o, o.rank - 1));
    return argand_array_create(&d->extended, d->device, o.in_type, count, dims);
}

/* Fills planes of the extended array with the constant around the image. */
static argand_status fill_constant(const argand_dist_conv *d, int64_t at, int64_t count)
{
    argand_array *planes = NULL, *numbers = NULL;
    argand_status status;
    TRY_OR_DONE(argand_array_part(&planes, d->extended, d->last, at, count));
    TRY_OR_DONE(argand_array_create(&numbers, d->device, d->options.type, planes->rank, planes->dims));
    TRY_OR_DONE(argand_array_fill(numbers, d->options.constant));
    status = argand_array_copy(planes, numbers);
done:
    argand_array_destroy(numbers);
    argand_array_destroy(planes);
    return status;
}

/* Planes beyond the image that are no copies keep their value in all calls; zeros are there already. */
static argand_status fill_borders(argand_dist_conv *d)
{
    const halo *h = d->ghosts;
    const int64_t count = h->before + h->own + h->after;
    int64_t first = count, end = 0;
    for (int64_t i = 0; i < count; i++) {
        const int64_t element = conv_axis_element(&d->axis, h->first - h->before + i);
        if (element == -1) TRY(fill_constant(d, i, 1));
        if (element < 0) continue;
        if (i < first) first = i;
        end = i + 1;
    }
    for (int axis = 0; axis < 3; axis++) d->inside.count[axis] = d->options.n[axis];
    d->inside.first[d->options.rank - 1] = first;
    d->inside.count[d->options.rank - 1] = end - first;
    return ARGAND_OK;
}

static argand_status fill(argand_dist_conv *d, const argand_conv_options *options)
{
    TRY(read_options(d, options));
    TRY(halo_create(&d->ghosts, d->exchanges, d->axis.n, d->axis.high, -d->axis.low, border_plane, &d->axis));
    if (!d->ghosts->own) return halo_prepare(&d->call, d->ghosts, NULL, d->last);
    TRY(make_local(d));
    TRY(fill_borders(d));
    return halo_prepare(&d->call, d->ghosts, d->extended, d->last);
}

static argand_status begin(argand_dist_conv **conv, argand_comm *comm, argand_device *device,
                           const argand_conv_options *options)
{
    TRY(check_given("argand_dist_conv_create", conv, device, options));
    TRY(NEW(*conv, 1));
    (*conv)->device = device_keep(device);
    if (comm)
        (*conv)->comm = argand_comm_keep(comm);
    else
        TRY(argand_comm_self(&(*conv)->comm));
    return ARGAND_OK;
}

static argand_status check_same(const argand_dist_conv *d)
{
    const argand_conv_options *o = &d->options;
    double numbers[MOVED_SAME] = {o->type,
                                  o->in_type,
                                  o->out_type,
                                  o->rank,
                                  (double)o->channels,
                                  (double)o->batch,
                                  o->interleaved,
                                  o->correlate,
                                  o->constant.re,
                                  o->constant.im,
                                  (double)o->kernel_channels,
                                  o->normalise,
                                  o->method};
    int count = 13;
    for (int axis = 0; axis < 3; axis++) {
        numbers[count++] = (double)o->n[axis];
        numbers[count++] = (double)o->kernel[axis];
        numbers[count++] = (double)o->centre[axis];
        numbers[count++] = o->border[axis].before;
        numbers[count++] = o->border[axis].after;
        numbers[count++] = o->luminance[axis];
    }
    return moved_same(d->comm, numbers, count, "options of the convolution");
}

argand_status argand_dist_conv_create(argand_dist_conv **conv, argand_comm *comm, argand_device *device,
                                      const argand_conv_options *options)
{
    argand_dist_conv *made = NULL;
    if (conv) *conv = NULL;
    argand_status status = argand_comm_agree(comm, begin(conv ? &made : NULL, comm, device, options));
    if (status == ARGAND_OK) status = comm_choose(&made->exchanges, made->comm, device);
    if (status == ARGAND_OK) status = argand_comm_agree(made->comm, fill(made, options));
    if (status == ARGAND_OK) status = check_same(made);
    if (status == ARGAND_OK)
        *conv = made;
    else
        argand_dist_conv_destroy(made);
    return status;
}

void argand_dist_conv_destroy(argand_dist_conv *d)
{
    if (!d) return;
    halo_release(&d->call);
    argand_array_destroy(d->extended);
    argand_conv_destroy(d->local);
    halo_destroy(d->ghosts);
    argand_device_close(d->device);
    argand_comm_destroy(d->comm);
    memory_free(d);
}

/* ---- calls ---- */

argand_status argand_dist_conv_set_kernel(argand_dist_conv *d, const argand_array *kernel)
{
    CHECK(d, ARGAND_ARGUMENT, "argand_dist_conv_set_kernel: no plan given");
    return argand_comm_agree(d->comm, d->local ? argand_conv_set_kernel(d->local, kernel) : ARGAND_OK);
}

argand_status argand_dist_conv_set_sharpness(argand_dist_conv *d, double s)
{
    CHECK(d, ARGAND_ARGUMENT, "argand_dist_conv_set_sharpness: no plan given");
    return argand_comm_agree(d->comm, d->local ? argand_conv_set_sharpness(d->local, s) : ARGAND_OK);
}

static argand_status check_arrays(const argand_dist_conv *d, const argand_array *out, const argand_array *in)
{
    argand_array shape = *d->extended;
    shape.dims[d->last] = d->ghosts->own;
    CHECK(in && out, ARGAND_ARGUMENT, "argand_dist_conv_apply: no %s given", in ? "output" : "input");
    CHECK(d->local->has_kernel, ARGAND_ARGUMENT,
          "argand_dist_conv_apply: the plan has no kernel yet: call argand_dist_conv_set_kernel first");
    CHECK(in->type == d->options.in_type && argand_array_device(in) == d->device, ARGAND_ARGUMENT,
          "argand_dist_conv_apply: input: %s of the plan's device wanted",
          argand_type_name(d->options.in_type));
    for (int axis = 0; axis < ARGAND_MAX_RANK; axis++) {
        const int64_t wanted = axis < shape.rank ? shape.dims[axis] : 1;
        CHECK(argand_array_dim(in, axis) == wanted, ARGAND_ARGUMENT,
              "argand_dist_conv_apply: input has %lld elements along dimension %d, this rank's part %lld",
              (long long)argand_array_dim(in, axis), axis, (long long)wanted);
    }
    return ARGAND_OK;
}

/* Puts this rank's part between the ghosts. */
static argand_status take_own(const argand_dist_conv *d, const argand_array *in)
{
    argand_array *own = NULL, *whole = NULL;
    argand_status status;
    TRY_OR_DONE(argand_array_part(&own, d->extended, d->last, d->ghosts->before, d->ghosts->own));
    /* trailing dimensions of 1 may be missing */
    int64_t strides[ARGAND_MAX_RANK];
    for (int axis = 0; axis < own->rank; axis++) strides[axis] = argand_array_stride(in, axis);
    TRY_OR_DONE(argand_array_view(&whole, in, own->rank, own->dims, strides, 0));
    status = argand_array_copy(own, whole);
done:
    argand_array_destroy(whole);
    argand_array_destroy(own);
    return status;
}

static argand_status prepare(const argand_dist_conv *d, const argand_array *out, const argand_array *in)
{
    if (!d->local) return ARGAND_OK;
    TRY(check_arrays(d, out, in));
    return take_own(d, in);
}

static argand_status apply(const argand_dist_conv *d, argand_array *out, const argand_array *in)
{
    TRY(argand_comm_agree(d->comm, prepare(d, out, in)));
    argand_status status = halo_fill(&d->call);
    if (!status && d->local)
        status = argand_conv_apply_part(d->local, out, d->extended, d->inside.first, d->inside.count);
    return argand_comm_agree(d->comm, status);
}

argand_status argand_dist_conv_apply(const argand_dist_conv *d, argand_array *out, const argand_array *in)
{
    CHECK(d, ARGAND_ARGUMENT, "argand_dist_conv_apply: no plan given");
    range_push("argand dist convolution");
    return range_end(apply(d, out, in));
}

void argand_dist_conv_describe(const argand_dist_conv *d, argand_dist_conv_info *info)
{
    if (info) *info = (argand_dist_conv_info){0};
    if (!d || !info) return;
    *info = (argand_dist_conv_info){.rank = d->options.rank,
                                    .n = {d->options.n[0], d->options.n[1], d->options.n[2]},
                                    .first = d->ghosts->first,
                                    .planes = d->ghosts->own,
                                    .before = d->ghosts->before,
                                    .after = d->ghosts->after};
    argand_conv_describe(d->local, &info->local);
}
