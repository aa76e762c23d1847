/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    char path[128];
    argand_array *array;
    argand_geometry geometry;
    fuzz_open();
    fuzz_check(
        argand_nifti_read(&array, fuzz_file(path, sizeof path, "a.nii", bytes, count), device, &geometry),
        array);
    unlink(path);
    return 0;
}
