/* SPDX-License-Identifier: BSD-3-Clause */
#include "field/plan.h"
#include <stdio.h>
#include "base/memory.h"
#include "base/status.h"
#include "device/device.h"
#include "field/direct.h"
#include "field/input.h"
#include "field/pixels.h"
#include "field/samples.h"

/* Tables of as many blocks as this are held at a time: within the last cache, many enough for all threads. */
static const size_t panel_bytes = (size_t)16 << 20;

/* Where one panel holds all samples, its tables are made once and kept. */
static argand_status make_tables(argand_field *plan)
{
    plan->table_bytes = field_table_bytes(plan);
    const int64_t fit = (int64_t)(panel_bytes / plan->table_bytes), blocks = plan->samples.blocks;
    plan->panel_blocks = fit < 1 ? 1 : fit < blocks ? fit : blocks;
    if (plan->panel_blocks < blocks) return ARGAND_OK;
    TRY(memory_new(&plan->tables, (size_t)blocks, plan->table_bytes));
    const field_kernels kernels = field_kernels_get(plan);
#pragma omp parallel for num_threads(argand_device_threads(plan->device))
    for (int64_t b = 0; b < blocks; b++)
        kernels.tables(&(field_table_task){plan, b, (char *)plan->tables + (size_t)b * plan->table_bytes});
    return ARGAND_OK;
}

static argand_status fill_plan(argand_field *plan, const field_input *input)
{
    for (int d = 0; d < 3; d++) plan->n[d] = input->n[d];
    plan->type = input->options->type;
    plan->rank = input->options->rank;
    plan->separable = !input->field_map && !input->r2star && !input->gradient[0] && !input->gradient[1] &&
                      !input->gradient[2];
    TRY(field_axes_make(&plan->axes, input, plan->separable));
    TRY(field_pixels_make(&plan->pixels, &plan->axes, input, plan->separable));
    TRY(field_samples_make(&plan->samples, input, plan->separable));
    return make_tables(plan);
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
    *info = (argand_field_info){.type = plan->type,
                                .rank = plan->rank,
                                .n = {plan->n[0], plan->n[1], plan->n[2]},
                                .samples = plan->samples.count,
                                .pairs = plan->samples.count * plan->pixels.unmasked};
}

void argand_field_print(const argand_field *plan, char *text, size_t size)
{
    const field_pixels *p = &plan->pixels;
    snprintf(text, size, "(field %lldx%lldx%lld, %lld pixels, %lld samples, %s, %s%s%s%s%s)",
             (long long)plan->n[0], (long long)plan->n[1], (long long)plan->n[2], (long long)p->unmasked,
             (long long)plan->samples.count, field_is_double(plan) ? "double" : "single",
             plan->separable ? "separable" : "field", p->decay ? " decay" : "",
             p->gradient[0] || p->gradient[1] || p->gradient[2] ? " gradients" : "",
             plan->samples.weight ? " voxel" : "", plan->tables ? "" : ", tables in panels");
}

void argand_field_destroy(argand_field *plan)
{
    if (!plan) return;
    memory_free(plan->tables);
    field_samples_release(&plan->samples);
    field_pixels_release(&plan->pixels);
    field_axes_release(&plan->axes);
    argand_device_close(plan->device);
    memory_free(plan);
}
