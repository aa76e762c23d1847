/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the root of the sum of squares of coil images (Roemer et al., Magn. Reson. Med. 16:192, 1990). */
#include <argand/mri.h>

#include <math.h>
#include "mri/host.h"

/* Returns the value of one pixel. Values are first divided by the largest, so that squares of very small
 * or large images neither underflow nor overflow. */
static double pixel_rss(const void *data, bool is_double, int64_t pixel, int64_t pixels, int64_t coils,
                        double largest)
{
    double square = 0;
    for (int64_t c = 0; c < coils; c++)
        for (int64_t i = 2 * (c * pixels + pixel), end = i + 2; i < end; i++) {
            const double value =
                (is_double ? ((const double *)data)[i] : (double)((const float *)data)[i]) / largest;
            square += value * value;
        }
    return largest * sqrt(square);
}

argand_status argand_coils_rss(argand_array *image, const argand_array *images)
{
    host_view from = {0}, to = {0};
    double largest;
    argand_status status;

    CHECK_ARRAY(image);
    CHECK_ARRAY(images);
    const argand_type type = argand_array_type(images);
    const int64_t pixels = argand_array_count(image),
                  coils = argand_array_dim(images, argand_array_rank(images) - 1);
    CHECK(type_is_complex(type) && argand_array_rank(images) >= 1 &&
              argand_array_count(images) == pixels * coils,
          ARGAND_ARGUMENT, "rss: coil images must be complex {dims..., coils} over the image's %lld pixels",
          (long long)pixels);
    CHECK(argand_array_type(image) == type_of(false, type_is_double(type)), ARGAND_ARGUMENT,
          "rss: the image must be real, in the precision of the coil images");
    TRY_OR_DONE(argand_array_max_abs(&largest, images));
    TRY_OR_DONE(host_open(&from, images));
    TRY_OR_DONE(host_open_new(&to, image));
    if (!(largest > 0)) largest = 1;
#pragma omp parallel for schedule(static) num_threads(argand_device_threads(argand_array_device(image)))
    for (int64_t i = 0; i < pixels; i++) {
        const double value = pixel_rss(from.data, type_is_double(type), i, pixels, coils, largest);
        if (type_is_double(type))
            ((double *)to.data)[i] = value;
        else
            ((float *)to.data)[i] = (float)value;
    }
    status = host_put(&to, image);
done:
    host_close(&to);
    host_close(&from);
    return status;
}
