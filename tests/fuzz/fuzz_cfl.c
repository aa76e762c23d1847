/* SPDX-License-Identifier: BSD-3-Clause */
/* The first two bytes say how long the .cfl is (up to 64 KB of zeros); the rest is the .hdr. */
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static const uint8_t zeros[65536];
    char header[128], numbers[128];
    argand_array *array = NULL;
    if (count < 2) return 0;
    fuzz_open();
    fuzz_file(header, sizeof header, "a.hdr", bytes + 2, count - 2);
    fuzz_file(numbers, sizeof numbers, "a.cfl", zeros, (size_t)bytes[0] | (size_t)bytes[1] << 8);
    const argand_status status = argand_array_read(&array, numbers, device);
    fuzz_check(status, array);
    unlink(header);
    unlink(numbers);
    return 0;
}
