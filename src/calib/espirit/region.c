/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the fully sampled block around k-space's centre. */
#include "calib/calib.h"

#include "mri/host.h"

/* The central block in which the region is looked for: m of n elements of each coil. */
typedef struct central {
    int64_t n[3], m[3], coils;
} central;

#define MARK_LINE(REAL)                                                                \
    static void mark_line_##REAL(char *there, const REAL *line, int64_t count)         \
    {                                                                                  \
        for (int64_t x = 0; x < count; x++)                                            \
            there[x] = (char)(there[x] | (line[2 * x] != 0) | (line[2 * x + 1] != 0)); \
    }
MARK_LINE(float)
MARK_LINE(double)

/* Marks the positions of the block at which any coil has a sample that is not 0. */
static void mark(char *there, const void *data, bool is_double, const central *s)
{
    const int64_t *n = s->n, *m = s->m;
    for (int64_t c = 0; c < s->coils; c++)
        for (int64_t z = 0; z < m[2]; z++)
            for (int64_t y = 0; y < m[1]; y++) {
                const int64_t line = (c * n[2] + z + n[2] / 2 - m[2] / 2) * n[1] + y + n[1] / 2 - m[1] / 2;
                const int64_t from = 2 * (line * n[0] + n[0] / 2 - m[0] / 2);
                if (is_double)
                    mark_line_double(there + (z * m[1] + y) * m[0], (const double *)data + from, m[0]);
                else
                    mark_line_float(there + (z * m[1] + y) * m[0], (const float *)data + from, m[0]);
            }
}

/* Returns true if the central block of this size is sampled everywhere. */
static bool complete(const char *there, const int64_t n[3], const int64_t size[3])
{
    for (int64_t z = n[2] / 2 - size[2] / 2, z_end = z + size[2]; z < z_end; z++)
        for (int64_t y = n[1] / 2 - size[1] / 2, y_end = y + size[1]; y < y_end; y++)
            for (int64_t x = n[0] / 2 - size[0] / 2, x_end = x + size[0]; x < x_end; x++)
                if (!there[(z * n[1] + y) * n[0] + x]) return false;
    return true;
}

/* Extends the block by one element along an axis if it stays complete. Returns true if so. */
static bool grow(const char *there, const int64_t n[3], int64_t size[3], int axis)
{
    if (size[axis] >= n[axis]) return false;
    size[axis]++;
    if (complete(there, n, size)) return true;
    size[axis]--;
    return false;
}

argand_status argand_calibration_region(int64_t region[3], const argand_array *kspace, int64_t most)
{
    host_view from = {0};
    char *there = NULL;
    argand_status status;
    CHECK_ARRAY(kspace);
    int64_t n[3], coils;
    TRY(calib_coil_shape(kspace, "calibration region", n, &coils));
    CHECK(most >= 0, ARGAND_ARGUMENT, "calibration region: at most %lld elements; give 0 (no limit) or more",
          (long long)most);
    central s = {.coils = coils};
    for (int axis = 0; axis < 3; axis++) {
        s.n[axis] = n[axis];
        s.m[axis] = most > 0 && most < n[axis] ? most : n[axis];
        region[axis] = 1;
    }
    TRY_OR_DONE(NEW(there, s.m[0] * s.m[1] * s.m[2]));
    TRY_OR_DONE(host_open(&from, kspace));
    mark(there, from.data, type_is_double(argand_array_type(kspace)), &s);
    CHECK_OR_DONE(complete(there, s.m, region), ARGAND_ARGUMENT,
                  "calibration region: k-space's centre, element %lld %lld %lld, has no sample",
                  (long long)n[0] / 2, (long long)n[1] / 2, (long long)n[2] / 2);
    for (bool grew = true; grew;) {
        grew = false;
        for (int axis = 0; axis < 3; axis++) grew |= grow(there, s.m, region, axis);
    }
done:
    host_close(&from);
    memory_free(there);
    return status;
}
