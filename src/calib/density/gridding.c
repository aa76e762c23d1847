/* SPDX-License-Identifier: BSD-3-Clause */
/* Gridding reconstruction: the density-weighted adjoint of each coil (Jackson, Meyer, Nishimura, Macovski,
 * IEEE Trans. Med. Imaging 10:473, 1991), and the root of the sum of their squares. */
#include "calib/calib.h"

/* Multiplies the samples of every coil by the weights, through a view that repeats the weights. */
static argand_status weigh(argand_array *weighted, const argand_array *samples, const argand_array *weights,
                           int64_t points, int64_t coils)
{
    argand_array *repeated = NULL, *flat = NULL;
    const int64_t dims[2] = {points, coils};
    argand_status status;
    TRY_OR_DONE(argand_array_reshape(&flat, samples, 2, dims));
    TRY_OR_DONE(argand_array_view(&repeated, weights, 2, dims, (int64_t[]){1, 0}, 0));
    status = argand_array_multiply(weighted, repeated, flat, ARGAND_PRODUCT);
done:
    argand_array_destroy(flat);
    argand_array_destroy(repeated);
    return status;
}

static argand_status check(const argand_array *samples, const argand_array *weights, int64_t points,
                           int64_t *coils)
{
    const int64_t count = argand_array_count(samples);
    CHECK(points > 0, ARGAND_ARGUMENT, "gridding: the plan has no points yet (argand_nufft_set_points)");
    CHECK(count % points == 0 && type_is_complex(argand_array_type(samples)), ARGAND_ARGUMENT,
          "gridding: %lld samples are no multiple of the plan's %lld points; they must be complex {points, "
          "coils}",
          (long long)count, (long long)points);
    *coils = count / points;
    CHECK(!weights || (argand_array_count(weights) == points &&
                       !type_is_complex(argand_array_type(weights)) && argand_array_is_contiguous(weights)),
          ARGAND_ARGUMENT, "gridding: the weights must be real and contiguous, one for each of %lld points",
          (long long)points);
    return ARGAND_OK;
}

argand_status argand_gridding(argand_array *image, argand_array *coil_images, const argand_nufft *plan,
                              const argand_array *samples, const argand_array *weights)
{
    argand_array *weighted = NULL, *own = NULL;
    argand_nufft_info info;
    int64_t coils = 0;
    argand_status status;
    CHECK(plan, ARGAND_ARGUMENT, "gridding: no plan given");
    CHECK(image || coil_images, ARGAND_ARGUMENT, "gridding: nowhere to put the image");
    CHECK_ARRAY(samples);
    argand_nufft_describe(plan, &info);
    TRY(check(samples, weights, info.points, &coils));
    argand_device *device = argand_array_device(samples);
    const argand_type type = argand_array_type(samples);
    int64_t dims[4] = {info.n[0], info.n[1], info.n[2], coils};
    dims[info.rank] = coils;
    TRY_OR_DONE(argand_array_create(&weighted, device, type, 2, (int64_t[]){info.points, coils}));
    if (weights)
        TRY_OR_DONE(weigh(weighted, samples, weights, info.points, coils));
    else {
        argand_array_destroy(weighted);
        weighted = NULL;
        TRY_OR_DONE(argand_array_reshape(&weighted, samples, 2, (int64_t[]){info.points, coils}));
    }
    if (!coil_images) TRY_OR_DONE(argand_array_create(&own, device, type, info.rank + 1, dims));
    TRY_OR_DONE(argand_nufft_adjoint(plan, coil_images ? coil_images : own, weighted));
    if (image) status = argand_coils_rss(image, coil_images ? coil_images : own);
done:
    argand_array_destroy(own);
    argand_array_destroy(weighted);
    return status;
}
