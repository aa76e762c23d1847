/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates a field map of a head: smooth, strongest near air, as susceptibility makes it. */
#include <argand/mri.h>

#include <math.h>
#include "mri/host.h"

/* A Gaussian; coordinates in fields of view, y to posterior, z to the head. */
typedef struct blob {
    double value, centre[3], width[3];
} blob;

static const blob blobs[] = {
    {0.95, {0.0, -0.27, 0.0}, {0.10, 0.09, 0.12}},     /* above the nasal sinus */
    {-0.55, {-0.24, 0.06, -0.02}, {0.07, 0.08, 0.10}}, /* ear canals */
    {-0.55, {0.24, 0.06, -0.02}, {0.07, 0.08, 0.10}},
};
static const double shim[3] = {0.16, 0.30, 0.20}; /* gradient per field of view that remains after shimming */

/* Returns the field at r; the hyperbolic tangent keeps it smoothly between -1 and 1. */
static double head_field(const double *r)
{
    double sum = shim[0] * r[0] + shim[1] * r[1] + shim[2] * r[2];
    for (size_t i = 0; i < sizeof blobs / sizeof *blobs; i++) {
        double square = 0;
        for (int d = 0; d < 3; d++) {
            const double x = (r[d] - blobs[i].centre[d]) / blobs[i].width[d];
            square += x * x;
        }
        sum += blobs[i].value * exp(-0.5 * square);
    }
    return tanh(1.2 * sum);
}

argand_status argand_fieldmap_head(argand_array *map, double range)
{
    double *values;
    CHECK_ARRAY(map);
    const int64_t nx = argand_array_dim(map, 0), ny = argand_array_dim(map, 1), nz = argand_array_dim(map, 2);
    CHECK(argand_array_count(map) == nx * ny * nz && !type_is_complex(argand_array_type(map)),
          ARGAND_ARGUMENT, "field map: the array must be real with 1 to 3 dimensions");
    CHECK(isfinite(range) && range >= 0, ARGAND_ARGUMENT, "field map: range %g rad/s; give 0 or more", range);
    TRY(NEW(values, nx * ny * nz));
#pragma omp parallel for schedule(static) num_threads(argand_device_threads(argand_array_device(map)))
    for (int64_t row = 0; row < ny * nz; row++)
        for (int64_t x = 0; x < nx; x++) {
            const double r[3] = {pixel_centre(x, nx), pixel_centre(row % ny, ny), pixel_centre(row / ny, nz)};
            values[row * nx + x] = range * head_field(r);
        }
    const argand_status status = host_write_real(map, values);
    memory_free(values);
    return status;
}
