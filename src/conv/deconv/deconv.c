/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates, applies and destroys deconvolution plans. */
#include "conv/deconv/deconv.h"

#include <math.h>
#include "base/given.h"
#include "base/memory.h"
#include "base/plain.h"
#include "device/range.h"

static argand_status check_number(double value, const char *name)
{
    CHECK(isfinite(value) && value >= 0, ARGAND_ARGUMENT, "argand_deconv_create: %s is %g; give 0 or more",
          name, value);
    return ARGAND_OK;
}

static argand_status check_lucy(const argand_deconv_options *o)
{
    CHECK(o->iterations >= 0, ARGAND_ARGUMENT, "argand_deconv_create: iterations is %d; give 0 or more",
          o->iterations);
    CHECK(!type_is_complex(o->conv.type), ARGAND_ARGUMENT,
          "argand_deconv_create: Richardson-Lucy needs real images, but type is %s; give r32 or r64, or use "
          "Wiener's method",
          argand_type_name(o->conv.type));
    return ARGAND_OK;
}

static argand_status check(const argand_deconv_options *o)
{
    const argand_conv_options *c = &o->conv;
    CHECK(o->method >= ARGAND_DECONV_WIENER && o->method <= ARGAND_DECONV_RICHARDSON_LUCY, ARGAND_ARGUMENT,
          "argand_deconv_create: method %d is not known", (int)o->method);
    CHECK(c->mode == ARGAND_CONV_SAME, ARGAND_ARGUMENT,
          "argand_deconv_create: mode is %d; deconvolution supports ARGAND_CONV_SAME only: the blurred image "
          "has the size of the sharp one",
          (int)c->mode);
    CHECK(
        !type_is_storage(c->type) && (!c->in_type || c->in_type == c->type) &&
            (!c->out_type || c->out_type == c->type),
        ARGAND_UNSUPPORTED,
        "argand_deconv_create: deconvolution does not convert storage types; give images of the plan's type");
    CHECK(c->method != ARGAND_CONV_DIRECT, ARGAND_UNSUPPORTED,
          "argand_deconv_create: deconvolution has no direct method; set method to ARGAND_CONV_AUTO or "
          "ARGAND_CONV_FFT");
    TRY(check_number(o->noise, "noise"));
    TRY(check_number(o->background, "background"));
    TRY(check_number(o->total_variation, "total_variation"));
    return o->method == ARGAND_DECONV_WIENER ? ARGAND_OK : check_lucy(o);
}

/* Makes the plan of Wiener's filter: a convolution plan whose kernel spectrum will be replaced by the
 * filter. With a limit of memory the plan only records sizes, because the reach of the filter depends on
 * the kernel. */
static argand_status make_wiener(argand_deconv *d, argand_device *device)
{
    argand_conv_options o = d->options.conv;
    o.method = ARGAND_CONV_FFT;
    TRY(conv_begin(&d->conv, device, &o));
    if (o.memory) return ARGAND_OK;
    for (int i = 0; i < 3; i++) d->conv->axis[i].is_filter = true;
    d->conv->engine = &conv_fft_engine;
    return d->conv->engine->make(d->conv);
}

/* Makes a convolution plan without an engine, which holds sizes and taps for Richardson-Lucy. */
static argand_status make_blur(argand_deconv *d, argand_device *device)
{
    argand_conv_options o = d->options.conv;
    o.method = ARGAND_CONV_FFT;
    o.mode = ARGAND_CONV_VALID; /* no tap is folded */
    for (int i = 0; i < o.rank && i < 3; i++) {
        CHECK(o.kernel[i] >= 1 && o.n[i] >= 1 && o.n[i] < INT64_MAX / 1024 && o.kernel[i] < INT64_MAX / 1024,
              ARGAND_ARGUMENT,
              "argand_deconv_create: axis %d has %lld elements and a kernel of %lld; both must be 1 or more "
              "and fit in memory",
              i, (long long)o.n[i], (long long)o.kernel[i]);
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
    d->options.conv.range = ARGAND_CONV_RANGE_NARROW; /* deconvolution computes in one precision */
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
    TRY(check_given("argand_deconv_create", deconv, device, options));
    range_push("argand deconvolution plan");
    return range_end(create(deconv, device, options));
}

static argand_status read_kernel(argand_conv *blur, const argand_array *kernel)
{
    TRY(conv_kernel_check(blur, kernel));
    conv_taps_release(&blur->taps);
    return conv_taps_read(&blur->taps, blur, kernel);
}

/* Makes the convolution plan whose kernel is the taps of Wiener's filter. */
static argand_status make_filter(argand_deconv *d)
{
    argand_conv_options o = d->options.conv;
    argand_array *taps;
    const int first = o.interleaved;
    TRY(wiener_taps(&taps, o.centre, d->conv, d->conv->device, d->noise, &d->filter_bytes));
    conv_taps_release(&d->conv->taps);
    for (int i = 0; i < o.rank; i++) o.kernel[i] = taps->dims[first + i];
    o.centre_given = true;
    o.correlate = false;
    o.normalise = ARGAND_CONV_AS_IT_IS;
    argand_status status = argand_conv_create(&d->filter, d->conv->device, &o);
    if (status == ARGAND_OK) status = argand_conv_set_kernel(d->filter, taps);
    if (status != ARGAND_OK) {
        char size[64];
        dims_print(size, sizeof size, o.rank, o.kernel);
        (void)status_prefix(status, "Wiener's filter with noise %g has %s taps: ", d->noise, size);
    }
    argand_array_destroy(taps);
    return status;
}

static argand_status set_kernel(argand_deconv *d, const argand_array *kernel)
{
    argand_conv *c = d->conv;
    TRY(read_kernel(c, kernel));
    if (d->options.method == ARGAND_DECONV_RICHARDSON_LUCY) return lucy_kernel(d, kernel);
    TRY(wiener_noise(&d->noise, c, &d->options));
    if (d->options.conv.memory) {
        argand_conv_destroy(d->filter);
        d->filter = NULL;
        return make_filter(d);
    }
    TRY(conv_transform_kernel(c));
    TRY(wiener_filter(c, d->noise));
    conv_taps_release(&c->taps);
    c->has_kernel = true;
    return ARGAND_OK;
}

argand_status argand_deconv_set_kernel(argand_deconv *d, const argand_array *kernel)
{
    CHECK(d && kernel, ARGAND_ARGUMENT, "argand_deconv_set_kernel: no %s given", d ? "kernel" : "plan");
    const argand_status status = set_kernel(d, kernel);
    d->has_kernel = status == ARGAND_OK;
    return status;
}

static argand_status check_kernel(const argand_deconv *d, const char *who)
{
    CHECK(d->has_kernel, ARGAND_ARGUMENT, "%s: the plan has no kernel: call argand_deconv_set_kernel first",
          who);
    return ARGAND_OK;
}

static argand_status apply(const argand_deconv *d, argand_array *out, const argand_array *in)
{
    argand_array x, y;
    TRY(check_kernel(d, "argand_deconv_apply"));
    if (d->options.method == ARGAND_DECONV_WIENER)
        return argand_conv_apply(d->filter ? d->filter : d->conv, out, in);
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

static argand_status check_boxes(const argand_deconv *d)
{
    CHECK(d->options.method == ARGAND_DECONV_WIENER, ARGAND_UNSUPPORTED,
          "argand_deconv_apply_boxes: Richardson-Lucy needs the whole image as an array; only Wiener's "
          "method processes an image in tiles");
    CHECK(d->options.conv.memory, ARGAND_ARGUMENT,
          "argand_deconv_apply_boxes: the plan has no tiles; set argand_conv_options.memory when you create "
          "the plan");
    return check_kernel(d, "argand_deconv_apply_boxes");
}

argand_status argand_deconv_apply_boxes(const argand_deconv *d, argand_conv_write write,
                                        argand_conv_read read, void *context)
{
    CHECK(d && write && read, ARGAND_ARGUMENT, "argand_deconv_apply_boxes: no %s given",
          !d       ? "plan"
          : !write ? "function that writes"
                   : "function that reads");
    TRY(check_boxes(d));
    range_push("argand deconvolution");
    return range_end(argand_conv_apply_boxes(d->filter, write, read, context));
}

/* Checks the options, fills their defaults, and makes a plan without an engine that holds the taps of the
 * blur; sets the noise in the options. */
static argand_status begin_filter(argand_conv **blur, argand_device *device, const argand_array *kernel,
                                  argand_deconv_options *o, const char *who)
{
    TRY(check(o));
    CHECK(o->method == ARGAND_DECONV_WIENER, ARGAND_ARGUMENT,
          "%s: Richardson-Lucy is iterative, so no single filter describes it; use Wiener's method", who);
    fill_defaults(o);
    TRY(conv_begin(blur, device, &o->conv));
    TRY(read_kernel(*blur, kernel));
    return wiener_noise(&o->noise, *blur, o);
}

static argand_status make_taps(argand_array **filter, int64_t centre[3], argand_device *device,
                               const argand_array *kernel, const argand_deconv_options *options)
{
    argand_deconv_options o = *options;
    argand_conv *blur = NULL;
    argand_status status = begin_filter(&blur, device, kernel, &o, "argand_deconv_filter");
    if (status == ARGAND_OK) status = wiener_taps(filter, centre, blur, device, o.noise, NULL);
    argand_conv_destroy(blur);
    return status;
}

argand_status argand_deconv_noise(double *noise, argand_device *device, const argand_array *kernel,
                                  const argand_deconv_options *options)
{
    CHECK(noise && device && kernel && options, ARGAND_ARGUMENT, "argand_deconv_noise: no %s given",
          !noise    ? "place"
          : !device ? "device"
          : !kernel ? "kernel"
                    : "options");
    argand_deconv_options o = *options;
    argand_conv *blur = NULL;
    const argand_status status = begin_filter(&blur, device, kernel, &o, "argand_deconv_noise");
    if (status == ARGAND_OK) *noise = o.noise;
    argand_conv_destroy(blur);
    return status;
}

argand_status argand_deconv_filter(argand_array **filter, int64_t centre[3], argand_device *device,
                                   const argand_array *kernel, const argand_deconv_options *options)
{
    if (filter) *filter = NULL;
    CHECK(filter && centre && device && kernel && options, ARGAND_ARGUMENT,
          "argand_deconv_filter: no %s given",
          !filter   ? "place for the filter"
          : !centre ? "place for its centre"
          : !device ? "device"
          : !kernel ? "kernel"
                    : "options");
    range_push("argand deconvolution filter");
    return range_end(make_taps(filter, centre, device, kernel, options));
}

static void print_noise(char *text, size_t size, const argand_deconv *d)
{
    if (d->noise > d->options.noise)
        plain_print(text, size, "noise %g raised to its floor %g", d->options.noise, d->noise);
    else
        plain_print(text, size, "noise %g", d->options.noise);
}

void argand_deconv_print(const argand_deconv *d, char *text, size_t size)
{
    if (text && size) *text = 0;
    if (!d || !text || !size) return;
    char conv[256], image[64], noise[96];
    if (d->lucy) {
        dims_print(image, sizeof image, d->conv->options.rank, d->options.conv.n);
        plain_print(text, size, "(deconv richardson-lucy %s %d iterations%s)", image, d->options.iterations,
                    d->options.conv.memory ? " tiles" : "");
        return;
    }
    print_noise(noise, sizeof noise, d);
    if (d->options.conv.memory && !d->filter) {
        dims_print(image, sizeof image, d->conv->options.rank, d->options.conv.n);
        plain_print(text, size, "(deconv wiener %s %s tiles)", noise, image);
        return;
    }
    argand_conv_print(d->filter ? d->filter : d->conv, conv, sizeof conv);
    if (d->filter)
        plain_print(text, size, "(deconv wiener %s filter made in %.3g bytes %s)", noise, d->filter_bytes,
                    conv);
    else
        plain_print(text, size, "(deconv wiener %s %s)", noise, conv);
}

void argand_deconv_destroy(argand_deconv *d)
{
    if (!d) return;
    lucy_release(d);
    argand_conv_destroy(d->filter);
    argand_conv_destroy(d->conv);
    memory_free(d);
}
