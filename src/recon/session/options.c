/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks options and fills in defaults. */
#include "penalty/penalty.h"
#include "recon/session/session.h"

static argand_status check_regularizers(const argand_sense_options *o)
{
    CHECK(o->regularizer_count >= 0 && o->regularizer_count <= ARGAND_MAX_REGULARIZERS, ARGAND_ARGUMENT,
          "%d regularizers were given; give at most %d", o->regularizer_count, ARGAND_MAX_REGULARIZERS);
    CHECK(o->regularizers || !o->regularizer_count, ARGAND_ARGUMENT, "the list of regularizers is NULL");
    const char *const what = o->spirit > 0            ? "SPIRiT"
                             : o->partial_fourier > 0 ? "the partial Fourier constraint"
                                                      : NULL;
    int automatic = 0;
    for (int i = 0; i < o->regularizer_count; i++) {
        automatic += o->regularizers[i].automatic;
        CHECK(automatic <= 1, ARGAND_ARGUMENT, "only one regularizer's weight can be chosen automatically");
        const argand_regularizer *r = &o->regularizers[i];
        CHECK(r->weight >= 0, ARGAND_ARGUMENT, "regularizer %s has the weight %g: give 0 or more",
              argand_regularizer_name(r->kind), r->weight);
        CHECK(!what || !r->automatic, ARGAND_UNSUPPORTED,
              "%s needs a regularizer's weight as a number, not %s:auto", what,
              argand_regularizer_name(r->kind));
        CHECK(!what || regularizer_is_quadratic(r), ARGAND_UNSUPPORTED,
              "%s supports quadratic penalties only, not %s", what, argand_regularizer_name(r->kind));
    }
    CHECK(!what || o->solver == ARGAND_SOLVER_AUTO || o->solver == ARGAND_SOLVER_CG, ARGAND_UNSUPPORTED,
          "%s supports the solver cg only, not %s", what, argand_solver_name(o->solver));
    return ARGAND_OK;
}

/* POCS and homodyne reconstruction. */
static argand_status check_completion(const argand_sense_options *o)
{
    const char *name = o->homodyne ? "homodyne reconstruction" : "POCS";
    CHECK(o->pocs >= 0, ARGAND_ARGUMENT, "%d iterations of POCS: give 0 or more", o->pocs);
    CHECK(o->homodyne >= ARGAND_HOMODYNE_NONE && o->homodyne <= ARGAND_HOMODYNE_STEP, ARGAND_ARGUMENT,
          "homodyne weighting %d is not known", (int)o->homodyne);
    if (!o->pocs && !o->homodyne) return ARGAND_OK;
    CHECK(o->method != ARGAND_METHOD_ADJOINT_RSS && !o->spirit_rss, ARGAND_ARGUMENT,
          "%s needs the image's phase, which the root of the sum of squares does not have: combine by coil "
          "maps",
          name);
    CHECK(!(o->partial_fourier > 0), ARGAND_ARGUMENT,
          "%s and the partial Fourier constraint both complete k-space: choose one", name);
    CHECK(!o->pocs || !o->homodyne, ARGAND_ARGUMENT,
          "POCS and homodyne reconstruction both complete k-space: choose one");
    return ARGAND_OK;
}

static argand_status check_constraints(const argand_sense_options *o)
{
    CHECK(o->partial_fourier >= 0, ARGAND_ARGUMENT, "partial Fourier weight %g: give 0 or more",
          o->partial_fourier);
    TRY(check_completion(o));
    CHECK(o->spirit >= 0, ARGAND_ARGUMENT, "SPIRiT weight %g: give 0 or more", o->spirit);
    CHECK(o->spirit > 0 || !o->spirit_rss, ARGAND_ARGUMENT,
          "the root of the sum of squares (--combine rss) combines the coil images of SPIRiT: give its "
          "weight (--spirit 1), or use argand grid, which needs no coil maps");
    if (!(o->spirit > 0)) return ARGAND_OK;
    CHECK(o->method == ARGAND_METHOD_SOLVE, ARGAND_ARGUMENT,
          "SPIRiT needs an iterative method, not the weighted adjoint alone");
    CHECK(o->phases == ARGAND_PHASES_NONE && o->sets < 2 && !o->joint && !o->basis && !o->basis_name &&
              !(o->partial_fourier > 0),
          ARGAND_UNSUPPORTED,
          "SPIRiT excludes phase maps, several sets of coil maps, repetitions that are solved together and "
          "the partial Fourier constraint");
    return ARGAND_OK;
}

static argand_status check_sets(const argand_sense_options *o)
{
    CHECK(o->sets >= 0 && o->sets <= 16, ARGAND_ARGUMENT, "%d sets of coil maps: give 1 to 16", o->sets);
    CHECK(o->sets < 2 || o->coils != ARGAND_COILS_ADAPTIVE, ARGAND_ARGUMENT,
          "%d sets of coil maps need ESPIRiT: adaptive combination makes one set", o->sets);
    CHECK(o->sets < 2 || o->coils != ARGAND_COILS_JOINT, ARGAND_UNSUPPORTED,
          "--coils joint estimates one set of maps only; leave out --sets %d", o->sets);
    CHECK(o->sets < 2 || (o->phases == ARGAND_PHASES_NONE && !o->joint && !o->basis && !o->basis_name &&
                          !(o->partial_fourier > 0)),
          ARGAND_UNSUPPORTED,
          "%d sets of coil maps exclude phase maps, repetitions that are solved together and the partial "
          "Fourier constraint",
          o->sets);
    CHECK(o->coil_sigma >= 0, ARGAND_ARGUMENT, "a window of %g pixels: give more than 0, or 0 for 3",
          o->coil_sigma);
    return ARGAND_OK;
}

/* Refuses values that no enumeration has, and numbers below 0. */
static argand_status check_ranges(const argand_sense_options *o)
{
    const struct {
        const char *name;
        int value, last;
    } choices[] = {{"transform", (int)o->transform, ARGAND_TRANSFORM_SEGMENTED},
                   {"density", (int)o->density, ARGAND_DENSITY_DECONVOLVE},
                   {"method", (int)o->method, ARGAND_METHOD_ADJOINT_RSS},
                   {"toeplitz", (int)o->toeplitz, ARGAND_TOEPLITZ_OFF},
                   {"coils", (int)o->coils, ARGAND_COILS_JOINT},
                   {"phases", (int)o->phases, ARGAND_PHASES_SHOTS},
                   {"interpolator", (int)o->interpolator, ARGAND_INTERPOLATE_SVD}};
    const struct {
        const char *name;
        double value;
    } tolerances[] = {{"tolerance", o->tolerance},
                      {"NUFFT tolerance", o->nufft_tolerance},
                      {"segment tolerance", o->segment_tolerance}};
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        CHECK(choices[i].value >= 0 && choices[i].value <= choices[i].last, ARGAND_ARGUMENT,
              "%s %d is not known", choices[i].name, choices[i].value);
    for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++)
        CHECK(tolerances[i].value >= 0, ARGAND_ARGUMENT, "%s %g: give 0 or more", tolerances[i].name,
              tolerances[i].value);
    CHECK(o->type == 0 || o->type == ARGAND_C32 || o->type == ARGAND_C64, ARGAND_ARGUMENT,
          "reconstruction in %s: give ARGAND_C32 or ARGAND_C64", argand_type_name(o->type));
    CHECK(o->density_power >= 0 && o->density_power <= 2, ARGAND_ARGUMENT,
          "density weights to the power %g: give 0 to 2", o->density_power);
    CHECK(o->rank >= 0, ARGAND_ARGUMENT, "rank %d of the temporal basis: give 1 or more, or 0 for all of it",
          o->rank);
    for (int axis = 0; axis < 3; axis++)
        CHECK(o->field_of_view[axis] >= 0 && o->field_of_view[axis] < 1e9, ARGAND_ARGUMENT,
              "field of view %g mm along %c: give more than 0, or 0 for the scan's", o->field_of_view[axis],
              "xyz"[axis]);
    CHECK(o->iterations >= 0, ARGAND_ARGUMENT, "%d iterations: give 1 or more, or 0 for the usual number",
          o->iterations);
    CHECK(o->segments >= 0, ARGAND_ARGUMENT, "%d segments: give 1 or more, or 0 for as many as needed",
          o->segments);
    CHECK(o->calibration >= 0 && o->calibration <= 1, ARGAND_ARGUMENT, "calibration radius %g: give 0 to 1",
          o->calibration);
    return ARGAND_OK;
}

/* Whitening and compression. */
static argand_status check_channels(const argand_sense_options *o)
{
    CHECK(!o->as_received || !(o->whiten || o->noise || o->whitener), ARGAND_ARGUMENT,
          "as_received and whitening exclude each other; choose one");
    CHECK(!o->noise || !o->whitener, ARGAND_ARGUMENT,
          "the channels would be whitened twice, by noise samples and by a matrix: choose one");
    CHECK(!o->compress || !o->compression, ARGAND_ARGUMENT,
          "compression to %d virtual coils and by a matrix: choose one", o->compress);
    CHECK(o->compress >= 0, ARGAND_ARGUMENT, "compression to %d coils: give 1 or more, or 0 for none",
          o->compress);
    return ARGAND_OK;
}

/* What the iterative method and the preconditioner exclude or need. */
static argand_status check_method(const argand_sense_options *o)
{
    const bool joins = o->joint || o->basis || o->basis_name, iterates = o->method == ARGAND_METHOD_SOLVE;
    CHECK(!o->precondition || o->toeplitz != ARGAND_TOEPLITZ_OFF, ARGAND_ARGUMENT,
          "the circulant preconditioner needs Toeplitz kernels, which are switched off; allow them");
    CHECK(!o->precondition || !joins, ARGAND_UNSUPPORTED,
          "the preconditioner does not support repetitions that are solved together; switch it off");
    CHECK(!o->coefficients || o->basis || o->basis_name, ARGAND_ARGUMENT,
          "coefficients need a temporal basis, and none is given");
    CHECK(iterates || !joins, ARGAND_ARGUMENT,
          "repetitions that are solved together need an iterative method, not the weighted adjoint alone");
    CHECK(
        iterates || !(o->partial_fourier > 0), ARGAND_ARGUMENT,
        "the partial Fourier constraint needs an iterative method; choose one, or leave the constraint out");
    return ARGAND_OK;
}

argand_status options_check(const argand_sense_options *o)
{
    TRY(check_ranges(o));
    TRY(check_channels(o));
    TRY(check_sets(o));
    TRY(check_method(o));
    TRY(check_regularizers(o));
    return check_constraints(o);
}

argand_sense_options options_with_defaults(const argand_sense_options *given)
{
    argand_sense_options o = *given;
    if (!o.type) o.type = ARGAND_C32;
    if (!o.sets) o.sets = 1;
    if (!o.iterations) {
        const bool quadratic = o.solver <= ARGAND_SOLVER_CG &&
                               argand_solver_choose(o.regularizers, o.regularizer_count) == ARGAND_SOLVER_CG;
        if (o.tolerance == 0 && quadratic) o.tolerance = 1e-4;
        o.iterations = 50;
    }
    if (o.nufft_tolerance == 0) o.nufft_tolerance = o.type == ARGAND_C64 ? 1e-9 : 1e-5;
    if (o.segment_tolerance == 0) o.segment_tolerance = o.type == ARGAND_C64 ? 1e-6 : 1e-3;
    if (o.weights) o.density = ARGAND_DENSITY_FILE;
    o.basis = o.noise = o.whitener = o.compression = o.weights = NULL;
    o.noise_name = o.whitener_name = o.compression_name = o.weights_name = NULL;
    o.field_map = o.coil_maps = o.mask = o.r2star = o.phase_maps = NULL;
    for (int axis = 0; axis < 3; axis++) o.gradient[axis] = NULL;
    return o;
}
