/* SPDX-License-Identifier: BSD-3-Clause */
/* Who computes the sums of a plan. The plan knows axes, samples and pixels (plan.h); an engine turns them
 * into whatever its device needs (plan->engine_state) and runs both directions. Engines are tried in the
 * order of field_engines; the first that applies is kept for the plan's life. */
#ifndef FIELD_ENGINE_H
#define FIELD_ENGINE_H

#include "base/status.h"
#include "field/plan.h"

typedef struct field_engine {
    const char *name;
    /* A column may be a pair of conjugate pixels where the plan is separable; else it is always one pixel. */
    bool pairs;
    /* Returns true if this engine can compute the plan. The plan's device, type, rank, n, separable, terms
     * and tolerance are set. If false, *reason may be set to a text for the user. */
    bool (*applies)(const argand_field *plan, const char **reason);
    /* Makes plan->engine_state from the complete plan. If it fails, destroy releases the part that was
     * made. */
    argand_status (*create)(argand_field *plan);
    /* Arrays have the plan's shapes and type, any strides, equal numbers of vectors, and live where
     * field_lives_here says. They do not overlap. */
    argand_status (*apply)(const argand_field *plan, argand_array *samples, const argand_array *image);
    argand_status (*adjoint)(const argand_field *plan, argand_array *image, const argand_array *samples);
    void (*destroy)(argand_field *plan);
    /* (optional) what it reports about the plan, like ", tables in panels" */
    void (*print)(const argand_field *plan, char *text, size_t size);
} field_engine;

extern const field_engine field_engine_cpu, field_engine_device;

/* The first engine that applies. */
argand_status field_engine_choose(const field_engine **engine, const argand_field *plan);

/* True where the plan's engine may use the array as it is: on the plan's own device, or in host memory if the
 * plan computes there. */
bool field_lives_here(const argand_field *plan, const argand_array *array);

#endif
