/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the engines and variants that can do a problem, and predicts their times. */
#include "fft/planner/candidate.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/plain.h"
#include "fft/planner/model.h"

void candidate_explain(fft_candidate *c, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    plain_vprint(c->reason, sizeof c->reason, format, list);
    va_end(list);
}

/* Returns true if calls need contiguous copies; plans without given axes are taken to be contiguous. */
static bool needs_copies(const fft_engine *engine, const fft_problem *p)
{
    fft_geometry contiguous;
    if (!engine->contiguous || !p->axes_given) return false;
    problem_contiguous(&contiguous, p, ARGAND_FORWARD);
    return !geometry_is(&p->geometry, &contiguous);
}

/* Returns the contiguous bytes in the input or output of given axes. */
static int64_t segment_of(const fft_problem *p, bool is_output, int64_t element)
{
    const fft_geometry *g = &p->geometry;
    for (int i = 0; i < g->rank + g->loops; i++) {
        const argand_axis *axis = i < g->rank ? &g->axes[i] : &g->loop[i - g->rank];
        if ((is_output ? axis->out_stride : axis->in_stride) == 1) return axis->n * element;
    }
    return element;
}

static void insert_copy(fft_passes *list, int at, const fft_problem *p, argand_direction direction,
                        bool is_output)
{
    if (list->count == FFT_MOST_PASSES) return;
    memmove(&list->pass[at + 1], &list->pass[at], (size_t)(list->count - at) * sizeof *list->pass);
    list->count++;
    const bool reals = problem_is_real(p) && is_output == (direction == ARGAND_INVERSE);
    const int64_t element = (int64_t)argand_type_size(p->type) * (problem_is_real(p) && !reals ? 2 : 1);
    const int64_t n_0 = problem_is_real(p) && !reals ? p->n[0] / 2 + 1 : p->n[0];
    const int64_t bytes = p->points / p->n[0] * n_0 * p->batch * element;
    const int64_t segment = segment_of(p, problem_is_real(p) ? !reals : is_output, element);
    argand_fft_pass *pass = &list->pass[at];
    *pass = (argand_fft_pass){.axis = -1, .read_bytes = bytes, .write_bytes = bytes};
    snprintf(pass->what, sizeof pass->what,
             is_output ? "back from a contiguous copy" : "to a contiguous copy");
    *(is_output ? &pass->write_segment : &pass->read_segment) = segment;
}

void candidate_passes(fft_passes *list, const fft_engine *engine, const char *variant, const fft_problem *p,
                      argand_device *device, argand_direction direction)
{
    *list = (fft_passes){0};
    if (!engine->passes) return;
    engine->passes(p, device, variant, direction, list);
    if (list->count && needs_copies(engine, p)) {
        insert_copy(list, 0, p, direction, false);
        insert_copy(list, list->count, p, direction, true);
    }
    fft_model model;
    model_of(&model, device);
    for (int i = 0; i < list->count; i++)
        if (!(list->pass[i].seconds > 0))
            list->pass[i].seconds = model_seconds(&model, &list->pass[i], type_is_double(p->type));
}

static double predict_one(const fft_candidate *c, const fft_problem *p, argand_device *device,
                          argand_direction direction)
{
    fft_passes list;
    double seconds = 0;
    candidate_passes(&list, c->engine, c->variant, p, device, direction);
    for (int i = 0; i < list.count; i++) seconds += list.pass[i].seconds;
    return seconds;
}

/* Returns the predicted time of the forward transform, or of both directions of a real transform: one plan
 * serves both, and their costs may differ. */
static double predict(const fft_candidate *c, const fft_problem *p, argand_device *device)
{
    const double forward = predict_one(c, p, device, ARGAND_FORWARD);
    return problem_is_real(p) ? forward + predict_one(c, p, device, ARGAND_INVERSE) : forward;
}

static void add_variants(fft_candidates *all, const fft_engine *engine, const fft_problem *p,
                         argand_device *device)
{
    const char *against = engine->low_priority ? engine->low_priority(p, device) : NULL;
    char names[FFT_MOST_CANDIDATES][FFT_VARIANT_CHARS] = {""};
    const int left = FFT_MOST_CANDIDATES - all->count,
              count = engine->variants ? engine->variants(p, device, names, left) : 1;
    for (int i = 0; i < count; i++) {
        fft_candidate *c = &all->list[all->count++];
        *c = (fft_candidate){.engine = engine, .possible = true, .low_priority = against != NULL};
        memcpy(c->variant, names[i], sizeof c->variant);
        if (against) candidate_explain(c, "%s", against);
        c->is_alike = i > 0 && engine->alike;
        c->predicted = c->is_alike ? c[-i].predicted : predict(c, p, device);
    }
}

bool engine_is_wanted(const char *name)
{
    const char *wanted = getenv("ARGAND_FFT_ENGINE");
    return wanted && !strcmp(wanted, name);
}

/* Returns true if ARGAND_FFT_ENGINE names another engine. The host's engine is never unwanted, because it
 * computes what the named engine cannot. */
static bool is_unwanted(const fft_engine *engine)
{
    const char *wanted = getenv("ARGAND_FFT_ENGINE");
    return wanted && *wanted && engine != &fft_engine_passes && strcmp(wanted, engine->name) != 0;
}

argand_status candidates_add(fft_candidates *all, const fft_problem *p, argand_device *device)
{
    if (!all->list) TRY(NEW(all->list, FFT_MOST_CANDIDATES));
    for (int i = 0; fft_engines[i] && all->count < FFT_MOST_CANDIDATES; i++) {
        const char *reason = is_unwanted(fft_engines[i]) ? "ARGAND_FFT_ENGINE names another one"
                                                         : fft_engines[i]->applicable(p, device);
        if (!reason) {
            add_variants(all, fft_engines[i], p, device);
        } else {
            fft_candidate *c = &all->list[all->count++];
            *c = (fft_candidate){.engine = fft_engines[i]};
            candidate_explain(c, "%s", reason);
        }
    }
    return ARGAND_OK;
}

/* ---- plans with accessors ---- */

argand_status candidates_add_access(fft_candidates *all, const fft_problem *p, argand_device *device)
{
    const fft_engine *const on_host[] = {&fft_engine_access, NULL}, *const elsewhere[] = {&fft_engine_fused,
                                                                                          &fft_engine_staged,
                                                                                          NULL};
    const fft_engine *const *engines = device_is_host(device) ? on_host : elsewhere;
    TRY(NEW(all->list, FFT_MOST_CANDIDATES));
    for (; *engines; engines++) {
        fft_candidate *c = &all->list[all->count++];
        *c = (fft_candidate){.engine = *engines};
        const char *reason = c->engine->applicable(p, device);
        c->possible = !reason;
        if (reason)
            candidate_explain(c, "%s", reason);
        else if (c->engine->variants)
            c->engine->variants(p, device, &c->variant, 1);
    }
    return ARGAND_OK;
}

void candidates_add_variants(fft_candidates *all, const fft_engine *engine, const fft_problem *p,
                             argand_device *device)
{
    char names[FFT_MOST_CANDIDATES][FFT_VARIANT_CHARS] = {""};
    const int count = engine->variants ? engine->variants(p, device, names, FFT_MOST_CANDIDATES) : 0;
    for (int i = 1; i < count && all->count < FFT_MOST_CANDIDATES; i++) {
        fft_candidate *c = &all->list[all->count++];
        *c = (fft_candidate){.engine = engine, .possible = true};
        memcpy(c->variant, names[i], sizeof c->variant);
    }
}

void candidates_release(fft_candidates *all)
{
    for (int i = 0; i < all->count; i++)
        if (all->list[i].state) all->list[i].engine->destroy(all->list[i].state);
    memory_free(all->list);
    *all = (fft_candidates){.taken = -1, .taken_inverse = -1};
}

argand_status candidate_create(void **state, const fft_candidate *c, const fft_problem *p,
                               argand_device *device)
{
    *state = NULL;
    return c->engine->create_variant && c->variant[0]
               ? c->engine->create_variant(state, p, device, c->variant)
               : c->engine->create(state, p, device);
}
