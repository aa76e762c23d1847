/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the shapes of a call's arrays and makes views with one order of dimensions, for interleaved and
 * planar channels alike. */
#include "conv/plan.h"

static int64_t wanted_dim(const argand_conv_options *o, const int64_t *n, int64_t channels, int64_t batch,
                          int d)
{
    const int axis = o->interleaved ? d - 1 : d;
    if (d == (o->interleaved ? 0 : o->rank)) return channels;
    if (d == o->rank + 1) return batch;
    return axis < o->rank ? n[axis] : 1;
}

static argand_status check_shape(const argand_conv_options *o, const argand_array *a, const int64_t *n,
                                 int64_t channels, int64_t batch, const char *who, const char *name)
{
    for (int d = 0; d < ARGAND_MAX_RANK; d++) {
        const int64_t wanted = wanted_dim(o, n, channels, batch, d), got = argand_array_dim(a, d);
        CHECK(got == wanted, ARGAND_ARGUMENT, "%s: dimension %d of the %s is %lld, but the plan's has %lld%s",
              who, d, name, (long long)got, (long long)wanted,
              wanted == 1                           ? ""
              : d == (o->interleaved ? 0 : o->rank) ? " (channels)"
              : d == o->rank + 1                    ? " (batch)"
                                                    : "");
    }
    return ARGAND_OK;
}

void conv_order_dims(argand_array *view, const argand_array *a, const argand_conv_options *o)
{
    *view = *a;
    view->rank = o->rank + 2;
    for (int d = 0; d < view->rank; d++) {
        const int from = !o->interleaved || d > o->rank ? d : d < o->rank ? d + 1 : 0;
        view->dims[d] = argand_array_dim(a, from);
        view->strides[d] = from < a->rank ? a->strides[from] : 0;
    }
}

argand_status conv_image_view(argand_array *view, const argand_conv *c, const argand_array *image,
                              bool is_out)
{
    const argand_conv_options *o = &c->options;
    const argand_type type = is_out ? o->out_type : o->in_type;
    const char *name = is_out ? "output" : "input", *who = "argand_conv_apply";
    int64_t n[3];
    for (int d = 0; d < 3; d++) n[d] = is_out ? c->axis[d].out : c->axis[d].n;
    CHECK(o->memory || argand_array_device(image) == c->device, ARGAND_ARGUMENT,
          "%s: the %s lives on another device than the plan", who, name);
    CHECK(image->type == type, ARGAND_ARGUMENT, "%s: the %s is %s, but the plan was made for %s", who, name,
          argand_type_name(image->type), argand_type_name(type));
    TRY(check_shape(o, image, n, o->channels, o->batch, who, name));
    conv_order_dims(view, image, o);
    return ARGAND_OK;
}

argand_array conv_image_of(const argand_array *x, int rank, int64_t number)
{
    argand_array image = *x;
    image.rank = rank + 1;
    image.offset += number * x->strides[rank + 1];
    image.count /= x->dims[rank + 1];
    return image;
}

bool conv_image_part(argand_array *view, const conv_part *part, int rank)
{
    for (int d = 0; d < rank; d++) {
        const int64_t n = view->dims[d], first = part->first[d] > 0 ? part->first[d] : 0;
        const int64_t end = part->count[d] < n - part->first[d] ? part->first[d] + part->count[d] : n;
        if (first >= end) return false;
        view->dims[d] = end - first;
        view->offset += first * view->strides[d];
        view->count = view->count / n * (end - first);
    }
    return true;
}

argand_status conv_kernel_check(const argand_conv *c, const argand_array *kernel)
{
    const argand_conv_options *o = &c->options;
    CHECK(!type_is_storage(kernel->type), ARGAND_ARGUMENT,
          "argand_conv_set_kernel: the kernel's type is %s; give r32, r64, c32 or c64",
          argand_type_name(kernel->type));
    CHECK(!type_is_complex(kernel->type) || type_is_complex(o->type), ARGAND_ARGUMENT,
          "argand_conv_set_kernel: the kernel is complex (%s), but the plan's images are real (%s); give a "
          "real kernel",
          argand_type_name(kernel->type), argand_type_name(o->type));
    return check_shape(o, kernel, o->kernel, o->kernel_channels, 1, "argand_conv_set_kernel", "kernel");
}
