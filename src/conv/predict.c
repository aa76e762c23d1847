/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicts the time of direct sums and of transforms; ARGAND_CONV_AUTO takes the faster one. Both models
 * are fitted to measured times (docs/performance/conv.md). For most problems the two times differ by more
 * than the error of the models. */
#include <math.h>
#include "conv/direct.h"

static double images_of(const argand_conv *c)
{
    return (double)c->options.channels * (double)c->options.batch;
}

static double real_bytes(const argand_conv *c)
{
    return type_is_double(c->options.type) ? 8 : 4;
}

/* ---- processors ---- */

/* Nanoseconds for one thread with AVX2; only the ratios matter. OF_RESULT, OF_TAP: of a result, and of
 * each tap of a result. OF_NEAR_POINT, OF_FAR_POINT: of a point of a transform that fits the cache, and of
 * one that does not. */
static const double OF_RESULT = 0.6, OF_TAP = 0.05, OF_NEAR_POINT = 3.3, OF_FAR_POINT = 9.8;
static const double FAR_BYTES = 2 << 20;

static void predict_host(const argand_conv *c, conv_times *times)
{
    double taps = 1, results = 1, points = 1;
    for (int d = 0; d < 3; d++) {
        const conv_axis *a = &c->axis[d];
        taps *= (double)a->k;
        results *= (double)a->out;
        points *= (double)(a->n + a->k / 2);
    }
    taps *= 1 + 1 / (double)c->axis[1].k; /* two rows of results read one more row of input (sums.c) */
    const bool far = c->options.rank > 1 && points * (double)argand_type_size(c->options.type) > FAR_BYTES;
    const double all = images_of(c) * (type_is_complex(c->options.type) ? 2 : 1);
    times->sums = 1e-9 * all * results * (OF_RESULT + taps * OF_TAP);
    times->transforms = 1e-9 * all * points * (far ? OF_FAR_POINT : OF_NEAR_POINT);
}

/* ---- GPUs ---- */

/* Times are microseconds on the chip of CHIP_UNITS multiprocessors; other GPUs are scaled by their number. */
static const double FEWEST_UNITS = 7;

/* Predicts direct sums on a GPU: groups share a multiprocessor; a few groups take as long as the latency
 * of one. A call takes at least the time of its launch. */
static double sums_on_device(const argand_conv *c, double units)
{
    const conv_shape s = conv_direct_device_shape(c);
    const conv_axis *a = c->axis;
    const double kx = (double)a[0].k, ky = (double)a[1].k, planes = (double)a[2].k, rows = (double)s.rows;
    const double parts = type_is_complex(c->options.type) ? 2 : 1, wide = real_bytes(c) / 4;
    const double groups = (double)((a[0].out + s.wide - 1) / s.wide) *
                          (double)((a[1].out + s.tall - 1) / s.tall) * (double)a[2].out * images_of(c);
    /* for one work item and one plane of taps: elements copied to shared memory, shared-memory reads,
     * products */
    const double brought = parts * ceil(((double)s.wide + kx - 1) * ((double)s.tall + ky - 1) / s.items),
                 read = wide * parts * kx * (2 * ky + rows - 1),
                 products = wide * parts * parts * kx * ky * rows;
    const double of_group = 0.1 + planes * (0.109 * brought + 0.0035 * read + 0.00063 * products),
                 alone = planes * (0.102 * brought + 0.047 * kx + 0.0013 * products);
    return fmax(5.2, 2.7 + of_group * groups / units + alone);
}

/* Predicts transforms along one axis: one pass, or several passes for long lines. */
static double lines_on_device(double points, double moved, double slower)
{
    static const double LONGEST_IN_ONE_PASS = 16384, NEAR_MEGABYTES = 40;
    if (points <= LONGEST_IN_ONE_PASS) return 4.5 + 1e-3 * points + 0.5 * moved * slower;
    return 16 + (moved < NEAR_MEGABYTES ? 2.5 : 4.6) * moved * slower;
}

/* Predicts transforms on a GPU: reading and writing the rows, and half spectra between the passes. If a
 * column is so long that two do not fit on a multiprocessor, its bytes take longer. */
static double transforms_on_device(const argand_conv *c, double units)
{
    static const double LONG_COLUMN = 6000; /* bytes of reals */
    const argand_conv_options *o = &c->options;
    const double slower = CHIP_UNITS / units, real = real_bytes(c), images = images_of(c);
    double n[3], p[3], out[3], in_bytes = (double)argand_type_size(o->in_type),
                               out_bytes = (double)argand_type_size(o->out_type);
    for (int d = 0; d < 3; d++) {
        n[d] = (double)c->axis[d].n;
        p[d] = (double)conv_axis_least_points(&c->axis[d]);
        out[d] = (double)c->axis[d].out;
        in_bytes *= n[d];
        out_bytes *= out[d];
    }
    const double row =
        (type_is_complex(o->type) ? 2 * p[0] : p[0] + 2) * real; /* bytes of the spectrum of a row */
    const double ends = 1e-6 * images * (in_bytes + out_bytes);
    if (o->rank == 1) return lines_on_device(p[0] * real / 4, ends, slower);
    const double rows = ends + 1e-6 * images * row * (n[1] * n[2] + out[1] * out[2]),
                 kernel = 1e-6 * row * p[1] * p[2] * (double)o->kernel_channels;
    double columns = 1e-6 * images * row * (n[1] * n[2] + out[1] * out[2]) + kernel;
    if (o->rank == 3) columns += 1e-6 * images * row * p[1] * 2 * (n[2] + out[2]);
    if (o->rank == 2 && p[1] * real > LONG_COLUMN) columns *= 2.5;
    return 9.85 + slower * (0.36 * rows + 0.35 * columns);
}

/* Predicts the pass that fills borders: one copy for each side and corner. */
static double extension_on_device(const argand_conv *c)
{
    static const double OF_COPY = 3;
    return conv_must_extend(c) ? OF_COPY * pow(3, c->options.rank) : 0;
}

static void predict_device(argand_conv c, conv_times *times)
{
    const device_traits *t = device_traits_of(c.device);
    if (t->is_processor) return;
    const double units = fmax(FEWEST_UNITS, t->units);
    times->sums = 1e-6 * sums_on_device(&c, units);
    for (int d = 0; d < 3; d++) conv_axis_reach(&c.axis[d]);
    times->transforms = 1e-6 * (transforms_on_device(&c, units) + extension_on_device(&c));
}

conv_times conv_predict(const argand_conv *c)
{
    conv_times times = {0, 0};
    if (conv_direct_can(c) != ARGAND_OK) return times;
    if (device_is_host(c->device))
        predict_host(c, &times);
    else
        predict_device(*c, &times);
    return times;
}

/* Returns true if direct sums are predicted to be faster. On GPUs, transforms must win by 10 %, because a
 * wrong choice of transforms costs most. */
bool conv_sums_are_faster(const argand_conv *c)
{
    const double margin = device_is_host(c->device) ? 1 : 1.1;
    return c->predicted.sums < margin * c->predicted.transforms;
}
