/* SPDX-License-Identifier: BSD-3-Clause */
/* Life of a deconvolution plan. */
#include "conv/deconv.h"

#include <math.h>
#include "base/memory.h"
#include "base/plain.h"
#include "device/range.h"

static argand_status check_number(double value, const char *name)
{
    CHECK(isfinite(value) && value >= 0, ARGAND_ARGUMENT, "argand_deconv_create: %s %g; 0 or more can be",
          name, value);
    return ARGAND_OK;
}

static argand_status check_lucy(const argand_deconv_options *o)
{
    CHECK(o->iterations >= 0, ARGAND_ARGUMENT, "argand_deconv_create: %d iterations; 0 or more can be",
          o->iterations);
    CHECK(!type_is_complex(o->conv.type), ARGAND_ARGUMENT,
          "argand_deconv_create: Richardson-Lucy of complex images (%s); r32 or r64 can be",
          argand_type_name(o->conv.type));
    return ARGAND_OK;
}

static argand_status check(const argand_deconv_options *o)
{
    const argand_conv_options *c = &o->conv;
    CHECK(o->method >= ARGAND_DECONV_WIENER && o->method <= ARGAND_DECONV_RICHARDSON_LUCY, ARGAND_ARGUMENT,
          "argand_deconv_create: method %d is not known", (int)o->method);
    CHECK(c->mode == ARGAND_CONV_SAME, ARGAND_ARGUMENT,
          "argand_deconv_create: mode %d; the blurred image has as many elements as the sharp one (same)",
          (int)c->mode);
    CHECK(!type_is_storage(c->type) && (!c->in_type || c->in_type == c->type) &&
              (!c->out_type || c->out_type == c->type),
          ARGAND_UNSUPPORTED, "argand_deconv_create: storage types are not converted here");
    CHECK(!c->memory || o->method == ARGAND_DECONV_RICHARDSON_LUCY, ARGAND_UNSUPPORTED,
          "argand_deconv_create: Wiener's filter within a limit of memory; Richardson-Lucy can be");
    CHECK(c->method != ARGAND_CONV_DIRECT, ARGAND_UNSUPPORTED, "argand_deconv_create: the direct method");
    TRY(check_number(o->noise, "noise"));
    TRY(check_number(o->background, "background"));
    TRY(check_number(o->total_variation, "total_variation"));
    return o->method == ARGAND_DECONV_WIENER ? ARGAND_OK : check_lucy(o);
}

/* Wiener's plan is that of the blur, with space for a filter in the place of the kernel. */
static argand_status make_wiener(argand_deconv *d, argand_device *device)
{
    argand_conv_options o = d->options.conv;
    o.method = ARGAND_CONV_FFT;
    TRY(conv_begin(&d->conv, device, &o));
    for (int i = 0; i < 3; i++) d->conv->axis[i].is_filter = true;
    return conv_transform_make(d->conv);
}

/* Of Richardson-Lucy a plan that only knows sizes and kernel. */
static argand_status make_blur(argand_deconv *d, argand_device *device)
{
    argand_conv_options o = d->options.conv;
    o.method = ARGAND_CONV_FFT;
    o.mode = ARGAND_CONV_VALID; /* no tap is folded */
    for (int i = 0; i < o.rank && i < 3; i++) {
        CHECK(o.kernel[i] >= 1 && o.n[i] >= 1 && o.n[i] < INT64_MAX / 1024 && o.kernel[i] < INT64_MAX / 1024,
              ARGAND_ARGUMENT, "argand_deconv_create: axis %d has %lld elements and a kernel of %lld", i,
              (long long)o.n[i], (long long)o.kernel[i]);
        o.n[i] += o.kernel[i] - 1;
    }
    TRY(conv_begin(&d->conv, device, &o));
    for (int i = 0; i < 3; i++) {
        conv_axis *a = &d->conv->axis[i];
        conv_axis_reach(a);
        a->n = a->out;
    }
    return lucy_make(d);
}

static void fill_defaults(argand_deconv_options *o)
{
    if (o->noise == 0) o->noise = 1e-3;
    if (o->iterations == 0) o->iterations = 30;
}

static argand_status create(argand_deconv **deconv, argand_device *device,
                            const argand_deconv_options *options)
{
    argand_deconv *d;
    TRY(check(options));
    TRY(NEW(d, 1));
    d->options = *options;
    fill_defaults(&d->options);
    const bool wiener = options->method == ARGAND_DECONV_WIENER;
    const argand_status status = wiener ? make_wiener(d, device) : make_blur(d, device);
    if (status == ARGAND_OK)
        *deconv = d;
    else
        argand_deconv_destroy(d);
    return status;
}

argand_status argand_deconv_create(argand_deconv **deconv, argand_device *device,
                                   const argand_deconv_options *options)
{
    if (deconv) *deconv = NULL;
    CHECK(deconv && device && options, ARGAND_ARGUMENT, "argand_deconv_create: no %s given",
          !deconv   ? "place"
          : !device ? "device"
                    : "options");
    range_push("argand deconvolution plan");
    return range_end(create(deconv, device, options));
}

static argand_status set_kernel(argand_deconv *d, const argand_array *kernel)
{
    argand_conv *c = d->conv;
    if (d->options.method == ARGAND_DECONV_WIENER) {
        TRY(argand_conv_set_kernel(c, kernel));
        return wiener_filter(c, d->options.noise);
    }
    TRY(conv_kernel_check(c, kernel));
    conv_taps_release(&c->taps);
    TRY(conv_taps_read(&c->taps, c, kernel));
    return lucy_kernel(d, kernel);
}

argand_status argand_deconv_set_kernel(argand_deconv *d, const argand_array *kernel)
{
    CHECK(d && kernel, ARGAND_ARGUMENT, "argand_deconv_set_kernel: no %s given", d ? "kernel" : "plan");
    const argand_status status = set_kernel(d, kernel);
    d->has_kernel = status == ARGAND_OK;
    return status;
}

static argand_status apply(const argand_deconv *d, argand_array *out, const argand_array *in)
{
    argand_array x, y;
    CHECK(d->has_kernel, ARGAND_ARGUMENT,
          "argand_deconv_apply: the plan has no kernel: call argand_deconv_set_kernel first");
    if (d->options.method == ARGAND_DECONV_WIENER) return argand_conv_apply(d->conv, out, in);
    TRY(conv_image_view(&x, d->conv, out, true));
    TRY(conv_image_view(&y, d->conv, in, false));
    CHECK(!storage_overlaps(out->storage, in->storage), ARGAND_ARGUMENT,
          "argand_deconv_apply: output and input share memory");
    return lucy_apply(d, &x, &y);
}

argand_status argand_deconv_apply(const argand_deconv *d, argand_array *out, const argand_array *in)
{
    CHECK(d && out && in, ARGAND_ARGUMENT, "argand_deconv_apply: no %s given",
          !d     ? "plan"
          : !out ? "output"
                 : "input");
    range_push("argand deconvolution");
    return range_end(apply(d, out, in));
}

void argand_deconv_print(const argand_deconv *d, char *text, size_t size)
{
    if (text && size) *text = 0;
    if (!d || !text || !size) return;
    char conv[256], image[64];
    if (d->lucy) {
        dims_print(image, sizeof image, d->conv->options.rank, d->options.conv.n);
        plain_print(text, size, "(deconv richardson-lucy %s %d iterations%s)", image, d->options.iterations,
                    d->options.conv.memory ? " tiles" : "");
        return;
    }
    argand_conv_print(d->conv, conv, sizeof conv);
    plain_print(text, size, "(deconv wiener noise %g %s)", d->options.noise, conv);
}

void argand_deconv_destroy(argand_deconv *d)
{
    if (!d) return;
    lucy_release(d);
    argand_conv_destroy(d->conv);
    memory_free(d);
}
