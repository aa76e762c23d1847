/* SPDX-License-Identifier: BSD-3-Clause */
/* Sound HDF5 with odd contents: every failure is the reader's. The first byte gives the options. */
#include "fuzz/scan_check.h"
#include "fuzz/scan_structure.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    char path[64], again[64];
    if (!count) return 0;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    snprintf(path, sizeof path, "/dev/shm/argand-fuzz-%ld.h5", (long)getpid());
    snprintf(again, sizeof again, "/dev/shm/argand-fuzz-%ld-2.h5", (long)getpid());
    const argand_scan_options options = {.k_unit = (argand_k_unit)(bytes[0] % 8),
                                         .y_fastest = bytes[0] & 16,
                                         .time_from_echo = bytes[0] & 32,
                                         .no_images = bytes[0] & 64,
                                         .bands = bytes[0] & 128 ? bytes[0] % 5 : 0};
    odd_file(bytes + 1, count - 1, path);
    scan_try(path, again, &options);
    scan_nothing_open();
    unlink(path);
    unlink(again);
    return 0;
}
