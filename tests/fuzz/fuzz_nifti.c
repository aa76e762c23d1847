/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    char path[128];
    argand_array *array = NULL;
    argand_geometry geometry;
    fuzz_open();
    const argand_status status =
        argand_nifti_read(&array, fuzz_file(path, sizeof path, "a.nii", bytes, count), device, &geometry);
    fuzz_check(status, array);
    unlink(path);
    return 0;
}
