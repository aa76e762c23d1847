/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans the field-corrected DFT: reads the options, sorts samples, cuts pixels into rows, and chooses an
 * engine. */
#include "field/plan.h"
#include <stdio.h>
#include "base/memory.h"
#include "base/status.h"
#include "device/device.h"
#include "field/input.h"
#include "field/pixels.h"
#include "field/samples.h"
#include "field/engine.h"

static argand_status describe_problem(argand_field *plan, const field_input *input)
{
    argand_device_info info;
    for (int d = 0; d < 3; d++) plan->n[d] = input->n[d];
    plan->type = input->options->type;
    plan->rank = input->options->rank;
    plan->tolerance = input->options->tolerance;
    plan->separable = input->separable;
    plan->terms = input->terms;
    TRY(argand_device_describe(plan->device, &info));
    plan->on_host = info.host_addressable;
    return ARGAND_OK;
}

/* If the device has no engine (it lacks doubles, for example), the host computes in its place, and apply.c
 * copies the arrays. The plan's description then says "cpu". */
static argand_status choose_engine(argand_field *plan)
{
    argand_device *host;
    const argand_status status = field_engine_choose(&plan->engine, plan);
    if (status != ARGAND_UNSUPPORTED || plan->on_host) return status;
    TRY(device_host(&host, plan->device));
    device_keep(host);
    argand_device_close(plan->device);
    plan->device = host;
    plan->on_host = true;
    return field_engine_choose(&plan->engine, plan);
}

static argand_status fill_plan(argand_field *plan, const field_input *input)
{
    TRY(describe_problem(plan, input));
    TRY(choose_engine(plan));
    plan->paired = plan->separable && plan->engine->pairs;
    TRY(field_axes_make(&plan->axes, input, plan->paired));
    TRY(field_pixels_make(&plan->pixels, &plan->axes, input, plan->paired));
    TRY(field_samples_make(&plan->samples, input));
    return plan->engine->create(plan);
}

argand_status argand_field_create(argand_field **out, argand_device *device,
                                  const argand_field_options *options)
{
    argand_field *plan = NULL;
    field_input input;
    CHECK(out, ARGAND_ARGUMENT, "field: nowhere to put the plan");
    *out = NULL;
    CHECK(device, ARGAND_ARGUMENT, "field: no device given");
    TRY(field_input_read(&input, options));
    argand_status status;
    TRY_OR_DONE(NEW(plan, 1));
    plan->device = device_keep(device);
    TRY_OR_DONE(fill_plan(plan, &input));
    *out = plan;
    plan = NULL;
done:
    argand_field_destroy(plan);
    field_input_release(&input);
    return status;
}

void argand_field_describe(const argand_field *plan, argand_field_info *info)
{
    if (info) *info = (argand_field_info){0};
    if (!plan || !info) return;
    *info = (argand_field_info){.type = plan->type,
                                .rank = plan->rank,
                                .n = {plan->n[0], plan->n[1], plan->n[2]},
                                .samples = plan->samples.count,
                                .pairs = plan->samples.count * plan->pixels.unmasked,
                                .engine = plan->engine->name};
}

void argand_field_print(const argand_field *plan, char *text, size_t size)
{
    if (text && size) *text = 0;
    if (!plan || !text) return;
    const field_pixels *p = &plan->pixels;
    char more[128] = "", terms[24] = "";
    if (plan->terms) snprintf(terms, sizeof terms, " %d terms", plan->terms);
    if (plan->engine->print) plan->engine->print(plan, more, sizeof more);
    snprintf(text, size, "(field %lldx%lldx%lld, %lld pixels, %lld samples, %s, %s%s%s%s%s, %s%s)",
             (long long)plan->n[0], (long long)plan->n[1], (long long)plan->n[2], (long long)p->unmasked,
             (long long)plan->samples.count, field_is_double(plan) ? "double" : "single",
             plan->separable ? "separable" : "field", p->decay ? " decay" : "",
             p->gradient[0] || p->gradient[1] || p->gradient[2] ? " gradients" : "",
             plan->samples.weight ? " voxel" : "", terms, plan->engine->name, more);
}

void argand_field_destroy(argand_field *plan)
{
    if (!plan) return;
    if (plan->engine) plan->engine->destroy(plan);
    field_samples_release(&plan->samples);
    field_pixels_release(&plan->pixels);
    field_axes_release(&plan->axes);
    argand_device_close(plan->device);
    memory_free(plan);
}
