/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of water and fat as an operator. The signal of fat depends on the time of a sample alone, not on
 * the pixel: the samples of fat are those of an image, times this signal (Brodsky et al., MRM 59:1151, 2008).
 * Field and decay depend on the pixel, and are segments of a NUFFT. */
#include <argand/mri.h>
#include "maps/maps.h"
#include "mri/host.h"

typedef struct two_images {
    argand_op *encoding;   /* from an image to {points, coils} */
    argand_array *signal;  /* of fat at each point, {points, coils} with strides {1, 0} */
    argand_array *scratch; /* {points, coils} */
} two_images;

static argand_status check_image(const argand_array *map, bool is_complex, int64_t pixels, const char *name)
{
    CHECK(map && type_is_complex(argand_array_type(map)) == is_complex && argand_array_count(map) == pixels,
          ARGAND_ARGUMENT, "samples of water and fat: %s must be %s with a value for each of %lld pixels",
          name, is_complex ? "complex" : "real", (long long)pixels);
    return ARGAND_OK;
}

static argand_status check_arguments(const argand_water_fat_maps *maps, const argand_array *coils,
                                     argand_array *const k[], int rank, const argand_array *t)
{
    CHECK(rank == 2 || rank == 3, ARGAND_ARGUMENT, "samples of water and fat: %d axes; 2 or 3 are possible",
          rank);
    CHECK(argand_array_rank(coils) == 4 && argand_array_type(coils) == ARGAND_C32 &&
              (rank == 3 || argand_array_dim(coils, 2) == 1),
          ARGAND_ARGUMENT, "samples of water and fat: the coil maps must be C32 {nx, ny, nz, coils}");
    const int64_t points = argand_array_count(t),
                  pixels = argand_array_count(coils) / argand_array_dim(coils, 3);
    CHECK(argand_array_type(t) == ARGAND_R32 && points > 0, ARGAND_ARGUMENT,
          "samples of water and fat: times must be R32");
    for (int axis = 0; axis < rank; axis++)
        CHECK(k && k[axis] && argand_array_count(k[axis]) == points, ARGAND_ARGUMENT,
              "samples of water and fat: axis %d has not one position for each of %lld points", axis,
              (long long)points);
    TRY(check_image(maps->r2star, false, pixels, "R2*"));
    return check_image(maps->field, false, pixels, "the field");
}

/* Creates the operator from an image to the samples of all coils. */
static argand_status make_encoding(argand_op **op, const argand_water_fat_maps *maps,
                                   const argand_array *coils, argand_array *const k[], int rank,
                                   const argand_array *t)
{
    argand_device *device = argand_array_device(coils);
    argand_nufft_options o = {.type = ARGAND_C32, .rank = rank, .wait_for_kernels = true};
    int64_t dims[4];
    argand_nufft *plan = NULL;
    argand_segments *segments = NULL;
    argand_array *shaped = NULL;
    argand_op *transform = NULL;
    for (int axis = 0; axis < rank; axis++) dims[axis] = o.n[axis] = argand_array_dim(coils, axis);
    dims[rank] = argand_array_dim(coils, 3);
    const argand_segments_options s = {
        .type = ARGAND_C32, .tolerance = 1e-4, .t = t, .field_map = maps->field, .r2star = maps->r2star};
    argand_status status = argand_segments_create(&segments, device, &s);
    if (!status) status = argand_nufft_create(&plan, device, &o);
    if (!status) status = argand_nufft_set_points(plan, k);
    if (!status) status = argand_array_reshape(&shaped, coils, rank + 1, dims);
    if (status)
        argand_nufft_destroy(plan);
    else
        status = argand_op_segmented(&transform, device, plan, segments, dims[rank]);
    if (!status) status = argand_op_sense(op, transform, shaped);
    argand_op_destroy(transform);
    argand_array_destroy(shaped);
    argand_segments_destroy(segments);
    return status;
}

/* Creates the signal of fat at each point, C32 {points, coils} with one element for all coils. */
static argand_status make_signal(argand_array **signal, int64_t coils, const argand_array *t,
                                 const argand_water_fat_options *fat)
{
    const int64_t dims[2] = {argand_array_count(t), coils}, strides[2] = {1, 0};
    double *times, *values = NULL;
    argand_array *single = NULL;
    argand_status status;
    TRY(host_read(&times, t));
    TRY_OR_DONE(NEW(values, 2 * dims[0]));
    for (int64_t j = 0; j < dims[0]; j++) {
        const double complex value = fat_signal(fat, times[j]);
        values[2 * j] = creal(value);
        values[2 * j + 1] = cimag(value);
    }
    TRY_OR_DONE(argand_array_create(&single, argand_array_device(t), ARGAND_C32, 1, dims));
    TRY_OR_DONE(host_write_complex(single, values));
    status = argand_array_view(signal, single, 2, dims, strides, 0);
done:
    argand_array_destroy(single);
    memory_free(values);
    memory_free(times);
    return status;
}

/* Creates a view of water (0) or fat (1) with the shape of the encoding's image. */
static argand_status image_of(argand_array **image, const two_images *w, const argand_array *x, int which)
{
    const argand_shape *domain = argand_op_domain(w->encoding);
    argand_array *part = NULL;
    const int last = argand_array_rank(x) - 1;
    argand_status status = argand_array_part(&part, x, last, which, 1);
    if (!status) status = argand_array_reshape(image, part, domain->rank, domain->dims);
    argand_array_destroy(part);
    return status;
}

static argand_status apply(void *context, argand_array *y, const argand_array *x)
{
    const two_images *w = context;
    argand_array *image[2] = {NULL, NULL};
    argand_status status = image_of(&image[0], w, x, 0);
    if (!status) status = image_of(&image[1], w, x, 1);
    if (!status) status = argand_op_apply(w->encoding, y, image[0]);
    if (!status) status = argand_op_apply(w->encoding, w->scratch, image[1]);
    if (!status) status = argand_array_multiply(y, w->signal, w->scratch, ARGAND_PRODUCT_ADD);
    argand_array_destroy(image[1]);
    argand_array_destroy(image[0]);
    return status;
}

static argand_status adjoint(void *context, argand_array *x, const argand_array *y)
{
    const two_images *w = context;
    argand_array *image[2] = {NULL, NULL};
    argand_status status = image_of(&image[0], w, x, 0);
    if (!status) status = image_of(&image[1], w, x, 1);
    if (!status) status = argand_op_adjoint(w->encoding, image[0], y);
    if (!status) status = argand_array_multiply(w->scratch, w->signal, y, ARGAND_PRODUCT_CONJ);
    if (!status) status = argand_op_adjoint(w->encoding, image[1], w->scratch);
    argand_array_destroy(image[1]);
    argand_array_destroy(image[0]);
    return status;
}

static void destroy(void *context)
{
    two_images *w = context;
    argand_array_destroy(w->scratch);
    argand_array_destroy(w->signal);
    argand_op_destroy(w->encoding);
    memory_free(w);
}

argand_status argand_op_water_fat(argand_op **op, const argand_water_fat_maps *maps,
                                  const argand_array *coils, argand_array *const k[], int rank,
                                  const argand_array *t, const argand_water_fat_options *fat)
{
    two_images *w;
    CHECK(op, ARGAND_ARGUMENT, "samples of water and fat: no place for the operator");
    *op = NULL;
    CHECK(maps, ARGAND_ARGUMENT, "samples of water and fat: the struct of the maps is missing");
    CHECK_ARRAY(coils);
    CHECK_ARRAY(t);
    CHECK(fat, ARGAND_ARGUMENT, "samples of water and fat: options are missing");
    TRY(check_arguments(maps, coils, k, rank, t));
    TRY(fat_check(fat));
    TRY(NEW(w, 1));
    argand_device *device = argand_array_device(coils);
    const int64_t range[2] = {argand_array_count(t), argand_array_dim(coils, 3)};
    const argand_op_definition definition = {
        .name = "water-fat",
        .domain = {ARGAND_C32,
                   4,
                   {argand_array_dim(coils, 0), argand_array_dim(coils, 1), argand_array_dim(coils, 2), 2}},
        .range = {ARGAND_C32, 2, {range[0], range[1]}},
        .apply = apply,
        .adjoint = adjoint,
        .destroy = destroy,
        .context = w};
    argand_status status = make_encoding(&w->encoding, maps, coils, k, rank, t);
    if (!status) status = make_signal(&w->signal, range[1], t, fat);
    if (!status) status = argand_array_create(&w->scratch, device, ARGAND_C32, 2, range);
    if (!status) status = argand_op_create(op, device, &definition);
    if (status) destroy(w);
    return status;
}
