/* SPDX-License-Identifier: BSD-3-Clause */
/* A penalty that is known by its proximal map alone, the caller's denoiser (plug-and-play: Venkatakrishnan,
 * Bouman, Wohlberg, GlobalSIP 2013). The function gets host arrays in the units of the image's scale. */
#include "penalty/penalty.h"

#include <math.h>
#include "base/memory.h"
#include "device/device.h"

typedef struct denoiser_prox {
    prox base;
    argand_denoise denoise;
    void *context;
    double level;
    int space;
    argand_array *noisy, *clean; /* on the host */
} denoiser_prox;

/* R is not known: the tally gets 0. */
static argand_status add_nothing(const argand_array *x, const tally *sum)
{
    if (!sum || !sum->numbers || sum->add) return ARGAND_OK;
    return scalars_dot(sum->numbers, sum->at, 0, x, x, false);
}

static argand_status denoise(denoiser_prox *d, double level)
{
    double size;
    TRY(d->denoise(d->context, d->clean, d->noisy, d->space, level));
    TRY(argand_array_norm(&size, d->clean));
    CHECK(isfinite(size), ARGAND_NUMERIC,
          "the denoiser returned numbers that are not finite: give it another level of noise, or another "
          "model");
    return ARGAND_OK;
}

/* A solver's step is 1 / (weight d) where t is 1. */
static argand_status run(prox *p, argand_array *y, const argand_array *x, double t, const tally *sum)
{
    denoiser_prox *d = (denoiser_prox *)p;
    if (t > 0 && p->scale > 0) {
        TRY(argand_array_copy(d->noisy, x));
        TRY(argand_array_scale(d->noisy, (argand_scalar){1 / p->scale, 0}));
        TRY(denoise(d, d->level * sqrt(t)));
        TRY(argand_array_copy(y, d->clean));
        TRY(argand_array_scale(y, (argand_scalar){p->scale, 0}));
    } else {
        TRY(argand_array_copy(y, x));
    }
    return add_nothing(y, sum);
}

static void release(prox *p)
{
    argand_array_destroy(((denoiser_prox *)p)->clean);
    argand_array_destroy(((denoiser_prox *)p)->noisy);
}

static argand_status make(prox **out, const argand_regularizer *r, argand_device *device,
                          const argand_shape *shape, int space)
{
    denoiser_prox *d;
    argand_device *host;
    TRY(NEW(d, 1));
    *out = &d->base;
    *d = (denoiser_prox){.base = {.run = run, .destroy = release, .components = 1, .scale = 1},
                         .denoise = r->denoise,
                         .context = r->denoise_context,
                         .level = r->level > 0 ? r->level : 0.05,
                         .space = space};
    TRY(device_host(&host, device));
    TRY(argand_array_create(&d->noisy, host, shape->type, shape->rank, shape->dims));
    return argand_array_create(&d->clean, host, shape->type, shape->rank, shape->dims);
}

static argand_status check(const argand_regularizer *r, const argand_shape *shape, int space)
{
    (void)shape, (void)space;
    CHECK(r->denoise, ARGAND_ARGUMENT, "denoiser: the function is NULL; set `denoise`");
    CHECK(!r->automatic, ARGAND_ARGUMENT,
          "denoiser: its weight cannot be chosen; give the weight, 1 for example");
    CHECK(r->level >= 0 && isfinite(r->level), ARGAND_ARGUMENT,
          "denoiser: level of noise %g; it must be above 0, or 0 for 0.05", r->level);
    return ARGAND_OK;
}

const penalty_kind penalty_denoiser = {
    .id = ARGAND_DENOISER,
    .name = "denoiser",
    .form = "",
    .summary = "a denoiser (plug-and-play)",
    .formula = "not known: the denoiser is its proximal map",
    .paper = "Venkatakrishnan, Bouman, Wohlberg: Plug-and-play priors for model based reconstruction. IEEE "
             "GlobalSIP 2013, 945.",
    .usual = 1,
    .degree = 2,
    .is_map = true,
    .check = check,
    .prox = make,
};
