/* SPDX-License-Identifier: BSD-3-Clause */
/* Life of a plan: the problem, and the engine that does it. */
#include "fft/engine.h"

#include <stdio.h>
#include "base/memory.h"

static const fft_engine *const engines[] = {&fft_engine_passes};

struct argand_fft {
    argand_device *device;
    fft_problem problem;
    const fft_engine *engine;
    void *state;
};

static argand_status choose(const fft_engine **engine, const fft_problem *problem, argand_device *device)
{
    const char *reason = "no engine";
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        reason = engines[i]->applicable(problem, device);
        if (reason) continue;
        *engine = engines[i];
        return ARGAND_OK;
    }
    return status_set(ARGAND_UNSUPPORTED, "argand_fft_create: %s", reason);
}

argand_status argand_fft_create(argand_fft **plan, argand_device *device, const argand_fft_options *options)
{
    CHECK(plan, ARGAND_ARGUMENT, "argand_fft_create: no place for the plan");
    *plan = NULL;
    CHECK(device, ARGAND_ARGUMENT, "argand_fft_create: no device");
    fft_problem problem;
    const fft_engine *engine;
    argand_fft *p;
    TRY(problem_make(&problem, options));
    TRY(choose(&engine, &problem, device));
    TRY(NEW(p, 1));
    *p = (argand_fft){.device = device_keep(device), .problem = problem, .engine = engine};
    const argand_status status = engine->create(&p->state, &p->problem, device);
    if (status != ARGAND_OK) {
        argand_fft_destroy(p);
        return status;
    }
    *plan = p;
    return ARGAND_OK;
}

argand_status argand_fft_apply(const argand_fft *plan, argand_array *out, const argand_array *in,
                               argand_direction direction)
{
    CHECK(plan, ARGAND_ARGUMENT, "argand_fft_apply: no plan");
    CHECK(direction == ARGAND_FORWARD || direction == ARGAND_INVERSE, ARGAND_ARGUMENT,
          "argand_fft_apply: direction %d; give ARGAND_FORWARD or ARGAND_INVERSE", (int)direction);
    CHECK(out && in, ARGAND_ARGUMENT, "argand_fft_apply: no %s array", out ? "input" : "output");
    CHECK(argand_array_device(out) == plan->device && argand_array_device(in) == plan->device,
          ARGAND_ARGUMENT, "argand_fft_apply: an array lives on another device than the plan");
    fft_geometry geometry;
    TRY(problem_bind(&geometry, &plan->problem, out, in, direction));
    const fft_problem *p = &plan->problem;
    return plan->engine->apply(
        plan->state, p, plan->device,
        &(fft_call){.geometry = &geometry,
                    .out = out,
                    .in = in,
                    .direction = direction,
                    .factor = direction == ARGAND_FORWARD ? p->forward_factor : p->inverse_factor});
}

static const char *kind_name(argand_type type)
{
    static const char *const names[] = {
        [ARGAND_R32] = "r32", [ARGAND_R64] = "r64", [ARGAND_C32] = "c32", [ARGAND_C64] = "c64"};
    return names[type];
}

void argand_fft_print(const argand_fft *plan, char *chars, size_t size)
{
    text t = {0};
    if (plan) {
        const fft_problem *p = &plan->problem;
        text_add(&t, "(fft %s ", kind_name(p->type));
        for (int axis = 0; axis < p->rank; axis++)
            text_add(&t, "%s%lld", axis ? "x" : "", (long long)p->n[axis]);
        if (p->batch > 1) text_add(&t, " batch %lld", (long long)p->batch);
        if (p->centred) text_add(&t, " centred");
        text_add(&t, " ");
        plan->engine->print(plan->state, &t);
        text_add(&t, ")");
    }
    if (chars && size) snprintf(chars, size, "%s", text_chars(&t));
    text_free(&t);
}

void argand_fft_destroy(argand_fft *plan)
{
    if (!plan) return;
    plan->engine->destroy(plan->state);
    argand_device_close(plan->device);
    memory_free(plan);
}
