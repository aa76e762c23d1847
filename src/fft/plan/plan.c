/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans an FFT: states the problem, lets planner/choose.c choose the engine, applies, prints and destroys. */
#include "fft/planner/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/observe.h"
#include "device/range.h"
#include "fft/plan/half.h"
#include "fft/plan/options.h"
#include "fft/plan/run.h"
#include "fft/plan/waiting.h"

const fft_engine *const fft_engines[] = {&fft_engine_cufft, &fft_engine_native, &fft_engine_general,
                                         &fft_engine_passes, NULL};

/* Refuses environment variables that name unknown or missing engines or parameters
 * (docs/how-to/devices.md). */
static argand_status check_environment(void)
{
    static const fft_engine *const all[] = {&fft_engine_cufft,  &fft_engine_native, &fft_engine_general,
                                            &fft_engine_passes, &fft_engine_access, &fft_engine_fused,
                                            &fft_engine_staged};
    enum { ENGINES = sizeof all / sizeof *all };
    const char *wanted = getenv("ARGAND_FFT_ENGINE");
    char names[ENGINES * 16];
    int used = 0;
    bool known = !wanted || !*wanted;
    for (int i = 0; i < ENGINES && !known; i++) {
        known = !strcmp(wanted, all[i]->name);
        used += snprintf(names + used, sizeof names - (size_t)used, "%s%s", i ? ", " : "", all[i]->name);
    }
    CHECK(known, ARGAND_ARGUMENT, "argand_fft_create: ARGAND_FFT_ENGINE is \"%s\"; the engines are %s",
          wanted, names);
    for (int i = 0; i < ENGINES; i++)
        if (all[i]->check) TRY(all[i]->check());
    return ARGAND_OK;
}

static argand_status create(argand_fft **plan, argand_device *device, const argand_fft_options *options,
                            bool at_once)
{
    CHECK(plan, ARGAND_ARGUMENT, "argand_fft_create: no place for the plan");
    *plan = NULL;
    CHECK(device, ARGAND_ARGUMENT, "argand_fft_create: no device");
    TRY(check_environment());
    fft_problem problem;
    argand_fft *p;
    TRY(observe_again());
    TRY(problem_make(&problem, options));
    argand_status status = NEW(p, 1);
    if (status != ARGAND_OK) {
        fft_problem_release(&problem);
        return status;
    }
    p->problem = problem;
    p->problem.at_once = at_once;
    p->problem.create_at_once = fft_create_at_once;
    p->device = device_keep(device);
    status = problem_check_memory(&p->problem, device);
    if (status == ARGAND_OK) status = half_take(p);
    if (status == ARGAND_OK) status = plan_choose(p);
    if (status != ARGAND_OK) {
        argand_fft_destroy(p);
        return status;
    }
    plan_prepare_brief(p);
    *plan = p;
    return ARGAND_OK;
}

argand_status argand_fft_create(argand_fft **plan, argand_device *device, const argand_fft_options *options)
{
    return create(plan, device, options, false);
}

argand_status fft_create_at_once(argand_fft **plan, argand_device *device, const argand_fft_options *options)
{
    return create(plan, device, options, true);
}

argand_status fft_create_waiting(argand_fft **plan, argand_device *device, const argand_fft_options *options)
{
    CHECK(options, ARGAND_ARGUMENT, "argand_fft_create: no options");
    argand_fft_options waiting = *options;
    waiting.wait_for_kernels = true;
    return argand_fft_create(plan, device, &waiting);
}

static const char *range_name(argand_direction direction)
{
    return direction == ARGAND_FORWARD ? "argand fft forward" : "argand fft inverse";
}

/* Returns true for an array that is all of the plan's one line. */
static bool is_line(const argand_fft *plan, const argand_array *array, bool is_out,
                    argand_direction direction)
{
    const brief_end *end = &plan->brief_ends[direction == ARGAND_INVERSE][is_out];
    return array->rank == 1 && array->type == end->type && array->dims[0] == end->first &&
           (array->strides[0] == 1 || end->first == 1) && plan->problem.points == plan->problem.n[0] &&
           plan->problem.batch == 1;
}

/* Runs a short transform of contiguous arrays; returns false, and does nothing, for any other call. */
static bool run_brief(const argand_fft *plan, argand_array *out, const argand_array *in,
                      argand_direction direction)
{
    const fft_brief *b = plan_brief(plan, direction);
    fft_places places;
    if (!b) return false;
    if (is_line(plan, out, true, direction) && is_line(plan, in, false, direction)) {
        places = (fft_places){argand_array_data(out), argand_array_data(in)};
        if (!plan_takes_brief(plan, places.out, places.in, direction)) return false;
    } else if (!problem_is_plain(&places, &plan->problem, out, in, direction)) {
        return false;
    }
    b->run(b->state, places.out, places.in, NULL, b->inverse, b->factor);
    return true;
}

static argand_status apply(const argand_fft *plan, argand_array *out, const argand_array *in,
                           argand_direction direction, const argand_fft_access *access)
{
    CHECK(plan, ARGAND_ARGUMENT, "argand_fft_apply: no plan");
    CHECK(direction == ARGAND_FORWARD || direction == ARGAND_INVERSE, ARGAND_ARGUMENT,
          "argand_fft_apply: direction %d; give ARGAND_FORWARD or ARGAND_INVERSE", (int)direction);
    CHECK(out && in, ARGAND_ARGUMENT, "argand_fft_apply: no %s array", out ? "input" : "output");
    CHECK(storage_device(out->storage) == plan->device && storage_device(in->storage) == plan->device,
          ARGAND_ARGUMENT, "argand_fft_apply: an array lives on another device than the plan");
    fft_geometry geometry;
    const fft_problem *p = &plan->problem;
    if (p->access || access) {
        range_push("argand fft with accessors");
        return range_end(plan_run_access(plan, out, in, direction, access));
    }
    if (run_brief(plan, out, in, direction)) return ARGAND_OK;
    TRY(problem_bind(&geometry, plan->half_packed ? &plan->packed : p, out, in, direction));
    range_push(range_name(direction));
    return range_end((plan->half_packed ? half_run : plan_run)(
        plan, &(fft_call){.geometry = &geometry,
                          .out = out,
                          .in = in,
                          .direction = direction,
                          .factor = direction == ARGAND_FORWARD ? p->forward_factor : p->inverse_factor}));
}

argand_status argand_fft_apply(const argand_fft *plan, argand_array *out, const argand_array *in,
                               argand_direction direction)
{
    return apply(plan, out, in, direction, NULL);
}

argand_status argand_fft_apply_access(const argand_fft *plan, argand_array *out, const argand_array *in,
                                      argand_direction direction, const argand_fft_access *access)
{
    CHECK(access, ARGAND_ARGUMENT, "argand_fft_apply_access: no accessors");
    return apply(plan, out, in, direction, access);
}

static const char *kind_name(argand_type type)
{
    static const char *const names[] = {
        [ARGAND_R32] = "r32", [ARGAND_R64] = "r64", [ARGAND_C32] = "c32", [ARGAND_C64] = "c64"};
    return names[type];
}

/* Adds what serves after the present engine, or why it does not. */
static void print_interim(const argand_fft *plan, text *t)
{
    const fft_interim *s = plan->interim;
    if (!s || atomic_load(&s->state)) return;
    const char *own = plan->candidates.list[s->own].engine->name;
    if (atomic_load(&s->over))
        text_add(t, "; %s failed: %s", own, s->reason);
    else
        text_add(t, " until %s is compiled", own);
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
        if (plan->half_packed) text_add(&t, " half packed");
        text_add(&t, plan->compute_device == plan->device ? " " : " (on cpu ");
        const fft_serving now = plan_serving(plan, ARGAND_FORWARD);
        now.engine->print(now.state, &t);
        print_interim(plan, &t);
        if (plan->inverse_engine) {
            text_add(&t, " and back ");
            plan->inverse_engine->print(plan->inverse_state, &t);
        }
        text_add(&t, plan->compute_device == plan->device ? ")" : "))");
    }
    if (chars && size) snprintf(chars, size, "%s", text_chars(&t));
    text_free(&t);
}

void argand_fft_destroy(argand_fft *plan)
{
    if (!plan) return;
    interim_end(plan);
    if (plan->engine && plan->state) plan->engine->destroy(plan->state);
    if (plan->inverse_engine) plan->inverse_engine->destroy(plan->inverse_state);
    candidates_release(&plan->candidates);
    fft_problem_release(&plan->problem);
    argand_device_close(plan->compute_device);
    argand_device_close(plan->device);
    memory_free(plan);
}
