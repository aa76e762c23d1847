/* SPDX-License-Identifier: BSD-3-Clause */
/* Both directions, whoever computes: shapes are checked, arrays that live elsewhere are brought to where the
 * plan computes and the result is brought back. */
#include "device/range.h"
#include "field/engine.h"

/* ---- shapes ---- */

static argand_status check_type(const argand_field *plan, const argand_array *array, const char *name)
{
    CHECK(array, ARGAND_ARGUMENT, "field: no array given for %s", name);
    CHECK(argand_array_type(array) == plan->type, ARGAND_ARGUMENT, "field: %s is %s, but the plan is for %s",
          name, argand_type_name(argand_array_type(array)), argand_type_name(plan->type));
    return ARGAND_OK;
}

/* The vectors' axis comes last; nothing else may follow. */
static argand_status check_last(const argand_array *array, int axis, const char *name)
{
    for (int d = axis + 1; d < argand_array_rank(array); d++)
        CHECK(argand_array_dim(array, d) == 1, ARGAND_ARGUMENT,
              "field: %s has %d dimensions; at most %d are allowed", name, argand_array_rank(array),
              axis + 1);
    return ARGAND_OK;
}

static argand_status check_image(const argand_field *plan, const argand_array *image)
{
    TRY(check_type(plan, image, "image"));
    for (int d = 0; d < plan->rank; d++)
        CHECK(argand_array_dim(image, d) == plan->n[d], ARGAND_ARGUMENT,
              "field: dimension %d of image is %lld; the plan's image has %lld", d,
              (long long)argand_array_dim(image, d), (long long)plan->n[d]);
    return check_last(image, plan->rank, "image");
}

static argand_status check_samples(const argand_field *plan, const argand_array *samples)
{
    TRY(check_type(plan, samples, "samples"));
    CHECK(argand_array_dim(samples, 0) == plan->samples.count, ARGAND_ARGUMENT,
          "field: samples has %lld per vector; the plan has %lld", (long long)argand_array_dim(samples, 0),
          (long long)plan->samples.count);
    return check_last(samples, 1, "samples");
}

static argand_status check(const argand_field *plan, const argand_array *image, const argand_array *samples)
{
    CHECK(plan, ARGAND_ARGUMENT, "field: no plan given");
    TRY(check_image(plan, image));
    TRY(check_samples(plan, samples));
    const int64_t of_image = argand_array_dim(image, plan->rank), of_samples = argand_array_dim(samples, 1);
    CHECK(of_image == of_samples, ARGAND_ARGUMENT, "field: image holds %lld vectors, samples %lld",
          (long long)of_image, (long long)of_samples);
    return ARGAND_OK;
}

/* ---- places ---- */

/* Creates an array of the same shape where the plan computes; NULL if the array is there already. */
static argand_status new_here(argand_array **here, const argand_field *plan, const argand_array *array)
{
    int64_t dims[ARGAND_MAX_RANK];
    *here = NULL;
    if (field_lives_here(plan, array)) return ARGAND_OK;
    for (int d = 0; d < argand_array_rank(array); d++) dims[d] = argand_array_dim(array, d);
    return argand_array_create(here, plan->device, plan->type, argand_array_rank(array), dims);
}

typedef argand_status direction(const argand_field *plan, argand_array *out, const argand_array *in);

static argand_status run(direction *apply, const argand_field *plan, argand_array *out,
                         const argand_array *in)
{
    argand_array *out_here = NULL, *in_here = NULL;
    argand_status status;
    TRY_OR_DONE(new_here(&in_here, plan, in));
    TRY_OR_DONE(new_here(&out_here, plan, out));
    if (in_here) TRY_OR_DONE(argand_array_copy(in_here, in));
    TRY_OR_DONE(apply(plan, out_here ? out_here : out, in_here ? in_here : in));
    if (out_here) TRY_OR_DONE(argand_array_copy(out, out_here));
done:
    argand_array_destroy(out_here);
    argand_array_destroy(in_here);
    return status;
}

argand_status argand_field_apply(const argand_field *plan, argand_array *samples, const argand_array *image)
{
    TRY(check(plan, image, samples));
    range_push("argand field dft forward");
    return range_end(run(plan->engine->apply, plan, samples, image));
}

argand_status argand_field_adjoint(const argand_field *plan, argand_array *image, const argand_array *samples)
{
    TRY(check(plan, image, samples));
    range_push("argand field dft adjoint");
    return range_end(run(plan->engine->adjoint, plan, image, samples));
}
