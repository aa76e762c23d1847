/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates the sensitivities of circular loops around the head. By reciprocity, the sensitivity is the
 * field of a current in the loop (Hoult and Richards, J. Magn. Reson. 24:71, 1976), computed by the law of
 * Biot and Savart over short straight pieces of wire. */
#include <argand/mri.h>

#include <complex.h>
#include <math.h>
#include "mri/host.h"

enum { PIECES = 48 };
/* In fields of view. The ring lies outside the corners of the square (0.71). The conductors are thick, so
 * that the field is smooth also in the corners of a volume, where a wire may pass at a distance of 0.05. */
static const double RING_RADIUS = 0.75, RING_OFFSET = 0.25, LARGEST_LOOP = 0.5, OVERLAP = 1.1,
                    THICKNESS = 0.1;

/* A piece of wire: position, and direction times length. */
typedef struct piece {
    double at[3], along[3];
} piece;

/* Returns 2 for volumes with enough coils for two rings; the second ring is rotated by half a coil. */
static int ring_count(int64_t coils, int64_t nz)
{
    return nz > 1 && coils >= 8 && coils % 2 == 0 ? 2 : 1;
}

/* Makes a loop that faces the centre, in the plane of the ring's tangent and z. */
static void wind_loop(piece *loop, int64_t coil, int64_t coils, int rings)
{
    const int64_t per_ring = coils / rings, ring = coil / per_ring;
    const double angle_step = 2 * M_PI / (double)per_ring,
                 angle = angle_step * ((double)(coil % per_ring) + 0.5 * (double)ring);
    const double size = fmin(LARGEST_LOOP, OVERLAP * RING_RADIUS * sin(fmin(angle_step, M_PI) / 2));
    const double height = rings == 2 ? RING_OFFSET * (ring ? 1 : -1) : 0;
    const double step = 2 * M_PI / PIECES;
    for (int i = 0; i < PIECES; i++) {
        const double c = size * cos(step * i), s = size * sin(step * i);
        loop[i] = (piece){{RING_RADIUS * cos(angle) - c * sin(angle),
                           RING_RADIUS * sin(angle) + c * cos(angle), height + s},
                          {step * s * sin(angle), -step * s * cos(angle), step * c}};
    }
}

/* Returns the component of the field that rotates with the spins, B_x - i B_y, at r. */
static double complex loop_field(const piece *loop, const double *r)
{
    double bx = 0, by = 0;
    for (int i = 0; i < PIECES; i++) {
        const double *l = loop[i].along;
        const double x = r[0] - loop[i].at[0], y = r[1] - loop[i].at[1], z = r[2] - loop[i].at[2];
        const double square = x * x + y * y + z * z + THICKNESS * THICKNESS,
                     cube = 1 / (square * sqrt(square));
        bx += (l[1] * z - l[2] * y) * cube;
        by += (l[2] * x - l[0] * z) * cube;
    }
    return bx - I * by;
}

/* Computes the maps of all coils at one pixel, scaled to a sum of squares of 1. */
static void pixel_maps(double complex *values, const piece *loops, int64_t coils, const double *r)
{
    double square = 0;
    for (int64_t c = 0; c < coils; c++) {
        values[c] = loop_field(loops + c * PIECES, r);
        square += creal(values[c] * conj(values[c]));
    }
    for (int64_t c = 0; c < coils; c++) values[c] /= sqrt(square);
}

static void store(void *data, bool is_double, int64_t index, double complex value)
{
    if (is_double)
        ((double complex *)data)[index] = value;
    else
        ((float complex *)data)[index] = (float complex)value;
}

static void fill_maps(void *data, bool is_double, const int64_t *n, int64_t coils, const piece *loops,
                      double complex *scratch, int threads)
{
    const int64_t rows = n[1] * n[2], pixels = rows * n[0];
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t row = 0; row < rows; row++) {
        double complex *values = scratch + row * coils;
        for (int64_t x = 0; x < n[0]; x++) {
            const double r[3] = {pixel_centre(x, n[0]), pixel_centre(row % n[1], n[1]),
                                 pixel_centre(row / n[1], n[2])};
            pixel_maps(values, loops, coils, r);
            for (int64_t c = 0; c < coils; c++)
                store(data, is_double, c * pixels + row * n[0] + x, values[c]);
        }
    }
}

argand_status argand_coils_birdcage(argand_array *maps)
{
    piece *loops = NULL;
    double complex *scratch = NULL;
    host_view view = {0};
    argand_status status;

    CHECK_ARRAY(maps);
    const int rank = argand_array_rank(maps);
    const argand_type type = argand_array_type(maps);
    CHECK((rank == 3 || rank == 4) && type_is_complex(type), ARGAND_ARGUMENT,
          "birdcage: the maps must be complex {nx, ny, coils} or {nx, ny, nz, coils}");
    const int64_t n[3] = {argand_array_dim(maps, 0), argand_array_dim(maps, 1),
                          rank == 4 ? argand_array_dim(maps, 2) : 1};
    const int64_t coils = argand_array_dim(maps, rank - 1);
    TRY_OR_DONE(NEW(loops, coils * PIECES));
    TRY_OR_DONE(NEW(scratch, coils * n[1] * n[2]));
    TRY_OR_DONE(host_open_new(&view, maps));
    for (int64_t c = 0; c < coils; c++) wind_loop(loops + c * PIECES, c, coils, ring_count(coils, n[2]));
    fill_maps(view.data, type_is_double(type), n, coils, loops, scratch,
              argand_device_threads(argand_array_device(maps)));
    status = host_put(&view, maps);
done:
    host_close(&view);
    memory_free(scratch);
    memory_free(loops);
    return status;
}
