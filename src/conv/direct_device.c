/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes direct sums on devices by one launch of one kernel, which handles borders and storage types. */
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "conv/direct.h"
#include "kernels/conv/params.h"

enum { SUMS_ITEMS = 256, SUMS_SHARED = 32 << 10, SUMS_UNROLLED = 512, SUMS_KEY = 200 };

static int parts_of(const argand_conv *c)
{
    return type_is_complex(c->options.type) ? 2 : 1;
}

static size_t real_bytes(const argand_conv *c)
{
    return type_is_double(c->options.type) ? sizeof(double) : sizeof(float);
}

static bool fits(const argand_conv *c, const conv_shape *s)
{
    const int64_t kx = c->axis[0].k, ky = c->axis[1].k;
    if (kx >= SUMS_SHARED || ky >= SUMS_SHARED) return false;
    const int64_t reals = (s->wide + kx - 1) * (s->tall + ky - 1) + kx * ky;
    return (size_t)(reals * parts_of(c)) * real_bytes(c) <= SUMS_SHARED &&
           s->rows * ky * parts_of(c) <= SUMS_UNROLLED;
}

/* Returns the group's shape with as many rows as shared memory holds and the compiler can handle. */
conv_shape conv_direct_device_shape(const argand_conv *c)
{
    const bool flat = c->axis[1].out < 4;
    conv_shape s = {.wide = flat ? 256 : 64, .items = SUMS_ITEMS};
    for (s.rows = flat ? 1 : 8; s.rows; s.rows /= 2) {
        s.tall = s.items / s.wide * s.rows;
        if (fits(c, &s)) break;
    }
    return s;
}

argand_status conv_direct_device_can(const argand_conv *c)
{
    CHECK(conv_direct_device_shape(c).rows, ARGAND_UNSUPPORTED,
          "argand_conv_create: a kernel of %lld x %lld taps does not fit into the shared memory of a thread "
          "block; set method to ARGAND_CONV_AUTO",
          (long long)c->axis[0].k, (long long)c->axis[1].k);
    return ARGAND_OK;
}

static void make_key(char key[SUMS_KEY], const argand_conv *c, const conv_shape *s)
{
    snprintf(
        key, SUMS_KEY,
        "conv_sums REAL=%s ITEMS=%d SUMS_PARTS=%d SUMS_KX=%d SUMS_KY=%d SUMS_WIDE=%d SUMS_ROWS=%d SUMS_IN=%d "
        "SUMS_OUT=%d",
        type_is_double(c->options.type) ? "double" : "float", (int)SUMS_ITEMS, parts_of(c), (int)c->axis[0].k,
        (int)c->axis[1].k, (int)s->wide, (int)s->rows, (int)c->options.in_type, (int)c->options.out_type);
}

argand_status conv_direct_device_make(argand_conv *c)
{
    char key[SUMS_KEY];
    const conv_shape s = conv_direct_device_shape(c);
    const int64_t dims[2] = {c->axis[0].k * c->axis[1].k * c->axis[2].k * parts_of(c),
                             c->options.kernel_channels};
    TRY(conv_direct_device_can(c));
    make_key(key, c, &s);
    TRY(argand_array_create(&c->direct->device_taps, c->device,
                            type_is_double(c->options.type) ? ARGAND_R64 : ARGAND_R32, 2, dims));
    return kernel_prepare(c->device, key);
}

static void put(void *numbers, const argand_conv *c, int64_t i, double value)
{
    if (type_is_double(c->options.type))
        ((double *)numbers)[i] = value;
    else
        ((float *)numbers)[i] = (float)value;
}

/* Stores the taps plane by plane, real parts before imaginary parts; the tap at offset d is element high -
 * d. */
static void put_taps(void *numbers, const argand_conv *c, int64_t channel)
{
    const conv_axis *a = c->axis;
    const double *taps = c->taps.at + 2 * channel * c->taps.count, s = c->sharpness;
    const int64_t plane = a[0].k * a[1].k, base = channel * c->taps.count * parts_of(c);
    for (int64_t i = 0; i < c->taps.count; i++) {
        const int64_t u[3] = {i % a[0].k, i / a[0].k % a[1].k, i / a[0].k / a[1].k};
        const bool centre = u[0] == -a[0].low && u[1] == -a[1].low && u[2] == -a[2].low;
        const int64_t to = base + (a[2].k - 1 - u[2]) * plane * parts_of(c) + (a[1].k - 1 - u[1]) * a[0].k +
                           a[0].k - 1 - u[0];
        put(numbers, c, to, (1 - s) * taps[2 * i] + (centre ? s : 0));
        if (parts_of(c) == 2) put(numbers, c, to + plane, (1 - s) * taps[2 * i + 1]);
    }
}

argand_status conv_direct_device_kernel(argand_conv *c)
{
    void *numbers;
    TRY(memory_take(&numbers,
                    memory_product((size_t)(c->taps.count * c->taps.channels * parts_of(c)), real_bytes(c))));
    for (int64_t i = 0; i < c->taps.channels; i++) put_taps(numbers, c, i);
    const argand_status status = argand_array_upload(c->direct->device_taps, numbers);
    memory_free(numbers);
    return status;
}

static INDEX bits_of(const argand_conv *c, double x)
{
    INDEX bits = 0;
    const float single = (float)x;
    uint32_t half;
    memcpy(&half, &single, sizeof half);
    if (type_is_double(c->options.type))
        memcpy(&bits, &x, sizeof x);
    else
        bits = half;
    return bits;
}

static void fill_params(struct conv_sums_params *p, const argand_conv *c, const argand_array *out,
                        const argand_array *in)
{
    const argand_conv_options *o = &c->options;
    *p = (struct conv_sums_params){.in = in->offset,
                                   .result = out->offset,
                                   .channels = o->channels,
                                   .around = {bits_of(c, o->constant.re), bits_of(c, o->constant.im)},
                                   .kernel_step = o->kernel_channels > 1 ? c->taps.count * parts_of(c) : 0,
                                   .planes = (int)c->axis[2].k};
    for (int d = 0; d < 5; d++) {
        const int from = d < 3 ? d : o->rank + d - 3;
        if (d < 3) {
            const conv_axis *a = &c->axis[d];
            p->n[d] = a->n;
            p->out[d] = a->out;
            p->first[d] = a->first - a->high;
            p->before[d] = (int)a->before;
            p->after[d] = (int)a->after;
            if (d >= o->rank) continue;
        }
        p->in_stride[d] = in->strides[from];
        p->out_stride[d] = out->strides[from];
    }
}

argand_status conv_direct_device_apply(const argand_conv *c, argand_array *out, const argand_array *in)
{
    struct conv_sums_params p;
    char key[SUMS_KEY];
    const conv_shape s = conv_direct_device_shape(c);
    storage *const memory[3] = {out->storage, in->storage, c->direct->device_taps->storage};
    CHECK(s.rows, ARGAND_UNSUPPORTED,
          "argand_conv_apply: the kernel has too many taps for direct sums; set method to ARGAND_CONV_AUTO");
    make_key(key, c, &s);
    fill_params(&p, c, out, in);
    p.across = (p.out[0] + s.wide - 1) / s.wide;
    p.down = (p.out[1] + s.tall - 1) / s.tall;
    const kernel_run run = {.key = key,
                            .groups = p.across * p.down * p.out[2] * p.channels * c->options.batch,
                            .memory = memory,
                            .memory_count = 3,
                            .params = &p,
                            .params_bytes = sizeof p};
    return kernel_start(c->device, &run);
}
