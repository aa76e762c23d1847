/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates a plan: chooses and makes its engine. */
#include "base/given.h"
#include "conv/plan.h"
#include "device/range.h"

/* Returns false for kernels of so many taps that direct sums cannot win, and timing them would take long. */
static bool is_worth_a_trial(const argand_conv *c)
{
    static const double MOST_TAPS = 2048;
    const double taps = (double)c->axis[0].k * (double)c->axis[1].k * (double)c->axis[2].k;
    return c->options.effort == ARGAND_MEASURE && taps <= MOST_TAPS && conv_direct_can(c) == ARGAND_OK;
}

static argand_status make_engine(argand_conv *c)
{
    const argand_conv_method method = c->options.method;
    if (c->options.memory) {
        c->engine = &conv_tiles_engine;
        return c->engine->make(c);
    }
    if (method == ARGAND_CONV_DIRECT) TRY(conv_direct_can(c));
    if (method == ARGAND_CONV_AUTO && is_worth_a_trial(c)) return conv_measure(c);
    if (method == ARGAND_CONV_AUTO) c->predicted = conv_predict(c);
    const bool is_direct = method == ARGAND_CONV_DIRECT || conv_sums_are_faster(c);
    c->engine = is_direct ? &conv_direct_engine : &conv_fft_engine;
    return c->engine->make(c);
}

static argand_status create(argand_conv **conv, argand_device *device, const argand_conv_options *options,
                            int valid)
{
    argand_conv *c = NULL;
    argand_status status = conv_begin(&c, device, options);
    if (status == ARGAND_OK) conv_set_valid(c, valid);
    if (status == ARGAND_OK) status = make_engine(c);
    if (status == ARGAND_OK)
        *conv = c;
    else
        argand_conv_destroy(c);
    return status;
}

argand_status argand_conv_create(argand_conv **conv, argand_device *device,
                                 const argand_conv_options *options)
{
    if (conv) *conv = NULL;
    TRY(check_given("argand_conv_create", conv, device, options));
    range_push("argand convolution plan");
    return range_end(create(conv, device, options, 0));
}

argand_status conv_create_valid(argand_conv **conv, argand_device *device, const argand_conv_options *options,
                                int axis)
{
    *conv = NULL;
    return create(conv, device, options, axis + 1);
}
