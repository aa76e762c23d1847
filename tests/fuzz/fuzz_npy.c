/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    char path[128];
    argand_array *array = NULL;
    fuzz_open();
    const argand_status status =
        argand_array_read(&array, fuzz_file(path, sizeof path, "a.npy", bytes, count), device);
    fuzz_check(status, array);
    unlink(path);
    return 0;
}
