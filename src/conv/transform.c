/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolves by transforms. One plan of the FFT engine transforms, multiplies by the kernel's spectrum and
 * transforms back. Windows and layouts of the plan do padding, borders and storage types, and an accessor
 * at the spectrum does the product. The centre of the kernel is the start of its window, so that the
 * spectrum includes the shift. */
#include "conv/extend.h"

#include "base/memory.h"
#include "fft/plan/waiting.h"

static bool is_real(const argand_conv *c)
{
    return !type_is_complex(c->options.type);
}

static argand_type spectrum_type(const argand_conv *c)
{
    return type_is_double(c->options.type) ? ARGAND_C64 : ARGAND_C32;
}

/* Returns true if the engine's windows do not support these borders. */
bool conv_must_extend(const argand_conv *c)
{
    bool uneven = false, constant = false, others = false;
    for (int d = 0; d < c->options.rank; d++) {
        const conv_axis *a = &c->axis[d];
        if (!a->lead && !a->tail) continue;
        uneven = uneven || conv_axis_is_uneven(a);
        constant = constant || a->before == ARGAND_BORDER_CONSTANT;
        others = others || a->before != ARGAND_BORDER_CONSTANT;
    }
    return uneven || (constant && others);
}

static argand_status choose_points(argand_conv *c)
{
    for (int d = 0; d < 3; d++) conv_axis_reach(&c->axis[d]);
    c->extends = conv_must_extend(c);
    for (int d = 0; d < 3; d++)
        TRY(conv_axis_points(&c->axis[d], c->device, c->extends, d == 0 && is_real(c)));
    return ARGAND_OK;
}

static void fill_windows(argand_fft_options *f, const argand_conv *c)
{
    bool constant = false;
    for (int d = 0; d < c->options.rank; d++)
        constant =
            constant || (c->axis[d].lead + c->axis[d].tail && c->axis[d].before == ARGAND_BORDER_CONSTANT);
    for (int d = 0; d < c->options.rank; d++) {
        const conv_axis *a = &c->axis[d];
        const bool extended = conv_axis_is_extended(a, c->extends), touched = a->lead || a->tail;
        argand_window *in = &f->input.window[d];
        in->count = extended ? a->n + a->lead + a->tail : a->n;
        in->first = extended ? -a->lead : 0;
        in->border = c->extends ? ARGAND_BORDER_ZERO
                     : touched  ? a->before
                     : constant ? ARGAND_BORDER_CONSTANT
                                : ARGAND_BORDER_ZERO;
        f->output.window[d] = (argand_window){a->out, a->first, ARGAND_BORDER_ZERO};
    }
    if (constant && !c->extends) f->input.constant = c->options.constant;
}

static argand_fft_options common_options(const argand_conv *c, int64_t batch)
{
    argand_fft_options f = {
        .type = c->options.type, .rank = c->options.rank, .batch = batch, .effort = c->options.effort};
    for (int d = 0; d < c->options.rank; d++) f.n[d] = c->axis[d].points;
    return f;
}

static argand_status make_plan(argand_conv *c)
{
    const argand_conv_options *o = &c->options;
    argand_fft_options f = common_options(c, o->channels * o->batch);
    f.scale = ARGAND_SCALE_INVERSE;
    f.input.type = c->extends ? o->type : o->in_type;
    f.output.type = o->out_type;
    fill_windows(&f, c);
    f.access.spectrum[0] = (argand_accessor){.kind = ARGAND_ACCESS_MULTIPLY, .array = c->spectrum};
    return fft_create_waiting(&c->fft, c->device, &f);
}

static argand_status make_kernel_plan(argand_conv *c)
{
    argand_fft_options f = common_options(c, c->options.kernel_channels);
    for (int d = 0; d < c->options.rank; d++)
        f.input.window[d] = (argand_window){c->axis[d].fold_high - c->axis[d].fold_low + 1,
                                            c->axis[d].fold_low, ARGAND_BORDER_ZERO};
    return fft_create_waiting(&c->kernel_fft, c->device, &f);
}

static argand_status make_spectrum(argand_array **spectrum, const argand_conv *c)
{
    int64_t dims[5];
    const int rank = c->options.rank;
    for (int d = 0; d < rank; d++) dims[d] = c->axis[d].points;
    if (is_real(c)) dims[0] = dims[0] / 2 + 1;
    dims[rank] = c->options.kernel_channels;
    return argand_array_create(spectrum, c->device, spectrum_type(c), rank + 1, dims);
}

argand_status conv_transform_make(argand_conv *c)
{
    TRY(choose_points(c));
    TRY(make_spectrum(&c->spectrum, c));
    TRY(make_kernel_plan(c));
    return make_plan(c);
}

/* ---- the kernel's spectrum ---- */

/* Adds the taps up, in double precision, at the positions where they are folded to. */
static void fold(double *to, const argand_conv *c, const double *taps, const int64_t *dims)
{
    const conv_axis *a = c->axis;
    for (int64_t z = 0; z < a[2].k; z++)
        for (int64_t y = 0; y < a[1].k; y++) {
            const int64_t fy = conv_axis_fold(&a[1], a[1].low + y), fz = conv_axis_fold(&a[2], a[2].low + z);
            const double *row = taps + 2 * (z * a[1].k + y) * a[0].k;
            if (fy < 0 || fz < 0) continue;
            for (int64_t x = 0; x < a[0].k; x++) {
                const int64_t fx = conv_axis_fold(&a[0], a[0].low + x);
                if (fx < 0) continue;
                double *at = to + 2 * ((fz * dims[1] + fy) * dims[0] + fx);
                at[0] += row[2 * x];
                at[1] += row[2 * x + 1];
            }
        }
}

static argand_status upload_folded(argand_array *to, const argand_conv *c, const int64_t *dims)
{
    const int64_t count = dims[0] * dims[1] * dims[2], channels = c->taps.channels;
    double *folded;
    void *numbers = NULL;
    argand_status status = memory_new(&folded, (size_t)(count * channels), 2 * sizeof(double));
    if (status == ARGAND_OK)
        status =
            memory_take(&numbers, memory_product((size_t)(count * channels), argand_type_size(to->type)));
    if (status == ARGAND_OK) {
        for (int64_t i = 0; i < channels; i++)
            fold(folded + 2 * i * count, c, c->taps.at + 2 * i * c->taps.count, dims);
        for (int64_t i = 0; i < count * channels; i++) conv_tap_put(numbers, to->type, i, folded + 2 * i);
        status = argand_array_upload(to, numbers);
    }
    memory_free(numbers);
    memory_free(folded);
    return status;
}

argand_status conv_folded(argand_array **folded, const argand_conv *c, argand_device *device,
                          argand_type type)
{
    int64_t dims[5];
    const int rank = c->options.rank;
    for (int d = 0; d < 3; d++) dims[d] = c->axis[d].fold_high - c->axis[d].fold_low + 1;
    dims[rank] = c->options.kernel_channels;
    TRY(argand_array_create(folded, device, type, rank + 1, dims));
    for (int d = rank; d < 3; d++) dims[d] = 1;
    const argand_status status = upload_folded(*folded, c, dims);
    if (status != ARGAND_OK) {
        argand_array_destroy(*folded);
        *folded = NULL;
    }
    return status;
}

argand_status conv_transform_kernel(argand_conv *c)
{
    argand_array *folded;
    argand_array *to = c->unblended ? c->unblended : c->spectrum;
    TRY(conv_folded(&folded, c, c->device, c->options.type));
    const argand_status status = argand_fft_apply(c->kernel_fft, to, folded, ARGAND_FORWARD);
    argand_array_destroy(folded);
    return status == ARGAND_OK && c->unblended ? conv_transform_blend(c) : status;
}

/* Blends the spectrum with 1, the spectrum of the identity. The windows contain the shift. */
argand_status conv_transform_blend(argand_conv *c)
{
    const double s = c->sharpness;
    if (!c->unblended) {
        if (s == 0) return ARGAND_OK;
        TRY(make_spectrum(&c->unblended, c));
        TRY(argand_array_copy(c->unblended, c->spectrum));
    }
    TRY(argand_array_fill(c->spectrum, (argand_scalar){s, 0}));
    return argand_array_axpby(c->spectrum, (argand_scalar){1 - s, 0}, c->unblended, (argand_scalar){1, 0});
}

/* ---- calls ---- */

static argand_status apply_extended(const argand_conv *c, argand_array *out, const argand_array *in)
{
    argand_array *extended;
    int64_t dims[5];
    const int rank = c->options.rank;
    conv_box box = {.c = c, .image = in};
    for (int d = 0; d < rank; d++) {
        const conv_axis *a = &c->axis[d];
        const bool is_extended = conv_axis_is_extended(a, true);
        dims[d] = is_extended ? a->n + a->lead + a->tail : a->n;
        box.first[d] = is_extended ? -a->lead : 0;
    }
    dims[rank] = c->options.channels;
    dims[rank + 1] = c->options.batch;
    TRY(array_scratch(&extended, c->device, c->options.type, rank + 2, dims));
    argand_status status = conv_box_fill(&box, extended);
    if (status == ARGAND_OK) status = argand_fft_apply(c->fft, out, extended, ARGAND_FORWARD);
    argand_array_destroy(extended);
    return status;
}

argand_status conv_transform_apply(const argand_conv *c, argand_array *out, const argand_array *in)
{
    return c->extends ? apply_extended(c, out, in) : argand_fft_apply(c->fft, out, in, ARGAND_FORWARD);
}

void conv_transform_release(argand_conv *c)
{
    argand_fft_destroy(c->fft);
    argand_fft_destroy(c->kernel_fft);
    argand_array_destroy(c->spectrum);
    argand_array_destroy(c->unblended);
    c->fft = c->kernel_fft = NULL;
    c->spectrum = c->unblended = NULL;
}
