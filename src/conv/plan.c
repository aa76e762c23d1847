/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of a plan: begins it, sets its kernel and sharpness, applies it by its engine, destroys it. */
#include "conv/plan.h"

#include <math.h>
#include "base/memory.h"
#include "device/range.h"

argand_status conv_begin(argand_conv **conv, argand_device *device, const argand_conv_options *options)
{
    TRY(NEW(*conv, 1));
    (*conv)->device = device_keep(device);
    return conv_options_read(*conv, options);
}

void conv_set_valid(argand_conv *c, int valid)
{
    c->valid = valid;
    if (!valid) return;
    conv_axis *a = &c->axis[valid - 1];
    c->options.border[valid - 1] = (argand_conv_border){ARGAND_BORDER_ZERO, ARGAND_BORDER_ZERO};
    a->before = a->after = ARGAND_BORDER_ZERO;
    a->first = a->high;
    a->out = a->n - a->k + 1;
}

argand_status argand_conv_set_kernel(argand_conv *c, const argand_array *kernel)
{
    conv_taps taps;
    CHECK(c && kernel, ARGAND_ARGUMENT, "argand_conv_set_kernel: no %s given", c ? "kernel" : "plan");
    TRY(conv_kernel_check(c, kernel));
    TRY(conv_taps_read(&taps, c, kernel));
    const conv_taps before = c->taps;
    c->taps = taps;
    argand_status status = c->engine->kernel(c);
    if (status == ARGAND_OK) {
        memory_free(before.at);
        c->has_kernel = true;
        return ARGAND_OK;
    }
    conv_taps_release(&c->taps);
    c->taps = before;
    return status;
}

argand_status argand_conv_set_sharpness(argand_conv *c, double s)
{
    CHECK(c, ARGAND_ARGUMENT, "argand_conv_set_sharpness: no plan given");
    CHECK(isfinite(s), ARGAND_ARGUMENT,
          "argand_conv_set_sharpness: the sharpness is %g; give a finite number", s);
    const double before = c->sharpness;
    c->sharpness = s;
    const argand_status status = c->engine->blend(c);
    if (status != ARGAND_OK) c->sharpness = before;
    return status;
}

static argand_status check_kernel(const argand_conv *c, const char *who)
{
    CHECK(c->has_kernel, ARGAND_ARGUMENT, "%s: the plan has no kernel yet: call argand_conv_set_kernel first",
          who);
    return ARGAND_OK;
}

static argand_status check_memory(const argand_array *out, const argand_array *in)
{
    CHECK(!storage_overlaps(out->storage, in->storage), ARGAND_ARGUMENT,
          "argand_conv_apply: output and input share memory");
    return ARGAND_OK;
}

argand_status conv_apply(const argand_conv *c, argand_array *out, const argand_array *in,
                         const conv_part *part)
{
    argand_array x, y;
    TRY(check_kernel(c, "argand_conv_apply"));
    TRY(conv_image_view(&y, c, out, true));
    TRY(conv_image_view(&x, c, in, false));
    TRY(check_memory(out, in));
    return c->engine->apply(c, &y, &x, part);
}

argand_status argand_conv_apply(const argand_conv *c, argand_array *out, const argand_array *in)
{
    CHECK(c && out && in, ARGAND_ARGUMENT, "argand_conv_apply: no %s given",
          !c     ? "plan"
          : !out ? "output"
                 : "input");
    range_push("argand convolution");
    return range_end(conv_apply(c, out, in, NULL));
}

argand_status argand_conv_apply_part(const argand_conv *c, argand_array *out, const argand_array *in,
                                     const int64_t first[3], const int64_t count[3])
{
    CHECK(c && out && in && first && count, ARGAND_ARGUMENT, "argand_conv_apply_part: no %s given",
          !c       ? "plan"
          : !out   ? "output"
          : !in    ? "input"
          : !first ? "place"
                   : "size");
    conv_part part;
    for (int d = 0; d < 3; d++) {
        part.first[d] = d < c->options.rank ? first[d] : 0;
        part.count[d] = d < c->options.rank ? count[d] : 1;
    }
    range_push("argand convolution");
    return range_end(conv_apply(c, out, in, &part));
}

static argand_status check_boxes(const argand_conv *c)
{
    CHECK(c->engine->apply_boxes, ARGAND_ARGUMENT,
          "argand_conv_apply_boxes: the plan has no tiles; set argand_conv_options.memory when you create "
          "the plan");
    return check_kernel(c, "argand_conv_apply_boxes");
}

argand_status argand_conv_apply_boxes(const argand_conv *c, argand_conv_write write, argand_conv_read read,
                                      void *context)
{
    CHECK(c && write && read, ARGAND_ARGUMENT, "argand_conv_apply_boxes: no %s given",
          !c       ? "plan"
          : !write ? "function that writes"
                   : "function that reads");
    TRY(check_boxes(c));
    range_push("argand convolution");
    return range_end(c->engine->apply_boxes(c, write, read, context));
}

void argand_conv_destroy(argand_conv *c)
{
    if (!c) return;
    conv_tiles_engine.release(c);
    conv_direct_engine.release(c);
    conv_fft_engine.release(c);
    conv_taps_release(&c->taps);
    argand_device_close(c->device);
    memory_free(c);
}
