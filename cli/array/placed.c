/* SPDX-License-Identifier: BSD-3-Clause */
#include "array/placed.h"
#include "common/path.h"
#include "common/report.h"

argand_status placed_read(placed *x, const char *path, argand_device *device)
{
    return path_is_nifti(path) ? argand_nifti_read(&x->array, path, device, &x->geometry)
                               : argand_array_read(&x->array, path, device);
}

argand_status placed_check(const placed *x, const char *path)
{
    if (x->geometry.valid) return ARGAND_OK;
    return report_error(ARGAND_ARGUMENT,
                        "%s: has no place in the patient (a NIfTI file with a qform or sform is "
                        "wanted)",
                        path);
}

argand_status placed_write(const char *path, const placed *y)
{
    return path_is_nifti(path) ? argand_nifti_write(path, y->array, &y->geometry, y->geometry.time_step)
                               : argand_array_write(path, y->array);
}
