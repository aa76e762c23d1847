/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the options of a convolution and fills in the defaults. */
#include "conv/plan.h"

#include <math.h>

const char *argand_border_name(argand_border border)
{
    static const char *const names[] = {"zero", "constant", "wrap", "clamp", "mirror"};
    return (int)border >= 0 && border <= ARGAND_BORDER_MIRROR ? names[border] : "unknown";
}

static argand_status check_sizes(const argand_conv_options *o)
{
    int64_t elements = 1;
    CHECK(o->rank >= 1 && o->rank <= 3, ARGAND_ARGUMENT, "argand_conv_create: rank is %d; give 1 to 3",
          o->rank);
    CHECK(o->channels >= 0 && o->batch >= 0 && o->kernel_channels >= 0, ARGAND_ARGUMENT,
          "argand_conv_create: %lld channels, %lld of the kernel, batch %lld; give 1 or more (0 means 1)",
          (long long)o->channels, (long long)o->kernel_channels, (long long)o->batch);
    for (int d = 0; d < o->rank; d++) {
        CHECK(o->n[d] >= 1 && o->kernel[d] >= 1, ARGAND_ARGUMENT,
              "argand_conv_create: axis %d has %lld elements and a kernel of %lld; give 1 or more", d,
              (long long)o->n[d], (long long)o->kernel[d]);
        CHECK(!__builtin_mul_overflow(elements, o->n[d], &elements) && elements < INT64_MAX / 1024 &&
                  o->kernel[d] < INT64_MAX / 1024,
              ARGAND_ARGUMENT,
              "argand_conv_create: image and kernel are too large for any memory; reduce n or kernel");
        CHECK(o->mode != ARGAND_CONV_VALID || o->kernel[d] <= o->n[d], ARGAND_ARGUMENT,
              "argand_conv_create: mode valid has no result along axis %d: the kernel has %lld elements, the "
              "image only %lld; use a smaller kernel or another mode",
              d, (long long)o->kernel[d], (long long)o->n[d]);
        CHECK(!o->centre_given || (o->centre[d] >= 0 && o->centre[d] < o->kernel[d]), ARGAND_ARGUMENT,
              "argand_conv_create: centre is %lld along axis %d; give 0 to %lld", (long long)o->centre[d], d,
              (long long)o->kernel[d] - 1);
    }
    return ARGAND_OK;
}

static argand_status check_types(const argand_conv_options *o)
{
    const argand_type in = o->in_type ? o->in_type : o->type, out = o->out_type ? o->out_type : o->type;
    const argand_type images[2] = {in, out};
    CHECK(!type_is_storage(o->type), ARGAND_ARGUMENT,
          "argand_conv_create: type is %s; give r32, r64, c32 or c64", argand_type_name(o->type));
    for (int i = 0; i < 2; i++) {
        const argand_type type = images[i];
        CHECK(argand_type_size(type), ARGAND_ARGUMENT, "argand_conv_create: %s %d is not known",
              i ? "out_type" : "in_type", (int)type);
        CHECK(type_is_storage(type) || type_is_double(type) == type_is_double(o->type), ARGAND_ARGUMENT,
              "argand_conv_create: %s is %s, but its precision must be that of type (%s)",
              i ? "out_type" : "in_type", argand_type_name(type), argand_type_name(o->type));
        CHECK(type_has_pairs(type) == type_is_complex(o->type), ARGAND_ARGUMENT,
              "argand_conv_create: %s is %s, but %s are %s numbers", i ? "out_type" : "in_type",
              argand_type_name(type), argand_type_name(o->type),
              type_is_complex(o->type) ? "complex" : "real");
    }
    return ARGAND_OK;
}

static argand_status check_rules(const argand_conv_options *o)
{
    CHECK(o->mode >= ARGAND_CONV_SAME && o->mode <= ARGAND_CONV_VALID, ARGAND_ARGUMENT,
          "argand_conv_create: mode %d is not known", (int)o->mode);
    CHECK(o->normalise >= ARGAND_CONV_AS_IT_IS && o->normalise <= ARGAND_CONV_LUMINANCE, ARGAND_ARGUMENT,
          "argand_conv_create: normalise %d is not known", (int)o->normalise);
    CHECK(o->method >= ARGAND_CONV_AUTO && o->method <= ARGAND_CONV_FFT, ARGAND_ARGUMENT,
          "argand_conv_create: method %d is not known", (int)o->method);
    CHECK(o->range >= ARGAND_CONV_RANGE_AUTO && o->range <= ARGAND_CONV_RANGE_WIDE, ARGAND_ARGUMENT,
          "argand_conv_create: range %d is not known", (int)o->range);
    for (int d = 0; d < o->rank; d++) {
        const argand_border rules[2] = {o->border[d].before, o->border[d].after};
        for (int s = 0; s < 2; s++)
            CHECK(rules[s] >= ARGAND_BORDER_ZERO && rules[s] <= ARGAND_BORDER_MIRROR, ARGAND_ARGUMENT,
                  "argand_conv_create: border %d of axis %d is not known", (int)rules[s], d);
    }
    CHECK(isfinite(o->constant.re) && isfinite(o->constant.im), ARGAND_ARGUMENT,
          "argand_conv_create: the constant around the image is not finite");
    CHECK(
        o->constant.im == 0 || type_is_complex(o->type), ARGAND_ARGUMENT,
        "argand_conv_create: the constant around real images must be real, but its imaginary part is not 0");
    return ARGAND_OK;
}

static argand_status check_channels(const argand_conv_options *o)
{
    const int64_t channels = o->channels ? o->channels : 1, kernels = o->kernel_channels;
    CHECK(kernels <= 1 || kernels == channels, ARGAND_ARGUMENT,
          "argand_conv_create: kernel_channels is %lld for images of %lld channels; give 1 or %lld",
          (long long)kernels, (long long)channels, (long long)channels);
    CHECK(o->normalise != ARGAND_CONV_LUMINANCE || kernels <= 1 || kernels == 3 || kernels == 4,
          ARGAND_ARGUMENT,
          "argand_conv_create: the kernel has %lld channels, but luminance is defined for 1, 3 or 4 (red, "
          "green, blue, any); choose another normalise",
          (long long)kernels);
    for (int i = 0; i < 3; i++)
        CHECK(isfinite(o->luminance[i]), ARGAND_ARGUMENT, "argand_conv_create: luminance[%d] is not finite",
              i);
    return ARGAND_OK;
}

static void fill_defaults(argand_conv_options *o)
{
    if (!o->in_type) o->in_type = o->type;
    if (!o->out_type) o->out_type = o->type;
    if (!o->channels) o->channels = 1;
    if (!o->kernel_channels) o->kernel_channels = 1;
    if (!o->batch) o->batch = 1;
    for (int d = 0; d < 3; d++) {
        const bool given = d < o->rank;
        if (!given) {
            o->n[d] = o->kernel[d] = 1;
            o->border[d] = (argand_conv_border){ARGAND_BORDER_ZERO, ARGAND_BORDER_ZERO};
        }
        if (!given || !o->centre_given) o->centre[d] = o->kernel[d] / 2;
    }
    if (o->luminance[0] == 0 && o->luminance[1] == 0 && o->luminance[2] == 0) {
        o->luminance[0] = 0.2126;
        o->luminance[1] = 0.7152;
        o->luminance[2] = 0.0722;
    }
}

/* Replaces a constant border of value 0 by the zero border. */
static void simplify(argand_conv_options *o)
{
    const bool zero = o->constant.re == 0 && o->constant.im == 0;
    for (int d = 0; d < 3; d++) {
        argand_border *rules[2] = {&o->border[d].before, &o->border[d].after};
        for (int s = 0; s < 2; s++)
            if ((zero && *rules[s] == ARGAND_BORDER_CONSTANT) || o->mode == ARGAND_CONV_VALID)
                *rules[s] = ARGAND_BORDER_ZERO;
    }
}

argand_status conv_options_read(argand_conv *c, const argand_conv_options *options)
{
    TRY(check_sizes(options));
    TRY(check_types(options));
    TRY(check_rules(options));
    TRY(check_channels(options));
    c->options = *options;
    fill_defaults(&c->options);
    simplify(&c->options);
    for (int d = 0; d < 3; d++) conv_axis_offsets(&c->axis[d], &c->options, d);
    return ARGAND_OK;
}
