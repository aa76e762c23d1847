/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates the signal of an object on a fine grid. */
#include <argand/mri.h>

#include <math.h>
#include "mri/host.h"

typedef struct shapes {
    int rank;
    int64_t n[3]; /* size of the fine grid */
    int64_t pixels, samples, coils;
    argand_type type, real;
} shapes;

static argand_status check_real(const argand_array *array, int64_t count, const char *what)
{
    CHECK(array && !type_is_complex(argand_array_type(array)) && argand_array_count(array) == count,
          ARGAND_ARGUMENT, "simulation: %s must be real with %lld elements", what, (long long)count);
    return ARGAND_OK;
}

static argand_status check_image(const argand_simulation *s, shapes *x)
{
    CHECK_ARRAY(s->image);
    x->rank = argand_array_rank(s->image);
    CHECK(x->rank == 2 || x->rank == 3, ARGAND_ARGUMENT,
          "simulation: the image has %d dimensions; 2 or 3 are possible", x->rank);
    for (int d = 0; d < 3; d++) {
        x->n[d] = argand_array_dim(s->image, d);
        CHECK(s->n[d] > 0 || (d == 2 && x->rank == 2), ARGAND_ARGUMENT,
              "simulation: the matrix is %lld along axis %d", (long long)s->n[d], d);
    }
    x->pixels = argand_array_count(s->image);
    if (!s->coil_maps) {
        x->coils = 1;
        return ARGAND_OK;
    }
    x->coils = argand_array_count(s->coil_maps) / x->pixels;
    CHECK(type_is_complex(argand_array_type(s->coil_maps)) && x->coils > 0 &&
              argand_array_count(s->coil_maps) == x->coils * x->pixels &&
              argand_array_is_contiguous(s->coil_maps),
          ARGAND_ARGUMENT,
          "simulation: the coil maps must be contiguous and complex {dims..., coils} over the image's %lld "
          "pixels",
          (long long)x->pixels);
    return ARGAND_OK;
}

static argand_status check_arguments(const argand_array *samples, const argand_simulation *s, shapes *x)
{
    CHECK_ARRAY(samples);
    CHECK(s, ARGAND_ARGUMENT, "simulation: nothing given to simulate");
    TRY(check_image(s, x));
    x->type = argand_array_type(samples);
    x->real = type_of(false, type_is_double(x->type));
    x->samples = argand_array_count(samples) / x->coils;
    CHECK(type_is_complex(x->type) && x->samples * x->coils == argand_array_count(samples) &&
              argand_array_is_contiguous(samples),
          ARGAND_ARGUMENT, "simulation: the samples must be contiguous and complex, for %lld coil(s)",
          (long long)x->coils);
    static const char *const names[3] = {"k[0]", "k[1]", "k[2]"};
    for (int d = 0; d < x->rank; d++) TRY(check_real(s->k[d], x->samples, names[d]));
    if (!s->field_map) return ARGAND_OK;
    TRY(check_real(s->t, x->samples, "t"));
    return check_real(s->field_map, x->pixels, "the field map");
}

/* Makes {pixels, coils}: f S_c in the type of the samples. */
static argand_status coil_images(argand_array *images, const argand_simulation *s, const shapes *x)
{
    argand_array *image = NULL, *repeated = NULL, *maps = NULL, *converted = NULL;
    const int64_t flat[2] = {x->pixels, x->coils}, once[2] = {1, 0};
    argand_status status;
    TRY_OR_DONE(argand_array_create(&image, argand_array_device(images), x->type, 1, &x->pixels));
    TRY_OR_DONE(argand_array_reshape(&converted, s->image, 1, &x->pixels));
    TRY_OR_DONE(argand_array_copy(image, converted));
    TRY_OR_DONE(argand_array_view(&repeated, image, 2, flat, once, 0));
    TRY_OR_DONE(argand_array_copy(images, repeated));
    if (!s->coil_maps) goto done;
    TRY_OR_DONE(argand_array_reshape(&maps, s->coil_maps, 2, flat));
    if (argand_array_type(maps) == x->type) {
        status = argand_array_multiply(images, maps, repeated, ARGAND_PRODUCT);
    } else {
        TRY_OR_DONE(argand_array_copy(images, maps));
        status = argand_array_multiply(images, images, repeated, ARGAND_PRODUCT);
    }
done:
    argand_array_destroy(maps);
    argand_array_destroy(repeated);
    argand_array_destroy(converted);
    argand_array_destroy(image);
    return status;
}

/* Computes the samples by the exact DFT. A mask excludes air, which gives no signal and fills half of the
 * pixels of a head. */
static argand_status through_field(argand_array *samples, const argand_array *images,
                                   const argand_simulation *s, const shapes *x)
{
    argand_array *mask = NULL, *image = NULL;
    argand_field *plan = NULL;
    argand_status status;
    argand_field_options options = {.type = x->type,
                                    .rank = x->rank,
                                    .n = {x->n[0], x->n[1], x->n[2]},
                                    .t = s->t,
                                    .field_map = s->field_map};
    for (int d = 0; d < x->rank; d++) options.k[d] = s->k[d];
    TRY_OR_DONE(argand_array_create(&image, argand_array_device(samples), x->type, x->rank, x->n));
    TRY_OR_DONE(argand_array_copy(image, s->image));
    TRY_OR_DONE(argand_array_create(&mask, argand_array_device(samples), x->real, x->rank, x->n));
    TRY_OR_DONE(argand_array_abs(mask, image));
    options.mask = mask;
    TRY_OR_DONE(argand_field_create(&plan, argand_array_device(samples), &options));
    status = argand_field_apply(plan, samples, images);
done:
    argand_field_destroy(plan);
    argand_array_destroy(mask);
    argand_array_destroy(image);
    return status;
}

static argand_status through_nufft(argand_array *samples, const argand_array *images,
                                   const argand_simulation *s, const shapes *x)
{
    argand_nufft *plan;
    TRY(argand_nufft_create(&plan, argand_array_device(samples),
                            &(argand_nufft_options){.type = x->type,
                                                    .rank = x->rank,
                                                    .n = {x->n[0], x->n[1], x->n[2]},
                                                    .tolerance = type_is_double(x->type) ? 1e-12 : 1e-6,
                                                    .wait_for_kernels = true}));
    argand_status status = argand_nufft_set_points(plan, (argand_array *const *)s->k); /* only read */
    if (!status) status = argand_nufft_apply(plan, samples, images);
    argand_nufft_destroy(plan);
    return status;
}

static double sinc(double x)
{
    return fabs(x) < 1e-8 ? 1 : sin(M_PI * x) / (M_PI * x);
}

/* Computes the factor of each sample: the area of a fine pixel over that of a reconstruction pixel,
 * divided by the transform of a fine pixel (at least 0.9 per axis for k within the reconstruction's grid). */
static argand_status pixel_factors(double *factor, const argand_simulation *s, const shapes *x)
{
    double scale = 1;
    for (int d = 0; d < x->rank; d++) scale *= (double)s->n[d] / (double)x->n[d];
    for (int64_t j = 0; j < x->samples; j++) factor[j] = scale;
    for (int d = 0; d < x->rank; d++) {
        double *k;
        TRY(host_read(&k, s->k[d]));
        for (int64_t j = 0; j < x->samples; j++) factor[j] /= fmax(sinc(k[j] / (double)x->n[d]), 0.1);
        memory_free(k);
    }
    return ARGAND_OK;
}

static argand_status correct_pixels(argand_array *samples, const argand_simulation *s, const shapes *x)
{
    const int64_t flat[2] = {x->samples, x->coils}, once[2] = {1, 0};
    argand_array *factors = NULL, *repeated = NULL;
    double *values;
    argand_status status;
    TRY(NEW(values, x->samples));
    TRY_OR_DONE(pixel_factors(values, s, x));
    TRY_OR_DONE(argand_array_create(&factors, argand_array_device(samples), x->real, 1, &x->samples));
    TRY_OR_DONE(host_write_real(factors, values));
    TRY_OR_DONE(argand_array_view(&repeated, factors, 2, flat, once, 0));
    status = argand_array_multiply(samples, samples, repeated, ARGAND_PRODUCT);
done:
    argand_array_destroy(repeated);
    argand_array_destroy(factors);
    memory_free(values);
    return status;
}

argand_status argand_simulate(argand_array *samples, const argand_simulation *simulation)
{
    shapes x;
    argand_array *images = NULL, *shaped = NULL, *flat = NULL;
    argand_status status;
    TRY(check_arguments(samples, simulation, &x));
    int64_t dims[4] = {x.n[0], x.n[1], x.n[2], 0};
    dims[x.rank] = x.coils;
    TRY_OR_DONE(argand_array_create(&images, argand_array_device(samples), x.type, 2,
                                    (const int64_t[2]){x.pixels, x.coils}));
    TRY_OR_DONE(argand_array_reshape(&shaped, images, x.rank + 1, dims));
    TRY_OR_DONE(argand_array_reshape(&flat, samples, 2, (const int64_t[2]){x.samples, x.coils}));
    TRY_OR_DONE(coil_images(images, simulation, &x));
    TRY_OR_DONE((simulation->field_map ? through_field : through_nufft)(flat, shaped, simulation, &x));
    status = correct_pixels(flat, simulation, &x);
done:
    argand_array_destroy(flat);
    argand_array_destroy(shaped);
    argand_array_destroy(images);
    return status;
}
