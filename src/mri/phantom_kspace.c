/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the exact Fourier transform of the Shepp-Logan head. The transform of an ellipse with half axes
 * a, b is a b J1(2 pi q) / q, that of an ellipsoid 4 pi a b c (sin u - u cos u) / u^3 with u = 2 pi q. q
 * is the length of k after each component along an axis is multiplied by the half axis. Van de Walle et
 * al., IEEE Trans. Med. Imaging 19:1160, 2000; Koay, Sarlls, Ozarslan, Magn. Reson. Med. 58:430, 2007. */
#include "mri/phantom.h"

#include <complex.h>
#include <math.h>
#include "mri/host.h"

/* Returns (sin u - u cos u) / u^3, by a series where the difference would cancel (error below 3e-15
 * there). */
static double ball(double u)
{
    const double v = u * u;
    if (u < 0.1) return 1.0 / 3 - v / 30 + v * v / 840 - v * v * v / 45360;
    return (sin(u) - u * cos(u)) / (u * v);
}

/* Returns J1(2 pi q) / q. */
static double disc(double q)
{
    return q > 0 ? j1(2 * M_PI * q) / q : M_PI;
}

/* Returns the transform of one ellipsoid; k is in cycles per unit of X, Y, Z. */
static double complex ellipsoid_transform(const ellipsoid *e, int rank, const double *k)
{
    const double angle = e->angle * (M_PI / 180), c = cos(angle), s = sin(angle);
    const double u = (c * k[0] + s * k[1]) * e->axis[0], v = (c * k[1] - s * k[0]) * e->axis[1];
    const double w = rank == 3 ? k[2] * e->axis[2] : 0, q = sqrt(u * u + v * v + w * w);
    const double area = e->axis[0] * e->axis[1];
    const double shape = rank == 3 ? 4 * M_PI * area * e->axis[2] * ball(2 * M_PI * q) : area * disc(q);
    const double shift = k[0] * e->centre[0] + k[1] * e->centre[1] + (rank == 3 ? k[2] * e->centre[2] : 0);
    return e->value * shape * cexp(-2 * M_PI * I * shift);
}

/* A head in two or three dimensions */
typedef struct head {
    const ellipsoid *table;
    int length, rank;
} head;

/* Returns the transform of the whole head at k, in cycles per field of view, which is 2 units wide. y points
 * down in images. */
static double complex head_transform(const head *h, double *const k[3], int64_t j)
{
    const double at[3] = {k[0][j] / 2, -k[1][j] / 2, h->rank == 3 ? k[2][j] / 2 : 0};
    double complex sum = 0;
    for (int i = 0; i < h->length; i++) sum += ellipsoid_transform(&h->table[i], h->rank, at);
    return sum;
}

argand_status argand_phantom_kspace(argand_array *samples, argand_phantom phantom, argand_array *const k[],
                                    double pixels)
{
    head h;
    double *position[3] = {NULL, NULL, NULL};
    double complex *values = NULL;
    argand_status status = ARGAND_OK;

    CHECK_ARRAY(samples);
    CHECK(k, ARGAND_ARGUMENT, "phantom: no k-space positions given");
    TRY(phantom_table(phantom, &h.table, &h.length, &h.rank));
    CHECK(type_is_complex(argand_array_type(samples)), ARGAND_ARGUMENT,
          "phantom: k-space samples must be complex");
    const int64_t count = argand_array_count(samples);
    for (int d = 0; d < h.rank; d++) {
        CHECK_OR_DONE(k[d] && !type_is_complex(argand_array_type(k[d])) && argand_array_count(k[d]) == count,
                      ARGAND_ARGUMENT,
                      "phantom: k[%d] must be real, with one position for each of the %lld samples", d,
                      (long long)count);
        TRY_OR_DONE(host_read(&position[d], k[d]));
    }
    TRY_OR_DONE(NEW(values, count));
    const double scale = pixels / (h.rank == 3 ? 8 : 4); /* dr = dX dY (dZ) / 2^rank */
#pragma omp parallel for schedule(static) num_threads(argand_device_threads(argand_array_device(samples)))
    for (int64_t j = 0; j < count; j++) values[j] = scale * head_transform(&h, position, j);
    status = host_write_complex(samples, (const double *)values);
done:
    memory_free(values);
    for (int d = 0; d < 3; d++) memory_free(position[d]);
    return status;
}
