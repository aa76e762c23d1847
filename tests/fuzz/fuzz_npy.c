/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    char path[128];
    argand_array *array;
    fuzz_open();
    fuzz_check(argand_array_read(&array, fuzz_file(path, sizeof path, "a.npy", bytes, count), device), array);
    unlink(path);
    return 0;
}
