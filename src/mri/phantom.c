/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes an image of the Shepp-Logan head. Shepp and Logan, IEEE Trans. Nucl. Sci. 21:21, 1974; contrast of
 * Toft, "The Radon transform", thesis, 1996; ellipsoids in the usual arrangement of the 3-D version,
 * tilted about Z alone.
 *
 * A pixel is the mean over its area or volume. If an edge may pass through the pixel, it is divided into
 * 16 x 16 (8 x 8 x 8) parts; otherwise its value is exact. */
#include "mri/phantom.h"

#include <math.h>
#include "base/observe.h"
#include "mri/host.h"

enum { SUBDIVISION_2D = 16, SUBDIVISION_3D = 8 };

static const ellipsoid head_2d[] = {
    {1.0, {0.69, 0.92, 0}, {0, 0, 0}, 0},        {-0.8, {0.6624, 0.874, 0}, {0, -0.0184, 0}, 0},
    {-0.2, {0.11, 0.31, 0}, {0.22, 0, 0}, -18},  {-0.2, {0.16, 0.41, 0}, {-0.22, 0, 0}, 18},
    {0.1, {0.21, 0.25, 0}, {0, 0.35, 0}, 0},     {0.1, {0.046, 0.046, 0}, {0, 0.1, 0}, 0},
    {0.1, {0.046, 0.046, 0}, {0, -0.1, 0}, 0},   {0.1, {0.046, 0.023, 0}, {-0.08, -0.605, 0}, 0},
    {0.1, {0.023, 0.023, 0}, {0, -0.606, 0}, 0}, {0.1, {0.023, 0.046, 0}, {0.06, -0.605, 0}, 0},
};

static const ellipsoid head_3d[] = {
    {1.0, {0.69, 0.92, 0.81}, {0, 0, 0}, 0},         {-0.8, {0.6624, 0.874, 0.78}, {0, -0.0184, 0}, 0},
    {-0.2, {0.11, 0.31, 0.22}, {0.22, 0, 0}, -18},   {-0.2, {0.16, 0.41, 0.28}, {-0.22, 0, 0}, 18},
    {0.1, {0.21, 0.25, 0.41}, {0, 0.35, -0.15}, 0},  {0.1, {0.046, 0.046, 0.05}, {0, 0.1, 0.25}, 0},
    {0.1, {0.046, 0.046, 0.05}, {0, -0.1, 0.25}, 0}, {0.1, {0.046, 0.023, 0.05}, {-0.08, -0.605, 0}, 0},
    {0.1, {0.023, 0.023, 0.02}, {0, -0.606, 0}, 0},  {0.1, {0.023, 0.046, 0.02}, {0.06, -0.605, 0}, 0},
};

argand_status phantom_table(argand_phantom phantom, const ellipsoid **table, int *count, int *rank)
{
    CHECK(phantom == ARGAND_SHEPP_LOGAN_2D || phantom == ARGAND_SHEPP_LOGAN_3D, ARGAND_ARGUMENT,
          "phantom: there is none with number %d; use ARGAND_SHEPP_LOGAN_2D or ARGAND_SHEPP_LOGAN_3D",
          (int)phantom);
    *rank = phantom == ARGAND_SHEPP_LOGAN_3D ? 3 : 2;
    *table = *rank == 3 ? head_3d : head_2d;
    *count = (int)(*rank == 3 ? sizeof head_3d / sizeof *head_3d : sizeof head_2d / sizeof *head_2d);
    return ARGAND_OK;
}

/* Data for one pixel: its size, its number of parts along each axis, and the ellipsoid rotated to it. */
typedef struct raster {
    int rank, parts;
    int64_t n[3];
    double pixel[3]; /* edge lengths in the units of the table */
    double half_diagonal;
    const ellipsoid *table;
    int count;
} raster;

/* Returns the distance from the centre in units of the half axis in that direction; below 1: inside. */
static double ellipsoid_radius(const ellipsoid *e, int rank, const double *at)
{
    const double angle = e->angle * (M_PI / 180), c = cos(angle), s = sin(angle);
    const double x = at[0] - e->centre[0], y = at[1] - e->centre[1];
    const double u = (c * x + s * y) / e->axis[0], v = (c * y - s * x) / e->axis[1];
    const double w = rank == 3 ? (at[2] - e->centre[2]) / e->axis[2] : 0;
    return sqrt(u * u + v * v + w * w);
}

static double shortest_axis(const ellipsoid *e, int rank)
{
    const double least = fmin(e->axis[0], e->axis[1]);
    return rank == 3 ? fmin(least, e->axis[2]) : least;
}

/* Returns the fraction of the pixel around `at` that lies inside the ellipsoid. */
static double divided_pixel(const raster *r, const ellipsoid *e, const double *at)
{
    const int parts_z = r->rank == 3 ? r->parts : 1;
    int inside = 0;
    for (int z = 0; z < parts_z; z++)
        for (int y = 0; y < r->parts; y++)
            for (int x = 0; x < r->parts; x++) {
                const double part[3] = {at[0] + r->pixel[0] * ((x + 0.5) / r->parts - 0.5),
                                        at[1] + r->pixel[1] * ((y + 0.5) / r->parts - 0.5),
                                        at[2] + r->pixel[2] * ((z + 0.5) / parts_z - 0.5)};
                inside += ellipsoid_radius(e, r->rank, part) < 1;
            }
    return (double)inside / (r->parts * r->parts * parts_z);
}

/* Returns the value of a pixel. The radius is a norm: inside the pixel it differs from the radius at the
 * centre by at most half_diagonal / shortest axis. */
static double pixel_value(const raster *r, const double *at)
{
    double value = 0;
    for (int i = 0; i < r->count; i++) {
        const ellipsoid *e = &r->table[i];
        const double radius = ellipsoid_radius(e, r->rank, at),
                     margin = r->half_diagonal / shortest_axis(e, r->rank);
        if (radius < 1 - margin)
            value += e->value;
        else if (radius < 1 + margin)
            value += e->value * divided_pixel(r, e, at);
    }
    return fabs(value) < 1e-12 ? 0 : value; /* rounding of sums such as 1 - 0.8 - 0.2 */
}

static argand_status paint(const raster *r, double *pixels, int threads)
{
    atomic_bool cancelled = false;
    const int64_t rows = r->n[1] * r->n[2];
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int64_t row = 0; row < rows; row++)
        for (int64_t x = 0; x < r->n[0] && (x || !observe_within(&cancelled)); x++) {
            const double at[3] = {2 * pixel_centre(x, r->n[0]), -2 * pixel_centre(row % r->n[1], r->n[1]),
                                  2 * pixel_centre(row / r->n[1], r->n[2])};
            pixels[row * r->n[0] + x] = pixel_value(r, at);
        }
    return observe_end(&cancelled);
}

argand_status argand_phantom_image(argand_array *image, argand_phantom phantom)
{
    raster r = {0};
    double *pixels;
    CHECK_ARRAY(image);
    TRY(phantom_table(phantom, &r.table, &r.count, &r.rank));
    CHECK(argand_array_count(image) == argand_array_dim(image, 0) * argand_array_dim(image, 1) *
                                           (r.rank == 3 ? argand_array_dim(image, 2) : 1),
          ARGAND_ARGUMENT, "phantom: the image has more than the phantom's %d dimensions", r.rank);
    r.parts = r.rank == 3 ? SUBDIVISION_3D : SUBDIVISION_2D;
    for (int d = 0; d < 3; d++) {
        r.n[d] = argand_array_dim(image, d);
        r.pixel[d] = d < r.rank ? 2 / (double)r.n[d] : 0;
        r.half_diagonal += 0.25 * r.pixel[d] * r.pixel[d];
    }
    r.half_diagonal = sqrt(r.half_diagonal);
    TRY(NEW(pixels, argand_array_count(image)));
    argand_status status = paint(&r, pixels, argand_device_threads(argand_array_device(image)));
    if (!status) status = host_write_real(image, pixels);
    memory_free(pixels);
    return status;
}
