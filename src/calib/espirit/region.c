/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the fully sampled block around k-space's centre. */
#include "calib/calib.h"

#include "mri/host.h"

/* Marks the positions at which any coil has a sample that is not 0. */
static void mark(char *there, const void *data, bool is_double, int64_t pixels, int64_t coils)
{
    for (int64_t i = 0; i < pixels * coils; i++) {
        const bool zero = is_double
                              ? ((const double *)data)[2 * i] == 0 && ((const double *)data)[2 * i + 1] == 0
                              : ((const float *)data)[2 * i] == 0 && ((const float *)data)[2 * i + 1] == 0;
        if (!zero) there[i % pixels] = 1;
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
static bool grow(const char *there, const int64_t n[3], int64_t size[3], int axis, int64_t most)
{
    if (size[axis] >= n[axis] || (most > 0 && size[axis] >= most)) return false;
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
    const int64_t pixels = n[0] * n[1] * n[2];
    TRY_OR_DONE(NEW(there, pixels));
    TRY_OR_DONE(host_open(&from, kspace));
    mark(there, from.data, type_is_double(argand_array_type(kspace)), pixels, coils);
    for (int axis = 0; axis < 3; axis++) region[axis] = 1;
    CHECK_OR_DONE(complete(there, n, region), ARGAND_ARGUMENT,
                  "calibration region: k-space's centre, element %lld %lld %lld, has no sample",
                  (long long)n[0] / 2, (long long)n[1] / 2, (long long)n[2] / 2);
    for (bool grew = true; grew;) {
        grew = false;
        for (int axis = 0; axis < 3; axis++) grew |= grow(there, n, region, axis, most);
    }
done:
    host_close(&from);
    memory_free(there);
    return status;
}
