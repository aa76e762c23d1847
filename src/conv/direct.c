/* SPDX-License-Identifier: BSD-3-Clause */
/* Prepares direct sums for sums.c: tables, taps and the blocks of results. */
#include "conv/direct.h"

#include "base/memory.h"
#include "base/threads/worth.h"
#include "conv/sums.h"

argand_status conv_direct_can(const argand_conv *c)
{
    const argand_conv_options *o = &c->options;
    if (!device_is_host(c->device)) return conv_direct_device_can(c);
    CHECK(o->in_type == o->type && o->out_type == o->type, ARGAND_UNSUPPORTED,
          "argand_conv_create: on a CPU the direct method does not convert storage types (in_type %s, "
          "out_type %s); use ARGAND_CONV_FFT",
          argand_type_name(o->in_type), argand_type_name(o->out_type));
    return ARGAND_OK;
}

static size_t real_bytes(const argand_conv *c)
{
    return type_is_double(c->options.type) ? sizeof(double) : sizeof(float);
}

static argand_status make_elements(conv_direct *direct, const argand_conv *c, int d)
{
    const conv_axis *a = &c->axis[d];
    TRY(NEW(direct->element[d], a->out + a->k - 1));
    for (int64_t t = 0; t < a->out + a->k - 1; t++)
        direct->element[d][t] = conv_axis_element(a, a->first - a->high + t);
    return ARGAND_OK;
}

static argand_status make(argand_conv *c)
{
    const conv_axis *a = c->axis;
    conv_direct *direct;
    TRY(NEW(direct, 1));
    c->direct = direct;
    if (!device_is_host(c->device)) return conv_direct_device_make(c);
    for (int d = 0; d < 3; d++) TRY(make_elements(direct, c, d));
    direct->kernel_step = a[0].k * a[1].k * a[2].k;
    return memory_new(&direct->taps, (size_t)(3 * direct->kernel_step * c->options.kernel_channels),
                      real_bytes(c));
}

static void release(argand_conv *c)
{
    if (!c->direct) return;
    for (int d = 0; d < 3; d++) memory_free(c->direct->element[d]);
    memory_free(c->direct->taps);
    argand_array_destroy(c->direct->device_taps);
    memory_free(c->direct);
    c->direct = NULL;
}

static size_t bytes_of(const argand_conv *c)
{
    const argand_array *taps = c->direct->device_taps;
    if (taps) return (size_t)argand_array_count(taps) * real_bytes(c);
    size_t bytes = (size_t)(3 * c->direct->kernel_step * c->options.kernel_channels) * real_bytes(c);
    for (int d = 0; d < 3; d++) bytes += (size_t)(c->axis[d].out + c->axis[d].k - 1) * sizeof(int64_t);
    return bytes;
}

static void put(const argand_conv *c, int64_t i, double value)
{
    if (type_is_double(c->options.type))
        ((double *)c->direct->taps)[i] = value;
    else
        ((float *)c->direct->taps)[i] = (float)value;
}

/* Stores one channel's taps in reverse order: the tap at offset d = low + u is multiplied with position
 * high - d = k - 1 - u. */
static void put_taps(const argand_conv *c, int64_t channel)
{
    const conv_axis *a = c->axis;
    const double *taps = c->taps.at + 2 * channel * c->taps.count, s = c->sharpness;
    const int64_t step = c->direct->kernel_step, base = 3 * channel * step;
    for (int64_t i = 0; i < c->taps.count; i++) {
        const int64_t u[3] = {i % a[0].k, i / a[0].k % a[1].k, i / a[0].k / a[1].k};
        const bool centre = u[0] == -a[0].low && u[1] == -a[1].low && u[2] == -a[2].low;
        const int64_t to =
            base + ((a[2].k - 1 - u[2]) * a[1].k + a[1].k - 1 - u[1]) * a[0].k + a[0].k - 1 - u[0];
        put(c, to, (1 - s) * taps[2 * i] + (centre ? s : 0));
        put(c, to + step, (1 - s) * taps[2 * i + 1]);
        put(c, to + 2 * step, -(1 - s) * taps[2 * i + 1]);
    }
}

static argand_status take_kernel(argand_conv *c)
{
    if (!device_is_host(c->device)) return conv_direct_device_kernel(c);
    TRY(argand_device_wait(c->device));
    for (int64_t i = 0; i < c->taps.channels; i++) put_taps(c, i);
    c->direct->complex_taps = c->taps.is_complex;
    return ARGAND_OK;
}

/* Chooses the size of blocks and of the gathered input of a block. Rows are padded to whole vectors after
 * the last result. */
static void cut(sums_job *job, const argand_conv *c)
{
    const int64_t vector = SUMS_WIDE * 4 / (int64_t)real_bytes(c); /* results in one vector */
    const int64_t most = 8 * vector;
    job->wide = job->out[0] < most ? job->out[0] : most;
    const int64_t whole = (job->wide + vector - 1) / vector * vector;
    job->box_row = (whole + job->k[0] - 1 + 15) / 16 * 16;
    job->box_plane = job->box_row * (SUMS_TALL + job->k[1] + 1);
    job->box_part = job->box_plane * job->k[2];
    job->scratch_bytes = (size_t)(job->box_part * job->parts) * real_bytes(c);
    job->scratch_bytes = (job->scratch_bytes + 127) / 64 * 64;
}

/* Predicts the nanoseconds of a call: a vector of products takes one, the results and their input some
 * more. */
static double predicted(const argand_conv *c)
{
    const double complex_taps = c->direct->complex_taps ? 2 : 1,
                 parts = type_is_complex(c->options.type) ? 2 : 1, in_vector = 64 / (double)real_bytes(c);
    double results = parts * (double)(c->options.channels * c->options.batch), taps = complex_taps;
    for (int d = 0; d < 3; d++) {
        results *= (double)c->axis[d].out;
        taps *= (double)c->axis[d].k;
    }
    return results * (0.5 + taps / in_vector);
}

/* Describes the sums of a call, but for their scratch memory. */
static sums_job job_of(const argand_conv *c, argand_array *out, const argand_array *in)
{
    const int rank = c->options.rank;
    sums_job job = {.threads = threads_worth(argand_device_threads(c->device), predicted(c)),
                    .parts = type_is_complex(c->options.type) ? 2 : 1,
                    .tap_parts = c->direct->complex_taps ? 2 : 1,
                    .inside = c->axis[0].high - c->axis[0].first,
                    .n = c->axis[0].n,
                    .constant = {c->options.constant.re, c->options.constant.im},
                    .taps = c->direct->taps,
                    .kernel_step = c->direct->kernel_step,
                    .kernel_channels = c->options.kernel_channels,
                    .channels = c->options.channels,
                    .batch = c->options.batch,
                    .in = argand_array_data(in),
                    .out_data = argand_array_data(out)};
    for (int d = 0; d < 3; d++) {
        job.out[d] = c->axis[d].out;
        job.k[d] = c->axis[d].k;
        job.element[d] = c->direct->element[d];
    }
    for (int d = 0; d < rank + 2; d++) { /* strides of channels and batch are 3 and 4 */
        const int to = d < rank ? d : 3 + d - rank;
        job.in_stride[to] = in->strides[d];
        job.out_stride[to] = out->strides[d];
    }
    cut(&job, c);
    return job;
}

static argand_status apply_on_host(const argand_conv *c, argand_array *out, const argand_array *in)
{
    static void (*const sums[2][CPU_LEVELS])(const sums_job *) = CPU_VARIANTS(conv_sums);
    sums_job job = job_of(c, out, in);
    storage *scratch;
    TRY(argand_device_wait(c->device));
    TRY(storage_scratch(&scratch, c->device, job.scratch_bytes * (size_t)job.threads));
    job.scratch = storage_address(scratch);
    sums[type_is_double(c->options.type)][cpu_best()](&job);
    storage_release(scratch);
    return ARGAND_OK;
}

argand_status conv_direct_apply(const argand_conv *c, argand_array *out, const argand_array *in)
{
    return device_is_host(c->device) ? apply_on_host(c, out, in) : conv_direct_device_apply(c, out, in);
}

/* The taps are kept, because the sharpness may change. */
static argand_status blend(argand_conv *c)
{
    return c->taps.at ? take_kernel(c) : ARGAND_OK;
}

static argand_status apply(const argand_conv *c, argand_array *out, const argand_array *in,
                           const conv_part *part)
{
    (void)part;
    return conv_direct_apply(c, out, in);
}

const conv_engine conv_direct_engine = {.name = "direct",
                                        .make = make,
                                        .kernel = take_kernel,
                                        .blend = blend,
                                        .apply = apply,
                                        .bytes = bytes_of,
                                        .release = release};
